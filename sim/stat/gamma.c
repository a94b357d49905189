/* gamma.c: the gamma distribution and how it hangs together with the normal one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "gamma.h"

#include <math.h>

#include "distribution.h"
#include "fmath.h"
#include "panic.h"

#define HALF_LOG_2PI 0x1.d67f1c864beb5p-1

/* Where Stirling's series with the terms below has all digits. */
#define STIRLING_FROM 16.0

/* x below it is as small that only the first term of the series counts: x^2 is lost beside 1. */
#define LOG_TINY -80.0

/* Stirling's series at x + n, and back by Gamma (x + 1) = x Gamma (x). */
double
bn_log_gamma (double x)
{
  double product = 1;

  BN_ASSERT (x > 0);
  for (; x < STIRLING_FROM; x++)
    product *= x;
  double z = 1 / (x * x), series = 1.0 / 156;
  series = -691.0 / 360360 + z * series;
  series = 1.0 / 1188 + z * series;
  series = -1.0 / 1680 + z * series;
  series = 1.0 / 1260 + z * series;
  series = -1.0 / 360 + z * series;
  series = 1.0 / 12 + z * series;
  return (x - 0.5) * bn_log (x) - x + HALF_LOG_2PI + series / x - bn_log (product);
}

/* ln (1 - e^x), x < 0, where e^x is not near 1. */
static double
log_rest (double x)
{
  return bn_log (1 - bn_exp (x));
}

/* 1 + x / (shape + 1) + x^2 / ((shape + 1) (shape + 2)) + … */
static double
log_series (double shape, double x)
{
  double term = 1, sum = 0;

  for (int n = 1; sum + term != sum; n++)
    {
      sum += term;
      term *= x / (shape + n);
    }
  return bn_log (sum);
}

/* The fraction of DLMF 8.9.2 in the form whose terms are x + 2n + 1 - shape and n (shape - n), from its end: from
 * x = shape + 1 on that many terms are enough for 16 digits. */
static double
log_fraction (double shape, double x)
{
  int n_terms = 40 + (int) (3 * sqrt (shape));
  double below = x + 2 * n_terms + 1 - shape;

  for (int n = n_terms; n >= 1; n--)
    below = x + 2 * n - 1 - shape + n * (shape - n) / below;
  return -bn_log (below);
}

/* The series serves below the mean and the fraction above: where the other tail is asked for it is what is
 * left, which is no small difference but for tails that are not asked for. */
static bool
is_low (double shape, double log_x)
{
  return log_x < bn_log (shape + 1);
}

double
bn_gamma_log_below (double shape, double log_x)
{
  BN_ASSERT (shape > 0);
  if (!is_low (shape, log_x))
    return log_rest (bn_gamma_log_above (shape, log_x));
  double x = bn_exp (log_x), front = shape * log_x - bn_log_gamma (shape + 1);
  return log_x < LOG_TINY ? front : front - x + log_series (shape, x);
}

double
bn_gamma_log_above (double shape, double log_x)
{
  BN_ASSERT (shape > 0);
  if (is_low (shape, log_x))
    return log_rest (bn_gamma_log_below (shape, log_x));
  double x = bn_exp (log_x);
  return shape * log_x - x - bn_log_gamma (shape) + log_fraction (shape, x);
}

/* Where to begin the search, for z < 0 no further right than the first of these, which is a bound as e^-t <= 1:
 * P (X <= x) <= x^shape / Gamma (shape + 1); for z >= 0 and shapes below 1 at that of an exponential, which is
 * greater; else near: at E. B. Wilson and M. M. Hilferty's cube of a normal (PNAS 17, 1931). */
static double
first_guess (double shape, double z, double log_tail)
{
  double cube_root = 1 - 1 / (9 * shape) + z / (3 * sqrt (shape));
  double near = shape >= 1 && cube_root > 0 ? bn_log (shape) + 3 * bn_log (cube_root) : -INFINITY;

  if (z < 0)
    return fmax (near, (log_tail + bn_log_gamma (shape + 1)) / shape);
  return shape >= 1 ? near : bn_log (-log_tail);
}

/* Newton's method in ln x. Either tail's logarithm is concave there, so from the second step on it comes towards the
 * answer from the side where that tail is the smaller and never goes beyond: it has arrived when it goes on no more. */
double
bn_gamma_log_point (double shape, double z)
{
  BN_ASSERT (shape > 0 && fabs (z) <= 37);
  double side = z < 0 ? 1 : -1, log_tail = bn_log (bn_normal_tail (fabs (z))), log_gamma = bn_log_gamma (shape);
  double at = first_guess (shape, z, log_tail);

  for (int n = 0;; n++)
    {
      double tail = z < 0 ? bn_gamma_log_below (shape, at) : bn_gamma_log_above (shape, at);
      double slope = bn_exp (shape * at - bn_exp (at) - log_gamma - tail);
      double next = at + side * (log_tail - tail) / slope;
      if (n > 0 && side * (next - at) <= 0)
        return at;
      at = next;
    }
}
