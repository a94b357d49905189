/* notice.c: what the scheduler hears of what became of its decisions.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A notice is a message and takes as long. It is no event: a scheduler acts only when it is
 * asked, so it is told right before that of all that has reached it by then. So a run is the
 * same whether or not its scheduler listens.
 */
#include "run_internal.h"

/* Sends one that leaves `worker` at from_ns for `observer`. */
static void
send (BnRun *run, BnNotice notice, int32_t worker, BnTime from_ns)
{
  notice.struct_size = sizeof notice;
  notice.now = bn_time_add (from_ns, bn_run_message_ns (run, worker, notice.observer));
  BnEvent event = { notice.now, g_memdup2 (&notice, sizeof notice), 0, 0 };
  bn_event_queue_schedule (run->notices, &event, BN_RANK_NORMAL);
}

static bool
is_wanted (const BnRun *run, uint32_t trait)
{
  return run->notices && run->traits & trait;
}

static int32_t
heard_by (const BnRun *run, int32_t worker)
{
  return run->traits & BN_SCHED_CENTRAL ? BN_NONE : worker;
}

/* Of the tasks whose outputs are the job's result, one whose output is there last. */
static const BnTask *
last_result (const BnRun *run, const BnJob *job, int32_t observer)
{
  const BnTask *last = NULL;
  BnTime last_ns = 0;

  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    if (job->workflow->tasks[t].n_succs == 0)
      {
        const BnTask *task = &job->tasks[t];
        BnTime there_ns = bn_time_add (task->end_ns, bn_run_message_ns (run, task->worker, observer));
        if (!last || there_ns > last_ns)
          {
            last = task;
            last_ns = there_ns;
          }
      }
  return last;
}

void
bn_run_notice_job (BnRun *run, const BnJob *job)
{
  if (!is_wanted (run, BN_SCHED_HEARS_JOBS))
    return;
  BnNotice notice = { .kind = BN_NOTICE_JOB_ENDED, .observer = heard_by (run, job->ingress), .job = job->id,
                      .workflow = (int32_t) job->workflow->index, .task = BN_NONE, .worker = BN_NONE,
                      .state = (BnJobState) job->state, .took_ns = job->end_ns - job->create_ns };
  const BnTask *last = notice.state == BN_JOB_DONE ? last_result (run, job, notice.observer) : NULL;

  /* one that was given up sends nothing: its ingress knows as the run does */
  send (run, notice, last ? last->worker : notice.observer, last ? last->end_ns : run->now);
}

void
bn_run_notice_task (BnRun *run, const BnTask *task)
{
  if (!is_wanted (run, BN_SCHED_HEARS_TASKS))
    return;
  BnNotice notice = { .kind = BN_NOTICE_TASK_FINISHED, .observer = heard_by (run, task->worker), .job = task->job->id,
                      .workflow = (int32_t) task->job->workflow->index, .task = (int32_t) bn_task_number (task),
                      .worker = task->worker, .took_ns = task->end_ns - task->exec_ns };

  send (run, notice, task->worker, run->now);
}

void
bn_run_notice_worker (BnRun *run, const BnWorker *worker)
{
  if (!is_wanted (run, BN_SCHED_HEARS_WORKERS))
    return;
  BnNotice notice = { .kind = BN_NOTICE_WORKER_DOWN, .observer = BN_NONE, .job = BN_NONE, .workflow = BN_NONE,
                      .task = BN_NONE, .worker = (int32_t) worker->index };

  send (run, notice, (int32_t) worker->index, run->now);
}

void
bn_run_tell_notices (BnRun *run, BnTime until_ns)
{
  BnEvent event;

  while (run->notices && bn_event_queue_next_time (run->notices) <= until_ns && bn_event_queue_pop (run->notices, &event))
    {
      run->config.scheduler->notice (run->scheduler_state, event.object);
      g_free (event.object);
    }
}

void
bn_run_free_notices (BnRun *run)
{
  BnEvent event;

  if (!run->notices)
    return;
  while (bn_event_queue_pop (run->notices, &event))
    g_free (event.object);
  bn_event_queue_free (run->notices);
}
