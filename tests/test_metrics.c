/* test_metrics.c: metrics of a hand-worked run, the backlog and its label.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include <check.h>

#include "machine.h"
#include "metrics.h"
#include "played_run.h"
#include "rng.h"
#include "suite.h"

#define MS BN_NS_PER_MS

static BnMetrics *
measure (BnDuration warmup_ns, gboolean exact)
{
  BnMetricsConfig config = { &played_platform, &played_catalogue, warmup_ns, 0.5, exact, FALSE };
  BnMetrics *metrics = bn_metrics_new (&config);

  play_run (bn_metrics_probe (metrics), 1);
  return metrics;
}

/* The value of a metric, NAN where it is undefined. */
static double
value_of (const BnMetrics *metrics, const char *name, int32_t workflow)
{
  GArray *values = bn_metrics_values (metrics);
  double value = NAN;
  gboolean found = FALSE;

  for (guint i = 0; i < values->len; i++)
    {
      const BnMetric *m = &g_array_index (values, BnMetric, i);
      if (m->workflow != workflow || strcmp (bn_metric_infos[m->info].name, name) != 0)
        continue;
      ck_assert (!found);
      found = TRUE;
      if (m->defined)
        value = m->value;
    }
  ck_assert_msg (found, "no metric %s", name);
  g_array_unref (values);
  return value;
}

typedef struct Expected
{
  const char *name;
  double value;
} Expected;

static void
expect (const BnMetrics *metrics, int32_t workflow, const Expected *expected, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      double value = value_of (metrics, expected[i].name, workflow);
      ck_assert_msg (fabs (value - expected[i].value) <= 1e-12 * fabs (expected[i].value), "%s is %.17g, not %.17g",
                     expected[i].name, value, expected[i].value);
    }
}

START_TEST (every_metric_of_the_run_is_as_worked_out_by_hand)
{
  static const Expected expected[] = {
    { "jobs", 4 }, { "jobs_done", 3 }, { "jobs_refused", 1 }, { "jobs_failed", 0 }, { "jobs_dropped", 0 },
    { "jobs_unfinished", 0 },
    { "latency_mean", (43 + 42 + 28) / 3.0 }, { "latency_p50", 42 }, { "latency_p95", 43 }, { "latency_p99", 43 },
    { "latency_max", 43 },
    { "slowdown_mean", (1.433333 + 1.4 + 5.6) / 3 }, { "slowdown_p50", 1.433333 }, { "slowdown_p95", 5.6 },
    { "slowdown_p99", 5.6 }, { "slowdown_max", 5.6 },
    { "deadline_jobs", 2 }, { "deadline_met", 0.5 },
    { "makespan", 0.052 }, { "throughput", 3 / 0.052 }, { "goodput", 2 / 0.052 },
    { "tasks", 5 }, { "hits", 1 }, { "misses", 3 }, { "joined", 0 }, { "hit_rate", 0.25 },
    { "queue_wait_mean", (3 + 23) / 5.0 }, { "queue_wait_max", 23 }, { "input_wait_mean", (2 + 1) / 5.0 },
    { "load_wait_mean", (4 + 6 + 7) / 5.0 }, { "moved_bytes", 100 }, { "plan_changes", 1 },
    { "executing", 65 / 124.0 }, { "loading", 16 / 124.0 }, { "evicting", 1 / 124.0 }, { "idle", 42 / 124.0 },
    { "link", (4 + 1 + 6 + 6) / 124.0 },
    { "workers_used", 2 }, { "loads", 3 }, { "load_bytes", 16e9 }, { "prefetches", 0 }, { "evictions", 1 },
    { "evict_bytes", 4e9 },
    { "energy", 3.02 + 2.12 }, { "energy_per_job", (3.02 + 2.12) / 3 },
    { "backlog_mean", (10 * 1 + 10 * 2 + 10 * 3) / 40.0 }, { "backlog_max", 4 },
    { "messages", 7 }, { "row_updates", 12 }, { "row_bytes", 400 },
  };
  BnMetrics *metrics = measure (0, TRUE);
  guint n_of_clocks = 0;

  expect (metrics, BN_NONE, expected, G_N_ELEMENTS (expected));
  ck_assert (isnan (value_of (metrics, "backlog_slope", BN_NONE)));
  ck_assert_int_eq (bn_metrics_label (metrics), BN_LABEL_UNKNOWN);
  for (guint i = 0; i < bn_n_metric_infos; i++)
    n_of_clocks += bn_metric_infos[i].about == BN_ABOUT_REAL;
  ck_assert_uint_eq (G_N_ELEMENTS (expected) + 3 + n_of_clocks, bn_n_metric_infos);
  bn_metrics_free (metrics);
}
END_TEST

START_TEST (a_real_run_tells_what_its_loop_cost_and_what_disturbed_it)
{
  BnMetricsConfig config = { &played_platform, &played_catalogue, 0, 0.5, TRUE, TRUE };
  BnMetrics *metrics = bn_metrics_new (&config);
  const BnProbe *probe = bn_metrics_probe (metrics);
  BnJob *job = g_malloc0 (sizeof (BnJob) + 2 * sizeof (BnTask));
  BnDecision decision = { .job = job, .kind = BN_DECIDED_PLAN, .asked_ns = 7, .decide_ns = 3000 };

  for (int i = 1; i <= 100; i++)
    probe->woken (probe->context, true, i);
  probe->woken (probe->context, true, -3);
  probe->woken (probe->context, false, 50);
  /* one answer about two tasks, one about another, and one that nobody measured */
  probe->task_decided (probe->context, &decision);
  decision.task = 1;
  probe->task_decided (probe->context, &decision);
  decision.asked_ns = 9;
  decision.decide_ns = 1000;
  probe->task_decided (probe->context, &decision);
  decision.asked_ns = 11;
  decision.decide_ns = -1;
  probe->task_decided (probe->context, &decision);
  job->workflow = &played_catalogue.workflows[0];
  job->state = BN_JOB_UNFINISHED;
  job->tasks[0].job = job->tasks[1].job = job;
  job->tasks[0].state = BN_TASK_DONE;
  job->tasks[0].loop_cpu_ns = 200;
  job->tasks[1].loop_cpu_ns = 999;
  probe->job_created (probe->context, job, 0);
  probe->job_ended (probe->context, job, 20);
  probe->run_ended (probe->context, &(BnRunTotals){ .end_ns = 20, .n_failures = 2, .n_workers_lost = 1 });
  bn_metrics_set_real (metrics, 0.25, 1);
  const Expected expected[] = {
    { "loop_cpu_p50", 0.2 }, { "loop_cpu_max", 0.2 }, { "completion_delay_p50", 0.05 },
    { "completion_delay_p99", 0.099 }, { "completion_delay_max", 0.1 }, { "timer_delay_max", 0.05 },
    { "decision_p50", 1 }, { "decision_p99", 3 }, { "failures", 2 }, { "workers_lost", 1 }, { "steal", 0.25 },
    { "verified", 1 },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    ck_assert_double_eq_tol (value_of (metrics, expected[i].name, BN_NONE), expected[i].value,
                             expected[i].value / 256);
  g_free (job);
  bn_metrics_free (metrics);
}
END_TEST

START_TEST (steal_time_is_read_from_proc_stat)
{
  BnMachineTimes before = bn_machine_times_parse ("cpu  100 0 50 800 0 10 0 40 7 0\ncpu0 1 2 3\n");
  BnMachineTimes after = bn_machine_times_parse ("cpu  180 0 50 900 0 10 0 60 7 0\n");

  ck_assert_uint_eq (before.total, 1000);
  ck_assert_double_eq_tol (bn_machine_steal (before, after), 0.1, 1e-12);
  ck_assert_double_eq (bn_machine_steal (before, before), -1);
  ck_assert_uint_eq (bn_machine_times_parse ("cpu 1 2 3\n").total, 0);
  ck_assert_uint_eq (bn_machine_times_parse ("").total, 0);
}
END_TEST

START_TEST (job_metrics_come_by_workflow_too)
{
  static const Expected pair[] = {
    { "jobs", 3 }, { "jobs_done", 2 }, { "jobs_refused", 1 }, { "latency_mean", 42.5 }, { "latency_p50", 42 },
    { "latency_max", 43 }, { "slowdown_max", 1.433333 }, { "deadline_jobs", 1 }, { "deadline_met", 1 },
    { "makespan", 0.052 },
  };
  static const Expected solo[] = {
    { "jobs", 1 }, { "jobs_done", 1 }, { "latency_p50", 28 }, { "latency_p99", 28 }, { "slowdown_mean", 5.6 },
    { "deadline_met", 0 }, { "makespan", 0.028 }, { "goodput", 0 },
  };
  BnMetrics *metrics = measure (0, TRUE);

  expect (metrics, 0, pair, G_N_ELEMENTS (pair));
  expect (metrics, 1, solo, G_N_ELEMENTS (solo));
  bn_metrics_free (metrics);
}
END_TEST

START_TEST (streamed_quantiles_are_within_the_error_of_the_sketch)
{
  static const char *const names[] = { "latency_p50", "latency_p95", "latency_p99", "slowdown_p50", "slowdown_p99" };
  BnMetrics *exact = measure (0, TRUE), *streamed = measure (0, FALSE);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      double x = value_of (exact, names[i], BN_NONE), y = value_of (streamed, names[i], BN_NONE);
      ck_assert_double_le (fabs (x - y), x / 512);
    }
  ck_assert_double_eq (value_of (exact, "latency_mean", BN_NONE), value_of (streamed, "latency_mean", BN_NONE));
  ck_assert_double_eq (value_of (exact, "latency_max", BN_NONE), value_of (streamed, "latency_max", BN_NONE));
  bn_metrics_free (exact);
  bn_metrics_free (streamed);
}
END_TEST

START_TEST (warm_up_leaves_out_early_jobs_and_their_tasks_but_no_worker_time)
{
  static const Expected expected[] = {
    { "jobs", 3 }, { "jobs_done", 2 }, { "jobs_refused", 1 }, { "latency_mean", 35 }, { "makespan", 0.042 },
    { "tasks", 3 }, { "hits", 1 }, { "misses", 1 }, { "deadline_jobs", 1 }, { "queue_wait_mean", 26 / 3.0 },
    { "executing", 65 / 124.0 }, { "loads", 3 }, { "workers_used", 2 }, { "energy_per_job", 5.14 / 3 },
    { "backlog_max", 4 },
  };
  BnMetrics *metrics = measure (20 * MS, FALSE);

  expect (metrics, BN_NONE, expected, G_N_ELEMENTS (expected));
  bn_metrics_free (metrics);
}
END_TEST

START_TEST (metrics_of_nothing_are_undefined_not_zero)
{
  static const char *const names[] = { "latency_mean", "latency_p50", "latency_max", "slowdown_mean", "deadline_met",
                                       "makespan", "throughput", "goodput", "hit_rate", "queue_wait_mean" };
  BnMetrics *metrics = measure (1000 * MS, TRUE);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    ck_assert_msg (isnan (value_of (metrics, names[i], BN_NONE)), "%s", names[i]);
  ck_assert_double_eq (value_of (metrics, "jobs", BN_NONE), 0);
  bn_metrics_free (metrics);
}
END_TEST

START_TEST (slowdown_is_rounded_to_millionths_and_undefined_for_no_work)
{
  ck_assert_int_eq (bn_slowdown_ppm (3, 2), 1500000);
  ck_assert_int_eq (bn_slowdown_ppm (1, 3), 333333);
  ck_assert_int_eq (bn_slowdown_ppm (2, 3), 666667);
  ck_assert_int_eq (bn_slowdown_ppm (5, 0), -1);
  ck_assert_int_eq (bn_slowdown_ppm (INT64_MAX / 2, INT64_MAX), 500000);
}
END_TEST

/* ---- backlog ---- */

START_TEST (backlog_bins_agree_with_a_naive_integral)
{
  BnBacklog b;
  BnRng rng;
  BnTime times[4000], now = 0;
  int changes[4000], live = 0;

  bn_rng_init (&rng, 3, "backlog");
  bn_backlog_init (&b);
  for (int i = 0; i < 4000; i++)
    {
      now += (BnTime) bn_rng_below (&rng, 3 * MS) * (i % 100 == 0 ? 50 : 1);
      changes[i] = live > 0 && bn_rng_below (&rng, 2) == 0 ? -1 : 1;
      live += changes[i];
      times[i] = now;
      bn_backlog_change (&b, now, changes[i]);
    }
  bn_backlog_finish (&b, now + 7);
  ck_assert_uint_ge (bn_backlog_n_bins (&b), BN_BACKLOG_BINS / 2);
  for (uint32_t bin = 0; bin < bn_backlog_n_bins (&b); bin++)
    {
      BnTime from = bin * b.width_ns, to = from + b.width_ns;
      int64_t sum = 0, came = 0, n = 0;

      for (int i = 0; i < 4000; i++)
        {
          BnTime s = MAX (times[i], from), e = MIN (i + 1 < 4000 ? times[i + 1] : INT64_MAX, to);
          n += changes[i];
          if (e > s)
            sum += n * (e - s);
          came += changes[i] > 0 && times[i] >= from && times[i] < to;
        }
      ck_assert (b.bins[bin] == sum);
      ck_assert_int_eq (b.arrivals[bin], came);
    }
}
END_TEST

START_TEST (a_backlog_ends_where_the_clock_ends)
{
  BnBacklog b;

  bn_backlog_init (&b);
  bn_backlog_change (&b, 0, +1);
  bn_backlog_change (&b, BN_TIME_NEVER - 1, +1);
  bn_backlog_finish (&b, BN_TIME_NEVER);
  ck_assert_uint_ge (bn_backlog_n_bins (&b), BN_BACKLOG_BINS / 2);
  ck_assert_uint_lt (bn_backlog_n_bins (&b), BN_BACKLOG_BINS);
  for (uint32_t bin = 0; bin < bn_backlog_n_bins (&b); bin++)
    ck_assert_double_eq (bn_backlog_mean (&b, bin), 1);
}
END_TEST

START_TEST (mean_backlog_counts_whole_bins_within_the_span)
{
  BnBacklog b;

  bn_backlog_init (&b);
  bn_backlog_change (&b, 0, +1);
  bn_backlog_change (&b, 10 * BN_NS_PER_US, +1);
  bn_backlog_finish (&b, 20 * BN_NS_PER_US);
  ck_assert_double_eq (bn_backlog_mean_between (&b, 0, 20 * BN_NS_PER_US), 1.5);
  ck_assert_double_eq (bn_backlog_mean_between (&b, 9500, 12 * BN_NS_PER_US), 2);
  ck_assert_double_eq (bn_backlog_mean_between (&b, 100, 900), -1);
}
END_TEST

/* ---- stability ---- */

START_TEST (least_squares_gives_the_textbook_slope_and_error)
{
  /* y = 1 3 2 5 4 on x = 0 .. 4: slope 0.8, residual sum 3.6, Sxx 10 */
  static const double y[] = { 1, 3, 2, 5, 4 }, flat[] = { 0.1, 0.1, 0.1, 0.1 };
  double slope, error;

  bn_least_squares (y, 5, &slope, &error);
  ck_assert_double_eq_tol (slope, 0.8, 1e-15);
  ck_assert_double_eq_tol (error, sqrt (3.6 / 3 / 10), 1e-15);
  bn_least_squares (flat, 4, &slope, &error);
  ck_assert_double_eq (slope, 0);
  ck_assert_double_eq (error, 0);
}
END_TEST

START_TEST (neighbouring_residuals_that_hang_together_are_seen)
{
  /* products of neighbours: + - + + + - + = 3 of 8; and - + - + - + - = -1 of 8 */
  const double waves[] = { 1, 1, -1, -1, -1, -1, 1, 1 }, teeth[] = { 1, -1, -1, 1, 1, -1, -1, 1 };
  double slope, error;

  bn_least_squares (waves, 8, &slope, &error);
  ck_assert_double_eq (slope, 0);
  ck_assert_double_eq_tol (bn_residual_correlation (waves, 8, slope), 3.0 / 8, 1e-15);
  bn_least_squares (teeth, 8, &slope, &error);
  ck_assert_double_eq_tol (bn_residual_correlation (teeth, 8, slope), -1.0 / 8, 1e-15);
}
END_TEST

typedef struct Load
{
  int n_jobs;
  BnDuration gap_ns;       /* between arrivals                       */
  BnDuration stay_ns;      /* of the first job                       */
  BnDuration stay_more_ns; /* of each job more than of the one before */
  BnDuration jitter_ns;    /* stays are up to this much longer       */
  int burst_at, burst;     /* so many jobs come with job burst_at    */
} Load;

/* Jobs that leave in order of time, told to a backlog. */
static BnLabel
label_of (const Load *load, double offered, bool complete)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (BnTime));
  BnBacklog b;
  BnRng rng;
  BnTime last = 0;
  int64_t live = 0;
  guint gone = 0;

  bn_rng_init (&rng, 5, "label");
  bn_backlog_init (&b);
  for (int i = 0; i < load->n_jobs; i++)
    for (int k = 0; k < (load->burst > 0 && i == load->burst_at ? load->burst : 1); k++)
      {
        BnTime end;

        last = (i + 1) * load->gap_ns;
        for (; gone < ends->len && g_array_index (ends, BnTime, gone) <= last; gone++)
          bn_backlog_change (&b, g_array_index (ends, BnTime, gone), -1);
        live = b.n_live;
        bn_backlog_change (&b, last, +1);
        end = last + load->stay_ns + i * load->stay_more_ns
              + (load->jitter_ns > 0 ? (BnTime) bn_rng_below (&rng, (uint64_t) load->jitter_ns) : 0)
              + (k > 0 ? k * load->gap_ns * 2 : 0);
        if (ends->len > 0)
          end = MAX (end, g_array_index (ends, BnTime, ends->len - 1));
        g_array_append_val (ends, end);
      }
  for (; gone < ends->len; gone++)
    bn_backlog_change (&b, g_array_index (ends, BnTime, gone), -1);
  bn_backlog_finish (&b, b.last_ns + 1);
  g_array_unref (ends);
  return bn_stability_judge (&(BnStabilityInput){ &b, last, live, offered, complete }).label;
}

START_TEST (a_level_backlog_is_stable)
{
  const Load load = { .n_jobs = 1000, .gap_ns = MS, .stay_ns = 3 * MS, .jitter_ns = 4 * MS };

  ck_assert_int_eq (label_of (&load, 0.7, true), BN_LABEL_STABLE);
  ck_assert_int_eq (label_of (&load, 0, true), BN_LABEL_STABLE);
}
END_TEST

START_TEST (a_growing_backlog_is_overloaded)
{
  const Load load = { .n_jobs = 1000, .gap_ns = MS, .stay_ns = 3 * MS, .stay_more_ns = MS, .jitter_ns = 4 * MS };

  ck_assert_int_eq (label_of (&load, 0.7, true), BN_LABEL_OVERLOADED);
}
END_TEST

START_TEST (a_queue_that_grows_in_fits_and_starts_is_overloaded)
{
  /* stays grow by 0.9 ms a job on average, in waves of 100 jobs: the residuals hang
     together, and it is still growing */
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (BnTime));
  BnBacklog b;
  BnTime last = 0;
  int64_t live = 0;
  guint gone = 0;

  bn_backlog_init (&b);
  for (int i = 0; i < 1000; i++)
    {
      int wave = i % 100 < 50 ? i % 100 : 100 - i % 100;
      last = (i + 1) * MS;
      for (; gone < ends->len && g_array_index (ends, BnTime, gone) <= last; gone++)
        bn_backlog_change (&b, g_array_index (ends, BnTime, gone), -1);
      live = b.n_live;
      bn_backlog_change (&b, last, +1);
      BnTime end = last + 3 * MS + i * MS * 9 / 10 + wave * MS / 2;
      if (ends->len > 0)
        end = MAX (end, g_array_index (ends, BnTime, ends->len - 1));
      g_array_append_val (ends, end);
    }
  for (; gone < ends->len; gone++)
    bn_backlog_change (&b, g_array_index (ends, BnTime, gone), -1);
  bn_backlog_finish (&b, b.last_ns + 1);
  ck_assert_int_eq (bn_stability_judge (&(BnStabilityInput){ &b, last, live, 0.7, true }).label, BN_LABEL_OVERLOADED);
  g_array_unref (ends);
}
END_TEST

START_TEST (a_backlog_that_drains_is_backlogged)
{
  /* jobs stay 600 ms at first and 100 ms at last */
  const Load load = { .n_jobs = 1000, .gap_ns = MS, .stay_ns = 600 * MS, .stay_more_ns = -MS / 2,
                      .jitter_ns = 4 * MS };

  ck_assert_int_eq (label_of (&load, 0.7, true), BN_LABEL_BACKLOGGED);
}
END_TEST

START_TEST (a_burst_that_is_over_soon_is_no_trend)
{
  const Load load = { .n_jobs = 1000, .gap_ns = MS, .stay_ns = 3 * MS, .burst_at = 600, .burst = 40 };

  ck_assert_int_eq (label_of (&load, 0.7, true), BN_LABEL_STABLE);
}
END_TEST

START_TEST (more_work_than_capacity_is_overloaded_whatever_the_slope)
{
  const Load level = { .n_jobs = 1000, .gap_ns = MS, .stay_ns = 3 * MS, .jitter_ns = 4 * MS };
  const Load few = { .n_jobs = 5, .gap_ns = MS, .stay_ns = 3 * MS };

  ck_assert_int_eq (label_of (&level, 1.01, true), BN_LABEL_OVERLOADED);
  ck_assert_int_eq (label_of (&few, 1.01, false), BN_LABEL_OVERLOADED);
}
END_TEST

START_TEST (too_few_arrivals_or_an_incomplete_run_say_nothing)
{
  const Load few = { .n_jobs = 60, .gap_ns = MS, .stay_ns = 3 * MS };
  const Load level = { .n_jobs = 1000, .gap_ns = MS, .stay_ns = 3 * MS, .jitter_ns = 4 * MS };
  const Load at_once = { .n_jobs = 100, .gap_ns = 0, .stay_ns = 3 * MS };

  ck_assert_int_eq (label_of (&few, 0.5, true), BN_LABEL_UNKNOWN);
  ck_assert_int_eq (label_of (&level, 0.5, false), BN_LABEL_UNKNOWN);
  ck_assert_int_eq (label_of (&at_once, 0.5, true), BN_LABEL_UNKNOWN);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("metrics");
  TCase *tc = tcase_create ("metrics");

  tcase_add_test (tc, a_real_run_tells_what_its_loop_cost_and_what_disturbed_it);
  tcase_add_test (tc, steal_time_is_read_from_proc_stat);
  tcase_add_test (tc, every_metric_of_the_run_is_as_worked_out_by_hand);
  tcase_add_test (tc, job_metrics_come_by_workflow_too);
  tcase_add_test (tc, streamed_quantiles_are_within_the_error_of_the_sketch);
  tcase_add_test (tc, warm_up_leaves_out_early_jobs_and_their_tasks_but_no_worker_time);
  tcase_add_test (tc, metrics_of_nothing_are_undefined_not_zero);
  tcase_add_test (tc, slowdown_is_rounded_to_millionths_and_undefined_for_no_work);
  tcase_add_test (tc, backlog_bins_agree_with_a_naive_integral);
  tcase_add_test (tc, a_backlog_ends_where_the_clock_ends);
  tcase_add_test (tc, mean_backlog_counts_whole_bins_within_the_span);
  tcase_add_test (tc, least_squares_gives_the_textbook_slope_and_error);
  tcase_add_test (tc, neighbouring_residuals_that_hang_together_are_seen);
  tcase_add_test (tc, a_level_backlog_is_stable);
  tcase_add_test (tc, a_growing_backlog_is_overloaded);
  tcase_add_test (tc, a_queue_that_grows_in_fits_and_starts_is_overloaded);
  tcase_add_test (tc, a_backlog_that_drains_is_backlogged);
  tcase_add_test (tc, a_burst_that_is_over_soon_is_no_trend);
  tcase_add_test (tc, more_work_than_capacity_is_overloaded_whatever_the_slope);
  tcase_add_test (tc, too_few_arrivals_or_an_incomplete_run_say_nothing);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
