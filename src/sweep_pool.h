/* sweep_pool.h: runs the cells of a sweep, several at a time, into one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each cell is a process (sweep_cell.h); this one only starts them and takes their
 * results in. What the file says does not depend on how many run at a time. SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT end it with what was done so far; cells under way are
 * lost. A second one ends it without waiting for them.
 */
#ifndef BN_SWEEP_POOL_H
#define BN_SWEEP_POOL_H

#include "results.h"
#include "sweep.h"

typedef struct BnSweepPool
{
  guint n_processes;     /* at a time, >= 1                            */
  gboolean progress;     /* a line on standard error                   */
} BnSweepPool;

typedef struct BnSweepOutcome
{
  guint n_done, n_failed, n_found;   /* cells; found: done, with something bad in them */
  gboolean interrupted;
} BnSweepOutcome;

/* Remarks of a cell and the reason of one that failed go to standard error, with the
 * cell's name. FALSE with `error` set where the results file or a folder beside it
 * cannot be written or no process be started; *outcome is filled in either case. */
gboolean bn_sweep_pool_run (const BnSweepPool *pool, const BnSweep *sweep, BnResults *results, const char *path,
                            BnSweepOutcome *outcome, GError **error);

#endif
