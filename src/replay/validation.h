/* validation.h: how far simulations are from the real runs that they repeat, over several repeats.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_VALIDATION_H
#define BN_VALIDATION_H

#include "deviation.h"

/* One scheduler. */
typedef struct BnValidated
{
  char *variant;
  GArray *repeats;       /* of BnDeviation               */
  GArray *steals;        /* of double, of the real runs; NAN: unknown */
} BnValidated;

/* Reads every pair of a run and its replay (runs.replay_of) of a results file. Returns: (transfer
 * full) (element-type BnValidated), in order of the first run, or NULL with `error` set. */
GPtrArray *bn_validation_read (sqlite3 *db, GError **error);

/* A number over the repeats: the mean of the real side with the half-width of its 95 % interval (Student's t;
 * NAN for one repeat), and the mean of the simulated side. */
typedef struct BnValidatedValue
{
  double observed, half_width, simulated;
  double error;          /* as bn_deviation_error, of the means                        */
  guint n_undefined;     /* repeats in which a side has no such number: then all of these are NAN */
  gboolean has_target;   /* mean latency 5 %, p95 10 %, hit rate 1 point, each or within the interval; not
                            where no repeat has such a number                            */
  gboolean met;          /* FALSE where some repeat has none                             */
} BnValidatedValue;

BnValidatedValue bn_validation_value (const BnValidated *validated, guint i);

/* Whether schedulers have the same order of mean latency in both worlds wherever the real intervals do not
 * overlap: pairs of which that can be said, and those that agree. */
void bn_validation_ranking (const GPtrArray *validated, guint *n_pairs, guint *n_alike);

/* Whether every target is met and every order kept. */
gboolean bn_validation_holds (const GPtrArray *validated);

/* Rows by scheduler and number. Returns: (transfer full). */
BnTable *bn_validation_table (const GPtrArray *validated);

#endif
