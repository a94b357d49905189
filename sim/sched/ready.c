/* ready.c: placement of ready tasks, and of those that have come.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "ready.h"

#include <stdlib.h>

#include "panic.h"

struct BnReady
{
  BnPlacer *placer;
  BnPlacerRules rules;
  BnPlacerInput *inputs;  /* [most tasks of a workflow] */
};

BnReady *
bn_ready_new (const BnSchedSetup *setup, const BnPlacerRules *rules)
{
  BnReady *r = calloc (1, sizeof *r);

  BN_ASSERT (r);
  r->rules = *rules;
  r->placer = bn_placer_new (setup, rules);
  r->inputs = calloc (setup->catalogue->n_tasks + 1, sizeof *r->inputs);
  BN_ASSERT (r->inputs);
  return r;
}

void
bn_ready_free (BnReady *r)
{
  if (!r)
    return;
  bn_placer_free (r->placer);
  free (r->inputs);
  free (r);
}

void
bn_placer_forward (BnPlacer *placer, const BnForwardCall *call)
{
  bn_placer_begin (placer, call->view, call->now);
  int32_t onward = bn_placer_choose_onward (placer, call->job, call->task, (uint32_t) call->observer,
                                            call->margin_ns);
  if (onward != BN_NONE)
    call->host->place (call->host, call->task, (uint32_t) onward, 0);
}

void
bn_ready_forward (BnReady *r, const BnForwardCall *call)
{
  bn_placer_forward (r->placer, call);
}

uint32_t
bn_ready_traits (const BnReady *r)
{
  return BN_SCHED_READS_LOADS | BN_SCHED_READS_CACHES | bn_ft_traits (r->rules.ft);
}

uint32_t
bn_ready_hook_init (void *state, const BnSchedSetup *setup)
{
  BnReadyState *s = state;
  BnPlacerRules rules = { .cache_aware = true };

  bn_placer_read_rules (&rules, setup->params);
  s->ready = bn_ready_new (setup, &rules);
  return bn_ready_traits (s->ready);
}

void
bn_ready_hook_fini (void *state)
{
  bn_ready_free (((BnReadyState *) state)->ready);
}

void
bn_ready_hook_place (void *state, const BnPlaceCall *call)
{
  BnReady *r = ((BnReadyState *) state)->ready;
  uint32_t t = call->tasks[0];
  const BnTaskSpec *spec = &call->job->workflow->tasks[t];
  BnPlacerChoice choice;

  bn_placer_begin (r->placer, call->view, call->now);
  if (spec->n_preds == 0)
    choice = bn_placer_choose_entry (r->placer, call->job, t, call->observer);
  else
    {
      for (uint32_t i = 0; i < spec->n_preds; i++)
        r->inputs[i] = (BnPlacerInput){ spec->preds[i], (uint32_t) call->job->tasks[spec->preds[i]].worker,
                                        call->now };
      choice = bn_placer_choose (r->placer, call->job, t, r->inputs, spec->n_preds);
    }
  call->host->place (call->host, t, (uint32_t) choice.worker, 0);
}

void
bn_ready_hook_forward (void *state, const BnForwardCall *call)
{
  bn_ready_forward (((BnReadyState *) state)->ready, call);
}
