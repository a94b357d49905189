/* rng.c: xoshiro256** and the distributions drawn from it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "rng.h"

#include <math.h>

#include "fmath.h"

/* The output function of SplitMix64: a bijection that spreads every bit. */
static uint64_t
mix (uint64_t x)
{
  x ^= x >> 30;
  x *= UINT64_C (0xbf58476d1ce4e5b9);
  x ^= x >> 27;
  x *= UINT64_C (0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static uint64_t
rotate_left (uint64_t x, int n)
{
  return (x << n) | (x >> (64 - n));
}

/* The hash is a bijection of the seed for any one name, so two seeds never start
 * the same stream. */
void
bn_rng_init (BnRng *rng, uint64_t seed, const char *name)
{
  uint64_t h = mix (seed + UINT64_C (0x9e3779b97f4a7c15));
  for (const unsigned char *p = (const unsigned char *) name; *p != '\0'; p++)
    h = mix ((h ^ *p) + UINT64_C (0x9e3779b97f4a7c15));
  for (int i = 0; i < 4; i++)
    {
      h += UINT64_C (0x9e3779b97f4a7c15);
      rng->s[i] = mix (h);
    }
}

uint64_t
bn_rng_next (BnRng *rng)
{
  uint64_t *s = rng->s;
  uint64_t result = rotate_left (s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left (s[3], 45);
  return result;
}

/* The high word of a 128-bit product is the answer; the few low words that would
 * make some answers likelier than others are drawn again. */
uint64_t
bn_rng_below (BnRng *rng, uint64_t n)
{
  __extension__ typedef unsigned __int128 u128;
  u128 product = (u128) bn_rng_next (rng) * n;
  if ((uint64_t) product < n)
    {
      uint64_t threshold = (0 - n) % n;
      while ((uint64_t) product < threshold)
        product = (u128) bn_rng_next (rng) * n;
    }
  return (uint64_t) (product >> 64);
}

double
bn_rng_uniform (BnRng *rng)
{
  return (double) (bn_rng_next (rng) >> 11) * 0x1p-53;
}

/* The first one whose cumulative weight is above a uniform point. There is one: 1 - 2^-53 times a sum is below it,
 * rounded too. */
uint32_t
bn_rng_weighted (BnRng *rng, const double *cumulative, uint32_t n)
{
  double point = bn_rng_uniform (rng) * cumulative[n - 1];
  uint32_t low = 0, high = n - 1;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (cumulative[middle] > point)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Uniform on (0, 1], so that its logarithm is finite. */
static double
uniform_above_zero (BnRng *rng)
{
  return (double) ((bn_rng_next (rng) >> 11) + 1) * 0x1p-53;
}

double
bn_rng_exponential (BnRng *rng)
{
  return -bn_log (uniform_above_zero (rng));
}

/* The second normal of a pair is thrown away: the stream then has no state but
 * its generator's. */
double
bn_rng_normal (BnRng *rng)
{
  double u, v, r;
  do
    {
      u = 2.0 * bn_rng_uniform (rng) - 1.0;
      v = 2.0 * bn_rng_uniform (rng) - 1.0;
      r = u * u + v * v;
    }
  while (r >= 1.0 || r == 0.0);
  return u * sqrt (-2.0 * bn_log (r) / r);
}

double
bn_rng_gamma (BnRng *rng, double cv)
{
  double scale = cv * cv;
  double shape = 1.0 / scale;
  double boost = 1.0;
  if (shape < 1.0)
    {
      boost = bn_exp (bn_log (uniform_above_zero (rng)) * scale);
      shape += 1.0;
    }
  double d = shape - 1.0 / 3.0;
  double c = 1.0 / sqrt (9.0 * d);
  for (;;)
    {
      double x = bn_rng_normal (rng);
      double root = 1.0 + c * x;
      double v = root * root * root;
      if (v <= 0.0)
        continue;
      double u = uniform_above_zero (rng);
      if (u < 1.0 - 0.0331 * (x * x) * (x * x) || bn_log (u) < 0.5 * x * x + d * (1.0 - v + bn_log (v)))
        return d * v * boost * scale;
    }
}

/* Of mean 1: the logarithm has variance log (1 + cv^2) and mean minus half of
 * that. */
double
bn_rng_lognormal (BnRng *rng, double cv)
{
  double variance = bn_log (1.0 + cv * cv);
  return bn_exp (sqrt (variance) * bn_rng_normal (rng) - 0.5 * variance);
}
