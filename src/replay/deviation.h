/* deviation.h: how far a simulated run is from the run that it repeats.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_DEVIATION_H
#define BN_DEVIATION_H

#include "report.h"

#include <sqlite3.h>

/* What is compared: metrics of the whole run. */
typedef struct BnDeviationOf
{
  const char *metric;
  const char *title, *unit;
  double scale;            /* from the metric to the unit             */
  gboolean relative;       /* its error is relative, else a difference */
} BnDeviationOf;

#define BN_N_DEVIATIONS 10
extern const BnDeviationOf bn_deviations[BN_N_DEVIATIONS];

typedef struct BnDeviation
{
  double observed[BN_N_DEVIATIONS], simulated[BN_N_DEVIATIONS];  /* in the unit; NAN: undefined */
  gint64 n_done_observed, n_done_simulated, n_done_both; /* jobs */
  double placed_alike;     /* share of the tasks done in both that ran on the same worker; NAN */
} BnDeviation;

/* Of two runs of one file. FALSE with `error` set where it cannot be read. */
gboolean bn_deviation_read (sqlite3 *db, gint64 observed, gint64 simulated, BnDeviation *ret, GError **error);

/* The error of number `i`: per cent, or a difference in the unit. NAN: undefined. */
double bn_deviation_error (const BnDeviation *deviation, guint i);

/* One row a number. Returns: (transfer full). */
BnTable *bn_deviation_table (const BnDeviation *deviation);

#endif
