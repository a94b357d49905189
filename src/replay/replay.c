/* replay.c: simulates a recorded run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "replay.h"

#include <string.h>

/* One observer far from the jobs decides. */
static gboolean
is_central (const BnVariant *variant)
{
  const BnScheduler *scheduler = variant->scheduler;

  for (uint32_t p = 0; p < scheduler->n_params; p++)
    if (strcmp (scheduler->params[p].name, "central") == 0)
      return variant->params[p].integer != 0;
  return FALSE;
}

/* What took time in the recorded run besides the work, and takes none where tasks are put where they ran.
 * Returns: (transfer full), or NULL: nothing. */
static char *
describe_not_repeated (const BnObservation *o)
{
  const BnVariant *variant = o->scenario->variants[0];
  const char *what[4] = { NULL };
  guint n = 0;

  if (o->n_messages > 0 || variant->scheduler->pull != NULL || is_central (variant))
    what[n++] = "messages between workers";
  if (variant->scheduler->review != NULL)
    what[n++] = "waits in the pool";
  if (variant->options.decision_cost_ns > 0 || variant->options.decision_measured)
    what[n++] = "the time of decisions";
  return n > 0 ? g_strjoinv (", ", (char **) what) : NULL;
}

gboolean
bn_replay_observed (const BnReplay *replay, BnObservation *o, const char *path, BnResults *results,
                    BnInterrupt *interrupt, BnExperimentOutcome *outcome, GError **error)
{
  BnVariant *variant = o->scenario->variants[0];
  g_autofree char *not_repeated = replay->placements ? describe_not_repeated (o) : NULL;
  char *name = g_strconcat (variant->name, replay->placements ? " as placed" : " replayed", NULL);

  g_free (variant->name);
  variant->name = name;
  if (replay->placements)
    bn_observation_use_placements (o);
  g_autofree char *quoted = g_shell_quote (path);
  BnExperimentOptions options = { .repeat_arguments = quoted,
                                  .interrupt = interrupt,
                                  .runs_before = replay->run_id - 1,
                                  .no_bound = TRUE,
                                  .replay_of = replay->replay_of,
                                  .scheduler_user = o,
                                  .costs = o->costs_hold ? path : NULL,
                                  .costs_run = o->run_id };
  gboolean ok = bn_experiment_run (o->scenario, results, &options, outcome, error);
  char *of_profile = o->scenario->profile != NULL ? bn_profile_remark (o->scenario->profile) : NULL;
  if (of_profile != NULL)
    g_ptr_array_add (outcome->remarks, of_profile);
  if (not_repeated != NULL)
    g_ptr_array_add (outcome->remarks,
                     g_strdup_printf ("%s: not repeated with the placements: %s; times differ by that", variant->name,
                                      not_repeated));
  return ok;
}

gboolean
bn_replay_run (const BnReplay *replay, BnReader *reader, BnResults *results, BnInterrupt *interrupt,
               BnExperimentOutcome *outcome, GError **error)
{
  BnObservation *o = bn_observation_read (reader, replay->run, NULL, error);

  *outcome = (BnExperimentOutcome) { 0 };
  if (o == NULL)
    return FALSE;
  gboolean ok = bn_replay_observed (replay, o, bn_reader_path (reader), results, interrupt, outcome, error);
  bn_observation_free (o);
  return ok;
}
