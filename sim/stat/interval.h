/* interval.h: what replications say: means, differences and ratios with their intervals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A replication is one independent run; its values are one observation. All intervals
 * are Student's: exact where observations are independent and normal, and nearly so
 * where each is a mean over a long run. `confidence` is that of a two-sided interval,
 * above 0 and below 1, as 0.95; values are finite; less than two give no interval, that
 * is NAN. All are O(n), and the same bits on every machine.
 */
#ifndef BN_INTERVAL_H
#define BN_INTERVAL_H

#include <stdint.h>

typedef struct BnInterval
{
  uint32_t n;          /* observations                                      */
  double mean;         /* NAN for n = 0                                     */
  double half_width;   /* NAN for n < 2; of a ratio: NAN, where it has two  */
  double low, high;    /* NAN for n < 2                                     */
} BnInterval;

#define BN_CONFIDENCE 0.95

/* The mean of x[0 .. n-1]: mean ± t s / sqrt n, t of n - 1 degrees of freedom.
 * One-sided at confidence c: the end of the two-sided one at 2 c - 1.
 * (A. M. Law, "Simulation Modeling and Analysis", 5th ed., 2015, 9.4.1.) */
BnInterval bn_interval_of_mean (const double *x, uint32_t n, double confidence);

/* The mean of a[i] - b[i], observations of two systems on the same random numbers.
 * (Law, 10.2.1, the paired-t interval.) */
BnInterval bn_interval_of_difference (const double *a, const double *b, uint32_t n, double confidence);

/* mean (a) / mean (b) of the same observations, so what a table of means shows: the
 * ratio estimator, r ± t sqrt (sum (a[i] - r b[i])^2 / (n - 1) / n) / mean (b). NAN where
 * mean (b) is not above 0. The interval is first order in 1/n; its coverage on few
 * observations is measured in tests/test_stat.c.
 * (W. G. Cochran, "Sampling Techniques", 3rd ed., 1977, 6.3 and 6.4.) */
BnInterval bn_interval_of_ratio (const double *a, const double *b, uint32_t n, double confidence);

/* The geometric mean of ratio[i] > 0, so that twice and half make one: exp of the
 * interval of the mean of the logarithms; the half-width is NAN, as it has two. */
BnInterval bn_interval_of_geometric_mean (const double *ratio, uint32_t n, double confidence);

#endif
