/* batch_means.h: what one long run says of its steady state.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Values that follow each other in a run hang together, so their own variance tells
 * little of that of their mean. Means of long batches hardly do. There are 32 batches at
 * first: more than 30 narrow the interval by next to nothing and cost batch length (B.
 * Schmeiser, "Batch size effects in the analysis of simulation output", Operations
 * Research 30(3), 1982). Where J. von Neumann's ratio ("Distribution of the ratio of the
 * mean square successive difference to the variance", Ann. Math. Stat. 12(4), 1941) says
 * at the one-sided 10 % level that neighbouring batch means still hang together, two
 * batches become one, until it does not or 8 are left; so G. S. Fishman ("Grouping
 * observations in digital simulation", Management Science 24(5), 1978), who begins with
 * batches of one. Where 8 still do, their correlation r widens the interval by
 * sqrt ((1 + r) / (1 - r)), as if batch means were an autoregressive sequence of first order.
 *
 * Limits: with batches not much longer than the memory of the run the test has little
 * power and the interval is too narrow. doc/statistics.md has measured coverage, and the
 * length that a load needs.
 */
#ifndef BN_BATCH_MEANS_H
#define BN_BATCH_MEANS_H

#include <stdbool.h>
#include <stdint.h>

#include "interval.h"

#define BN_BATCHES_MOST 32u
#define BN_BATCHES_LEAST 8u

typedef struct BnBatchMeans
{
  BnInterval interval;   /* of the mean over the run; n: batches           */
  uint64_t batch_size;   /* values; up to 31 at the beginning are left out */
  bool independent;      /* as far as von Neumann's ratio tells            */
} BnBatchMeans;

/* Of x[0 .. n-1] in the order in which they happened. With n < BN_BATCHES_MOST no
 * interval, and not independent. */
BnBatchMeans bn_batch_means (const double *x, uint64_t n, double confidence);

#endif
