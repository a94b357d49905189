/* results_rows.c: the probe that writes jobs, tasks and what happened to them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Jobs and tasks are written together when the job ends, and batches end between
 * jobs: a job that is in the file has all its tasks there. The statements keep
 * their bindings, so what does not change between rows is bound once.
 */
#include "results_private.h"

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

static void
put_row (BnResults *results, sqlite3_stmt *stmt)
{
  results->rows++;
  bn_results_note (results, bn_sql_put (stmt));
}

static void
run_started (void *context, const BnPlatform *platform, const BnCatalogue *catalogue)
{
  BnResults *results = context;

  results->platform = platform;
  results->catalogue = catalogue;
  g_free (results->n_cache_events);
  results->n_cache_events = g_new0 (int64_t, platform->n_workers);
  for (guint i = 0; i < BN_N_PUTS; i++)
    bn_sql_int (results->puts[i], 1, results->run_id);
  if (results->error != NULL)
    return;
  bn_results_put_platform (results);
  bn_results_put_catalogue (results);
}

static void
put_job (BnResults *results, const BnJob *job)
{
  sqlite3_stmt *stmt = results->puts[BN_PUT_JOB];
  int c = 2;

  bn_sql_int (stmt, c++, job->id);
  bn_sql_int (stmt, c++, job->workflow->index);
  bn_sql_index (stmt, c++, job->ingress);
  bn_sql_int (stmt, c++, job->create_ns);
  bn_sql_time (stmt, c++, job->arrive_ns);
  bn_sql_time (stmt, c++, job->state == BN_JOB_UNFINISHED ? BN_TIME_NEVER : job->end_ns);
  bn_sql_int (stmt, c++, job->lower_bound_ns);
  bn_sql_time (stmt, c++, job->deadline_ns);
  bn_sql_text (stmt, c++, bn_job_state_name (job->state));
  if (job->reason == BN_REASON_NONE)
    sqlite3_bind_null (stmt, c++);
  else
    bn_sql_text (stmt, c++, bn_reason_name (job->reason));
  bn_sql_int (stmt, c++, job->n_done);
  put_row (results, stmt);
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
put_digest (const BnResults *results, sqlite3_stmt *stmt, int column, const BnTask *task)
{
  for (int i = 0; i < 2; i++)
    if (results->has_digests && task->state == BN_TASK_DONE)
      sqlite3_bind_double (stmt, column + i, task->digest[i]);
    else
      sqlite3_bind_null (stmt, column + i);
}

static void
put_task (BnResults *results, const BnTask *task, uint32_t number)
{
  sqlite3_stmt *stmt = results->puts[BN_PUT_TASK];
  int c = 3;

  bn_sql_int (stmt, c++, number);
  bn_sql_int (stmt, c++, task->attempt);
  bn_sql_int (stmt, c++, task->job->id << 20 | number);
  bn_sql_text (stmt, c++, task_states[task->state]);
  bn_sql_index (stmt, c++, task->worker);
  bn_sql_index (stmt, c++, task->planned_worker);
  bn_sql_text (stmt, c++, bn_access_name (task->access));
  bn_sql_time (stmt, c++, task->placed_ns);
  bn_sql_time (stmt, c++, task->enqueue_ns);
  bn_sql_time (stmt, c++, task->start_ns);
  bn_sql_int (stmt, c++, task->evict_ns);
  bn_sql_int (stmt, c++, task->fetch_ns);
  bn_sql_time (stmt, c++, task->exec_ns);
  bn_sql_time (stmt, c++, task->end_ns);
  bn_sql_int (stmt, c++, task->estimate_ns);
  sqlite3_bind_double (stmt, c++, factor_of (results, task));
  bn_sql_int (stmt, c++, task->moved_bytes);
  bn_sql_int (stmt, c++, task->fetch_bytes);
  bn_sql_int (stmt, c++, task->evict_bytes);
  put_digest (results, stmt, c, task);
  put_row (results, stmt);
}

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  BnResults *results = context;

  (void) now;
  if (results->error != NULL)
    return;
  put_job (results, job);
  if (results->record == BN_RECORD_TASKS)
    {
      bn_sql_int (results->puts[BN_PUT_TASK], 2, job->id);
      for (uint32_t i = 0; i < job->workflow->n_tasks && results->error == NULL; i++)
        put_task (results, &job->tasks[i], i);
    }
  if (results->rows >= BATCH_ROWS && bn_results_commit (results))
    bn_results_begin (results);
}

static void
task_decided (void *context, const BnDecision *decision)
{
  BnResults *results = context;
  sqlite3_stmt *stmt = results->puts[BN_PUT_DECISION];
  int c = 2;

  if (results->error != NULL)
    return;
  bn_sql_int (stmt, c++, decision->job->id);
  bn_sql_int (stmt, c++, decision->task);
  bn_sql_int (stmt, c++, results->n_decisions++);
  bn_sql_text (stmt, c++, decision_kinds[decision->kind]);
  bn_sql_index (stmt, c++, decision->observer);
  bn_sql_index (stmt, c++, decision->from_worker);
  bn_sql_int (stmt, c++, decision->worker);
  bn_sql_int (stmt, c++, decision->asked_ns);
  bn_sql_int (stmt, c++, decision->seen_ns);
  bn_sql_int (stmt, c++, decision->effect_ns);
  bn_sql_index (stmt, c++, decision->seen_wait_ns);
  bn_sql_index (stmt, c++, decision->true_wait_ns);
  bn_sql_index (stmt, c++, decision->row_age_ns);
  bn_sql_index (stmt, c++, decision->seen_cached);
  bn_sql_index (stmt, c++, decision->true_cached);
  bn_sql_index (stmt, c++, decision->decide_ns);
  put_row (results, stmt);
}

static void
transfer (void *context, const BnTransfer *t)
{
  BnResults *results = context;
  sqlite3_stmt *stmt = results->puts[BN_PUT_TRANSFER];
  int c = 2;

  if (results->error != NULL)
    return;
  bn_sql_int (stmt, c++, t->job->id);
  bn_sql_int (stmt, c++, t->task);
  bn_sql_int (stmt, c++, t->pred);
  bn_sql_int (stmt, c++, results->n_transfers++);
  bn_sql_index (stmt, c++, t->from_worker);
  bn_sql_int (stmt, c++, t->to_worker);
  bn_sql_int (stmt, c++, t->bytes);
  bn_sql_int (stmt, c++, t->start_ns);
  bn_sql_int (stmt, c++, t->end_ns);
  bn_sql_int (stmt, c++, t->voided);
  put_row (results, stmt);
}

static void
cache_event (void *context, const BnCacheEvent *event)
{
  BnResults *results = context;
  sqlite3_stmt *stmt = results->puts[BN_PUT_CACHE_EVENT];
  int c = 2;

  if (results->error != NULL)
    return;
  bn_sql_int (stmt, c++, event->worker);
  bn_sql_int (stmt, c++, results->n_cache_events[event->worker]++);
  bn_sql_text (stmt, c++, cache_kinds[event->kind]);
  bn_sql_int (stmt, c++, event->model);
  bn_sql_int (stmt, c++, event->start_ns);
  bn_sql_int (stmt, c++, event->end_ns);
  bn_sql_int (stmt, c++, event->bytes);
  bn_sql_int (stmt, c++, event->resident_bytes);
  bn_sql_int (stmt, c++, event->prefetch);
  bn_sql_index (stmt, c++, event->job_id);
  bn_sql_index (stmt, c++, event->job_id < 0 ? BN_NONE : event->task);
  bn_sql_index (stmt, c++, event->kind == BN_CACHE_EVICTED ? event->left_ns : BN_NONE);
  put_row (results, stmt);
}

static void
op_failed (void *context, const BnFailure *failure)
{
  BnResults *results = context;
  sqlite3_stmt *stmt = results->puts[BN_PUT_FAILURE];
  int c = 2;

  if (results->error != NULL)
    return;
  bn_sql_int (stmt, c++, results->n_failures++);
  bn_sql_int (stmt, c++, failure->start_ns);
  bn_sql_int (stmt, c++, failure->time_ns);
  bn_sql_text (stmt, c++, op_kinds[failure->kind]);
  bn_sql_text (stmt, c++, op_statuses[failure->status]);
  bn_sql_int (stmt, c++, failure->worker);
  bn_sql_index (stmt, c++, failure->model);
  bn_sql_index (stmt, c++, failure->job_id);
  bn_sql_index (stmt, c++, failure->task);
  bn_sql_int (stmt, c++, failure->attempt);
  bn_sql_text (stmt, c++, failure->reason);
  bn_sql_text (stmt, c++, after_failures[failure->after]);
  put_row (results, stmt);
}

BnProbe
bn_results_probe (BnResults *results)
{
  BnProbe probe = { .context = results, .run_started = run_started, .op_failed = op_failed };

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
