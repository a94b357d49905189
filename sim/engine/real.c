/* real.c: the loop of a run on the wall clock, what it costs, how it is stopped.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The loop handles all that is due at one instant, in the order in which a simulation
 * would, and time stands still meanwhile: so everything that holds of simulated times
 * holds of these. Then it looks at the clock, hears of what has been completed, and sleeps
 * until something is due. A timer is handled at or after its time; how much after, and how
 * long after an operation's end the loop hears of it, is told to probes (`woken`).
 *
 * What the loop costs is CPU time, charged to the task or the job that an event is about, until the job
 * has ended; what is done for a job as a whole is shared out among its tasks. Charged to nobody
 * are hearing of ends and going to sleep, timers of thieves, and what probes do with a job that
 * has ended: they are in the sum over the whole loop, loop_cpu_ns of the totals.
 */
#include "run_internal.h"
#include "thread.h"

#include <inttypes.h>

#include "units.h"

#define USUAL_WATCHDOG_NS (60 * BN_NS_PER_S)

static BnDuration
watchdog_ns (const BnRun *run)
{
  return run->config.watchdog_ns > 0 ? run->config.watchdog_ns : USUAL_WATCHDOG_NS;
}

/* ---- what it costs ---- */

void
bn_run_charge_cpu (BnRun *run, BnTask *task, BnJob *job)
{
  BnDuration cpu_ns = bn_wall_thread_cpu (), spent_ns = cpu_ns - run->charged_since_ns;

  if (run->charged_task)
    run->charged_task->loop_cpu_ns += spent_ns;
  else if (run->charged_job)
    for (uint32_t t = 0; t < run->charged_job->workflow->n_tasks; t++)
      run->charged_job->tasks[t].loop_cpu_ns += spent_ns / run->charged_job->workflow->n_tasks;
  run->charged_task = task;
  run->charged_job = job;
  run->charged_since_ns = cpu_ns;
}

void
bn_run_uncharge (BnRun *run, const BnJob *job)
{
  if (run->charged_job == job || (run->charged_task && run->charged_task->job == job))
    bn_run_charge (run, NULL, NULL);
}

/* A load is worked for whoever waits for it. */
static BnTask *
task_of_op (const BnRun *run, const BnOp *op)
{
  const Load *load = op->owner;
  const BnWorker *worker = &run->workers[op->worker];

  if (op->task || !load)
    return op->task;
  for (uint32_t s = 0; s < worker->n_slots; s++)
    if (worker->slots[s].awaits_load && bn_task_spec (worker->slots[s].task)->model == (int32_t) load->model)
      return worker->slots[s].task;
  return bn_cache_find (&worker->cache, load->model)->loaded_for;
}

static void
charge_event (BnRun *run, const BnEvent *event)
{
  switch ((EventKind) event->kind)
    {
    case EVENT_DELIVER:
    case EVENT_ENQUEUE:
    case EVENT_STEAL_GIVEN:
      bn_run_charge (run, event->object, NULL);
      break;
    case EVENT_OP_DONE:
    case EVENT_OP_STEP:
      bn_run_charge (run, task_of_op (run, event->object), NULL);
      break;
    case EVENT_ARRIVE:
      bn_run_charge (run, NULL, event->object);
      break;
    case EVENT_ASK:
    case EVENT_EFFECT:
      bn_run_charge (run, NULL, ((const Ask *) event->object)->job);
      break;
    case EVENT_PULL:
      bn_run_charge (run, NULL, ((const Pull *) event->object)->request->job);
      break;
    case EVENT_CREATE:
    case EVENT_RESERVE:
    case EVENT_RELEASE:
    case EVENT_STEAL_POLL:
    case EVENT_STEAL_REQUEST:
    case EVENT_PROACTIVE:
      bn_run_charge (run, NULL, NULL);
      break;
    }
}

/* ---- the loop ---- */

/* Returns: the clock, read after what it has heard of was completed. */
static BnTime
hear_completions (BnRun *run)
{
  BnOp *first = bn_wall_take (run->wall);
  BnTime clock_ns = bn_time_max (bn_wall_now (run->wall), run->now);

  for (BnOp *op = first, *next; op; op = next)
    {
      next = op->next;
      if (op->kind == BN_OP_TRANSFER)
        run->transfer_done_ns = clock_ns;
      if (op->not_before_ns <= op->completed_ns)
        TELL (run, woken, true, clock_ns - op->completed_ns);
      bn_run_op_over (run, op, bn_time_max (clock_ns, op->not_before_ns));
    }
  return clock_ns;
}

static const char *
op_name (BnOpKind kind)
{
  switch (kind)
    {
    case BN_OP_LOAD:
      return "load";
    case BN_OP_EVICT:
      return "eviction";
    case BN_OP_TRANSFER:
      return "transfer";
    case BN_OP_RUN:
      return "execution";
    }
  return "?";
}

static void
describe_op (const BnRun *run, const BnOp *op, GString *text)
{
  g_string_append_printf (text, "the %s", op_name (op->kind));
  if (op->model != BN_NONE)
    g_string_append_printf (text, " of model %s", run->config.catalogue->models[op->model].name);
  if (op->task)
    g_string_append_printf (text, " for job %" PRId64 " task %s", op->task->job->id, bn_task_spec (op->task)->label);
  g_string_append_printf (text, " on worker %u", op->worker);
}

/* Whether it should have been over long ago. Transfers may stand in one line for the whole cluster: as long as
 * others are completed, they wait. */
static bool
is_overdue (const BnRun *run, const BnOp *op, BnTime clock_ns)
{
  BnTime since_ns = op->kind == BN_OP_TRANSFER ? bn_time_max (op->start_ns, run->transfer_done_ns) : op->start_ns;

  return clock_ns - since_ns >= watchdog_ns (run);
}

/* Keeps an error that is there already. */
static void
give_backend_up (BnRun *run, const BnOp *op, BnTime clock_ns)
{
  BnDuration silence_ns = clock_ns - op->start_ns;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *silence = bn_format_duration (silence_ns - silence_ns % BN_NS_PER_MS);

  run->unresponsive = true;
  if (run->error)
    return;
  describe_op (run, op, text);
  g_set_error (&run->error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
               "backend %s has not answered for %s about %s; %u operations are open; if that is no fault, raise "
               "backend.watchdog",
               run->backend->name, silence, text->str, run->n_open_ops);
}

/* The watchdog looks every half of its time. FALSE, with the run's error set, where an operation is overdue. */
static bool
backend_answers (BnRun *run)
{
  BnTime clock_ns = bn_wall_now (run->wall);

  if (run->n_open_ops == 0 || clock_ns < run->look_ns)
    return true;
  run->look_ns = bn_time_add (clock_ns, MAX (watchdog_ns (run) / 2, 1));
  for (const BnOp *op = run->open_ops; op; op = op->next_open)
    if (is_overdue (run, op, clock_ns))
      {
        give_backend_up (run, op, clock_ns);
        return false;
      }
  return true;
}

/* A first interrupt: no job is created any more. */
static void
cut_arrivals_off (BnRun *run)
{
  if (run->arrivals_over)
    return;
  bn_event_queue_cancel (run->events, run->next_creation);
  run->arrivals_over = true;
  run->cut_off = true;
}

static void
handle_next (BnRun *run)
{
  BnEvent event;

  bn_event_queue_pop (run->events, &event);
  if (event.time_ns < run->now)
    TELL (run, woken, false, run->now - event.time_ns);
  run->panic.now_ns = run->now;
  run->panic.event++;
  run->n_timers -= bn_run_is_timer (&event);
  charge_event (run, &event);
  bn_run_handle (run, &event);
  if (run->config.debug_check)
    bn_run_verify (run);
}

static BnRunStatus
loop (BnRun *run)
{
  int64_t at_this_instant = 0;

  while (!run->error)
    {
      int interrupts = g_atomic_int_get (&run->interrupted);
      if (interrupts > 1)
        return BN_RUN_INTERRUPTED;
      if (interrupts == 1)
        cut_arrivals_off (run);
      if (bn_event_queue_next_time (run->events) <= run->now)
        {
          if (++at_this_instant > BN_RUN_MAX_EVENTS_AT_ONE_INSTANT)
            return BN_RUN_STUCK;
          handle_next (run);
          continue;
        }
      at_this_instant = 0;
      bn_run_charge (run, NULL, NULL);
      BnTime clock_ns = hear_completions (run);
      BnTime next_ns = bn_event_queue_next_time (run->events);
      if (next_ns <= clock_ns)
        run->now = clock_ns;
      else if (run->n_open_ops == 0 && bn_event_queue_length (run->events) <= run->n_timers)
        return run->n_live > 0 ? BN_RUN_STUCK : run->cut_off ? BN_RUN_INTERRUPTED : BN_RUN_COMPLETE;
      else if (backend_answers (run))
        bn_wall_wait (run->wall, run->n_open_ops == 0 ? next_ns : bn_time_min (next_ns, run->look_ns));
    }
  return BN_RUN_FAILED;
}

BnRunStatus
bn_run_loop_real (BnRun *run)
{
  BnDuration since_ns = run->charged_since_ns = bn_wall_thread_cpu ();
  uint64_t slice_ns = bn_thread_be_prompt ();
  BnRunStatus status = loop (run);

  bn_thread_set_slice (slice_ns);
  run->totals.loop_cpu_ns = bn_wall_thread_cpu () - since_ns;
  return status;
}

/* ---- before and after ---- */

void
bn_run_end_open_ops (BnRun *run)
{
  if (run->n_open_ops > 0 && run->backend->cancel)
    for (BnOp *op = run->open_ops, *next; op; op = next)
      {
        next = op->next_open;
        run->backend->cancel (run->backend_state, op);
      }
  BnTime give_up_ns = bn_time_add (bn_wall_now (run->wall), watchdog_ns (run));
  while (run->n_open_ops > 0 && !run->abandoned)
    {
      for (BnOp *op = bn_wall_take (run->wall), *next; op; op = next)
        {
          next = op->next;
          bn_run_op_over (run, op, run->now);
        }
      if (run->n_open_ops == 0)
        break;
      run->abandoned = run->unresponsive || bn_wall_now (run->wall) >= give_up_ns;
      if (!run->abandoned)
        bn_wall_wait (run->wall, give_up_ns);
    }
}

bool
bn_run_preload_really (BnRun *run, GError **error)
{
  bool ok = true;

  for (uint32_t w = 0; w < run->config.platform->n_workers; w++)
    for (uint32_t i = 0; i < run->workers[w].cache.n_entries; i++)
      {
        BnOp *op = bn_run_new_op (run, BN_OP_LOAD, w);
        op->model = (int32_t) run->workers[w].cache.entries[i].model;
        op->bytes = run->workers[w].cache.entries[i].bytes;
        run->backend->start_load (run->backend_state, op);
      }
  while (run->n_open_ops > 0)
    {
      if (!backend_answers (run))
        return false;
      if (g_atomic_int_get (&run->interrupted) > 1)
        {
          if (ok)
            g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted while models were preloaded");
          return false;
        }
      bn_wall_wait (run->wall, run->look_ns);
      for (BnOp *op = bn_wall_take (run->wall), *next; op; op = next)
        {
          next = op->next;
          if (op->status != BN_OP_OK && ok)
            {
              ok = false;
              g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "preload: model %s cannot be loaded on worker %u: %s",
                           run->config.catalogue->models[op->model].name, op->worker, op->reason ? op->reason : "?");
            }
          bn_run_forget_op (run, op);
        }
    }
  return ok;
}
