/* test_failure.c: what a run does about operations that fail, every time worked by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Times as in test_run.c: a model of n MB loads in n ms, 1000 bytes from the client take
 * 2 us and 4 us from GPU to GPU. What happens after random faults is in test_contract.c.
 */
#include <check.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "faulty_backend.h"
#include "small_world.h"
#include "suite.h"

static World *
faulty_world (uint32_t count, int64_t memory_bytes, uint32_t slots, const Fault *faults, uint32_t n)
{
  World *w = small_world (count, memory_bytes, slots);

  faulty_backend_set (faults, n);
  w->config.backend = &faulty_backend;
  return w;
}

/* What a listener was told of failures: "kind status worker job.task attempt after; ". */
static void
note_failure (void *context, const BnFailure *f)
{
  static const char *const kinds[] = { "load", "evict", "transfer", "run" };
  static const char *const statuses[] = { "ok", "memory", "failed", "lost", "cancelled" };
  static const char *const afters[] = { "resent", "evicted", "moved", "job-failed", "down", "nothing" };

  g_string_append_printf (context, "%s %s %u %" G_GINT64_FORMAT ".%d %u %s; ", kinds[f->kind], statuses[f->status],
                          f->worker, f->job_id, f->task, f->attempt, afters[f->after]);
}

static BnProbe
listener (GString *text)
{
  return (BnProbe){ .context = text, .op_failed = note_failure };
}

START_TEST (a_load_that_fails_is_tried_again_where_it_is)
{
  const Fault fault = { BN_OP_LOAD, BN_NONE, 1, 2, BN_OP_FAILED, 3 * MS };
  World *w = faulty_world (1, 100 * MB, 1, &fault, 1);
  g_autoptr (GString) told = g_string_new (NULL);
  BnProbe probe = listener (told);

  w->listener = &probe;
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* two loads of 3 ms that fail count as waiting for room, then 10 ms */
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 6000000 10000000 16002000 21002000 miss;");
  ck_assert_str_eq (told->str, "load failed 0 0.0 0 resent; load failed 0 0.0 0 resent; ");
  ck_assert_int_eq (w->totals.n_failures, 2);
  world_free (w);
}
END_TEST

START_TEST (a_load_that_finds_too_little_memory_evicts_one_model_more)
{
  const Fault fault = { BN_OP_LOAD, BN_NONE, 2, 1, BN_OP_OUT_OF_MEMORY, 0 };
  World *w = faulty_world (1, 100 * MB, 1, &fault, 1);
  g_autoptr (GString) told = g_string_new (NULL);
  BnProbe probe = listener (told);

  w->listener = &probe;
  world_schedule (w, "jit");
  /* the cache has room for both, the device says it has not */
  world_jobs (w, "0,one-a,0\n0,one-b,0\n100000000,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 20000000 35002000 40002000 miss;");
  ck_assert_str_eq (told->str, "load memory 0 1.0 0 evicted; ");
  ck_assert_ptr_nonnull (strstr (w->log->str, "15002000 evicted A at 0"));
  ck_assert_uint_eq (faulty_backend_drops (), 1);
  ck_assert_ptr_nonnull (strstr (world_job (w, 2), "miss;"));
  world_free (w);
}
END_TEST

START_TEST (a_load_that_no_eviction_helps_goes_elsewhere)
{
  const Fault fault = { BN_OP_LOAD, 0, 1, UINT32_MAX, BN_OP_OUT_OF_MEMORY, 0 };
  World *w = faulty_world (2, 100 * MB, 1, &fault, 1);
  g_autoptr (GString) told = g_string_new (NULL);
  BnProbe probe = listener (told);

  w->listener = &probe;
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* the client's data goes on to worker 1 in 2 us */
  ck_assert_str_eq (world_job (w, 0), "0 1 0 4000 4000 0 10000000 10004000 15004000 miss;");
  ck_assert_str_eq (told->str, "load memory 0 0.0 0 moved; ");
  ck_assert_ptr_nonnull (strstr (w->log->str, "2000 retry 0.0 by -1: 0 -> 1"));
  world_free (w);
}
END_TEST

START_TEST (a_task_whose_execution_fails_goes_to_another_worker_with_its_inputs)
{
  const Fault fault = { BN_OP_RUN, 1, 1, 1, BN_OP_FAILED, 5 * MS };
  World *w = faulty_world (2, 100 * MB, 1, &fault, 1);
  g_autoptr (GString) told = g_string_new (NULL);
  BnProbe probe = listener (told);

  w->listener = &probe;
  world_schedule (w, "hash[modulo]");
  world_jobs (w, "0,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* task 1 executes on worker 1 from 20.006, fails at 25.006; its input was made on worker 0 */
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 0 1 25006000 25006000 0 10000000 35006000 55006000 miss;");
  ck_assert_str_eq (told->str, "run failed 1 0.1 0 moved; ");
  world_free (w);
}
END_TEST

START_TEST (with_one_worker_a_task_tries_again_where_it_is_with_its_model_loaded_anew)
{
  const Fault fault = { BN_OP_RUN, BN_NONE, 1, 1, BN_OP_FAILED, 1 * MS };
  World *w = faulty_world (1, 100 * MB, 1, &fault, 1);

  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 11002000 11002000 0 10000000 21002000 26002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (a_task_that_meets_four_failures_fails_its_job_and_no_other)
{
  const Fault fault = { BN_OP_RUN, BN_NONE, 1, 4, BN_OP_FAILED, 1 * MS };
  World *w = faulty_world (1, 100 * MB, 1, &fault, 1);
  g_autoptr (GString) told = g_string_new (NULL);
  BnProbe probe = listener (told);

  w->listener = &probe;
  world_schedule (w, "jit");
  world_jobs (w, "0,bare,0\n50000000,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 not done; failed attempts");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 50002000 50002000 0 0 50002000 51002000 none;");
  ck_assert_str_eq (told->str, "run failed 0 0.0 0 resent; run failed 0 0.0 1 resent; run failed 0 0.0 2 resent; "
                               "run failed 0 0.0 3 job-failed; ");
  ck_assert_int_eq (w->totals.n_failed, 1);
  world_free (w);
}
END_TEST

START_TEST (a_transfer_that_fails_is_sent_again)
{
  const Fault fault = { BN_OP_TRANSFER, BN_NONE, 1, 1, BN_OP_FAILED, 1 * MS };
  World *w = faulty_world (2, 100 * MB, 1, &fault, 1);

  world_schedule (w, "hash[modulo]");
  world_jobs (w, "0,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 11006000 11006000 0 10000000 21006000 41006000 miss;");
  world_free (w);
}
END_TEST

START_TEST (a_lost_device_is_left_and_nothing_is_given_to_it_any_more)
{
  const Fault fault = { BN_OP_RUN, 1, 1, 1, BN_OP_DEVICE_LOST, 5 * MS };
  World *w = faulty_world (2, 100 * MB, 1, &fault, 1);
  g_autoptr (GString) told = g_string_new (NULL);
  BnProbe probe = listener (told);

  w->listener = &probe;
  world_schedule (w, "hash[modulo]");
  /* task 1 of job 0 is on worker 1 when that is lost at 25.006; its input was made on worker 0,
     and is there still. Job 1 would run its task 0 there. */
  world_jobs (w, "0,chain,0\n100000000,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 0 1 25006000 25006000 0 10000000 35006000 55006000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 100002000 100002000 0 0 100002000 110002000 none; "
                                      "1 0 0 110002000 110002000 0 0 110002000 130002000 hit;");
  ck_assert_str_eq (told->str, "run lost 1 0.1 0 down; ");
  ck_assert_int_eq (w->totals.n_workers_lost, 1);
  ck_assert_ptr_nonnull (strstr (w->log->str, "25006000 prefetch evicted A at 1"));
  world_free (w);
}
END_TEST

START_TEST (a_job_whose_data_was_only_on_a_lost_device_fails)
{
  const Fault fault = { BN_OP_LOAD, 1, 1, 1, BN_OP_DEVICE_LOST, 0 };
  World *w = faulty_world (2, 100 * MB, 1, &fault, 1);

  world_schedule (w, "jit");
  /* task 0 has made its output on worker 1, where task 1 stays; its load finds the device gone */
  world_jobs (w, "0,chain,1\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 1 1 2000 2000 0 0 2000 10002000 none; 1 not done; failed data-lost");
  ck_assert_int_eq (w->totals.n_workers_lost, 1);
  world_free (w);
}
END_TEST

START_TEST (when_every_device_is_lost_jobs_fail_and_the_run_ends)
{
  static const char *const variants[] = { "jit", "compass", "heft", "sparrow", "pull", "late", "hash[random]" };
  const Fault fault = { BN_OP_RUN, BN_NONE, 3, 2, BN_OP_DEVICE_LOST, 1 * MS };
  World *w = faulty_world (2, 100 * MB, 1, &fault, 1);

  world_schedule (w, variants[_i]);
  world_jobs (w, "0,bare,0\n10000000,bare,0\n20000000,bare,0\n20000000,bare,1\n30000000,chain,0\n40000000,diamond,1\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_int_eq (w->totals.n_workers_lost, 2);
  ck_assert_int_eq (w->totals.n_done, 2);
  ck_assert_int_eq (w->totals.n_failed, 4);
  ck_assert_ptr_nonnull (strstr (world_job (w, 5), "no-worker-left"));
  world_free (w);
}
END_TEST

START_TEST (a_write_back_that_fails_loses_nothing)
{
  const Fault fault = { BN_OP_EVICT, BN_NONE, 1, 1, BN_OP_FAILED, 2 * MS };
  World *w = faulty_world (1, 25 * MB, 1, &fault, 1);

  w->config.options.evict_cost = BN_EVICT_COST_WRITEBACK;
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n0,one-b,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 2000000 20000000 37002000 42002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (a_backend_hears_of_every_job_that_is_over_and_every_model_that_leaves_free)
{
  World *w = faulty_world (1, 25 * MB, 1, NULL, 0);

  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n0,one-b,0\n0,one-a,0\n0,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_uint_eq (faulty_backend_jobs_over (), 4);
  ck_assert_uint_eq (faulty_backend_drops (), 2);
  world_free (w);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("failures");
  TCase *tc = tcase_create ("operations");

  tcase_add_test (tc, a_load_that_fails_is_tried_again_where_it_is);
  tcase_add_test (tc, a_load_that_finds_too_little_memory_evicts_one_model_more);
  tcase_add_test (tc, a_load_that_no_eviction_helps_goes_elsewhere);
  tcase_add_test (tc, a_task_whose_execution_fails_goes_to_another_worker_with_its_inputs);
  tcase_add_test (tc, with_one_worker_a_task_tries_again_where_it_is_with_its_model_loaded_anew);
  tcase_add_test (tc, a_task_that_meets_four_failures_fails_its_job_and_no_other);
  tcase_add_test (tc, a_transfer_that_fails_is_sent_again);
  tcase_add_test (tc, a_write_back_that_fails_loses_nothing);
  tcase_add_test (tc, a_backend_hears_of_every_job_that_is_over_and_every_model_that_leaves_free);
  suite_add_tcase (suite, tc);
  tc = tcase_create ("devices");
  tcase_add_test (tc, a_lost_device_is_left_and_nothing_is_given_to_it_any_more);
  tcase_add_test (tc, a_job_whose_data_was_only_on_a_lost_device_fails);
  tcase_add_loop_test (tc, when_every_device_is_lost_jobs_fail_and_the_run_ends, 0, 7);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
