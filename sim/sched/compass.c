/* compass.c: the Compass scheduler: plan on arrival, adjust when a task ends.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Source: "Compass: A Decentralized Scheduler for Latency-Sensitive ML Workflows"
 * (Yang et al., arXiv 2402.17652) and its public simulator, the latter's defects
 * repaired; the exact rules are in doc/cost-model.md. Planning takes the tasks of
 * a job by falling rank and gives each the worker of least finish, through the
 * ingress worker's view. Adjustment looks again at a successor with one
 * predecessor when that has ended: if its worker has got more than `threshold`
 * times the task's runtime queued, it goes where EAT + transfer + load is least.
 */
#include <stdlib.h>

#include "panic.h"
#include "ready.h"
#include "schedulers.h"

enum
{
  PARAM_ADJUST,
  PARAM_THRESHOLD,
  PARAM_CACHE,
  PARAM_LOAD,
  PARAM_PLACER
};

static const BnParamSpec params[] = {
  { "adjust", "move a ready task with one predecessor whose worker has become too busy", BN_PARAM_BOOL, 0, 0, 1,
    NULL },
  { "threshold", "too busy: its queue takes longer than this many runtimes of the task", BN_PARAM_REAL, 0, 1e6, 1.5,
    NULL },
  { "cache", "know which models are where; off: loads count as free", BN_PARAM_BOOL, 0, 0, 1, NULL },
  { "load", "know the queues; off: every worker counts as idle", BN_PARAM_BOOL, 0, 0, 1, NULL },
  BN_PLACER_COMPASS_PARAMS,
};

typedef struct Compass
{
  const BnCost *cost;
  BnPlacer *placer;
  bool load_aware;
  double threshold;
  BnPlacerChoice *choices;  /* [most tasks of a workflow] */
  BnPlacerInput *inputs;    /* [the same]                 */
} Compass;

static uint32_t
compass_init (void *state, const BnSchedSetup *setup)
{
  Compass *c = state;
  BnPlacerRules rules = { .cache_aware = setup->params[PARAM_CACHE].integer };

  bn_placer_read_rules (&rules, setup->params + PARAM_PLACER);
  if (!setup->params[PARAM_LOAD].integer)
    rules.ft = BN_FT_QUEUE;
  c->cost = setup->cost;
  c->placer = bn_placer_new (setup, &rules);
  c->load_aware = setup->params[PARAM_LOAD].integer;
  c->threshold = setup->params[PARAM_THRESHOLD].real;
  c->choices = calloc (setup->catalogue->n_tasks, sizeof *c->choices);
  c->inputs = calloc (setup->catalogue->n_tasks, sizeof *c->inputs);
  BN_ASSERT (c->choices && c->inputs);
  /* who does not read loads sees empty rows: every worker is free */
  return (c->load_aware ? BN_SCHED_READS_LOADS : 0) | (rules.cache_aware ? BN_SCHED_READS_CACHES : 0)
         | (setup->params[PARAM_ADJUST].integer ? BN_SCHED_ADJUSTS : 0) | bn_ft_traits (rules.ft);
}

static void
compass_fini (void *state)
{
  Compass *c = state;

  bn_placer_free (c->placer);
  free (c->choices);
  free (c->inputs);
}

static void
compass_plan (void *state, const BnPlanCall *call)
{
  Compass *c = state;

  bn_plan_by_rank (c->placer, c->cost, call, c->choices, c->inputs);
}

static void
compass_place (void *state, const BnPlaceCall *call)
{
  Compass *c = state;
  const BnWorkflow *wf = call->job->workflow;
  uint32_t s = call->tasks[0];
  const BnTaskSpec *spec = &wf->tasks[s];
  int32_t planned = call->job->tasks[s].worker;

  if (!c->load_aware)
    return;
  bn_placer_begin (c->placer, call->view, call->now);
  BnDuration wait = bn_placer_wait (c->placer, call->job, s, (uint32_t) planned);
  if ((double) wait <= c->threshold * (double) bn_cost_runtime (c->cost, wf, s, (uint32_t) planned))
    return;
  BnPlacerInput input = { spec->preds[0], (uint32_t) call->at_worker, call->now };
  int32_t worker = bn_placer_choose_sum (c->placer, call->job, s, &input);
  call->host->place (call->host, s, (uint32_t) worker, 0);
}

static void
compass_forward (void *state, const BnForwardCall *call)
{
  bn_placer_forward (((Compass *) state)->placer, call);
}

const BnScheduler bn_sched_compass = {
  .struct_size = sizeof (BnScheduler),
  .name = "compass",
  .summary = "plans on arrival with queues, transfers and caches; adjusts when a task is ready",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (Compass),
  .init = compass_init,
  .fini = compass_fini,
  .plan = compass_plan,
  .place = compass_place,
  .forward = compass_forward,
};
