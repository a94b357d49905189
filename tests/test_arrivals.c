/* test_arrivals.c: arrival processes have the moments they promise, streams do
 * not disturb each other, and traces are read or refused row by row.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Estimates are held to five standard errors; seeds are fixed.
 */
#include <check.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "arrivals.h"
#include "catalogue.h"
#include "suite.h"

#define N 100000

static BnCatalogue *catalogue;
static char *path;
static const double even_weights[] = { 1, 1, 1 };

static void
set_up (void)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  static const char *const names[] = { "small", "middle", "large" };
  for (uint32_t i = 0; i < 3; i++)
    {
      bn_catalogue_builder_add_workflow (b, names[i]);
      bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, BN_NS_PER_S << i, NULL, 0);
    }
  catalogue = bn_catalogue_builder_finish (b, NULL);
  char *directory = g_dir_make_tmp ("bn-arrivals-XXXXXX", NULL);
  path = g_build_filename (directory, "t.csv", NULL);
  g_free (directory);
}

static void
tear_down (void)
{
  char *directory = g_path_get_dirname (path);
  g_unlink (path);
  g_rmdir (directory);
  g_free (directory);
  g_free (path);
  bn_catalogue_free (catalogue);
}

static BnArrivalsConfig
config_of (BnArrivalsKind kind)
{
  return (BnArrivalsConfig) {
    .kind = kind,
    .rate_per_s = 4,
    .cv = 2,
    .on_ns = 2 * BN_NS_PER_S,
    .off_ns = 6 * BN_NS_PER_S,
    .trace_path = path,
    .time_column = "t",
    .time_unit_ns = BN_NS_PER_MS,
    .time_scale = 1,
    .weights = even_weights,
    .max_jobs = INT64_MAX,
    .until_ns = BN_TIME_NEVER,
    .n_workers = 5,
    .seed = 1,
  };
}

static BnArrivals *
open_arrivals (const BnArrivalsConfig *config)
{
  GError *error = NULL;
  BnArrivals *arrivals = bn_arrivals_new (config, catalogue, &error);
  ck_assert_msg (arrivals != NULL, "%s", error == NULL ? "" : error->message);
  return arrivals;
}

static void
read_jobs (const BnArrivalsConfig *config, BnJobSpec *jobs, int n)
{
  BnArrivals *arrivals = open_arrivals (config);
  for (int i = 0; i < n; i++)
    ck_assert_int_eq (bn_arrivals_next (arrivals, &jobs[i], NULL), BN_ARRIVALS_JOB);
  bn_arrivals_free (arrivals);
}

/* Mean gap and its coefficient of variation. `kurtosis`: of the gaps, for the
 * standard error of the variance. */
static void
assert_gaps (const BnArrivalsConfig *config, double mean_s, double cv, double kurtosis)
{
  BnJobSpec *jobs = g_new (BnJobSpec, N);
  read_jobs (config, jobs, N);
  double squares = 0, last_s = 0, sd = cv * mean_s;
  BnTime last = 0;
  for (int i = 0; i < N; i++)
    {
      ck_assert_int_ge (jobs[i].create_ns, last);
      double gap = (double) (jobs[i].create_ns - last) / 1e9;
      squares += (gap - mean_s) * (gap - mean_s);
      last = jobs[i].create_ns;
    }
  last_s = (double) last / 1e9;
  ck_assert_double_le_tol (fabs (last_s / N - mean_s), 5 * sd / sqrt (N), 1e-9);
  ck_assert_double_le_tol (fabs (squares / N - sd * sd), 5 * sd * sd * sqrt ((kurtosis - 1) / N), 1e-12);
  g_free (jobs);
}

START_TEST (poisson_gaps_are_exponential)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_POISSON);
  assert_gaps (&config, 0.25, 1, 9);
}
END_TEST

START_TEST (gamma_gaps_have_the_stated_coefficient_of_variation)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_GAMMA);
  assert_gaps (&config, 0.25, 2, 3 + 6 * 4);
  config.cv = 0.25;
  assert_gaps (&config, 0.25, 0.25, 3 + 6 * 0.0625);
}
END_TEST

START_TEST (uniform_gaps_are_exact_and_do_not_drift)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_UNIFORM);
  config.rate_per_s = 3;
  BnJobSpec *jobs = g_new (BnJobSpec, N);
  read_jobs (&config, jobs, N);
  for (int i = 0; i < N; i++)
    ck_assert_int_eq (jobs[i].create_ns, (INT64_C (2000000000) * (i + 1) / 3 + 1) / 2);
  g_free (jobs);
}
END_TEST

/* The interrupted Poisson process with on-rate l, a = 1/on, b = 1/off has renewal
 * gaps: a mixture of two exponentials with cv^2 = 1 + 2 l a / (a + b)^2. Here
 * l = 4 * 8 / 2 = 16, a = 1/2, b = 1/6: cv^2 = 1 + 16 / (4/9) = 37. The mixture's
 * rates are the roots of x^2 - (l + a + b) x + l b: 16.5051 and 0.161566, which
 * gives a kurtosis of 195.5. */
START_TEST (onoff_gaps_are_those_of_an_interrupted_poisson_process)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_ONOFF);
  assert_gaps (&config, 0.25, sqrt (37), 195.5);
}
END_TEST

/* Expected arrivals in [0, 1 s) are 4 from the first second on. The variance of
 * such a count, l t + 2 l^2 p (1-p) (t - (1 - e^-ct)/c)/c with c = a + b and on
 * share p, is about 4 + 78 at the most; 4000 seeds give a standard error of 0.15. */
START_TEST (onoff_starts_in_its_steady_state)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_ONOFF);
  config.until_ns = BN_NS_PER_S;
  int n_jobs = 0, n_seeds = 4000, n_silent = 0;
  for (config.seed = 1; config.seed <= (uint64_t) n_seeds; config.seed++)
    {
      BnArrivals *arrivals = open_arrivals (&config);
      BnJobSpec job;
      int n = 0;
      while (bn_arrivals_next (arrivals, &job, NULL) == BN_ARRIVALS_JOB)
        n++;
      n_jobs += n;
      n_silent += n == 0;
      bn_arrivals_free (arrivals);
    }
  ck_assert_double_lt (fabs ((double) n_jobs / n_seeds - 4), 5 * 0.15);
  /* off at the start (3/4) and for the whole second (e^-1/6): at least 63 % */
  ck_assert_double_gt ((double) n_silent / n_seeds, 0.75 * exp (-1.0 / 6) - 0.04);
}
END_TEST

START_TEST (changing_the_mix_leaves_times_and_ingress_as_they_were)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_POISSON);
  BnJobSpec a[1000], b[1000], c[1000], d[1000];
  read_jobs (&config, a, 1000);
  config.weights = (const double[]) { 0, 0, 2 };
  read_jobs (&config, b, 1000);
  config.weights = even_weights;
  config.n_workers = 50;
  read_jobs (&config, c, 1000);
  config.seed = 2;
  read_jobs (&config, d, 1000);
  int n_same_time = 0;
  for (int i = 0; i < 1000; i++)
    {
      ck_assert_int_eq (a[i].create_ns, b[i].create_ns);
      ck_assert_int_eq (a[i].ingress, b[i].ingress);
      ck_assert_uint_eq (b[i].workflow, 2);
      ck_assert_int_eq (a[i].create_ns, c[i].create_ns);
      ck_assert_uint_eq (a[i].workflow, c[i].workflow);
      n_same_time += a[i].create_ns == d[i].create_ns;
    }
  ck_assert_int_eq (n_same_time, 0);
}
END_TEST

START_TEST (weights_are_kept_and_a_zero_weight_never_drawn)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_POISSON);
  config.weights = (const double[]) { 0.5, 0, 1.5 };
  BnJobSpec *jobs = g_new (BnJobSpec, N);
  read_jobs (&config, jobs, N);
  int counts[3] = { 0 }, ingress[5] = { 0 };
  for (int i = 0; i < N; i++)
    {
      counts[jobs[i].workflow]++;
      ingress[jobs[i].ingress]++;
    }
  ck_assert_int_eq (counts[1], 0);
  ck_assert_double_lt (fabs (counts[0] - 0.25 * N), 5 * sqrt (N * 0.25 * 0.75));
  for (int i = 0; i < 5; i++)
    ck_assert_double_lt (fabs (ingress[i] - 0.2 * N), 5 * sqrt (N * 0.2 * 0.8));
  g_free (jobs);
}
END_TEST

START_TEST (a_stream_ends_at_its_number_of_jobs_or_before_its_time)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_UNIFORM);
  BnJobSpec job;
  config.max_jobs = 3;
  BnArrivals *arrivals = open_arrivals (&config);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_JOB);
  ck_assert_int_eq (job.create_ns, 750 * BN_NS_PER_MS);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_END);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_END);
  bn_arrivals_free (arrivals);

  config.max_jobs = INT64_MAX;
  config.until_ns = 750 * BN_NS_PER_MS;
  arrivals = open_arrivals (&config);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_JOB);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_JOB);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_END);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_END);
  bn_arrivals_free (arrivals);
}
END_TEST

static void
write_trace (const char *text)
{
  ck_assert (g_file_set_contents (path, text, -1, NULL));
}

START_TEST (a_trace_is_replayed_to_the_nanosecond)
{
  write_trace ("\xef\xbb\xbfn,t,what,where\r\n0,0.0000005,\"large\",4\r\n1,1734.5,small,0\r\n2,1734.5,small,3");
  BnArrivalsConfig config = config_of (BN_ARRIVALS_TRACE);
  config.workflow_column = "what";
  config.ingress_column = "where";
  GError *error = NULL;
  BnTraceSummary summary;
  int64_t rows[3];
  ck_assert_uint_eq (catalogue->n_workflows, G_N_ELEMENTS (rows));
  ck_assert_msg (bn_arrivals_scan_trace (&config, catalogue, &summary, rows, &error), "%s",
                 error ? error->message : "");
  ck_assert_int_eq (summary.n_rows, 3);
  ck_assert_int_eq (summary.first_ns, 1);
  ck_assert_int_eq (summary.last_ns, INT64_C (1734500000));
  ck_assert_int_eq (rows[0], 2);
  ck_assert_int_eq (rows[1], 0);
  ck_assert_int_eq (rows[2], 1);
  ck_assert_uint_eq (strlen (summary.sha256), 64);
  BnJobSpec jobs[3];
  read_jobs (&config, jobs, 3);
  ck_assert_int_eq (jobs[0].create_ns, 1);
  ck_assert_uint_eq (jobs[0].workflow, 2);
  ck_assert_int_eq (jobs[0].ingress, 4);
  ck_assert_int_eq (jobs[2].create_ns, INT64_C (1734500000));
  ck_assert_uint_eq (jobs[2].workflow, 0);
  ck_assert_int_eq (jobs[2].ingress, 3);
}
END_TEST

/* Gaps 1, 2, …, 9 ms, each before a row that its workflow and ingress tell apart. */
static BnArrivalsConfig
resampled_config (void)
{
  static const char *const names[] = { "large", "middle", "small" };
  GString *text = g_string_new ("t,what,where\n5,large,0\n");
  int64_t ms = 5;

  for (int i = 1; i <= 9; i++)
    g_string_append_printf (text, "%d,%s,%d\n", (int) (ms += i), names[i % 3], i / 2);
  write_trace (text->str);
  g_string_free (text, TRUE);
  BnArrivalsConfig config = config_of (BN_ARRIVALS_TRACE);
  config.workflow_column = "what";
  config.ingress_column = "where";
  config.trace_block = 3;
  return config;
}

START_TEST (a_resampled_trace_has_the_rows_of_the_trace_with_the_gaps_before_them)
{
  BnArrivalsConfig config = resampled_config ();
  int followed = 0, drawn = 0;

  for (config.seed = 1; config.seed <= 200; config.seed++)
    {
      BnJobSpec jobs[10];
      int64_t before = 0;
      read_jobs (&config, jobs, 10);
      ck_assert_int_eq (jobs[0].create_ns, 5 * BN_NS_PER_MS);
      ck_assert_int_eq (jobs[0].ingress, 0);
      for (int i = 1; i < 10; i++)
        {
          int64_t gap = (jobs[i].create_ns - jobs[i - 1].create_ns) / BN_NS_PER_MS;
          ck_assert_int_ge (gap, 1);
          ck_assert_int_le (gap, 9);
          ck_assert_int_eq (jobs[i].ingress, (int32_t) gap / 2);
          ck_assert_uint_eq (jobs[i].workflow, 2 - (uint32_t) gap % 3);
          followed += i > 1 && gap == before % 9 + 1;
          drawn += i > 1;
          before = gap;
        }
    }
  /* with probability 2/3 the next row follows, and one time in nine by chance */
  double share = 2.0 / 3 + 1.0 / 27;
  ck_assert_double_eq_tol ((double) followed / drawn, share, 4 * sqrt (share * (1 - share) / drawn));
}
END_TEST

START_TEST (a_resampled_trace_is_a_matter_of_its_seed_and_heeds_the_limits)
{
  BnArrivalsConfig config = resampled_config (), other;
  BnJobSpec jobs[10], again[10], others[10];

  read_jobs (&config, jobs, 10);
  read_jobs (&config, again, 10);
  ck_assert_mem_eq (jobs, again, sizeof jobs);
  other = config;
  other.seed = 2;
  read_jobs (&other, others, 10);
  ck_assert_mem_ne (jobs, others, sizeof jobs);

  /* the first three rows alone: gaps of 1 and 2 ms */
  config.max_jobs = 3;
  read_jobs (&config, jobs, 3);
  ck_assert_int_le (jobs[2].create_ns, 9 * BN_NS_PER_MS);
  config.max_jobs = INT64_MAX;
  config.until_ns = 5 * BN_NS_PER_MS + 1;
  BnArrivals *arrivals = open_arrivals (&config);
  ck_assert_int_eq (bn_arrivals_next (arrivals, jobs, NULL), BN_ARRIVALS_JOB);
  ck_assert_int_eq (bn_arrivals_next (arrivals, jobs, NULL), BN_ARRIVALS_END);
  ck_assert_int_eq (bn_arrivals_next (arrivals, jobs, NULL), BN_ARRIVALS_END);
  bn_arrivals_free (arrivals);
}
END_TEST

START_TEST (what_a_trace_does_not_say_is_drawn_as_for_any_process)
{
  GString *text = g_string_new ("t\n");
  for (int i = 0; i < 500; i++)
    g_string_append_printf (text, "%d\n", i);
  write_trace (text->str);
  g_string_free (text, TRUE);
  BnArrivalsConfig config = config_of (BN_ARRIVALS_TRACE);
  config.time_scale = 0.5;
  BnJobSpec from_trace[500], drawn[500];
  read_jobs (&config, from_trace, 500);
  config.kind = BN_ARRIVALS_POISSON;
  read_jobs (&config, drawn, 500);
  for (int i = 0; i < 500; i++)
    {
      ck_assert_int_eq (from_trace[i].create_ns, i * BN_NS_PER_MS / 2);
      ck_assert_uint_eq (from_trace[i].workflow, drawn[i].workflow);
      ck_assert_int_eq (from_trace[i].ingress, drawn[i].ingress);
    }
}
END_TEST

/* The summary of rows at 0, 1, … 4 ms, cut off by `max_jobs` or `until_ns`. */
static BnTraceSummary
scan_five (int64_t max_jobs, BnTime until_ns, int64_t rows[3])
{
  write_trace ("t,what\n0,large\n1,small\n2,large\n3,large\n4,large\n");
  BnArrivalsConfig config = config_of (BN_ARRIVALS_TRACE);
  config.workflow_column = "what";
  config.max_jobs = max_jobs;
  config.until_ns = until_ns;
  GError *error = NULL;
  BnTraceSummary summary;
  ck_assert_msg (bn_arrivals_scan_trace (&config, catalogue, &summary, rows, &error), "%s",
                 error ? error->message : "");
  return summary;
}

START_TEST (a_scan_counts_the_rows_that_become_jobs)
{
  int64_t rows[3];
  BnTraceSummary whole = scan_five (INT64_MAX, BN_TIME_NEVER, rows);
  ck_assert_int_eq (whole.n_rows, 5);
  ck_assert_int_eq (whole.last_ns, 4 * BN_NS_PER_MS);
  ck_assert_int_eq (rows[2], 4);
  BnTraceSummary three = scan_five (3, BN_TIME_NEVER, rows);
  ck_assert_int_eq (three.n_rows, 3);
  ck_assert_int_eq (three.last_ns, 2 * BN_NS_PER_MS);
  ck_assert_int_eq (rows[0], 1);
  ck_assert_int_eq (rows[2], 2);
  BnTraceSummary early = scan_five (INT64_MAX, BN_NS_PER_MS, rows);
  ck_assert_int_eq (early.n_rows, 1);
  ck_assert_int_eq (early.last_ns, 0);
  ck_assert_int_eq (rows[0], 0);
  ck_assert_str_eq (early.sha256, whole.sha256);
}
END_TEST

/* Reads on until the stream breaks off, and again. */
static void
assert_breaks_off (const BnArrivalsConfig *config, int64_t n_before, const char *message)
{
  BnArrivals *arrivals = open_arrivals (config);
  BnJobSpec job;
  for (int64_t i = 0; i < n_before; i++)
    ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_JOB);
  for (int i = 0; i < 2; i++)
    {
      GError *error = NULL;
      ck_assert_int_eq (bn_arrivals_next (arrivals, &job, &error), BN_ARRIVALS_ERROR);
      ck_assert_str_eq (error->message, message);
      g_error_free (error);
    }
  bn_arrivals_free (arrivals);
}

START_TEST (a_stream_that_passes_the_clock_says_so)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_UNIFORM);
  config.rate_per_s = 1e-9;
  assert_breaks_off (&config, 4, "job 4 would come after 146 years; set fewer jobs, an until or a higher rate");
  config.max_jobs = 4;
  BnArrivals *arrivals = open_arrivals (&config);
  BnJobSpec job;
  for (int i = 0; i < 4; i++)
    ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_JOB);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_END);
  bn_arrivals_free (arrivals);
}
END_TEST

START_TEST (a_stream_without_a_job_is_a_mistake)
{
  static const char message[]
      = "no job comes before the time where jobs end; set a later until or a higher rate";
  BnArrivalsConfig config = config_of (BN_ARRIVALS_UNIFORM);
  config.until_ns = 1;
  assert_breaks_off (&config, 0, message);
  write_trace ("t\n5\n6\n");
  config = config_of (BN_ARRIVALS_TRACE);
  config.until_ns = 5 * BN_NS_PER_MS;
  assert_breaks_off (&config, 0, message);
  GError *error = NULL;
  BnTraceSummary summary;
  int64_t rows[3];
  ck_assert (!bn_arrivals_scan_trace (&config, catalogue, &summary, rows, &error));
  ck_assert_str_eq (error->message + strlen (path),
                    ": holds no arrivals before the time where jobs end; set a later until");
  g_error_free (error);
}
END_TEST

/* Both the scan and the stream refuse it, with the same words after "PATH:". */
static void
assert_refuses (const char *text, const char *workflow_column, const char *ingress_column, const char *expected)
{
  write_trace (text);
  BnArrivalsConfig config = config_of (BN_ARRIVALS_TRACE);
  config.workflow_column = workflow_column;
  config.ingress_column = ingress_column;
  GError *error = NULL;
  BnTraceSummary summary;
  int64_t rows[3];
  ck_assert (!bn_arrivals_scan_trace (&config, catalogue, &summary, rows, &error));
  ck_assert (g_str_has_prefix (error->message, path));
  ck_assert_str_eq (error->message + strlen (path) + 1, expected);
  g_clear_error (&error);
  BnArrivals *arrivals = bn_arrivals_new (&config, catalogue, &error);
  BnArrivalsStatus status = BN_ARRIVALS_JOB;
  BnJobSpec job;
  while (arrivals != NULL && status == BN_ARRIVALS_JOB)
    status = bn_arrivals_next (arrivals, &job, &error);
  gboolean empty = strstr (expected, "no arrivals") != NULL;
  if (empty)
    ck_assert_int_eq (status, BN_ARRIVALS_ERROR);
  else
    ck_assert_str_eq (error->message + strlen (path) + 1, expected);
  g_clear_error (&error);
  if (status == BN_ARRIVALS_ERROR && !empty)
    {
      ck_assert_int_eq (bn_arrivals_next (arrivals, &job, &error), BN_ARRIVALS_ERROR);
      ck_assert_str_eq (error->message + strlen (path) + 1, expected);
      g_clear_error (&error);
    }
  bn_arrivals_free (arrivals);
}

START_TEST (a_bad_trace_is_refused_with_its_line)
{
  assert_refuses ("", NULL, NULL, " is empty; its first line must name the columns");
  assert_refuses ("t\n", NULL, NULL,
                  " holds no arrivals, only a header; name a trace with at least one row");
  assert_refuses ("t\n2\n1\n", NULL, NULL, "3: t: is earlier than the row before; sort the trace by time");
  assert_refuses ("t\nNaN\n", NULL, NULL, "2: t: 'NaN' is not a plain decimal number, for example 1.5");
  assert_refuses ("t\n1\n\n-2\n", NULL, NULL, "4: t: '-2' is negative");
  assert_refuses ("t\n5ms\n", NULL, NULL, "2: t: '5ms' is not a plain decimal number, for example 1.5");
  assert_refuses ("t\n5e12\n", NULL, NULL, "2: t: is later than 146 years; check the unit");
  assert_refuses ("t\n1e30\n", NULL, NULL, "2: t: '1e30' is too large: it does not fit 64 bits");
  assert_refuses ("t,what\n1\n", NULL, NULL, "2: the row has 1 fields where the header has 2");
  assert_refuses ("time\n1\n", NULL, NULL, "1: there is no column 't'; the header is 'time'");
  assert_refuses ("t,what\n1,large\n2,lrage\n", "what", NULL,
                  "3: 'lrage' is not a workflow of the catalogue (did you mean 'large'?)");
  assert_refuses ("t,where\n1,5\n", NULL, "where",
                  "2: ingress: there is no worker 5; the cluster has workers 0 to 4");
  assert_refuses ("t,where\n1,x\n", NULL, "where", "2: ingress: 'x' is not a whole number, for example 5");
}
END_TEST

START_TEST (listed_jobs_come_as_they_are)
{
  static const BnJobSpec jobs[] = { { 5, 2, 4, 0 }, { 5, 0, 1, 0 }, { 9, 1, 0, 0 } };
  BnArrivalsConfig config = { .kind = BN_ARRIVALS_LIST, .n_workers = 5, .seed = 1, .jobs = jobs, .n_listed = 3 };
  BnArrivals *arrivals = open_arrivals (&config);
  BnJobSpec spec;

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      ck_assert_int_eq (bn_arrivals_next (arrivals, &spec, NULL), BN_ARRIVALS_JOB);
      ck_assert_mem_eq (&spec, &jobs[i], sizeof spec);
    }
  ck_assert_int_eq (bn_arrivals_next (arrivals, &spec, NULL), BN_ARRIVALS_END);
  ck_assert_int_eq (bn_arrivals_next (arrivals, &spec, NULL), BN_ARRIVALS_END);
  bn_arrivals_free (arrivals);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("arrivals");
  TCase *t = tcase_create ("arrivals");
  tcase_set_timeout (t, 60);
  tcase_add_checked_fixture (t, set_up, tear_down);
  tcase_add_test (t, poisson_gaps_are_exponential);
  tcase_add_test (t, gamma_gaps_have_the_stated_coefficient_of_variation);
  tcase_add_test (t, uniform_gaps_are_exact_and_do_not_drift);
  tcase_add_test (t, onoff_gaps_are_those_of_an_interrupted_poisson_process);
  tcase_add_test (t, onoff_starts_in_its_steady_state);
  tcase_add_test (t, changing_the_mix_leaves_times_and_ingress_as_they_were);
  tcase_add_test (t, weights_are_kept_and_a_zero_weight_never_drawn);
  tcase_add_test (t, a_stream_ends_at_its_number_of_jobs_or_before_its_time);
  tcase_add_test (t, a_trace_is_replayed_to_the_nanosecond);
  tcase_add_test (t, a_resampled_trace_has_the_rows_of_the_trace_with_the_gaps_before_them);
  tcase_add_test (t, a_resampled_trace_is_a_matter_of_its_seed_and_heeds_the_limits);
  tcase_add_test (t, what_a_trace_does_not_say_is_drawn_as_for_any_process);
  tcase_add_test (t, a_scan_counts_the_rows_that_become_jobs);
  tcase_add_test (t, a_stream_that_passes_the_clock_says_so);
  tcase_add_test (t, a_stream_without_a_job_is_a_mistake);
  tcase_add_test (t, a_bad_trace_is_refused_with_its_line);
  tcase_add_test (t, listed_jobs_come_as_they_are);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
