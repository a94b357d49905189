/* pace.c: how long a copy takes at least where copies are paced.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "pace.h"

BnDuration
bn_pace_ns (const BnCost *cost, const BnOp *op)
{
  const BnWorkerInfo *workers = cost->platform->workers;

  switch (op->kind)
    {
    case BN_OP_LOAD:
      return bn_cost_load (cost, (uint32_t) op->model, op->worker);
    case BN_OP_EVICT:
      return cost->evict_ns[(uint64_t) workers[op->worker].type * cost->n_models + (uint32_t) op->model];
    case BN_OP_TRANSFER:
      {
        const BnWorkflow *wf = op->task->job->workflow;
        if (op->pred == BN_NONE)
          return bn_cost_input (cost, wf, bn_task_number (op->task));
        if (workers[op->from_worker].server == workers[op->worker].server)
          return 0;
        return bn_cost_g2g (cost, wf, (uint32_t) op->pred, (uint32_t) op->from_worker, op->worker);
      }
    case BN_OP_RUN:
      return 0;
    }
  return 0;
}

BnTime
bn_paced_end (const BnBackendSettings *settings, const BnCost *cost, const BnOp *op)
{
  return settings->paced ? bn_time_add (op->scratch[0], bn_pace_ns (cost, op)) : 0;
}
