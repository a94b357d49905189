/* fmath.c: logarithm, exponential, sine and cosine from arithmetic alone.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "fmath.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts: the first has 21 zero bits at its end, so that a product
 * with an exponent of up to 11 bits is exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33
#define INVERSE_LN2 0x1.71547652b82fep+0
#define TWO_PI 0x1.921fb54442d18p+2

static uint64_t
bits_of (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static double
double_of (uint64_t bits)
{
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* x = m * 2^k with m in [sqrt(1/2), sqrt(2)); with f = m - 1 and s = f / (2 + f)
 * log m = 2 atanh (s) = 2s + s * tail, tail = 2 (s^2/3 + s^4/5 + …), |s| < 0.172.
 * 2s is written as f - f^2/2 + s * f^2/2, because f is exact and the rest small. */
double
bn_log (double x)
{
  if (!(x > 0))
    return x == 0 ? -INFINITY : NAN;
  if (x > 0x1.fffffffffffffp+1023)
    return x;

  int k = 0;
  if (x < 0x1p-1022)
    {
      x *= 0x1p+54;
      k = -54;
    }
  uint64_t bits = bits_of (x);
  k += (int) (bits >> 52) - 1023;
  double m = double_of ((bits & UINT64_C (0x000fffffffffffff)) | UINT64_C (0x3ff0000000000000));
  if (m > 1.41421356237309515)
    {
      m *= 0.5;
      k++;
    }

  double f = m - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double w = z * z;
  /* odd and even powers of z apart, so that the two chains overlap */
  double even = 2.0 / 5 + w * (2.0 / 9 + w * (2.0 / 13 + w * (2.0 / 17 + w * (2.0 / 21))));
  double odd = 2.0 / 3 + w * (2.0 / 7 + w * (2.0 / 11 + w * (2.0 / 15 + w * (2.0 / 19 + w * (2.0 / 23)))));
  double tail = z * (odd + z * even);
  double half_square = 0.5 * f * f;
  double correction = s * (half_square + tail);
  if (k == 0)
    return f - (half_square - correction);
  return k * LN2_HIGH - ((half_square - (correction + k * LN2_LOW)) - f);
}

/* x = k ln 2 + r with |r| <= ln 2 / 2; e^r by its power series, the term r added
 * last in two parts. */
double
bn_exp (double x)
{
  if (x != x)
    return x;
  if (x > 709.79)
    return INFINITY;
  if (x < -745.14)
    return 0;

  int k = (int) (x * INVERSE_LN2 + (x < 0 ? -0.5 : 0.5));
  double high = x - k * LN2_HIGH;
  double low = k * LN2_LOW;
  double r = high - low;
  double series = 1.0 / 6227020800;
  series = 1.0 / 479001600 + r * series;
  series = 1.0 / 39916800 + r * series;
  series = 1.0 / 3628800 + r * series;
  series = 1.0 / 362880 + r * series;
  series = 1.0 / 40320 + r * series;
  series = 1.0 / 5040 + r * series;
  series = 1.0 / 720 + r * series;
  series = 1.0 / 120 + r * series;
  series = 1.0 / 24 + r * series;
  series = 1.0 / 6 + r * series;
  series = 1.0 / 2 + r * series;
  double y = 1.0 + (high + (r * r * series - low));

  /* two steps of scaling, for results whose exponent is out of a double's range
     by itself (2^1024 * y with y < 1) or that are subnormal */
  int half = k / 2;
  double first = double_of ((uint64_t) (half + 1023) << 52);
  double second = double_of ((uint64_t) (k - half + 1023) << 52);
  return y * first * second;
}

/* Power series of sine and cosine of 2 pi r, |r| <= 1/8. */
static double
sine_near_zero (double r)
{
  double y = TWO_PI * r, z = y * y;
  double series = -1.0 / 1307674368000;

  series = 1.0 / 6227020800 + z * series;
  series = -1.0 / 39916800 + z * series;
  series = 1.0 / 362880 + z * series;
  series = -1.0 / 5040 + z * series;
  series = 1.0 / 120 + z * series;
  series = -1.0 / 6 + z * series;
  return y + y * z * series;
}

static double
cosine_near_zero (double r)
{
  double y = TWO_PI * r, z = y * y;
  double series = 1.0 / 20922789888000;

  series = -1.0 / 87178291200 + z * series;
  series = 1.0 / 479001600 + z * series;
  series = -1.0 / 3628800 + z * series;
  series = 1.0 / 40320 + z * series;
  series = -1.0 / 720 + z * series;
  series = 1.0 / 24 + z * series;
  return 1 - (0.5 * z - z * z * series);
}

/* In quarters of a turn, from the nearest one; differences of near doubles are exact. */
double
bn_sin_turns (double x)
{
  double turn = x - floor (x), quarter = floor (4 * turn + 0.5), r = turn - quarter / 4;

  switch ((int) quarter)
    {
    case 1:
      return cosine_near_zero (r);
    case 2:
      return -sine_near_zero (r);
    case 3:
      return -cosine_near_zero (r);
    default:
      return sine_near_zero (r);
    }
}

/* Of what is left of whole turns, to which a quarter may be added. */
double
bn_cos_turns (double x)
{
  return bn_sin_turns (fabs (x) - floor (fabs (x)) + 0.25);
}
