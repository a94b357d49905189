/* test_real_times.c: what a run on the wall clock costs its loop.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "real_times.h"

#include "suite.h"

static const BnJob jobs[] = { { .id = 0 }, { .id = 1 } };

static void
decide (BnRealTimes *times, BnDecisionKind kind, int job, uint32_t task, BnTime asked_ns, BnDuration decide_ns)
{
  BnDecision decision = { .job = &jobs[job], .task = task, .kind = kind, .observer = BN_NONE, .asked_ns = asked_ns,
                          .seen_ns = asked_ns, .decide_ns = decide_ns };

  bn_real_times_decided (times, &decision);
}

static int64_t
n_calls (const BnRealTimes *times)
{
  BnRunTotals totals = { 0 };
  BnRealTally tally;

  bn_real_times_sum (times, &totals, &tally);
  return tally.decisions.n;
}

START_TEST (a_call_of_a_hook_counts_once_whatever_it_answers)
{
  BnRealTimes times;

  bn_real_times_init (&times);
  /* a plan of two tasks */
  decide (&times, BN_DECIDED_PLAN, 0, 0, 1000, 700);
  decide (&times, BN_DECIDED_PLAN, 0, 1, 1000, 700);
  ck_assert_int_eq (n_calls (&times), 1);
  /* a review that places tasks of two jobs */
  decide (&times, BN_DECIDED_REVIEW, 0, 2, 1000, 900);
  decide (&times, BN_DECIDED_REVIEW, 1, 0, 1000, 900);
  decide (&times, BN_DECIDED_REVIEW, 0, 3, 1000, 900);
  ck_assert_int_eq (n_calls (&times), 2);
  bn_real_times_clear (&times);
}
END_TEST

START_TEST (questions_of_one_instant_are_told_apart)
{
  BnRealTimes times;

  bn_real_times_init (&times);
  decide (&times, BN_DECIDED_PLACE, 0, 1, 5000, 300);
  decide (&times, BN_DECIDED_PLACE, 0, 2, 5000, 310);
  ck_assert_int_eq (n_calls (&times), 2);
  decide (&times, BN_DECIDED_PLACE, 1, 2, 5000, 310);
  ck_assert_int_eq (n_calls (&times), 3);
  decide (&times, BN_DECIDED_FORWARD, 1, 2, 5000, 310);
  ck_assert_int_eq (n_calls (&times), 4);
  decide (&times, BN_DECIDED_FORWARD, 1, 2, 6000, 310);
  ck_assert_int_eq (n_calls (&times), 5);
  bn_real_times_clear (&times);
}
END_TEST

START_TEST (what_the_run_decides_by_itself_is_no_call)
{
  BnRealTimes times;

  bn_real_times_init (&times);
  decide (&times, BN_DECIDED_RETRY, 0, 0, 0, -1);
  ck_assert_int_eq (n_calls (&times), 0);
  bn_real_times_clear (&times);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("real_times");
  TCase *t = tcase_create ("real_times");

  tcase_add_test (t, a_call_of_a_hook_counts_once_whatever_it_answers);
  tcase_add_test (t, questions_of_one_instant_are_told_apart);
  tcase_add_test (t, what_the_run_decides_by_itself_is_no_call);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
