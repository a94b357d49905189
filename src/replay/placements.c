/* placements.c: the scheduler that puts every task where it ran before.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What was planned on arrival is planned again, what was placed when it became ready is
 * placed then: so outputs travel when they did. A task that never ran has no place to go:
 * it is put on its job's ingress.
 */
#include "observation.h"

typedef struct Recorded
{
  const BnObservation *observation;
} Recorded;

static const BnPlacement *
placements_of (const Recorded *r, const BnJob *job)
{
  return r->observation->placements + r->observation->first_placement[job->id];
}

static uint32_t
worker_of (const BnPlacement *placement, const BnJob *job)
{
  return (uint32_t) (placement->worker != BN_NONE ? placement->worker : job->ingress);
}

static uint32_t
recorded_init (void *state, const BnSchedSetup *setup)
{
  Recorded *r = state;

  r->observation = setup->user;
  return 0;
}

static void
recorded_plan (void *state, const BnPlanCall *call)
{
  const BnPlacement *placements = placements_of (state, call->job);

  for (uint32_t t = 0; t < call->job->workflow->n_tasks; t++)
    if (placements[t].planned)
      call->host->place (call->host, t, worker_of (&placements[t], call->job), 0);
}

static void
recorded_place (void *state, const BnPlaceCall *call)
{
  const BnPlacement *placements = placements_of (state, call->job);

  for (uint32_t i = 0; i < call->n_tasks; i++)
    call->host->place (call->host, call->tasks[i], worker_of (&placements[call->tasks[i]], call->job), 0);
}

const BnScheduler bn_sched_recorded = {
  .struct_size = sizeof (BnScheduler),
  .name = "recorded",
  .summary = "every task where it ran in the recorded run",
  .state_bytes = sizeof (Recorded),
  .init = recorded_init,
  .plan = recorded_plan,
  .place = recorded_place,
};

void
bn_observation_use_placements (BnObservation *observation)
{
  BnVariant *variant = observation->scenario->variants[0];

  variant->scheduler = &bn_sched_recorded;
  variant->options.redecide = variant->options.steal = variant->options.decision_measured = false;
}
