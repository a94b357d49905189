/* test_validation.c: errors, intervals, targets and order of real runs and their simulations.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <math.h>

#include "suite.h"
#include "validation.h"

/* Numbers of bn_deviations. */
enum
{
  MEAN = 0,
  P50 = 1,
  HIT_RATE = 5
};

/* Mean latencies of two repeats, and what was simulated of both. */
static BnValidated
validated (char *variant, double first, double second, double simulated)
{
  BnValidated v = { variant, g_array_new (FALSE, FALSE, sizeof (BnDeviation)), g_array_new (FALSE, FALSE, 8) };

  for (int r = 0; r < 2; r++)
    {
      BnDeviation d;
      for (guint i = 0; i < BN_N_DEVIATIONS; i++)
        d.observed[i] = d.simulated[i] = 50;
      d.observed[MEAN] = r == 0 ? first : second;
      d.simulated[MEAN] = simulated;
      g_array_append_val (v.repeats, d);
    }
  return v;
}

static void
clear (BnValidated *v)
{
  g_array_unref (v->repeats);
  g_array_unref (v->steals);
}

START_TEST (an_error_is_within_its_target_or_the_real_interval_whichever_is_wider)
{
  /* t of one degree of freedom is 12.706204736; the standard error of 100 and 102 is 1 */
  BnValidated v = validated ((char *) "a", 100, 102, 106);
  BnValidatedValue value = bn_validation_value (&v, MEAN);

  ck_assert_double_eq (value.observed, 101);
  ck_assert_double_eq_tol (value.half_width, 12.706204736, 1e-9);
  ck_assert_double_eq_tol (value.error, 100 * 5.0 / 101, 1e-9);
  ck_assert (value.has_target && value.met);
  clear (&v);
  v = validated ((char *) "a", 100.01, 99.99, 104.9);
  value = bn_validation_value (&v, MEAN);
  ck_assert (value.has_target && value.met);
  clear (&v);
  v = validated ((char *) "a", 100.01, 99.99, 105.1);
  value = bn_validation_value (&v, MEAN);
  ck_assert (value.has_target && !value.met);
  ck_assert (!bn_validation_value (&v, P50).has_target);
  ck_assert (bn_validation_value (&v, HIT_RATE).has_target);
  clear (&v);
  v = validated ((char *) "a", 100, 200, 112);
  g_array_set_size (v.repeats, 1);
  value = bn_validation_value (&v, MEAN);
  ck_assert (isnan (value.half_width));
  ck_assert (!value.met);
  clear (&v);
}
END_TEST

START_TEST (order_counts_where_real_intervals_do_not_overlap)
{
  BnValidated fast = validated ((char *) "fast", 10, 10.1, 12), slow = validated ((char *) "slow", 100, 100.1, 90);
  BnValidated near = validated ((char *) "near", 10.2, 10.3, 5), wrong = validated ((char *) "wrong", 50, 50.1, 95);
  BnValidated *all[] = { &fast, &slow, &near, &wrong };
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  guint n_pairs, n_alike;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_ptr_array_add (list, all[i]);
  bn_validation_ranking (list, &n_pairs, &n_alike);
  /* fast and near overlap; slow and wrong are the other way round */
  ck_assert_uint_eq (n_pairs, 5);
  ck_assert_uint_eq (n_alike, 4);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    clear (all[i]);
}
END_TEST

START_TEST (it_holds_where_every_target_is_met_and_the_order_is_kept)
{
  BnValidated exact = validated ((char *) "exact", 100, 100.1, 100), twice = validated ((char *) "twice", 10, 10.1, 20);
  BnValidated near = validated ((char *) "near", 103, 103.1, 99);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  g_ptr_array_add (list, &exact);
  ck_assert (bn_validation_holds (list));
  g_ptr_array_add (list, &twice);
  ck_assert (!bn_validation_holds (list));
  /* within 5 %, and the other way round */
  list->pdata[1] = &near;
  ck_assert (!bn_validation_holds (list));
  list->pdata[0] = &near;
  g_ptr_array_set_size (list, 1);
  ck_assert (bn_validation_holds (list));
  clear (&exact);
  clear (&twice);
  clear (&near);
}
END_TEST

START_TEST (a_number_that_a_repeat_lacks_misses_its_target_and_one_that_all_lack_has_none)
{
  BnValidated v = validated ((char *) "a", 100, 100.1, 100);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  g_ptr_array_add (list, &v);
  ck_assert (bn_validation_holds (list));
  g_array_index (v.repeats, BnDeviation, 1).simulated[HIT_RATE] = NAN;
  BnValidatedValue value = bn_validation_value (&v, HIT_RATE);
  ck_assert_uint_eq (value.n_undefined, 1);
  ck_assert (value.has_target && !value.met);
  ck_assert (!bn_validation_holds (list));
  g_array_index (v.repeats, BnDeviation, 0).observed[HIT_RATE] = NAN;
  ck_assert (!bn_validation_value (&v, HIT_RATE).has_target);
  ck_assert (bn_validation_holds (list));
  clear (&v);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("validation");
  TCase *t = tcase_create ("validation");

  tcase_add_test (t, an_error_is_within_its_target_or_the_real_interval_whichever_is_wider);
  tcase_add_test (t, order_counts_where_real_intervals_do_not_overlap);
  tcase_add_test (t, it_holds_where_every_target_is_met_and_the_order_is_kept);
  tcase_add_test (t, a_number_that_a_repeat_lacks_misses_its_target_and_one_that_all_lack_has_none);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
