/* plot_bars.c: each variant divided by one of them, as bars.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "cells.h"
#include "cli.h"
#include "plot.h"
#include "plot_axis.h"
#include "ratios.h"
#include "textout.h"

#define MAX_METRICS 4

static void
write_number (FILE *csv, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputc (',', csv);
  if (isfinite (value))
    fputs (g_ascii_formatd (text, sizeof text, "%.10g", value), csv);
}

/* Bars of one metric; `place` counts variants but the one compared with. */
static void
write_metric (const BnCells *cells, const double *values, guint number, const char *metric, guint base,
              const gboolean *counted, FILE *csv, gint64 *n_rows)
{
  guint place = 0;

  for (guint v = 0; v < cells->variants->len; v++)
    {
      BnRatio r = bn_ratio_of (cells, values, v, base, counted);

      if (v == base)
        continue;
      place++;
      if (r.n_cells == 0)
        continue;
      fprintf (csv, "%u,%s,%u,", number, metric, place);
      bn_write_csv (csv, g_ptr_array_index (cells->variants, v));
      write_number (csv, r.mean);
      write_number (csv, r.least);
      write_number (csv, r.greatest);
      write_number (csv, r.seed_least);
      write_number (csv, r.seed_greatest);
      fprintf (csv, ",%u\n", r.n_cells);
      ++*n_rows;
    }
}

static void
set_texts (const BnCells *cells, char **metrics, guint base, guint n_cells, BnGnuplot *gnuplot)
{
  g_autofree char *title = g_strdup_printf ("Ratio to %s, geometric mean over %u %s",
                                            (const char *) g_ptr_array_index (cells->variants, base), n_cells,
                                            n_cells == 1 ? "cell" : "cells");

  bn_gnuplot_set_text (gnuplot, "heading", title);
  bn_gnuplot_set_number (gnuplot, "n_seeds", cells->seeds->len);
  bn_gnuplot_begin_array (gnuplot, "labels");
  for (char **metric = metrics; *metric != NULL; metric++)
    {
      g_autofree char *name = bn_axis_metric (*metric, FALSE);
      bn_gnuplot_add_text (gnuplot, name);
    }
  bn_gnuplot_end_array (gnuplot);
  bn_gnuplot_begin_array (gnuplot, "variants");
  for (guint v = 0; v < cells->variants->len; v++)
    if (v != base)
      bn_gnuplot_add_text (gnuplot, g_ptr_array_index (cells->variants, v));
  bn_gnuplot_end_array (gnuplot);
}

static gboolean
check_metrics (char **metrics, GError **error)
{
  guint n = g_strv_length (metrics);

  if (n == 0 || n > MAX_METRICS)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: --y: bars draws 1 to %d metrics; name so many",
                   MAX_METRICS);
      return FALSE;
    }
  for (guint m = 0; m < n; m++)
    if (!bn_ratio_check_metric ("plot: --y", g_strstrip (metrics[m]), error))
      return FALSE;
  return TRUE;
}

static gboolean
write_all (const BnCells *cells, sqlite3 *db, const BnPlotRequest *request, char **metrics, FILE *csv,
           BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  guint base = 0, n_counted = 0;

  if (!check_metrics (metrics, error)
      || (request->ratio_to != NULL
          && !bn_ratio_find_variant (cells, "plot: --ratio-to", request->ratio_to, &base, error)))
    return FALSE;
  g_autofree gboolean *counted = bn_ratio_counted (cells, db, base, request->stable_limit, error);
  if (counted == NULL)
    return FALSE;
  for (guint c = 0; c < cells->values->len; c++)
    n_counted += counted[c];
  fputs ("metric_number,metric,place,variant,ratio,least,greatest,seed_least,seed_greatest,cells\n", csv);
  for (guint m = 0; metrics[m] != NULL; m++)
    {
      g_autofree double *values = bn_cells_metric (cells, db, metrics[m], error);
      if (values == NULL)
        return FALSE;
      write_metric (cells, values, m + 1, metrics[m], base, counted, csv, n_rows);
    }
  set_texts (cells, metrics, base, n_counted, gnuplot);
  return TRUE;
}

gboolean
bn_plot_prepare_bars (const BnPlot *plot G_GNUC_UNUSED, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                      BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  BnCells *cells = bn_cells_read (bn_reader_db (reader), "SELECT run_id FROM drawn", error);
  g_auto (GStrv) metrics = g_strsplit (request->y != NULL ? request->y : "slowdown_mean,slowdown_p99", ",", -1);
  gboolean ok = cells != NULL;

  *n_rows = 0;
  if (ok && cells->variants->len > 1)
    ok = write_all (cells, bn_reader_db (reader), request, metrics, csv, gnuplot, n_rows, error);
  bn_cells_free (cells);
  return ok;
}
