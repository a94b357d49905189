/* ranks.h: places in order of size, for what must not heed a few huge values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_RANKS_H
#define BN_RANKS_H

#include <stdint.h>

/* Sets ranks[0 .. n-1] to the places 1 .. n of x, none NAN, in order of size; equal values
 * all have the mean of their places (M. Kendall, "Rank Correlation Methods", 1948).
 * Takes memory of 16 bytes a value for a while. O(n log n). */
void bn_ranks (const double *x, uint64_t n, double *ranks);

#endif
