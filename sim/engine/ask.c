/* ask.c: a question is put to the scheduler, and what its answer does.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Whose turn it is, and when an answer takes effect, is in turn.c.
 */
#include "run_internal.h"

#include <gio/gio.h>

static BnRun *
run_of_host (BnSchedHost *host)
{
  return (BnRun *) ((char *) host - offsetof (BnRun, host));
}

static void
host_place (BnSchedHost *host, uint32_t task, uint32_t worker, int32_t priority)
{
  BnRun *run = run_of_host (host);
  Ask *ask = run->hosted;

  BN_ASSERT (ask && task < ask->job->workflow->n_tasks);
  uint32_t *at = &run->answer_at[task];
  /* the last word on a task counts: it takes the place of the one before */
  if (*at >= ask->n_answers || ask->answers[*at].task != task)
    *at = ask->n_answers++;
  if (ask->n_answers > ask->capacity_answers)
    {
      ask->capacity_answers = MAX (ask->capacity_answers * 2, 8);
      ask->answers = g_renew (Answer, ask->answers, ask->capacity_answers);
    }
  ask->answers[*at] = (Answer){ .task = task, .worker = worker, .priority = priority };
}

static void
host_reserve (BnSchedHost *host, uint32_t worker)
{
  Ask *ask = run_of_host (host)->hosted;

  BN_ASSERT (ask && ask->kind == BN_DECIDED_PLACE);
  if (ask->n_reserved == ask->capacity_reserved)
    {
      ask->capacity_reserved = MAX (ask->capacity_reserved * 2, 8);
      ask->reserved = g_renew (uint32_t, ask->reserved, ask->capacity_reserved);
    }
  ask->reserved[ask->n_reserved++] = worker;
}

static void
host_bind (BnSchedHost *host, uint32_t index, uint32_t worker)
{
  bn_run_host_bind (run_of_host (host), index, worker);
}

static void
host_fail (BnSchedHost *host, const char *reason)
{
  BnRun *run = run_of_host (host);

  if (!run->error)
    g_set_error_literal (&run->error, G_IO_ERROR, G_IO_ERROR_FAILED, reason);
}

void
bn_run_init_host (BnRun *run)
{
  run->host = (BnSchedHost){ sizeof (BnSchedHost), host_place, host_reserve, host_bind, host_fail };
}

/* Only where a probe wants to know. */
void
bn_run_note_what_was_seen (BnRun *run, Answer *a, int32_t model, const BnView *view)
{
  if (a->worker >= run->config.platform->n_workers)
    return;
  bool loads = run->traits & BN_SCHED_READS_LOADS;
  bool caches = run->traits & BN_SCHED_READS_CACHES && model != BN_NONE;
  a->seen_wait_ns = loads ? bn_view_row_free_at (view, a->worker, run->now) - run->now : -1;
  a->true_wait_ns = loads ? bn_published_true_free_at (run->table, a->worker, run->now) - run->now : -1;
  a->row_age_ns = loads ? bn_published_load_age (run->table, view->observer, a->worker, run->now) : -1;
  a->seen_cached = caches ? (int8_t) bn_view_holds (view, a->worker, (uint32_t) model) : -1;
  a->true_cached = caches ? (int8_t) bn_published_true_holds (run->table, a->worker, (uint32_t) model) : -1;
}

/* What the scheduler sees of `view`: one that does not read loads sees none, also where
 * rows tell them for others (thieves, whoever decides again in its place). */
static const BnView *
seen_by_scheduler (const BnRun *run, const BnView *view, BnView *blind)
{
  if (!run->no_loads)
    return view;
  *blind = *view;
  blind->queued_ns = blind->backlog_ns = blind->busy_until_ns = blind->slot_free_ns = run->no_loads;
  blind->queues = NULL;
  blind->reserved_ns = NULL;
  blind->reserved = NULL;
  return blind;
}

/* `view` is the scheduler's, `rows` what the rows tell. */
static void
put_to_scheduler (BnRun *run, Ask *ask, const BnView *view, const BnView *rows)
{
  const BnScheduler *s = run->config.scheduler;
  void *state = run->scheduler_state;

  switch (ask->kind)
    {
    case BN_DECIDED_PLAN:
      {
        BnPlanCall call = { sizeof call, ask->observer, run->now, ask->job, view, &run->host };
        s->plan (state, &call);
        break;
      }
    case BN_DECIDED_PLACE:
      {
        BnPlaceCall call = { sizeof call, ask->observer, run->now,       ask->job, ask->n_tasks,
                             ask->tasks,  ask->at_worker, view, &run->host };
        s->place (state, &call);
        break;
      }
    case BN_DECIDED_PULL:
      {
        BnPullCall call = { sizeof call,  ask->observer, ask->pull->worker, run->now, ask->job,
                            ask->n_tasks, ask->tasks,    view,              &run->host };
        if (s->pull)
          s->pull (state, &call);
        else
          host_place (&run->host, ask->tasks[0], ask->pull->worker, 0);
        break;
      }
    case BN_DECIDED_FORWARD:
      {
        BnForwardCall call = { sizeof call, ask->at_worker, run->now, ask->job, ask->tasks[0],
                               run->config.options.redecide_margin_ns, s->forward ? view : rows, &run->host };
        if (s->forward)
          s->forward (state, &call);
        else
          bn_ready_forward (run->forwarder, &call);
        break;
      }
    case BN_DECIDED_STEAL:
    case BN_DECIDED_REVIEW:
    case BN_DECIDED_RETRY:
      BN_ASSERT (!"asked of nobody");
    }
}

/* What the hook has taken: the wall clock's business, or what its observer is busy for. */
static void
take_time (BnRun *run, Ask *ask, BnTime began_ns)
{
  const BnStopwatch *stopwatch = run->config.stopwatch;

  if (!run->lines)
    {
      ask->decide_ns = bn_run_hook_took (run, began_ns);
      return;
    }
  GError *error = NULL;
  BnDuration took_ns = stopwatch->stop (stopwatch->context, ask->job, &error);
  if (error && !run->error)
    g_propagate_error (&run->error, error);
  else
    g_clear_error (&error);
  ask->decide_ns = ask->cost_ns = MAX (took_ns, 0);
  if (took_ns >= 0)
    TELL (run, decision_timed, ask->job, took_ns);
}

void
bn_run_call_hook (BnRun *run, Ask *ask)
{
  bool of_one = ask->kind == BN_DECIDED_PLACE || ask->kind == BN_DECIDED_FORWARD;
  const BnReservation *own = of_one ? ask->job->tasks[ask->tasks[0]].reservation : NULL;
  const BnView *rows = bn_published_open (run->table, ask->observer, run->now, own);
  BnView blind;

  run->hosted = ask;
  run->totals.n_decisions++;
  ask->seen_ns = run->now;
  const BnView *seen = seen_by_scheduler (run, rows, &blind);
  bn_run_tell_notices (run, run->now);
  if (run->lines)
    run->config.stopwatch->start (run->config.stopwatch->context);
  BnTime began_ns = bn_run_hook_begins (run);
  put_to_scheduler (run, ask, seen, rows);
  take_time (run, ask, began_ns);
  /* to say nothing about a task that has a worker is to keep it */
  if (ask->ended != BN_NONE && ask->n_answers == 0)
    host_place (&run->host, ask->tasks[0], (uint32_t) ask->job->tasks[ask->tasks[0]].worker,
                ask->job->tasks[ask->tasks[0]].priority);
  run->hosted = NULL;
  if (run->on_task_decided.n > 0)
    for (uint32_t i = 0; i < ask->n_answers; i++)
      bn_run_note_what_was_seen (run, &ask->answers[i], ask->job->workflow->tasks[ask->answers[i].task].model, rows);
  bn_published_close (run->table);
}

void
bn_run_tell_decision (BnRun *run, const Ask *ask, const Answer *answer, int32_t from_worker)
{
  if (run->on_task_decided.n == 0 || ask->job->state != BN_JOB_LIVE)
    return;
  BnDecision decision = {
    .job = ask->job,
    .task = answer->task,
    .kind = ask->kind,
    .observer = ask->observer,
    .from_worker = from_worker,
    .worker = (int32_t) answer->worker,
    .asked_ns = ask->asked_ns,
    .seen_ns = ask->seen_ns,
    .effect_ns = run->now,
    .seen_wait_ns = answer->seen_wait_ns,
    .true_wait_ns = answer->true_wait_ns,
    .row_age_ns = answer->row_age_ns,
    .seen_cached = answer->seen_cached,
    .true_cached = answer->true_cached,
    .decide_ns = ask->decide_ns,
  };
  TELL (run, task_decided, &decision);
}

void
bn_run_tell_unasked (BnRun *run, const BnTask *task, BnDecisionKind kind, int32_t observer, int32_t from_worker)
{
  BnDecision decision = {
    .job = task->job,
    .task = bn_task_number (task),
    .kind = kind,
    .observer = observer,
    .from_worker = from_worker,
    .worker = task->worker,
    .asked_ns = run->now,
    .seen_ns = run->now,
    .effect_ns = run->now,
    .seen_wait_ns = -1,
    .true_wait_ns = -1,
    .row_age_ns = -1,
    .seen_cached = -1,
    .true_cached = -1,
    .decide_ns = -1,
  };

  if (task->job->state == BN_JOB_LIVE)
    TELL (run, task_decided, &decision);
}

/* The answer about a task that had a worker: keep it, or move it; then the
 * output that made it ready goes. */
static void
adjust_applies (BnRun *run, Ask *ask)
{
  BnTask *task = &ask->job->tasks[ask->tasks[0]];
  int32_t from = task->worker;

  task->adjusting = BN_NONE;
  if (ask->n_answers > 0 && ask->answers[0].task == ask->tasks[0])
    {
      Answer *answer = &ask->answers[0];
      task->priority = answer->priority;
      answer->worker = bn_run_up_instead (run, task, answer->worker);
      if ((int32_t) answer->worker != from)
        bn_run_move (run, task, answer->worker, ask->observer, ask->ended);
      bn_run_tell_decision (run, ask, answer, from);
    }
  if (ask->job->state == BN_JOB_LIVE)
    bn_run_send_input (run, task, (uint32_t) ask->ended);
}

static bool
was_asked (const Ask *ask, uint32_t task)
{
  uint32_t i = 0;

  while (i < ask->n_tasks && ask->tasks[i] != task)
    i++;
  return i < ask->n_tasks;
}

static void
place_applies (BnRun *run, Ask *ask)
{
  if (ask->ended != BN_NONE)
    {
      adjust_applies (run, ask);
      return;
    }
  if (ask->n_reserved > 0)
    bn_run_reserve (run, ask);
  for (uint32_t i = 0; i < ask->n_answers && ask->job->state == BN_JOB_LIVE; i++)
    {
      Answer *answer = &ask->answers[i];
      BnTask *task = &ask->job->tasks[answer->task];
      if (!was_asked (ask, answer->task) || task->worker != BN_NONE)
        continue;
      task->priority = answer->priority;
      answer->worker = bn_run_up_instead (run, task, answer->worker);
      bn_run_place_open (run, task, answer->worker, ask->observer);
      bn_run_tell_decision (run, ask, answer, BN_NONE);
    }
  if (ask->n_reserved == 0)
    for (uint32_t i = 0; i < ask->n_tasks && ask->job->state == BN_JOB_LIVE; i++)
      if (ask->job->tasks[ask->tasks[i]].worker == BN_NONE)
        bn_run_refuse_job (run, ask->job, BN_REASON_NOT_PLACED);
}

/* The worker that has the task keeps it, or sends it on; not where the task has been
 * given up meanwhile. */
static void
forward_applies (BnRun *run, Ask *ask)
{
  BnTask *task = &ask->job->tasks[ask->tasks[0]];
  uint32_t here = (uint32_t) ask->at_worker;
  Answer *answer = ask->n_answers > 0 ? &ask->answers[0] : NULL;

  if (task->epoch != ask->epoch || task->state != BN_TASK_TRAVELLING)
    return;
  if (run->down[here])
    {
      bn_run_leave_lost_worker (run, task);
      return;
    }
  if (answer)
    answer->worker = bn_run_up_instead (run, task, answer->worker);
  if (!answer || answer->task != ask->tasks[0] || answer->worker == here)
    {
      bn_run_queue (run, task);
      bn_run_dispatch (run, &run->workers[here], true);
      return;
    }
  if (!bn_run_accept_worker (run, task, answer->worker))
    return;
  task->forwarded = true;
  run->totals.n_forwarded++;
  bn_run_send_on (run, task, answer->worker, (int32_t) here,
                  bn_time_add (run->now, bn_run_way_ns (run, task, here, answer->worker)));
  bn_run_tell_decision (run, ask, answer, (int32_t) here);
  bn_run_fetch_inputs (run, task, here);
}

void
bn_run_ask_effect (BnRun *run, Ask *ask)
{
  BnJob *job = ask->job;

  if (job->state == BN_JOB_LIVE)
    switch (ask->kind)
      {
      case BN_DECIDED_PLAN:
        bn_run_plan_applies (run, ask);
        break;
      case BN_DECIDED_PLACE:
        place_applies (run, ask);
        break;
      case BN_DECIDED_FORWARD:
        forward_applies (run, ask);
        break;
      case BN_DECIDED_PULL:
      case BN_DECIDED_STEAL:
      case BN_DECIDED_REVIEW:
      case BN_DECIDED_RETRY:
        break;
      }
  if (ask->pull)
    bn_run_pull_applies (run, ask);
  ask->next_free = run->free_asks;
  run->free_asks = ask;
  bn_run_unref_job (run, job);
}
