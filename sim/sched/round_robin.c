/* round_robin.c: workers in turn, each ingress with a turn of its own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A decentralised round robin: the observer at worker o starts at o, so that the
 * first jobs of different ingresses do not meet.
 */
#include <stdlib.h>

#include "panic.h"
#include "schedulers.h"

typedef struct RoundRobin
{
  const BnCost *cost;
  uint64_t *next;  /* [n_workers]: of each observer */
} RoundRobin;

static uint32_t
round_robin_init (void *state, const BnSchedSetup *setup)
{
  RoundRobin *r = state;

  r->cost = setup->cost;
  r->next = calloc (setup->platform->n_workers, sizeof *r->next);
  BN_ASSERT (r->next);
  for (uint32_t w = 0; w < setup->platform->n_workers; w++)
    r->next[w] = w;
  return 0;
}

static void
round_robin_fini (void *state)
{
  free (((RoundRobin *) state)->next);
}

static void
round_robin_plan (void *state, const BnPlanCall *call)
{
  RoundRobin *r = state;
  const BnWorkflow *wf = call->job->workflow;

  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      int32_t model = wf->tasks[t].model;
      uint64_t k = r->next[call->observer]++ % bn_fitting_count (r->cost, model);
      call->host->place (call->host, t, bn_fitting_worker (r->cost, model, (uint32_t) k), 0);
    }
}

const BnScheduler bn_sched_round_robin = {
  .struct_size = sizeof (BnScheduler),
  .name = "round-robin",
  .summary = "workers in turn, task by task, each ingress for itself",
  .state_bytes = sizeof (RoundRobin),
  .init = round_robin_init,
  .fini = round_robin_fini,
  .plan = round_robin_plan,
};
