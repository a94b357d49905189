/* point.c: a metric at one point of a picture: over the seeds and cells that stand there.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "point.h"

#include <math.h>

#include "fmath.h"
#include "interval.h"
#include "ratios.h"

/* The mean over the seeds of a cell, or of one seed alone; of the first variant that has
 * one where `variant` is negative. */
static double
mean_of_cell (const BnCells *cells, const double *metric, guint cell, int variant, int seed)
{
  double mean = NAN;

  if (variant >= 0)
    return bn_cells_mean (cells, metric, cell, (guint) variant, seed);
  for (guint v = 0; v < cells->variants->len && !isfinite (mean); v++)
    mean = bn_cells_mean (cells, metric, cell, v, seed);
  return mean;
}

/* The geometric mean over the cells that count, of seed `seed` alone unless that is
 * negative, and how many have a value. */
static double
mean_over_cells (const BnCells *cells, const double *metric, int variant, const gboolean *counted, int seed,
                 guint *ret_n)
{
  double sum = 0, value = NAN;
  guint n = 0;

  for (guint c = 0; c < cells->values->len; c++)
    {
      double of_cell = counted[c] ? mean_of_cell (cells, metric, c, variant, seed) : NAN;

      if (!(of_cell >= 0) || !isfinite (of_cell))
        continue;
      value = of_cell;
      sum += bn_log (of_cell);
      n++;
    }
  *ret_n = n;
  /* one cell keeps its mean to the last bit */
  return n > 1 ? bn_exp (sum / n) : value;
}

static BnPoint
point_of_means (const BnCells *cells, const double *metric, int variant, const gboolean *counted)
{
  g_autofree double *of_seeds = g_new (double, cells->seeds->len);
  BnPoint point = { .low = NAN, .high = NAN };
  gboolean complete = TRUE, positive = TRUE;
  guint n_seeds = 0, n;

  point.value = mean_over_cells (cells, metric, variant, counted, -1, &point.n_cells);
  for (guint s = 0; s < cells->seeds->len; s++)
    {
      double of_seed = mean_over_cells (cells, metric, variant, counted, (int) s, &n);

      /* a seed of other cells only has no part in these */
      if (n == 0)
        continue;
      complete = complete && n == point.n_cells;
      positive = positive && of_seed > 0;
      of_seeds[n_seeds++] = of_seed;
    }
  if (!complete || point.n_cells == 0 || (point.n_cells > 1 && !positive))
    return point;
  BnInterval interval = point.n_cells == 1 ? bn_interval_of_mean (of_seeds, n_seeds, BN_CONFIDENCE)
                                           : bn_interval_of_geometric_mean (of_seeds, n_seeds, BN_CONFIDENCE);
  point.low = interval.low;
  point.high = interval.high;
  return point;
}

BnPoint
bn_point_of (const BnCells *cells, const double *metric, guint variant, int base, const gboolean *counted)
{
  if (base < 0)
    return point_of_means (cells, metric, (int) variant, counted);
  BnRatio ratio = bn_ratio_of (cells, metric, variant, (guint) base, counted);
  return (BnPoint) { ratio.n_cells, ratio.mean, ratio.low, ratio.high };
}

BnPoint
bn_point_of_any (const BnCells *cells, const double *metric, const gboolean *counted)
{
  BnPoint point = { 0, NAN, NAN, NAN };

  point.value = mean_over_cells (cells, metric, -1, counted, -1, &point.n_cells);
  return point;
}
