/* jit.c: no plan: each task is placed when it becomes ready.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The worker where its last predecessor ended (for an entry task, the ingress)
 * chooses the worker of least finish. Source: the JIT baseline of the Compass
 * paper; exact rules in doc/cost-model.md.
 */
#include <stdlib.h>

#include "panic.h"
#include "schedulers.h"

typedef struct Jit
{
  BnPlacer *placer;
  BnPlacerInput *inputs;
} Jit;

static uint32_t
jit_init (void *state, const BnSchedSetup *setup)
{
  Jit *j = state;
  BnPlacerRules rules = { .cache_aware = true };

  j->placer = bn_placer_new (setup, &rules);
  j->inputs = calloc (setup->catalogue->n_tasks, sizeof *j->inputs);
  BN_ASSERT (j->inputs);
  return BN_SCHED_READS_LOADS | BN_SCHED_READS_CACHES;
}

static void
jit_fini (void *state)
{
  Jit *j = state;

  bn_placer_free (j->placer);
  free (j->inputs);
}

static void
jit_place (void *state, const BnPlaceCall *call)
{
  Jit *j = state;
  const BnWorkflow *wf = call->job->workflow;
  uint32_t t = call->tasks[0];
  const BnTaskSpec *spec = &wf->tasks[t];
  BnPlacerChoice choice;

  bn_placer_begin (j->placer, call->view, call->now);
  if (spec->n_preds == 0)
    choice = bn_placer_choose_entry (j->placer, wf, t, call->observer);
  else
    {
      for (uint32_t i = 0; i < spec->n_preds; i++)
        j->inputs[i] = (BnPlacerInput){ spec->preds[i], (uint32_t) call->job->tasks[spec->preds[i]].worker,
                                        call->now };
      choice = bn_placer_choose (j->placer, wf, t, j->inputs, spec->n_preds);
    }
  call->host->place (call->host, t, (uint32_t) choice.worker, 0);
}

const BnScheduler bn_sched_jit = {
  .struct_size = sizeof (BnScheduler),
  .name = "jit",
  .summary = "places each task when it is ready, with queues, transfers and caches",
  .state_bytes = sizeof (Jit),
  .init = jit_init,
  .fini = jit_fini,
  .place = jit_place,
};
