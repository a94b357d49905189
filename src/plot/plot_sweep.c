/* plot_sweep.c: a metric against a varied key, one line a variant, one panel a cell
 * of the other keys.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "cells.h"
#include "cli.h"
#include "plot.h"
#include "plot_axis.h"
#include "point.h"
#include "ratios.h"
#include "sql.h"
#include "textout.h"

#define MAX_PANELS 24

/* What is drawn: places along x and panels, of every cell. */
typedef struct Sweep
{
  const BnPlotRequest *request;
  BnCells *cells;
  double *metric;          /* of each run */
  double *bound;           /* of each run: what no scheduler can be below; or NULL */
  const char *y;
  int base;                /* variant, or -1: values as they are */
  guint x;                 /* key */
  gboolean words;          /* x is a category */
  gboolean *by;            /* [n_keys] */
  GPtrArray *panels;       /* of char *: names */
  guint *panel_of;         /* [n cells] */
  double *x_of;            /* [n cells]: number, or place from 1 */
  GPtrArray *x_words;      /* of char *: in order of place */
} Sweep;

/* The index of `text`, which is added where it is new. */
static guint
index_of (GPtrArray *texts, const char *text)
{
  guint i;

  if (!g_ptr_array_find_with_equal_func (texts, text, g_str_equal, &i))
    {
      i = texts->len;
      g_ptr_array_add (texts, g_strdup (text));
    }
  return i;
}

static const char *
value_at (const Sweep *s, guint cell, guint key)
{
  return ((char **) g_ptr_array_index (s->cells->values, cell))[key];
}

/* ---- the keys ---- */

static gboolean
find_key (const Sweep *s, const char *option, const char *name, guint *ret, GError **error)
{
  int found = bn_cells_find_key (s->cells, name);
  g_autofree char *known = g_strjoinv (", ", s->cells->keys);

  if (found < 0)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: %s %s: does not vary; what varies is %s", option,
                 name, known);
  *ret = (guint) found;
  return found >= 0;
}

/* Delays and intervals in one file are words: 10 ms of the one are not 10 ms of the other. */
static gboolean
is_number (const Sweep *s, guint key)
{
  gsize prefix = bn_axis_prefix (value_at (s, 0, key));
  double number;

  for (guint c = 0; c < s->cells->values->len; c++)
    if (!bn_axis_number (s->cells->keys[key], value_at (s, c, key), &number)
        || bn_axis_prefix (value_at (s, c, key)) != prefix)
      return FALSE;
  return TRUE;
}

/* The load where it varies, else the key of numbers that changes fastest. */
static guint
usual_x (const Sweep *s)
{
  int load = bn_cells_find_key (s->cells, "workload.load");

  if (load >= 0)
    return (guint) load;
  for (guint k = s->cells->n_keys; k-- > 0;)
    if (is_number (s, k))
      return k;
  return s->cells->n_keys - 1;
}

/* Keys that make panels: those named, or all that do not follow from the others. */
static gboolean
choose_by (Sweep *s, GError **error)
{
  guint n = s->cells->n_keys, key;

  s->by = g_new0 (gboolean, n);
  if (s->request->by != NULL)
    {
      g_auto (GStrv) names = g_strsplit (s->request->by, ",", -1);
      for (guint i = 0; names[i] != NULL; i++)
        {
          if (*g_strstrip (names[i]) == '\0')
            continue;
          if (!find_key (s, "--by", names[i], &key, error))
            return FALSE;
          s->by[key] = TRUE;
        }
      return TRUE;
    }
  g_autofree gboolean *settled = g_new0 (gboolean, n);
  settled[s->x] = TRUE;
  for (guint k = 0; k < n; k++)
    if (k != s->x && !bn_cells_follows (s->cells, k, settled))
      settled[k] = s->by[k] = TRUE;
  return TRUE;
}

static gboolean
choose_keys (Sweep *s, GError **error)
{
  if (s->request->x == NULL)
    s->x = usual_x (s);
  else if (!find_key (s, "--x", s->request->x, &s->x, error))
    return FALSE;
  s->words = !is_number (s, s->x);
  return choose_by (s, error);
}

/* ---- where each cell stands ---- */

static char *
panel_name (const Sweep *s, guint cell)
{
  GString *name = g_string_new (NULL);

  for (guint k = 0; k < s->cells->n_keys; k++)
    if (s->by[k] && k != s->x)
      {
        /* of what there is a count: servers, or the group's name */
        g_auto (GStrv) parts = g_strsplit (s->cells->keys[k], ".", -1);
        guint last = g_strv_length (parts) - 1;
        const char *word = strcmp (parts[last], "count") == 0 && last > 0 ? parts[last - 1] : parts[last];
        g_string_append_printf (name, "%s%s %s", name->len > 0 ? ", " : "", word, value_at (s, cell, k));
      }
  return g_string_free (name, FALSE);
}

static gboolean
place_cells (Sweep *s, GError **error)
{
  guint n = s->cells->values->len;

  s->panel_of = g_new (guint, n);
  s->x_of = g_new (double, n);
  for (guint c = 0; c < n; c++)
    {
      g_autofree char *name = panel_name (s, c);
      s->panel_of[c] = index_of (s->panels, name);
      if (s->words)
        s->x_of[c] = 1 + index_of (s->x_words, value_at (s, c, s->x));
      else
        bn_axis_number (s->cells->keys[s->x], value_at (s, c, s->x), &s->x_of[c]);
    }
  if (s->panels->len <= MAX_PANELS)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
               "plot: %u panels are too many to read; name the keys that make panels with --by KEY, or choose with"
               " --where KEY=VALUE", s->panels->len);
  return FALSE;
}

/* ---- rows ---- */

/* What stands in a panel at `x`; for the variant after the last the bound. */
static BnPoint
point_at (const Sweep *s, guint panel, guint variant, double x)
{
  guint n = s->cells->values->len;
  g_autofree gboolean *counted = g_new (gboolean, n);

  for (guint c = 0; c < n; c++)
    counted[c] = s->panel_of[c] == panel && s->x_of[c] == x;
  return variant < s->cells->variants->len ? bn_point_of (s->cells, s->metric, variant, s->base, counted)
                                           : bn_point_of_any (s->cells, s->bound, counted);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The places along x, each once, upwards. Returns: (transfer full). */
static GArray *
places (const Sweep *s)
{
  guint n = s->cells->values->len;
  g_autofree double *sorted = g_memdup2 (s->x_of, n * sizeof *s->x_of);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (double));

  qsort (sorted, n, sizeof *sorted, compare_numbers);
  for (guint i = 0; i < n; i++)
    if (i == 0 || sorted[i] != sorted[i - 1])
      g_array_append_val (list, sorted[i]);
  return list;
}

static void
write_number (FILE *csv, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fprintf (csv, "%s,", isfinite (value) ? g_ascii_formatd (text, sizeof text, "%.10g", value) : "");
}

/* A line that has one point only has its mark. Returns: whether some point has an interval. */
static gboolean
write_rows (const Sweep *s, FILE *csv, gint64 *n_rows)
{
  GArray *xs = places (s);
  gboolean has_interval = FALSE;

  fputs ("panel,series,variant,x,y,low,high,cells,of\n", csv);
  for (guint panel = 0; panel < s->panels->len; panel++)
    for (guint v = 0; v < s->cells->variants->len + (s->bound != NULL); v++)
      for (guint i = 0; i < xs->len; i++)
        {
          double x = g_array_index (xs, double, i);
          BnPoint point = point_at (s, panel, v, x);

          if (point.n_cells == 0)
            continue;
          fprintf (csv, "%u,%u,", panel + 1, v + 1);
          bn_write_csv (csv, v < s->cells->variants->len ? g_ptr_array_index (s->cells->variants, v) : "bound");
          fputc (',', csv);
          write_number (csv, x);
          write_number (csv, point.value);
          write_number (csv, point.low);
          write_number (csv, point.high);
          fprintf (csv, "%u,", point.n_cells);
          bn_write_csv (csv, g_ptr_array_index (s->panels, panel));
          fputc ('\n', csv);
          has_interval = has_interval || isfinite (point.low);
          ++*n_rows;
        }
  g_array_unref (xs);
  return has_interval;
}

static void
set_texts (BnGnuplot *gnuplot, const char *name, const GPtrArray *texts)
{
  bn_gnuplot_begin_array (gnuplot, name);
  for (guint i = 0; i < texts->len; i++)
    bn_gnuplot_add_text (gnuplot, g_ptr_array_index (texts, i));
  bn_gnuplot_end_array (gnuplot);
}

static void
set_places (const Sweep *s, BnGnuplot *gnuplot)
{
  GArray *xs = places (s);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  bn_gnuplot_begin_array (gnuplot, "x_places");
  for (guint i = 0; i < xs->len; i++)
    bn_gnuplot_add_text (gnuplot, g_ascii_formatd (text, sizeof text, "%.6g", g_array_index (xs, double, i)));
  bn_gnuplot_end_array (gnuplot);
  g_array_unref (xs);
}

static void
set_titles (const Sweep *s, BnGnuplot *gnuplot)
{
  g_autofree char *x = bn_axis_title (s->cells->keys[s->x]);
  g_autofree char *y = bn_axis_metric (s->y, s->base < 0);
  g_autofree char *ratio = s->base < 0 ? NULL : g_strdup_printf ("%s, ratio to %s", y, s->request->ratio_to);
  g_autofree char *plain = bn_axis_metric (s->y, FALSE);
  g_autofree char *title = g_strdup_printf ("%s against %.*s", ratio != NULL ? ratio : plain,
                                            (int) strcspn (x, "["), x);

  g_strchomp (title);
  title[0] = g_ascii_toupper (title[0]);
  bn_gnuplot_set_text (gnuplot, "heading", title);
  bn_gnuplot_set_text (gnuplot, "x_title", x);
  bn_gnuplot_set_text (gnuplot, "y_title", ratio != NULL ? ratio : y);
  bn_gnuplot_set_number (gnuplot, "is_ratio", s->base >= 0);
  bn_gnuplot_set_number (gnuplot, "bound_series", s->bound != NULL ? s->cells->variants->len + 1 : 0);
  bn_gnuplot_set_number (gnuplot, "y_is_log", s->request->log_scale);
  bn_gnuplot_set_number (gnuplot, "x_is_words", s->words);
  set_texts (gnuplot, "labels", s->cells->variants);
  set_texts (gnuplot, "panels", s->panels);
  if (s->words)
    set_texts (gnuplot, "x_words", s->x_words);
  set_places (s, gnuplot);
}

/* The column of `runs` that bounds the metric, in its unit; NULL where there is none. */
static const char *
bound_column (const char *metric)
{
  return strcmp (metric, "slowdown_mean") == 0  ? "bound_slowdown"
         : strcmp (metric, "latency_mean") == 0 ? "bound_latency_ns / 1e6"
                                                : NULL;
}

/* Reads the bounds, where the metric has them and some run does. */
static gboolean
read_bounds (Sweep *s, sqlite3 *db, GError **error)
{
  const char *column = s->base < 0 ? bound_column (s->y) : NULL;
  sqlite3_stmt *stmt = NULL;
  gboolean any = FALSE;
  int rc = SQLITE_DONE;

  if (column == NULL)
    return TRUE;
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM runs WHERE run_id = ?1", column);
  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) != SQLITE_OK)
    return bn_sql_fail (db, error);
  s->bound = g_new (double, s->cells->runs->len + 1);
  for (guint i = 0; i < s->cells->runs->len && rc != SQLITE_ERROR; i++)
    {
      sqlite3_bind_int64 (stmt, 1, g_array_index (s->cells->runs, BnCellRun, i).run_id);
      rc = sqlite3_step (stmt);
      gboolean known = rc == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL;
      s->bound[i] = known ? sqlite3_column_double (stmt, 0) : NAN;
      any = any || known;
      rc = sqlite3_reset (stmt) == SQLITE_OK ? SQLITE_DONE : SQLITE_ERROR;
    }
  sqlite3_finalize (stmt);
  if (rc == SQLITE_ERROR)
    return bn_sql_fail (db, error);
  if (!any)
    g_clear_pointer (&s->bound, g_free);
  return TRUE;
}

static gboolean
read_sweep (Sweep *s, BnReader *reader, GError **error)
{
  guint base;

  s->cells = bn_cells_read (bn_reader_db (reader), "SELECT run_id FROM drawn", error);
  if (s->cells == NULL || s->cells->n_keys == 0)
    return s->cells != NULL;
  if (s->request->ratio_to != NULL)
    {
      if (!bn_ratio_find_variant (s->cells, "plot: --ratio-to", s->request->ratio_to, &base, error))
        return FALSE;
      s->base = (int) base;
    }
  if (strchr (s->y, ',') != NULL)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: --y %s: sweep draws one metric; name one", s->y);
      return FALSE;
    }
  if (!bn_ratio_check_metric ("plot: --y", s->y, error))
    return FALSE;
  s->metric = bn_cells_metric (s->cells, bn_reader_db (reader), s->y, error);
  return s->metric != NULL && read_bounds (s, bn_reader_db (reader), error) && choose_keys (s, error)
         && place_cells (s, error);
}

gboolean
bn_plot_prepare_sweep (const BnPlot *plot G_GNUC_UNUSED, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                       BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  Sweep s = { .request = request, .base = -1, .y = request->y != NULL ? request->y : "slowdown_mean",
              .panels = g_ptr_array_new_with_free_func (g_free), .x_words = g_ptr_array_new_with_free_func (g_free) };
  gboolean ok = read_sweep (&s, reader, error);

  *n_rows = 0;
  if (ok && s.cells->n_keys > 0)
    {
      bn_gnuplot_set_number (gnuplot, "has_interval", write_rows (&s, csv, n_rows));
      set_titles (&s, gnuplot);
    }
  bn_cells_free (s.cells);
  g_ptr_array_unref (s.panels);
  g_ptr_array_unref (s.x_words);
  g_free (s.metric);
  g_free (s.bound);
  g_free (s.by);
  g_free (s.panel_of);
  g_free (s.x_of);
  return ok;
}
