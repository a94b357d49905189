/* travel.c: inputs travel, tasks queue.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Every hand-over is an event, even when it takes no time. A planned task queues
 * in an event of its own after its last input has come; one that was open when
 * it was placed, and an entry task, queues in the event of its last input. (This
 * is the order of events of the reference logs.)
 */
#include "run_internal.h"

static bool
accept_worker (BnRun *run, BnTask *task, uint32_t worker)
{
  int32_t model = bn_task_spec (task)->model;

  if (worker >= run->config.platform->n_workers)
    bn_run_refuse_job (run, task->job, BN_REASON_BAD_WORKER);
  else if (model != BN_NONE && !bn_cost_fits (run->cost, (uint32_t) model, worker))
    bn_run_refuse_job (run, task->job, BN_REASON_MODEL_EXCEEDS_GPU);
  else
    return true;
  return false;
}

void
bn_run_settle_reservation (BnRun *run, BnTask *task)
{
  if (!task->reservation)
    return;
  bn_reservations_settle (bn_published_reservations (run->table), task->reservation, run->now);
  task->reservation = NULL;
}

/* Puts the task's name on a worker: estimate, reservation, time. */
static void
set_worker (BnRun *run, BnTask *task, uint32_t worker, int32_t observer)
{
  BnReservations *reservations = bn_published_reservations (run->table);
  BnDuration runtime = bn_cost_runtime (run->cost, task->job->workflow, bn_task_number (task), worker);

  task->worker = (int32_t) worker;
  task->placed_ns = run->now;
  task->estimate_ns = run->config.noise.visible ? bn_cost_true_runtime (runtime, task->factor) : runtime;
  bn_run_settle_reservation (run, task);
  if (reservations)
    /* FT is about one slot: k of them share the work */
    task->reservation = bn_reservations_add (reservations, observer, worker,
                                             task->estimate_ns / run->workers[worker].n_slots, run->now);
}

void
bn_run_assign (BnRun *run, BnTask *task, uint32_t worker, int32_t observer)
{
  if (!accept_worker (run, task, worker))
    return;
  set_worker (run, task, worker, observer);
  task->planned_worker = (int32_t) worker;
}

void
bn_run_send_from_client (BnRun *run, BnTask *task)
{
  BnJob *job = task->job;

  BN_ASSERT (task->state == BN_TASK_WAITING);
  task->state = BN_TASK_TRAVELLING;
  job->n_refs++;
  if (task->worker == job->ingress && !(run->traits & BN_SCHED_CENTRAL))
    {
      bn_run_schedule (run, run->now, EVENT_DELIVER, task, task->epoch);
      return;
    }
  BnOp *op = bn_run_new_op (run, BN_OP_TRANSFER, (uint32_t) task->worker);
  op->task = task;
  op->epoch = task->epoch;
  op->bytes = bn_task_spec (task)->input_bytes;
  run->backend->start_transfer (run->backend_state, op);
}

void
bn_run_send_input (BnRun *run, BnTask *task, uint32_t pred)
{
  const BnTask *producer = &task->job->tasks[pred];

  if (task->n_waiting == 0 && task->state == BN_TASK_WAITING)
    task->state = BN_TASK_TRAVELLING;
  task->job->n_refs++;
  if (producer->worker == task->worker)
    {
      bn_run_schedule (run, run->now, EVENT_DELIVER, task, task->epoch);
      return;
    }
  BnOp *op = bn_run_new_op (run, BN_OP_TRANSFER, (uint32_t) task->worker);
  op->task = task;
  op->epoch = task->epoch;
  op->from_worker = producer->worker;
  op->pred = (int32_t) pred;
  op->bytes = bn_task_spec (producer)->output_bytes;
  task->moved_bytes += op->bytes;
  run->backend->start_transfer (run->backend_state, op);
}

void
bn_run_place_open (BnRun *run, BnTask *task, uint32_t worker, int32_t observer)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  if (!accept_worker (run, task, worker))
    return;
  set_worker (run, task, worker, observer);
  task->planned_worker = (int32_t) worker;
  task->direct = true;
  if (spec->n_preds == 0)
    bn_run_send_from_client (run, task);
  for (uint32_t i = 0; i < spec->n_preds; i++)
    bn_run_send_input (run, task, spec->preds[i]);
}

void
bn_run_move (BnRun *run, BnTask *task, uint32_t worker, int32_t observer, int32_t ended)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  if (!accept_worker (run, task, worker))
    return;
  set_worker (run, task, worker, observer);
  task->epoch++;
  task->n_missing = spec->n_preds;
  for (uint32_t i = 0; i < spec->n_preds; i++)
    if ((int32_t) spec->preds[i] != ended)
      bn_run_send_input (run, task, spec->preds[i]);
}

void
bn_run_delivered (BnRun *run, BnTask *task, uint32_t epoch)
{
  BnJob *job = task->job;

  if (task->epoch == epoch && task->state <= BN_TASK_TRAVELLING)
    {
      BN_ASSERT (task->n_missing > 0);
      if (--task->n_missing == 0)
        {
          job->n_refs++;
          if (task->direct)
            bn_run_enqueue (run, task, epoch);
          else
            bn_run_schedule (run, run->now, EVENT_ENQUEUE, task, epoch);
        }
    }
  bn_run_unref_job (run, job);
}

void
bn_run_transfer_done (BnRun *run, BnOp *op)
{
  BnTask *task = op->task;
  BnTransfer transfer = { task->job,  bn_task_number (task), op->pred,     op->from_worker, (int32_t) op->worker,
                          op->bytes,  op->start_ns,          run->now,
                          task->epoch != op->epoch || task->state > BN_TASK_TRAVELLING };
  uint32_t epoch = op->epoch;

  bn_run_free_op (run, op);
  TELL (run, transfer, &transfer);
  bn_run_delivered (run, task, epoch);
}

/* Takes over the reference that its event or its last delivery held. */
void
bn_run_enqueue (BnRun *run, BnTask *task, uint32_t epoch)
{
  BnJob *job = task->job;

  if (task->epoch == epoch && task->state == BN_TASK_TRAVELLING)
    {
      BnWorker *worker = &run->workers[task->worker];
      task->state = BN_TASK_QUEUED;
      task->enqueue_ns = run->now;
      TELL (run, task_enqueued, task, run->now);
      bn_run_settle_reservation (run, task);
      bn_worker_enqueue (worker, task, task->bound);
      if (task->bound)
        {
          worker->n_held--;
          task->bound = false;
        }
      bn_run_dispatch (run, worker, true);
    }
  bn_run_unref_job (run, job);
}
