/* test_plan_search.c: verdicts, and the search for a number, held to exhaustive search.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan_search.h"
#include "rng.h"
#include "suite.h"

#define MAX_N 200

/* ---- verdicts ---- */

static BnPlanJudgement
judge (const double *values, guint k, double limit, gboolean at_least, guint n_looks, BnPlanEstimate *estimate)
{
  BnPlanLimit promise = { limit, at_least, FALSE };
  BnReplication runs[64] = { { 0 } };

  for (guint i = 0; i < k; i++)
    runs[i].values = &values[i];
  return bn_plan_judge (&promise, 1, runs, k, n_looks, estimate);
}

START_TEST (verdict_is_that_of_a_t_test_done_by_hand)
{
  /* mean 10, s^2 = 10 / 4, standard error sqrt (2.5 / 5); t(0.95, 4) = 2.13184679 */
  const double values[] = { 8, 9, 10, 11, 12 };
  BnPlanEstimate e;
  BnPlanJudgement j = judge (values, 5, 11.6, FALSE, 1, &e);

  ck_assert_double_eq_tol (e.mean, 10, 1e-12);
  ck_assert_double_eq_tol (e.high, 10 + 2.13184679 * sqrt (0.5), 1e-7);
  ck_assert_double_eq_tol (e.low, 10 - 2.13184679 * sqrt (0.5), 1e-7);
  ck_assert_int_eq (j.outcome.verdict, BN_VERDICT_KEPT);
  ck_assert (j.outcome.looks_kept);
  j = judge (values, 5, 11.5, FALSE, 1, &e);
  ck_assert_int_eq (j.outcome.verdict, BN_VERDICT_UNDECIDED);
  ck_assert (j.outcome.looks_kept);
  /* 5 x (2.13184679 sqrt (0.5) / 1.5)^2 = 5.05: one seed more */
  ck_assert_double_eq (j.seeds_needed, 6);
  /* broken takes 0.05 / 2, of the promise and of the labels: t(0.975, 4) = 2.77644511 */
  j = judge (values, 5, 8.1, FALSE, 1, &e);
  ck_assert_int_eq (j.outcome.verdict, BN_VERDICT_UNDECIDED);
  ck_assert (!j.outcome.looks_kept);
  ck_assert_int_eq (judge (values, 5, 8.0, FALSE, 1, &e).outcome.verdict, BN_VERDICT_BROKEN);
  ck_assert_int_eq (judge (values, 5, 8.4, TRUE, 1, &e).outcome.verdict, BN_VERDICT_KEPT);
  ck_assert_int_eq (judge (values, 5, 12.1, TRUE, 1, &e).outcome.verdict, BN_VERDICT_BROKEN);
  /* two looks take t(0.975, 4) */
  ck_assert_int_eq (judge (values, 5, 11.9, FALSE, 2, &e).outcome.verdict, BN_VERDICT_UNDECIDED);
  ck_assert_int_eq (judge (values, 5, 12.0, FALSE, 2, &e).outcome.verdict, BN_VERDICT_KEPT);
}
END_TEST

START_TEST (runs_that_do_not_differ_decide)
{
  const double values[] = { 3, 3 };
  const BnReplication runs[] = { { &values[0], FALSE, FALSE }, { &values[1], FALSE, FALSE } };
  BnPlanLimit strict = { 3, FALSE, TRUE };
  BnPlanEstimate e;

  ck_assert_int_eq (judge (values, 2, 3, FALSE, 4, &e).outcome.verdict, BN_VERDICT_KEPT);
  ck_assert_int_eq (judge (values, 2, 2.9, FALSE, 4, &e).outcome.verdict, BN_VERDICT_BROKEN);
  ck_assert_int_eq (bn_plan_judge (&strict, 1, runs, 2, 4, &e).outcome.verdict, BN_VERDICT_BROKEN);
}
END_TEST

START_TEST (labels_break_a_promise_when_chance_does_not_explain_them)
{
  const double value = 1;
  BnPlanLimit limit = { 2, FALSE, FALSE };
  BnReplication runs[5] = { { &value, FALSE, FALSE }, { &value, FALSE, FALSE }, { &value, FALSE, FALSE },
                            { &value, FALSE, FALSE }, { &value, FALSE, FALSE } };
  BnPlanEstimate e;

  /* P (one or more of 5) = 0.226, two or more 0.0226, three or more 0.0012 */
  runs[0].unstable = TRUE;
  ck_assert_int_eq (bn_plan_judge (&limit, 1, runs, 5, 1, &e).outcome.verdict, BN_VERDICT_KEPT);
  runs[1].unstable = TRUE;
  ck_assert_int_eq (bn_plan_judge (&limit, 1, runs, 5, 4, &e).outcome.verdict, BN_VERDICT_UNDECIDED);
  runs[2].unstable = TRUE;
  BnPlanJudgement j = bn_plan_judge (&limit, 1, runs, 5, 4, &e);
  ck_assert_int_eq (j.outcome.verdict, BN_VERDICT_BROKEN);
  ck_assert (!j.outcome.looks_kept);
  ck_assert_uint_eq (j.n_unstable, 3);
}
END_TEST

START_TEST (a_run_that_lost_jobs_breaks_every_promise)
{
  const double value = 1;
  BnPlanLimit limit = { 2, FALSE, FALSE };
  BnReplication runs[2] = { { &value, FALSE, FALSE }, { &value, FALSE, TRUE } };
  BnPlanEstimate e;

  ck_assert_int_eq (bn_plan_judge (&limit, 1, runs, 2, 1, &e).outcome.verdict, BN_VERDICT_BROKEN);
}
END_TEST

START_TEST (stages_double_up_to_the_last)
{
  BnPlanStages s = bn_plan_stages (5, 40), odd = bn_plan_stages (4, 10), one = bn_plan_stages (7, 7);

  ck_assert_uint_eq (s.n, 4);
  ck_assert_uint_eq (s.seeds[2], 20);
  ck_assert_uint_eq (odd.n, 3);
  ck_assert_uint_eq (odd.seeds[2], 10);
  ck_assert_uint_eq (one.n, 1);
  ck_assert_uint_eq (bn_plan_next_stage (&s, 0), 5);
  ck_assert_uint_eq (bn_plan_next_stage (&s, 5), 10);
  ck_assert_uint_eq (bn_plan_next_stage (&s, 40), 0);
}
END_TEST

/* ---- oracles ---- */

/* A world in which a metric falls with n, and seeds see it through noise that all n share
 * in part. */
typedef struct World
{
  double limit, level, scale, shift;  /* mean of n: level + scale / (n - shift) */
  double noise, own_noise;            /* of a seed, at every n; and at this n alone */
  guint64 number;
} World;

static double
mean_of (const World *w, gint64 n)
{
  return w->level + w->scale / ((double) n - w->shift);
}

static double
value_of (const World *w, gint64 n, guint seed)
{
  BnRng shared, own;
  g_autofree char *at_n = g_strdup_printf ("n %" G_GINT64_FORMAT, n);

  bn_rng_init (&shared, w->number * 1000 + seed, "shared");
  bn_rng_init (&own, w->number * 1000 + seed, at_n);
  return mean_of (w, n) + w->noise * bn_rng_normal (&shared) + w->own_noise * bn_rng_normal (&own);
}

static BnPlanOutcome
try_world (const World *w, gint64 n, guint k, guint n_looks)
{
  double values[64];
  BnPlanEstimate e;

  for (guint i = 0; i < k; i++)
    values[i] = value_of (w, n, i);
  return judge (values, k, w->limit, FALSE, n_looks, &e).outcome;
}

/* With more seeds until it is decided. */
static BnPlanOutcome
exhaust (const World *w, gint64 n, const BnPlanStages *stages)
{
  BnPlanOutcome outcome = { BN_VERDICT_UNDECIDED, FALSE };

  for (guint i = 0; i < stages->n && outcome.verdict == BN_VERDICT_UNDECIDED; i++)
    outcome = try_world (w, n, stages->seeds[i], stages->n);
  return outcome;
}

static World
random_world (guint64 number, double noise)
{
  BnRng rng;

  bn_rng_init (&rng, number, "world");
  World w = { .number = number, .level = 1, .shift = (double) (gint64) (1 + 40 * bn_rng_uniform (&rng)) - 0.5 };
  w.scale = 1 + 20 * bn_rng_uniform (&rng);
  w.limit = 1 + 0.1 + bn_rng_uniform (&rng);
  w.noise = noise * bn_rng_uniform (&rng);
  w.own_noise = 0.3 * noise * bn_rng_uniform (&rng);
  return w;
}

static BnPlanSearchConfig
config_of (const World *w)
{
  gint64 floor = (gint64) w->shift;

  return (BnPlanSearchConfig) { .floor = floor, .max = MAX_N, .first_gap = 1 + (gint64) sqrt ((double) floor),
                                .stages = bn_plan_stages (5, 40) };
}

static BnPlanAnswer
run_search (const World *w, const BnPlanSearchConfig *config, guint *n_numbers, guint *n_runs)
{
  BnPlanSearch *search = bn_plan_search_new (config);
  guint seeds_of[MAX_N + 1] = { 0 }, k;
  gint64 n;

  *n_numbers = *n_runs = 0;
  while (bn_plan_search_next (search, &n, &k))
    {
      ck_assert (n > config->floor && n <= config->max);
      ck_assert_uint_eq (k, bn_plan_next_stage (&config->stages, seeds_of[n]));
      *n_numbers += seeds_of[n] == 0;
      *n_runs += k - seeds_of[n];
      seeds_of[n] = k;
      bn_plan_search_tell (search, n, k, try_world (w, n, k, config->stages.n));
    }
  BnPlanAnswer answer = bn_plan_search_answer (search);
  bn_plan_search_free (search);
  return answer;
}

/* What every number up to max says. Returns: whether verdicts are monotone. */
static gboolean
exhaustive (const World *w, const BnPlanSearchConfig *config, gint64 *low, gint64 *high)
{
  gboolean monotone = TRUE;
  BnVerdict last = BN_VERDICT_BROKEN;

  *low = config->floor + 1;
  *high = 0;
  for (gint64 n = config->floor + 1; n <= config->max; n++)
    {
      BnVerdict verdict = exhaust (w, n, &config->stages).verdict;
      monotone = monotone && verdict >= last;
      *low = verdict == BN_VERDICT_BROKEN ? n + 1 : *low;
      *high = verdict != BN_VERDICT_KEPT ? 0 : *high == 0 ? n : *high;
      last = verdict;
    }
  return monotone;
}

START_TEST (search_finds_what_exhaustive_search_finds)
{
  guint n_compared = 0;

  for (guint64 number = 1; number <= 200; number++)
    {
      World w = random_world (number, 0.05);
      BnPlanSearchConfig config = config_of (&w);
      guint n_numbers, n_runs;
      gint64 low, high;
      BnPlanAnswer answer = run_search (&w, &config, &n_numbers, &n_runs);

      if (!exhaustive (&w, &config, &low, &high))
        continue;
      n_compared++;
      ck_assert_msg (answer.low == low && answer.high == high,
                     "world %d: found [%d, %d], by exhaustive search it is [%d, %d]", (int) number, (int) answer.low,
                     (int) answer.high, (int) low, (int) high);
      ck_assert (answer.kept_at == 0);
      ck_assert (high == 0 || (answer.low <= answer.n && answer.n <= answer.high));
      /* up, three bisections, neighbours, and up once more for what is kept: 5 log2 (200) */
      ck_assert_msg (n_numbers <= 39, "world %d: tried %u numbers", (int) number, n_numbers);
    }
  printf ("%u of 200 worlds compared\n", n_compared);
  ck_assert_uint_ge (n_compared, 150);
}
END_TEST

START_TEST (search_without_noise_finds_the_number)
{
  for (guint64 number = 1; number <= 200; number++)
    {
      World w = random_world (number, 0);
      BnPlanSearchConfig config = config_of (&w);
      gint64 n = config.floor + 1;
      guint n_numbers, n_runs;
      BnPlanAnswer answer = run_search (&w, &config, &n_numbers, &n_runs);

      while (n <= MAX_N && mean_of (&w, n) > w.limit)
        n++;
      n = n <= MAX_N ? n : 0;
      ck_assert_int_eq (answer.n, n);
      ck_assert_int_eq (answer.high, n);
      ck_assert_int_eq (answer.low, n > 0 ? n : MAX_N + 1);
    }
}
END_TEST

/* The greatest number of wrong answers of `n` that a rate of `p` explains at one in a thousand. */
static double
most_wrong (double n, double p)
{
  return n * p + 3.1 * sqrt (n * p * (1 - p)) + 1;
}

/* The hard case: the number before the true one misses the promise by next to nothing, or
 * the true one keeps it so. */
static void
check_coverage (gboolean just_kept)
{
  const guint n_worlds = 1500;
  guint n_high = 0, n_low = 0;

  for (guint64 number = 1; number <= n_worlds; number++)
    {
      World w = random_world (10000 + number, 0.2);
      BnPlanSearchConfig config = config_of (&w);
      gint64 n = config.floor + 1 + (gint64) (number % 40);
      guint n_numbers, n_runs;

      w.own_noise = 0.1 * w.noise;
      w.limit = just_kept ? mean_of (&w, n) * (1 + 1e-9) : mean_of (&w, n - 1) * (1 - 1e-9);
      BnPlanAnswer answer = run_search (&w, &config, &n_numbers, &n_runs);
      n_high += answer.high > 0 && answer.high < n;
      n_low += answer.low > n;
    }
  printf ("%s: of %u searches %u say kept below the number, %u broken at it\n",
          just_kept ? "just kept" : "just broken", n_worlds, n_high, n_low);
  ck_assert_double_le (n_high, most_wrong (n_worlds, 0.05));
  ck_assert_double_le (n_low, most_wrong (n_worlds, 0.05));
}

START_TEST (ends_of_the_band_are_wrong_one_time_in_twenty_at_most)
{
  check_coverage (FALSE);
  check_coverage (TRUE);
}
END_TEST

/* ---- verdicts that are not monotone ---- */

/* `verdicts` has a letter for each number from 1 on: b, u, U (looks kept) or k. */
static BnPlanAnswer
search_letters (const char *verdicts, gint64 first_gap, GString *path)
{
  BnPlanSearchConfig config = { .floor = 0, .max = (gint64) strlen (verdicts), .first_gap = first_gap,
                                .stages = bn_plan_stages (5, 10) };
  BnPlanSearch *search = bn_plan_search_new (&config);
  gint64 n;
  guint k;

  for (guint i = 0; bn_plan_search_next (search, &n, &k); i++)
    {
      char c = verdicts[n - 1];
      BnPlanOutcome outcome = { c == 'b' ? BN_VERDICT_BROKEN : c == 'k' ? BN_VERDICT_KEPT : BN_VERDICT_UNDECIDED,
                                c == 'k' || c == 'U' };
      ck_assert_uint_lt (i, 100);
      g_string_append_printf (path, "%d:%u ", (int) n, k);
      bn_plan_search_tell (search, n, k, outcome);
    }
  BnPlanAnswer answer = bn_plan_search_answer (search);
  bn_plan_search_free (search);
  return answer;
}

static void
assert_answer (const char *verdicts, gint64 first_gap, const char *path, BnPlanAnswer expected)
{
  g_autoptr (GString) walked = g_string_new (NULL);
  BnPlanAnswer answer = search_letters (verdicts, first_gap, walked);

  ck_assert_str_eq (walked->str, path);
  ck_assert_int_eq (answer.n, expected.n);
  ck_assert_int_eq (answer.low, expected.low);
  ck_assert_int_eq (answer.high, expected.high);
  ck_assert_int_eq (answer.kept_at, expected.kept_at);
  ck_assert_int_eq (answer.broken_at, expected.broken_at);
}

START_TEST (search_goes_up_halves_and_looks_at_neighbours)
{
  assert_answer ("bbbbbkkkkkkkkkkk", 1, "1:5 2:5 4:5 8:5 6:5 5:5 7:5 ", (BnPlanAnswer) { 6, 6, 6, 0, 0 });
  assert_answer ("kkkk", 1, "1:5 2:5 ", (BnPlanAnswer) { 1, 1, 1, 0, 0 });
}
END_TEST

START_TEST (search_gives_more_seeds_where_it_is_undecided)
{
  /* 6 looks kept and stays undecided, as does 7; 5 does not look kept */
  assert_answer ("bbbbuUUkkkkkkkkk", 1, "1:5 2:5 4:5 8:5 6:5 5:5 7:5 6:10 5:10 7:10 ",
                 (BnPlanAnswer) { 6, 5, 8, 0, 0 });
}
END_TEST

START_TEST (search_says_that_nothing_suffices)
{
  assert_answer ("bbbbbb", 2, "2:5 4:5 6:5 ", (BnPlanAnswer) { 0, 7, 0, 0, 0 });
  assert_answer ("bbbbbu", 2, "2:5 4:5 6:5 6:10 5:5 ", (BnPlanAnswer) { 0, 6, 0, 0, 0 });
}
END_TEST

START_TEST (search_reports_a_number_that_is_kept_below_one_that_is_broken)
{
  /* the neighbour above 4 is broken: the answer lies above it */
  assert_answer ("bbbkbbkkkkkk", 4, "4:5 2:5 3:5 5:5 10:5 7:5 6:5 8:5 ", (BnPlanAnswer) { 7, 4, 7, 4, 6 });
  /* the neighbour below the border is kept */
  assert_answer ("bbkbkkkkkkkk", 4, "4:5 8:5 6:5 5:5 3:5 1:5 2:5 ", (BnPlanAnswer) { 5, 3, 5, 3, 4 });
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("plan search");
  TCase *tc = tcase_create ("verdicts"), *search = tcase_create ("search");

  tcase_add_test (tc, verdict_is_that_of_a_t_test_done_by_hand);
  tcase_add_test (tc, runs_that_do_not_differ_decide);
  tcase_add_test (tc, labels_break_a_promise_when_chance_does_not_explain_them);
  tcase_add_test (tc, a_run_that_lost_jobs_breaks_every_promise);
  tcase_add_test (tc, stages_double_up_to_the_last);
  suite_add_tcase (suite, tc);
  tcase_set_timeout (search, 300);
  tcase_add_test (search, search_without_noise_finds_the_number);
  tcase_add_test (search, search_finds_what_exhaustive_search_finds);
  tcase_add_test (search, ends_of_the_band_are_wrong_one_time_in_twenty_at_most);
  tcase_add_test (search, search_goes_up_halves_and_looks_at_neighbours);
  tcase_add_test (search, search_gives_more_seeds_where_it_is_undecided);
  tcase_add_test (search, search_says_that_nothing_suffices);
  tcase_add_test (search, search_reports_a_number_that_is_kept_below_one_that_is_broken);
  suite_add_tcase (suite, search);
  return run_suite (suite);
}
