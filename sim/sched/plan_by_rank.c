/* plan_by_rank.c: list scheduling of one job, for compass and heft.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "schedulers.h"

void
bn_plan_by_rank (BnPlacer *placer, const BnCost *cost, const BnPlanCall *call, BnPlacerChoice *choices,
                 BnPlacerInput *inputs)
{
  const BnWorkflow *wf = call->job->workflow;
  const uint32_t *order = cost->rank_order + wf->first_task;

  bn_placer_begin (placer, call->view, call->now);
  for (uint32_t k = 0; k < wf->n_tasks; k++)
    {
      uint32_t t = order[k];
      const BnTaskSpec *spec = &wf->tasks[t];
      for (uint32_t i = 0; i < spec->n_preds; i++)
        {
          const BnPlacerChoice *pred = &choices[spec->preds[i]];
          inputs[i] = (BnPlacerInput){ spec->preds[i], (uint32_t) pred->worker, pred->finish_ns };
        }
      choices[t] = spec->n_preds == 0 ? bn_placer_choose_entry (placer, call->job, t, call->observer)
                                      : bn_placer_choose (placer, call->job, t, inputs, spec->n_preds);
      bn_placer_commit (placer, wf, t, &choices[t]);
      call->host->place (call->host, t, (uint32_t) choices[t].worker, 0);
    }
}
