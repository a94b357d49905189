/* correlated_gaps.c: gaps between arrivals that have a memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "correlated_gaps.h"

#include <glib.h>
#include <math.h>

#include "fmath.h"
#include "gamma.h"

/* Gammas by their normals, tabulated: beyond LAST lie 2e-19 of them. Their logarithms are interpolated by cubics
 * through points and slopes, within 1e-6. */
#define LAST 9
#define PER_UNIT 32
#define N_POINTS (2 * LAST * PER_UNIT + 1)

/* Steps of the trapezoid rule, which for a smooth function times a normal density is exact but for exp (-c / step). */
#define STEPS_PER_UNIT 8
#define N_STEPS (2 * LAST * STEPS_PER_UNIT + 1)

#define INVERSE_SQRT_2PI 0x1.9884533d43651p-2

/* To which a correlation is met; what it is computed to. */
#define TOLERANCE 1e-9

struct BnGapCorrelation
{
  double variance;           /* of the gammas, whose mean is 1 */
  double log_gap[N_POINTS];
  double slope[N_POINTS];    /* of that, per step of the table */
};

struct BnCorrelatedGaps
{
  BnGapCorrelation *correlation;
  double lasting;                   /* the autoregression                                  */
  double memory, news;              /* in its next value, the weights of it and of what is new */
  double of_lasting, of_passing;    /* in a gap's normal, the weights of it and of white noise */
};

/* d ln x / dz = normal density / (x gamma density). */
static double
slope_at (double shape, double log_x, double z)
{
  double log_normal = -0.5 * z * z, log_gamma = shape * log_x - bn_exp (log_x) - bn_log_gamma (shape);

  return INVERSE_SQRT_2PI * bn_exp (log_normal - log_gamma);
}

BnGapCorrelation *
bn_gap_correlation_new (double cv)
{
  g_assert (cv >= 1e-3 && cv <= 100);
  BnGapCorrelation *c = g_new (BnGapCorrelation, 1);
  double scale = cv * cv, shape = 1 / scale;

  c->variance = scale;
  for (int i = 0; i < N_POINTS; i++)
    {
      double z = (double) (i - LAST * PER_UNIT) / PER_UNIT, log_x = bn_gamma_log_point (shape, z);
      c->log_gap[i] = log_x + bn_log (scale);
      c->slope[i] = slope_at (shape, log_x, z) / PER_UNIT;
    }
  return c;
}

void
bn_gap_correlation_free (BnGapCorrelation *correlation)
{
  g_free (correlation);
}

static double
gap_of_normal (const BnGapCorrelation *c, double z)
{
  double at = (CLAMP (z, -LAST, LAST) + LAST) * PER_UNIT;
  int i = MIN ((int) at, N_POINTS - 2);
  double t = at - i, step = c->log_gap[i + 1] - c->log_gap[i];
  double left = c->slope[i] - step, right = c->slope[i + 1] - step;

  return bn_exp (c->log_gap[i] + t * step + t * (1 - t) * (left * (1 - t) - right * t));
}

static double
trapezoid_point (int i)
{
  return (double) (i - LAST * STEPS_PER_UNIT) / STEPS_PER_UNIT;
}

static double
trapezoid_weight (double z)
{
  return INVERSE_SQRT_2PI * bn_exp (-0.5 * z * z) / STEPS_PER_UNIT;
}

/* The second normal is r times the first and sqrt (1 - r^2) times another. */
double
bn_gap_correlation_of_normals (const BnGapCorrelation *correlation, double r)
{
  double rest = sqrt (1 - r * r), weights[N_STEPS], product = 0;

  for (int i = 0; i < N_STEPS; i++)
    weights[i] = trapezoid_weight (trapezoid_point (i));
  for (int i = 0; i < N_STEPS; i++)
    {
      double z = trapezoid_point (i), sum = 0;
      for (int j = 0; j < N_STEPS; j++)
        sum += weights[j] * gap_of_normal (correlation, r * z + rest * trapezoid_point (j));
      product += weights[i] * gap_of_normal (correlation, z) * sum;
    }
  return (product - 1) / correlation->variance;
}

/* The correlation rises with r: by the Illinois method, false position that halves what an end stands for when that end
 * stays (M. Dowell, P. Jarratt, "A modified regula falsi method for computing the root of an equation", BIT 11,
 * 1971). */
double
bn_gap_correlation_to_normals (const BnGapCorrelation *correlation, double gaps)
{
  double low = -1, high = 1, middle = 0, off = -INFINITY;
  double below = bn_gap_correlation_of_normals (correlation, low) - gaps;
  double above = bn_gap_correlation_of_normals (correlation, high) - gaps;

  if (below >= 0 || above <= 0)
    return below >= 0 ? low : high;
  while (fabs (off) > TOLERANCE && high - low > TOLERANCE)
    {
      gboolean was_below = off < 0, first = isinf (off);
      middle = low - below * (high - low) / (above - below);
      off = bn_gap_correlation_of_normals (correlation, middle) - gaps;
      if (off < 0)
        {
          low = middle;
          below = off;
          above /= !first && was_below ? 2 : 1;
        }
      else
        {
          high = middle;
          above = off;
          below /= !first && !was_below ? 2 : 1;
        }
    }
  return middle;
}

void
bn_gap_correlation_range (const BnGapCorrelation *correlation, double decay, double *low, double *high)
{
  *low = bn_gap_correlation_of_normals (correlation, -decay);
  *high = bn_gap_correlation_of_normals (correlation, decay);
}

BnCorrelatedGaps *
bn_correlated_gaps_new (double cv, double autocorrelation, double decay, BnRng *rng)
{
  g_assert (decay > 0 && decay < 1);
  BnCorrelatedGaps *g = g_new0 (BnCorrelatedGaps, 1);

  g->correlation = bn_gap_correlation_new (cv);
  double r = bn_gap_correlation_to_normals (g->correlation, autocorrelation);
  double weight = fmin (fabs (r) / decay, 1);
  g->memory = r < 0 ? -decay : decay;
  g->news = sqrt (1 - decay * decay);
  g->of_lasting = sqrt (weight);
  g->of_passing = sqrt (1 - weight);
  g->lasting = bn_rng_normal (rng);
  return g;
}

void
bn_correlated_gaps_free (BnCorrelatedGaps *gaps)
{
  if (gaps == NULL)
    return;
  bn_gap_correlation_free (gaps->correlation);
  g_free (gaps);
}

double
bn_correlated_gaps_next (BnCorrelatedGaps *gaps, BnRng *rng)
{
  double z = gaps->of_lasting * gaps->lasting + gaps->of_passing * bn_rng_normal (rng);

  gaps->lasting = gaps->memory * gaps->lasting + gaps->news * bn_rng_normal (rng);
  return gap_of_normal (gaps->correlation, z);
}
