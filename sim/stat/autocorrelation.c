/* autocorrelation.c: how the values of a sequence hang together, in one pass over it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "autocorrelation.h"

#include <glib.h>
#include <math.h>

/* All values are taken from the first one, so that sums of nearly equal ones lose no digits. */
struct BnAutocorrelation
{
  uint32_t n_lags;
  uint32_t *lags;      /* [n_lags]                                        */
  double *products;    /* [n_lags]: sums of x(i) x(i - lag)               */
  double *heads;       /* [n_lags]: sums of the first `lag` values        */
  uint32_t n_ring;     /* the longest lag                                 */
  double *ring;        /* [n_ring]: value i is in place i % n_ring        */
  uint64_t n;
  double first, sum, squares;
};

BnAutocorrelation *
bn_autocorrelation_new (const uint32_t *lags, uint32_t n_lags)
{
  g_assert (n_lags > 0);
  BnAutocorrelation *a = g_new0 (BnAutocorrelation, 1);

  a->n_lags = n_lags;
  a->lags = g_memdup2 (lags, n_lags * sizeof *lags);
  a->products = g_new0 (double, n_lags);
  a->heads = g_new0 (double, n_lags);
  a->n_ring = lags[n_lags - 1];
  a->ring = g_new0 (double, a->n_ring);
  return a;
}

void
bn_autocorrelation_free (BnAutocorrelation *a)
{
  if (a == NULL)
    return;
  g_free (a->lags);
  g_free (a->products);
  g_free (a->heads);
  g_free (a->ring);
  g_free (a);
}

void
bn_autocorrelation_add (BnAutocorrelation *a, double x)
{
  if (a->n == 0)
    a->first = x;
  double value = x - a->first;
  for (uint32_t i = 0; i < a->n_lags; i++)
    if (a->n >= a->lags[i])
      a->products[i] += value * a->ring[(a->n - a->lags[i]) % a->n_ring];
    else
      a->heads[i] += value;
  a->ring[a->n++ % a->n_ring] = value;
  a->sum += value;
  a->squares += value * value;
}

double
bn_autocorrelation_at (const BnAutocorrelation *a, uint32_t i)
{
  g_assert (i < a->n_lags);
  uint64_t lag = a->lags[i];
  double n = (double) a->n, mean = a->sum / n, variance = a->squares - mean * a->sum, tail = 0;

  if (a->n <= lag || !(variance > 0))
    return NAN;
  for (uint64_t k = 1; k <= lag; k++)
    tail += a->ring[(a->n - k) % a->n_ring];
  /* each factor is off by the mean: two sums, over all but the first and all but the last */
  double sums = (a->sum - a->heads[i]) + (a->sum - tail);
  return (a->products[i] - mean * sums + (n - (double) lag) * mean * mean) / variance;
}
