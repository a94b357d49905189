/* replay.h: simulates a recorded run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_REPLAY_H
#define BN_REPLAY_H

#include "experiment.h"
#include "observation.h"

typedef struct BnReplay
{
  gint64 run;                  /* of the file: for bn_replay_run                      */
  gboolean placements;         /* its decisions are repeated, too                     */
  gint64 replay_of;            /* number that the observed run has in the results     */
  gint64 run_id;               /* number that the simulated one gets there            */
} BnReplay;

/* Simulates what was observed into `results`, with tasks recorded. The observation is changed: it serves
 * once. FALSE with `error` set. *outcome is filled in either case; clear it. */
gboolean bn_replay_observed (const BnReplay *replay, BnObservation *observation, const char *path, BnResults *results,
                             BnInterrupt *interrupt, BnExperimentOutcome *outcome, GError **error);

/* The same of `replay->run` of a file. */
gboolean bn_replay_run (const BnReplay *replay, BnReader *reader, BnResults *results, BnInterrupt *interrupt,
                        BnExperimentOutcome *outcome, GError **error);

#endif
