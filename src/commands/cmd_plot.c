/* cmd_plot.c: binnacle plot: draws the pictures of a results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "cli.h"
#include "plan_table.h"
#include "plot.h"
#include "units.h"

static const BnCliUsage usage = {
  .verb = "plot",
  .arguments = "FILE",
  .summary = "Draws the pictures of a results file with gnuplot, and leaves the rows of each as CSV\n"
             "beside it. Prints the name of each file it makes. binnacle list plots says what\n"
             "there is. Of a sweep it draws sweep and bars, of which --x, --y, --by, --ratio-to and\n"
             "--log say more; --where chooses one cell for the others.",
  .examples = "  binnacle plot results.db -o pictures --format png\n"
              "  binnacle plot results.db --scheduler 'compass, jit'\n"
              "  binnacle plot results.db --only gantt --run 2 --window 10s..20s\n"
              "  binnacle plot grid.db --only sweep --x workload.load --y slowdown_p99 --by servers.count --log\n"
              "  binnacle plot grid.db --only bars --y slowdown_mean,slowdown_p99 --ratio-to compass",
};

static gboolean
parse_window (const char *text, BnPlotRequest *request, GError **error)
{
  char **ends = g_strsplit (text, "..", 2);
  BnDuration from_ns, to_ns;
  gboolean good = FALSE;

  if (g_strv_length (ends) != 2)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "%s is not FROM..TO, as 10s..20s", text);
  else if (bn_parse_duration (ends[0], &from_ns, error) && bn_parse_duration (ends[1], &to_ns, error))
    {
      good = from_ns < to_ns;
      if (!good)
        g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "%s ends before it begins; write FROM..TO, as 10s..20s",
                     text);
    }
  if (good)
    {
      request->from_ns = from_ns;
      request->to_ns = to_ns;
    }
  else
    g_prefix_error (error, "plot: --window: ");
  g_strfreev (ends);
  return good;
}

static gboolean
check_format (const char *format, GError **error)
{
  if (g_strv_contains (bn_plot_formats, format))
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: --format %s: no such format; use svg, png or pdf",
               format);
  return FALSE;
}

static gboolean
make_dir (const char *dir, GError **error)
{
  if (g_mkdir_with_parents (dir, 0777) == 0)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT,
               "%s: cannot make this folder: %s; choose another with -o DIR", dir, g_strerror (errno));
  return FALSE;
}

/* Whether a run that is drawn has been recorded in enough detail. */
static gboolean
is_recorded (BnReader *reader, const BnPlot *plot, gboolean *recorded, GError **error)
{
  gint64 n;

  if (!bn_reader_int (reader,
                      "SELECT COUNT (*) FROM runs JOIN drawn USING (run_id) WHERE ?1 = 0 OR record = 'tasks'",
                      plot->needs == BN_NEEDS_TASKS, 0, 0, &n, error))
    return FALSE;
  *recorded = n > 0;
  return TRUE;
}

/* A picture that cannot be drawn is an error if it was asked for by name, else it
 * is left out with a word on standard error. */
static gboolean
draw_one (const BnPlot *plot, BnReader *reader, const BnPlotRequest *request, GPtrArray *made, GError **error)
{
  gboolean recorded, drawn = FALSE;
  const char *reason;

  if (!is_recorded (reader, plot, &recorded, error)
      || (recorded && !bn_plot_draw (plot, reader, request, made, &drawn, error)))
    return FALSE;
  if (drawn)
    return TRUE;
  reason = !recorded        ? "needs a run with --set scenario.record=tasks"
           : plot->of_plans ? "holds no plan; binnacle plan makes files with one"
           : plot->of_replays ? "no run of it is the replay of another; binnacle replay and validate make such"
           : plot->of_cells ? "nothing varies between its runs; binnacle sweep makes files in which something does"
                            : "nothing to draw";
  if (request->only != NULL)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "%s: %s: %s", bn_reader_path (reader), plot->name,
                   reason);
      return FALSE;
    }
  fprintf (stderr, "binnacle: %s left out: %s\n", plot->name, reason);
  return TRUE;
}

/* Whether the runs chosen are of several scenarios. A picture of one would mix them. */
static gboolean
has_several_cells (BnReader *reader, const BnPlot *only, gboolean *several, GError **error)
{
  BnCells *cells = bn_cells_read (bn_reader_db (reader), "SELECT run_id FROM drawn", error);

  if (cells == NULL)
    return FALSE;
  g_autofree char *keys = g_strjoinv (", ", cells->keys);
  *several = cells->n_keys > 0;
  bn_cells_free (cells);
  if (!*several || only == NULL || only->of_cells)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
               "plot: %s is of one scenario, and there are several; choose with --where KEY=VALUE, of %s", only->name,
               keys);
  return FALSE;
}

/* Options that say how the pictures of a sweep are drawn. */
static gboolean
check_request (const BnPlotRequest *request, GError **error)
{
  const char *wrong = request->name != NULL && request->only == NULL ? "--name goes with --only; give it, too"
                      : request->name != NULL && strchr (request->name, '/') != NULL
                        ? "--name is no path; give the folder with -o DIR"
                      : request->stable_limit < 0 ? "--stable-only: give a mean slowdown above 0, as 10"
                                                  : NULL;

  if (wrong == NULL)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: %s", wrong);
  return FALSE;
}

/* Pictures of runs beside their simulations are for files that have such. */
static gboolean
has_replays (BnReader *reader, gboolean *replays, GError **error)
{
  static const char sql[] = "SELECT COUNT (*) FROM runs JOIN drawn USING (run_id) WHERE replay_of IS NOT NULL";
  gint64 n;

  if (!bn_reader_int (reader, sql, 0, 0, 0, &n, error))
    return FALSE;
  *replays = n > 0;
  return TRUE;
}

/* Whether a picture is drawn when none is named. */
static gboolean
is_usual (const BnPlot *plot, gboolean several, gboolean replays, gboolean planned)
{
  if (planned || plot->of_plans)
    return planned && plot->of_plans;
  return plot->of_cells == several && (replays || !plot->of_replays);
}

static gboolean
draw_all (BnReader *reader, BnPlotRequest *request, const char *schedulers, char **where, GPtrArray *made,
          GError **error)
{
  const BnPlot *only = NULL;
  BnGnuplot *gnuplot;
  gboolean several, replays, planned;

  if (request->only != NULL && (only = bn_plot_find (request->only, error)) == NULL)
    return FALSE;
  if (request->run != 0 && !bn_reader_choose_run (reader, request->run, BN_NEEDS_SUMMARY, &request->run, error))
    return FALSE;
  if (!bn_plot_choose_runs (reader, request->run, schedulers, error)
      || (where != NULL && !bn_plot_narrow_runs (reader, (const char *const *) where, error))
      || !has_several_cells (reader, only, &several, error) || !has_replays (reader, &replays, error))
    return FALSE;
  gnuplot = bn_gnuplot_new (error);
  if (gnuplot == NULL || !make_dir (request->dir, error))
    {
      bn_gnuplot_free (gnuplot);
      return FALSE;
    }
  bn_gnuplot_free (gnuplot);
  planned = bn_plan_table_is_there (bn_reader_db (reader));
  for (guint i = 0; i < bn_n_plots; i++)
    if ((only == NULL ? is_usual (&bn_plots[i], several, replays, planned) : only == &bn_plots[i])
        && !draw_one (&bn_plots[i], reader, request, made, error))
      return FALSE;
  return TRUE;
}

static gboolean
plot (const char *path, BnPlotRequest *request, const char *schedulers, const char *window, char **where,
      GPtrArray *made, GError **error)
{
  BnReader *reader = NULL;
  gboolean done = FALSE;

  if (check_format (request->format, error) && check_request (request, error)
      && (window == NULL || parse_window (window, request, error)))
    reader = bn_reader_open (path, error);
  if (reader != NULL)
    done = draw_all (reader, request, schedulers, where, made, error);
  bn_reader_close (reader);
  return done;
}

int
bn_cmd_plot (int argc, char **argv)
{
  GError *error = NULL;
  BnPlotRequest request = { .from_ns = BN_TIME_NEVER };
  GPtrArray *made;
  GString *list;
  char *dir = NULL, *format = NULL, *only = NULL, *schedulers = NULL, *window = NULL;
  char *name = NULL, *x = NULL, *y = NULL, *by = NULL, *ratio_to = NULL, **where = NULL;
  gboolean done;
  int exit;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &dir, "Put the pictures into DIR (default: plots)", "DIR" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format, "svg, png or pdf (default: svg)", "FORMAT" },
    { "only", 0, 0, G_OPTION_ARG_STRING, &only, "Draw this picture only", "NAME" },
    { "run", 'r', 0, G_OPTION_ARG_INT64, &request.run,
      "Draw this run only (default: all; gantt: the first that loads)", "N" },
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &schedulers, "Draw these variants only, or all variants of a scheduler",
      "NAME[,NAME…]" },
    { "window", 'w', 0, G_OPTION_ARG_STRING, &window, "What gantt shows of its run (default: chosen)", "FROM..TO" },
    { "where", 0, 0, G_OPTION_ARG_STRING_ARRAY, &where,
      "Draw runs with this value only, or one of these; may be repeated", "SECTION.KEY=VALUE[,VALUE…]" },
    { "x", 0, 0, G_OPTION_ARG_STRING, &x, "sweep: the key along the axis (default: the load, else the last)", "KEY" },
    { "y", 0, 0, G_OPTION_ARG_STRING, &y,
      "sweep: the metric; bars: metrics (binnacle list metrics)", "NAME[,NAME…]" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &by,
      "sweep: the keys that make panels (default: all others)", "KEY[,KEY…]" },
    { "ratio-to", 0, 0, G_OPTION_ARG_STRING, &ratio_to, "sweep, bars: divide by this one (bars: else by the first)",
      "SCHEDULER" },
    { "stable-only", 0, 0, G_OPTION_ARG_DOUBLE, &request.stable_limit,
      "bars: cells where that one's mean slowdown is below LIMIT", "LIMIT" },
    { "log", 0, 0, G_OPTION_ARG_NONE, &request.log_scale, "sweep: logarithmic values", NULL },
    { "name", 0, 0, G_OPTION_ARG_STRING, &name, "With --only: what the files are called (default: as the picture)",
      "NAME" },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &exit))
    return exit;
  request.dir = dir ? dir : "plots";
  request.format = format ? format : "svg";
  request.only = only;
  request.name = name;
  request.x = x;
  request.y = y;
  request.by = by;
  request.ratio_to = ratio_to;
  made = g_ptr_array_new_with_free_func (g_free);
  done = plot (argv[1], &request, schedulers, window, where, made, &error);
  list = g_string_new (NULL);
  for (guint i = 0; i < made->len; i++)
    g_string_append_printf (list, "%s\n", (const char *) made->pdata[i]);
  exit = bn_cli_print (list->str);
  if (!done)
    exit = bn_cli_fail (error);
  g_string_free (list, TRUE);
  g_ptr_array_free (made, TRUE);
  g_free (dir);
  g_free (format);
  g_free (only);
  g_free (schedulers);
  g_free (window);
  g_free (name);
  g_free (x);
  g_free (y);
  g_free (by);
  g_free (ratio_to);
  g_strfreev (where);
  return exit;
}
