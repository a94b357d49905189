/* fit.h: medians, spreads, and the line through what copies took.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_FIT_H
#define BN_FIT_H

#include <glib.h>

#include "measured.h"

/* Samples in nanoseconds (element-type double). Sorted in place. */
double bn_fit_median (GArray *samples);

/* Spread / median, from the quartiles: (q75 - q25) / 1.349 / median, which for a normal distribution is
 * its coefficient of variation and which a few disturbed samples do not move. 0 for less than 4. */
double bn_fit_spread (GArray *samples);

/* What copies of one size took. */
typedef struct BnFitPoint
{
  int64_t bytes;
  guint n;             /* samples              */
  double median_ns;
} BnFitPoint;

/* latency + bytes / rate by least squares of relative errors, neither below 0: so that small copies
 * count as much as large ones. n >= 1; where sizes or times do not rise, the latency alone. */
BnMeasuredCopy bn_fit_copy (const BnFitPoint *points, guint n);

#endif
