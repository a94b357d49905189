/* test_rng.c: the generator is the published one, and the distributions have
 * the moments they promise.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Moments are checked at five standard errors of the estimate: the seeds are
 * fixed, so a test passes always or never.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "fmath.h"
#include "rng.h"
#include "suite.h"

#define N 200000

/* The first outputs of xoshiro256** from the state 1, 2, 3, 4, worked by hand:
 * rotl (2 * 5, 7) * 9 = 11520; then s1 = 1 ^ 2 ^ 3 = 0, which gives 0; then
 * s = (7, 0, 262146, 6 << 45) … */
START_TEST (generator_follows_the_published_recurrence)
{
  BnRng rng = { { 1, 2, 3, 4 } };
  ck_assert_uint_eq (bn_rng_next (&rng), 11520);
  ck_assert_uint_eq (bn_rng_next (&rng), 0);
  ck_assert_uint_eq (bn_rng_next (&rng), 1509978240);
  ck_assert_uint_eq (bn_rng_next (&rng), UINT64_C (1215971899390074240));
}
END_TEST

START_TEST (streams_depend_on_seed_and_name_alone)
{
  BnRng a, b, c, d;
  bn_rng_init (&a, 1, "arrivals");
  bn_rng_init (&b, 1, "arrivals");
  bn_rng_init (&c, 1, "ingress");
  bn_rng_init (&d, 2, "arrivals");
  int equal_c = 0, equal_d = 0;
  for (int i = 0; i < 1000; i++)
    {
      uint64_t x = bn_rng_next (&a);
      ck_assert_uint_eq (x, bn_rng_next (&b));
      equal_c += x == bn_rng_next (&c);
      equal_d += x == bn_rng_next (&d);
    }
  ck_assert_int_eq (equal_c, 0);
  ck_assert_int_eq (equal_d, 0);
}
END_TEST

/* Correlation of two independent uniform streams: standard error 1 / sqrt (N). */
START_TEST (neighbouring_seeds_and_names_are_uncorrelated)
{
  BnRng a, b, c;
  bn_rng_init (&a, 1, "x");
  bn_rng_init (&b, 2, "x");
  bn_rng_init (&c, 1, "y");
  double ab = 0, ac = 0;
  for (int i = 0; i < N; i++)
    {
      double x = bn_rng_uniform (&a) - 0.5, y = bn_rng_uniform (&b) - 0.5, z = bn_rng_uniform (&c) - 0.5;
      ab += x * y * 12;
      ac += x * z * 12;
    }
  ck_assert_double_lt (fabs (ab / N), 5 / sqrt (N));
  ck_assert_double_lt (fabs (ac / N), 5 / sqrt (N));
}
END_TEST

/* Chi-square with 6 degrees of freedom exceeds 27.9 once in 10,000. */
START_TEST (below_is_uniform_and_in_range)
{
  BnRng rng;
  bn_rng_init (&rng, 7, "below");
  int counts[7] = { 0 };
  for (int i = 0; i < 70000; i++)
    {
      uint64_t x = bn_rng_below (&rng, 7);
      ck_assert_uint_lt (x, 7);
      counts[x]++;
    }
  double chi_square = 0;
  for (int i = 0; i < 7; i++)
    chi_square += (counts[i] - 10000.0) * (counts[i] - 10000.0) / 10000.0;
  ck_assert_double_lt (chi_square, 27.9);
  ck_assert_uint_eq (bn_rng_below (&rng, 1), 0);
  /* two thirds of the range: a biased method would favour the lower half */
  uint64_t n = UINT64_C (3) << 62;
  int low = 0;
  for (int i = 0; i < 30000; i++)
    low += bn_rng_below (&rng, n) < n / 2;
  ck_assert_double_lt (fabs (low - 15000.0), 5 * sqrt (30000 * 0.25));
}
END_TEST

/* Pearson's chi-square over the three of four that have a weight: two degrees of freedom, 18.4 at 1e-4. */
START_TEST (weighted_draws_are_as_frequent_as_their_weights)
{
  static const double cumulative[] = { 0, 1, 4, 4, 10, 10 }, share[] = { 0, 0.1, 0.3, 0, 0.6, 0 };
  int n[6] = { 0 };
  double chi_square = 0;
  BnRng rng;
  bn_rng_init (&rng, 1, "weighted");
  for (int i = 0; i < N; i++)
    n[bn_rng_weighted (&rng, cumulative, 6)]++;
  for (int i = 0; i < 6; i++)
    if (share[i] > 0)
      chi_square += (n[i] - N * share[i]) * (n[i] - N * share[i]) / (N * share[i]);
    else
      ck_assert_int_eq (n[i], 0);
  ck_assert_double_lt (chi_square, 18.4);
}
END_TEST

typedef enum
{
  UNIFORM,
  EXPONENTIAL,
  NORMAL,
  GAMMA,
  LOGNORMAL
} Distribution;

static double
draw (BnRng *rng, Distribution distribution, double cv)
{
  switch (distribution)
    {
    case UNIFORM:
      return bn_rng_uniform (rng);
    case EXPONENTIAL:
      return bn_rng_exponential (rng);
    case NORMAL:
      return bn_rng_normal (rng);
    case GAMMA:
      return bn_rng_gamma (rng, cv);
    case LOGNORMAL:
      return bn_rng_lognormal (rng, cv);
    }
  return 0;
}

/* Mean and standard deviation `sd`; `kurtosis` is the fourth standardised
 * moment, so that the variance has standard error sd^2 sqrt ((kurtosis - 1) / N). */
static void
assert_moments (Distribution distribution, double cv, double mean, double sd, double kurtosis)
{
  BnRng rng;
  bn_rng_init (&rng, 11, "moments");
  double sum = 0, squares = 0, least = INFINITY;
  for (int i = 0; i < N; i++)
    {
      double x = draw (&rng, distribution, cv);
      ck_assert (isfinite (x));
      sum += x - mean;
      squares += (x - mean) * (x - mean);
      least = x < least ? x : least;
    }
  ck_assert_double_le_tol (fabs (sum / N), 5 * sd / sqrt (N), 0);
  ck_assert_double_le_tol (fabs (squares / N - sd * sd), 5 * sd * sd * sqrt ((kurtosis - 1) / N), 0);
  if (distribution != NORMAL)
    ck_assert_double_ge (least, 0);
}

START_TEST (uniform_exponential_and_normal_have_their_moments)
{
  assert_moments (UNIFORM, 0, 0.5, sqrt (1.0 / 12), 1.8);
  assert_moments (EXPONENTIAL, 0, 1, 1, 9);
  assert_moments (NORMAL, 0, 0, 1, 3);
}
END_TEST

/* Gamma of shape 1/cv^2: kurtosis 3 + 6 cv^2. */
START_TEST (gamma_has_mean_one_and_a_true_coefficient_of_variation)
{
  static const double cvs[] = { 0.1, 0.5, 1.0, 1.5, 3.0 };
  for (unsigned i = 0; i < sizeof cvs / sizeof cvs[0]; i++)
    assert_moments (GAMMA, cvs[i], 1, cvs[i], 3 + 6 * cvs[i] * cvs[i]);
}
END_TEST

/* With w = 1 + cv^2: kurtosis w^4 + 2 w^3 + 3 w^2 - 3. */
START_TEST (lognormal_has_mean_one_and_a_true_coefficient_of_variation)
{
  static const double cvs[] = { 0.1, 0.5, 1.0 };
  for (unsigned i = 0; i < sizeof cvs / sizeof cvs[0]; i++)
    {
      double w = 1 + cvs[i] * cvs[i];
      assert_moments (LOGNORMAL, cvs[i], 1, cvs[i], w * w * w * w + 2 * w * w * w + 3 * w * w - 3);
    }
}
END_TEST

/* P (X > x) = e^-x: the whole shape, by the Kolmogorov distance at 12 points. */
START_TEST (exponential_has_the_right_tail)
{
  BnRng rng;
  bn_rng_init (&rng, 3, "tail");
  int beyond[12] = { 0 };
  for (int i = 0; i < N; i++)
    {
      double x = bn_rng_exponential (&rng);
      for (int j = 0; j < 12; j++)
        beyond[j] += x > 0.5 * j;
    }
  for (int j = 0; j < 12; j++)
    ck_assert_double_lt (fabs ((double) beyond[j] / N - exp (-0.5 * j)), 5 * 0.5 / sqrt (N));
}
END_TEST

static void
assert_close (double ours, double theirs, double x)
{
  ck_assert_msg (ours == theirs || fabs (ours - theirs) <= 4e-16 * fabs (theirs), "at %.17g: %.17g against %.17g", x,
                 ours, theirs);
}

START_TEST (logarithm_agrees_with_the_c_library)
{
  BnRng rng;
  bn_rng_init (&rng, 5, "log");
  for (int i = 0; i < N; i++)
    {
      double x = bn_rng_uniform (&rng);
      assert_close (bn_log (x), log (x), x);
      x = 0.5 + 1.5 * bn_rng_uniform (&rng);
      assert_close (bn_log (x), log (x), x);
      x = ldexp (1 + bn_rng_uniform (&rng), (int) bn_rng_below (&rng, 2090) - 1070);
      assert_close (bn_log (x), log (x), x);
    }
  assert_close (bn_log (1 + 0x1p-52), log (1 + 0x1p-52), 1);
  ck_assert_double_eq (bn_log (1), 0);
  ck_assert (isinf (bn_log (0)) && bn_log (0) < 0);
  ck_assert (isnan (bn_log (-1)));
  ck_assert (isnan (bn_log (NAN)));
  ck_assert (isinf (bn_log (INFINITY)));
}
END_TEST

START_TEST (exponential_function_agrees_with_the_c_library)
{
  BnRng rng;
  bn_rng_init (&rng, 6, "exp");
  for (int i = 0; i < N; i++)
    {
      double x = 1400 * bn_rng_uniform (&rng) - 700;
      assert_close (bn_exp (x), exp (x), x);
      x = 4 * bn_rng_uniform (&rng) - 2;
      assert_close (bn_exp (x), exp (x), x);
    }
  ck_assert_double_eq (bn_exp (0), 1);
  ck_assert_double_eq (bn_exp (-INFINITY), 0);
  ck_assert (isinf (bn_exp (INFINITY)));
  ck_assert (isnan (bn_exp (NAN)));
  assert_close (bn_exp (709.7), exp (709.7), 709.7);
  ck_assert_double_le (fabs (bn_exp (-740) - exp (-740)), 0x1p-1074);
}
END_TEST

START_TEST (sine_and_cosine_agree_with_the_c_library)
{
  BnRng rng;
  bn_rng_init (&rng, 3, "turns");
  for (int i = 0; i < 100000; i++)
    {
      /* turns in 2^-20, so that 2 pi x is rounded once, before the C library sees it */
      double turn = floor (0x1p+20 * bn_rng_uniform (&rng)) * 0x1p-20, whole = (double) (i % 1000 - 500);
      ck_assert_double_eq_tol (bn_sin_turns (turn), sin (2 * M_PI * turn), 1e-15);
      ck_assert_double_eq_tol (bn_cos_turns (turn), cos (2 * M_PI * turn), 1e-15);
      ck_assert_double_eq (bn_sin_turns (whole + turn), bn_sin_turns (turn));
      ck_assert_double_eq_tol (bn_cos_turns (whole - turn), bn_cos_turns (turn), 4e-16);
    }
  for (int quarter = -8; quarter <= 8; quarter++)
    {
      static const double sines[] = { 0, 1, 0, -1 };
      ck_assert_double_eq (bn_sin_turns (quarter / 4.0), sines[(quarter + 8) % 4]);
      ck_assert_double_eq (bn_cos_turns (quarter / 4.0), sines[(quarter + 9) % 4]);
    }
  ck_assert_double_eq_tol (bn_sin_turns (1.0 / 12), 0.5, 4e-16);
  ck_assert_double_eq_tol (bn_cos_turns (1.0 / 6), 0.5, 4e-16);
  /* small angles keep their digits */
  ck_assert_double_eq_tol (bn_sin_turns (1e-12) / (2 * M_PI * 1e-12), 1, 4e-16);
}
END_TEST

/* Bit patterns, so that any compiler or processor that computes another last bit
 * fails here first. */
START_TEST (draws_are_the_same_bits_everywhere)
{
  BnRng rng;
  bn_rng_init (&rng, 1, "bits");
  uint64_t digest = 0;
  for (int i = 0; i < 20000; i++)
    {
      double x[4];
      x[0] = bn_rng_exponential (&rng);
      x[1] = bn_rng_normal (&rng);
      x[2] = bn_rng_gamma (&rng, 0.3 + 0.001 * (i % 3000));
      x[3] = bn_rng_lognormal (&rng, 0.7);
      for (int j = 0; j < 4; j++)
        {
          uint64_t bits;
          memcpy (&bits, &x[j], sizeof bits);
          digest = (digest ^ bits) * UINT64_C (0x100000001b3);
        }
    }
  ck_assert_uint_eq (digest, UINT64_C (5557416068589342764));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("rng");
  TCase *t = tcase_create ("rng");
  tcase_set_timeout (t, 60);
  tcase_add_test (t, generator_follows_the_published_recurrence);
  tcase_add_test (t, streams_depend_on_seed_and_name_alone);
  tcase_add_test (t, neighbouring_seeds_and_names_are_uncorrelated);
  tcase_add_test (t, below_is_uniform_and_in_range);
  tcase_add_test (t, weighted_draws_are_as_frequent_as_their_weights);
  tcase_add_test (t, uniform_exponential_and_normal_have_their_moments);
  tcase_add_test (t, gamma_has_mean_one_and_a_true_coefficient_of_variation);
  tcase_add_test (t, lognormal_has_mean_one_and_a_true_coefficient_of_variation);
  tcase_add_test (t, exponential_has_the_right_tail);
  tcase_add_test (t, logarithm_agrees_with_the_c_library);
  tcase_add_test (t, exponential_function_agrees_with_the_c_library);
  tcase_add_test (t, sine_and_cosine_agree_with_the_c_library);
  tcase_add_test (t, draws_are_the_same_bits_everywhere);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
