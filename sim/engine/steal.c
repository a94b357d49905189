/* steal.c: workers with nothing to do ask for work.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A worker with a free slot and an empty queue asks at once, and then at every poll,
 * the worker whose row shows the most runtime queued. Its message tells which models it
 * holds. The victim walks its queue in service order and gives away the first task
 * that is better off elsewhere: the one for which
 *
 *   rest of what runs + (runtimes and loads of the tasks before it) / slots
 *     + its load here > message + its inputs' way + 2 loads there
 *
 * where the rest of a task that overruns is as long again as it has overrun, and a load
 * is 0 if the model is there, or will be by then. The factor 2 keeps idle
 * time from turning into misses, which cost everybody. The task's inputs then travel
 * from the victim, a message later. Both look at themselves with fresh eyes, so this
 * does not depend on how old rows are. A request is void if the thief has got work
 * meanwhile. Source: ours.
 *
 * Polls are timers: they stop while no job is live.
 */
#include "run_internal.h"

#include <string.h>

static bool
has_nothing_to_do (const BnWorker *worker)
{
  return bn_worker_has_free_slot (worker) && worker->queue.length == 0;
}

static void
set_poll (BnRun *run, uint32_t worker, BnTime time_ns)
{
  BnEvent event = { time_ns, NULL, worker, EVENT_STEAL_POLL };

  run->steal_polls[worker] = bn_event_queue_schedule (run->events, &event, BN_RANK_NORMAL);
  run->n_timers++;
}

void
bn_run_idle_changed (BnRun *run, const BnWorker *worker)
{
  BnEventHandle *poll = &run->steal_polls[worker->index];
  bool idle = run->n_live > 0 && !run->down[worker->index] && has_nothing_to_do (worker);

  if (idle && !*poll)
    set_poll (run, worker->index, run->now);
  else if (!idle && *poll)
    {
      bn_event_queue_cancel (run->events, *poll);
      *poll = 0;
      run->n_timers--;
    }
}

void
bn_run_wake_thieves (BnRun *run)
{
  for (uint32_t w = 0; w < run->config.platform->n_workers; w++)
    bn_run_idle_changed (run, &run->workers[w]);
}

static Steal *
new_steal (BnRun *run)
{
  Steal *steal = run->free_steals;
  uint32_t words = (run->config.catalogue->n_models + 63) / 64;

  if (steal)
    run->free_steals = steal->next_free;
  else
    {
      steal = g_new0 (Steal, 1);
      steal->resident = g_new (uint64_t, words + 1);
    }
  memset (steal->resident, 0, words * sizeof *steal->resident);
  return steal;
}

void
bn_run_free_steal (BnRun *run, Steal *steal)
{
  steal->next_free = run->free_steals;
  run->free_steals = steal;
}

void
bn_run_poll_for_work (BnRun *run, uint32_t w)
{
  const BnWorker *worker = &run->workers[w];

  run->steal_polls[w] = 0;
  if (run->n_live == 0)
    return;
  set_poll (run, w, bn_time_add (run->now, run->config.options.steal_poll_ns));
  int32_t victim = bn_published_longest_queue (run->table, (int32_t) w, run->now);
  if (victim == BN_NONE)
    return;
  Steal *steal = new_steal (run);
  steal->thief = w;
  steal->victim = (uint32_t) victim;
  for (uint32_t i = 0; i < worker->cache.n_entries; i++)
    if (worker->cache.entries[i].state == BN_ENTRY_RESIDENT)
      {
        uint32_t model = worker->cache.entries[i].model;
        steal->resident[model / 64] |= UINT64_C (1) << (model % 64);
      }
  run->totals.n_messages++;
  bn_run_schedule (run, bn_time_add (run->now, bn_run_message_ns (run, (int32_t) w, victim)), EVENT_STEAL_REQUEST,
                   steal, 0);
}

/* The victim's queued tasks in service order. Returns: their number. */
static uint32_t
in_service_order (BnRun *run, const BnWorker *worker)
{
  uint32_t n = 0;

  if (run->capacity_order_scratch < worker->queue.length)
    {
      run->capacity_order_scratch = MAX (2 * run->capacity_order_scratch, worker->queue.length);
      run->order_scratch = g_renew (BnTask *, run->order_scratch, run->capacity_order_scratch);
    }
  for (const BnQueueNode *node = worker->queue.first; node; node = node->next)
    if (node->task)
      run->order_scratch[n++] = node->task;
  bn_worker_sort (worker, run->order, &run->config.options.queue_settings, run->cost, run->now, run->order_scratch,
                  n);
  return n;
}

/* Of a task that overruns: as long again as it has overrun, as good a guess as any. */
static BnDuration
rest_of_what_runs (const BnWorker *worker, BnTime now)
{
  BnTime end_ns = bn_worker_slot_free_at (worker);

  return end_ns == 0 ? 0 : end_ns > now ? end_ns - now : now - end_ns;
}

/* The task that the victim gives away, or NULL. */
static BnTask *
choose_gift (BnRun *run, const BnWorker *victim, const Steal *steal)
{
  uint32_t n = in_service_order (run, victim), n_models = run->config.catalogue->n_models;
  BnDuration message_ns = bn_run_message_ns (run, (int32_t) victim->index, (int32_t) steal->thief);
  BnDuration rest_ns = rest_of_what_runs (victim, run->now), before_ns = 0;
  uint8_t *loaded = run->chosen_scratch; /* by a task before it */

  memset (loaded, 0, n_models);
  for (uint32_t i = 0; i < n; i++)
    {
      BnTask *task = run->order_scratch[i];
      int32_t model = bn_task_spec (task)->model;
      BnDuration load_here = 0, load_there = 0;
      bool fits = true;
      if (model != BN_NONE)
        {
          uint32_t m = (uint32_t) model;
          bool there = steal->resident[m / 64] >> (m % 64) & 1;
          load_here = loaded[m] || bn_cache_find (&victim->cache, m) ? 0 : bn_cost_load (run->cost, m, victim->index);
          load_there = there ? 0 : bn_cost_load (run->cost, m, steal->thief);
          fits = bn_cost_fits (run->cost, m, steal->thief);
        }
      BnDuration here_ns = rest_ns + before_ns / victim->n_slots + load_here;
      if (fits && here_ns > message_ns + bn_run_way_ns (run, task, victim->index, steal->thief) + 2 * load_there)
        return task;
      before_ns += task->estimate_ns + load_here;
      if (model != BN_NONE)
        loaded[model] = 1;
    }
  return NULL;
}

void
bn_run_asked_for_work (BnRun *run, Steal *steal)
{
  BnWorker *victim = &run->workers[steal->victim];
  uint32_t thief = steal->thief;
  bool is_idle = !run->down[thief] && has_nothing_to_do (&run->workers[thief]);
  BnTask *task = is_idle ? choose_gift (run, victim, steal) : NULL;

  bn_run_free_steal (run, steal);
  if (!task)
    return;
  BnDuration message_ns = bn_run_message_ns (run, (int32_t) victim->index, (int32_t) thief);
  BnTime ready_ns = bn_time_add (bn_time_add (run->now, message_ns), bn_run_way_ns (run, task, victim->index, thief));
  bn_run_unqueue (run, task);
  task->stolen = true;
  run->totals.n_stolen++;
  run->totals.n_messages++;
  bn_run_send_on (run, task, thief, (int32_t) victim->index, ready_ns);
  bn_run_tell_unasked (run, task, BN_DECIDED_STEAL, (int32_t) victim->index, (int32_t) victim->index);
  task->job->n_refs++;
  task->stolen_from = (int32_t) victim->index;
  bn_run_schedule (run, bn_time_add (run->now, message_ns), EVENT_STEAL_GIVEN, task, task->epoch);
  bn_run_dispatch (run, victim, true);
}

void
bn_run_work_given (BnRun *run, BnTask *task, uint32_t epoch)
{
  if (task->epoch == epoch && task->state == BN_TASK_TRAVELLING)
    bn_run_fetch_inputs (run, task, (uint32_t) task->stolen_from);
  bn_run_unref_job (run, task->job);
}
