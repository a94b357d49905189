/* jit.c: no plan: each task is placed when it becomes ready.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The worker where its last predecessor ended (for an entry task, the ingress)
 * chooses the worker of least finish. Source: the JIT baseline of the Compass
 * paper; exact rules in doc/cost-model.md.
 */
#include "ready.h"
#include "schedulers.h"

static const BnParamSpec params[] = { BN_PLACER_COMPASS_PARAMS };

typedef struct Jit
{
  BnReady *ready;
} Jit;

static uint32_t
jit_init (void *state, const BnSchedSetup *setup)
{
  Jit *j = state;
  BnPlacerRules rules = { .cache_aware = true };

  bn_placer_read_rules (&rules, setup->params);
  j->ready = bn_ready_new (setup, &rules);
  return bn_ready_traits (j->ready);
}

static void
jit_fini (void *state)
{
  bn_ready_free (((Jit *) state)->ready);
}

static void
jit_place (void *state, const BnPlaceCall *call)
{
  bn_ready_place (((Jit *) state)->ready, call);
}

static void
jit_forward (void *state, const BnForwardCall *call)
{
  bn_ready_forward (((Jit *) state)->ready, call);
}

const BnScheduler bn_sched_jit = {
  .struct_size = sizeof (BnScheduler),
  .name = "jit",
  .summary = "places each task when it is ready, with queues, transfers and caches",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (Jit),
  .init = jit_init,
  .fini = jit_fini,
  .place = jit_place,
  .forward = jit_forward,
};
