/* run.c: the life of a run, its event loop, and what a backend sees of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "run_internal.h"

/* No event may lie beyond it: 146 years, so that sums of times cannot wrap. */
#define END_OF_CLOCK (BN_TIME_NEVER / 2)

/* As many interrupts as end a run on any clock. */
#define STOP_AT_ONCE 2

static BnRun *
run_of_sink (BnSink *sink)
{
  return (BnRun *) ((char *) sink - offsetof (BnRun, sink));
}

static BnTime
sink_now (BnSink *sink)
{
  return run_of_sink (sink)->now;
}

/* Only where a watchdog looks after them: on the wall clock. */
static void
add_open (BnRun *run, BnOp *op)
{
  run->n_open_ops++;
  op->next_open = run->open_ops;
  if (op->next_open)
    op->next_open->prev_open = op;
  run->open_ops = op;
}

static void
remove_open (BnRun *run, BnOp *op)
{
  run->n_open_ops--;
  if (op->prev_open)
    op->prev_open->next_open = op->next_open;
  else
    run->open_ops = op->next_open;
  if (op->next_open)
    op->next_open->prev_open = op->prev_open;
}

void
bn_run_op_over (BnRun *run, BnOp *op, BnTime time_ns)
{
  BnEvent event = { time_ns, op, 0, EVENT_OP_DONE };

  if (run->wall)
    remove_open (run, op);
  if (op->kind == BN_OP_RUN)
    bn_event_queue_schedule_at_place (run->events, &event, BN_RANK_NORMAL, op->place_in_line);
  else
    bn_event_queue_schedule (run->events, &event, op->kind == BN_OP_TRANSFER ? BN_RANK_NORMAL : BN_RANK_MEMORY);
}

static void
sink_complete_at (BnSink *sink, BnOp *op, BnTime time_ns)
{
  op->status = BN_OP_OK;
  bn_run_op_over (run_of_sink (sink), op, time_ns);
}

static void
sink_complete (BnSink *sink, BnOp *op, BnOpStatus status)
{
  BnRun *run = run_of_sink (sink);

  op->status = status;
  bn_run_op_over (run, op, run->now);
}

static void
sink_step_at (BnSink *sink, BnOp *op, BnTime time_ns)
{
  BnRun *run = run_of_sink (sink);
  BnEvent event = { time_ns, op, 0, EVENT_OP_STEP };

  if (op->pending_step != 0)
    bn_event_queue_cancel (run->events, op->pending_step);
  op->pending_step = bn_event_queue_schedule (run->events, &event, BN_RANK_NORMAL);
}

static void
sink_complete_from_thread (BnSink *sink, BnOp *op, BnOpStatus status, BnTime not_before_ns)
{
  op->status = status;
  op->not_before_ns = not_before_ns;
  bn_wall_push (run_of_sink (sink)->wall, op);
}

static BnTime
sink_clock (BnSink *sink)
{
  return bn_wall_now (run_of_sink (sink)->wall);
}

void
bn_run_init_sink (BnRun *run)
{
  run->sink = (BnSink){ sizeof (BnSink),   sink_now,     sink_complete,
                        sink_complete_at,  sink_step_at, run->wall ? sink_complete_from_thread : NULL,
                        run->wall ? sink_clock : NULL };
}

BnOp *
bn_run_new_op (BnRun *run, BnOpKind kind, uint32_t worker)
{
  BnOp *op = run->free_ops;

  if (op)
    run->free_ops = op->next;
  else
    op = g_new (BnOp, 1);
  *op = (BnOp){ .kind = kind, .worker = worker, .from_worker = BN_NONE, .model = BN_NONE, .pred = BN_NONE,
                .start_ns = run->now };
  if (run->wall)
    add_open (run, op);
  return op;
}

void
bn_run_forget_op (BnRun *run, BnOp *op)
{
  remove_open (run, op);
  bn_run_free_op (run, op);
}

void
bn_run_free_op (BnRun *run, BnOp *op)
{
  g_clear_pointer (&op->reason, g_free);
  op->next = run->free_ops;
  run->free_ops = op;
}

static void
operation_done (BnRun *run, BnOp *op)
{
  if (G_UNLIKELY (op->status != BN_OP_OK))
    {
      bn_run_op_failed (run, op);
      return;
    }
  switch (op->kind)
    {
    case BN_OP_LOAD:
      bn_run_load_done (run, op);
      break;
    case BN_OP_EVICT:
      bn_run_evict_done (run, op);
      break;
    case BN_OP_TRANSFER:
      bn_run_transfer_done (run, op);
      break;
    case BN_OP_RUN:
      bn_run_task_ended (run, op);
      break;
    }
}

void
bn_run_handle (BnRun *run, const BnEvent *event)
{
  switch ((EventKind) event->kind)
    {
    case EVENT_CREATE:
      bn_run_create_job (run);
      break;
    case EVENT_ARRIVE:
      bn_run_job_arrives (run, event->object);
      break;
    case EVENT_DELIVER:
      bn_run_delivered (run, event->object, event->arg);
      break;
    case EVENT_ENQUEUE:
      bn_run_enqueue (run, event->object, event->arg);
      break;
    case EVENT_OP_DONE:
      operation_done (run, event->object);
      break;
    case EVENT_OP_STEP:
      ((BnOp *) event->object)->pending_step = 0;
      run->backend->step (run->backend_state, event->object);
      break;
    case EVENT_ASK:
      bn_run_ask_now (run, event->object);
      break;
    case EVENT_EFFECT:
      bn_run_ask_over (run, event->object);
      break;
    case EVENT_RESERVE:
      bn_run_reservation_arrives (run, event->object);
      break;
    case EVENT_PULL:
      bn_run_ask_pull (run, event->object);
      break;
    case EVENT_RELEASE:
      bn_run_release_slot (run, event->arg);
      break;
    case EVENT_STEAL_POLL:
      bn_run_poll_for_work (run, event->arg);
      break;
    case EVENT_STEAL_REQUEST:
      bn_run_asked_for_work (run, event->object);
      break;
    case EVENT_STEAL_GIVEN:
      bn_run_work_given (run, event->object, event->arg);
      break;
    case EVENT_PROACTIVE:
      bn_run_proactive (run, event->arg);
      break;
    }
}

bool
bn_run_is_timer (const BnEvent *event)
{
  return event->kind == EVENT_STEAL_POLL || event->kind == EVENT_PROACTIVE;
}

/* Handles events until none but timers is left or something ends the run early. */
static BnRunStatus
loop (BnRun *run)
{
  BnEvent event;
  int64_t at_this_instant = 0;

  while (bn_event_queue_length (run->events) > run->n_timers && bn_event_queue_pop (run->events, &event))
    {
      if (event.time_ns > END_OF_CLOCK)
        {
          g_set_error (&run->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       "simulated time has passed 146 years, the end of the clock; look for a rate that is far too "
                       "low or a runtime that is far too long");
          bn_event_queue_schedule (run->events, &event, BN_RANK_NORMAL); /* keeps what it holds */
          return BN_RUN_FAILED;
        }
      at_this_instant = event.time_ns == run->now ? at_this_instant + 1 : 0;
      run->now = event.time_ns;
      run->panic.now_ns = run->now;
      run->panic.event++;
      run->n_timers -= bn_run_is_timer (&event);
      bn_run_handle (run, &event);
      if (run->config.debug_check)
        bn_run_verify (run);
      if (run->error)
        return BN_RUN_FAILED;
      if (at_this_instant > BN_RUN_MAX_EVENTS_AT_ONE_INSTANT)
        return BN_RUN_STUCK;
      if (run->interrupted)
        return BN_RUN_INTERRUPTED;
    }
  return run->n_live > 0 ? BN_RUN_STUCK : BN_RUN_COMPLETE;
}

BnRunStatus
bn_run_execute (BnRun *run, GError **error)
{
  const BnPanicContext *outer = bn_panic_enter (&run->panic);
  BnRunStatus status = BN_RUN_FAILED;
  bool ready = true;

  for (uint32_t i = 0; i < run->config.n_probes; i++)
    if (run->config.probes[i].run_started)
      run->config.probes[i].run_started (run->config.probes[i].context, run->config.platform, run->config.catalogue);
  for (uint32_t i = 0; i < run->config.n_preloads && ready; i++)
    ready = bn_run_preload (run, &run->config.preloads[i], &run->error);
  if (run->wall)
    {
      bn_wall_start (run->wall);
      ready = ready && bn_run_preload_really (run, &run->error);
      if (ready)
        bn_wall_start (run->wall);
      run->look_ns = 0;
    }
  bn_run_start_timers (run);
  if (ready && bn_run_fetch_spec (run))
    status = run->wall ? bn_run_loop_real (run) : loop (run);
  if (run->wall)
    bn_run_end_open_ops (run);

  for (BnJob *job = run->live_first, *next; job; job = next)
    {
      next = job->live_next;
      job->n_refs++; /* stays readable for bn_run_dump until the run is freed */
      run->totals.n_unfinished++;
      job->state = BN_JOB_UNFINISHED;
      TELL (run, job_ended, job, run->now);
    }
  bn_run_tell_notices (run, BN_TIME_NEVER);
  run->totals.status = status;
  run->totals.end_ns = run->now;
  run->totals.n_events = (int64_t) run->panic.event;
  run->totals.row_updates = bn_published_updates (run->table);
  run->totals.row_bytes = bn_published_bytes (run->table);
  for (uint32_t i = 0; i < run->config.n_probes; i++)
    if (run->config.probes[i].run_ended)
      run->config.probes[i].run_ended (run->config.probes[i].context, &run->totals);
  if (run->error)
    g_propagate_error (error, g_steal_pointer (&run->error));
  bn_panic_enter (outer);
  return status;
}

void
bn_run_interrupt (BnRun *run)
{
  g_atomic_int_inc (&run->interrupted);
  if (run->wall)
    bn_wall_poke (run->wall);
}

char *
bn_run_describe_backend (BnRun *run)
{
  return run->backend->describe ? run->backend->describe (run->backend_state) : NULL;
}

void
bn_run_stop (BnRun *run)
{
  g_atomic_int_set (&run->interrupted, STOP_AT_ONCE);
  if (run->wall)
    bn_wall_poke (run->wall);
}

bool
bn_run_drains (const BnRun *run)
{
  return run->wall != NULL;
}

const BnRunTotals *
bn_run_totals (const BnRun *run)
{
  return &run->totals;
}
