/* stability.c: is this run in equilibrium, or does the queue just grow?
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "stability.h"

#include <math.h>

#include <glib.h>

#include "distribution.h"

const char *
bn_label_name (BnLabel label)
{
  static const char *const names[] = {
    [BN_LABEL_UNKNOWN] = "UNKNOWN",
    [BN_LABEL_STABLE] = "STABLE",
    [BN_LABEL_BACKLOGGED] = "BACKLOGGED",
    [BN_LABEL_OVERLOADED] = "OVERLOADED",
  };

  return names[label];
}

bool
bn_label_is_unstable (const char *name)
{
  return g_strcmp0 (name, bn_label_name (BN_LABEL_BACKLOGGED)) == 0
         || g_strcmp0 (name, bn_label_name (BN_LABEL_OVERLOADED)) == 0;
}

/* Values are taken from y[0], so that equal values give exactly 0 and 0. */
void
bn_least_squares (const double *y, uint32_t n, double *slope, double *standard_error)
{
  double middle = (n - 1) / 2.0, mean = 0, sxx = 0, sxy = 0, residuals = 0;

  g_assert (n >= 3);
  for (uint32_t i = 0; i < n; i++)
    mean += y[i] - y[0];
  mean /= n;
  for (uint32_t i = 0; i < n; i++)
    {
      double x = i - middle;
      sxx += x * x;
      sxy += x * (y[i] - y[0] - mean);
    }
  *slope = sxy / sxx;
  for (uint32_t i = 0; i < n; i++)
    {
      double r = y[i] - y[0] - mean - *slope * (i - middle);
      residuals += r * r;
    }
  *standard_error = sqrt (residuals / (n - 2) / sxx);
}

double
bn_residual_correlation (const double *y, uint32_t n, double slope)
{
  double middle = (n - 1) / 2.0, mean = 0, squares = 0, products = 0, before = 0;

  for (uint32_t i = 0; i < n; i++)
    mean += (y[i] - y[0]) / n;
  for (uint32_t i = 0; i < n; i++)
    {
      double r = y[i] - y[0] - mean - slope * (i - middle);
      squares += r * r;
      products += i > 0 ? before * r : 0;
      before = r;
    }
  return squares > 0 ? products / squares : 0;
}

/* Half the width of the slope's 95 % interval. Batches that hang together count
 * as fewer: n (1 - r) / (1 + r) of them, r being the correlation of neighbouring
 * residuals where it is positive. (B. D. Santer et al., "Statistical significance
 * of trends and trend differences", J. Geophys. Res. 105(D6), 2000.) Never fewer
 * than 6: with less the interval holds everything, a queue that grows to the end
 * included, whose residuals are a random walk. */
static double
half_width (const double *y, uint32_t n, double slope, double standard_error)
{
  double r = MAX (bn_residual_correlation (y, n, slope), 0);
  double effective = MAX (n * (1 - r) / (1 + r), 6);

  return standard_error * sqrt ((n - 2) / (effective - 2)) * bn_student_quantile (0.975, (uint32_t) effective - 2);
}

/* The slope over the second half of the arrivals, in batches of whole bins; bins
 * at its beginning that fill no batch are left out. */
static void
measure_slope (const BnStabilityInput *input, BnStability *result)
{
  const BnBacklog *b = input->backlog;
  BnTime half = input->last_arrival_ns / 2;
  int64_t first = (half + b->width_ns - 1) / b->width_ns;
  int64_t end = MIN (input->last_arrival_ns / b->width_ns, (int64_t) bn_backlog_n_bins (b));
  int64_t per_batch = (end - first) / BN_STABILITY_BATCHES;
  double y[BN_STABILITY_BATCHES], slope, standard_error, batches_per_s;

  if (per_batch < 1
      || bn_backlog_arrivals_between (b, half, input->last_arrival_ns) < BN_STABILITY_MIN_ARRIVALS)
    return;
  first = end - per_batch * BN_STABILITY_BATCHES;
  for (uint32_t i = 0; i < BN_STABILITY_BATCHES; i++)
    y[i] = bn_backlog_mean_between (b, (first + i * per_batch) * b->width_ns,
                                    (first + (i + 1) * per_batch) * b->width_ns);
  bn_least_squares (y, BN_STABILITY_BATCHES, &slope, &standard_error);
  double half_slope = half_width (y, BN_STABILITY_BATCHES, slope, standard_error);
  batches_per_s = 1e9 / ((double) per_batch * (double) b->width_ns);
  result->has_slope = true;
  result->slope_per_s = slope * batches_per_s;
  result->low_per_s = (slope - half_slope) * batches_per_s;
  result->high_per_s = (slope + half_slope) * batches_per_s;
}

BnStability
bn_stability_judge (const BnStabilityInput *input)
{
  BnStability result = { .label = BN_LABEL_UNKNOWN };

  measure_slope (input, &result);
  if (input->offered_load > 1)
    result.label = BN_LABEL_OVERLOADED;
  else if (!input->complete || !result.has_slope)
    result.label = BN_LABEL_UNKNOWN;
  else if (result.low_per_s <= 0 && result.high_per_s >= 0)
    result.label = BN_LABEL_STABLE;
  else if (result.high_per_s < 0)
    result.label = BN_LABEL_BACKLOGGED;
  else
    {
      double before = bn_backlog_mean_between (input->backlog, 0, input->last_arrival_ns / 2);
      result.label = (double) input->live_at_last_arrival <= before ? BN_LABEL_BACKLOGGED : BN_LABEL_OVERLOADED;
    }
  return result;
}
