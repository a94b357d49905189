/* heft.c: HEFT: list scheduling by upward rank, planned once.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Source: H. Topcuoglu, S. Hariri, M.-Y. Wu, "Performance-effective and
 * low-complexity task scheduling for heterogeneous computing", IEEE TPDS 13(3),
 * 2002. Here each job is planned on arrival on top of what is queued, from
 * runtimes, transfers and queue waits; it does not know what is in GPU memory
 * unless `cache` is on. With `central` and `cache` it is the "central HEFT" of
 * the reference logs.
 */
#include <stdlib.h>

#include "panic.h"
#include "ready.h"
#include "schedulers.h"

enum
{
  PARAM_CACHE,
  PARAM_CENTRAL,
  PARAM_INSERTION,
  PARAM_PLACER
};

static const BnParamSpec params[] = {
  { "cache", "know which models are where", BN_PARAM_BOOL, 0, 0, 0, NULL },
  { "central", "one scheduler plans every job; all rows are old for it", BN_PARAM_BOOL, 0, 0, 0, NULL },
  { "insertion", "fill gaps that the same plan leaves on a worker", BN_PARAM_BOOL, 0, 0, 0, NULL },
  BN_PLACER_COMPASS_PARAMS,
};

typedef struct Heft
{
  const BnCost *cost;
  BnPlacer *placer;
  BnPlacerChoice *choices;
  BnPlacerInput *inputs;
} Heft;

static uint32_t
heft_init (void *state, const BnSchedSetup *setup)
{
  Heft *h = state;
  BnPlacerRules rules = { .cache_aware = setup->params[PARAM_CACHE].integer,
                          .insertion = setup->params[PARAM_INSERTION].integer };

  bn_placer_read_rules (&rules, setup->params + PARAM_PLACER);
  h->cost = setup->cost;
  h->placer = bn_placer_new (setup, &rules);
  h->choices = calloc (setup->catalogue->n_tasks, sizeof *h->choices);
  h->inputs = calloc (setup->catalogue->n_tasks, sizeof *h->inputs);
  BN_ASSERT (h->choices && h->inputs);
  return BN_SCHED_READS_LOADS | (rules.cache_aware ? BN_SCHED_READS_CACHES : 0)
         | (setup->params[PARAM_CENTRAL].integer ? BN_SCHED_CENTRAL : 0) | bn_ft_traits (rules.ft);
}

static void
heft_fini (void *state)
{
  Heft *h = state;

  bn_placer_free (h->placer);
  free (h->choices);
  free (h->inputs);
}

static void
heft_plan (void *state, const BnPlanCall *call)
{
  Heft *h = state;

  bn_plan_by_rank (h->placer, h->cost, call, h->choices, h->inputs);
}

static void
heft_forward (void *state, const BnForwardCall *call)
{
  bn_placer_forward (((Heft *) state)->placer, call);
}

const BnScheduler bn_sched_heft = {
  .struct_size = sizeof (BnScheduler),
  .name = "heft",
  .summary = "plans on arrival by upward rank with queues and transfers, blind to GPU caches by default",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (Heft),
  .init = heft_init,
  .fini = heft_fini,
  .plan = heft_plan,
  .forward = heft_forward,
};
