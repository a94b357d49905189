/* test_fit.c: medians, spreads, and the line through what copies took.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>

#include "fit.h"
#include "suite.h"

static GArray *
samples (const double *values, guint n)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (double));

  g_array_append_vals (array, values, n);
  return array;
}

START_TEST (a_median_and_a_spread_do_not_mind_a_disturbed_sample)
{
  GArray *calm = samples ((const double[]) { 102, 98, 100, 99, 101 }, 5);
  GArray *disturbed = samples ((const double[]) { 102, 98, 100, 99, 5000 }, 5);
  GArray *few = samples ((const double[]) { 1, 9 }, 2);

  ck_assert_double_eq (bn_fit_median (calm), 100);
  ck_assert_double_eq_tol (bn_fit_spread (calm), 2 / 1.349 / 100, 1e-12);
  ck_assert_double_eq (bn_fit_median (disturbed), 100);
  ck_assert_double_lt (bn_fit_spread (disturbed), 0.03);
  ck_assert_double_eq (bn_fit_median (few), 5);
  ck_assert_double_eq (bn_fit_spread (few), 0);
  g_array_unref (calm);
  g_array_unref (disturbed);
  g_array_unref (few);
}
END_TEST

START_TEST (copies_on_a_line_are_fitted_exactly)
{
  /* 20 us and 1 GB/s */
  static const BnFitPoint points[] = { { 1000, 3, 21000 }, { 1000000, 3, 1020000 }, { 50000000, 3, 50020000 } };
  BnMeasuredCopy copy = bn_fit_copy (points, G_N_ELEMENTS (points));

  ck_assert_int_eq (copy.latency_ns, 20000);
  ck_assert_int_ge (copy.bytes_per_s, 999999999);
  ck_assert_int_le (copy.bytes_per_s, 1000000001);
}
END_TEST

START_TEST (a_fit_has_no_negative_latency_and_no_negative_rate)
{
  static const BnFitPoint steep[] = { { 1000, 3, 100 }, { 100000, 3, 100000 } };
  static const BnFitPoint falling[] = { { 1000, 3, 5000 }, { 100000, 3, 4000 } };
  static const BnFitPoint one[] = { { 1000, 3, 5000 } };
  BnMeasuredCopy copy = bn_fit_copy (steep, 2);

  ck_assert_int_eq (copy.latency_ns, 0);
  ck_assert_int_gt (copy.bytes_per_s, 0);
  copy = bn_fit_copy (falling, 2);
  ck_assert_int_eq (copy.bytes_per_s, 0);
  ck_assert_int_ge (copy.latency_ns, 4000);
  ck_assert_int_le (copy.latency_ns, 5000);
  copy = bn_fit_copy (one, 1);
  ck_assert_int_eq (copy.latency_ns, 5000);
  ck_assert_int_eq (copy.bytes_per_s, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("fit");
  TCase *t = tcase_create ("fit");

  tcase_add_test (t, a_median_and_a_spread_do_not_mind_a_disturbed_sample);
  tcase_add_test (t, copies_on_a_line_are_fitted_exactly);
  tcase_add_test (t, a_fit_has_no_negative_latency_and_no_negative_rate);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
