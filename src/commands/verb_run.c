/* verb_run.c: from a scenario file to a table and a database.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "verb_run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "comparison.h"
#include "reader.h"
#include "replicate.h"

typedef struct Options
{
  char *output;
  gboolean no_bound;
  gboolean replace;
  gboolean quiet;
  BnCliKeys keys;
  char *format;
  char *base, *precision, *costs;
  gint max_seeds;              /* G_MININT: not given */
  BnPrecisionGoal goal;        /* of precision; metric NULL without */
} Options;

static void
options_clear (Options *o)
{
  g_free (o->output);
  bn_cli_keys_clear (&o->keys);
  g_free (o->format);
  g_free (o->base);
  g_free (o->precision);
  g_free (o->costs);
  bn_precision_clear (&o->goal);
}

/* Options that say how to run mean nothing for what has been run. */
static gboolean
check_no_run_options (const char *path, const Options *o, GError **error)
{
  const char *given = o->keys.set          ? "--set"
                      : o->keys.schedulers ? "--scheduler"
                      : o->keys.plugins    ? "--plugin"
                      : o->keys.seeds      ? "--seed"
                      : o->keys.record     ? "--record"
                      : o->keys.backend    ? "--backend"
                      : o->keys.speed      ? "--speed"
                      : o->keys.scale      ? "--scale"
                      : o->keys.profile    ? "--profile"
                      : o->keys.verify     ? "--verify"
                      : o->output          ? "--output"
                      : o->replace         ? "--replace"
                      : o->precision       ? "--precision"
                      : o->costs           ? "--costs"
                                           : NULL;

  if (!given)
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
               "compare: %s holds runs that are done, %s cannot change them; give the scenario to run it again", path,
               given);
  return FALSE;
}

static int
print_results_file (const char *path, const Options *o, gboolean mean_over_seeds, BnCliFormat format)
{
  GError *error = NULL;
  BnReader *reader = bn_reader_open (path, &error);
  gboolean ok = reader
                && bn_comparison_print (bn_reader_db (reader), mean_over_seeds, o->base, format, &error);

  bn_reader_close (reader);
  return ok ? BN_EXIT_OK : bn_cli_fail (error);
}

static int
report_outcome (const BnExperimentOutcome *outcome, const char *output, gboolean quiet)
{
  const char *runs = outcome->n_runs == 1 ? "run" : "runs";

  for (guint i = 0; i < outcome->remarks->len; i++)
    fprintf (stderr, "binnacle: %s\n", (const char *) outcome->remarks->pdata[i]);
  if (outcome->interrupted)
    fprintf (stderr, "binnacle: interrupted after %" G_GINT64_FORMAT " %s; what was done is in %s\n",
             outcome->n_runs, runs, output);
  else if (!quiet)
    fprintf (stderr, "binnacle: %" G_GINT64_FORMAT " %s in %s; next: binnacle plot %s\n", outcome->n_runs, runs,
             output, output);
  return outcome->n_unfinished > 0 || outcome->n_violations > 0 || outcome->interrupted ? BN_EXIT_FOUND : BN_EXIT_OK;
}

/* Costs can be taken from the file: somebody needs them, and what is made is another file. */
static gboolean
check_costs (const BnScenario *scenario, const char *costs, const char *output, GError **error)
{
  gboolean needed = bn_scenario_measures_decisions (scenario);

  if (costs == NULL || (needed && !bn_reader_is_same_file (costs, output)))
    return TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
               needed ? "--costs: %s is the file to be made; name another one with -o"
                      : "--costs %s: no scheduler here has decision-cost = measured", costs);
  return FALSE;
}

static int
run_scenario (const char *name, const Options *o, gboolean mean_over_seeds, BnCliFormat format)
{
  GError *error = NULL;
  g_auto (GStrv) overrides = bn_cli_overrides (&o->keys);
  g_autofree char *path = bn_cli_scenario_file (name, &error);
  BnScenario *scenario = path ? bn_scenario_read (path, (const char *const *) overrides, &error) : NULL;
  g_autofree char *output = o->output ? g_strdup (o->output) : path ? bn_cli_default_output (path) : NULL;

  if (!scenario || !bn_scenario_backend_usable (scenario, &error) || !bn_comparison_check_base (scenario, o->base, &error)
      || !check_costs (scenario, o->costs, output, &error))
    {
      bn_scenario_free (scenario);
      return bn_cli_fail (error);
    }
  g_autofree char *repeat = bn_scenario_arguments (path, (const char *const *) overrides, NULL, 0, TRUE);
  const char *debug = g_getenv ("BN_DEBUG");
  /* from before there is a file: a signal never leaves half of one */
  BnInterrupt *interrupt = bn_interrupt_new ();
  BnExperimentOptions options = { .progress = !o->quiet && isatty (STDERR_FILENO),
                                  .debug_check = debug && strcmp (debug, "check") == 0,
                                  .repeat_arguments = repeat,
                                  .interrupt = interrupt,
                                  .no_bound = o->no_bound,
                                  .costs = o->costs };
  BnExperimentOutcome outcome = { 0 };
  BnResults *results = bn_results_create (output, o->replace, &error);
  int status;

  if (!results)
    {
      bn_interrupt_free (interrupt);
      bn_scenario_free (scenario);
      return bn_cli_fail (error);
    }
  for (char **remark = scenario->remarks; *remark; remark++)
    fprintf (stderr, "binnacle: %s\n", *remark);
  if (scenario->sweep_line != 0 && !o->quiet)
    fprintf (stderr, "binnacle: %s:%u: [sweep] is for binnacle sweep; this is the scenario without it\n", path,
             scenario->sweep_line);
  gboolean reached = TRUE;
  gboolean ok = o->goal.metric != NULL
                  ? bn_replicate (scenario, results, &o->goal, &options, &outcome, &reached, &error)
                  : bn_experiment_run (scenario, results, &options, &outcome, &error);
  ok = ok
       && (outcome.n_runs == 0
           || bn_comparison_print (bn_results_database (results), mean_over_seeds, o->base, format, &error));
  if (!ok)
    {
      bn_results_abandon (results);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) && g_file_test (output, G_FILE_TEST_EXISTS))
        fprintf (stderr, "binnacle: what had happened by then is in %s\n", output);
      status = bn_cli_fail (error);
    }
  else if (outcome.interrupted && outcome.n_runs == 0)
    {
      bn_results_abandon (results);
      fputs ("binnacle: interrupted before the first run; no file was made\n", stderr);
      status = BN_EXIT_FOUND;
    }
  else if (!bn_results_close (results, &error))
    status = bn_cli_fail (error);
  else
    status = MAX (report_outcome (&outcome, output, o->quiet), reached ? BN_EXIT_OK : BN_EXIT_FOUND);
  bn_experiment_outcome_clear (&outcome);
  bn_interrupt_free (interrupt);
  bn_scenario_free (scenario);
  return status;
}

int
bn_verb_run (const BnCliUsage *usage, gboolean mean_over_seeds, gboolean takes_results, int argc, char **argv)
{
  Options o = { .max_seeds = G_MININT };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "the database to make (default: NAME.db here, of NAME.ini)",
      "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace,
      "replace an existing results file; what is in it is gone when the first run starts", NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.keys.set, "override a key of the scenario; may be repeated",
      "SECTION.KEY=VALUE" },
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &o.keys.schedulers, "compare these instead, as name or name[key=value,...]",
      "LIST" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &o.keys.seeds, "use these seeds instead, as 1 2 3 or 1..10", "SEEDS" },
    { "record", 0, 0, G_OPTION_ARG_STRING, &o.keys.record, "how much to keep: summary, jobs or tasks", "LEVEL" },
    BN_CLI_BACKEND_ENTRIES (o.keys),
    { "no-bound", 0, 0, G_OPTION_ARG_NONE, &o.no_bound,
      "do not work out what no scheduler can better; it takes about as long as a run", NULL },
    { "costs", 0, 0, G_OPTION_ARG_FILENAME, &o.costs,
      "for decision-cost = measured: take the costs that were measured in this file", "FILE" },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &o.precision,
      "add seeds until the 95 % interval of METRIC (latency_mean) is that narrow", "PERCENT%[:METRIC]" },
    { "max-seeds", 0, 0, G_OPTION_ARG_INT, &o.max_seeds, "no more seeds than this for --precision (default: 100)", "N" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the table: text, csv or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "no progress bar and no closing line", NULL },
    /* a table of single runs has none: the list ends here */
    { mean_over_seeds ? "base" : NULL, 0, 0, G_OPTION_ARG_STRING, &o.base,
      "the scheduler that others are compared with (default: the first)", "SCHEDULER" },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  int exit_status;
  GError *error = NULL;
  BnCliFormat format;

  if (!bn_cli_parse (usage, entries, 1, 1, &argc, &argv, &exit_status))
    ;
  else if (!bn_cli_format (o.format, &format, &error) || !bn_precision_read_options (o.precision, o.max_seeds, &o.goal, &error))
    exit_status = bn_cli_fail (error);
  else if (takes_results && bn_reader_is_database (argv[1]))
    exit_status = check_no_run_options (argv[1], &o, &error)
                    ? print_results_file (argv[1], &o, mean_over_seeds, format)
                    : bn_cli_fail (error);
  else
    exit_status = run_scenario (argv[1], &o, mean_over_seeds, format);
  options_clear (&o);
  return exit_status;
}
