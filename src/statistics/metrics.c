/* metrics.c: the probe that measures a run while it goes on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A job is read once, when it ends: all its tasks are at hand then, and a hook
 * for each task would cost more than the additions. Only a device with several
 * slots needs to be followed task by task, to know when it is active; where
 * every device has one slot, those two hooks are NULL.
 */
#include "metrics.h"

#include <string.h>

#include "real_times.h"

typedef struct JobStats
{
  BnJobTally tally;        /* without quantiles until the run has ended */
  BnSketch latency_ns, slowdown_ppm;
  GArray *latencies;       /* of int64_t, or NULL: not kept             */
  GArray *slowdowns;
} JobStats;

typedef struct Device
{
  BnTime active_since_ns;
  BnDuration active_ns;
  uint32_t n_executing;
} Device;

struct BnMetrics
{
  BnMetricsConfig config;
  BnProbe probe;
  JobStats *workflows;         /* [n_workflows] */
  BnTaskTally tasks;
  BnWorkerTimes *workers;      /* [n_workers]   */
  Device *devices;             /* [n_workers], or NULL: one slot everywhere */
  BnBacklog backlog;
  int64_t live_at_arrival;     /* just before the last one                  */
  BnRealTimes *real;           /* or NULL: a simulation                     */
  BnTally result;
};

/* ---- while the run goes on ---- */

static void
job_created (void *context, const BnJob *job, BnTime now)
{
  BnMetrics *m = context;

  (void) job;
  m->live_at_arrival = m->backlog.n_live;
  bn_backlog_change (&m->backlog, now, +1);
}

static void
count_done (JobStats *stats, const BnJob *job)
{
  BnJobTally *t = &stats->tally;
  BnDuration latency_ns = job->end_ns - job->create_ns;
  int64_t slowdown_ppm = bn_slowdown_ppm (latency_ns, job->lower_bound_ns);

  t->n_done++;
  t->latency_ns += latency_ns;
  t->last_end_ns = bn_time_max (t->last_end_ns, job->end_ns);
  bn_sketch_add (&stats->latency_ns, latency_ns);
  if (stats->latencies != NULL)
    g_array_append_val (stats->latencies, latency_ns);
  if (slowdown_ppm >= 0)
    {
      t->n_slowdown++;
      t->slowdown_ppm += slowdown_ppm;
      bn_sketch_add (&stats->slowdown_ppm, slowdown_ppm);
      if (stats->slowdowns != NULL)
        g_array_append_val (stats->slowdowns, slowdown_ppm);
    }
  if (job->deadline_ns == BN_TIME_NEVER)
    return;
  if (job->end_ns <= job->deadline_ns)
    t->n_deadline_met++;
  else
    t->n_late++;
}

static void
count_job (JobStats *stats, const BnJob *job)
{
  BnJobTally *t = &stats->tally;

  t->n_jobs++;
  t->n_deadline += job->deadline_ns != BN_TIME_NEVER;
  t->first_create_ns = bn_time_min (t->first_create_ns, job->create_ns);
  switch ((BnJobState) job->state)
    {
    case BN_JOB_DONE: count_done (stats, job); break;
    case BN_JOB_REFUSED: t->n_refused++; break;
    case BN_JOB_FAILED: t->n_failed++; break;
    case BN_JOB_DROPPED: t->n_dropped++; break;
    case BN_JOB_LIVE: case BN_JOB_UNFINISHED: t->n_unfinished++; break;
    }
}

/* Sums over the tasks of one job: 64 bits are enough for these. */
typedef struct JobSums
{
  int64_t n_tasks, n_moved;
  int64_t n_access[BN_ACCESS_JOINED + 1];
  int64_t queue_wait_ns, input_wait_ns, load_wait_ns, queue_wait_max_ns;
  int64_t moved_bytes;
} JobSums;

static inline void
count_task (JobSums *sums, const BnJob *job, const BnTask *task, const BnTaskSpec *spec)
{
  BnTime ready_ns = spec->n_preds == 0 ? job->arrive_ns : 0;
  BnDuration queue_wait_ns = task->start_ns - task->enqueue_ns;

  for (uint32_t i = 0; i < spec->n_preds; i++)
    ready_ns = bn_time_max (ready_ns, job->tasks[spec->preds[i]].end_ns);
  sums->n_tasks++;
  sums->n_access[task->access]++;
  sums->queue_wait_ns += queue_wait_ns;
  sums->queue_wait_max_ns = MAX (sums->queue_wait_max_ns, queue_wait_ns);
  sums->input_wait_ns += task->enqueue_ns - ready_ns;
  sums->load_wait_ns += task->exec_ns - task->start_ns;
  sums->n_moved += task->worker != task->planned_worker;
  sums->moved_bytes += task->moved_bytes;
}

static void
add_sums (BnTaskTally *tally, const JobSums *sums)
{
  tally->n_tasks += sums->n_tasks;
  tally->n_hits += sums->n_access[BN_ACCESS_HIT];
  tally->n_misses += sums->n_access[BN_ACCESS_MISS];
  tally->n_joined += sums->n_access[BN_ACCESS_JOINED];
  tally->queue_wait_ns += sums->queue_wait_ns;
  tally->queue_wait_max_ns = MAX (tally->queue_wait_max_ns, sums->queue_wait_max_ns);
  tally->input_wait_ns += sums->input_wait_ns;
  tally->load_wait_ns += sums->load_wait_ns;
  tally->n_moved += sums->n_moved;
  tally->moved_bytes += sums->moved_bytes;
}

static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  BnMetrics *m = context;
  const BnWorkflow *workflow = job->workflow;
  JobSums sums = { 0 };

  for (uint32_t i = 0; i < workflow->n_tasks; i++)
    {
      const BnTask *task = &job->tasks[i];

      if (task->state != BN_TASK_DONE)
        continue;
      BnWorkerTimes *w = &m->workers[task->worker];
      w->n_tasks++;
      w->executing_ns += task->end_ns - task->exec_ns;
      w->loading_ns += task->fetch_ns;
      w->evicting_ns += task->evict_ns;
      count_task (&sums, job, task, &workflow->tasks[i]);
    }
  bn_backlog_change (&m->backlog, now, -1);
  if (m->real != NULL)
    bn_real_times_job_ended (m->real, job);
  if (job->create_ns < m->config.warmup_ns)
    return;
  count_job (&m->workflows[workflow->index], job);
  add_sums (&m->tasks, &sums);
}

static void
task_executing (void *context, const BnTask *task, BnTime now)
{
  BnMetrics *m = context;
  Device *d = &m->devices[task->worker];

  if (d->n_executing++ == 0)
    d->active_since_ns = now;
}

static void
task_finished (void *context, const BnTask *task, BnTime now)
{
  BnMetrics *m = context;
  Device *d = &m->devices[task->worker];

  if (--d->n_executing == 0)
    d->active_ns += now - d->active_since_ns;
}

static void
task_stopped (void *context, const BnTask *task, bool was_executing, BnTime now)
{
  BnMetrics *m = context;

  if (!was_executing)
    return;
  m->workers[task->worker].failed_ns += now - task->exec_ns;
  if (m->devices != NULL)
    task_finished (context, task, now);
}

static void
cache_event (void *context, const BnCacheEvent *event)
{
  BnMetrics *m = context;
  BnWorkerTimes *w = &m->workers[event->worker];

  w->link_ns += event->end_ns - event->start_ns;
  switch (event->kind)
    {
    case BN_CACHE_LOADED:
      w->n_loads++;
      w->n_prefetches += event->prefetch;
      w->load_bytes += event->bytes;
      break;
    case BN_CACHE_EVICTED:
      w->n_evictions++;
      w->evict_bytes += event->bytes;
      break;
    case BN_CACHE_PRELOADED:
      break;
    }
}

static void
woken (void *context, bool completion, BnDuration delay_ns)
{
  BnMetrics *m = context;

  bn_real_times_woken (m->real, completion, delay_ns);
}

static void
task_decided (void *context, const BnDecision *decision)
{
  BnMetrics *m = context;

  bn_real_times_decided (m->real, decision);
}

/* ---- when it has ended ---- */

double
bn_energy_j (const BnGpuType *gpu, BnDuration length_ns, BnDuration active_ns)
{
  return (gpu->idle_watts * (double) (length_ns - active_ns) + gpu->active_watts * (double) active_ns) / 1e9;
}

static void
sum_workers (BnMetrics *m, const BnRunTotals *totals)
{
  const BnPlatform *platform = m->config.platform;
  BnWorkerTally *sum = &m->result.workers;

  sum->n_jobs_done = totals->n_done;
  for (uint32_t i = 0; i < platform->n_workers; i++)
    {
      const BnGpuType *gpu = bn_platform_gpu (platform, i);
      BnWorkerTimes *w = &m->workers[i];
      BnSum slot_ns = (BnSum) gpu->slots * totals->end_ns;

      w->idle_ns = (BnDuration) (slot_ns - w->executing_ns - w->loading_ns - w->evicting_ns);
      w->active_ns = m->devices != NULL ? m->devices[i].active_ns : w->executing_ns + w->failed_ns;
      w->energy_j = bn_energy_j (gpu, totals->end_ns, w->active_ns);
      sum->slot_ns += slot_ns;
      sum->device_ns += totals->end_ns;
      sum->link_ns += w->link_ns;
      sum->executing_ns += w->executing_ns;
      sum->loading_ns += w->loading_ns;
      sum->evicting_ns += w->evicting_ns;
      sum->n_loads += w->n_loads;
      sum->n_prefetches += w->n_prefetches;
      sum->n_evictions += w->n_evictions;
      sum->load_bytes += w->load_bytes;
      sum->evict_bytes += w->evict_bytes;
      sum->n_used += w->n_tasks > 0;
      sum->energy_j += w->energy_j;
    }
}

static void
set_quantiles (int64_t ret[BN_N_QUANTILES], const BnSketch *sketch, GArray *exact)
{
  if (sketch->n == 0)
    return;
  if (exact != NULL)
    bn_exact_quantiles ((int64_t *) (void *) exact->data, exact->len, ret);
  else
    for (guint q = 0; q < BN_N_QUANTILES; q++)
      ret[q] = bn_sketch_quantile (sketch, bn_quantile_ppm[q]);
}

/* An empty array of int64_t with room for the values of every workflow. */
static GArray *
room_for_all (const BnMetrics *m)
{
  guint n = 0;

  for (uint32_t i = 0; i < m->config.catalogue->n_workflows; i++)
    n += m->workflows[i].latencies->len;
  return g_array_sized_new (FALSE, FALSE, sizeof (int64_t), n);
}

static void
move_values (GArray *to, GArray **from)
{
  g_array_append_vals (to, (*from)->data, (*from)->len);
  g_clear_pointer (from, g_array_unref);
}

static void
sum_jobs (BnMetrics *m)
{
  JobStats all = { 0 };
  gboolean exact = m->config.exact;

  bn_sketch_init (&all.latency_ns);
  bn_sketch_init (&all.slowdown_ppm);
  all.tally.first_create_ns = BN_TIME_NEVER;
  if (exact)
    {
      all.latencies = room_for_all (m);
      all.slowdowns = room_for_all (m);
    }
  for (uint32_t i = 0; i < m->config.catalogue->n_workflows; i++)
    {
      JobStats *s = &m->workflows[i];

      bn_job_tally_add (&all.tally, &s->tally);
      bn_sketch_merge (&all.latency_ns, &s->latency_ns);
      bn_sketch_merge (&all.slowdown_ppm, &s->slowdown_ppm);
      set_quantiles (s->tally.latency_q_ns, &s->latency_ns, s->latencies);
      set_quantiles (s->tally.slowdown_q_ppm, &s->slowdown_ppm, s->slowdowns);
      if (exact)
        {
          move_values (all.latencies, &s->latencies);
          move_values (all.slowdowns, &s->slowdowns);
        }
      m->result.workflows[i] = s->tally;
    }
  set_quantiles (all.tally.latency_q_ns, &all.latency_ns, all.latencies);
  set_quantiles (all.tally.slowdown_q_ppm, &all.slowdown_ppm, all.slowdowns);
  m->result.all = all.tally;
  bn_sketch_clear (&all.latency_ns);
  bn_sketch_clear (&all.slowdown_ppm);
  g_clear_pointer (&all.latencies, g_array_unref);
  g_clear_pointer (&all.slowdowns, g_array_unref);
}

static void
run_ended (void *context, const BnRunTotals *totals)
{
  BnMetrics *m = context;

  bn_backlog_finish (&m->backlog, bn_time_max (totals->end_ns, m->backlog.last_ns));
  sum_jobs (m);
  sum_workers (m, totals);
  if (m->real != NULL)
    bn_real_times_sum (m->real, totals, &m->result.real);
  m->result.tasks = m->tasks;
  m->result.messages = (BnMessageTally) { totals->n_messages, totals->row_updates, totals->row_bytes };
  m->result.backlog.peak = m->backlog.peak;
  m->result.backlog.mean = bn_backlog_mean_between (&m->backlog, 0, totals->last_arrival_ns);
  m->result.backlog.stability = bn_stability_judge (&(BnStabilityInput){
    .backlog = &m->backlog,
    .last_arrival_ns = totals->last_arrival_ns,
    .live_at_last_arrival = m->live_at_arrival,
    .offered_load = m->config.offered_load,
    .complete = totals->status == BN_RUN_COMPLETE,
  });
}

/* ---- the object ---- */

static gboolean
has_several_slots (const BnPlatform *platform)
{
  for (uint32_t i = 0; i < platform->n_types; i++)
    if (platform->types[i].slots > 1)
      return TRUE;
  return FALSE;
}

BnMetrics *
bn_metrics_new (const BnMetricsConfig *config)
{
  BnMetrics *m = g_new0 (BnMetrics, 1);
  uint32_t n = config->catalogue->n_workflows;

  m->config = *config;
  m->workflows = g_new0 (JobStats, n);
  for (uint32_t i = 0; i < n; i++)
    {
      m->workflows[i].tally.first_create_ns = BN_TIME_NEVER;
      if (config->exact)
        {
          m->workflows[i].latencies = g_array_new (FALSE, FALSE, sizeof (int64_t));
          m->workflows[i].slowdowns = g_array_new (FALSE, FALSE, sizeof (int64_t));
        }
    }
  m->workers = g_new0 (BnWorkerTimes, config->platform->n_workers);
  bn_backlog_init (&m->backlog);
  m->result.workflows = g_new0 (BnJobTally, n);
  m->result.n_workflows = n;
  m->probe = (BnProbe){
    .context = m,
    .job_created = job_created,
    .job_ended = job_ended,
    .cache_event = cache_event,
    .task_stopped = task_stopped,
    .run_ended = run_ended,
  };
  if (has_several_slots (config->platform))
    {
      m->devices = g_new0 (Device, config->platform->n_workers);
      m->probe.task_executing = task_executing;
      m->probe.task_finished = task_finished;
    }
  if (config->real)
    {
      m->real = g_new0 (BnRealTimes, 1);
      bn_real_times_init (m->real);
      m->probe.woken = woken;
      m->probe.task_decided = task_decided;
    }
  return m;
}

void
bn_metrics_free (BnMetrics *metrics)
{
  for (uint32_t i = 0; i < metrics->config.catalogue->n_workflows; i++)
    {
      bn_sketch_clear (&metrics->workflows[i].latency_ns);
      bn_sketch_clear (&metrics->workflows[i].slowdown_ppm);
      g_clear_pointer (&metrics->workflows[i].latencies, g_array_unref);
      g_clear_pointer (&metrics->workflows[i].slowdowns, g_array_unref);
    }
  if (metrics->real != NULL)
    bn_real_times_clear (metrics->real);
  g_free (metrics->real);
  g_free (metrics->workflows);
  g_free (metrics->workers);
  g_free (metrics->devices);
  g_free (metrics->result.workflows);
  g_free (metrics);
}

const BnProbe *
bn_metrics_probe (BnMetrics *metrics)
{
  return &metrics->probe;
}

void
bn_metrics_set_real (BnMetrics *metrics, double steal, int64_t n_verified)
{
  metrics->result.real.steal = steal;
  metrics->result.real.n_verified = n_verified;
}

GArray *
bn_metrics_values (const BnMetrics *metrics)
{
  guint about = 1u << BN_ABOUT_JOBS | 1u << BN_ABOUT_TASKS | 1u << BN_ABOUT_WORKERS | 1u << BN_ABOUT_BACKLOG
                | 1u << BN_ABOUT_MESSAGES;

  return bn_tally_metrics (&metrics->result, metrics->real != NULL ? about | 1u << BN_ABOUT_REAL : about);
}

const BnTally *
bn_metrics_tally (const BnMetrics *metrics)
{
  return &metrics->result;
}

BnLabel
bn_metrics_label (const BnMetrics *metrics)
{
  return metrics->result.backlog.stability.label;
}

const BnWorkerTimes *
bn_metrics_workers (const BnMetrics *metrics)
{
  return metrics->workers;
}

const BnBacklog *
bn_metrics_backlog (const BnMetrics *metrics)
{
  return &metrics->backlog;
}

const BnSketch *
bn_metrics_latency_ns (const BnMetrics *metrics, uint32_t workflow)
{
  return &metrics->workflows[workflow].latency_ns;
}

const BnSketch *
bn_metrics_slowdown_ppm (const BnMetrics *metrics, uint32_t workflow)
{
  return &metrics->workflows[workflow].slowdown_ppm;
}
