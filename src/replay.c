/* replay.c: simulates a recorded run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "replay.h"

gboolean
bn_replay_observed (const BnReplay *replay, BnObservation *o, const char *path, BnResults *results,
                    BnInterrupt *interrupt, BnExperimentOutcome *outcome, GError **error)
{
  BnVariant *variant = o->scenario->variants[0];
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
                                  .scheduler_user = o };
  return bn_experiment_run (o->scenario, results, &options, outcome, error);
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
