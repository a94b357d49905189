/* pool.c: ready tasks that a central scheduler leaves in one pool until it has a worker
 * for them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * At every arrival and every end of a task the scheduler reviews the pool: what it
 * binds goes, the rest waits. Its decisions cost no time.
 */
#include "run_internal.h"

#include <string.h>

void
bn_run_pool (BnRun *run, BnTask *task)
{
  if (!bn_run_can_run_somewhere (run, task))
    {
      bn_run_fail_job (run, task->job, BN_REASON_NO_WORKER_LEFT);
      return;
    }
  if (run->n_pool == run->capacity_pool)
    {
      run->capacity_pool = MAX (2 * run->capacity_pool, 64);
      run->pool = g_renew (BnTask *, run->pool, run->capacity_pool);
    }
  task->pooled = true;
  run->pool[run->n_pool++] = task;
}

void
bn_run_unpool (BnRun *run, BnTask *task)
{
  uint32_t i = 0;

  while (run->pool[i] != task)
    i++;
  run->n_pool--;
  memmove (run->pool + i, run->pool + i + 1, (run->n_pool - i) * sizeof *run->pool);
  task->pooled = false;
}

void
bn_run_empty_hopeless_pool (BnRun *run)
{
  uint32_t i = 0;

  while (i < run->n_pool)
    if (bn_run_can_run_somewhere (run, run->pool[i]))
      i++;
    else
      {
        bn_run_fail_job (run, run->pool[i]->job, BN_REASON_NO_WORKER_LEFT); /* takes its tasks out */
        i = 0;
      }
}

void
bn_run_host_bind (BnRun *run, uint32_t index, uint32_t worker)
{
  BN_ASSERT (index < run->n_pool);
  if (run->n_bound == run->capacity_bound)
    {
      run->capacity_bound = MAX (2 * run->capacity_bound, 8);
      run->bound = g_renew (Answer, run->bound, run->capacity_bound);
    }
  run->bound[run->n_bound++] = (Answer){ .task = index, .worker = worker };
}

static gint
compare_indices (gconstpointer a, gconstpointer b)
{
  uint32_t x = ((const Answer *) a)->task, y = ((const Answer *) b)->task;
  return x < y ? -1 : x > y;
}

static void
tell_review (BnRun *run, const BnTask *task, Answer answer, BnDuration decide_ns)
{
  Ask ask = { .kind = BN_DECIDED_REVIEW, .job = task->job, .observer = BN_NONE, .asked_ns = run->now,
              .seen_ns = run->now, .decide_ns = decide_ns };

  answer.task = bn_task_number (task);
  bn_run_tell_decision (run, &ask, &answer, BN_NONE);
}

void
bn_run_review (BnRun *run)
{
  if (run->n_pool == 0)
    return;
  const BnView *view = bn_published_open (run->table, BN_NONE, run->now, NULL);
  BnReviewCall call = { sizeof call, run->now, run->n_pool, run->pool, view, &run->host };

  run->n_bound = 0;
  run->totals.n_decisions++;
  bn_run_tell_notices (run, run->now);
  BnTime began_ns = bn_run_hook_begins (run);
  run->config.scheduler->review (run->scheduler_state, &call);
  BnDuration decide_ns = bn_run_hook_took (run, began_ns);
  if (run->on_task_decided.n > 0)
    for (uint32_t i = 0; i < run->n_bound; i++)
      bn_run_note_what_was_seen (run, &run->bound[i], bn_task_spec (run->pool[run->bound[i].task])->model, view);
  bn_published_close (run->table);

  /* out of the pool first, the last one first: placing one may refuse its job, which
     takes other tasks out */
  uint32_t n = run->n_bound;
  BnTask **tasks = g_new (BnTask *, n + 1);
  Answer *answers = g_memdup2 (run->bound, n * sizeof *answers);
  if (n > 0)
    qsort (answers, n, sizeof *answers, compare_indices);
  for (uint32_t i = 0; i < n; i++)
    tasks[i] = run->pool[answers[i].task];
  for (uint32_t i = 0; i < n; i++)
    if (tasks[i]->pooled)
      bn_run_unpool (run, tasks[i]);
  for (uint32_t i = 0; i < n; i++)
    if (tasks[i]->job->state == BN_JOB_LIVE && tasks[i]->worker == BN_NONE)
      {
        answers[i].worker = bn_run_up_instead (run, tasks[i], answers[i].worker);
        bn_run_place_open (run, tasks[i], answers[i].worker, BN_NONE);
        tell_review (run, tasks[i], answers[i], decide_ns);
      }
  g_free (tasks);
  g_free (answers);
}
