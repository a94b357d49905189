/* test_trace_fit.c: what a process has generated is fitted by that process.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Seeds are fixed; tolerances are some four standard errors of the estimates.
 */
#include <check.h>
#include <math.h>

#include "catalogue.h"
#include "rng.h"
#include "suite.h"
#include "trace_fit.h"

static const double weight = 1;

/* The figures of n arrivals of a process of two a second. */
static BnFitFigures
figures_of (BnArrivalsConfig config, int64_t n)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnTraceFit *fit = bn_trace_fit_new ();
  BnJobSpec job;

  bn_catalogue_builder_add_workflow (b, "job");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, BN_NS_PER_S, NULL, 0);
  BnCatalogue *catalogue = bn_catalogue_builder_finish (b, NULL);
  config.rate_per_s = 2;
  config.weights = &weight;
  config.max_jobs = n;
  config.until_ns = BN_TIME_NEVER;
  config.n_workers = 1;
  config.seed = 7;
  BnArrivals *arrivals = bn_arrivals_new (&config, catalogue, NULL);
  while (bn_arrivals_next (arrivals, &job, NULL) == BN_ARRIVALS_JOB)
    bn_trace_fit_add (fit, job.create_ns);
  BnFitFigures figures = bn_trace_fit_figures (fit);
  bn_arrivals_free (arrivals);
  bn_catalogue_free (catalogue);
  bn_trace_fit_free (fit);
  ck_assert_int_eq (figures.n_arrivals, n);
  return figures;
}

static BnArrivalsConfig
fit_to (const BnFitFigures *figures)
{
  BnArrivalsConfig process;

  ck_assert (bn_trace_fit_choose (figures, &process, NULL));
  return process;
}

static void
assert_fits (BnArrivalsConfig config, BnArrivalsKind kind)
{
  BnFitFigures figures = figures_of (config, 100000);
  BnArrivalsConfig process = fit_to (&figures);

  ck_assert_int_eq (process.kind, kind);
  ck_assert_double_eq_tol (process.rate_per_s, 2, 4 * figures.rate_per_s.error + 1e-6);
}

START_TEST (processes_without_memory_are_told_apart)
{
  assert_fits ((BnArrivalsConfig) { .kind = BN_ARRIVALS_UNIFORM }, BN_ARRIVALS_UNIFORM);
  assert_fits ((BnArrivalsConfig) { .kind = BN_ARRIVALS_POISSON }, BN_ARRIVALS_POISSON);
  assert_fits ((BnArrivalsConfig) { .kind = BN_ARRIVALS_GAMMA, .cv = 1.1 }, BN_ARRIVALS_GAMMA);
  assert_fits ((BnArrivalsConfig) { .kind = BN_ARRIVALS_GAMMA, .cv = 0.2 }, BN_ARRIVALS_GAMMA);
  /* a gamma of cv 1 is what a Poisson process has, and so is one with a memory that cannot be seen */
  assert_fits ((BnArrivalsConfig) { .kind = BN_ARRIVALS_GAMMA, .cv = 1 }, BN_ARRIVALS_POISSON);
  assert_fits ((BnArrivalsConfig) { .kind = BN_ARRIVALS_CORRELATED, .cv = 1, .autocorr_decay = 0.9 },
               BN_ARRIVALS_POISSON);
}
END_TEST

START_TEST (the_variation_of_gamma_gaps_is_given_back)
{
  for (double cv = 0.25; cv <= 4; cv *= 2)
    if (cv != 1)
      {
        BnFitFigures figures = figures_of ((BnArrivalsConfig) { .kind = BN_ARRIVALS_GAMMA, .cv = cv }, 100000);
        BnArrivalsConfig process = fit_to (&figures);
        ck_assert_int_eq (process.kind, BN_ARRIVALS_GAMMA);
        ck_assert_double_eq_tol (process.cv, cv, 4 * cv * sqrt ((1 + cv * cv) / 200000));
      }
}
END_TEST

START_TEST (cv_autocorrelation_and_decay_are_given_back)
{
  static const struct
  {
    double cv, autocorrelation, decay;
  } rows[] = { { 1, 0.3, 0.9 }, { 2, 0.2, 0.95 }, { 0.5, 0.5, 0.8 }, { 0.5, -0.4, 0.6 }, { 3, 0.15, 0.98 } };

  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      BnFitFigures figures = figures_of ((BnArrivalsConfig) { .kind = BN_ARRIVALS_CORRELATED, .cv = rows[i].cv,
                                                              .autocorrelation = rows[i].autocorrelation,
                                                              .autocorr_decay = rows[i].decay }, 400000);
      BnArrivalsConfig process = fit_to (&figures);
      ck_assert_int_eq (process.kind, BN_ARRIVALS_CORRELATED);
      ck_assert_double_eq_tol (process.cv, rows[i].cv, 0.04 * rows[i].cv);
      ck_assert_double_eq_tol (process.autocorrelation, rows[i].autocorrelation, 0.02);
      ck_assert_double_eq_tol (process.autocorr_decay, rows[i].decay, 0.02);

      BnFitFigures own = bn_trace_fit_of_process (&process, &figures, 1);
      ck_assert_double_eq_tol (own.cv.value, figures.cv.value, 0.05 * rows[i].cv);
      for (int k = 0; k < BN_FIT_LAGS; k++)
        ck_assert_double_eq_tol (own.at[k].value, figures.at[k].value, 0.03);
      ck_assert_double_eq_tol (own.counts_cv.value, figures.counts_cv.value, 5 * figures.counts_cv.error);
    }
}
END_TEST

/* Gaps of 1 s and of 3 s in turn: a memory that no factor describes, and that alternates. */
START_TEST (what_alternates_and_does_not_fade_is_met_at_the_least_decay)
{
  BnTraceFit *fit = bn_trace_fit_new ();
  BnTime now = 0;

  for (int i = 0; i < 1001; i++, now += (i % 2 ? 1 : 3) * BN_NS_PER_S)
    bn_trace_fit_add (fit, now);
  BnFitFigures f = bn_trace_fit_figures (fit);
  bn_trace_fit_free (fit);
  ck_assert_double_eq (f.rate_per_s.value, 0.5);
  ck_assert_double_eq_tol (f.cv.value, 0.5, 1e-3);
  ck_assert_double_eq_tol (f.at[0].value, -0.999, 1e-9);
  ck_assert_double_eq_tol (f.at[1].value, 0.998, 1e-9);
  ck_assert_double_eq (f.ties.value, 0);
  BnArrivalsConfig process = fit_to (&f);
  ck_assert_int_eq (process.kind, BN_ARRIVALS_CORRELATED);
  ck_assert_double_eq (process.autocorr_decay, 0.9999);
  /* gammas of opposite normals are not as opposite as that */
  ck_assert_double_gt (process.autocorrelation, -0.9);
}
END_TEST

/* Three together every second: independent gaps are nearer than any that alternate gap by gap. */
START_TEST (a_memory_that_the_process_would_make_worse_is_left_out)
{
  BnTraceFit *fit = bn_trace_fit_new ();

  for (int i = 0; i < 3000; i++)
    bn_trace_fit_add (fit, i / 3 * BN_NS_PER_S);
  BnFitFigures f = bn_trace_fit_figures (fit);
  bn_trace_fit_free (fit);
  ck_assert_double_eq_tol (f.at[0].value, -0.5, 1e-3);
  ck_assert_double_eq_tol (f.at[1].value, -0.5, 1e-3);
  ck_assert_double_eq_tol (f.ties.value, 2.0 / 3, 1e-3);
  ck_assert_int_eq (fit_to (&f).kind, BN_ARRIVALS_GAMMA);
}
END_TEST

START_TEST (a_rate_that_changes_shows_in_the_counts)
{
  BnRateShape shape = { .kind = BN_RATE_DIURNAL, .amplitude = 0.2, .period_ns = 10000 * BN_NS_PER_S };
  BnArrivalsConfig config = { .kind = BN_ARRIVALS_POISSON, .shape = shape };
  BnFitFigures figures = figures_of (config, 100000);
  BnArrivalsConfig process = fit_to (&figures);
  BnFitFigures own = bn_trace_fit_of_process (&process, &figures, 1);

  /* the standard deviation of a sine */
  ck_assert_double_eq_tol (figures.counts_cv.value, 0.2 / sqrt (2), 0.01);
  ck_assert_double_lt (own.counts_cv.value, 0.05);
}
END_TEST

static void
assert_refuses (const BnTime *times, int n, const char *expected)
{
  BnTraceFit *fit = bn_trace_fit_new ();
  BnArrivalsConfig process;
  GError *error = NULL;

  for (int i = 0; i < n; i++)
    bn_trace_fit_add (fit, times[i]);
  BnFitFigures figures = bn_trace_fit_figures (fit);
  bn_trace_fit_free (fit);
  ck_assert (!bn_trace_fit_choose (&figures, &process, &error));
  ck_assert_str_eq (error->message, expected);
  g_error_free (error);
}

START_TEST (too_few_arrivals_are_refused)
{
  static const BnTime two[] = { 1, 5 }, together[] = { 3, 3, 3, 3 };

  assert_refuses (two, 2, "gives less than three arrivals; a process is fitted to three or better to a thousand");
  assert_refuses (two, 1, "gives less than three arrivals; a process is fitted to three or better to a thousand");
  assert_refuses (together, 4, "gives 4 arrivals at one time, which no process does; give more of the trace");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("trace fit");
  TCase *t = tcase_create ("trace fit");

  tcase_set_timeout (t, 120);
  tcase_add_test (t, processes_without_memory_are_told_apart);
  tcase_add_test (t, the_variation_of_gamma_gaps_is_given_back);
  tcase_add_test (t, cv_autocorrelation_and_decay_are_given_back);
  tcase_add_test (t, what_alternates_and_does_not_fade_is_met_at_the_least_decay);
  tcase_add_test (t, a_memory_that_the_process_would_make_worse_is_left_out);
  tcase_add_test (t, a_rate_that_changes_shows_in_the_counts);
  tcase_add_test (t, too_few_arrivals_are_refused);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
