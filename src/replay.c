/* replay.c: simulates a recorded run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "replay.h"

#include "observation.h"

gboolean
bn_replay_run (const BnReplay *replay, BnReader *reader, BnResults *results, BnInterrupt *interrupt,
               BnExperimentOutcome *outcome, GError **error)
{
  BnObservation *o = bn_observation_read (reader, replay->run, replay->profile, error);

  *outcome = (BnExperimentOutcome) { 0 };
  if (o == NULL)
    return FALSE;
  BnVariant *variant = o->scenario->variants[0];
  char *name = g_strconcat (variant->name, replay->placements ? " as placed" : " replayed", NULL);
  g_free (variant->name);
  variant->name = name;
  if (replay->placements)
    bn_observation_use_placements (o);
  g_autofree char *quoted = g_shell_quote (bn_reader_path (reader));
  BnExperimentOptions options = { .repeat_arguments = quoted,
                                  .interrupt = interrupt,
                                  .runs_before = replay->run_id - 1,
                                  .no_bound = TRUE,
                                  .replay_of = replay->replay_of,
                                  .scheduler_user = o };
  gboolean ok = bn_experiment_run (o->scenario, results, &options, outcome, error);
  bn_observation_free (o);
  return ok;
}
