/* execute.c: slots and executions.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Without an overlap (overlap.c), a task that leaves the queue holds its slot from
 * then on: first the victims of its load leave, then the load, then it runs. A task
 * whose model is being loaded already waits for that load. A task whose load cannot
 * be given room, because the tasks of other slots pin what is there, stays at the
 * head of the queue; the next end of a task or load on this worker tries again.
 */
#include "run_internal.h"

#include <string.h>

/* What the row of a lost worker tells those who look for the least wait. */
#define LOST_WORKER_BUSY_NS (1000 * 86400 * BN_NS_PER_S)

void
bn_run_row_changed (BnRun *run, const BnWorker *worker)
{
  if (!run->tracks_loads)
    return;
  BnLoadRow row = bn_worker_row (worker, run->now, run->row_scratch);
  if (run->down[worker->index])
    row.busy_until_ns = row.slot_free_ns = bn_time_add (run->now, LOST_WORKER_BUSY_NS);
  bn_published_set_load (run->table, worker->index, run->now, &row);
}

void
bn_run_begin_run (BnRun *run, BnSlot *slot)
{
  BnTask *task = slot->task;
  BnOp *op = bn_run_new_op (run, BN_OP_RUN, (uint32_t) task->worker);

  slot->awaits_load = false;
  task->state = BN_TASK_RUNNING;
  task->exec_ns = run->now;
  task->fetch_ns = run->now - task->start_ns - task->evict_ns;
  TELL (run, task_executing, task, run->now);
  op->task = task;
  op->n_tasks = 1;
  op->model = bn_task_spec (task)->model;
  op->place_in_line = task->place_in_line;
  run->backend->start_run (run->backend_state, op);
}

BnSlot *
bn_run_take_slot (BnRun *run, BnWorker *worker, BnTask *task)
{
  BnSlot *slot = worker->slots;

  if (run->wall && !run->charged_task)
    bn_run_charge (run, task, NULL);
  bn_run_unqueue (run, task);
  while (slot->task)
    slot++;
  worker->n_busy++;
  task->job->n_active++;
  task->job->n_refs++;
  *slot = (BnSlot){ .task = task };
  task->state = BN_TASK_STARTING;
  task->start_ns = run->now;
  task->place_in_line = bn_event_queue_take_place (run->events);
  return slot;
}

void
bn_run_stop_attempt (BnRun *run, BnTask *task)
{
  BnWorker *worker = &run->workers[task->worker];
  BnSlot *slot = worker->slots;
  int32_t model = bn_task_spec (task)->model;

  while (slot->task != task)
    slot++;
  *slot = (BnSlot){ 0 };
  worker->n_busy--;
  if (model != BN_NONE)
    {
      bn_cache_find (&worker->cache, (uint32_t) model)->n_pins--;
      bn_worker_disown_load (worker, (uint32_t) model);
    }
  task->job->n_active--;
  TELL (run, task_stopped, task, task->state == BN_TASK_RUNNING, run->now);
  task->attempt++;
  task->access = BN_ACCESS_NONE;
  task->start_ns = task->exec_ns = BN_TIME_NEVER;
  task->evict_ns = task->fetch_ns = 0;
  task->fetch_bytes = task->evict_bytes = 0;
  task->state = BN_TASK_TRAVELLING;
}

/* Takes the task out of the queue and into a slot; false where its load cannot
 * be given room yet. */
static bool
start_task (BnRun *run, BnWorker *worker, BnTask *task)
{
  int32_t model = bn_task_spec (task)->model;
  BnCacheEntry *entry = model == BN_NONE ? NULL : bn_cache_find (&worker->cache, (uint32_t) model);
  bool miss = model != BN_NONE && !entry;
  int32_t n_victims = 0;

  if (miss)
    {
      n_victims = bn_run_choose_victims (run, worker, (uint32_t) model, NULL);
      if (n_victims == BN_NONE)
        return false;
    }
  BnSlot *slot = bn_run_take_slot (run, worker, task);
  task->access = model == BN_NONE ? BN_ACCESS_NONE
                 : miss           ? BN_ACCESS_MISS
                 : entry->state == BN_ENTRY_RESIDENT ? BN_ACCESS_HIT
                                                     : BN_ACCESS_JOINED;
  TELL (run, task_started, task, run->now);
  if (miss)
    {
      bn_run_begin_load (run, worker, (uint32_t) model, task, run->victim_scratch, (uint32_t) n_victims);
      entry = bn_cache_find (&worker->cache, (uint32_t) model);
    }
  BnTime ready_ns = run->now;
  if (entry)
    {
      entry->n_pins++;
      entry->last_used_ns = run->now;
      slot->awaits_load = entry->state == BN_ENTRY_LOADING;
      if (slot->awaits_load)
        ready_ns = bn_time_max (run->now, entry->expected_end_ns);
    }
  slot->expected_end_ns = bn_time_add (ready_ns, task->estimate_ns);
  if (!slot->awaits_load)
    bn_run_begin_run (run, slot);
  return true;
}

/* Loads the model of the task that goes next while others run, if memory allows.
 * That task is the first of the queue's order, so no earlier one is robbed. */
static void
prefetch_next (BnRun *run, BnWorker *worker)
{
  if (worker->loads_beside || worker->n_busy == 0 || worker->queue.length == 0)
    return;
  BnQueueNode *node = bn_worker_next (worker, run->order, &run->config.options.queue_settings, run->cost, run->now);
  int32_t model = node && node->task ? bn_task_spec (node->task)->model : BN_NONE;
  if (model == BN_NONE || bn_cache_find (&worker->cache, (uint32_t) model))
    return;
  int32_t n_victims = bn_run_choose_victims (run, worker, (uint32_t) model, NULL);
  if (n_victims != BN_NONE)
    bn_run_begin_load (run, worker, (uint32_t) model, NULL, run->victim_scratch, (uint32_t) n_victims);
}

/* Without an overlap. Returns: whether the row has changed. */
static bool
start_in_turn (BnRun *run, BnWorker *worker)
{
  bool changed = false;

  while (bn_worker_has_free_slot (worker))
    {
      BnQueueNode *node = bn_worker_next (worker, run->order, &run->config.options.queue_settings, run->cost,
                                          run->now);
      if (!node)
        break;
      if (node->request)
        bn_run_start_pull (run, worker, node);
      else if (!start_task (run, worker, node->task))
        break;
      else
        changed = true;
    }
  return changed;
}

void
bn_run_dispatch (BnRun *run, BnWorker *worker, bool changed)
{
  bool overlaps = run->config.options.overlap != BN_OVERLAP_OFF;

  if (run->down[worker->index])
    {
      bn_run_row_changed (run, worker);
      if (run->steal_polls)
        bn_run_idle_changed (run, worker);
      return;
    }
  changed |= overlaps ? bn_run_dispatch_overlap (run, worker) : start_in_turn (run, worker);
  if (changed)
    bn_run_row_changed (run, worker);
  if (!overlaps && run->config.options.prefetch == BN_PREFETCH_NEXT)
    prefetch_next (run, worker);
  if (run->steal_polls)
    bn_run_idle_changed (run, worker);
}

/* Whether the scheduler is asked again about a planned task that is ready. */
static bool
wants_to_adjust (const BnRun *run, const BnTask *task)
{
  uint32_t wanted = bn_task_spec (task)->n_preds > 1 ? BN_SCHED_ADJUSTS_JOINS : BN_SCHED_ADJUSTS;

  return run->traits & wanted && bn_run_places (run);
}

/* The output of a task goes to its successors, each in turn: those that are
 * ready may be moved first, those that are open are placed. */
static void
hand_over (BnRun *run, BnTask *task, uint32_t worker)
{
  BnJob *job = task->job;
  uint32_t ended = bn_task_number (task), n_open = 0;
  const BnTaskSpec *spec = bn_task_spec (task);

  for (uint32_t i = 0; i < spec->n_succs && job->state == BN_JOB_LIVE; i++)
    {
      uint32_t s = spec->succs[i];
      BnTask *next = &job->tasks[s];
      next->n_waiting--;
      if (next->worker != BN_NONE)
        {
          if (next->n_waiting == 0 && wants_to_adjust (run, next))
            bn_run_ask_place (run, job, &s, 1, worker, (int32_t) ended);
          else
            bn_run_send_input (run, next, ended);
        }
      else if (next->n_waiting == 0)
        {
          if (run->traits & BN_SCHED_POOLS)
            bn_run_pool (run, next);
          else if (run->traits & BN_SCHED_RESERVES)
            run->ready_scratch[n_open++] = s;
          else
            bn_run_ask_place (run, job, &s, 1, worker, BN_NONE);
        }
    }
  if (n_open > 0 && job->state == BN_JOB_LIVE)
    bn_run_ask_place (run, job, run->ready_scratch, n_open, worker, BN_NONE);
}

void
bn_run_task_ended (BnRun *run, BnOp *op)
{
  BnTask *task = op->task;
  BnJob *job = task->job;
  BnWorker *worker = &run->workers[op->worker];
  BnSlot *slot = worker->slots;

  memcpy (task->digest, op->digest, sizeof task->digest);
  bn_run_free_op (run, op);
  while (slot->task != task)
    slot++;
  *slot = (BnSlot){ 0 };
  worker->n_busy--;
  if (bn_task_spec (task)->model != BN_NONE)
    bn_cache_find (&worker->cache, (uint32_t) bn_task_spec (task)->model)->n_pins--;
  task->state = BN_TASK_DONE;
  task->end_ns = run->now;
  job->n_done++;
  job->n_active--;
  run->totals.n_tasks_done++;
  TELL (run, task_finished, task, run->now);
  bn_run_notice_task (run, task);
  bn_run_row_changed (run, worker);

  if (job->state == BN_JOB_LIVE)
    hand_over (run, task, worker->index);
  if (job->state == BN_JOB_LIVE && job->n_done == job->workflow->n_tasks)
    bn_run_finish_job (run, job, BN_JOB_DONE);
  else if (job->state != BN_JOB_LIVE && job->n_active == 0 && job->end_ns == BN_TIME_NEVER)
    bn_run_finish_job (run, job, (BnJobState) job->state);
  bn_run_unref_job (run, job);

  if (run->down[worker->index])
    bn_run_lose_idle_models (run, worker);
  bn_run_dispatch (run, worker, false);
  if (run->traits & BN_SCHED_POOLS)
    bn_run_review (run);
}
