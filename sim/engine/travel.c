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

bool
bn_run_accept_worker (BnRun *run, BnTask *task, uint32_t worker)
{
  int32_t model = bn_task_spec (task)->model;

  if (worker >= run->config.platform->n_workers)
    bn_run_refuse_job (run, task->job, BN_REASON_BAD_WORKER);
  else if (model != BN_NONE && !bn_cost_fits (run->cost, (uint32_t) model, worker))
    bn_run_refuse_job (run, task->job, BN_REASON_MODEL_EXCEEDS_GPU);
  else if (run->down[worker])
    bn_run_fail_job (run, task->job, BN_REASON_NO_WORKER_LEFT);
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

/* When a task that is placed on `worker` is expected to queue there: its inputs come
 * from where they are or will be, and nobody waits. */
static BnTime
expected_ready (const BnRun *run, const BnTask *task, uint32_t worker)
{
  const BnJob *job = task->job;
  const BnTaskSpec *spec = bn_task_spec (task);
  BnTime ready_ns = run->now;

  if (spec->n_preds == 0)
    return worker == (uint32_t) job->ingress && !(run->traits & BN_SCHED_CENTRAL)
             ? run->now
             : bn_time_add (run->now, bn_cost_input (run->cost, job->workflow, bn_task_number (task)));
  for (uint32_t i = 0; i < spec->n_preds; i++)
    {
      const BnTask *pred = &job->tasks[spec->preds[i]];
      if (pred->worker == BN_NONE)
        continue;
      BnTime end_ns = run->now;
      if (pred->state != BN_TASK_DONE)
        end_ns = bn_time_max (end_ns, bn_time_add (pred->ready_ns, pred->estimate_ns));
      BnDuration way_ns = bn_cost_g2g (run->cost, job->workflow, spec->preds[i], (uint32_t) pred->worker, worker);
      ready_ns = bn_time_max (ready_ns, bn_time_add (end_ns, way_ns));
    }
  return ready_ns;
}

/* The observer knows at once what it has placed on a worker, the worker with a
 * message; of a stolen task that is the gift. */
static void
reserve (BnRun *run, BnTask *task, int32_t observer)
{
  BnReservations *reservations = bn_published_reservations (run->table);
  uint32_t worker = (uint32_t) task->worker;

  if (!reservations)
    return;
  BnQueuedTask shown = { task->job->id, task->job->create_ns, task->ready_ns, task->estimate_ns,
                         task->job->workflow->first_task + bn_task_number (task), task->priority };
  BnDuration message_ns = bn_run_message_ns (run, observer, task->worker);
  if (run->config.options.reserve == BN_RESERVE_PUBLISHED)
    run->totals.n_messages += observer != task->worker && !task->stolen;
  /* FT is about one slot: k of them share the work */
  task->reservation = bn_reservations_add (reservations, observer, worker, &shown,
                                           task->estimate_ns / run->workers[worker].n_slots,
                                           bn_time_add (run->now, message_ns), run->now);
}

/* Puts the task's name on a worker: estimate, reservation, time. */
static void
set_worker (BnRun *run, BnTask *task, uint32_t worker, int32_t observer, BnTime ready_ns)
{
  BnDuration runtime = bn_cost_runtime (run->cost, task->job->workflow, bn_task_number (task), worker);

  task->worker = (int32_t) worker;
  task->placed_ns = run->now;
  task->ready_ns = ready_ns;
  task->estimate_ns = run->config.noise.visible ? bn_cost_true_runtime (runtime, task->factor) : runtime;
  bn_run_settle_reservation (run, task);
  reserve (run, task, observer);
}

void
bn_run_assign (BnRun *run, BnTask *task, uint32_t worker, int32_t observer)
{
  if (!bn_run_accept_worker (run, task, worker))
    return;
  set_worker (run, task, worker, observer, expected_ready (run, task, worker));
  task->planned_worker = (int32_t) worker;
}

/* One input from one worker to the task's: the output of `pred`, or with BN_NONE what
 * the client sent. */
static void
start_transfer (BnRun *run, BnTask *task, int32_t pred, int32_t from)
{
  BnOp *op = bn_run_new_op (run, BN_OP_TRANSFER, (uint32_t) task->worker);

  op->task = task;
  op->epoch = task->epoch;
  op->from_worker = from;
  op->pred = pred;
  op->bytes = pred == BN_NONE ? bn_task_spec (task)->input_bytes
                              : bn_task_spec (&task->job->tasks[pred])->output_bytes;
  if (from != BN_NONE)
    task->moved_bytes += op->bytes;
  bn_run_start_transfer_op (run, op);
}

void
bn_run_start_transfer_op (BnRun *run, BnOp *op)
{
  if (op->from_worker == BN_NONE || !run->down[op->from_worker])
    {
      run->backend->start_transfer (run->backend_state, op);
      return;
    }
  op->status = BN_OP_FAILED;
  op->reason = g_strdup_printf ("what it carries was on worker %d, whose device is lost", op->from_worker);
  bn_run_op_over (run, op, run->now);
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
  start_transfer (run, task, BN_NONE, BN_NONE);
}

void
bn_run_send_input (BnRun *run, BnTask *task, uint32_t pred)
{
  const BnTask *producer = &task->job->tasks[pred];

  if (task->n_waiting == 0 && task->state == BN_TASK_WAITING)
    task->state = BN_TASK_TRAVELLING;
  task->job->n_refs++;
  if (producer->worker == task->worker)
    bn_run_schedule (run, run->now, EVENT_DELIVER, task, task->epoch);
  else
    start_transfer (run, task, (int32_t) pred, producer->worker);
}

BnDuration
bn_run_way_ns (const BnRun *run, const BnTask *task, uint32_t from, uint32_t to)
{
  const BnTaskSpec *spec = bn_task_spec (task);
  const BnWorkflow *wf = task->job->workflow;
  BnDuration way_ns = 0;

  if (from == to)
    return 0;
  if (spec->n_preds == 0)
    return bn_cost_input (run->cost, wf, bn_task_number (task));
  for (uint32_t i = 0; i < spec->n_preds; i++)
    way_ns = bn_time_max (way_ns, bn_cost_g2g (run->cost, wf, spec->preds[i], from, to));
  return way_ns;
}

void
bn_run_send_on (BnRun *run, BnTask *task, uint32_t worker, int32_t observer, BnTime ready_ns)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  task->state = BN_TASK_TRAVELLING;
  task->epoch++;
  task->n_missing = spec->n_preds > 0 ? spec->n_preds : 1;
  task->direct = true;
  set_worker (run, task, worker, observer, ready_ns);
}

void
bn_run_fetch_inputs (BnRun *run, BnTask *task, uint32_t from)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  task->job->n_refs += task->n_missing;
  if (spec->n_preds == 0)
    start_transfer (run, task, BN_NONE, (int32_t) from);
  for (uint32_t i = 0; i < spec->n_preds; i++)
    start_transfer (run, task, (int32_t) spec->preds[i], (int32_t) from);
}

void
bn_run_place_open (BnRun *run, BnTask *task, uint32_t worker, int32_t observer)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  if (!bn_run_accept_worker (run, task, worker))
    return;
  set_worker (run, task, worker, observer, expected_ready (run, task, worker));
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

  if (!bn_run_accept_worker (run, task, worker))
    return;
  set_worker (run, task, worker, observer, expected_ready (run, task, worker));
  task->epoch++;
  task->n_missing = spec->n_preds;
  for (uint32_t i = 0; i < spec->n_preds; i++)
    if ((int32_t) spec->preds[i] != ended)
      bn_run_send_input (run, task, spec->preds[i]);
}

void
bn_run_relocate (BnRun *run, BnTask *task, uint32_t worker, int32_t observer)
{
  const BnTaskSpec *spec = bn_task_spec (task);

  if (!bn_run_accept_worker (run, task, worker))
    return;
  if (task->bound)
    {
      task->bound = false;
      bn_run_release_slot (run, (uint32_t) task->worker);
    }
  task->epoch++;
  task->n_missing = spec->n_preds > 0 ? spec->n_preds : 1;
  set_worker (run, task, worker, observer, expected_ready (run, task, worker));
  if (spec->n_preds == 0)
    {
      task->state = BN_TASK_WAITING;
      bn_run_send_from_client (run, task);
    }
  for (uint32_t i = 0; i < spec->n_preds; i++)
    if (task->job->tasks[spec->preds[i]].state == BN_TASK_DONE && (int32_t) spec->preds[i] != task->adjusting)
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

static uint32_t
class_of (const BnRun *run, const BnTask *task)
{
  const BnQueuedTask *shown = &task->shown;

  if (!run->order->key || !(run->traits & BN_SCHED_READS_CLASSES))
    return 0;
  return bn_queue_class (&run->classes, run->order->key (shown, shown->enqueue_ns, 0, run->cost,
                                                         &run->config.options.queue_settings));
}

void
bn_run_queue (BnRun *run, BnTask *task)
{
  BnWorker *worker = &run->workers[task->worker];

  task->state = BN_TASK_QUEUED;
  task->enqueue_ns = run->now;
  TELL (run, task_enqueued, task, run->now);
  bn_run_settle_reservation (run, task);
  bn_worker_enqueue (worker, task, task->bound);
  if (run->shows_queues)
    bn_published_enqueued (run->table, worker->index, run->now, &task->shown, class_of (run, task));
  if (task->bound)
    {
      worker->n_held--;
      task->bound = false;
    }
}

void
bn_run_unqueue (BnRun *run, BnTask *task)
{
  BnWorker *worker = &run->workers[task->worker];

  bn_worker_dequeue (worker, task);
  if (run->shows_queues)
    bn_published_dequeued (run->table, worker->index, run->now, &task->shown, class_of (run, task));
}

/* Takes over the reference that its event or its last delivery held. */
void
bn_run_enqueue (BnRun *run, BnTask *task, uint32_t epoch)
{
  BnJob *job = task->job;

  if (task->epoch == epoch && task->state == BN_TASK_TRAVELLING)
    {
      if (run->down[task->worker])
        bn_run_leave_lost_worker (run, task);
      else if (run->config.options.redecide && !task->forwarded && !task->stolen && !task->bound)
        bn_run_ask_forward (run, task);
      else
        {
          bn_run_queue (run, task);
          bn_run_dispatch (run, &run->workers[task->worker], true);
        }
    }
  bn_run_unref_job (run, job);
}
