/* warmup.c: where a run's beginning ends.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "warmup.h"

#include <math.h>

#define LEAST_BATCHES 10

static double
batch_mean (const double *x, uint64_t batch)
{
  double sum = 0;

  for (uint64_t i = 0; i < BN_MSER_BATCH; i++)
    sum += x[batch * BN_MSER_BATCH + i];
  return sum / BN_MSER_BATCH;
}

/* From the end to the beginning, so that each batch is taken in once: mean and squares
 * about it by B. P. Welford's recurrence (Technometrics 4(3), 1962). The last batches
 * alone have hardly any variance by chance, so truncations that leave fewer than
 * LEAST_BATCHES / 2 are no candidates. */
bool
bn_warmup_by_mser5 (const double *x, uint64_t n, uint64_t *n_left_out)
{
  uint64_t n_batches = n / BN_MSER_BATCH, best = 0;
  double mean = 0, squares = 0, least = INFINITY;

  *n_left_out = 0;
  if (n_batches < LEAST_BATCHES)
    return false;
  for (uint64_t d = n_batches; d-- > 0;)
    {
      double size = (double) (n_batches - d), y = batch_mean (x, d), step = y - mean;

      mean += step / size;
      squares += step * (y - mean);
      if (size >= LEAST_BATCHES / 2 && squares / (size * size) <= least)
        {
          least = squares / (size * size);
          best = d;
        }
    }
  *n_left_out = best * BN_MSER_BATCH;
  return best <= n_batches / 2;
}
