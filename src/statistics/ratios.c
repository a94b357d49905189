/* ratios.c: how much better than another a variant is, over all cells of a file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "ratios.h"

#include <math.h>
#include <string.h>

#include "fmath.h"
#include "interval.h"
#include "tally.h"
#include "units.h"

static const char *const usual_metrics[] = { "slowdown_mean", "slowdown_p99", "latency_mean", "hit_rate", NULL };

static const BnColumn columns[] = {
  { "variant", "scheduler", "", 0 },
  { "metric", "metric", "", 0 },
  { "cells", "cells", "", 0 },
  { "ratio", "ratio", "", 3 },
  { "ratio_low", "95 %", "", 3 },
  { "ratio_high", "up to", "", 3 },
  { "least", "least", "", 3 },
  { "greatest", "greatest", "", 3 },
  { "seed_least", "a seed's", "", 3 },
  { "seed_greatest", "up to", "", 3 },
};

double
bn_ratio_of_cell (const BnCells *cells, const double *metric, guint cell, guint variant, guint base, int seed)
{
  double sum = 0;
  guint n = 0;

  for (guint s = 0; s < cells->seeds->len; s++)
    {
      if (seed >= 0 && s != (guint) seed)
        continue;
      double value = bn_cells_mean (cells, metric, cell, variant, (int) s);
      double other = bn_cells_mean (cells, metric, cell, base, (int) s);
      if (!(value > 0) || !(other > 0))
        continue;
      sum += bn_log (value / other);
      n++;
    }
  return n > 0 ? bn_exp (sum / n) : NAN;
}

/* Over the cells that count, of seed `seed` alone unless that is negative. */
static BnRatio
ratio_of_seed (const BnCells *cells, const double *metric, guint variant, guint base, const gboolean *counted,
               int seed)
{
  BnRatio r = { 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
  double sum = 0;

  for (guint c = 0; c < cells->values->len; c++)
    {
      double ratio = bn_ratio_of_cell (cells, metric, c, variant, base, seed);

      if ((counted != NULL && !counted[c]) || !isfinite (ratio))
        continue;
      r.least = r.n_cells == 0 ? ratio : MIN (r.least, ratio);
      r.greatest = r.n_cells == 0 ? ratio : MAX (r.greatest, ratio);
      r.n_cells++;
      sum += bn_log (ratio);
    }
  if (r.n_cells > 0)
    r.mean = bn_exp (sum / r.n_cells);
  return r;
}

BnRatio
bn_ratio_of (const BnCells *cells, const double *metric, guint variant, guint base, const gboolean *counted)
{
  BnRatio r = ratio_of_seed (cells, metric, variant, base, counted, -1);
  g_autofree double *of_seeds = g_new (double, cells->seeds->len);
  gboolean complete = TRUE;
  guint n = 0;

  for (guint s = 0; s < cells->seeds->len; s++)
    {
      BnRatio of_seed = ratio_of_seed (cells, metric, variant, base, counted, (int) s);
      complete &= of_seed.n_cells == r.n_cells;
      if (!isfinite (of_seed.mean))
        continue;
      r.seed_least = isfinite (r.seed_least) ? MIN (r.seed_least, of_seed.mean) : of_seed.mean;
      r.seed_greatest = isfinite (r.seed_greatest) ? MAX (r.seed_greatest, of_seed.mean) : of_seed.mean;
      of_seeds[n++] = of_seed.mean;
    }
  if (complete && r.n_cells > 0)
    {
      BnInterval interval = bn_interval_of_geometric_mean (of_seeds, n, BN_CONFIDENCE);
      r.low = interval.low;
      r.high = interval.high;
    }
  return r;
}

gboolean
bn_ratio_find_variant (const BnCells *cells, const char *option, const char *name, guint *ret, GError **error)
{
  GString *known = g_string_new (NULL);

  for (guint v = 0; v < cells->variants->len; v++)
    {
      const char *variant = g_ptr_array_index (cells->variants, v);
      if (strcmp (variant, name) == 0)
        {
          *ret = v;
          g_string_free (known, TRUE);
          return TRUE;
        }
      g_string_append_printf (known, "%s%s", v > 0 ? ", " : "", variant);
    }
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "%s %s: no such run; there are %s", option, name, known->str);
  g_string_free (known, TRUE);
  return FALSE;
}

gboolean
bn_ratio_check_metric (const char *option, const char *name, GError **error)
{
  g_autofree const char **names = g_new0 (const char *, bn_n_metric_infos + 1);

  for (guint i = 0; i < bn_n_metric_infos; i++)
    names[i] = bn_metric_infos[i].name;
  if (g_strv_contains (names, name))
    return TRUE;
  const char *near = bn_nearest_word (name, names);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "%s %s: no such metric; %s%s%s", option, name,
               near != NULL ? "did you mean " : "binnacle list metrics names them", near != NULL ? near : "",
               near != NULL ? "?" : "");
  return FALSE;
}

gboolean *
bn_ratio_counted (const BnCells *cells, sqlite3 *db, guint base, double stable_limit, GError **error)
{
  double *slowdown = bn_cells_metric (cells, db, "slowdown_mean", error);
  gboolean *counted = slowdown != NULL ? g_new0 (gboolean, cells->values->len + 1) : NULL;

  for (guint c = 0; counted != NULL && c < cells->values->len; c++)
    counted[c] = stable_limit <= 0 || bn_cells_mean (cells, slowdown, c, base, -1) < stable_limit;
  g_free (slowdown);
  return counted;
}

static void
add_row (BnTable *table, const BnCells *cells, guint variant, const char *metric, const BnRatio *r)
{
  bn_table_text (table, g_ptr_array_index (cells->variants, variant));
  bn_table_text (table, metric);
  bn_table_integer (table, r->n_cells);
  bn_table_real (table, r->mean);
  bn_table_real (table, r->low);
  bn_table_real (table, r->high);
  bn_table_real (table, r->least);
  bn_table_real (table, r->greatest);
  bn_table_real (table, cells->seeds->len > 1 ? r->seed_least : NAN);
  bn_table_real (table, cells->seeds->len > 1 ? r->seed_greatest : NAN);
}

static gboolean
add_rows (BnTable *table, const BnCells *cells, sqlite3 *db, const BnRatioRequest *request, guint base,
          const gboolean *counted, GError **error)
{
  const char *const *metrics = request->metrics != NULL ? request->metrics : usual_metrics;
  guint n = g_strv_length ((char **) metrics);
  double **values = g_new0 (double *, n + 1);
  gboolean ok = TRUE;

  for (guint m = 0; m < n && ok; m++)
    ok = bn_ratio_check_metric ("--metric", metrics[m], error)
         && (values[m] = bn_cells_metric (cells, db, metrics[m], error)) != NULL;
  for (guint v = 0; v < cells->variants->len && ok; v++)
    for (guint m = 0; m < n; m++)
      {
        BnRatio r = bn_ratio_of (cells, values[m], v, base, counted);
        add_row (table, cells, v, metrics[m], &r);
      }
  for (guint m = 0; m < n; m++)
    g_free (values[m]);
  g_free (values);
  return ok;
}

BnTable *
bn_ratio_table (const BnCells *cells, sqlite3 *db, const BnRatioRequest *request, GError **error)
{
  BnTable *table = NULL;
  guint base;

  if (!bn_ratio_find_variant (cells, "--ratio-to", request->base, &base, error))
    return NULL;
  gboolean *counted = bn_ratio_counted (cells, db, base, request->stable_limit, error);
  if (counted != NULL)
    {
      table = bn_table_new (columns, G_N_ELEMENTS (columns));
      if (!add_rows (table, cells, db, request, base, counted, error))
        g_clear_pointer (&table, bn_table_free);
    }
  g_free (counted);
  return table;
}
