/* failure.c: operations that fail, and workers that are lost.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A load that finds too little memory evicts one model more and tries again; one that
 * fails otherwise tries twice more. A transfer is sent again. A task whose execution
 * fails, or whose model cannot be loaded, goes to another worker that can hold its model,
 * the one with the least runtime queued and running (of equals the lowest number), or where
 * there is none tries again where it is. A task that has met MAX_FAILURES failures fails its job.
 *
 * A worker whose device is lost is down for good: its queue goes elsewhere, with inputs sent
 * anew by those who made them; what is placed on it from then on goes elsewhere, too. A job that
 * needs an output which was only there fails. Source: ours.
 */
#include "run_internal.h"

#define MAX_FAILURES 4
#define MAX_LOAD_RETRIES 2

static void
tell_failure (BnRun *run, const BnOp *op, const BnTask *task, uint32_t attempt, BnAfterFailure after)
{
  BnFailure failure = {
    .start_ns = op->start_ns,
    .time_ns = run->now,
    .kind = op->kind,
    .status = op->status,
    .worker = op->worker,
    .model = op->model,
    .job_id = task ? task->job->id : BN_NONE,
    .task = task ? (int32_t) bn_task_number (task) : BN_NONE,
    .attempt = attempt,
    .reason = op->reason ? op->reason : "the backend gave no reason",
    .after = after,
  };

  TELL (run, op_failed, &failure);
}

/* Up, not `except`, and with room for the task's model; or BN_NONE. */
static int32_t
least_busy (const BnRun *run, const BnTask *task, int32_t except)
{
  int32_t model = bn_task_spec (task)->model, best = BN_NONE;
  BnDuration least_ns = 0;

  for (uint32_t w = 0; w < run->config.platform->n_workers; w++)
    {
      const BnWorker *worker = &run->workers[w];
      if (run->down[w] || (int32_t) w == except
          || (model != BN_NONE && !bn_cost_fits (run->cost, (uint32_t) model, w)))
        continue;
      BnDuration rest_ns = MAX (bn_worker_slot_free_at (worker) - run->now, 0);
      BnDuration work_ns = rest_ns + worker->queued_ns / worker->n_slots;
      if (best == BN_NONE || work_ns < least_ns)
        {
          best = (int32_t) w;
          least_ns = work_ns;
        }
    }
  return best;
}

bool
bn_run_can_run_somewhere (const BnRun *run, const BnTask *task)
{
  return run->totals.n_workers_lost == 0 || least_busy (run, task, BN_NONE) != BN_NONE;
}

uint32_t
bn_run_instead_of_lost (const BnRun *run, const BnTask *task, uint32_t worker)
{
  if (worker >= run->config.platform->n_workers || !run->down[worker])
    return worker;
  int32_t other = least_busy (run, task, BN_NONE);
  return other == BN_NONE ? worker : (uint32_t) other;
}

/* The task goes to `to`, with what was made for it elsewhere sent anew; BN_NONE: there is no worker for it. */
static void
leave_worker (BnRun *run, BnTask *task, int32_t to)
{
  int32_t from = task->worker;

  if (to == BN_NONE)
    {
      bn_run_fail_job (run, task->job, BN_REASON_NO_WORKER_LEFT);
      return;
    }
  task->direct = true; /* it is ready, or its inputs are on their way */
  bn_run_relocate (run, task, (uint32_t) to, BN_NONE);
  bn_run_tell_unasked (run, task, BN_DECIDED_RETRY, BN_NONE, from);
}

void
bn_run_leave_lost_worker (BnRun *run, BnTask *task)
{
  leave_worker (run, task, least_busy (run, task, BN_NONE));
}

/* Once a device. */
static void
lose_worker (BnRun *run, BnWorker *worker)
{
  if (run->down[worker->index])
    return;
  run->down[worker->index] = true;
  run->totals.n_workers_lost++;
  bn_run_notice_worker (run, worker);
  while (worker->queue.first)
    {
      BnQueueNode *node = worker->queue.first;
      if (node->request)
        {
          bn_run_move_reservation (run, node);
          continue;
        }
      bn_run_unqueue (run, node->task);
      node->task->state = BN_TASK_TRAVELLING;
      bn_run_leave_lost_worker (run, node->task);
    }
  bn_run_empty_hopeless_pool (run);
  bn_run_lose_idle_models (run, worker);
  bn_run_dispatch (run, worker, true);
}

/* Counts one more failure. FALSE where it was the last, and the job has failed. */
static bool
may_go_on (BnRun *run, BnTask *task)
{
  if (++task->n_failures < MAX_FAILURES)
    return true;
  bn_run_fail_job (run, task->job, BN_REASON_ATTEMPTS);
  return false;
}

/* Whether every output that the task needs and that is made is still where it was made. */
static bool
can_be_sent_anew (const BnRun *run, const BnTask *task)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  for (uint32_t i = 0; i < spec->n_preds; i++)
    {
      const BnTask *pred = &task->job->tasks[spec->preds[i]];
      if (pred->state == BN_TASK_DONE && run->down[pred->worker])
        return false;
    }
  return true;
}

/* A ready task that is in no queue and has no slot, with its inputs on `from`, tries again. What it needs comes
 * from where it was made, if it still can: perhaps what was wrong is what is here. */
static BnAfterFailure
try_again (BnRun *run, BnTask *task, uint32_t from)
{
  int32_t to = least_busy (run, task, (int32_t) from);

  if (task->job->state != BN_JOB_LIVE)
    return BN_AFTER_NOTHING;
  if (!may_go_on (run, task))
    return BN_AFTER_JOB_FAILED;
  if (run->down[from] || (to != BN_NONE && can_be_sent_anew (run, task)))
    {
      leave_worker (run, task, to);
      return task->job->state == BN_JOB_LIVE ? BN_AFTER_MOVED : BN_AFTER_JOB_FAILED;
    }
  if (to == BN_NONE)
    {
      bn_run_queue (run, task);
      bn_run_dispatch (run, &run->workers[from], true);
      return BN_AFTER_RESENT;
    }
  bn_run_send_on (run, task, (uint32_t) to, BN_NONE,
                  bn_time_add (run->now, bn_run_way_ns (run, task, from, (uint32_t) to)));
  bn_run_tell_unasked (run, task, BN_DECIDED_RETRY, BN_NONE, (int32_t) from);
  bn_run_fetch_inputs (run, task, from);
  return BN_AFTER_MOVED;
}

/* The job of a task that gave its slot back may have been given up meanwhile. */
static void
settle_job (BnRun *run, BnJob *job)
{
  if (job->state != BN_JOB_LIVE && job->n_active == 0 && job->end_ns == BN_TIME_NEVER)
    bn_run_finish_job (run, job, (BnJobState) job->state);
}

/* A task whose `attempt` has ended with `op`, and which has no slot and is in no queue. Gives up a reference
 * to its job. */
static void
attempt_failed (BnRun *run, const BnOp *op, BnTask *task, uint32_t attempt)
{
  BnJob *job = task->job;

  if (job->state != BN_JOB_LIVE)
    task->state = BN_TASK_CANCELLED;
  BnAfterFailure after = try_again (run, task, (uint32_t) task->worker);
  tell_failure (run, op, task, attempt, op->status == BN_OP_DEVICE_LOST ? BN_AFTER_WORKER_DOWN : after);
  settle_job (run, job);
  bn_run_unref_job (run, job);
}

static void
run_failed (BnRun *run, BnOp *op)
{
  BnWorker *worker = &run->workers[op->worker];
  uint32_t attempt = op->task->attempt;

  bn_run_stop_attempt (run, op->task);
  /* perhaps the model is not what it should be: the next task loads it anew */
  if (op->model != BN_NONE)
    bn_run_lose_model (run, worker, (uint32_t) op->model);
  attempt_failed (run, op, op->task, attempt);
  bn_run_dispatch (run, worker, true);
}

/* A task that waits for the load in a slot, or NULL. */
static BnTask *
waits_for (const BnWorker *worker, uint32_t model)
{
  for (uint32_t s = 0; s < worker->n_slots; s++)
    if (worker->slots[s].task && worker->slots[s].awaits_load
        && bn_task_spec (worker->slots[s].task)->model == (int32_t) model)
      return worker->slots[s].task;
  return NULL;
}

/* Those who waited for it try elsewhere. */
static void
load_failed_for_good (BnRun *run, BnOp *op)
{
  Load *load = op->owner;
  BnWorker *worker = &run->workers[load->worker];
  BnTask *owner = bn_cache_find (&worker->cache, load->model)->loaded_for, *task;
  BnTask **stopped = g_new (BnTask *, worker->n_slots);
  uint32_t n = 0;

  while ((task = waits_for (worker, load->model)) != NULL)
    {
      bn_run_stop_attempt (run, task);
      stopped[n++] = task;
    }
  if (owner && owner->state == BN_TASK_QUEUED)
    {
      bn_run_unqueue (run, owner);
      owner->state = BN_TASK_TRAVELLING;
      owner->job->n_refs++;
    }
  else
    owner = NULL;
  bn_run_abandon_load (run, load);
  for (uint32_t i = 0; i < n; i++)
    attempt_failed (run, op, stopped[i], stopped[i]->attempt - 1u);
  if (owner)
    attempt_failed (run, op, owner, owner->attempt);
  else if (n == 0)
    tell_failure (run, op, NULL, 0, op->status == BN_OP_DEVICE_LOST ? BN_AFTER_WORKER_DOWN : BN_AFTER_NOTHING);
  g_free (stopped);
  bn_run_dispatch (run, worker, true);
}

static void
load_failed (BnRun *run, BnOp *op)
{
  Load *load = op->owner;
  const BnTask *task = bn_cache_find (&run->workers[load->worker].cache, load->model)->loaded_for;

  if (op->status == BN_OP_OUT_OF_MEMORY && bn_run_evict_one_more (run, load))
    tell_failure (run, op, task, task ? task->attempt : 0, BN_AFTER_EVICTED);
  else if (op->status == BN_OP_FAILED && load->n_retries < MAX_LOAD_RETRIES)
    {
      tell_failure (run, op, task, task ? task->attempt : 0, BN_AFTER_RESENT);
      bn_run_load_again (run, load);
    }
  else
    load_failed_for_good (run, op);
}

static void
transfer_failed (BnRun *run, BnOp *op)
{
  BnTask *task = op->task;
  BnJob *job = task->job;
  bool void_anyhow = task->epoch != op->epoch || task->state > BN_TASK_TRAVELLING || job->state != BN_JOB_LIVE;
  BnAfterFailure after = BN_AFTER_NOTHING;

  if (void_anyhow)
    ;
  else if ((op->from_worker != BN_NONE && run->down[op->from_worker]) || run->down[op->worker])
    {
      if (!can_be_sent_anew (run, task))
        bn_run_fail_job (run, job, BN_REASON_DATA_LOST);
      else if (run->down[op->worker])
        bn_run_leave_lost_worker (run, task);
      else
        bn_run_relocate (run, task, op->worker, BN_NONE);
      after = job->state == BN_JOB_LIVE ? BN_AFTER_MOVED : BN_AFTER_JOB_FAILED;
    }
  else if (!may_go_on (run, task))
    after = BN_AFTER_JOB_FAILED;
  else
    {
      BnOp *again = bn_run_new_op (run, BN_OP_TRANSFER, op->worker);
      again->task = task;
      again->epoch = op->epoch;
      again->from_worker = op->from_worker;
      again->pred = op->pred;
      again->bytes = op->bytes;
      job->n_refs++;
      bn_run_start_transfer_op (run, again);
      after = BN_AFTER_RESENT;
    }
  tell_failure (run, op, task, task->attempt, after);
  bn_run_unref_job (run, job);
}

void
bn_run_op_failed (BnRun *run, BnOp *op)
{
  run->totals.n_failures++;
  if (op->status == BN_OP_DEVICE_LOST)
    lose_worker (run, &run->workers[op->worker]);
  switch (op->kind)
    {
    case BN_OP_LOAD:
      load_failed (run, op);
      break;
    case BN_OP_EVICT:
      /* weights are never written to: that they could not be copied back loses nothing, and they go all the same */
      tell_failure (run, op, NULL, 0, op->status == BN_OP_DEVICE_LOST ? BN_AFTER_WORKER_DOWN : BN_AFTER_NOTHING);
      if (run->backend->drop)
        run->backend->drop (run->backend_state, op->worker, (uint32_t) op->model);
      bn_run_evict_done (run, op); /* frees it */
      return;
    case BN_OP_TRANSFER:
      transfer_failed (run, op);
      break;
    case BN_OP_RUN:
      run_failed (run, op);
      break;
    }
  bn_run_free_op (run, op);
  if (run->traits & BN_SCHED_POOLS)
    bn_run_review (run);
}
