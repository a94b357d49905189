/* test_plan_mix.c: the cheapest mix, held to brute force.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "plan_mix.h"
#include "rng.h"
#include "suite.h"

/* Mixes are kept where the kinds' strengths sum up to `need`, and undecided where they sum
 * up to a little less. */
typedef struct World
{
  BnPlanMixConfig config;
  double strengths[BN_PLAN_MAX_KINDS];
  double need, width;
} World;

static World
random_world (guint64 number, double width)
{
  World w = { .need = 0, .width = width };
  BnRng rng;

  bn_rng_init (&rng, number, "mix");
  w.config.n_kinds = 1 + (guint) bn_rng_below (&rng, 3);
  w.config.stages = bn_plan_stages (5, 10);
  w.need = 2 + 8 * bn_rng_uniform (&rng);
  for (guint k = 0; k < w.config.n_kinds; k++)
    {
      w.strengths[k] = 0.3 + bn_rng_uniform (&rng);
      /* many mixes cost the same */
      w.config.prices[k] = 0.25 * (double) (1 + bn_rng_below (&rng, 8));
      w.config.shares[k] = w.strengths[k] / (w.need * (0.6 + 0.4 * bn_rng_uniform (&rng)));
      w.config.max[k] = (gint64) bn_rng_below (&rng, w.config.n_kinds == 3 ? 12 : 30);
    }
  w.config.max[0] += 1;
  return w;
}

static BnVerdict
verdict_of (const World *w, const gint64 *counts)
{
  double strength = 0, share = 0;

  for (guint k = 0; k < w->config.n_kinds; k++)
    {
      strength += w->strengths[k] * (double) counts[k];
      share += w->config.shares[k] * (double) counts[k];
    }
  return strength >= w->need && share > 1         ? BN_VERDICT_KEPT
         : strength >= w->need - w->width && share > 1 ? BN_VERDICT_UNDECIDED
                                                       : BN_VERDICT_BROKEN;
}

/* The least cost of a mix whose verdict is `least` or better; negative: there is none. */
static double
brute_force (const World *w, BnVerdict least)
{
  gint64 counts[BN_PLAN_MAX_KINDS] = { 0 };
  double best = -1;
  guint k;

  do
    {
      double cost = bn_plan_mix_cost (&w->config, counts);
      if (verdict_of (w, counts) >= least && (best < 0 || cost < best))
        best = cost;
      for (k = 0; k < w->config.n_kinds && ++counts[k] > w->config.max[k]; k++)
        counts[k] = 0;
    }
  while (k < w->config.n_kinds);
  return best;
}

static BnPlanMixAnswer
search (const World *w, guint *n_tried)
{
  BnPlanMix *mix = bn_plan_mix_new (&w->config);
  gint64 counts[BN_PLAN_MAX_KINDS];
  guint n_seeds;

  for (*n_tried = 0; bn_plan_mix_next (mix, counts, &n_seeds); *n_tried += n_seeds == 5)
    {
      BnVerdict verdict = verdict_of (w, counts);
      ck_assert_uint_lt (*n_tried, 2000);
      bn_plan_mix_tell (mix, counts, n_seeds, (BnPlanOutcome) { verdict, verdict == BN_VERDICT_KEPT });
    }
  BnPlanMixAnswer answer = bn_plan_mix_answer (mix);
  bn_plan_mix_free (mix);
  return answer;
}

START_TEST (cheapest_mix_is_that_of_brute_force)
{
  guint n_found = 0, n_all = 0, n_mixes = 0;

  for (guint64 number = 1; number <= 300; number++)
    {
      World w = random_world (number, number % 2 ? 0 : 0.7);
      double kept = brute_force (&w, BN_VERDICT_KEPT), open = brute_force (&w, BN_VERDICT_UNDECIDED);
      guint n_tried, n = 1;
      BnPlanMixAnswer answer = search (&w, &n_tried);

      ck_assert (answer.monotone && !answer.too_many);
      ck_assert_msg (answer.found == (kept >= 0), "world %d", (int) number);
      ck_assert (answer.has_open == (open >= 0));
      ck_assert (!answer.found || bn_plan_mix_cost (&w.config, answer.kept) == kept);
      ck_assert (!answer.has_open || bn_plan_mix_cost (&w.config, answer.open) == open);
      for (guint k = 0; k < w.config.n_kinds; k++)
        n *= (guint) w.config.max[k] + 1;
      n_mixes += n;
      n_all += n_tried;
      n_found += answer.found;
    }
  printf ("%u of 300 have a mix; tried %u of %u mixes\n", n_found, n_all, n_mixes);
  ck_assert_uint_ge (n_found, 100);
  ck_assert_uint_lt (n_all * 10, n_mixes);
}
END_TEST

START_TEST (mixes_of_one_cost_go_by_fewer_servers)
{
  World w = { .config = { .n_kinds = 2, .prices = { 1, 2 }, .shares = { 0.2, 0.4 }, .max = { 20, 20 },
                          .stages = bn_plan_stages (5, 5) },
              .strengths = { 1, 2 }, .need = 6 };
  guint n_tried;
  BnPlanMixAnswer answer = search (&w, &n_tried);

  ck_assert_int_eq (answer.kept[0], 0);
  ck_assert_int_eq (answer.kept[1], 3);
}
END_TEST

START_TEST (broken_neighbour_of_the_answer_is_reported)
{
  BnPlanMixConfig config = { .n_kinds = 2, .prices = { 1, 3 }, .shares = { 0.3, 0.6 }, .max = { 9, 9 },
                             .stages = bn_plan_stages (5, 5) };
  BnPlanMix *mix = bn_plan_mix_new (&config);
  gint64 counts[BN_PLAN_MAX_KINDS];
  guint n_seeds;

  /* one of the second kind spoils what four of the first would do */
  while (bn_plan_mix_next (mix, counts, &n_seeds))
    {
      BnVerdict verdict = counts[0] >= 4 && counts[1] != 1 ? BN_VERDICT_KEPT : BN_VERDICT_BROKEN;
      bn_plan_mix_tell (mix, counts, n_seeds, (BnPlanOutcome) { verdict, verdict == BN_VERDICT_KEPT });
    }
  BnPlanMixAnswer answer = bn_plan_mix_answer (mix);
  bn_plan_mix_free (mix);
  ck_assert (answer.found && !answer.monotone);
  ck_assert_int_eq (answer.kept[0], 4);
  ck_assert_int_eq (answer.kept[1], 0);
  ck_assert_int_eq (answer.broken_at[1], 1);
}
END_TEST

START_TEST (too_many_mixes_to_look_at_are_given_up)
{
  BnPlanMixConfig config = { .n_kinds = 3, .prices = { 1, 1, 1 }, .shares = { 0.001, 0.001, 0.001 },
                             .max = { 100000, 100000, 100000 }, .stages = bn_plan_stages (5, 5) };
  BnPlanMix *mix = bn_plan_mix_new (&config);
  gint64 counts[BN_PLAN_MAX_KINDS];
  guint n_seeds;

  ck_assert (!bn_plan_mix_next (mix, counts, &n_seeds));
  ck_assert (bn_plan_mix_answer (mix).too_many);
  bn_plan_mix_free (mix);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("plan mix");
  TCase *tc = tcase_create ("mix");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, cheapest_mix_is_that_of_brute_force);
  tcase_add_test (tc, mixes_of_one_cost_go_by_fewer_servers);
  tcase_add_test (tc, broken_neighbour_of_the_answer_is_reported);
  tcase_add_test (tc, too_many_mixes_to_look_at_are_given_up);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
