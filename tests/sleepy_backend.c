/* sleepy_backend.c: a backend on the wall clock that does nothing but take its time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sleepy_backend.h"

#include <time.h>

#include "answers.h"
#include "work_queue.h"

#define N_THREADS 8

typedef struct Sleepy
{
  const BnCost *cost;
  BnAnswers answers;
  BnWorkQueue *queue;
  GThread *threads[N_THREADS];
} Sleepy;

static struct
{
  const SleepyScript *script;
  gint n_runs, n_loads, n_jobs_over, abandoned;
  Sleepy *left_alone;       /* what was abandoned stays reachable, as leaks are looked for */
} shared;

/* What hangs, and who is left. */
static struct
{
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool is_awake;
  uint32_t n_threads;
} sleep_room = { .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

void
sleepy_backend_set (const SleepyScript *script)
{
  shared.script = script;
  shared.n_runs = shared.n_loads = shared.n_jobs_over = shared.abandoned = 0;
  sleep_room.is_awake = false;
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
wake (void)
{
  pthread_mutex_lock (&sleep_room.mutex);
  sleep_room.is_awake = true;
  pthread_cond_broadcast (&sleep_room.changed);
  pthread_mutex_unlock (&sleep_room.mutex);
}

static void
hang (void)
{
  pthread_mutex_lock (&sleep_room.mutex);
  while (!sleep_room.is_awake)
    pthread_cond_wait (&sleep_room.changed, &sleep_room.mutex);
  pthread_mutex_unlock (&sleep_room.mutex);
}

bool
sleepy_backend_wake_and_wait (void)
{
  struct timespec until;
  int answer = 0;

  wake ();
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  pthread_mutex_lock (&sleep_room.mutex);
  while (sleep_room.n_threads > 0 && answer == 0)
    answer = pthread_cond_timedwait (&sleep_room.changed, &sleep_room.mutex, &until);
  pthread_mutex_unlock (&sleep_room.mutex);
  return answer == 0;
}

static void
work (Sleepy *s, BnOp *op)
{
  const BnWorkflow *wf = op->task ? op->task->job->workflow : NULL;
  BnTime not_before_ns = 0;

  switch (op->kind)
    {
    case BN_OP_LOAD:;
      sleep_ns (bn_cost_load (s->cost, (uint32_t) op->model, op->worker));
      guint load = (guint) g_atomic_int_add (&shared.n_loads, 1) + 1;
      if (load == shared.script->mute_load)
        return;
      if (load == shared.script->fail_load)
        {
          op->reason = g_strdup ("as the test wants it");
          bn_answer (&s->answers, op, BN_OP_FAILED, 0);
          return;
        }
      break;
    case BN_OP_EVICT:
      break;
    case BN_OP_TRANSFER:
      if (shared.script->pace_ns > 0)
        not_before_ns = bn_time_add (s->answers.sink->clock (s->answers.sink), shared.script->pace_ns);
      break;
    case BN_OP_RUN:
      if ((guint) g_atomic_int_add (&shared.n_runs, 1) + 1 == shared.script->mute_run)
        hang ();
      sleep_ns (bn_cost_runtime (s->cost, wf, bn_task_number (op->task), op->worker));
      op->digest[0] = (double) op->task->job->id;
      break;
    }
  bn_answer (&s->answers, op, BN_OP_OK, not_before_ns);
}

static gpointer
work_on (gpointer data)
{
  Sleepy *s = data;
  BnOp *op;

  while ((op = bn_work_queue_pop (s->queue)) != NULL)
    work (s, op);
  pthread_mutex_lock (&sleep_room.mutex);
  sleep_room.n_threads--;
  pthread_cond_broadcast (&sleep_room.changed);
  pthread_mutex_unlock (&sleep_room.mutex);
  return NULL;
}

static void *
sleepy_open (const BnBackendSetup *setup, GError **error)
{
  (void) error;
  Sleepy *s = g_new0 (Sleepy, 1);

  s->cost = setup->cost;
  bn_answers_init (&s->answers, setup->sink);
  s->queue = bn_work_queue_new ();
  sleep_room.n_threads = N_THREADS;
  for (guint i = 0; i < N_THREADS; i++)
    s->threads[i] = g_thread_new ("sleepy", work_on, s);
  return s;
}

static void
sleepy_close (void *state, bool abandon)
{
  Sleepy *s = state;

  g_atomic_int_set (&shared.abandoned, abandon);
  bn_work_queue_close (s->queue, abandon);
  if (abandon)
    {
      bn_answers_abandon (&s->answers);
      for (guint i = 0; i < N_THREADS; i++)
        g_thread_unref (s->threads[i]);
      shared.left_alone = s;
      return;
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (s->threads[i]);
  bn_work_queue_free (s->queue);
  bn_answers_clear (&s->answers);
  g_free (s);
}

static void
start (void *state, BnOp *op)
{
  Sleepy *s = state;

  bn_work_queue_push (s->queue, op);
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
