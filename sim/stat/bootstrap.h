/* bootstrap.h: more sequences like the one that was seen.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A sequence is cut into blocks and put together again from blocks drawn with
 * replacement, so that what hangs together within a block still does (H. R. Kuensch,
 * "The jackknife and the bootstrap for general stationary observations", Ann. Stat.
 * 17(3), 1989). Here blocks begin anywhere, have geometric lengths and go on at the
 * beginning where the sequence ends, which makes what comes out stationary: the
 * stationary bootstrap (D. N. Politis, J. P. Romano, JASA 89(428), 1994).
 *
 * Limits: what reaches further than a block is lost, such as a daily rhythm in blocks of
 * seconds; and nothing comes out that did not go in: a burst that the trace does not hold
 * is in no resample.
 */
#ifndef BN_BOOTSTRAP_H
#define BN_BOOTSTRAP_H

#include "rng.h"

/* The mean block length for x[0 .. n-1], >= 1: by D. N. Politis and H. White, "Automatic
 * block-length selection for the dependent bootstrap", Econometric Reviews 23(1), 2004, as
 * corrected by A. Patton, D. N. Politis and H. White (28(4), 2009), for the stationary
 * bootstrap: (n G^2 / g^2)^(1/3), g the spectral density at 0 and G = sum |lag| covariance,
 * at most min (3 sqrt n, n / 3). 1 where n < 8 or nothing varies. O(n^1.5) at worst. */
double bn_bootstrap_block_length (const double *x, uint64_t n);

/* Where the stationary bootstrap is. */
typedef struct BnBootstrap
{
  uint64_t n;            /* of the sequence                        */
  double mean_length;    /* of blocks, >= 1                        */
  uint64_t at;           /* index that was given last              */
  bool begun;
} BnBootstrap;

/* n >= 1. */
BnBootstrap bn_bootstrap (uint64_t n, double mean_length);

/* The index, below n, of the next value: that after the last one, or with probability
 * 1 / mean_length any. */
uint64_t bn_bootstrap_next (BnBootstrap *bootstrap, BnRng *rng);

#endif
