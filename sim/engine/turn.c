/* turn.c: what is to be decided, by whom, and from when on it counts.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each observer decides one thing at a time. A question that finds it free is
 * answered at once, from the view as of now; with a decision cost the answer
 * takes effect that much later, and questions that come meanwhile wait in line.
 * Without one, everything happens in the event that raised the question. A cost that
 * is a constant says at once when each of those in line will be asked; one that is
 * measured says it of the next, when the answer before it takes effect.
 */
#include "run_internal.h"

#include <string.h>

static Ask *
new_ask (BnRun *run, BnDecisionKind kind, BnJob *job, int32_t observer, uint32_t at_worker)
{
  Ask *ask = run->free_asks;

  if (ask)
    run->free_asks = ask->next_free;
  else
    ask = g_new0 (Ask, 1);
  ask->kind = kind;
  ask->job = job;
  ask->observer = run->traits & BN_SCHED_CENTRAL ? BN_NONE : observer;
  ask->at_worker = (int32_t) at_worker;
  ask->ended = BN_NONE;
  ask->pull = NULL;
  ask->asked_ns = run->now;
  ask->cost_ns = run->config.options.decision_cost_ns;
  ask->n_tasks = ask->n_answers = ask->n_reserved = 0;
  job->n_refs++;
  return ask;
}

static void
set_tasks (Ask *ask, const uint32_t *tasks, uint32_t n)
{
  if (ask->capacity_tasks < n)
    {
      ask->capacity_tasks = n;
      ask->tasks = g_renew (uint32_t, ask->tasks, n);
    }
  memcpy (ask->tasks, tasks, n * sizeof *tasks);
  ask->n_tasks = n;
}

void
bn_run_drop_ask (BnRun *run, Ask *ask)
{
  if (ask->pull)
    bn_run_drop_pull (ask->pull);
  ask->next_free = run->free_asks;
  run->free_asks = ask;
}

/* The central scheduler stands behind the workers. */
static uint32_t
observer_index (const BnRun *run, const Ask *ask)
{
  return ask->observer == BN_NONE ? run->config.platform->n_workers : (uint32_t) ask->observer;
}

/* NULL where costs of decisions are not measured. */
static AskLine *
line_of (BnRun *run, const Ask *ask)
{
  return run->lines ? &run->lines[observer_index (run, ask)] : NULL;
}

bool
bn_run_ask_now (BnRun *run, Ask *ask)
{
  bool live = ask->job->state == BN_JOB_LIVE;

  if (ask->kind != BN_DECIDED_PULL)
    {
      if (live)
        bn_run_call_hook (run, ask);
    }
  else if (live && ask->pull->request->n_tasks > 0)
    {
      set_tasks (ask, ask->pull->request->tasks, ask->pull->request->n_tasks);
      bn_run_call_hook (run, ask);
      bn_run_pull_answered (run, ask);
    }
  if (ask->cost_ns == 0)
    {
      bn_run_ask_effect (run, ask);
      return false;
    }
  if (run->lines)
    line_of (run, ask)->busy = true;
  bn_run_schedule (run, bn_time_add (run->now, ask->cost_ns), EVENT_EFFECT, ask, 0);
  return true;
}

static void
wait_in_line (AskLine *line, Ask *ask)
{
  ask->next_free = NULL;
  if (line->last)
    line->last->next_free = ask;
  else
    line->first = ask;
  line->last = ask;
}

void
bn_run_ask_over (BnRun *run, Ask *ask)
{
  AskLine *line = line_of (run, ask);

  bn_run_ask_effect (run, ask);
  while (line && line->busy)
    {
      Ask *next = line->first;
      if (!next)
        line->busy = false;
      else
        {
          line->first = next->next_free;
          if (!line->first)
            line->last = NULL;
          /* busy all along: what an answer raises waits behind those who were there before */
          if (bn_run_ask_now (run, next))
            break;
        }
    }
}

/* Answers now, or when the observer has answered what came before. */
static void
put_question (BnRun *run, Ask *ask)
{
  BnDuration cost = run->config.options.decision_cost_ns;
  AskLine *line = line_of (run, ask);

  if (line && line->busy)
    {
      wait_in_line (line, ask);
      return;
    }
  if (cost > 0)
    {
      uint32_t i = observer_index (run, ask);
      BnTime start = bn_time_max (run->now, run->observer_free_ns[i]);
      run->observer_free_ns[i] = bn_time_add (start, cost);
      if (start > run->now)
        {
          bn_run_schedule (run, start, EVENT_ASK, ask, 0);
          return;
        }
    }
  bn_run_ask_now (run, ask);
}

void
bn_run_ask_plan (BnRun *run, BnJob *job)
{
  Ask *ask = new_ask (run, BN_DECIDED_PLAN, job, job->ingress, (uint32_t) job->ingress);

  if (run->config.scheduler->plan && !(run->traits & BN_SCHED_NEVER_PLANS))
    put_question (run, ask);
  else
    bn_run_ask_effect (run, ask);
}

void
bn_run_ask_place (BnRun *run, BnJob *job, const uint32_t *tasks, uint32_t n_tasks, uint32_t at_worker, int32_t ended)
{
  if (!bn_run_places (run))
    {
      bn_run_refuse_job (run, job, BN_REASON_NOT_PLACED);
      return;
    }
  Ask *ask = new_ask (run, BN_DECIDED_PLACE, job, (int32_t) at_worker, at_worker);
  set_tasks (ask, tasks, n_tasks);
  ask->ended = ended;
  if (ended != BN_NONE)
    job->tasks[tasks[0]].adjusting = ended;
  put_question (run, ask);
}

void
bn_run_ask_forward (BnRun *run, BnTask *task)
{
  uint32_t t = bn_task_number (task);
  Ask *ask = new_ask (run, BN_DECIDED_FORWARD, task->job, task->worker, (uint32_t) task->worker);

  ask->observer = task->worker; /* it is the one who has it, whoever plans */
  ask->epoch = task->epoch;
  set_tasks (ask, &t, 1);
  put_question (run, ask);
}

void
bn_run_ask_pull (BnRun *run, Pull *pull)
{
  BnRequest *request = pull->request;
  Ask *ask = new_ask (run, BN_DECIDED_PULL, request->job, request->observer, pull->worker);

  ask->pull = pull;
  put_question (run, ask);
}
