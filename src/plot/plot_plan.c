/* plot_plan.c: what a plan found against what was varied, one curve a scheduler with its
 * band, and what it costs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "cli.h"
#include "plan_table.h"
#include "plot.h"
#include "plot_axis.h"
#include "textout.h"

/* One row of `plans`; values are NAN where there is none. */
typedef struct Row
{
  char *label;           /* scheduler, and what is varied but for x         */
  guint series;          /* from 1                                          */
  double x;
  double work;           /* what the work alone takes                       */
  double found[3];       /* the answer and its band                         */
  double cost[3];
} Row;

typedef struct Picture
{
  GArray *rows;          /* of Row               */
  GPtrArray *labels;     /* of char *: of series */
  char *kind, *key;      /* see plans            */
  int x;                 /* number of the varied key along x, or -1: schedulers side by side */
  char *x_key;
  gboolean has_cost;
} Picture;

/* Names of what is looked for, by plans.kind. */
static const struct
{
  const char *kind, *heading;
} kinds[] = {
  { "count", "Needed to keep" },
  { "rate", "The most that keeps" },
  { "mix", "The cheapest mix that keeps" },
};

static const char rows_sql[]
  = "SELECT p.variant, p.settings, p.kind, p.key, p.work, p.answer, p.low, p.high, p.answer_cost, p.low_cost,"
    " p.high_cost FROM plans p WHERE p.variant IN (SELECT variant FROM runs JOIN drawn USING (run_id)) AND ?1 = ?1"
    " ORDER BY p.plan";

static double
real_of (sqlite3_stmt *stmt, int column)
{
  return sqlite3_column_type (stmt, column) == SQLITE_NULL ? NAN : sqlite3_column_double (stmt, column);
}

static const char *
text_of (sqlite3_stmt *stmt, int column)
{
  return (const char *) sqlite3_column_text (stmt, column);
}

/* ---- what stands where ---- */

/* Chooses the key along x of the first row's settings: what is asked for, else the first
 * with a number. */
static gboolean
choose_x (Picture *p, const BnPlotRequest *request, const char *settings, GError **error)
{
  g_auto (GStrv) keys = bn_plan_table_settings (settings, FALSE), values = bn_plan_table_settings (settings, TRUE);
  double number;

  p->x = -1;
  for (int i = 0; keys[i] != NULL && p->x < 0; i++)
    if (request->x != NULL ? strcmp (request->x, keys[i]) == 0 : bn_axis_number (keys[i], values[i], &number))
      p->x = i;
  if (p->x >= 0 && bn_axis_number (keys[p->x], values[p->x], &number))
    {
      p->x_key = g_strdup (keys[p->x]);
      return TRUE;
    }
  if (request->x == NULL)
    return TRUE;
  g_autofree char *known = g_strjoinv (", ", keys);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: --x %s: is not a number that varies; what varies is %s",
               request->x, *known != '\0' ? known : "nothing");
  return FALSE;
}

/* The scheduler and all values but that along x. Returns: (transfer full). */
static char *
label_of (const Picture *p, const char *variant, char **values)
{
  GString *label = g_string_new (variant);

  for (int i = 0; values[i] != NULL; i++)
    if (i != p->x)
      g_string_append_printf (label, ", %s", values[i]);
  return g_string_free (label, FALSE);
}

static void
add_row (Picture *p, sqlite3_stmt *stmt)
{
  g_auto (GStrv) values = bn_plan_table_settings (text_of (stmt, 1), TRUE);
  gboolean mix = strcmp (p->kind, "mix") == 0;
  Row row = { .label = label_of (p, text_of (stmt, 0), values), .work = real_of (stmt, 4) };

  if (!g_ptr_array_find_with_equal_func (p->labels, row.label, g_str_equal, &row.series))
    {
      row.series = p->labels->len;
      g_ptr_array_add (p->labels, row.label);
    }
  else
    g_free (row.label);
  row.label = g_ptr_array_index (p->labels, row.series++);
  row.x = row.series;
  if (p->x >= 0 && !bn_axis_number (p->x_key, values[p->x], &row.x))
    row.x = NAN;
  for (int i = 0; i < 3; i++)
    {
      row.found[i] = real_of (stmt, 5 + i);
      row.cost[i] = mix ? NAN : real_of (stmt, 8 + i);
      p->has_cost = p->has_cost || isfinite (row.cost[i]);
    }
  g_array_append_val (p->rows, row);
}

static gboolean
read_rows (Picture *p, BnReader *reader, const BnPlotRequest *request, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, rows_sql, 0, 0, error);
  gboolean ok = stmt != NULL;

  while (ok && bn_reader_step (reader, stmt, &failure))
    {
      if (p->kind == NULL)
        {
          p->kind = g_strdup (text_of (stmt, 2));
          p->key = g_strdup (text_of (stmt, 3));
          ok = choose_x (p, request, text_of (stmt, 1), error);
        }
      if (ok)
        add_row (p, stmt);
    }
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return ok;
  g_propagate_error (error, failure);
  return FALSE;
}

/* ---- the file ---- */

static void
write_number (FILE *csv, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  fputc (',', csv);
  if (isfinite (value))
    fputs (g_ascii_formatd (text, sizeof text, "%.10g", value), csv);
}

static void
write_row (FILE *csv, int panel, guint series, const char *label, double x, const double values[3])
{
  fprintf (csv, "%d,%u,", panel, series);
  bn_write_csv (csv, label);
  write_number (csv, x);
  for (int i = 0; i < 3; i++)
    write_number (csv, values[i]);
  fputc ('\n', csv);
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const Row *r = a, *s = b;

  return r->series != s->series ? (r->series > s->series) - (r->series < s->series) : (r->x > s->x) - (r->x < s->x);
}

/* Panel 1 has what was found, panel 2 what it costs; the work alone is a series of its own
 * after all others. */
static gint64
write_rows (const Picture *p, FILE *csv)
{
  gint64 n = 0;

  g_array_sort (p->rows, compare_rows);
  fputs ("panel,series,variant,x,y,low,high\n", csv);
  for (int panel = 1; panel <= 1 + p->has_cost; panel++)
    for (guint i = 0; i < p->rows->len; i++)
      {
        const Row *row = &g_array_index (p->rows, Row, i);
        const double *values = panel == 1 ? row->found : row->cost;
        if (!isfinite (values[0]) && !isfinite (values[1]))
          continue;
        write_row (csv, panel, row->series, row->label, row->x, values);
        n++;
      }
  for (guint i = 0; i < p->rows->len && n > 0; i++)
    {
      const Row *row = &g_array_index (p->rows, Row, i);
      const double work[] = { row->work, NAN, NAN };
      if (row->series == 1 || p->x < 0)
        write_row (csv, 1, p->labels->len + 1, "work alone", row->x, work);
    }
  return n;
}

static void
set_texts (const Picture *p, BnReader *reader, BnGnuplot *gnuplot)
{
  g_autofree char *promise = bn_plan_table_promises (bn_reader_db (reader));
  g_autofree char *x_title = p->x >= 0 ? bn_axis_title (p->x_key) : g_strdup ("");
  gboolean mix = strcmp (p->kind, "mix") == 0;
  g_autofree char *y_title = mix ? g_strdup ("cost per hour") : bn_axis_title (p->key);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].kind, p->kind) == 0)
      {
        g_autofree char *heading = g_strdup_printf ("%s %s", kinds[i].heading, promise);
        bn_gnuplot_set_text (gnuplot, "heading", heading);
      }
  bn_gnuplot_set_text (gnuplot, "x_title", x_title);
  bn_gnuplot_set_text (gnuplot, "y_title", y_title);
  bn_gnuplot_set_number (gnuplot, "has_cost", p->has_cost);
  bn_gnuplot_set_number (gnuplot, "x_is_words", p->x < 0);
  bn_gnuplot_begin_array (gnuplot, "labels");
  for (guint i = 0; i < p->labels->len; i++)
    bn_gnuplot_add_text (gnuplot, g_ptr_array_index (p->labels, i));
  bn_gnuplot_end_array (gnuplot);
}

gboolean
bn_plot_prepare_plan (const BnPlot *plot G_GNUC_UNUSED, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                      BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  Picture p = { .rows = g_array_new (FALSE, TRUE, sizeof (Row)), .labels = g_ptr_array_new_with_free_func (g_free) };
  gboolean ok = !bn_plan_table_is_there (bn_reader_db (reader)) || read_rows (&p, reader, request, error);

  *n_rows = ok && p.kind != NULL ? write_rows (&p, csv) : 0;
  if (*n_rows > 0)
    set_texts (&p, reader, gnuplot);
  g_array_unref (p.rows);
  g_ptr_array_unref (p.labels);
  g_free (p.kind);
  g_free (p.key);
  g_free (p.x_key);
  return ok;
}
