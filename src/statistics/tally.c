/* tally.c: turns counts, sums and quantiles into metrics.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each metric is one line of the table below and one case of a switch.
 */
#include "tally.h"

#include <stdlib.h>

#include "sketch.h"

const int64_t bn_quantile_ppm[BN_N_QUANTILES] = { 500000, 950000, 990000, 1000000 };

typedef enum
{
  JOBS, JOBS_DONE, JOBS_REFUSED, JOBS_FAILED, JOBS_DROPPED, JOBS_UNFINISHED,
  LATENCY_MEAN, LATENCY_P50, LATENCY_P95, LATENCY_P99, LATENCY_MAX,
  SLOWDOWN_MEAN, SLOWDOWN_P50, SLOWDOWN_P95, SLOWDOWN_P99, SLOWDOWN_MAX,
  DEADLINE_JOBS, DEADLINE_MET, MAKESPAN, THROUGHPUT, GOODPUT,
  TASKS, HITS, MISSES, JOINED, HIT_RATE,
  QUEUE_WAIT_MEAN, QUEUE_WAIT_MAX, INPUT_WAIT_MEAN, LOAD_WAIT_MEAN, MOVED_BYTES, PLAN_CHANGES,
  EXECUTING, LOADING, EVICTING, IDLE, LINK, WORKERS_USED,
  LOADS, LOAD_BYTES, PREFETCHES, EVICTIONS, EVICT_BYTES, ENERGY, ENERGY_PER_JOB,
  BACKLOG_MEAN, BACKLOG_MAX, BACKLOG_SLOPE, BACKLOG_SLOPE_LOW, BACKLOG_SLOPE_HIGH,
  MESSAGES, ROW_UPDATES, ROW_BYTES,
  LOOP_CPU_P50, LOOP_CPU_P99, LOOP_CPU_MAX, LOOP_CPU_WHOLE, COMPLETION_DELAY_P50, COMPLETION_DELAY_P99, COMPLETION_DELAY_MAX,
  TIMER_DELAY_P50, TIMER_DELAY_P99, TIMER_DELAY_MAX, DECISION_P50, DECISION_P99,
  FAILURES, WORKERS_LOST, STEAL, VERIFIED,
  N_METRICS
} MetricId;

const BnMetricInfo bn_metric_infos[] = {
  [JOBS] = { "jobs", "jobs", BN_ABOUT_JOBS, "created at or after the warm-up" },
  [JOBS_DONE] = { "jobs_done", "jobs", BN_ABOUT_JOBS, "of those, ended with every task done" },
  [JOBS_REFUSED] = { "jobs_refused", "jobs", BN_ABOUT_JOBS, "could never run" },
  [JOBS_FAILED] = { "jobs_failed", "jobs", BN_ABOUT_JOBS, "tried and given up" },
  [JOBS_DROPPED] = { "jobs_dropped", "jobs", BN_ABOUT_JOBS, "dropped by a decision" },
  [JOBS_UNFINISHED] = { "jobs_unfinished", "jobs", BN_ABOUT_JOBS, "live when the run ended" },
  [LATENCY_MEAN] = { "latency_mean", "ms", BN_ABOUT_JOBS, "from creation to the end of the last task, jobs done" },
  [LATENCY_P50] = { "latency_p50", "ms", BN_ABOUT_JOBS, "its median" },
  [LATENCY_P95] = { "latency_p95", "ms", BN_ABOUT_JOBS, "its 95th percentile" },
  [LATENCY_P99] = { "latency_p99", "ms", BN_ABOUT_JOBS, "its 99th percentile" },
  [LATENCY_MAX] = { "latency_max", "ms", BN_ABOUT_JOBS, "its maximum" },
  [SLOWDOWN_MEAN] = { "slowdown_mean", "1", BN_ABOUT_JOBS, "latency / the workflow's lower bound, mean" },
  [SLOWDOWN_P50] = { "slowdown_p50", "1", BN_ABOUT_JOBS, "its median" },
  [SLOWDOWN_P95] = { "slowdown_p95", "1", BN_ABOUT_JOBS, "its 95th percentile" },
  [SLOWDOWN_P99] = { "slowdown_p99", "1", BN_ABOUT_JOBS, "its 99th percentile" },
  [SLOWDOWN_MAX] = { "slowdown_max", "1", BN_ABOUT_JOBS, "its maximum" },
  [DEADLINE_JOBS] = { "deadline_jobs", "jobs", BN_ABOUT_JOBS, "that have a deadline" },
  [DEADLINE_MET] = { "deadline_met", "1", BN_ABOUT_JOBS, "share of those done by their deadline" },
  [MAKESPAN] = { "makespan", "s", BN_ABOUT_JOBS, "from the first creation to the last end of a job done" },
  [THROUGHPUT] = { "throughput", "jobs/s", BN_ABOUT_JOBS, "jobs done / makespan" },
  [GOODPUT] = { "goodput", "jobs/s", BN_ABOUT_JOBS, "jobs done and not late / makespan" },
  [TASKS] = { "tasks", "tasks", BN_ABOUT_TASKS, "executed to the end, of the jobs counted" },
  [HITS] = { "hits", "tasks", BN_ABOUT_TASKS, "found their model resident" },
  [MISSES] = { "misses", "tasks", BN_ABOUT_TASKS, "began the load of their model" },
  [JOINED] = { "joined", "tasks", BN_ABOUT_TASKS, "found their model loading" },
  [HIT_RATE] = { "hit_rate", "1", BN_ABOUT_TASKS, "hits / (hits + misses + joined)" },
  [QUEUE_WAIT_MEAN] = { "queue_wait_mean", "ms", BN_ABOUT_TASKS, "from entering the queue to leaving it, a task" },
  [QUEUE_WAIT_MAX] = { "queue_wait_max", "ms", BN_ABOUT_TASKS, "its maximum" },
  [INPUT_WAIT_MEAN] = { "input_wait_mean", "ms", BN_ABOUT_TASKS, "from its inputs' making to the queue, a task" },
  [LOAD_WAIT_MEAN] = { "load_wait_mean", "ms", BN_ABOUT_TASKS, "from leaving the queue to execution, a task" },
  [MOVED_BYTES] = { "moved_bytes", "B", BN_ABOUT_TASKS, "inputs that crossed between workers" },
  [PLAN_CHANGES] = { "plan_changes", "tasks", BN_ABOUT_TASKS, "ran elsewhere than planned on arrival" },
  [EXECUTING] = { "executing", "1", BN_ABOUT_WORKERS, "share of slot time held by executing tasks" },
  [LOADING] = { "loading", "1", BN_ABOUT_WORKERS, "share held by tasks whose model was loading" },
  [EVICTING] = { "evicting", "1", BN_ABOUT_WORKERS, "share held by tasks that waited for evictions" },
  [IDLE] = { "idle", "1", BN_ABOUT_WORKERS, "the rest of slot time" },
  [LINK] = { "link", "1", BN_ABOUT_WORKERS, "loads and evictions under way on a device's link, time average" },
  [WORKERS_USED] = { "workers_used", "workers", BN_ABOUT_WORKERS, "that executed a task to its end" },
  [LOADS] = { "loads", "loads", BN_ABOUT_WORKERS, "of a model, finished, prefetches included" },
  [LOAD_BYTES] = { "load_bytes", "B", BN_ABOUT_WORKERS, "loaded" },
  [PREFETCHES] = { "prefetches", "loads", BN_ABOUT_WORKERS, "loads that no task waited for when they began" },
  [EVICTIONS] = { "evictions", "evictions", BN_ABOUT_WORKERS, "of a model" },
  [EVICT_BYTES] = { "evict_bytes", "B", BN_ABOUT_WORKERS, "evicted" },
  [ENERGY] = { "energy", "J", BN_ABOUT_WORKERS, "idle and active watts of every device over the run" },
  [ENERGY_PER_JOB] = { "energy_per_job", "J/job", BN_ABOUT_WORKERS, "energy / jobs done, warm-up included" },
  [BACKLOG_MEAN] = { "backlog_mean", "jobs", BN_ABOUT_BACKLOG, "in the system, time average up to the last arrival" },
  [BACKLOG_MAX] = { "backlog_max", "jobs", BN_ABOUT_BACKLOG, "in the system at once" },
  [BACKLOG_SLOPE] = { "backlog_slope", "jobs/s", BN_ABOUT_BACKLOG, "over the second half of the arrivals" },
  [BACKLOG_SLOPE_LOW] = { "backlog_slope_low", "jobs/s", BN_ABOUT_BACKLOG, "its 95 % interval, lower end" },
  [BACKLOG_SLOPE_HIGH] = { "backlog_slope_high", "jobs/s", BN_ABOUT_BACKLOG, "its 95 % interval, upper end" },
  [MESSAGES] = { "messages", "messages", BN_ABOUT_MESSAGES, "between workers, other than rows and data" },
  [ROW_UPDATES] = { "row_updates", "rows", BN_ABOUT_MESSAGES, "changes of rows that went out" },
  [ROW_BYTES] = { "row_bytes", "B", BN_ABOUT_MESSAGES, "sizes of the rows that went out with them" },
  [LOOP_CPU_P50] = { "loop_cpu_p50", "us", BN_ABOUT_REAL, "CPU time of the run loop, a task: median" },
  [LOOP_CPU_P99] = { "loop_cpu_p99", "us", BN_ABOUT_REAL, "its 99th percentile" },
  [LOOP_CPU_MAX] = { "loop_cpu_max", "us", BN_ABOUT_REAL, "its maximum" },
  [LOOP_CPU_WHOLE] = { "loop_cpu_whole", "us", BN_ABOUT_REAL,
                       "CPU time of the whole loop, sleeping and waking up included, over tasks done" },
  [COMPLETION_DELAY_P50] = { "completion_delay_p50", "us", BN_ABOUT_REAL,
                             "from an operation's end until the loop heard of it: median" },
  [COMPLETION_DELAY_P99] = { "completion_delay_p99", "us", BN_ABOUT_REAL, "its 99th percentile" },
  [COMPLETION_DELAY_MAX] = { "completion_delay_max", "us", BN_ABOUT_REAL, "its maximum" },
  [TIMER_DELAY_P50] = { "timer_delay_p50", "us", BN_ABOUT_REAL,
                        "by how much the loop handled a timer late, of those that were late: median" },
  [TIMER_DELAY_P99] = { "timer_delay_p99", "us", BN_ABOUT_REAL, "its 99th percentile" },
  [TIMER_DELAY_MAX] = { "timer_delay_max", "us", BN_ABOUT_REAL, "its maximum" },
  [DECISION_P50] = { "decision_p50", "us", BN_ABOUT_REAL, "wall clock that a scheduler's hook took: median" },
  [DECISION_P99] = { "decision_p99", "us", BN_ABOUT_REAL, "its 99th percentile" },
  [FAILURES] = { "failures", "operations", BN_ABOUT_REAL, "that did not end well" },
  [WORKERS_LOST] = { "workers_lost", "workers", BN_ABOUT_REAL, "whose device went" },
  [STEAL] = { "steal", "1", BN_ABOUT_REAL, "share of the machine's CPU time that its host gave to others meanwhile" },
  [VERIFIED] = { "verified", "tasks", BN_ABOUT_REAL, "whose output was compared with the reference" },
};
const guint bn_n_metric_infos = G_N_ELEMENTS (bn_metric_infos);
G_STATIC_ASSERT (G_N_ELEMENTS (bn_metric_infos) == N_METRICS);

int64_t
bn_slowdown_ppm (BnDuration latency_ns, BnDuration lower_bound_ns)
{
  if (lower_bound_ns <= 0)
    return -1;
  if (latency_ns < INT64_MAX / 1000000 - lower_bound_ns)
    return (latency_ns * 1000000 + lower_bound_ns / 2) / lower_bound_ns;
  return bn_muldiv_round (latency_ns, 1000000, lower_bound_ns);
}

void
bn_job_tally_add (BnJobTally *tally, const BnJobTally *other)
{
  tally->n_jobs += other->n_jobs;
  tally->n_done += other->n_done;
  tally->n_refused += other->n_refused;
  tally->n_failed += other->n_failed;
  tally->n_dropped += other->n_dropped;
  tally->n_unfinished += other->n_unfinished;
  tally->latency_ns += other->latency_ns;
  tally->n_slowdown += other->n_slowdown;
  tally->slowdown_ppm += other->slowdown_ppm;
  tally->n_deadline += other->n_deadline;
  tally->n_deadline_met += other->n_deadline_met;
  tally->n_late += other->n_late;
  tally->first_create_ns = MIN (tally->first_create_ns, other->first_create_ns);
  tally->last_end_ns = MAX (tally->last_end_ns, other->last_end_ns);
}

static int
compare_integers (const void *a, const void *b)
{
  int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

  return (x > y) - (x < y);
}

void
bn_exact_quantiles (int64_t *values, gsize n, int64_t ret[BN_N_QUANTILES])
{
  g_assert (n > 0);
  qsort (values, n, sizeof *values, compare_integers);
  for (guint q = 0; q < BN_N_QUANTILES; q++)
    ret[q] = values[bn_quantile_rank ((int64_t) n, bn_quantile_ppm[q]) - 1];
}

/* ---- values: FALSE is undefined ---- */

static gboolean
ratio (double numerator, double denominator, double *ret)
{
  if (denominator <= 0)
    return FALSE;
  *ret = numerator / denominator;
  return TRUE;
}

static gboolean
job_value (const BnJobTally *t, MetricId id, double *ret)
{
  double makespan_s = t->n_done > 0 ? (double) (t->last_end_ns - t->first_create_ns) / 1e9 : 0;

  switch (id)
    {
    case JOBS: *ret = (double) t->n_jobs; return TRUE;
    case JOBS_DONE: *ret = (double) t->n_done; return TRUE;
    case JOBS_REFUSED: *ret = (double) t->n_refused; return TRUE;
    case JOBS_FAILED: *ret = (double) t->n_failed; return TRUE;
    case JOBS_DROPPED: *ret = (double) t->n_dropped; return TRUE;
    case JOBS_UNFINISHED: *ret = (double) t->n_unfinished; return TRUE;
    case LATENCY_MEAN: return ratio ((double) t->latency_ns, (double) t->n_done * 1e6, ret);
    case LATENCY_P50: case LATENCY_P95: case LATENCY_P99: case LATENCY_MAX:
      *ret = (double) t->latency_q_ns[id - LATENCY_P50] / 1e6;
      return t->n_done > 0;
    case SLOWDOWN_MEAN: return ratio ((double) t->slowdown_ppm, (double) t->n_slowdown * 1e6, ret);
    case SLOWDOWN_P50: case SLOWDOWN_P95: case SLOWDOWN_P99: case SLOWDOWN_MAX:
      *ret = (double) t->slowdown_q_ppm[id - SLOWDOWN_P50] / 1e6;
      return t->n_slowdown > 0;
    case DEADLINE_JOBS: *ret = (double) t->n_deadline; return TRUE;
    case DEADLINE_MET: return ratio ((double) t->n_deadline_met, (double) t->n_deadline, ret);
    case MAKESPAN: *ret = makespan_s; return t->n_done > 0;
    case THROUGHPUT: return ratio ((double) t->n_done, makespan_s, ret);
    case GOODPUT: return ratio ((double) (t->n_done - t->n_late), makespan_s, ret);
    default: g_assert_not_reached ();
    }
}

static gboolean
task_value (const BnTaskTally *t, MetricId id, double *ret)
{
  switch (id)
    {
    case TASKS: *ret = (double) t->n_tasks; return TRUE;
    case HITS: *ret = (double) t->n_hits; return TRUE;
    case MISSES: *ret = (double) t->n_misses; return TRUE;
    case JOINED: *ret = (double) t->n_joined; return TRUE;
    case HIT_RATE: return ratio ((double) t->n_hits, (double) (t->n_hits + t->n_misses + t->n_joined), ret);
    case QUEUE_WAIT_MEAN: return ratio ((double) t->queue_wait_ns, (double) t->n_tasks * 1e6, ret);
    case QUEUE_WAIT_MAX: *ret = (double) t->queue_wait_max_ns / 1e6; return t->n_tasks > 0;
    case INPUT_WAIT_MEAN: return ratio ((double) t->input_wait_ns, (double) t->n_tasks * 1e6, ret);
    case LOAD_WAIT_MEAN: return ratio ((double) t->load_wait_ns, (double) t->n_tasks * 1e6, ret);
    case MOVED_BYTES: *ret = (double) t->moved_bytes; return TRUE;
    case PLAN_CHANGES: *ret = (double) t->n_moved; return TRUE;
    default: g_assert_not_reached ();
    }
}

static gboolean
worker_value (const BnWorkerTally *t, MetricId id, double *ret)
{
  switch (id)
    {
    case EXECUTING: return ratio ((double) t->executing_ns, (double) t->slot_ns, ret);
    case LOADING: return ratio ((double) t->loading_ns, (double) t->slot_ns, ret);
    case EVICTING: return ratio ((double) t->evicting_ns, (double) t->slot_ns, ret);
    case IDLE:
      return ratio ((double) (t->slot_ns - t->executing_ns - t->loading_ns - t->evicting_ns), (double) t->slot_ns,
                    ret);
    case LINK: return ratio ((double) t->link_ns, (double) t->device_ns, ret);
    case WORKERS_USED: *ret = (double) t->n_used; return TRUE;
    case LOADS: *ret = (double) t->n_loads; return TRUE;
    case LOAD_BYTES: *ret = (double) t->load_bytes; return TRUE;
    case PREFETCHES: *ret = (double) t->n_prefetches; return TRUE;
    case EVICTIONS: *ret = (double) t->n_evictions; return TRUE;
    case EVICT_BYTES: *ret = (double) t->evict_bytes; return TRUE;
    case ENERGY: *ret = t->energy_j; return TRUE;
    case ENERGY_PER_JOB: return ratio (t->energy_j, (double) t->n_jobs_done, ret);
    default: g_assert_not_reached ();
    }
}

static gboolean
backlog_value (const BnBacklogTally *t, MetricId id, double *ret)
{
  switch (id)
    {
    case BACKLOG_MEAN: *ret = t->mean; return t->mean >= 0;
    case BACKLOG_MAX: *ret = (double) t->peak; return TRUE;
    case BACKLOG_SLOPE: *ret = t->stability.slope_per_s; return t->stability.has_slope;
    case BACKLOG_SLOPE_LOW: *ret = t->stability.low_per_s; return t->stability.has_slope;
    case BACKLOG_SLOPE_HIGH: *ret = t->stability.high_per_s; return t->stability.has_slope;
    default: g_assert_not_reached ();
    }
}

static gboolean
message_value (const BnMessageTally *t, MetricId id, double *ret)
{
  switch (id)
    {
    case MESSAGES: *ret = (double) t->n_messages; return TRUE;
    case ROW_UPDATES: *ret = (double) t->n_row_updates; return TRUE;
    case ROW_BYTES: *ret = (double) t->row_bytes; return TRUE;
    default: g_assert_not_reached ();
    }
}

static gboolean
span_value (const BnSpanTally *t, guint quantile, double *ret)
{
  *ret = (double) t->q_ns[quantile] / 1e3;
  return t->n > 0;
}

static gboolean
real_value (const BnRealTally *t, MetricId id, double *ret)
{
  switch (id)
    {
    case LOOP_CPU_P50: return span_value (&t->loop_cpu, BN_P50, ret);
    case LOOP_CPU_P99: return span_value (&t->loop_cpu, BN_P99, ret);
    case LOOP_CPU_MAX: return span_value (&t->loop_cpu, BN_MAX, ret);
    case LOOP_CPU_WHOLE: *ret = (double) t->loop_cpu_ns / (double) t->n_tasks_done / 1e3; return t->n_tasks_done > 0;
    case COMPLETION_DELAY_P50: return span_value (&t->completions, BN_P50, ret);
    case COMPLETION_DELAY_P99: return span_value (&t->completions, BN_P99, ret);
    case COMPLETION_DELAY_MAX: return span_value (&t->completions, BN_MAX, ret);
    case TIMER_DELAY_P50: return span_value (&t->timers, BN_P50, ret);
    case TIMER_DELAY_P99: return span_value (&t->timers, BN_P99, ret);
    case TIMER_DELAY_MAX: return span_value (&t->timers, BN_MAX, ret);
    case DECISION_P50: return span_value (&t->decisions, BN_P50, ret);
    case DECISION_P99: return span_value (&t->decisions, BN_P99, ret);
    case FAILURES: *ret = (double) t->n_failures; return TRUE;
    case WORKERS_LOST: *ret = (double) t->n_workers_lost; return TRUE;
    case STEAL: *ret = t->steal; return t->steal >= 0;
    case VERIFIED: *ret = (double) t->n_verified; return t->n_verified >= 0;
    default: g_assert_not_reached ();
    }
}

static void
append (GArray *metrics, guint info, int32_t workflow, gboolean defined, double value)
{
  BnMetric metric = { info, workflow, defined, defined ? value : 0 };

  g_array_append_val (metrics, metric);
}

GArray *
bn_tally_metrics (const BnTally *tally, guint about)
{
  GArray *metrics = g_array_new (FALSE, FALSE, sizeof (BnMetric));
  double value = 0;

  for (guint i = 0; i < N_METRICS; i++)
    {
      gboolean defined = FALSE;

      if (!(about & 1u << bn_metric_infos[i].about))
        continue;
      switch (bn_metric_infos[i].about)
        {
        case BN_ABOUT_JOBS: defined = job_value (&tally->all, i, &value); break;
        case BN_ABOUT_TASKS: defined = task_value (&tally->tasks, i, &value); break;
        case BN_ABOUT_WORKERS: defined = worker_value (&tally->workers, i, &value); break;
        case BN_ABOUT_BACKLOG: defined = backlog_value (&tally->backlog, i, &value); break;
        case BN_ABOUT_MESSAGES: defined = message_value (&tally->messages, i, &value); break;
        case BN_ABOUT_REAL: defined = real_value (&tally->real, i, &value); break;
        }
      append (metrics, i, BN_NONE, defined, value);
    }
  if (about & 1u << BN_ABOUT_JOBS)
    for (guint w = 0; w < tally->n_workflows; w++)
      for (guint i = 0; i < N_METRICS; i++)
        if (bn_metric_infos[i].about == BN_ABOUT_JOBS)
          {
            gboolean defined = job_value (&tally->workflows[w], i, &value);
            append (metrics, i, (int32_t) w, defined, value);
          }
  return metrics;
}
