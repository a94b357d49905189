/* cmd_replay.c: binnacle replay: simulates what was recorded, and says how far off it is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "deviation.h"
#include "replay.h"

static const BnCliUsage usage = {
  .verb = "replay",
  .arguments = "RESULTS.db",
  .summary = "Simulates a run that was recorded with its tasks, a real one above all: the same jobs at\n"
             "the same times through the same scheduler with the same settings, on the model. Needs\n"
             "nothing but the file. Prints what was observed beside what was simulated. With\n"
             "--placements every task runs where it ran, which tells the model's error from that of\n"
             "decisions that came out otherwise.",
  .examples = "  binnacle replay real.db --profile profile.ini\n"
              "  binnacle replay real.db --run 2 --placements -o replayed.db && binnacle plot replayed.db",
};

/* Numbers of the two runs in the file that is made. */
enum
{
  OBSERVED = 1,
  SIMULATED
};

typedef struct Options
{
  char *output, *profile, *format;
  gint64 run;
  gboolean placements, replace;
} Options;

static int
report (const BnExperimentOutcome *outcome)
{
  for (guint i = 0; i < outcome->remarks->len; i++)
    fprintf (stderr, "binnacle: %s\n", (const char *) outcome->remarks->pdata[i]);
  return outcome->n_unfinished > 0 || outcome->n_violations > 0 || outcome->interrupted ? BN_EXIT_FOUND : BN_EXIT_OK;
}

static gboolean
print (sqlite3 *db, BnCliFormat format, GError **error)
{
  BnDeviation deviation;

  if (!bn_deviation_read (db, OBSERVED, SIMULATED, &deviation, error))
    return FALSE;
  BnTable *table = bn_deviation_table (&deviation);
  gboolean ok = bn_table_print (table, format, stdout, error);
  bn_table_free (table);
  if (deviation.n_done_observed != deviation.n_done_both || deviation.n_done_simulated != deviation.n_done_both)
    fprintf (stderr, "binnacle: the two are not of the same jobs: %" G_GINT64_FORMAT " were done as observed, %"
             G_GINT64_FORMAT " as simulated, %" G_GINT64_FORMAT " of them in both\n", deviation.n_done_observed,
             deviation.n_done_simulated, deviation.n_done_both);
  return ok;
}

static gboolean
simulate (const char *path, BnObservation *observation, const Options *o, BnCliFormat format, BnResults *results,
          int *status, GError **error)
{
  BnExperimentOutcome outcome = { 0 };
  BnReplay replay = { observation->run_id, o->placements, OBSERVED, SIMULATED };
  BnInterrupt *interrupt = bn_interrupt_new ();
  gboolean ok = bn_results_absorb_run (results, path, observation->run_id, OBSERVED, error)
                && bn_replay_observed (&replay, observation, path, results, interrupt, &outcome, error)
                && (outcome.interrupted || print (bn_results_database (results), format, error));

  if (ok)
    *status = report (&outcome);
  bn_experiment_outcome_clear (&outcome);
  bn_interrupt_free (interrupt);
  return ok;
}

/* Everything is read before a file is made: nothing is replaced by a replay that cannot be. */
static BnObservation *
observe (const char *path, const Options *o, GError **error)
{
  if (o->output && bn_reader_is_same_file (path, o->output))
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                   "replay: %s is the file that is replayed; write the results into another", o->output);
      return NULL;
    }
  BnReader *reader = bn_reader_open (path, error);
  BnProfile *profile = reader && o->profile ? bn_profile_read (o->profile, error) : NULL;
  BnObservation *observation = reader && (!o->profile || profile)
                                 ? bn_observation_read (reader, o->run, profile, error) : NULL;

  bn_profile_free (profile);
  bn_reader_close (reader);
  return observation;
}

static gboolean
replay_file (const char *path, const Options *o, BnCliFormat format, int *status, GError **error)
{
  BnObservation *observation = observe (path, o, error);
  BnResults *results = observation ? bn_results_create (o->output ? o->output : ":memory:", o->replace, error) : NULL;
  gboolean ok = results && simulate (path, observation, o, format, results, status, error);

  if (results && ok)
    ok = bn_results_close (results, error);
  else if (results)
    {
      bn_results_abandon (results);
      /* where the observed run had been taken over already, that alone is no result */
      if (o->output)
        g_unlink (o->output);
    }
  bn_observation_free (observation);
  return ok;
}

int
bn_cmd_replay (int argc, char **argv)
{
  Options o = { 0 };
  GError *error = NULL;
  BnCliFormat format;
  int status;
  const GOptionEntry entries[] = {
    { "run", 'r', 0, G_OPTION_ARG_INT64, &o.run, "which run of the file (default: its only one)", "N" },
    { "profile", 0, 0, G_OPTION_ARG_FILENAME, &o.profile,
      "what binnacle calibrate measured (default: what the run itself had)", "FILE" },
    { "placements", 0, 0, G_OPTION_ARG_NONE, &o.placements, "run every task where it ran", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "write both runs into this results file", "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace, "replace an existing results file", NULL },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the table: text, csv or json", "FORMAT" },
    { 0 },
  };

  if (bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &status)
      && (!bn_cli_format (o.format, &format, &error) || !replay_file (argv[1], &o, format, &status, &error)))
    status = bn_cli_fail (error);
  g_free (o.output);
  g_free (o.profile);
  g_free (o.format);
  return status;
}
