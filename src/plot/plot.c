/* plot.c: draws one picture: its rows, its settings, gnuplot, its file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plot.h"

#include <errno.h>
#include <string.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "export.h"
#include "output.h"

/* How a picture ends that was written to its end: gnuplot does not notice a full
 * disk. */
static const struct
{
  const char *format;
  const char *tail;
  gsize tail_length;
} endings[] = {
  { "svg", "</svg>", 6 },
  { "png", "IEND\xae\x42\x60\x82", 8 },
  { "pdf", "%%EOF", 5 },
};

static gboolean
set_array (BnReader *reader, gint64 run, const char *name, const char *sql, BnGnuplot *gnuplot, gint64 *n,
           GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, run, 0, error);

  if (stmt == NULL)
    return FALSE;
  *n = 0;
  while (bn_reader_step (reader, stmt, &failure))
    {
      if ((*n)++ == 0)
        bn_gnuplot_begin_array (gnuplot, name);
      if (sqlite3_column_type (stmt, 0) == SQLITE_INTEGER)
        bn_gnuplot_add_number (gnuplot, sqlite3_column_int64 (stmt, 0));
      else
        bn_gnuplot_add_text (gnuplot, (const char *) sqlite3_column_text (stmt, 0));
    }
  if (*n > 0)
    bn_gnuplot_end_array (gnuplot);
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
bn_plot_prepare_query (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, FILE *csv,
                       BnGnuplot *gnuplot, gint64 *n_rows, GError **error)
{
  gint64 n;

  if (!bn_export_query (reader, plot->rows_sql, request->run, csv, n_rows, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (plot->arrays) && plot->arrays[i] != NULL; i++)
    if (!set_array (reader, request->run, plot->arrays[i], plot->array_sql[i], gnuplot, &n, error))
      return FALSE;
  return TRUE;
}

/* Of `tmp`, which is to become `path`. */
static gboolean
picture_is_whole (const char *tmp, const char *path, const char *format, GError **error)
{
  char *bytes;
  gsize length;
  gboolean whole = FALSE;

  if (!g_file_get_contents (tmp, &bytes, &length, error))
    return FALSE;
  while (length > 0 && g_ascii_isspace (bytes[length - 1]))
    length--;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (strcmp (endings[i].format, format) == 0 && length >= endings[i].tail_length)
      whole = memcmp (bytes + length - endings[i].tail_length, endings[i].tail, endings[i].tail_length) == 0;
  g_free (bytes);
  if (!whole)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT,
                 "%s: the picture was cut off; choose a place that has room with -o DIR", path);
  return whole;
}

static gboolean
draw_picture (BnGnuplot *gnuplot, const BnPlot *plot, const BnPlotRequest *request, const char *csv_path,
              const char *path, GError **error)
{
  char *tmp = g_strconcat (path, ".part", NULL);
  char *script_name = g_strconcat ("plots/", plot->name, ".gp", NULL);
  char *script = bn_cli_data_file (script_name, error);
  char *scripts = script ? g_path_get_dirname (script) : NULL;
  gboolean done = FALSE;

  if (script != NULL)
    {
      bn_gnuplot_set_text (gnuplot, "scripts", scripts);
      bn_gnuplot_set_text (gnuplot, "data", csv_path);
      bn_gnuplot_set_text (gnuplot, "output", tmp);
      bn_gnuplot_set_text (gnuplot, "format", request->format);
      done = bn_gnuplot_run (gnuplot, script, error) && picture_is_whole (tmp, path, request->format, error);
    }
  if (done && g_rename (tmp, path) != 0)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT, "%s: cannot write: %s; choose another place with -o DIR",
                   path, g_strerror (errno));
      done = FALSE;
    }
  if (!done)
    g_unlink (tmp);
  g_free (scripts);
  g_free (script);
  g_free (script_name);
  g_free (tmp);
  return done;
}

/* The rows as a file and the settings that go with them. *drawn: are there rows? */
static gboolean
prepare (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, const char *csv_path, BnGnuplot *gnuplot,
         gboolean *drawn, GError **error)
{
  gint64 n_rows = 0;
  BnOutput *csv = bn_output_open (csv_path, error);

  if (csv == NULL)
    return FALSE;
  if (!plot->prepare (plot, reader, request, bn_output_file (csv), gnuplot, &n_rows, error)
      || !bn_plot_set_caption (reader, request->run, plot->over_seeds, gnuplot, error))
    {
      bn_output_abandon (csv);
      return FALSE;
    }
  *drawn = n_rows > 0;
  if (*drawn)
    return bn_output_close (csv, error);
  bn_output_abandon (csv);
  return TRUE;
}

/* The request, with a run where the plot is of one: the first that has what is
 * needed and loads or evicts, else the first that has what is needed. */
static gboolean
settle_run (const BnPlot *plot, BnReader *reader, BnPlotRequest *request, GError **error)
{
  static const char first_sql[]
    = "SELECT run_id FROM runs JOIN drawn USING (run_id) WHERE ?1 = 0 OR record = 'tasks'"
      " ORDER BY NOT EXISTS (SELECT 1 FROM cache_events c WHERE c.run_id = runs.run_id AND kind <> 'preload'"
      "   AND end_ns > start_ns), run_id LIMIT 1";

  return request->run != 0 || !plot->one_run
         || bn_reader_int (reader, first_sql, plot->needs == BN_NEEDS_TASKS, 0, 0, &request->run, error);
}

gboolean
bn_plot_draw (const BnPlot *plot, BnReader *reader, const BnPlotRequest *asked, GPtrArray *made, gboolean *drawn,
              GError **error)
{
  BnPlotRequest settled = *asked, *request = &settled;
  BnGnuplot *gnuplot;
  char *csv_name, *csv_path, *name, *path;
  gboolean done = FALSE;

  *drawn = FALSE;
  if (!settle_run (plot, reader, request, error) || (gnuplot = bn_gnuplot_new (error)) == NULL)
    return FALSE;
  csv_name = g_strconcat (request->name ? request->name : plot->name, ".csv", NULL);
  name = g_strconcat (request->name ? request->name : plot->name, ".", request->format, NULL);
  csv_path = g_build_filename (request->dir, csv_name, NULL);
  path = g_build_filename (request->dir, name, NULL);

  if (prepare (plot, reader, request, csv_path, gnuplot, drawn, error))
    done = !*drawn || draw_picture (gnuplot, plot, request, csv_path, path, error);
  if (done && *drawn)
    {
      g_ptr_array_add (made, g_strdup (path));
      g_ptr_array_add (made, g_strdup (csv_path));
    }
  g_free (path);
  g_free (csv_path);
  g_free (name);
  g_free (csv_name);
  bn_gnuplot_free (gnuplot);
  return done;
}
