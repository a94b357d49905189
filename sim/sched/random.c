/* random.c: a uniformly random worker for each task, planned on arrival.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "schedulers.h"

typedef struct Random
{
  const BnCost *cost;
  BnRng rng;
} Random;

static uint32_t
random_init (void *state, const BnSchedSetup *setup)
{
  *(Random *) state = (Random){ setup->cost, setup->rng };
  return 0;
}

static void
random_plan (void *state, const BnPlanCall *call)
{
  Random *r = state;
  const BnWorkflow *wf = call->job->workflow;

  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      int32_t model = wf->tasks[t].model;
      uint64_t k = bn_rng_below (&r->rng, bn_fitting_count (r->cost, model));
      call->host->place (call->host, t, bn_fitting_worker (r->cost, model, (uint32_t) k), 0);
    }
}

const BnScheduler bn_sched_random = {
  .struct_size = sizeof (BnScheduler),
  .name = "random",
  .summary = "a random worker for each task",
  .state_bytes = sizeof (Random),
  .init = random_init,
  .plan = random_plan,
};
