/* batch_means.c: what one long run says of its steady state.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "batch_means.h"

#include <math.h>

#include "distribution.h"

#define TEST_LEVEL 0.10

/* Correlation of neighbours, 1 - (mean square successive difference) / (2 variance) but
 * for the values at the ends: von Neumann's ratio moved to 0. 0 where nothing varies. */
static double
neighbour_correlation (const double *y, uint32_t n)
{
  double mean = 0, squares = 0, steps = 0;

  for (uint32_t i = 0; i < n; i++)
    mean += (y[i] - y[0]) / n;
  for (uint32_t i = 0; i < n; i++)
    {
      double d = y[i] - y[0] - mean;
      squares += d * d;
      if (i > 0)
        steps += (y[i] - y[i - 1]) * (y[i] - y[i - 1]);
    }
  return squares > 0 ? 1 - steps / (2 * squares) : 0;
}

/* Of n independent normal values that is about normal with variance (n - 2) / (n^2 - 1). */
static bool
are_independent (double correlation, uint32_t n)
{
  double size = n, deviation = sqrt ((size - 2) / (size * size - 1));

  return correlation <= bn_normal_quantile (1 - TEST_LEVEL) * deviation;
}

static void
pair_up (double *y, uint32_t n)
{
  for (uint32_t i = 0; i < n / 2; i++)
    y[i] = (y[2 * i] + y[2 * i + 1]) / 2;
}

BnBatchMeans
bn_batch_means (const double *x, uint64_t n, double confidence)
{
  BnBatchMeans result = { .interval = bn_interval_of_mean (x, 0, confidence) };
  double y[BN_BATCHES_MOST] = { 0 };
  uint32_t n_batches = BN_BATCHES_MOST;

  result.batch_size = n / n_batches;
  if (result.batch_size == 0)
    return result;
  const double *first = x + (n - result.batch_size * n_batches);
  for (uint32_t i = 0; i < n_batches; i++)
    for (uint64_t k = 0; k < result.batch_size; k++)
      y[i] += first[i * result.batch_size + k] / (double) result.batch_size;
  double correlation = neighbour_correlation (y, n_batches);
  for (; !are_independent (correlation, n_batches) && n_batches > BN_BATCHES_LEAST;
       correlation = neighbour_correlation (y, n_batches))
    {
      pair_up (y, n_batches);
      n_batches /= 2;
      result.batch_size *= 2;
    }
  result.independent = are_independent (correlation, n_batches);
  double r = result.independent ? 0 : fmin (correlation, 0.99);
  result.interval = bn_interval_of_mean (y, n_batches, confidence);
  result.interval.half_width *= sqrt ((1 + r) / (1 - r));
  result.interval.low = result.interval.mean - result.interval.half_width;
  result.interval.high = result.interval.mean + result.interval.half_width;
  return result;
}
