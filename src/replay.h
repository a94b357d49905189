/* replay.h: simulates a recorded run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_REPLAY_H
#define BN_REPLAY_H

#include "experiment.h"
#include "reader.h"

typedef struct BnReplay
{
  gint64 run;                  /* of the reader's file; 0: its only one               */
  const BnProfile *profile;    /* or NULL: the one that it was run with, if any       */
  gboolean placements;         /* its decisions are repeated, too                     */
  gint64 replay_of;            /* number that the observed run has in the results     */
  gint64 run_id;               /* number that the simulated one gets there            */
} BnReplay;

/* Simulates it into `results`, with tasks recorded. FALSE with `error` set. *outcome is filled in
 * either case; clear it. */
gboolean bn_replay_run (const BnReplay *replay, BnReader *reader, BnResults *results, BnInterrupt *interrupt,
                        BnExperimentOutcome *outcome, GError **error);

#endif
