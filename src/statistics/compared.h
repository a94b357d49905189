/* compared.h: the runs of a results file, as comparisons read them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Runs with different seeds of one scheduler, in one cell (cells.h), are replications;
 * those of several schedulers with one seed have the same jobs, and are pairs.
 */
#ifndef BN_COMPARED_H
#define BN_COMPARED_H

#include "cells.h"
#include "interval.h"
#include "report.h"

/* Metrics that are compared: indices into bn_compared_metrics. */
enum
{
  BN_COMPARED_JOBS,
  BN_COMPARED_LATENCY,
  BN_COMPARED_P50,
  BN_COMPARED_P95,
  BN_COMPARED_P99,
  BN_COMPARED_SLOWDOWN,
  BN_COMPARED_SLOWDOWN_P99,
  BN_COMPARED_HITS,
  BN_COMPARED_EXECUTING,
  BN_COMPARED_LOADING,
  BN_COMPARED_EVICTIONS,
  BN_COMPARED_WORKERS,
  BN_COMPARED_ENERGY,
  BN_N_COMPARED,
  /* what no scheduler can better */
  BN_COMPARED_BOUND_LATENCY = BN_N_COMPARED,
  BN_COMPARED_BOUND_SLOWDOWN,
  BN_COMPARED_BATCH_95,    /* half-width of the mean latency by batch means within the run */
  BN_N_COMPARED_VALUES
};

typedef struct BnComparedMetric
{
  const char *metric;      /* its name in results                     */
  double scale;            /* from there to the column                */
  gboolean whole;          /* an integer in one run                   */
  gboolean shows_interval; /* in text, where there are several seeds  */
  gboolean of_one_seed;    /* in text only where there is one         */
  BnColumn column;
} BnComparedMetric;

extern const BnComparedMetric bn_compared_metrics[BN_N_COMPARED];

typedef struct BnComparedRun
{
  gint64 run_id;
  guint cell;                 /* index into BnCells.values                   */
  char *variant, *seed;
  char *label;                /* or its state, unless complete               */
  double values[BN_N_COMPARED_VALUES]; /* NAN: undefined; in units of the columns */
  gboolean yardstick;         /* it knew what no real scheduler could        */
  double warmup_s;
} BnComparedRun;

typedef struct BnCompared
{
  BnCells *cells;
  GPtrArray *runs;            /* of BnComparedRun */
} BnCompared;

/* All runs that have ended: in order of number, or with `by_variant` those of a cell
 * together, and in it those of a variant, in the order of its first run anywhere. Batch
 * means are worked out with `by_variant` where no variant has several seeds, and where the
 * run is long enough for batches that hang together no more; they take all its jobs. NULL
 * with `error` set where the database cannot be read. Returns: (transfer full). */
BnCompared *bn_compared_read (sqlite3 *db, gboolean by_variant, GError **error);
void bn_compared_free (BnCompared *compared);

const BnComparedRun *bn_compared_run (const BnCompared *compared, guint i);

/* Where the runs of the cell end that run `first` is of; and, of runs in order of variant,
 * those of its variant there. */
guint bn_compared_end_of_cell (const BnCompared *compared, guint first);
guint bn_compared_end_of_variant (const BnCompared *compared, guint first);

/* Of runs in order of variant: the most seeds that one has in a cell. */
guint bn_compared_most_seeds (const BnCompared *compared);

/* Where the runs of variant `name` begin within [first, end); `end` where it has none. */
guint bn_compared_find_variant (const BnCompared *compared, guint first, guint end, const char *name);

/* The 95 % interval of value `i` over the runs [first, end) in which it is defined. */
BnInterval bn_compared_interval (const BnCompared *compared, guint first, guint end, guint i);

/* That of value i over value j, sum over sum, of runs [first, end) and [other, other_end)
 * with one seed in which both are defined. O(runs x runs). */
BnInterval bn_compared_ratio (const BnCompared *compared, guint first, guint end, guint i, guint other,
                              guint other_end, guint j);

/* What most of the runs [first, end) are called, of equally many the worse, and by how
 * many, "STABLE 4 of 5": one run in twenty is misjudged, so the worst of many says
 * nothing. A run that did not complete counts more than all. Returns: (transfer full). */
char *bn_compared_label (const BnCompared *compared, guint first, guint end);

#endif
