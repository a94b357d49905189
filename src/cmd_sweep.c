/* cmd_sweep.c: binnacle sweep: a scenario for every combination of values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "comparison.h"
#include "sweep_pool.h"

#define MAX_PROCESSES 4096
#define NOT_GIVEN (-1)

static const BnCliUsage usage = {
  .verb = "sweep",
  .arguments = "SCENARIO.ini",
  .summary = "Runs the scenario once for every combination of the values that its section [sweep]\n"
             "and --vary give, each with all schedulers and seeds, into one results file. Prints a\n"
             "row for each combination and scheduler. doc/sweep.md has the format.",
  .examples = "  binnacle sweep demo --vary workload.load=0.5..0.9:5 --vary servers.count=5,10 --seeds 3 -j 2\n"
              "  binnacle sweep demo --vary 'servers.count,workload.jobs = 5:1000 20:4000' -o sizes.db\n"
              "  binnacle plot sizes.db --only sweep --y slowdown_p99 --log\n"
              "  binnacle sweep beyond-grid -j 4 -o grid.db   (48 cells, 720 runs)",
};

typedef struct Options
{
  char *output, *seed_list, *format;
  char **vary;
  BnCliKeys keys;
  gint n_seeds, n_processes;
  gboolean list, replace, quiet;
} Options;

static void
options_clear (Options *o)
{
  g_free (o->output);
  g_free (o->seed_list);
  g_free (o->format);
  g_strfreev (o->vary);
  bn_cli_keys_clear (&o->keys);
}

static gboolean
check_options (const Options *o, GError **error)
{
  gboolean counted = o->n_seeds != NOT_GIVEN;
  const char *wrong = counted && (o->n_seeds < 1 || o->n_seeds > 10000) ? "--seeds: give 1 to 10000, as --seeds 3"
                      : counted && o->seed_list != NULL ? "--seeds and --seed at once; give one of them"
                      : o->n_processes < 1 || o->n_processes > MAX_PROCESSES ? "-j: give 1 to 4096, as -j 4"
                                                                             : NULL;

  if (wrong == NULL)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "sweep: %s", wrong);
  return FALSE;
}

static int
report (const BnSweep *sweep, const BnSweepOutcome *outcome, const char *output, gboolean quiet)
{
  guint n = bn_sweep_n_cells (sweep);

  if (outcome->n_done == 0)
    {
      fprintf (stderr, "binnacle: %s; no file was made\n",
               outcome->interrupted ? "interrupted before the first cell ended" : "no cell ended");
      return outcome->interrupted ? BN_EXIT_FOUND : BN_EXIT_BAD_INPUT;
    }
  if (outcome->interrupted)
    fprintf (stderr, "binnacle: interrupted after %u of %u cells; what was done is in %s\n", outcome->n_done, n,
             output);
  else if (outcome->n_failed > 0)
    fprintf (stderr, "binnacle: %u of %u cells failed; the others are in %s\n", outcome->n_failed, n, output);
  else if (!quiet)
    fprintf (stderr, "binnacle: %u cell%s with %u run%s each in %s; next: binnacle plot %s\n", n, n == 1 ? "" : "s",
             bn_sweep_n_runs (sweep), bn_sweep_n_runs (sweep) == 1 ? "" : "s", output, output);
  return outcome->interrupted || outcome->n_failed > 0 || outcome->n_found > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
}

/* Only the pool takes signals: from before there is a file until it is whole, none
 * leaves half of one. */
static void
block_signals (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
  sigset_t signals;

  sigemptyset (&signals);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigaddset (&signals, numbers[i]);
  sigprocmask (SIG_BLOCK, &signals, NULL);
}

static int
run_sweep (const BnSweep *sweep, const Options *o, const char *output, BnCliFormat format)
{
  GError *error = NULL;
  BnSweepPool pool = { (guint) o->n_processes, !o->quiet && isatty (STDERR_FILENO) };
  BnSweepOutcome outcome = { 0 };

  block_signals ();
  BnResults *results = bn_results_create (output, o->replace, &error);
  if (results == NULL)
    return bn_cli_fail (error);
  for (char **remark = bn_sweep_remarks (sweep); *remark != NULL; remark++)
    fprintf (stderr, "binnacle: %s\n", *remark);
  gboolean ok = bn_sweep_pool_run (&pool, sweep, results, output, &outcome, &error)
                && (outcome.n_done == 0 || bn_comparison_print (bn_results_database (results), TRUE, format, &error));
  if (!ok || outcome.n_done == 0)
    bn_results_abandon (results);
  else
    ok = bn_results_close (results, &error);
  return ok ? report (sweep, &outcome, output, o->quiet) : bn_cli_fail (error);
}

/* A line for each cell, as `binnacle run` takes it. */
static int
print_cells (const BnSweep *sweep)
{
  GString *text = g_string_new (NULL);

  for (guint cell = 0; cell < bn_sweep_n_cells (sweep); cell++)
    {
      g_autofree char *arguments = bn_sweep_cell_arguments (sweep, cell);
      g_string_append_printf (text, "%s\n", arguments);
    }
  int status = bn_cli_print (text->str);
  g_string_free (text, TRUE);
  return status;
}

static int
sweep_scenario (const char *name, const Options *o, BnCliFormat format)
{
  GError *error = NULL;
  g_autofree char *seeds = o->n_seeds > 0 ? g_strdup_printf ("1..%d", o->n_seeds) : g_strdup (o->seed_list);
  BnCliKeys keys = o->keys;
  keys.seeds = seeds;
  g_auto (GStrv) overrides = bn_cli_overrides (&keys);
  g_autofree char *path = bn_cli_scenario_file (name, &error);
  BnSweep *sweep = path == NULL ? NULL
                                : bn_sweep_read (path, (const char *const *) o->vary,
                                                 (const char *const *) overrides, &error);

  if (sweep != NULL && bn_sweep_is_real (sweep) && o->n_processes > 1)
    {
      g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                   "sweep: -j %d: cells that really execute would disturb each other; leave -j out", o->n_processes);
      g_clear_pointer (&sweep, bn_sweep_free);
    }
  if (sweep == NULL)
    return bn_cli_fail (error);
  g_autofree char *output = o->output != NULL ? g_strdup (o->output) : bn_cli_default_output (path);
  int status = o->list ? print_cells (sweep) : run_sweep (sweep, o, output, format);
  bn_sweep_free (sweep);
  return status;
}

int
bn_cmd_sweep (int argc, char **argv)
{
  Options o = { .n_seeds = NOT_GIVEN, .n_processes = 1 };
  GError *error = NULL;
  BnCliFormat format;
  int status;
  const GOptionEntry entries[] = {
    { "vary", 'v', 0, G_OPTION_ARG_STRING_ARRAY, &o.vary, "run it with each of these values; may be repeated",
      "SECTION.KEY=VALUES" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.keys.set, "override a key in all cells; may be repeated",
      "SECTION.KEY=VALUE" },
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &o.keys.schedulers, "compare these instead, as name or name[key=value,...]",
      "LIST" },
    { "seeds", 0, 0, G_OPTION_ARG_INT, &o.n_seeds, "use the seeds 1 to N instead", "N" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &o.seed_list, "use these seeds instead, as 1 2 3 or 1..10", "SEEDS" },
    { "record", 0, 0, G_OPTION_ARG_STRING, &o.keys.record, "how much to keep: summary, jobs or tasks", "LEVEL" },
    BN_CLI_BACKEND_ENTRIES (o.keys),
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &o.n_processes, "so many cells at a time (default: 1)", "N" },
    { "list", 0, 0, G_OPTION_ARG_NONE, &o.list, "print what `binnacle run` takes for each cell, and run none", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "the database to make (default: NAME.db here, of NAME.ini)",
      "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace, "replace an existing results file", NULL },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the table: text, csv or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "no progress line and no closing line", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &status))
    ;
  else if (!bn_cli_format (o.format, &format, &error) || !check_options (&o, &error))
    status = bn_cli_fail (error);
  else
    status = sweep_scenario (argv[1], &o, format);
  options_clear (&o);
  return status;
}
