/* jobs.c: a job is created, arrives, is planned, ends or is given up.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "run_internal.h"

bool
bn_run_fetch_spec (BnRun *run)
{
  switch (bn_arrivals_next (run->arrivals, &run->next_spec, &run->error))
    {
    case BN_ARRIVALS_JOB:
      {
        BnEvent event = { run->next_spec.create_ns, NULL, 0, EVENT_CREATE };
        run->next_creation = bn_event_queue_schedule (run->events, &event, BN_RANK_CREATION);
        return true;
      }
    case BN_ARRIVALS_END:
      run->arrivals_over = true;
      return true;
    case BN_ARRIVALS_ERROR:
      break;
    }
  return false;
}

static BnJob *
new_job (BnRun *run, const BnWorkflow *wf)
{
  BnJob *job = run->free_jobs[wf->index];

  if (job)
    run->free_jobs[wf->index] = job->live_next;
  else
    job = g_malloc (sizeof (BnJob) + wf->n_tasks * sizeof (BnTask));
  *job = (BnJob){
    .id = run->totals.n_jobs,
    .workflow = wf,
    .ingress = run->next_spec.ingress,
    .state = BN_JOB_LIVE,
    .create_ns = run->now,
    .arrive_ns = BN_TIME_NEVER,
    .end_ns = BN_TIME_NEVER,
    .lower_bound_ns = run->cost->lower_bound_ns[wf->index],
    .deadline_ns = bn_time_add (run->now, run->cost->deadline_ns[wf->index]),
    .live_prev = run->live_last,
  };
  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      uint32_t n_preds = wf->tasks[t].n_preds;
      job->tasks[t] = (BnTask){
        .worker = BN_NONE,
        .planned_worker = BN_NONE,
        .adjusting = BN_NONE,
        .n_missing = n_preds ? n_preds : 1,
        .n_waiting = n_preds,
        .factor = bn_noise_next (&run->noise, wf->first_task + t) * bn_job_spec_factor (&run->next_spec),
        .placed_ns = BN_TIME_NEVER,
        .enqueue_ns = BN_TIME_NEVER,
        .start_ns = BN_TIME_NEVER,
        .exec_ns = BN_TIME_NEVER,
        .end_ns = BN_TIME_NEVER,
        .direct = n_preds == 0,
        .job = job,
      };
      job->tasks[t].node.task = &job->tasks[t];
    }
  if (run->live_last)
    run->live_last->live_next = job;
  else
    run->live_first = job;
  run->live_last = job;
  run->n_live++;
  run->totals.peak_live_jobs = MAX (run->totals.peak_live_jobs, run->n_live);
  return job;
}

void
bn_run_create_job (BnRun *run)
{
  const BnWorkflow *wf = &run->config.catalogue->workflows[run->next_spec.workflow];
  BnJob *job = new_job (run, wf);

  run->totals.n_jobs++;
  run->totals.last_arrival_ns = run->now;
  bn_run_charge (run, NULL, job);
  TELL (run, job_created, job, run->now);
  if (run->steal_polls && run->n_live == 1)
    bn_run_wake_thieves (run);
  job->n_refs++;
  bn_run_schedule (run, bn_time_add (run->now, run->cost->job_input_net_ns[wf->index]), EVENT_ARRIVE, job, 0);
  bn_run_fetch_spec (run);
}

void
bn_run_job_arrives (BnRun *run, BnJob *job)
{
  job->arrive_ns = run->now;
  TELL (run, job_arrived, job, run->now);
  if (!run->runnable[job->workflow->index])
    bn_run_refuse_job (run, job, BN_REASON_NO_GPU_FITS);
  else
    bn_run_ask_plan (run, job);
  bn_run_unref_job (run, job);
}

/* The answer to `plan` takes effect: planned tasks have their workers, the
 * client's data goes to the entry tasks, open entry tasks are placed. */
void
bn_run_plan_applies (BnRun *run, Ask *ask)
{
  BnJob *job = ask->job;
  const BnWorkflow *wf = job->workflow;
  uint32_t n_open = 0;

  for (uint32_t i = 0; i < ask->n_answers; i++)
    {
      Answer *answer = &ask->answers[i];
      BnTask *task = &job->tasks[answer->task];
      task->priority = answer->priority;
      answer->worker = bn_run_up_instead (run, task, answer->worker);
      bn_run_assign (run, task, answer->worker, ask->observer);
      bn_run_tell_decision (run, ask, answer, BN_NONE);
      if (job->state != BN_JOB_LIVE)
        return;
    }
  for (uint32_t e = 0; e < wf->n_entries && job->state == BN_JOB_LIVE; e++)
    {
      uint32_t t = wf->entries[e];
      if (job->tasks[t].worker != BN_NONE)
        bn_run_send_from_client (run, &job->tasks[t]);
      else if (run->traits & BN_SCHED_POOLS)
        bn_run_pool (run, &job->tasks[t]);
      else if (run->traits & BN_SCHED_RESERVES)
        run->ready_scratch[n_open++] = t;
      else
        bn_run_ask_place (run, job, &t, 1, (uint32_t) job->ingress, BN_NONE);
    }
  if (n_open > 0 && job->state == BN_JOB_LIVE)
    bn_run_ask_place (run, job, run->ready_scratch, n_open, (uint32_t) job->ingress, BN_NONE);
  if (run->traits & BN_SCHED_POOLS)
    bn_run_review (run);
}

void
bn_run_finish_job (BnRun *run, BnJob *job, BnJobState state)
{
  job->state = (uint8_t) state;
  job->end_ns = run->now;
  switch (state)
    {
    case BN_JOB_DONE:
      run->totals.n_done++;
      break;
    case BN_JOB_REFUSED:
      run->totals.n_refused++;
      break;
    case BN_JOB_FAILED:
      run->totals.n_failed++;
      break;
    case BN_JOB_DROPPED:
      run->totals.n_dropped++;
      break;
    case BN_JOB_LIVE:
    case BN_JOB_UNFINISHED:
      BN_ASSERT (state != BN_JOB_LIVE && state != BN_JOB_UNFINISHED);
    }
  bn_run_charge (run, NULL, NULL);
  TELL (run, job_ended, job, run->now);
  bn_run_notice_job (run, job);

  if (job->live_prev)
    job->live_prev->live_next = job->live_next;
  else
    run->live_first = job->live_next;
  if (job->live_next)
    job->live_next->live_prev = job->live_prev;
  else
    run->live_last = job->live_prev;
  run->n_live--;
  job->n_refs++;
  bn_run_unref_job (run, job);
}

/* Takes a task that has not started out of everything. Returns: whether its worker
 * has got something else to do. */
static bool
cancel_task (BnRun *run, BnTask *task)
{
  bool was_queued = task->state == BN_TASK_QUEUED;

  task->state = BN_TASK_CANCELLED;
  task->epoch++;
  bn_run_settle_reservation (run, task);
  if (task->pooled)
    bn_run_unpool (run, task);
  if (was_queued)
    bn_run_unqueue (run, task);
  else if (task->bound)
    run->workers[task->worker].n_held--;
  return was_queued || task->bound;
}

/* What holds a slot comes to its end first. */
static void
give_up_job (BnRun *run, BnJob *job, BnJobState state, BnReason reason)
{
  if (job->state != BN_JOB_LIVE)
    return;
  job->state = (uint8_t) state;
  job->reason = (uint8_t) reason;
  bn_run_cancel_requests (run, job);
  /* all of its tasks first: none of them may start because another has left */
  uint32_t n_left = 0;
  uint32_t *left = run->left_scratch;
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    if (job->tasks[t].state <= BN_TASK_QUEUED && cancel_task (run, &job->tasks[t]))
      left[n_left++] = (uint32_t) job->tasks[t].worker;
  for (uint32_t i = 0; i < n_left; i++)
    bn_run_dispatch (run, &run->workers[left[i]], true);
  if (job->n_active == 0)
    bn_run_finish_job (run, job, state);
}

void
bn_run_refuse_job (BnRun *run, BnJob *job, BnReason reason)
{
  give_up_job (run, job, BN_JOB_REFUSED, reason);
}

void
bn_run_fail_job (BnRun *run, BnJob *job, BnReason reason)
{
  give_up_job (run, job, BN_JOB_FAILED, reason);
}

void
bn_run_unref_job (BnRun *run, BnJob *job)
{
  if (--job->n_refs > 0)
    return;
  bool in_list = job->end_ns == BN_TIME_NEVER;
  if (in_list)
    return;
  bn_run_uncharge (run, job);
  if (run->backend->job_over)
    run->backend->job_over (run->backend_state, job);
  job->live_next = run->free_jobs[job->workflow->index];
  run->free_jobs[job->workflow->index] = job;
}
