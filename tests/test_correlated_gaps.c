/* test_correlated_gaps.c: gaps with a memory have the moments and the autocorrelation that they promise.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Standard errors are those of means over independent sequences, from their spread; seeds are fixed.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "correlated_gaps.h"
#include "suite.h"

/* Independent sequences, and gaps in each. */
#define N_SEQUENCES 40
#define N_GAPS 5000

typedef struct Estimate
{
  double mean, error;   /* its standard error */
} Estimate;

static Estimate
estimate (const double values[N_SEQUENCES])
{
  double sum = 0, squares = 0;

  for (int i = 0; i < N_SEQUENCES; i++)
    sum += values[i];
  double mean = sum / N_SEQUENCES;
  for (int i = 0; i < N_SEQUENCES; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  return (Estimate) { mean, sqrt (squares / (N_SEQUENCES - 1) / N_SEQUENCES) };
}

static void
assert_estimates (const double values[N_SEQUENCES], double expected)
{
  Estimate e = estimate (values);

  ck_assert_msg (fabs (e.mean - expected) < 4.5 * e.error, "%g +- %g, and expected is %g", e.mean, e.error, expected);
}

/* Mean product of gaps, less 1 and over their variance, at a lag: the true mean is 1 and the true variance cv^2. */
static double
correlation_at (const double *gaps, int lag, double cv)
{
  double sum = 0;

  for (int i = lag; i < N_GAPS; i++)
    sum += (gaps[i] - 1) * (gaps[i - lag] - 1);
  return sum / (N_GAPS - lag) / (cv * cv);
}

/* The third and further lags are those of normals with correlation r decay^(lag - 1). */
static void
assert_process (double cv, double autocorrelation, double decay)
{
  static const int lags[] = { 1, 2, 3, 7 };
  double gaps[N_GAPS], means[N_SEQUENCES], variances[N_SEQUENCES], at[4][N_SEQUENCES], firsts[N_SEQUENCES];
  BnGapCorrelation *c = bn_gap_correlation_new (cv);
  double r = bn_gap_correlation_to_normals (c, autocorrelation), memory = r < 0 ? -decay : decay;

  for (int s = 0; s < N_SEQUENCES; s++)
    {
      BnRng rng;
      bn_rng_init (&rng, (uint64_t) s, "gaps");
      BnCorrelatedGaps *g = bn_correlated_gaps_new (cv, autocorrelation, decay, &rng);
      means[s] = variances[s] = 0;
      for (int i = 0; i < N_GAPS; i++)
        {
          gaps[i] = bn_correlated_gaps_next (g, &rng);
          means[s] += gaps[i] / N_GAPS;
          variances[s] += (gaps[i] - 1) * (gaps[i] - 1) / N_GAPS;
        }
      firsts[s] = gaps[0];
      for (int k = 0; k < 4; k++)
        at[k][s] = correlation_at (gaps, lags[k], cv);
      bn_correlated_gaps_free (g);
    }
  assert_estimates (means, 1);
  assert_estimates (variances, cv * cv);
  assert_estimates (at[0], autocorrelation);
  for (int k = 1; k < 4; k++)
    assert_estimates (at[k], bn_gap_correlation_of_normals (c, r * pow (memory, lags[k] - 1)));
  /* as the following */
  assert_estimates (firsts, 1);
  bn_gap_correlation_free (c);
}

START_TEST (gaps_have_mean_variation_and_autocorrelation_that_were_asked_for)
{
  assert_process (1, 0.3, 0.9);
  assert_process (2, 0.2, 0.95);
  assert_process (0.5, 0.6, 0.7);
  assert_process (3, 0.1, 0.5);
}
END_TEST

START_TEST (negative_autocorrelation_alternates)
{
  assert_process (0.5, -0.4, 0.6);
  assert_process (1, -0.3, 0.8);
}
END_TEST

START_TEST (without_autocorrelation_gaps_are_independent)
{
  assert_process (1, 0, 0.9);
}
END_TEST

/* Exponentials of opposite normals are -ln u and -ln (1 - u): their correlation is 1 - pi^2 / 6. */
START_TEST (least_correlation_of_exponentials_is_the_closed_form)
{
  BnGapCorrelation *c = bn_gap_correlation_new (1);

  ck_assert_double_eq_tol (bn_gap_correlation_of_normals (c, -1), 1 - M_PI * M_PI / 6, 1e-8);
  bn_gap_correlation_free (c);
}
END_TEST

START_TEST (correlation_is_nothing_at_0_all_at_1_and_rises)
{
  for (double cv = 0.03; cv <= 100; cv *= 3)
    {
      BnGapCorrelation *c = bn_gap_correlation_new (cv);
      double before = -1.1;
      ck_assert_double_eq_tol (bn_gap_correlation_of_normals (c, 0), 0, 1e-8);
      ck_assert_double_eq_tol (bn_gap_correlation_of_normals (c, 1), 1, 1e-8);
      for (double r = -1; r <= 1; r += 0.125)
        {
          double now = bn_gap_correlation_of_normals (c, r);
          ck_assert_double_gt (now, before - 1e-9);
          ck_assert_double_le (fabs (now), fabs (r) + 1e-8);
          before = now;
        }
      bn_gap_correlation_free (c);
    }
}
END_TEST

START_TEST (correlation_of_normals_is_found_again)
{
  for (double cv = 0.1; cv <= 30; cv *= 2)
    {
      BnGapCorrelation *c = bn_gap_correlation_new (cv);
      for (double r = 0.1; r < 1; r += 0.2)
        ck_assert_double_eq_tol (bn_gap_correlation_to_normals (c, bn_gap_correlation_of_normals (c, r)), r, 1e-6);
      ck_assert_double_eq (bn_gap_correlation_to_normals (c, 1.01), 1);
      ck_assert_double_eq (bn_gap_correlation_to_normals (c, -1.01), -1);
      bn_gap_correlation_free (c);
    }
}
END_TEST

/* The most that can be had is an autoregression of the decay alone. */
START_TEST (range_is_that_of_an_autoregression_alone)
{
  BnGapCorrelation *c = bn_gap_correlation_new (2);
  double low, high;

  bn_gap_correlation_range (c, 0.8, &low, &high);
  ck_assert_double_eq_tol (bn_gap_correlation_to_normals (c, high), 0.8, 1e-6);
  ck_assert_double_gt (low, -0.25);   /* a cv of 2 allows no less: gaps are not negative */
  ck_assert_double_lt (low, -0.2);
  bn_gap_correlation_free (c);
  assert_process (2, high, 0.8);
}
END_TEST

/* Bit patterns, so that a processor or compiler that computes another last bit fails here first. */
START_TEST (gaps_are_the_same_bits_everywhere)
{
  BnRng rng;
  uint64_t digest = 0;

  bn_rng_init (&rng, 1, "bits");
  BnCorrelatedGaps *g = bn_correlated_gaps_new (2.5, 0.25, 0.9, &rng);
  for (int i = 0; i < 10000; i++)
    {
      double gap = bn_correlated_gaps_next (g, &rng);
      uint64_t bits;
      memcpy (&bits, &gap, sizeof bits);
      digest = (digest ^ bits) * UINT64_C (0x100000001b3);
    }
  bn_correlated_gaps_free (g);
  ck_assert_uint_eq (digest, UINT64_C (5148718070940293491));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("correlated gaps");
  TCase *t = tcase_create ("correlated gaps");

  tcase_set_timeout (t, 60);
  tcase_add_test (t, gaps_have_mean_variation_and_autocorrelation_that_were_asked_for);
  tcase_add_test (t, negative_autocorrelation_alternates);
  tcase_add_test (t, without_autocorrelation_gaps_are_independent);
  tcase_add_test (t, least_correlation_of_exponentials_is_the_closed_form);
  tcase_add_test (t, correlation_is_nothing_at_0_all_at_1_and_rises);
  tcase_add_test (t, correlation_of_normals_is_found_again);
  tcase_add_test (t, range_is_that_of_an_autoregression_alone);
  tcase_add_test (t, gaps_are_the_same_bits_everywhere);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
