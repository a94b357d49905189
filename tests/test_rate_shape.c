/* test_rate_shape.c: rates that change over time, against integrals by hand and against arrivals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Counts are held to five standard errors; seeds are fixed.
 */
#include <check.h>
#include <math.h>

#include "arrivals.h"
#include "catalogue.h"
#include "suite.h"

#define HOUR_S 3600.0

static const BnRateShape day = { .kind = BN_RATE_DIURNAL, .amplitude = 0.8, .period_ns = 24 * 3600 * BN_NS_PER_S };
static const BnRateShape spike = { .kind = BN_RATE_SPIKE, .at_ns = 10 * BN_NS_PER_S, .length_ns = 2 * BN_NS_PER_S,
                                   .factor = 5 };
static const BnRateShape spikes = { .kind = BN_RATE_SPIKE, .at_ns = 10 * BN_NS_PER_S, .length_ns = 2 * BN_NS_PER_S,
                                    .every_ns = 6 * BN_NS_PER_S, .factor = 5 };
static const BnRateShape outage = { .kind = BN_RATE_SPIKE, .at_ns = 10 * BN_NS_PER_S, .length_ns = 2 * BN_NS_PER_S,
                                    .every_ns = 6 * BN_NS_PER_S, .factor = 0 };

/* By hand: 10 s, then 2 s of five times as much, and so on. */
START_TEST (passed_time_round_spikes_is_that_by_hand)
{
  ck_assert_double_eq (bn_rate_shape_passed (&spike, 9), 9);
  ck_assert_double_eq (bn_rate_shape_passed (&spike, 11), 15);
  ck_assert_double_eq (bn_rate_shape_passed (&spike, 12), 20);
  ck_assert_double_eq (bn_rate_shape_passed (&spike, 30), 38);
  ck_assert_double_eq (bn_rate_shape_passed (&spikes, 16), 24);
  ck_assert_double_eq (bn_rate_shape_passed (&spikes, 17), 29);
  ck_assert_double_eq (bn_rate_shape_passed (&spikes, 20), 36);
  ck_assert_double_eq (bn_rate_shape_passed (&outage, 11), 10);
  ck_assert_double_eq (bn_rate_shape_passed (&outage, 23), 18);

  ck_assert_double_eq (bn_rate_shape_time (&spike, 9), 9);
  ck_assert_double_eq (bn_rate_shape_time (&spike, 15), 11);
  ck_assert_double_eq (bn_rate_shape_time (&spike, 38), 30);
  ck_assert_double_eq (bn_rate_shape_time (&spikes, 29), 17);
  ck_assert_double_eq (bn_rate_shape_time (&spikes, 36), 20);
  ck_assert_double_eq (bn_rate_shape_time (&outage, 17), 21);

  ck_assert_double_eq (bn_rate_shape_mean (&spike), 1);
  ck_assert_double_eq_tol (bn_rate_shape_mean (&spikes), 1 + 4.0 / 3, 1e-15);
  ck_assert_double_eq_tol (bn_rate_shape_mean (&outage), 2.0 / 3, 1e-15);
}
END_TEST

/* The integral of 1 + a sin (2 pi t / P) is t + a P / (2 pi) (1 - cos (2 pi t / P)). */
START_TEST (passed_time_of_a_day_is_the_integral)
{
  double bend_s = 0.8 * 24 * HOUR_S / (2 * M_PI);
  BnRateShape late = day;
  late.phase = 0.75;

  ck_assert_double_eq (bn_rate_shape_passed (&day, 0), 0);
  ck_assert_double_eq_tol (bn_rate_shape_passed (&day, 6 * HOUR_S), 6 * HOUR_S + bend_s, 1e-10);
  ck_assert_double_eq_tol (bn_rate_shape_passed (&day, 12 * HOUR_S), 12 * HOUR_S + 2 * bend_s, 1e-10);
  ck_assert_double_eq_tol (bn_rate_shape_passed (&day, 24 * HOUR_S), 24 * HOUR_S, 1e-10);
  ck_assert_double_eq_tol (bn_rate_shape_passed (&day, 10 * 24 * HOUR_S), 10 * 24 * HOUR_S, 1e-9);
  /* from the trough to the mean, and to the peak */
  ck_assert_double_eq_tol (bn_rate_shape_passed (&late, 6 * HOUR_S), 6 * HOUR_S - bend_s, 1e-10);
  ck_assert_double_eq_tol (bn_rate_shape_passed (&late, 12 * HOUR_S), 12 * HOUR_S, 1e-10);
  ck_assert_double_eq (bn_rate_shape_mean (&day), 1);
}
END_TEST

/* At any amplitude but 1 to a tenth of a nanosecond within a day, and as well as doubles can later. */
START_TEST (times_have_what_has_passed_behind_them)
{
  static const double amplitudes[] = { 0, 0.3, 0.9, 0.999 };
  BnRateShape shape = day;

  for (int i = 0; i < 4; i++)
    for (double phase = 0; phase < 1; phase += 0.1)
      for (double t_s = 1; t_s < 1e7; t_s *= 1.37)
        {
          shape.amplitude = amplitudes[i];
          shape.phase = phase;
          double passed_s = bn_rate_shape_passed (&shape, t_s);
          double rate = 1 + shape.amplitude * sin (2 * M_PI * (t_s / 24 / HOUR_S + phase));
          double digits_s = 4e-16 * (t_s + 24 * HOUR_S);
          ck_assert_double_eq_tol (bn_rate_shape_time (&shape, passed_s), t_s, 4 * digits_s / rate);
        }
}
END_TEST

/* Where the rate falls to nothing, time cannot be told from what has passed, but that is what it must be. */
START_TEST (a_rate_that_stops_at_times_is_inverted_too)
{
  BnRateShape shape = day;
  double before_s = 0;
  shape.amplitude = 1;

  for (double passed_s = 0; passed_s < 48 * HOUR_S; passed_s += 61.7)
    {
      double t_s = bn_rate_shape_time (&shape, passed_s);
      ck_assert_double_eq_tol (bn_rate_shape_passed (&shape, t_s), passed_s, 1e-10);
      ck_assert_double_ge (t_s, before_s);
      before_s = t_s;
    }
}
END_TEST

/* ---- arrivals ---- */

static const double weight = 1;

static BnArrivalsConfig
config_of (BnArrivalsKind kind, double rate_per_s, const BnRateShape *shape)
{
  return (BnArrivalsConfig) {
    .kind = kind, .rate_per_s = rate_per_s, .cv = 2, .autocorrelation = 0.2, .autocorr_decay = 0.8,
    .on_ns = 5 * BN_NS_PER_S, .off_ns = 5 * BN_NS_PER_S, .shape = *shape, .weights = &weight,
    .max_jobs = INT64_MAX, .until_ns = BN_TIME_NEVER, .n_workers = 1, .seed = 1,
  };
}

static BnArrivals *
open_arrivals (const BnArrivalsConfig *config, BnCatalogue **catalogue)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();

  bn_catalogue_builder_add_workflow (b, "job");
  bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, BN_NS_PER_S, NULL, 0);
  *catalogue = bn_catalogue_builder_finish (b, NULL);
  return bn_arrivals_new (config, *catalogue, NULL);
}

/* Arrivals in each of n windows of the same length. */
static void
count_arrivals (const BnArrivalsConfig *config, BnDuration window_ns, int n, double *counts)
{
  BnCatalogue *catalogue;
  BnArrivals *arrivals = open_arrivals (config, &catalogue);
  BnJobSpec job;
  BnTime last_ns = 0;

  for (int i = 0; i < n; i++)
    counts[i] = 0;
  while (bn_arrivals_next (arrivals, &job, NULL) == BN_ARRIVALS_JOB && job.create_ns < n * window_ns)
    {
      ck_assert_int_ge (job.create_ns, last_ns);
      last_ns = job.create_ns;
      counts[job.create_ns / window_ns]++;
    }
  bn_arrivals_free (arrivals);
  bn_catalogue_free (catalogue);
}

/* One a second, and five a second in a spike: 1 … 10, 10.2, 10.4, … 12, 13, … */
START_TEST (uniform_arrivals_round_a_spike_are_exact)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_UNIFORM, 1, &spikes);
  BnCatalogue *catalogue;
  BnArrivals *arrivals = open_arrivals (&config, &catalogue);
  BnJobSpec job;

  for (int n = 1; n <= 34; n++)
    {
      int64_t tenths = n <= 10   ? 10 * n
                       : n <= 20 ? 100 + 2 * (n - 10)
                       : n <= 24 ? 120 + 10 * (n - 20)
                                 : 160 + 2 * (n - 24);
      ck_assert_int_eq (bn_arrivals_next (arrivals, &job, NULL), BN_ARRIVALS_JOB);
      ck_assert_int_eq (job.create_ns, tenths * (BN_NS_PER_S / 10));
    }
  bn_arrivals_free (arrivals);
  bn_catalogue_free (catalogue);
}
END_TEST

START_TEST (arrivals_of_each_hour_follow_the_integral)
{
  static const BnArrivalsKind kinds[] = { BN_ARRIVALS_POISSON, BN_ARRIVALS_UNIFORM, BN_ARRIVALS_GAMMA,
                                          BN_ARRIVALS_CORRELATED, BN_ARRIVALS_ONOFF };
  /* of the variance of a count over its mean: 1, 0, cv^2, times (1 + r) / (1 - d) or so for the next, and the last:
     1 + 2 rate off^2 / (on + off) */
  static const double dispersions[] = { 1, 0, 4, 4 * (1 + 2 * 0.2 / (1 - 0.8)), 1 + 2 * 2 * 25 / 10.0 };

  for (int k = 0; k < 5; k++)
    {
      BnArrivalsConfig config = config_of (kinds[k], 2, &day);
      double counts[48];
      count_arrivals (&config, 3600 * BN_NS_PER_S, 48, counts);
      for (int hour = 0; hour < 48; hour++)
        {
          double begin = bn_rate_shape_passed (&day, hour * HOUR_S);
          double end = bn_rate_shape_passed (&day, (hour + 1) * HOUR_S);
          double expected = 2 * (end - begin);
          ck_assert_double_eq_tol (counts[hour], expected, 1 + 5 * sqrt (dispersions[k] * expected));
        }
    }
}
END_TEST

/* Each gap of the process, in operational time, is what it is with a rate that does not change. */
START_TEST (a_shape_changes_times_and_not_the_process)
{
  static const BnRateShape flat = { .kind = BN_RATE_FLAT };
  BnArrivalsConfig config = config_of (BN_ARRIVALS_CORRELATED, 3, &flat);
  BnArrivalsConfig shaped = config_of (BN_ARRIVALS_CORRELATED, 3, &day);
  BnCatalogue *catalogue, *other;
  BnArrivals *a = open_arrivals (&config, &catalogue), *b = open_arrivals (&shaped, &other);
  BnJobSpec job, moved;

  for (int i = 0; i < 20000; i++)
    {
      ck_assert_int_eq (bn_arrivals_next (a, &job, NULL), BN_ARRIVALS_JOB);
      ck_assert_int_eq (bn_arrivals_next (b, &moved, NULL), BN_ARRIVALS_JOB);
      double passed_s = bn_rate_shape_passed (&day, (double) moved.create_ns / 1e9);
      ck_assert_double_eq_tol (passed_s, (double) job.create_ns / 1e9, 5e-9);
    }
  bn_arrivals_free (a);
  bn_arrivals_free (b);
  bn_catalogue_free (catalogue);
  bn_catalogue_free (other);
}
END_TEST

START_TEST (nothing_comes_in_an_outage)
{
  BnArrivalsConfig config = config_of (BN_ARRIVALS_POISSON, 50, &outage);
  double counts[48];

  count_arrivals (&config, BN_NS_PER_S, 48, counts);
  for (int s = 0; s < 48; s++)
    ck_assert_int_eq (counts[s] == 0, s >= 10 && (s - 10) % 6 < 2);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("rate shapes");
  TCase *t = tcase_create ("rate shapes");

  tcase_set_timeout (t, 60);
  tcase_add_test (t, passed_time_round_spikes_is_that_by_hand);
  tcase_add_test (t, passed_time_of_a_day_is_the_integral);
  tcase_add_test (t, times_have_what_has_passed_behind_them);
  tcase_add_test (t, a_rate_that_stops_at_times_is_inverted_too);
  tcase_add_test (t, uniform_arrivals_round_a_spike_are_exact);
  tcase_add_test (t, arrivals_of_each_hour_follow_the_integral);
  tcase_add_test (t, a_shape_changes_times_and_not_the_process);
  tcase_add_test (t, nothing_comes_in_an_outage);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
