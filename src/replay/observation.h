/* observation.h: a recorded run, read back so that it can be run again.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A results file that has a run's tasks recorded says everything that made it: the
 * cluster, the catalogue, when which job came where, the scheduler with its settings. None
 * of the scenario's files are needed.
 */
#ifndef BN_OBSERVATION_H
#define BN_OBSERVATION_H

#include "profile.h"
#include "reader.h"
#include "scenario.h"

/* Where a task ran, and whether its job's plan had said where. */
typedef struct BnPlacement
{
  int32_t worker;      /* BN_NONE: it did not run */
  bool planned;
} BnPlacement;

typedef struct BnObservation
{
  gint64 run_id;
  BnScenario *scenario;      /* the same jobs on the model: one variant, one seed, arrivals are a list */
  char *backend;             /* that did the work                                                  */
  gboolean costs_hold;       /* its decisions cost what was measured, and the same ones are to come */
  gint64 n_messages;         /* between workers, for tasks that were sent on or asked for, too     */
  BnJobSpec *jobs;           /* [n_jobs], as scenario->arrivals has them                           */
  gint64 n_jobs;
  double *weights;           /* [n_workflows]: what was known of the mix                          */
  gsize *first_placement;    /* [n_jobs]: of its tasks' placements                                 */
  BnPlacement *placements;
} BnObservation;

/* Run `run` of the file (0: its only one), to be simulated with `profile` (NULL: with the one that
 * it was run with, if any; else borrowed for the call). NULL with `error` set where
 * the file lacks the run, its tasks, or what made it, and where jobs of it are unfinished. Returns: (transfer full). */
BnObservation *bn_observation_read (BnReader *reader, gint64 run, const BnProfile *profile, GError **error);
void bn_observation_free (BnObservation *observation);

/* A scheduler that puts every task where it ran; its `user` is the observation. */
extern const BnScheduler bn_sched_recorded;

/* Sets the observation's variant to that scheduler. What would move tasks on is off. */
void bn_observation_use_placements (BnObservation *observation);

#endif
