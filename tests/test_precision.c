/* test_precision.c: seeds are added until a mean is known, or it is said that it will not be.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Simulations have fixed seeds; what they are held to is wide enough for all but one in ten
 * thousand other seeds, too.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "interval.h"
#include "precision.h"
#include "rng.h"
#include "suite.h"

/* Ten values of mean 100 and deviation `deviation`. */
static const double *
ten_values (double deviation)
{
  static double values[10];
  for (int i = 0; i < 10; i++)
    values[i] = 100 + (i % 2 == 0 ? 1 : -1) * deviation * sqrt (0.9);
  return values;
}

static BnPrecisionAnswer
judge (double relative, guint max_seeds, const double *values, guint n, guint n_unstable)
{
  BnPrecisionGoal goal = { relative, (char *) "latency_mean", max_seeds };
  BnPrecisionSample sample = { values, n, n, n_unstable };

  return bn_precision_judge (&goal, &sample);
}

START_TEST (less_than_ten_seeds_are_never_enough)
{
  static const double same[9] = { 5, 5, 5, 5, 5, 5, 5, 5, 5 };
  BnPrecisionAnswer answer = judge (0.02, 100, same, 9, 0);

  ck_assert_int_eq (answer.state, BN_PRECISION_MORE);
  ck_assert_double_eq (answer.n_seeds, 10);
}
END_TEST

START_TEST (a_narrow_interval_is_enough_and_a_little_more_than_asked_for)
{
  /* half-width t(9) d / sqrt 10 = 0.71536 d: 2 % of 100 with gamma = 2 / 1.02: d = 2.7410 */
  ck_assert_int_eq (judge (0.02, 100, ten_values (2.740), 10, 0).state, BN_PRECISION_REACHED);
  ck_assert_int_eq (judge (0.02, 100, ten_values (2.742), 10, 0).state, BN_PRECISION_MORE);
  ck_assert_double_eq_tol (judge (0.02, 100, ten_values (2.740), 10, 0).relative, 0.019601, 1e-6);
}
END_TEST

START_TEST (what_the_deviation_asks_for_comes_next_and_at_most_twice_as_many)
{
  /* 4.0 / (200 / 102) = 2.04: t(17) = 2.1098 x 2.04 > sqrt 18 = 4.2426; t(18) = 2.1009 x 2.04
     = 4.2859 < sqrt 19 = 4.3589 */
  ck_assert_double_eq (judge (0.02, 100, ten_values (4), 10, 0).n_seeds, 19);
  ck_assert_int_eq (judge (0.02, 100, ten_values (4), 10, 0).state, BN_PRECISION_MORE);
  ck_assert_double_eq (judge (0.02, 100, ten_values (6), 10, 0).n_seeds, 20);
}
END_TEST

START_TEST (it_gives_up_when_it_is_sure_and_predicts_how_many)
{
  /* 3.06: t(38) = 2.0244 x 3.06 = 6.1947 < sqrt 39 = 6.2450; one less is not enough. At the
     lower limit, 3.06 sqrt (9 / 16.919) = 2.232: t(21) = 2.0796 x 2.232 = 4.6417 < sqrt 22 */
  BnPrecisionAnswer answer = judge (0.02, 21, ten_values (6), 10, 0);

  ck_assert_int_eq (answer.state, BN_PRECISION_TOO_MANY);
  ck_assert_double_eq (answer.n_seeds, 39);
  ck_assert_int_eq (judge (0.02, 22, ten_values (6), 10, 0).state, BN_PRECISION_MORE);
  ck_assert_double_eq (judge (0.02, 22, ten_values (6), 10, 0).n_seeds, 20);
  answer = judge (0.02, 10, ten_values (2.742), 10, 0);
  ck_assert_int_eq (answer.state, BN_PRECISION_TOO_MANY);
  ck_assert_double_eq (answer.n_seeds, 11);
  answer = judge (1e-9, 10000, ten_values (6), 10, 0);
  ck_assert_int_eq (answer.state, BN_PRECISION_TOO_MANY);
}
END_TEST

START_TEST (the_last_round_is_what_is_allowed)
{
  BnPrecisionAnswer answer = judge (0.02, 19, ten_values (5), 10, 0);

  /* 2.55: about 28 would do, and perhaps 17 */
  ck_assert_int_eq (answer.state, BN_PRECISION_MORE);
  ck_assert_double_eq (answer.n_seeds, 19);
}
END_TEST

START_TEST (a_queue_that_grows_and_a_metric_without_values_are_given_up)
{
  static const double zeros[10] = { 1, -1, 1, -1, 1, -1, 1, -1, 1, -1 };
  BnPrecisionGoal goal = { 0.02, (char *) "hit_rate", 100 };
  BnPrecisionSample sample = { ten_values (1), 9, 10, 0 };

  ck_assert_int_eq (judge (0.02, 100, ten_values (1), 10, 5).state, BN_PRECISION_NOT_STABLE);
  ck_assert_int_eq (judge (0.02, 100, ten_values (1), 10, 4).state, BN_PRECISION_REACHED);
  ck_assert_int_eq (bn_precision_judge (&goal, &sample).state, BN_PRECISION_UNDEFINED);
  ck_assert_int_eq (judge (0.02, 100, zeros, 10, 0).state, BN_PRECISION_UNDEFINED);
}
END_TEST

START_TEST (a_cell_has_as_many_seeds_as_its_schedulers_can_still_use)
{
  BnPrecisionAnswer answers[] = { { BN_PRECISION_MORE, 14, 0.1 },
                                  { BN_PRECISION_TOO_MANY, 500, 0.3 },
                                  { BN_PRECISION_MORE, 17, 0.1 },
                                  { BN_PRECISION_REACHED, 0, 0.01 } };

  ck_assert_uint_eq (bn_precision_next (answers, 4), 17);
  answers[0].state = answers[2].state = BN_PRECISION_REACHED;
  ck_assert_uint_eq (bn_precision_next (answers, 4), 0);
}
END_TEST

START_TEST (seeds_go_on_after_the_greatest)
{
  static const guint64 given[] = { 7, 3 };
  guint64 *seeds = bn_precision_seeds (given, 2, 4);

  ck_assert_uint_eq (seeds[0], 7);
  ck_assert_uint_eq (seeds[1], 3);
  ck_assert_uint_eq (seeds[2], 8);
  ck_assert_uint_eq (seeds[3], 9);
  g_free (seeds);
}
END_TEST

START_TEST (precisions_are_percent_and_name_a_metric)
{
  static const char *const wrong[] = { "2", "%", "0%", "100%", "-1%", "2%:latency_maen", "x%", "nan%", "" };
  BnPrecisionGoal goal = { .max_seeds = 7 };
  GError *error = NULL;

  ck_assert (bn_precision_parse ("2.5%", &goal, NULL));
  ck_assert_double_eq (goal.relative, 0.025);
  ck_assert_str_eq (goal.metric, "latency_mean");
  ck_assert (bn_precision_parse ("5%:slowdown_p99", &goal, NULL));
  ck_assert_str_eq (goal.metric, "slowdown_p99");
  ck_assert_uint_eq (goal.max_seeds, 7);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      ck_assert_msg (!bn_precision_parse (wrong[i], &goal, &error), "%s", wrong[i]);
      ck_assert (g_str_has_prefix (error->message, "--precision"));
      g_clear_error (&error);
    }
  bn_precision_clear (&goal);
}
END_TEST

/* Values of mean 1, by `draw`, until the goal is reached. Returns: whether the interval then
 * holds 1; *n: seeds. */
static gboolean
covers (BnRng *rng, double (*draw) (BnRng *), const BnPrecisionGoal *goal, guint *n)
{
  static double values[2000];
  guint next = BN_PRECISION_LEAST_SEEDS;
  BnPrecisionAnswer answer;

  for (*n = 0; next > 0; next = bn_precision_next (&answer, 1))
    {
      for (; *n < next; (*n)++)
        values[*n] = draw (rng);
      answer = bn_precision_judge (goal, &(BnPrecisionSample){ values, *n, *n, 0 });
    }
  ck_assert_int_eq (answer.state, BN_PRECISION_REACHED);
  BnInterval interval = bn_interval_of_mean (values, *n, BN_CONFIDENCE);
  return interval.low <= 1 && 1 <= interval.high;
}

static double
draw_normal (BnRng *rng)
{
  return 1 + 0.2 * bn_rng_normal (rng);
}

static double
draw_skewed (BnRng *rng)
{
  return bn_rng_gamma (rng, 0.5);
}

START_TEST (stopping_early_costs_a_percent_or_two_of_coverage)
{
  const int trials = 4000;
  const struct
  {
    const char *name;
    double (*draw) (BnRng *);
    double relative, lowest;
  } cases[] = { { "normal, 5 %", draw_normal, 0.05, 0.935 },
                { "normal, 10 %", draw_normal, 0.10, 0.93 },
                { "gamma of cv 0.5, 10 %", draw_skewed, 0.10, 0.925 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      BnPrecisionGoal goal = { cases[c].relative, (char *) "latency_mean", 2000 };
      BnRng rng;
      guint n, hits = 0, seeds = 0;
      bn_rng_init (&rng, c + 1, "precision");
      for (int k = 0; k < trials; k++)
        {
          hits += covers (&rng, cases[c].draw, &goal, &n);
          seeds += n;
        }
      double share = (double) hits / trials;
      printf ("%s: coverage %.4f, %.1f seeds on average\n", cases[c].name, share, (double) seeds / trials);
      ck_assert_msg (share >= cases[c].lowest - 3.72 * sqrt (0.95 * 0.05 / trials), "%s: %.4f", cases[c].name, share);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("precision");
  TCase *tc = tcase_create ("precision");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, less_than_ten_seeds_are_never_enough);
  tcase_add_test (tc, a_narrow_interval_is_enough_and_a_little_more_than_asked_for);
  tcase_add_test (tc, what_the_deviation_asks_for_comes_next_and_at_most_twice_as_many);
  tcase_add_test (tc, it_gives_up_when_it_is_sure_and_predicts_how_many);
  tcase_add_test (tc, the_last_round_is_what_is_allowed);
  tcase_add_test (tc, a_queue_that_grows_and_a_metric_without_values_are_given_up);
  tcase_add_test (tc, a_cell_has_as_many_seeds_as_its_schedulers_can_still_use);
  tcase_add_test (tc, seeds_go_on_after_the_greatest);
  tcase_add_test (tc, precisions_are_percent_and_name_a_metric);
  tcase_add_test (tc, stopping_early_costs_a_percent_or_two_of_coverage);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
