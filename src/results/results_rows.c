/* results_rows.c: the probe that writes jobs, tasks and what happened to them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Jobs and tasks are written together when the job ends, and batches end between
 * jobs: a job that is in the file has all its tasks there. A run on the wall clock leaves
 * the writing to a thread.
 */
#include "results_private.h"

#include "row_writer.h"
#include "sql.h"

/* Rows of one transaction, more or less. */
#define BATCH_ROWS 20000

static const char *const task_states[] = {
  [BN_TASK_WAITING] = "waiting", [BN_TASK_TRAVELLING] = "travelling", [BN_TASK_QUEUED] = "queued",
  [BN_TASK_STARTING] = "starting", [BN_TASK_RUNNING] = "running", [BN_TASK_DONE] = "done",
  [BN_TASK_CANCELLED] = "cancelled",
};

static const char *const decision_kinds[] = {
  [BN_DECIDED_PLAN] = "plan", [BN_DECIDED_PLACE] = "place", [BN_DECIDED_PULL] = "pull",
  [BN_DECIDED_FORWARD] = "forward", [BN_DECIDED_STEAL] = "steal", [BN_DECIDED_REVIEW] = "review",
  [BN_DECIDED_RETRY] = "retry",
};

static const char *const op_kinds[] = {
  [BN_OP_LOAD] = "load", [BN_OP_EVICT] = "evict", [BN_OP_TRANSFER] = "transfer", [BN_OP_RUN] = "run",
};

static const char *const op_statuses[] = {
  [BN_OP_OK] = "ok", [BN_OP_OUT_OF_MEMORY] = "out of memory", [BN_OP_FAILED] = "failed",
  [BN_OP_DEVICE_LOST] = "device lost", [BN_OP_CANCELLED] = "cancelled",
};

static const char *const after_failures[] = {
  [BN_AFTER_RESENT] = "resent", [BN_AFTER_EVICTED] = "evicted", [BN_AFTER_MOVED] = "moved",
  [BN_AFTER_JOB_FAILED] = "job failed", [BN_AFTER_WORKER_DOWN] = "worker down", [BN_AFTER_NOTHING] = "nothing",
};

static const char *const cache_kinds[] = {
  [BN_CACHE_LOADED] = "load", [BN_CACHE_EVICTED] = "evict", [BN_CACHE_PRELOADED] = "preload",
};

static gboolean
has_failed (const BnResults *results)
{
  return results->error != NULL || (results->writer != NULL && bn_row_writer_failed (results->writer));
}

static BnRow
begin_row (const BnResults *results, BnPut table)
{
  BnRow row;

  row.table = table;
  row.n_cells = 0;
  bn_row_int (&row, results->run_id);
  return row;
}

static void
put_row (BnResults *results, BnRow *row)
{
  if (results->writer != NULL)
    {
      bn_row_writer_put (results->writer, row);
      return;
    }
  results->rows++;
  bn_results_note (results, bn_row_put (row, results->puts[row->table]));
}

static void
start_writer (BnResults *results)
{
  BnRowWriterConfig config = { results->db, results->puts, BATCH_ROWS, results->on_failure, results->on_failure_data };

  results->writer = bn_row_writer_new (&config);
}

void
bn_results_end_writer (BnResults *results)
{
  char *message = NULL;

  if (results->writer == NULL)
    return;
  int rc = bn_row_writer_finish (g_steal_pointer (&results->writer), &message);
  if (rc != SQLITE_OK)
    bn_results_note_message (results, message);
  g_free (message);
}

static void
run_started (void *context, const BnPlatform *platform, const BnCatalogue *catalogue)
{
  BnResults *results = context;

  results->platform = platform;
  results->catalogue = catalogue;
  g_free (results->n_cache_events);
  results->n_cache_events = g_new0 (int64_t, platform->n_workers);
  if (results->error != NULL)
    return;
  bn_results_put_platform (results);
  bn_results_put_catalogue (results);
  if (results->real && results->error == NULL)
    start_writer (results);
}

static void
put_job (BnResults *results, const BnJob *job)
{
  BnRow row = begin_row (results, BN_PUT_JOB);

  bn_row_int (&row, job->id);
  bn_row_int (&row, job->workflow->index);
  bn_row_index (&row, job->ingress);
  bn_row_int (&row, job->create_ns);
  bn_row_time (&row, job->arrive_ns);
  bn_row_time (&row, job->state == BN_JOB_UNFINISHED ? BN_TIME_NEVER : job->end_ns);
  bn_row_int (&row, job->lower_bound_ns);
  bn_row_time (&row, job->deadline_ns);
  bn_row_text (&row, bn_job_state_name (job->state));
  if (job->reason == BN_REASON_NONE)
    bn_row_null (&row);
  else
    bn_row_text (&row, bn_reason_name (job->reason));
  bn_row_int (&row, job->n_done);
  put_row (results, &row);
}

/* By how much a real execution overran what schedulers knew of it. */
static double
factor_of (const BnResults *results, const BnTask *task)
{
  if (!results->real || task->state != BN_TASK_DONE || task->estimate_ns <= 0)
    return task->factor;
  return (double) (task->end_ns - task->exec_ns) / (double) task->estimate_ns;
}

static void
put_digest (const BnResults *results, BnRow *row, const BnTask *task)
{
  for (int i = 0; i < 2; i++)
    if (results->has_digests && task->state == BN_TASK_DONE)
      bn_row_real (row, task->digest[i]);
    else
      bn_row_null (row);
}

static void
put_task (BnResults *results, const BnTask *task, uint32_t number)
{
  BnRow row = begin_row (results, BN_PUT_TASK);

  bn_row_int (&row, task->job->id);
  bn_row_int (&row, number);
  bn_row_int (&row, task->attempt);
  bn_row_int (&row, task->job->id << 20 | number);
  bn_row_text (&row, task_states[task->state]);
  bn_row_index (&row, task->worker);
  bn_row_index (&row, task->planned_worker);
  bn_row_text (&row, bn_access_name (task->access));
  bn_row_time (&row, task->placed_ns);
  bn_row_time (&row, task->enqueue_ns);
  bn_row_time (&row, task->start_ns);
  bn_row_int (&row, task->evict_ns);
  bn_row_int (&row, task->fetch_ns);
  bn_row_time (&row, task->exec_ns);
  bn_row_time (&row, task->end_ns);
  bn_row_int (&row, task->estimate_ns);
  bn_row_real (&row, factor_of (results, task));
  bn_row_int (&row, task->moved_bytes);
  bn_row_int (&row, task->fetch_bytes);
  bn_row_int (&row, task->evict_bytes);
  put_digest (results, &row, task);
  put_row (results, &row);
}

/* Rows up to here belong together. */
static void
may_commit (BnResults *results)
{
  if (results->writer != NULL)
    bn_row_writer_may_commit (results->writer);
  else if (results->rows >= BATCH_ROWS && bn_results_commit (results))
    bn_results_begin (results);
}

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  BnResults *results = context;

  (void) now;
  if (has_failed (results))
    return;
  put_job (results, job);
  for (uint32_t i = 0; results->record == BN_RECORD_TASKS && i < job->workflow->n_tasks; i++)
    put_task (results, &job->tasks[i], i);
  may_commit (results);
}

static void
decision_timed (void *context, const BnJob *job, BnDuration cost_ns)
{
  BnResults *results = context;
  BnRow row = begin_row (results, BN_PUT_DECISION_COST);

  if (has_failed (results))
    return;
  bn_row_int (&row, results->n_costs++);
  bn_row_int (&row, job->id);
  bn_row_int (&row, cost_ns);
  put_row (results, &row);
  may_commit (results);
}

static void
task_decided (void *context, const BnDecision *decision)
{
  BnResults *results = context;
  BnRow row = begin_row (results, BN_PUT_DECISION);

  if (has_failed (results))
    return;
  bn_row_int (&row, decision->job->id);
  bn_row_int (&row, decision->task);
  bn_row_int (&row, results->n_decisions++);
  bn_row_text (&row, decision_kinds[decision->kind]);
  bn_row_index (&row, decision->observer);
  bn_row_index (&row, decision->from_worker);
  bn_row_int (&row, decision->worker);
  bn_row_int (&row, decision->asked_ns);
  bn_row_int (&row, decision->seen_ns);
  bn_row_int (&row, decision->effect_ns);
  bn_row_index (&row, decision->seen_wait_ns);
  bn_row_index (&row, decision->true_wait_ns);
  bn_row_index (&row, decision->row_age_ns);
  bn_row_index (&row, decision->seen_cached);
  bn_row_index (&row, decision->true_cached);
  bn_row_index (&row, decision->decide_ns);
  put_row (results, &row);
}

static void
transfer (void *context, const BnTransfer *t)
{
  BnResults *results = context;
  BnRow row = begin_row (results, BN_PUT_TRANSFER);

  if (has_failed (results))
    return;
  bn_row_int (&row, t->job->id);
  bn_row_int (&row, t->task);
  bn_row_int (&row, t->pred);
  bn_row_int (&row, results->n_transfers++);
  bn_row_index (&row, t->from_worker);
  bn_row_int (&row, t->to_worker);
  bn_row_int (&row, t->bytes);
  bn_row_int (&row, t->start_ns);
  bn_row_int (&row, t->end_ns);
  bn_row_int (&row, t->voided);
  put_row (results, &row);
}

static void
cache_event (void *context, const BnCacheEvent *event)
{
  BnResults *results = context;
  BnRow row = begin_row (results, BN_PUT_CACHE_EVENT);

  if (has_failed (results))
    return;
  bn_row_int (&row, event->worker);
  bn_row_int (&row, results->n_cache_events[event->worker]++);
  bn_row_text (&row, cache_kinds[event->kind]);
  bn_row_int (&row, event->model);
  bn_row_int (&row, event->start_ns);
  bn_row_int (&row, event->end_ns);
  bn_row_int (&row, event->bytes);
  bn_row_int (&row, event->resident_bytes);
  bn_row_int (&row, event->prefetch);
  bn_row_index (&row, event->job_id);
  bn_row_index (&row, event->job_id < 0 ? BN_NONE : event->task);
  bn_row_index (&row, event->kind == BN_CACHE_EVICTED ? event->left_ns : BN_NONE);
  put_row (results, &row);
}

static void
op_failed (void *context, const BnFailure *failure)
{
  BnResults *results = context;
  BnRow row = begin_row (results, BN_PUT_FAILURE);

  if (has_failed (results))
    return;
  bn_row_int (&row, results->n_failures++);
  bn_row_int (&row, failure->start_ns);
  bn_row_int (&row, failure->time_ns);
  bn_row_text (&row, op_kinds[failure->kind]);
  bn_row_text (&row, op_statuses[failure->status]);
  bn_row_int (&row, failure->worker);
  bn_row_index (&row, failure->model);
  bn_row_index (&row, failure->job_id);
  bn_row_index (&row, failure->task);
  bn_row_int (&row, failure->attempt);
  bn_row_copy_text (&row, failure->reason);
  bn_row_text (&row, after_failures[failure->after]);
  put_row (results, &row);
}

BnProbe
bn_results_probe (BnResults *results)
{
  BnProbe probe = { .context = results, .run_started = run_started, .decision_timed = decision_timed,
                    .op_failed = op_failed };

  if (results->record >= BN_RECORD_JOBS)
    probe.job_ended = job_ended;
  if (results->record >= BN_RECORD_TASKS)
    {
      probe.task_decided = task_decided;
      probe.transfer = transfer;
      probe.cache_event = cache_event;
    }
  return probe;
}
