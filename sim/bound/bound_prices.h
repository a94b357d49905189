/* bound_prices.h: a bound by prices of the cluster's time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only. Let work at time x cost pi (x) >= 0. Any schedule has capacity
 * for so much work only, so what all jobs together pay is at most capacity x integral
 * of pi; hence the sum of weights x latency is at least the sum over jobs of the least
 * of weight x latency + what the job pays, less capacity x integral of pi. The least
 * is over all schedules of that job alone on a cluster without limits: whole tasks,
 * none before its release, none later than the end of the job allows. Any prices give
 * a valid bound; none at all give the bound job by job. (doc/bounds.md)
 *
 * Prices are constant within bins of equal width and 0 after the last.
 */
#ifndef BN_BOUND_PRICES_H
#define BN_BOUND_PRICES_H

#include <glib.h>

#include "bound_block.h"

/* Bounds from below the sum over jobs of weights[job] x latency. Begins with the prices
 * of the fast machine's `stretches` (BnStretch, in order), or with none where those
 * prove less than each job by itself, then changes them `steps` times at most towards
 * what jobs ask for at them.
 * `typical` > 0 is about how long a job takes; ns. */
double bn_bound_by_prices (const BnBoundBlock *block, const BnMachineTypes *types, const double *weights,
                           const GArray *stretches, double typical, uint32_t steps);

#endif
