/* cmd_plan.c: binnacle plan: how many servers, with what certainty.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "mpi_command.h"
#include "plan.h"
#include "plan_table.h"
#include "reader.h"

static const BnCliUsage usage = {
  .verb = "plan",
  .arguments = "SCENARIO.ini|RESULTS.db",
  .summary = "Says how many servers each scheduler needs to keep promises such as p99(latency) <= 1.5s,\n"
             "and between which numbers that is certain: below N_lo they are broken, from N_hi on they\n"
             "are kept, each at one-sided 95 %; in between more seeds would have to tell. With --solve\n"
             "rate it says how much load the servers there are carry, with --gpu which mix of GPUs is\n"
             "cheapest. A results file is printed again. Interrupted, the same command goes on.\n"
             "doc/planning.md tells how it searches and what the numbers mean.",
  .examples = "  binnacle plan demo --slo 'p99(latency) <= 8s' --scheduler compass,jit -j 2\n"
              "  binnacle plan demo --slo 'p95(slowdown) <= 3' --vary workload.rate=2/s,4/s,8/s -o plan.db\n"
              "  binnacle plot plan.db\n"
              "  binnacle plan demo --slo 'mean(latency) <= 1s' --solve rate\n"
              "  binnacle plan groups.ini --slo 'p99(latency) <= 5s' --gpu t4:0.35/h --gpu a10:0.75/h\n",
};

typedef struct Options
{
  BnPlanOptions asked;
  BnCliKeys keys;
  char *output, *format;
  char **vary;
  gint n_processes;
  gboolean replace, quiet;
  BnRanks *ranks;    /* borrowed; NULL: alone */
  gboolean interrupted;
} Options;

static void
options_clear (Options *o)
{
  g_strfreev (o->asked.slo);
  g_strfreev (o->asked.gpu);
  g_free (o->asked.over);
  g_free (o->asked.solve);
  g_free (o->asked.max);
  g_free (o->asked.precision);
  g_free (o->asked.seeds);
  bn_cli_keys_clear (&o->keys);
  g_free (o->output);
  g_free (o->format);
  g_strfreev (o->vary);
}

static void
show_progress (const BnPlanProgress *p)
{
  fprintf (stderr, "\r\033[K%u of %u searches over, %u runs", p->n_over, p->n_searches, p->n_runs);
  if (p->n_kept > 0)
    fprintf (stderr, ", %u of them found in the file", p->n_kept);
  fflush (stderr);
}

static gboolean
print_plan (sqlite3 *db, BnCliFormat format, gboolean quiet, GError **error)
{
  g_autofree char *title = bn_plan_table_title (db);

  if (title != NULL && !quiet && format == BN_FORMAT_TEXT)
    fprintf (stderr, "binnacle: %s, over seeds, each bound at one-sided 95 %%\n", title);
  return bn_plan_table_print (db, format, error);
}

/* Runs it, and prints what was found. */
static gboolean
run_in (BnPlan *plan, BnPool *pool, const Options *o, BnCliFormat format, BnPlanProgress *progress, GError **error)
{
  sqlite3 *db = bn_results_database (bn_pool_results (pool));
  gboolean show = !o->quiet && isatty (STDERR_FILENO);

  if (!bn_plan_begin (plan, db, error))
    return FALSE;
  gboolean ok = bn_plan_run (plan, pool, show ? show_progress : NULL, progress, error);
  if (show)
    fputs ("\r\033[K", stderr);
  return ok && (progress->interrupted
                || (bn_plan_store (plan, db, error) && print_plan (db, format, o->quiet, error)));
}

static int
run_plan (BnPlan *plan, Options *o, const char *output, BnCliFormat format)
{
  GError *error = NULL, *close_error = NULL;
  BnPoolOptions pool_options = { .n_processes = (guint) o->n_processes, .replace = o->replace,
                                 .ranks = o->ranks };
  BnPlanProgress progress = { 0 };

  bn_ranks_block_signals ();
  BnPool *pool = bn_pool_new (output, &pool_options, &error);
  if (pool == NULL)
    return bn_cli_fail (error);
  for (char **remark = bn_plan_remarks (plan); *remark != NULL; remark++)
    fprintf (stderr, "binnacle: %s\n", *remark);
  gboolean ok = run_in (plan, pool, o, format, &progress, &error);
  if (!bn_pool_close (pool, &close_error) && ok)
    {
      error = g_steal_pointer (&close_error);
      ok = FALSE;
    }
  g_clear_error (&close_error);
  if (!ok)
    return bn_cli_fail (error);
  o->interrupted = progress.interrupted;
  if (progress.interrupted)
    {
      if (g_file_test (output, G_FILE_TEST_EXISTS))
        fprintf (stderr, "binnacle: interrupted; the same command goes on, with the runs that are in %s\n", output);
      else
        fputs ("binnacle: interrupted before the first run ended; no file was made\n", stderr);
      return BN_EXIT_FOUND;
    }
  if (!o->quiet && !g_file_test (output, G_FILE_TEST_EXISTS))
    fputs ("binnacle: no file was made: there is no run to keep\n", stderr);
  else if (!o->quiet && progress.n_runs > 0)
    fprintf (stderr, "binnacle: %u runs in %s; next: binnacle plot %s\n", progress.n_runs, output, output);
  return progress.n_unanswered > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
}

/* demo.ini makes demo-plan.db here: demo.db is what other verbs make. Returns: (transfer
 * full). */
static char *
default_output (const char *path)
{
  g_autofree char *usual = bn_cli_default_output (path);

  usual[strlen (usual) - strlen (".db")] = '\0';
  return g_strconcat (usual, "-plan.db", NULL);
}

static int
plan_scenario (const char *name, Options *o, BnCliFormat format)
{
  GError *error = NULL;
  g_auto (GStrv) overrides = bn_cli_overrides (&o->keys);
  g_autofree char *path = bn_cli_scenario_file (name, &error);
  BnPlanRequest request;
  int status;

  if (path == NULL)
    return bn_cli_fail (error);
  gboolean ok = bn_plan_request_read (&request, path, &o->asked, &error);
  BnPlan *plan = ok ? bn_plan_new (path, (const char *const *) o->vary, (const char *const *) overrides, &request,
                                   &error)
                    : NULL;
  if (plan == NULL)
    status = bn_cli_fail (error);
  else
    {
      g_autofree char *output = o->output != NULL ? g_strdup (o->output) : default_output (path);
      status = run_plan (plan, o, output, format);
    }
  bn_plan_free (plan);
  bn_plan_request_clear (&request);
  return status;
}

/* What only a scenario can be asked. */
static gboolean
check_file_options (const char *path, const Options *o, GError **error)
{
  const BnPlanOptions *a = &o->asked;
  gboolean asked = a->slo != NULL || a->gpu != NULL || a->over != NULL || a->solve != NULL || a->max != NULL
                   || a->precision != NULL || a->seeds != NULL || o->vary != NULL || o->keys.set != NULL
                   || o->keys.schedulers != NULL || o->keys.plugins != NULL || o->keys.record != NULL
                   || o->output != NULL || o->replace;

  if (asked)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "plan: %s holds what was found, which is printed again as it is; to ask something else give the"
                 " scenario, and this file with -o: it keeps its runs", path);
  return !asked;
}

/* Prints again what a results file says. */
static int
print_file (const char *path, const Options *o, BnCliFormat format)
{
  GError *error = NULL;
  BnReader *reader = check_file_options (path, o, &error) ? bn_reader_open (path, &error) : NULL;
  gboolean ok = reader != NULL;

  if (ok && !bn_plan_table_is_there (bn_reader_db (reader)))
    {
      g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: holds no plan; binnacle plan SCENARIO.ini --slo 'p99(latency) <= 1.5s' makes one", path);
      ok = FALSE;
    }
  ok = ok && print_plan (bn_reader_db (reader), format, o->quiet, &error);
  bn_reader_close (reader);
  return ok ? BN_EXIT_OK : bn_cli_fail (error);
}

static int
run_verb (int argc, char **argv, BnRanks *ranks, gboolean *interrupted)
{
  Options o = { .n_processes = 1, .ranks = ranks };
  GError *error = NULL;
  BnCliFormat format;
  int status;
  const GOptionEntry entries[] = {
    { "slo", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.asked.slo, "what to keep, as 'p99(latency) <= 1.5s'; may be repeated",
      "PROMISE" },
    { "over", 0, 0, G_OPTION_ARG_STRING, &o.asked.over, "what to count (default: servers.count)", "SECTION.KEY" },
    { "solve", 0, 0, G_OPTION_ARG_STRING, &o.asked.solve, "rate: find the greatest load instead", "WHAT" },
    { "gpu", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.asked.gpu,
      "find the cheapest mix of these server groups, as t4:0.35/h; may be repeated", "GROUP:PRICE" },
    { "max", 0, 0, G_OPTION_ARG_STRING, &o.asked.max, "look no further (default: 1000)", "N" },
    { "seeds", 0, 0, G_OPTION_ARG_STRING, &o.asked.seeds,
      "so many at first, and at most where it is undecided (default: 5..40)", "K..M" },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &o.asked.precision, "of a load, relative (default: 2%)", "SHARE" },
    { "vary", 'v', 0, G_OPTION_ARG_STRING_ARRAY, &o.vary, "plan for each of these values; may be repeated",
      "SECTION.KEY=VALUES" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.keys.set, "override a key of the scenario; may be repeated",
      "SECTION.KEY=VALUE" },
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &o.keys.schedulers,
      "plan for these instead, as name or name[key=value,...]", "LIST" },
    BN_CLI_PLUGIN_ENTRY (o.keys),
    { "record", 0, 0, G_OPTION_ARG_STRING, &o.keys.record,
      "how much to keep of each run: summary (default), jobs or tasks", "LEVEL" },
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &o.n_processes, "so many runs at a time; 0: one a processor (default: 1)",
      "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "the database (default: NAME-plan.db here, of NAME.ini)",
      "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace, "begin anew where the database is there already", NULL },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the table: text, csv or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "the table alone", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &status))
    ;
  else if (!bn_cli_format (o.format, &format, &error))
    status = bn_cli_fail (error);
  else if (o.n_processes < 0 || o.n_processes > BN_POOL_MAX_PROCESSES)
    {
      g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plan: -j: give 0 to %d, as -j 4", BN_POOL_MAX_PROCESSES);
      status = bn_cli_fail (error);
    }
  else if (bn_reader_is_database (argv[1]))
    status = print_file (argv[1], &o, format);
  else
    status = plan_scenario (argv[1], &o, format);
  *interrupted = o.interrupted;
  options_clear (&o);
  return status;
}

int
bn_cmd_plan (int argc, char **argv)
{
  return bn_ranks_command (argc, argv, run_verb);
}
