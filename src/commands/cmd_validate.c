/* cmd_validate.c: binnacle validate: real runs, their simulations, and how far these are off.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each repeat calibrates, runs every scheduler for real, and simulates each of these runs:
 * machines drift, and a calibration is worth most just before. Schedulers know what was
 * measured, in both worlds.
 */
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calibrate.h"
#include "cli.h"
#include "output.h"
#include "replay.h"
#include "units.h"
#include "validation.h"

#define DEFAULT_REPEATS 5
#define MAX_REPEATS 1000
#define DEFAULT_ROUNDS 5

static const BnCliUsage usage = {
  .verb = "validate",
  .arguments = "SCENARIO",
  .summary = "Holds the model against reality: calibrates, really runs every scheduler of the scenario,\n"
             "simulates each of these runs, again and again, and prints how far the simulations are\n"
             "off, beside the spread of the real side, and whether schedulers keep their order. All\n"
             "repeats have the same jobs, of one seed. Exit status 1 where a target is missed or an\n"
             "order is not kept.",
  .examples = "  binnacle validate validate --backend cpu -o validate.db && binnacle plot validate.db\n"
              "  binnacle validate cpu-demo --backend cpu --repeats 2 --scheduler compass,hash",
};

typedef struct Options
{
  BnCliKeys keys;
  char *output, *format;
  gint repeats, rounds;
  gboolean replace, quiet;
} Options;

/* What is under way. */
typedef struct Validation
{
  const Options *options;
  char *scenario_path, *output, *profile_path;
  char *rate;              /* of the first repeat, as an override; or NULL */
  BnResults *results;
  BnInterrupt *interrupt;
  gint64 n_runs;           /* in the results */
  gboolean found, interrupted;
} Validation;

static void
say (const Validation *v, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
say (const Validation *v, const char *format, ...)
{
  va_list arguments;

  if (v->options->quiet)
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  fprintf (stderr, "binnacle: %s\n", text);
}

static BnScenario *
read_scenario (const Validation *v, gboolean with_profile, GError **error)
{
  g_auto (GStrv) given = bn_cli_overrides (&v->options->keys);
  g_autoptr (GPtrArray) overrides = g_ptr_array_new_with_free_func (g_free);

  for (char **text = given; *text != NULL; text++)
    g_ptr_array_add (overrides, g_strdup (*text));
  g_ptr_array_add (overrides, g_strdup ("scenario.record=tasks"));
  if (with_profile)
    g_ptr_array_add (overrides, g_strconcat ("workload.profile=", v->profile_path, NULL));
  if (v->rate != NULL)
    {
      g_ptr_array_add (overrides, g_strdup ("workload.load=0"));
      g_ptr_array_add (overrides, g_strdup (v->rate));
    }
  g_ptr_array_add (overrides, NULL);
  BnScenario *scenario = bn_scenario_read (v->scenario_path, (const char *const *) overrides->pdata, error);
  if (scenario == NULL)
    return NULL;
  if (!bn_scenario_is_real (scenario))
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "validate: backend %s is the simulation itself; give one that really executes, as --backend cpu",
                 scenario->backend->name);
  else if (scenario->n_seeds > 1)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "validate: repeats are of the same jobs, and the scenario has %u seeds; give one, as --seed %"
                 G_GUINT64_FORMAT, scenario->n_seeds, scenario->seeds[0]);
  else if (bn_scenario_backend_usable (scenario, error))
    return scenario;
  bn_scenario_free (scenario);
  return NULL;
}

/* Whether two of them are one under two names: between those there is no order to be kept. */
static gboolean
check_distinct (const BnScenario *scenario, GError **error)
{
  for (uint32_t a = 0; a < scenario->n_variants; a++)
    for (uint32_t b = a + 1; b < scenario->n_variants; b++)
      {
        const BnVariant *x = scenario->variants[a], *y = scenario->variants[b];
        g_autofree char *of_x = bn_variant_settings (x), *of_y = bn_variant_settings (y);
        if (x->scheduler != y->scheduler || strcmp (of_x, of_y) != 0)
          continue;
        g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                     "validate: %s and %s are the same scheduler with the same settings; leave one out", x->name,
                     y->name);
        return FALSE;
      }
  return TRUE;
}

/* Whatever can be known to be wrong is, before anything is made, replaced or measured. */
static gboolean
check_all (const Validation *v, GError **error)
{
  BnScenario *scenario = read_scenario (v, FALSE, error);
  gboolean ok = scenario != NULL && check_distinct (scenario, error);

  if (ok && scenario->profile != NULL)
    {
      g_set_error_literal (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                           "validate: workload.profile: it measures one itself; leave it out");
      ok = FALSE;
    }
  bn_scenario_free (scenario);
  return ok && bn_profile_may_write (v->profile_path, v->options->replace, error);
}

/* Measures, and writes what was measured. */
static gboolean
calibrate (const Validation *v, GError **error)
{
  BnScenario *scenario = read_scenario (v, FALSE, error);
  BnCalibration *c = scenario ? bn_calibrate (scenario, (guint) v->options->rounds, v->interrupt, error) : NULL;
  g_autofree char *text = c ? bn_profile_format (c->profile, "measured by binnacle validate") : NULL;
  gboolean ok = text != NULL && bn_output_write (v->profile_path, text, error);

  bn_calibration_free (c);
  bn_scenario_free (scenario);
  return ok;
}

static void
take_outcome (Validation *v, BnExperimentOutcome *outcome)
{
  for (guint i = 0; outcome->remarks != NULL && i < outcome->remarks->len; i++)
    fprintf (stderr, "binnacle: %s\n", (const char *) outcome->remarks->pdata[i]);
  v->found |= outcome->n_unfinished > 0 || outcome->n_violations > 0;
  v->interrupted |= outcome->interrupted;
  v->n_runs += outcome->n_runs;
  bn_experiment_outcome_clear (outcome);
}

/* The same jobs in every repeat: where a load was asked for, at the rate that the first calibration made
 * of it. */
static gboolean
keep_rate (Validation *v, GError **error)
{
  BnScenario *scenario = read_scenario (v, TRUE, error);

  if (scenario == NULL)
    return FALSE;
  if (scenario->arrivals.kind != BN_ARRIVALS_TRACE && strstr (scenario->text, "workload.rate = ") == NULL)
    {
      g_autofree char *rate = bn_format_real (scenario->arrivals.rate_per_s / scenario->speed);
      v->rate = g_strconcat ("workload.rate=", rate, "/s", NULL);
    }
  bn_scenario_free (scenario);
  return TRUE;
}

static gboolean
run_really (Validation *v, GError **error)
{
  BnScenario *scenario = read_scenario (v, TRUE, error);
  BnExperimentOutcome outcome = { 0 };
  g_autofree char *repeat = g_shell_quote (v->scenario_path);
  BnExperimentOptions options = { .progress = !v->options->quiet && isatty (STDERR_FILENO),
                                  .repeat_arguments = repeat,
                                  .interrupt = v->interrupt,
                                  .runs_before = v->n_runs,
                                  .no_bound = TRUE };

  if (scenario == NULL)
    return FALSE;
  gboolean ok = bn_experiment_run (scenario, v->results, &options, &outcome, error);
  take_outcome (v, &outcome);
  bn_scenario_free (scenario);
  return ok;
}

static gboolean
simulate (Validation *v, gint64 run, GError **error)
{
  BnReader *reader = bn_reader_open (v->output, error);
  BnReplay replay = { .run = run, .replay_of = run, .run_id = v->n_runs + 1 };
  BnExperimentOutcome outcome = { 0 };

  if (reader == NULL)
    return FALSE;
  gboolean ok = bn_replay_run (&replay, reader, v->results, v->interrupt, &outcome, error);
  take_outcome (v, &outcome);
  bn_reader_close (reader);
  return ok;
}

static gboolean
repeat_once (Validation *v, guint number, GError **error)
{
  gint64 before = v->n_runs;
  GError *calibration_error = NULL;

  say (v, "repeat %u of %d: calibrates", number, v->options->repeats);
  if (!calibrate (v, &calibration_error))
    {
      v->interrupted = g_error_matches (calibration_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      if (!v->interrupted)
        g_propagate_error (error, calibration_error);
      else
        g_error_free (calibration_error);
      return v->interrupted;
    }
  if (number == 1 && !keep_rate (v, error))
    return FALSE;
  say (v, "repeat %u of %d: really runs", number, v->options->repeats);
  if (!run_really (v, error))
    return FALSE;
  for (gint64 run = before + 1, last = v->n_runs; run <= last && !v->interrupted; run++)
    if (!simulate (v, run, error))
      return FALSE;
  return TRUE;
}

static gboolean
report (Validation *v, BnCliFormat format, GError **error)
{
  GPtrArray *validated = bn_validation_read (bn_results_database (v->results), error);
  guint n_pairs, n_alike;

  if (validated == NULL)
    return FALSE;
  BnTable *table = bn_validation_table (validated);
  gboolean ok = bn_table_print (table, format, stdout, error);
  bn_table_free (table);
  bn_validation_ranking (validated, &n_pairs, &n_alike);
  if (ok && format == BN_FORMAT_TEXT)
    printf ("\norder by mean latency: %u of %u pairs of schedulers differ on the real side, %u of them alike in the"
            " simulation\n", n_pairs, validated->len * (validated->len - 1) / 2, n_alike);
  v->found |= !bn_validation_holds (validated);
  g_ptr_array_unref (validated);
  return ok;
}

static gboolean
validate (Validation *v, BnCliFormat format, GError **error)
{
  gboolean ok = TRUE;

  if (!check_all (v, error))
    return FALSE;
  v->results = bn_results_create (v->output, v->options->replace, error);
  if (v->results == NULL)
    return FALSE;
  for (gint r = 0; r < v->options->repeats && ok && !v->interrupted; r++)
    ok = repeat_once (v, (guint) r + 1, error);
  gboolean none = v->interrupted && v->n_runs == 0;
  ok = ok && (none || report (v, format, error));
  if (!ok || none)
    {
      bn_results_abandon (v->results);
      if (ok)
        fputs ("binnacle: interrupted before the first run; no file was made\n", stderr);
      return ok;
    }
  if (!bn_results_close (v->results, error))
    return FALSE;
  say (v, "%" G_GINT64_FORMAT " runs in %s, the last profile in %s; next: binnacle plot %s", v->n_runs, v->output,
       v->profile_path, v->output);
  return TRUE;
}

static gboolean
check_options (const Options *o, GError **error)
{
  const char *wrong = o->repeats < 1 || o->repeats > MAX_REPEATS ? "--repeats: give 1 to 1000, as --repeats 5"
                      : o->rounds < 1 || o->rounds > MAX_REPEATS ? "--rounds: give 1 to 1000, as --rounds 5"
                      : o->keys.profile != NULL ? "--profile: it measures one itself; leave it out"
                      : g_strcmp0 (o->output, ":memory:") == 0 ? "-o: it reads back what it writes; name a file" : NULL;

  if (wrong != NULL)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "validate: %s", wrong);
  return wrong == NULL;
}

/* results.db makes results.profile.ini. */
static char *
profile_beside (const char *output)
{
  gsize length = strlen (output) - (g_str_has_suffix (output, ".db") ? strlen (".db") : 0);

  return g_strdup_printf ("%.*s.profile.ini", (int) length, output);
}

static int
run_validation (const char *name, const Options *o, BnCliFormat format)
{
  GError *error = NULL;
  Validation v = { .options = o, .interrupt = bn_interrupt_new () };
  int status = BN_EXIT_BAD_INPUT;

  v.scenario_path = bn_cli_scenario_file (name, &error);
  if (v.scenario_path != NULL)
    {
      v.output = o->output ? g_strdup (o->output) : bn_cli_default_output (v.scenario_path);
      v.profile_path = profile_beside (v.output);
      if (validate (&v, format, &error))
        status = v.found || v.interrupted ? BN_EXIT_FOUND : BN_EXIT_OK;
    }
  bn_interrupt_free (v.interrupt);
  g_free (v.scenario_path);
  g_free (v.output);
  g_free (v.profile_path);
  g_free (v.rate);
  return error != NULL ? bn_cli_fail (error) : status;
}

int
bn_cmd_validate (int argc, char **argv)
{
  Options o = { .repeats = DEFAULT_REPEATS, .rounds = DEFAULT_ROUNDS };
  GError *error = NULL;
  BnCliFormat format;
  int status;
  const GOptionEntry entries[] = {
    { "repeats", 0, 0, G_OPTION_ARG_INT, &o.repeats, "real runs of each scheduler (default: 5)", "N" },
    { "rounds", 0, 0, G_OPTION_ARG_INT, &o.rounds, "how often each calibration measures everything (default: 5)", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "the database to make (default: NAME.db here, of NAME.ini)",
      "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace, "replace an existing results file, and its profile", NULL },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.keys.set, "override a key of the scenario; may be repeated",
      "SECTION.KEY=VALUE" },
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &o.keys.schedulers, "compare these instead", "LIST" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &o.keys.seeds, "use this seed instead", "SEED" },
    BN_CLI_BACKEND_ENTRIES (o.keys),
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the table: text, csv or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "no progress bar and no remarks on what is done", NULL },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &status))
    ;
  else if (!bn_cli_format (o.format, &format, &error) || !check_options (&o, &error))
    status = bn_cli_fail (error);
  else
    status = run_validation (argv[1], &o, format);
  bn_cli_keys_clear (&o.keys);
  g_free (o.output);
  g_free (o.format);
  return status;
}
