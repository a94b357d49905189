/* warmup.h: where a run's beginning ends.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * MSER-5: of all truncations, take the one after which the mean of the rest has the least
 * standard error, as if values were independent: the d that makes sum over i >= d of
 * (y[i] - mean of these)^2 / (n - d)^2 least, y being means of 5 values each. (K. P. White,
 * "An effective truncation heuristic for bias reduction in simulation output", Simulation
 * 69(6), 1997; K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five steady-state
 * truncation heuristics for simulation", WSC 2000.)
 *
 * A truncation in the second half says that the run is not long enough to tell, or not
 * in a steady state at all. Limits: it is a heuristic about bias of a mean; a rare burst
 * looks to it like a beginning.
 */
#ifndef BN_WARMUP_H
#define BN_WARMUP_H

#include <stdbool.h>
#include <stdint.h>

#define BN_MSER_BATCH 5u

/* Of x[0 .. n-1] in order of time: sets *n_left_out to how many at the beginning are
 * better left out, a multiple of BN_MSER_BATCH. Returns false where that cannot be told:
 * fewer than 10 batches, or more than half would go. O(n). */
bool bn_warmup_by_mser5 (const double *x, uint64_t n, uint64_t *n_left_out);

#endif
