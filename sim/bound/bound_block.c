/* bound_block.c: jobs whose latencies are bounded together.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "bound_block.h"

#include <glib.h>

/* Room for one more than `used`; at least doubles. */
#define ENSURE(array, capacity, needed)                                                                             \
  do                                                                                                                \
    if ((capacity) < (needed))                                                                                      \
      {                                                                                                             \
        (capacity) = MAX ((needed), 2 * (capacity));                                                                \
        (array) = g_realloc_n ((array), (capacity), sizeof *(array));                                               \
      }                                                                                                             \
  while (0)

void
bn_bound_block_reset (BnBoundBlock *block)
{
  block->n_jobs = block->n_tasks = block->n_ways = 0;
  block->span = 0;
}

void
bn_bound_block_clear (BnBoundBlock *block)
{
  g_free (block->jobs);
  g_free (block->tasks);
  g_free (block->ways);
  g_free (block->scratch);
}

bool
bn_bound_block_is_full (const BnBoundBlock *block, BnTime create_ns)
{
  return block->n_jobs > 0
         && (block->n_ways >= BN_BLOCK_WAYS || create_ns - block->origin_ns > BN_BLOCK_SPAN_NS);
}

/* start(t): arrival, the end of its predecessors and the first load of its model, each
 * at the earliest. */
static void
fill_starts (const BnMachineTypes *types, const BnWorkflow *wf, BnTime arrive_ns, BnTime *start,
             const BnDuration *runtime)
{
  for (uint32_t k = 0; k < wf->n_tasks; k++)
    {
      uint32_t t = wf->topological[k];
      const BnTaskSpec *task = &wf->tasks[t];
      start[t] = task->model == BN_NONE ? arrive_ns : bn_time_max (arrive_ns, types->cold_ns[task->model]);
      for (uint32_t i = 0; i < task->n_preds; i++)
        start[t] = bn_time_max (start[t], bn_time_add (start[task->preds[i]], runtime[task->preds[i]]));
    }
}

static void
fill_tails (const BnWorkflow *wf, BnDuration *tail, const BnDuration *runtime)
{
  for (uint32_t k = wf->n_tasks; k-- > 0;)
    {
      uint32_t t = wf->topological[k];
      const BnTaskSpec *task = &wf->tasks[t];
      tail[t] = 0;
      for (uint32_t i = 0; i < task->n_succs; i++)
        tail[t] = bn_time_max (tail[t], bn_time_add (tail[task->succs[i]], runtime[task->succs[i]]));
    }
}

/* Its ways into the block. Returns: the least runtime. */
static BnDuration
add_ways (BnBoundBlock *block, const BnMachineTypes *types, BnBoundTask *task, double factor)
{
  uint32_t first = types->first[task->spec], n = types->first[task->spec + 1] - first;
  BnDuration least = BN_TIME_NEVER;

  ENSURE (block->ways, block->capacity_ways, block->n_ways + n);
  task->first_way = block->n_ways;
  task->n_ways = n;
  task->work = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      const BnWay *way = &types->ways[first + i];
      BnDuration runtime_ns = bn_cost_true_runtime (way->runtime_ns, factor);
      BnBoundWay *here = &block->ways[block->n_ways++];
      *here = (BnBoundWay){ (double) runtime_ns, way->speed };
      least = bn_time_min (least, runtime_ns);
      double work = here->runtime * here->speed;
      task->work = i == 0 ? work : MIN (task->work, work);
    }
  return least;
}

void
bn_bound_block_add (BnBoundBlock *block, const BnCost *cost, const BnMachineTypes *types, const BnWorkflow *wf,
                    BnTime create_ns, const double *factors)
{
  uint32_t n = wf->n_tasks;
  BnTime arrive_ns = bn_time_add (create_ns, cost->job_input_net_ns[wf->index]), end_ns = arrive_ns;

  ENSURE (block->jobs, block->capacity_jobs, block->n_jobs + 1);
  ENSURE (block->tasks, block->capacity_tasks, block->n_tasks + n);
  ENSURE (block->scratch, block->capacity_scratch, 3 * n);
  if (block->n_jobs == 0)
    block->origin_ns = create_ns;
  BnTime *start = block->scratch;
  BnDuration *runtime = start + n, *tail = runtime + n;

  for (uint32_t t = 0; t < n; t++)
    {
      BnBoundTask *task = &block->tasks[block->n_tasks + t];
      task->job = block->n_jobs;
      task->spec = wf->first_task + t;
      runtime[t] = add_ways (block, types, task, factors[t]);
    }
  fill_starts (types, wf, arrive_ns, start, runtime);
  fill_tails (wf, tail, runtime);
  for (uint32_t t = 0; t < n; t++)
    {
      BnBoundTask *task = &block->tasks[block->n_tasks + t];
      task->release = (double) (start[t] - block->origin_ns);
      task->runtime = (double) runtime[t];
      task->tail = (double) tail[t];
      end_ns = bn_time_max (end_ns, bn_time_add (start[t], runtime[t]));
      block->span = MAX (block->span, task->release);
    }
  block->jobs[block->n_jobs++] = (BnBoundJob){
    .create = (double) (create_ns - block->origin_ns),
    .least = (double) (end_ns - block->origin_ns),
    .latency_ns = end_ns - create_ns,
    .lower_bound_ns = cost->lower_bound_ns[wf->index],
    .first_task = block->n_tasks,
    .n_tasks = n,
  };
  block->n_tasks += n;
}
