/* cmd_metrics.c: binnacle metrics: what was measured, whole or over time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "cells.h"
#include "cli.h"
#include "output.h"
#include "ratios.h"
#include "reader.h"
#include "report.h"
#include "tally.h"
#include "units.h"
#include "where.h"
#include "windows.h"

/* Options.run where it is not given. */
#define ALL_RUNS G_MININT64

static const BnCliUsage usage = {
  .verb = "metrics",
  .arguments = "FILE",
  .summary = "Prints the metrics of a results file: of every run, or of one. Their definitions are in\n"
             "doc/metrics.md; `binnacle list metrics` prints names and units. With --by, one run over\n"
             "time; this needs jobs recorded, and tasks for the hit rate. With --ratio-to, each\n"
             "scheduler divided by one of them: geometric means over the cells of a sweep.",
  .examples = "  binnacle metrics results.db\n"
              "  binnacle metrics results.db --run 2 --by time=1s --format csv\n"
              "  binnacle metrics grid.db --ratio-to compass --stable-only 10 --where servers.count=5,20",
};

static const BnColumn columns[] = {
  { "run", "run", "", 0 },
  { "variant", "scheduler", "", 0 },
  { "seed", "seed", "", 0 },
  { "metric", "metric", "", 0 },
  { "workflow", "workflow", "", 0 },
  { "value", "value", "", 3 },
  { "unit", "unit", "", 0 },
};

static gboolean
parse_by (const char *by, BnDuration *ret, GError **error)
{
  if (!g_str_has_prefix (by, "time="))
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "--by: %s: not known; give time= and a duration, as time=1s", by);
  else if (bn_parse_duration (by + strlen ("time="), ret, error))
    {
      if (*ret > 0)
        return TRUE;
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--by: windows of no length; give a time as time=1s");
    }
  else
    g_prefix_error (error, "--by: ");
  return FALSE;
}

static void
add_value (BnTable *table, double value)
{
  if (fabs (value) < 9e15 && value == floor (value))
    bn_table_integer (table, (gint64) value);
  else
    bn_table_real (table, value);
}

/* The metrics in the order of the program's list; names it does not know come last. */
static char *
metrics_query (void)
{
  GString *sql = g_string_new ("WITH places (name, place) AS (VALUES ");

  for (guint i = 0; i < bn_n_metric_infos; i++)
    g_string_append_printf (sql, "%s('%s', %u)", i > 0 ? ", " : "", bn_metric_infos[i].name, i);
  g_string_append (sql,
    ") SELECT r.run_id, r.shown, r.seed, m.name, m.scope, m.value, m.unit FROM metrics m JOIN v_runs r USING (run_id)"
    " LEFT JOIN workflows w ON w.run_id = m.run_id AND w.name = m.scope LEFT JOIN places p ON p.name = m.name"
    " WHERE ?1 IN (0, r.run_id) ORDER BY r.run_id, w.workflow, p.place NULLS LAST, m.name");
  return g_string_free (sql, FALSE);
}

/* Of run `run`, or of all where it is 0. */
static BnTable *
metrics_table (BnReader *reader, gint64 run, GError **error)
{
  GError *failure = NULL;
  char *sql = metrics_query ();
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, run, 0, error);
  BnTable *table;

  g_free (sql);
  if (stmt == NULL)
    return NULL;
  table = bn_table_new (columns, G_N_ELEMENTS (columns));
  while (bn_reader_step (reader, stmt, &failure))
    {
      bn_table_integer (table, sqlite3_column_int64 (stmt, 0));
      for (int c = 1; c <= 3; c++)
        bn_table_text (table, (const char *) sqlite3_column_text (stmt, c));
      if (sqlite3_column_bytes (stmt, 4) > 0)
        bn_table_text (table, (const char *) sqlite3_column_text (stmt, 4));
      else
        bn_table_missing (table);
      if (sqlite3_column_type (stmt, 5) == SQLITE_NULL)
        bn_table_missing (table);
      else
        add_value (table, sqlite3_column_double (stmt, 5));
      bn_table_text (table, (const char *) sqlite3_column_text (stmt, 6));
    }
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return table;
  g_propagate_error (error, failure);
  bn_table_free (table);
  return NULL;
}

typedef struct Options
{
  gint64 run;
  char *by, *ratio_to, *format;
  char **where, **metrics;
  double stable_limit;
} Options;

static void
options_clear (Options *o)
{
  g_free (o->by);
  g_free (o->ratio_to);
  g_free (o->format);
  g_strfreev (o->where);
  g_strfreev (o->metrics);
}

static gboolean
check_options (const Options *o, GError **error)
{
  const char *wrong = o->ratio_to == NULL && (o->where != NULL || o->metrics != NULL || o->stable_limit != 0)
                        ? "--where, --metric and --stable-only go with --ratio-to; give it, too"
                      : o->ratio_to != NULL && (o->by != NULL || o->run != ALL_RUNS)
                        ? "--ratio-to is of all runs; leave out --by and --run"
                      : o->run != ALL_RUNS && o->run < 1 ? "--run: runs are numbered from 1"
                      : o->stable_limit < 0 ? "--stable-only: give a mean slowdown above 0, as 10"
                                            : NULL;

  if (wrong == NULL)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "metrics: %s", wrong);
  return FALSE;
}

static BnTable *
ratio_table (BnReader *reader, const Options *o, GError **error)
{
  sqlite3 *db = bn_reader_db (reader);
  BnRatioRequest request = { o->ratio_to, (const char *const *) o->metrics, o->stable_limit };
  g_autofree char *chosen = bn_where_query (db, (const char *const *) o->where, error);
  BnCells *cells = chosen != NULL ? bn_cells_read (db, chosen, error) : NULL;
  BnTable *table = cells != NULL ? bn_ratio_table (cells, db, &request, error) : NULL;

  bn_cells_free (cells);
  return table;
}

static BnTable *
table_of (const char *path, const Options *o, GError **error)
{
  BnDuration width_ns = 0;
  BnTable *table = NULL;
  BnReader *reader;
  gint64 run = o->run == ALL_RUNS ? 0 : o->run;

  if (!check_options (o, error) || (o->by != NULL && !parse_by (o->by, &width_ns, error)))
    return NULL;
  reader = bn_reader_open (path, error);
  if (reader == NULL)
    return NULL;
  if (o->ratio_to != NULL)
    table = ratio_table (reader, o, error);
  else if (o->by != NULL)
    {
      if (bn_reader_choose_run (reader, run, BN_NEEDS_JOBS, &run, error))
        table = bn_windows_table (reader, run, width_ns, error);
    }
  else if (run == 0 || bn_reader_choose_run (reader, run, BN_NEEDS_SUMMARY, &run, error))
    table = metrics_table (reader, run, error);
  bn_reader_close (reader);
  return table;
}

static gboolean
print (const BnTable *table, BnCliFormat format, GError **error)
{
  BnOutput *out = bn_output_open (NULL, error);

  if (out == NULL)
    return FALSE;
  if (bn_table_print (table, format, bn_output_file (out), error))
    return bn_output_close (out, error);
  bn_output_abandon (out);
  return FALSE;
}

int
bn_cmd_metrics (int argc, char **argv)
{
  GError *error = NULL;
  Options o = { .run = ALL_RUNS };
  BnTable *table = NULL;
  BnCliFormat format;
  gboolean done = FALSE;
  int exit;
  const GOptionEntry entries[] = {
    { "run", 'r', 0, G_OPTION_ARG_INT64, &o.run, "Which run (default: all; with --by: the only one)", "N" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &o.by, "Over time, in windows of this length", "time=DURATION" },
    { "ratio-to", 0, 0, G_OPTION_ARG_STRING, &o.ratio_to, "Divide each scheduler's metrics by this one's",
      "SCHEDULER" },
    { "metric", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.metrics,
      "With --ratio-to: this metric; may be repeated", "NAME" },
    { "stable-only", 0, 0, G_OPTION_ARG_DOUBLE, &o.stable_limit,
      "With --ratio-to: cells where that one's mean slowdown is below LIMIT", "LIMIT" },
    { "where", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.where,
      "With --ratio-to: runs with this value, or one of these; may be repeated", "SECTION.KEY=VALUE[,VALUE…]" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "text, csv or json (default: text)", "FORMAT" },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &exit))
    return exit;
  if (bn_cli_format (o.format, &format, &error))
    table = table_of (argv[1], &o, &error);
  if (table != NULL)
    {
      done = print (table, format, &error);
      bn_table_free (table);
    }
  options_clear (&o);
  return done ? BN_EXIT_OK : bn_cli_fail (error);
}
