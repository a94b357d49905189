/* ratios.h: how much better than another a variant is, over all cells of a file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A ratio is of a metric of the variant to that of the one compared with, of the same
 * cell and seed, so on the same jobs. The mean over the seeds of a cell, and over cells,
 * is the geometric one, so that twice and half make one.
 */
#ifndef BN_RATIOS_H
#define BN_RATIOS_H

#include "cells.h"
#include "report.h"

typedef struct BnRatio
{
  guint n_cells;                 /* with a ratio: both above 0 with some seed      */
  double mean;                   /* geometric, over these; NAN for none           */
  double low, high;              /* 95 % interval of the mean, from one geometric mean over
                                    cells for each seed; NAN with one seed, and where seeds
                                    do not all have every cell                    */
  double least, greatest;        /* of a cell                                     */
  double seed_least, seed_greatest; /* of the geometric means of one seed alone   */
} BnRatio;

/* Of `metric` (bn_cells_metric) in one cell, over the seeds or of seed `seed` alone
 * unless that is negative; NAN for none. */
double bn_ratio_of_cell (const BnCells *cells, const double *metric, guint cell, guint variant, guint base, int seed);

/* Of `metric` in the cells that `counted` (NULL: all) marks. */
BnRatio bn_ratio_of (const BnCells *cells, const double *metric, guint variant, guint base, const gboolean *counted);

/* The index of a variant by its name. FALSE with `error` set, beginning with `option`. */
gboolean bn_ratio_find_variant (const BnCells *cells, const char *option, const char *name, guint *ret,
                                GError **error);

typedef struct BnRatioRequest
{
  const char *base;              /* name of the variant compared with             */
  const char *const *metrics;    /* NULL-terminated, or NULL: those in common use */
  double stable_limit;           /* cells where the base's mean slowdown is below it; 0: all */
} BnRatioRequest;

/* Marks the cells that count for the request; (transfer full), NULL with `error` set. */
gboolean *bn_ratio_counted (const BnCells *cells, sqlite3 *db, guint base, double stable_limit, GError **error);

/* The name of a metric is one that the program knows; FALSE with `error` set. */
gboolean bn_ratio_check_metric (const char *option, const char *name, GError **error);

/* A row for each variant and metric. NULL with `error` set. */
BnTable *bn_ratio_table (const BnCells *cells, sqlite3 *db, const BnRatioRequest *request, GError **error);

#endif
