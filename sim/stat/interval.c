/* interval.c: what replications say: means, differences and ratios with their intervals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "interval.h"

#include <math.h>
#include <stdbool.h>

#include "distribution.h"
#include "fmath.h"
#include "panic.h"

/* What a mean is taken of: x[i], or a[i] - factor b[i], or log x[i]. */
typedef struct Observations
{
  const double *a, *b;   /* b: or NULL */
  double factor;
  bool logarithms;
} Observations;

static double
value_of (const Observations *o, uint32_t i)
{
  if (o->logarithms)
    return bn_log (o->a[i]);
  return o->b != NULL ? o->a[i] - o->factor * o->b[i] : o->a[i];
}

/* Deviations are from the first value, so that equal ones have none at all. */
static BnInterval
interval_of (const Observations *o, uint32_t n, double confidence)
{
  BnInterval result = { n, NAN, NAN, NAN, NAN };
  double sum = 0, squares = 0;

  BN_ASSERT (confidence > 0 && confidence < 1);
  if (n == 0)
    return result;
  double first = value_of (o, 0);
  for (uint32_t i = 0; i < n; i++)
    sum += value_of (o, i) - first;
  result.mean = first + sum / n;
  if (n == 1)
    return result;
  for (uint32_t i = 0; i < n; i++)
    {
      double d = value_of (o, i) - first - sum / n;
      squares += d * d;
    }
  result.half_width = bn_student_quantile (0.5 + confidence / 2, n - 1) * sqrt (squares / (n - 1) / n);
  result.low = result.mean - result.half_width;
  result.high = result.mean + result.half_width;
  return result;
}

BnInterval
bn_interval_of_mean (const double *x, uint32_t n, double confidence)
{
  return interval_of (&(Observations){ .a = x }, n, confidence);
}

BnInterval
bn_interval_of_difference (const double *a, const double *b, uint32_t n, double confidence)
{
  return interval_of (&(Observations){ a, b, 1, false }, n, confidence);
}

BnInterval
bn_interval_of_ratio (const double *a, const double *b, uint32_t n, double confidence)
{
  BnInterval above = bn_interval_of_mean (a, n, confidence), below = bn_interval_of_mean (b, n, confidence);

  if (n == 0 || below.mean <= 0)
    return (BnInterval){ n, NAN, NAN, NAN, NAN };
  double ratio = above.mean / below.mean;
  BnInterval rest = interval_of (&(Observations){ a, b, ratio, false }, n, confidence);
  double half = rest.half_width / below.mean;
  return (BnInterval){ n, ratio, half, ratio - half, ratio + half };
}

BnInterval
bn_interval_of_geometric_mean (const double *ratio, uint32_t n, double confidence)
{
  BnInterval logs = interval_of (&(Observations){ .a = ratio, .logarithms = true }, n, confidence);

  return (BnInterval){ n, bn_exp (logs.mean), NAN, bn_exp (logs.low), bn_exp (logs.high) };
}
