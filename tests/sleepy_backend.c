/* sleepy_backend.c: a backend on the wall clock that does nothing but take its time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sleepy_backend.h"

#define N_THREADS 8

typedef struct Sleepy
{
  const BnCost *cost;
  BnSink *sink;
  GThreadPool *pool;
} Sleepy;

static struct
{
  const SleepyScript *script;
  gint n_runs, n_loads, n_jobs_over, abandoned;
} shared;

void
sleepy_backend_set (const SleepyScript *script)
{
  shared.script = script;
  shared.n_runs = shared.n_loads = shared.n_jobs_over = shared.abandoned = 0;
}

uint32_t
sleepy_backend_loads (void)
{
  return (uint32_t) g_atomic_int_get (&shared.n_loads);
}

uint32_t
sleepy_backend_jobs_over (void)
{
  return (uint32_t) g_atomic_int_get (&shared.n_jobs_over);
}

bool
sleepy_backend_was_abandoned (void)
{
  return g_atomic_int_get (&shared.abandoned);
}

static void
sleep_ns (BnDuration duration_ns)
{
  g_usleep ((gulong) ((duration_ns + BN_NS_PER_US - 1) / BN_NS_PER_US));
}

static void
work (gpointer data, gpointer user)
{
  BnOp *op = data;
  Sleepy *s = user;
  const BnWorkflow *wf = op->task ? op->task->job->workflow : NULL;
  BnTime not_before_ns = 0;

  switch (op->kind)
    {
    case BN_OP_LOAD:
      sleep_ns (bn_cost_load (s->cost, (uint32_t) op->model, op->worker));
      if ((guint) g_atomic_int_add (&shared.n_loads, 1) + 1 == shared.script->fail_load)
        {
          op->reason = g_strdup ("as the test wants it");
          s->sink->complete_from_thread (s->sink, op, BN_OP_FAILED, 0);
          return;
        }
      break;
    case BN_OP_EVICT:
      break;
    case BN_OP_TRANSFER:
      if (shared.script->pace_ns > 0)
        not_before_ns = bn_time_add (s->sink->clock (s->sink), shared.script->pace_ns);
      break;
    case BN_OP_RUN:
      if ((guint) g_atomic_int_add (&shared.n_runs, 1) + 1 == shared.script->mute_run)
        return;
      sleep_ns (bn_cost_runtime (s->cost, wf, bn_task_number (op->task), op->worker));
      op->digest[0] = (double) op->task->job->id;
      break;
    }
  s->sink->complete_from_thread (s->sink, op, BN_OP_OK, not_before_ns);
}

static void *
sleepy_open (const BnBackendSetup *setup, GError **error)
{
  Sleepy *s = g_new0 (Sleepy, 1);

  s->cost = setup->cost;
  s->sink = setup->sink;
  s->pool = g_thread_pool_new (work, s, N_THREADS, TRUE, error);
  return s;
}

static void
sleepy_close (void *state, bool abandon)
{
  Sleepy *s = state;

  g_atomic_int_set (&shared.abandoned, abandon);
  g_thread_pool_free (s->pool, FALSE, TRUE);
  g_free (s);
}

static void
start (void *state, BnOp *op)
{
  Sleepy *s = state;

  g_thread_pool_push (s->pool, op, NULL);
}

static void
sleepy_job_over (void *state, const BnJob *job)
{
  (void) state;
  (void) job;
  g_atomic_int_inc (&shared.n_jobs_over);
}

const BnBackend sleepy_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "sleepy",
  .summary = "threads that sleep",
  .capabilities = BN_BACKEND_COMPUTES,
  .open = sleepy_open,
  .close = sleepy_close,
  .start_load = start,
  .start_evict = start,
  .start_transfer = start,
  .start_run = start,
  .job_over = sleepy_job_over,
};
