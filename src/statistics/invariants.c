/* invariants.c: the probe that checks every task of every run in memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Most is read off a job when it ends. While the run goes on only slots are
 * counted: an addition and a comparison for each start and each end.
 */
#include "invariants.h"

typedef struct Device
{
  uint32_t n_held, n_slots;
  int64_t memory_bytes;
} Device;

struct BnInvariants
{
  BnProbe probe;
  const BnCatalogue *catalogue;
  uint32_t n_workers;
  Device *devices;             /* [n_workers] */
  int64_t n_jobs;              /* created     */
  BnTime last_create_ns;
  int64_t n_ended[BN_JOB_UNFINISHED + 1];  /* by BnJobState */
  int64_t n_tasks;             /* done        */
  int64_t n_violations;
  GPtrArray *messages;
};

static void violation (BnInvariants *v, BnTime now, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
violation (BnInvariants *v, BnTime now, const char *format, ...)
{
  va_list arguments;
  char *what;

  v->n_violations++;
  if (v->messages->len >= BN_INVARIANTS_MESSAGES)
    return;
  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (v->messages, g_strdup_printf ("at %" G_GINT64_FORMAT " ns: %s", now, what));
  g_free (what);
}

static void
task_violation (BnInvariants *v, const BnTask *task, BnTime now, const char *what)
{
  violation (v, now, "job %" G_GINT64_FORMAT " task %s on worker %d: %s", task->job->id, bn_task_spec (task)->label,
             task->worker, what);
}

static bool
is_worker (const BnInvariants *v, int32_t worker)
{
  return worker >= 0 && (uint32_t) worker < v->n_workers;
}

static void
job_created (void *context, const BnJob *job, BnTime now)
{
  BnInvariants *v = context;

  if (job->id != v->n_jobs)
    violation (v, now, "job %" G_GINT64_FORMAT " is created as number %" G_GINT64_FORMAT, job->id, v->n_jobs);
  if (now != job->create_ns || now < v->last_create_ns)
    violation (v, now, "job %" G_GINT64_FORMAT " is created out of order", job->id);
  v->n_jobs++;
  v->last_create_ns = now;
}

static void
task_started (void *context, const BnTask *task, BnTime now)
{
  BnInvariants *v = context;

  if (G_UNLIKELY (!is_worker (v, task->worker)))
    task_violation (v, task, now, "no such worker");
  else if (G_UNLIKELY (++v->devices[task->worker].n_held > v->devices[task->worker].n_slots))
    task_violation (v, task, now, "starts while every slot is held");
}

static void
task_finished (void *context, const BnTask *task, BnTime now)
{
  BnInvariants *v = context;

  if (G_UNLIKELY (!is_worker (v, task->worker) || v->devices[task->worker].n_held == 0))
    task_violation (v, task, now, "ends without a slot");
  else
    v->devices[task->worker].n_held--;
}

static void
task_stopped (void *context, const BnTask *task, bool was_executing, BnTime now)
{
  (void) was_executing;
  task_finished (context, task, now);
}

static void
cache_event (void *context, const BnCacheEvent *event)
{
  BnInvariants *v = context;

  if (event->worker >= v->n_workers || event->model >= v->catalogue->n_models)
    violation (v, event->end_ns, "a cache event names worker %u and model %u", event->worker, event->model);
  else if (event->resident_bytes < 0 || event->resident_bytes > v->devices[event->worker].memory_bytes)
    violation (v, event->end_ns, "%" G_GINT64_FORMAT " bytes resident on worker %u", event->resident_bytes,
               event->worker);
  else if (event->end_ns < event->start_ns || event->start_ns < 0)
    violation (v, event->end_ns, "a cache event on worker %u ends before it starts", event->worker);
}

/* What is wrong with a task that is done, or NULL. */
static const char *
fault_of (const BnInvariants *v, const BnTask *task, const BnTaskSpec *spec)
{
  const BnJob *job = task->job;

  if (!is_worker (v, task->worker) || !is_worker (v, task->planned_worker))
    return "no such worker";
  if (task->enqueue_ns < job->arrive_ns || task->enqueue_ns < job->create_ns)
    return "queued before its job arrived";
  for (uint32_t i = 0; i < spec->n_preds; i++)
    {
      const BnTask *pred = &job->tasks[spec->preds[i]];
      if (pred->state != BN_TASK_DONE || pred->end_ns > task->enqueue_ns)
        return "queued before its inputs were made";
    }
  if (task->start_ns < task->enqueue_ns)
    return "started before it was queued";
  if (task->evict_ns < 0 || task->fetch_ns < 0 || task->exec_ns != task->start_ns + task->evict_ns + task->fetch_ns)
    return "evictions and load do not fill the time before its execution";
  if (task->end_ns < task->exec_ns)
    return "ended before its execution began";
  if (task->moved_bytes < 0 || task->fetch_bytes < 0 || task->evict_bytes < 0)
    return "a negative number of bytes";
  if ((spec->model == BN_NONE) != (task->access == BN_ACCESS_NONE))
    return "hit, miss and joined do not tell whether it has a model";
  if (task->fetch_bytes != (task->access == BN_ACCESS_MISS ? v->catalogue->models[spec->model].size_bytes : 0)
      || (task->evict_bytes > 0 && task->access != BN_ACCESS_MISS))
    return "bytes were loaded or evicted for it that its access does not tell of";
  if (spec->model != BN_NONE
      && v->catalogue->models[spec->model].size_bytes > v->devices[task->worker].memory_bytes)
    return "its model is larger than the memory of its worker";
  return NULL;
}

static void
check_done_job (BnInvariants *v, const BnJob *job, BnTime last_end_ns, uint32_t n_done, BnTime now)
{
  if (n_done != job->workflow->n_tasks || job->n_done != n_done)
    violation (v, now, "job %" G_GINT64_FORMAT " is done with %u of %u tasks", job->id, n_done,
               job->workflow->n_tasks);
  else if (job->end_ns != last_end_ns)
    violation (v, now, "job %" G_GINT64_FORMAT " does not end with its last task", job->id);
  if (job->arrive_ns < job->create_ns)
    violation (v, now, "job %" G_GINT64_FORMAT " arrives before it is created", job->id);
}

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  BnInvariants *v = context;
  BnTime last_end_ns = 0;
  uint32_t n_done = 0;

  for (uint32_t i = 0; i < job->workflow->n_tasks; i++)
    {
      const BnTask *task = &job->tasks[i];
      const char *fault;

      if (task->state != BN_TASK_DONE)
        continue;
      n_done++;
      last_end_ns = bn_time_max (last_end_ns, task->end_ns);
      fault = fault_of (v, task, &job->workflow->tasks[i]);
      if (G_UNLIKELY (fault != NULL))
        task_violation (v, task, now, fault);
    }
  v->n_tasks += n_done;
  if (job->state == BN_JOB_LIVE || job->state > BN_JOB_UNFINISHED)
    violation (v, now, "job %" G_GINT64_FORMAT " ends without a state that is an end", job->id);
  else
    v->n_ended[job->state]++;
  if (job->state == BN_JOB_DONE)
    check_done_job (v, job, last_end_ns, n_done, now);
}

static void
run_ended (void *context, const BnRunTotals *t)
{
  BnInvariants *v = context;
  const struct
  {
    const char *what;
    int64_t told, counted;
  } totals[] = {
    { "jobs", t->n_jobs, v->n_jobs },
    { "jobs done", t->n_done, v->n_ended[BN_JOB_DONE] },
    { "jobs refused", t->n_refused, v->n_ended[BN_JOB_REFUSED] },
    { "jobs failed", t->n_failed, v->n_ended[BN_JOB_FAILED] },
    { "jobs dropped", t->n_dropped, v->n_ended[BN_JOB_DROPPED] },
    { "jobs unfinished", t->n_unfinished, v->n_ended[BN_JOB_UNFINISHED] },
    { "tasks done", t->n_tasks_done, v->n_tasks },
  };
  int64_t n_ended = 0;

  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    if (totals[i].told != totals[i].counted)
      violation (v, t->end_ns, "the run says %" G_GINT64_FORMAT " %s, and there were %" G_GINT64_FORMAT,
                 totals[i].told, totals[i].what, totals[i].counted);
  for (guint i = 0; i < G_N_ELEMENTS (v->n_ended); i++)
    n_ended += v->n_ended[i];
  if (n_ended != v->n_jobs)
    violation (v, t->end_ns, "%" G_GINT64_FORMAT " jobs were created and %" G_GINT64_FORMAT " ended", v->n_jobs,
               n_ended);
  if (t->status != BN_RUN_COMPLETE)
    return;
  for (uint32_t w = 0; w < v->n_workers; w++)
    if (v->devices[w].n_held != 0)
      violation (v, t->end_ns, "worker %u still holds %u slots", w, v->devices[w].n_held);
}

BnInvariants *
bn_invariants_new (const BnPlatform *platform, const BnCatalogue *catalogue)
{
  BnInvariants *v = g_new0 (BnInvariants, 1);

  v->catalogue = catalogue;
  v->n_workers = platform->n_workers;
  v->devices = g_new0 (Device, platform->n_workers);
  for (uint32_t w = 0; w < platform->n_workers; w++)
    {
      v->devices[w].n_slots = bn_platform_gpu (platform, w)->slots;
      v->devices[w].memory_bytes = bn_platform_gpu (platform, w)->memory_bytes;
    }
  v->messages = g_ptr_array_new_with_free_func (g_free);
  v->probe = (BnProbe){
    .context = v,
    .job_created = job_created,
    .task_started = task_started,
    .task_finished = task_finished,
    .task_stopped = task_stopped,
    .cache_event = cache_event,
    .job_ended = job_ended,
    .run_ended = run_ended,
  };
  return v;
}

void
bn_invariants_free (BnInvariants *invariants)
{
  g_free (invariants->devices);
  g_ptr_array_unref (invariants->messages);
  g_free (invariants);
}

const BnProbe *
bn_invariants_probe (BnInvariants *invariants)
{
  return &invariants->probe;
}

int64_t
bn_invariants_violations (const BnInvariants *invariants)
{
  return invariants->n_violations;
}

int64_t
bn_invariants_tasks_checked (const BnInvariants *invariants)
{
  return invariants->n_tasks;
}

const GPtrArray *
bn_invariants_messages (const BnInvariants *invariants)
{
  return invariants->messages;
}
