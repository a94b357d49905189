/* test_invariants.c: the probe that checks tasks finds each kind of fault.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <check.h>

#include "invariants.h"
#include "played_run.h"
#include "suite.h"

#define MS BN_NS_PER_MS

static BnInvariants *
watch (void (*spoil) (PlayedRun *run))
{
  BnInvariants *invariants = bn_invariants_new (&played_platform, &played_catalogue);

  play_spoilt_run (bn_invariants_probe (invariants), 1, spoil);
  return invariants;
}

START_TEST (a_good_run_has_no_violation_and_every_task_was_checked)
{
  BnInvariants *invariants = watch (NULL);

  ck_assert_int_eq (bn_invariants_violations (invariants), 0);
  ck_assert_int_eq (bn_invariants_tasks_checked (invariants), 5);
  ck_assert_uint_eq (bn_invariants_messages (invariants)->len, 0);
  bn_invariants_free (invariants);
}
END_TEST

static void queued_too_early (PlayedRun *r) { r->jobs[1]->tasks[1].enqueue_ns = 34 * MS; }
static void queued_before_arrival (PlayedRun *r) { r->jobs[0]->tasks[0].enqueue_ns = 10 * MS; }
static void started_before_queued (PlayedRun *r) { r->jobs[2]->tasks[0].enqueue_ns = 54 * MS; }
static void load_missing (PlayedRun *r) { r->jobs[0]->tasks[0].fetch_ns = 3 * MS; }
static void ended_before_begun (PlayedRun *r) { r->jobs[1]->tasks[1].end_ns = 41 * MS; r->jobs[1]->end_ns = 41 * MS; }
static void negative_bytes (PlayedRun *r) { r->jobs[0]->tasks[1].moved_bytes = -1; }
static void access_without_model (PlayedRun *r) { r->jobs[2]->tasks[0].access = BN_ACCESS_HIT; }
static void model_without_access (PlayedRun *r) { r->jobs[1]->tasks[0].access = BN_ACCESS_NONE; }
static void bytes_of_a_hit (PlayedRun *r) { r->jobs[1]->tasks[0].evict_bytes = 1; }
static void miss_without_bytes (PlayedRun *r) { r->jobs[0]->tasks[0].fetch_bytes = 0; }
static void no_such_worker (PlayedRun *r) { r->jobs[2]->tasks[0].planned_worker = 2; }
static void task_left_out (PlayedRun *r) { r->jobs[2]->tasks[0].state = BN_TASK_QUEUED; }
static void wrong_end (PlayedRun *r) { r->jobs[0]->end_ns = 52 * MS; }
static void created_out_of_order (PlayedRun *r) { r->jobs[2]->id = 3; }
static void no_end_state (PlayedRun *r) { r->jobs[3]->state = BN_JOB_LIVE; }
static void over_capacity (PlayedRun *r) { r->cache_events[3].resident_bytes = INT64_C (8000000001); }
static void wrong_total (PlayedRun *r) { r->totals.n_done = 2; }
static void tasks_of_no_total (PlayedRun *r) { r->totals.n_tasks_done = 6; }
static void two_on_one_slot (PlayedRun *r) { r->jobs[1]->tasks[0].worker = 1; }

static const struct
{
  void (*spoil) (PlayedRun *run);
  const char *message;
} faults[] = {
  { queued_too_early, "job 1 task b on worker 0: queued before its inputs were made" },
  { queued_before_arrival, "job 0 task a on worker 0: queued before its job arrived" },
  { started_before_queued, "started before it was queued" },
  { load_missing, "evictions and load do not fill the time before its execution" },
  { ended_before_begun, "ended before its execution began" },
  { negative_bytes, "a negative number of bytes" },
  { access_without_model, "job 2 task s on worker 1: hit, miss and joined" },
  { model_without_access, "job 1 task a on worker 0: hit, miss and joined" },
  { bytes_of_a_hit, "job 1 task a on worker 0: bytes were loaded or evicted for it" },
  { miss_without_bytes, "job 0 task a on worker 0: bytes were loaded or evicted for it" },
  { no_such_worker, "no such worker" },
  { task_left_out, "job 2 is done with 0 of 1 tasks" },
  { wrong_end, "job 0 does not end with its last task" },
  { created_out_of_order, "job 3 is created as number 2" },
  { no_end_state, "job 3 ends without a state that is an end" },
  { over_capacity, "8000000001 bytes resident on worker 0" },
  { wrong_total, "the run says 2 jobs done, and there were 3" },
  { tasks_of_no_total, "the run says 6 tasks done, and there were 5" },
  { two_on_one_slot, "starts while every slot is held" },
};

START_TEST (each_kind_of_fault_is_found_and_said)
{
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      BnInvariants *invariants = watch (faults[i].spoil);
      const GPtrArray *messages = bn_invariants_messages (invariants);
      gboolean said = FALSE;

      ck_assert_msg (bn_invariants_violations (invariants) > 0, "fault %u is not found", (unsigned) i);
      for (guint m = 0; m < messages->len; m++)
        said |= strstr (g_ptr_array_index (messages, m), faults[i].message) != NULL;
      ck_assert_msg (said, "fault %u: %s", (unsigned) i, (const char *) g_ptr_array_index (messages, 0));
      bn_invariants_free (invariants);
    }
}
END_TEST

START_TEST (messages_are_bounded_and_violations_are_all_counted)
{
  BnInvariants *invariants = bn_invariants_new (&played_platform, &played_catalogue);

  for (int i = 0; i < 30; i++)
    play_spoilt_run (bn_invariants_probe (invariants), 1, negative_bytes);
  ck_assert_int_ge (bn_invariants_violations (invariants), 30);
  ck_assert_uint_eq (bn_invariants_messages (invariants)->len, BN_INVARIANTS_MESSAGES);
  bn_invariants_free (invariants);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("invariants");
  TCase *tc = tcase_create ("invariants");

  tcase_add_test (tc, a_good_run_has_no_violation_and_every_task_was_checked);
  tcase_add_test (tc, each_kind_of_fault_is_found_and_said);
  tcase_add_test (tc, messages_are_bounded_and_violations_are_all_counted);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
