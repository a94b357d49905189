/* test_gamma.c: the gamma distribution against those it becomes for some shapes, and against itself.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <math.h>

#include "distribution.h"
#include "gamma.h"
#include "suite.h"

START_TEST (log_gamma_agrees_with_the_c_library)
{
  for (double x = 1e-5; x < 1e7; x *= 1.13)
    ck_assert_double_eq_tol (bn_log_gamma (x), lgamma (x), 2e-14 * (1 + fabs (lgamma (x))));
  ck_assert_double_eq_tol (bn_log_gamma (0.5), 0.5 * log (M_PI), 2e-14);
  ck_assert_double_eq_tol (bn_log_gamma (1), 0, 2e-14);
  ck_assert_double_eq_tol (bn_log_gamma (11), log (3628800), 3e-13);
}
END_TEST

/* Shape 1: x = -ln (1 - u). */
START_TEST (points_of_shape_one_are_those_of_the_exponential)
{
  for (double z = -9; z <= 9; z += 0.125)
    {
      double x = z < 0 ? -log1p (-bn_normal_tail (-z)) : -log (bn_normal_tail (z));
      ck_assert_double_eq_tol (bn_gamma_log_point (1, z), log (x), 1e-12);
    }
}
END_TEST

/* Twice a gamma of shape 1/2 is the square of a normal: P (X > y^2 / 2) = 2 P (Z > y). */
START_TEST (points_of_shape_a_half_are_squares_of_normals)
{
  for (double y = 0.5; y < 8; y += 0.25)
    {
      double tail = 2 * bn_normal_tail (y), z = tail < 0.5 ? -bn_normal_quantile (tail) : bn_normal_quantile (1 - tail);
      ck_assert_double_eq_tol (bn_gamma_log_point (0.5, z), log (y * y / 2), 1e-12);
    }
}
END_TEST

/* A gamma of whole shape n is above x as often as a Poisson count of mean x is below n. */
START_TEST (tails_of_whole_shapes_are_sums_of_poisson_probabilities)
{
  for (int shape = 1; shape <= 40; shape += 3)
    for (double x = 0.05; x < 120; x *= 1.4)
      {
        double term = 1, sum = 0;
        for (int k = 0; k < shape; k++)
          {
            sum += term;
            term *= x / (k + 1);
          }
        double above = log (sum) - x;
        ck_assert_double_eq_tol (bn_gamma_log_above (shape, log (x)), above, 1e-12);
        if (above < -1e-3)
          ck_assert_double_eq_tol (bn_gamma_log_below (shape, log (x)), log1p (-exp (above)), 1e-11);
      }
}
END_TEST

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: the upper 5 % and 1 % of chi-square, which is twice a
 * gamma of half as many degrees. */
START_TEST (points_are_those_of_the_table_of_chi_square)
{
  static const struct
  {
    double degrees, upper05, upper01;
  } rows[] = { { 1, 3.841, 6.635 }, { 2, 5.991, 9.210 },   { 3, 7.815, 11.345 },  { 5, 11.070, 15.086 },
               { 9, 16.919, 21.666 }, { 30, 43.773, 50.892 }, { 100, 124.342, 135.807 } };
  double z05 = bn_normal_quantile (0.95), z01 = bn_normal_quantile (0.99);

  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      ck_assert_double_eq_tol (2 * exp (bn_gamma_log_point (rows[i].degrees / 2, z05)), rows[i].upper05, 0.0006);
      ck_assert_double_eq_tol (2 * exp (bn_gamma_log_point (rows[i].degrees / 2, z01)), rows[i].upper01, 0.0006);
    }
}
END_TEST

/* For any shape a point has as much below it as z, in both tails; and points rise. */
START_TEST (points_have_what_was_asked_for_below_them)
{
  static const double shapes[] = { 1e-4, 0.003, 0.04, 0.3, 0.99, 1.7, 12.5, 400, 1e4, 1e6 };

  for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    {
      double before = -INFINITY;
      for (double z = -9; z <= 9; z += 0.09375)
        {
          double point = bn_gamma_log_point (shapes[i], z);
          double got = z < 0 ? bn_gamma_log_below (shapes[i], point) : bn_gamma_log_above (shapes[i], point);
          ck_assert_msg (point > before, "shape %g, z %g", shapes[i], z);
          ck_assert_double_eq_tol (got, log (bn_normal_tail (fabs (z))), 1e-8);
          before = point;
        }
    }
}
END_TEST

/* Far from both ends of a large shape, a gamma is its mean plus a normal: the skewness moves the median by 1/3. */
START_TEST (large_shapes_are_nearly_normal)
{
  ck_assert_double_eq_tol (exp (bn_gamma_log_point (1e6, 0)), 1e6 - 1.0 / 3, 1e-2);
  ck_assert_double_eq_tol (exp (bn_gamma_log_point (1e6, 1)) - exp (bn_gamma_log_point (1e6, -1)), 2000, 1e-2);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("gamma");
  TCase *t = tcase_create ("gamma");

  tcase_add_test (t, log_gamma_agrees_with_the_c_library);
  tcase_add_test (t, points_of_shape_one_are_those_of_the_exponential);
  tcase_add_test (t, points_of_shape_a_half_are_squares_of_normals);
  tcase_add_test (t, tails_of_whole_shapes_are_sums_of_poisson_probabilities);
  tcase_add_test (t, points_are_those_of_the_table_of_chi_square);
  tcase_add_test (t, points_have_what_was_asked_for_below_them);
  tcase_add_test (t, large_shapes_are_nearly_normal);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
