/* fit.c: medians, spreads, and the line through what copies took.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "fit.h"

#include <math.h>

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Of sorted samples, between ranks. */
static double
quantile (const GArray *samples, double share)
{
  double at = share * (samples->len - 1);
  guint low = (guint) at, high = MIN (low + 1, samples->len - 1);
  double a = g_array_index (samples, double, low), b = g_array_index (samples, double, high);

  return a + (at - low) * (b - a);
}

double
bn_fit_median (GArray *samples)
{
  g_assert (samples->len > 0);
  g_array_sort (samples, compare);
  return quantile (samples, 0.5);
}

double
bn_fit_spread (GArray *samples)
{
  double median;

  if (samples->len < 4)
    return 0;
  median = bn_fit_median (samples);
  return median > 0 ? (quantile (samples, 0.75) - quantile (samples, 0.25)) / 1.349 / median : 0;
}

/* Weights are 1 / median^2. The normal equations of y = a + b x. */
BnMeasuredCopy
bn_fit_copy (const BnFitPoint *points, guint n)
{
  double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;

  for (guint i = 0; i < n; i++)
    {
      double x = (double) points[i].bytes, y = MAX (points[i].median_ns, 1), w = 1 / (y * y);
      s += w;
      sx += w * x;
      sy += w * y;
      sxx += w * x * x;
      sxy += w * x * y;
    }
  double determinant = s * sxx - sx * sx;
  double slope = determinant > 1e-12 * s * sxx ? (s * sxy - sx * sy) / determinant : 0;
  double latency = (sy - slope * sx) / s;

  if (latency < 0)
    {
      latency = 0;
      slope = sxx > 0 ? sxy / sxx : 0;
    }
  if (!(slope > 0))
    return (BnMeasuredCopy) { bn_round_half_up (sy / s), 0 };
  return (BnMeasuredCopy) { bn_round_half_up (latency), MAX (1, bn_round_half_up (1e9 / slope)) };
}
