/* central_pull.c: one pool of ready tasks and one scheduler that sees everything.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A yardstick, not a scheduler that could be built: with the setting `pull` its view is
 * the truth and its decisions cost nothing. At every arrival and every end of a task it
 * walks the pool in the order of the queues' key; a task looks at all workers for
 *
 *   max (free, now + way of its inputs) + (1 + penalty) x load on a miss + R
 *
 * and goes where that is least if that worker is idle; if it is busy the task waits,
 * and the worker counts as taken for its runtime longer in this round. Lowest number in
 * ties. O(pool x workers) an event, but it ends with the last idle worker. Source: ours.
 */
#include <stdlib.h>

#include "panic.h"
#include "schedulers.h"

enum
{
  PARAM_MISS_PENALTY
};

static const BnParamSpec params[] = {
  { "miss-penalty", "loads that any miss costs on top", BN_PARAM_REAL, 0, 100, 1, NULL },
};

typedef struct Keyed
{
  double key;
  uint32_t index;
} Keyed;

typedef struct Pull
{
  const BnCost *cost;
  const BnQueueOrder *order;
  const BnQueueOrderSettings *settings;
  double loads;           /* that a miss counts for */
  BnTime *taken_until_ns; /* [n_workers] in this round */
  bool *idle;             /* [n_workers]               */
  Keyed *pool;
  uint32_t capacity_pool;
} Pull;

static uint32_t
pull_init (void *state, const BnSchedSetup *setup)
{
  Pull *p = state;

  p->cost = setup->cost;
  p->order = setup->order;
  p->settings = setup->order_settings;
  p->loads = 1 + setup->params[PARAM_MISS_PENALTY].real;
  p->taken_until_ns = calloc (setup->platform->n_workers, sizeof *p->taken_until_ns);
  p->idle = calloc (setup->platform->n_workers, sizeof *p->idle);
  BN_ASSERT (p->taken_until_ns && p->idle);
  return BN_SCHED_READS_LOADS | BN_SCHED_READS_CACHES | BN_SCHED_POOLS | BN_SCHED_YARDSTICK;
}

static void
pull_fini (void *state)
{
  Pull *p = state;

  free (p->taken_until_ns);
  free (p->idle);
  free (p->pool);
}

/* When each worker is free by what is known now. Returns: how many are idle. */
static uint32_t
begin_round (Pull *p, const BnReviewCall *call)
{
  const BnView *view = call->view;
  uint32_t n = 0;

  for (uint32_t w = 0; w < view->n_workers; w++)
    {
      p->idle[w] = view->slot_free_ns[w] == 0 && view->backlog_ns[w] == 0
                   && (!view->reserved_ns || view->reserved_ns[w] == 0);
      p->taken_until_ns[w] = p->idle[w] ? call->now : bn_view_free_at (view, w, call->now);
      n += p->idle[w];
    }
  return n;
}

static int
compare_keys (const void *a, const void *b)
{
  const Keyed *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The pool in the order of the queues, by what a task's worker would make of it without
 * loads. */
static void
sort_pool (Pull *p, const BnReviewCall *call)
{
  if (p->capacity_pool < call->n_tasks)
    {
      p->capacity_pool = 2 * call->n_tasks;
      p->pool = realloc (p->pool, p->capacity_pool * sizeof *p->pool);
      BN_ASSERT (p->pool);
    }
  for (uint32_t i = 0; i < call->n_tasks; i++)
    {
      const BnTask *task = call->tasks[i];
      BnQueuedTask shown = { .job_id = task->job->id, .create_ns = task->job->create_ns, .enqueue_ns = call->now,
                             .task = task->job->workflow->first_task + bn_task_number (task),
                             .priority = task->priority };
      p->pool[i] = (Keyed){ p->order->key ? p->order->key (&shown, call->now, 0, p->cost, p->settings) : 0, i };
    }
  qsort (p->pool, call->n_tasks, sizeof *p->pool, compare_keys);
}

static BnDuration
way_ns (const Pull *p, const BnTask *task, uint32_t w)
{
  const BnTaskSpec *spec = bn_task_spec (task);
  const BnJob *job = task->job;
  BnDuration way = 0;

  if (spec->n_preds == 0)
    return (int32_t) w == job->ingress ? 0 : bn_cost_input (p->cost, job->workflow, bn_task_number (task));
  for (uint32_t i = 0; i < spec->n_preds; i++)
    way = bn_time_max (way, bn_cost_g2g (p->cost, job->workflow, spec->preds[i],
                                         (uint32_t) job->tasks[spec->preds[i]].worker, w));
  return way;
}

static BnTime
value_at (const Pull *p, const BnReviewCall *call, const BnTask *task, uint32_t w)
{
  int32_t model = bn_task_spec (task)->model;
  BnTime start = bn_time_max (p->taken_until_ns[w], call->now + way_ns (p, task, w));
  BnDuration load = model == BN_NONE || bn_view_holds (call->view, w, (uint32_t) model)
                      ? 0
                      : bn_round_half_up (p->loads * (double) bn_cost_load (p->cost, (uint32_t) model, w));

  return start + load + bn_cost_runtime (p->cost, task->job->workflow, bn_task_number (task), w);
}

static void
pull_review (void *state, const BnReviewCall *call)
{
  Pull *p = state;
  uint32_t n_idle = begin_round (p, call);

  sort_pool (p, call);
  for (uint32_t i = 0; i < call->n_tasks && n_idle > 0; i++)
    {
      const BnTask *task = call->tasks[p->pool[i].index];
      int32_t model = bn_task_spec (task)->model, best = BN_NONE;
      BnTime least = 0;
      for (uint32_t w = 0; w < call->view->n_workers; w++)
        {
          if (model != BN_NONE && !bn_cost_fits (p->cost, (uint32_t) model, w))
            continue;
          BnTime value = value_at (p, call, task, w);
          if (best == BN_NONE || value < least)
            {
              best = (int32_t) w;
              least = value;
            }
        }
      BN_ASSERT (best != BN_NONE); /* a job that fits nowhere is refused on arrival */
      if (p->idle[best])
        {
          call->host->bind (call->host, p->pool[i].index, (uint32_t) best);
          p->idle[best] = false;
          n_idle--;
        }
      p->taken_until_ns[best] += bn_cost_runtime (p->cost, task->job->workflow, bn_task_number (task),
                                                  (uint32_t) best);
    }
}

const BnScheduler bn_sched_pull = {
  .struct_size = sizeof (BnScheduler),
  .name = "pull",
  .summary = "yardstick: a central pool of ready tasks, handed to idle workers with full knowledge",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (Pull),
  .init = pull_init,
  .fini = pull_fini,
  .review = pull_review,
};
