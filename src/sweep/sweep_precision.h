/* sweep_precision.h: a sweep with as many seeds in each cell as a precision asks for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * In rounds: every cell that is not over gets the seeds that it needs next (precision.h), and the
 * next round begins when all of them are there. So which seeds a cell has does not depend on how many
 * units run at a time, and the same command goes the same way through a file that was left half done.
 */
#ifndef BN_SWEEP_PRECISION_H
#define BN_SWEEP_PRECISION_H

#include "pool.h"
#include "precision.h"
#include "sweep.h"

/* `sweep` has room for the seeds of every cell (bn_sweep_make_room), `units` are all of it
 * (bn_sweep_units) and `n_least` are the seeds that each cell has at least; the pool knows of them.
 * *outcome counts all rounds. *reached: by every scheduler in every cell. A line about each goes to
 * `texts` (of char *). FALSE with `error` set as for bn_pool_run. */
gboolean bn_sweep_replicate (BnPool *pool, const BnSweep *sweep, const GPtrArray *units, guint n_least,
                             const BnPrecisionGoal *goal, BnPoolOutcome *outcome, gboolean *reached, GPtrArray *texts,
                             GError **error);

#endif
