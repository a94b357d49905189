/* distribution.c: the normal distribution and Student's t.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "distribution.h"

#include <math.h>

#include "fmath.h"
#include "panic.h"

#define INVERSE_SQRT_2PI 0x1.9884533d43651p-2
#define INVERSE_SQRT_PI 0x1.20dd750429b6dp-1

/* Where the two ways to the normal distribution change places: the series loses
 * digits above, the fraction needs many terms below. */
#define NORMAL_FAR 3.0

/* Terms of the normal's continued fraction: enough for 16 digits from NORMAL_FAR on. */
#define NORMAL_TERMS 100

/* ---- normal ---- */

static double
normal_density (double x)
{
  return INVERSE_SQRT_2PI * bn_exp (-0.5 * x * x);
}

/* P (0 < Z < x), 0 <= x <= NORMAL_FAR: density times x + x^3/3 + x^5/15 + … (26.2.11). */
static double
normal_near (double x)
{
  double term = x, sum = 0;

  for (int n = 1; sum + term != sum; n++)
    {
      sum += term;
      term *= x * x / (2 * n + 1);
    }
  return normal_density (x) * sum;
}

/* P (Z > x), x >= NORMAL_FAR: density / (x + 1 / (x + 2 / (x + 3 / (x + …)))) (26.2.14). */
static double
normal_far (double x)
{
  double below = x;

  for (int n = NORMAL_TERMS; n >= 1; n--)
    below = x + n / below;
  return normal_density (x) / below;
}

double
bn_normal_tail (double x)
{
  double far = fabs (x), tail = far < NORMAL_FAR ? 0.5 - normal_near (far) : normal_far (far);

  return x < 0 ? 1 - tail : tail;
}

/* ---- Student's t ---- */

/* Degrees of freedom above which Student's t is a normal with corrections. */
#define NEARLY_NORMAL 1000.0

/* log (1 + z), z >= 0, without losing what 1 + z rounds away. (W. Kahan's device: the
 * error of log u and that of u - 1 cancel.) */
static double
log_one_plus (double z)
{
  double u = 1 + z;

  return u == 1 ? z : bn_log (u) * (z / (u - 1));
}

/* Gamma (a + 1/2) / Gamma (a), a >= 1/2: the asymptotic series of the ratio (DLMF
 * 5.11.13) at a + n >= 32, where what is left out is below 1e-16, and back by
 * Gamma (x + 1) = x Gamma (x). */
static double
gamma_ratio (double a)
{
  double back = 1;

  for (; a < 32; a++)
    back *= a / (a + 0.5);
  double z = 1 / a;
  double series = 39325.0 / 33554432;
  series = 869.0 / 4194304 + z * series;
  series = -399.0 / 262144 + z * series;
  series = -21.0 / 32768 + z * series;
  series = 5.0 / 1024 + z * series;
  series = 1.0 / 128 + z * series;
  series = -1.0 / 8 + z * series;
  return back * sqrt (a) * (1 + z * series);
}

/* A denominator that is not quite 0. */
static double
nonzero (double x)
{
  return fabs (x) < 1e-300 ? 1e-300 : x;
}

/* The fraction of DLMF 8.17.22, for x < (a + 1) / (a + b + 2), where it converges fast:
 * as long as a pair of terms changes more than the last bits. */
static double
beta_fraction (double a, double b, double x)
{
  double c = 1, d = 1 / nonzero (1 - (a + b) * x / (a + 1)), value = d, factor = 0;

  for (int m = 1; fabs (factor - 1) > 4e-16; m++)
    {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

      d = 1 / nonzero (1 + even * d);
      c = nonzero (1 + even / c);
      value *= d * c;
      d = 1 / nonzero (1 + odd * d);
      c = nonzero (1 + odd / c);
      factor = d * c;
      value *= factor;
    }
  return value;
}

static double
student_density (double t, double degrees)
{
  return gamma_ratio (degrees / 2) * INVERSE_SQRT_PI / sqrt (degrees)
         * bn_exp (-0.5 * (degrees + 1) * log_one_plus (t * t / degrees));
}

/* The normal point that has as much above it as t >= 0 (Hill). What is left out is of
 * order 48^-3 degrees^-6. */
static double
normal_equivalent (double t, double degrees)
{
  double a = degrees - 0.5, b = 48 * a * a, square = a * log_one_plus (t * t / degrees);
  double second = ((4 * square + 33) * square + 240) * square + 855;

  return sqrt (square) * (1 + (square + 3 - second / (10 * b)) / b);
}

/* With x = degrees / (degrees + t^2), a = degrees / 2: P (T > t) = I_x (a, 1/2) / 2, t >= 0. */
double
bn_student_tail (double t, double degrees)
{
  BN_ASSERT (degrees >= 1);
  if (degrees > NEARLY_NORMAL)
    return bn_normal_tail (t < 0 ? -normal_equivalent (-t, degrees) : normal_equivalent (t, degrees));
  double a = degrees / 2, z = t * t / degrees, x = 1 / (1 + z), y = z / (1 + z), tail;

  /* x^a y^(1/2) / B (a, 1/2) */
  double front = gamma_ratio (a) * INVERSE_SQRT_PI * bn_exp (-a * log_one_plus (z)) * sqrt (y);
  if (x < (a + 1) / (a + 2.5))
    tail = 0.5 * front * beta_fraction (a, 0.5, x) / a;
  else
    tail = 0.5 - front * beta_fraction (0.5, a, y);
  return t < 0 ? 1 - tail : tail;
}

/* ---- quantiles ---- */

/* The tail is convex above 0, so Newton's method from 0 rises towards the answer and
 * never beyond it: it has arrived when it rises no more. */
double
bn_normal_quantile (double p)
{
  BN_ASSERT (p > 0 && p < 1);
  double tail = p < 0.5 ? p : 1 - p, before = -1, x = 0;

  while (x > before)
    {
      before = x;
      x += (bn_normal_tail (x) - tail) / normal_density (x);
    }
  return p < 0.5 ? -before : before;
}

double
bn_student_quantile (double p, double degrees)
{
  BN_ASSERT (p > 0 && p < 1);
  double tail = p < 0.5 ? p : 1 - p, before = -1, t = 0;

  while (t > before)
    {
      before = t;
      t += (bn_student_tail (t, degrees) - tail) / student_density (t, degrees);
    }
  return p < 0.5 ? -before : before;
}
