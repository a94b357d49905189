/* bootstrap.c: more sequences like the one that was seen.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "bootstrap.h"

#include <math.h>

#include "fmath.h"
#include "panic.h"

#define LEAST_VALUES 8

/* Correlations in a row that must be no more than chance makes them. The paper has max (5,
 * sqrt (log10 n)), which is 5 for all that fits into memory. */
#define QUIET_RUN 5
#define INVERSE_LN10 0.43429448190325182765

/* Covariance of values `lag` apart, with n in the denominator. */
static double
covariance (const double *x, uint64_t n, double mean, uint64_t lag)
{
  double sum = 0;

  for (uint64_t i = lag; i < n; i++)
    sum += (x[i] - mean) * (x[i - lag] - mean);
  return sum / (double) n;
}

/* The first m >= 1 after which QUIET_RUN correlations are below 2 sqrt (log10 n / n) in
 * size; none: `most`. */
static uint64_t
last_lag_that_counts (const double *x, uint64_t n, double mean, uint64_t most)
{
  double size = (double) n, limit = 2 * sqrt (bn_log (size) * INVERSE_LN10 / size);
  double variance = covariance (x, n, mean, 0);
  uint64_t quiet = 0;

  for (uint64_t lag = 1; lag <= most + QUIET_RUN && lag < n; lag++)
    {
      quiet = fabs (covariance (x, n, mean, lag)) <= limit * variance ? quiet + 1 : 0;
      if (quiet == QUIET_RUN)
        return lag > QUIET_RUN + 1 ? lag - QUIET_RUN : 1;
    }
  return most;
}

/* Flat up to 1/2, then falling to 0 at 1: weights of correlations. */
static double
flat_top (double t)
{
  return t <= 0.5 ? 1 : t <= 1 ? 2 * (1 - t) : 0;
}

double
bn_bootstrap_block_length (const double *x, uint64_t n)
{
  double size = (double) n, mean = 0;

  if (n < LEAST_VALUES)
    return 1;
  for (uint64_t i = 0; i < n; i++)
    mean += x[i] / size;
  double variance = covariance (x, n, mean, 0);
  if (!(variance > 0))
    return 1;
  uint64_t most = (uint64_t) ceil (sqrt (size)) + QUIET_RUN;
  uint64_t lags = 2 * last_lag_that_counts (x, n, mean, most);
  lags = lags < most ? lags : most;
  double g = 0, spectrum = variance;
  for (uint64_t lag = 1; lag <= lags && lag < n; lag++)
    {
      double weighted = 2 * flat_top ((double) lag / (double) lags) * covariance (x, n, mean, lag);
      g += weighted * (double) lag;
      spectrum += weighted;
    }
  double cube = spectrum > 0 ? g / spectrum * (g / spectrum) * size : 0;
  double length = cube > 0 ? bn_exp (bn_log (cube) / 3) : 1;
  return fmax (1, fmin (length, fmin (ceil (3 * sqrt (size)), ceil (size / 3))));
}

BnBootstrap
bn_bootstrap (uint64_t n, double mean_length)
{
  BN_ASSERT (n >= 1 && mean_length >= 1);
  return (BnBootstrap){ .n = n, .mean_length = mean_length };
}

uint64_t
bn_bootstrap_next (BnBootstrap *bootstrap, BnRng *rng)
{
  BnBootstrap *b = bootstrap;

  if (!b->begun || bn_rng_uniform (rng) * b->mean_length < 1)
    b->at = bn_rng_below (rng, b->n);
  else
    b->at = b->at + 1 < b->n ? b->at + 1 : 0;
  b->begun = true;
  return b->at;
}
