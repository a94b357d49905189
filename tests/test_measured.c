/* test_measured.c: the model of a machine that really executes, times worked by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The workflows of small_world.h: bare is 1 ms without a model, one-a 5 ms on A of
 * 10 MB, chain 10 ms without a model and then 20 ms on A. A job reaches its ingress
 * after 2 us.
 */
#include <check.h>
#include <glib.h>
#include <string.h>

#include "small_world.h"
#include "suite.h"

#define N_TASKS 10

/* Copies of 1 GB/s, nothing shared, nothing cold, no delay. */
static const BnDuration never_cold[N_TASKS];

static BnMeasured
ideal (void)
{
  return (BnMeasured){ .load = { 0, 1000000000 }, .evict = { 0, 1000000000 }, .transfer = { 0, 1000000000 },
                       .n_speeds = 1, .speeds = { 1 }, .run_beside_load = 1, .run_beside_evict = 1,
                       .load_beside_run = 1, .evict_beside_run = 1, .n_tasks = N_TASKS, .cold_ns = never_cold };
}

static World *
measured_world (const BnMeasured *measured, uint32_t count, const char *variant, const char *jobs)
{
  World *w = small_world (count, 100 * MB, 1);

  ck_assert_uint_eq (w->catalogue->n_tasks, N_TASKS);
  w->config.backend_settings.measured = measured;
  world_schedule (w, variant);
  world_jobs (w, jobs);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  return w;
}

START_TEST (a_lone_task_takes_what_it_took)
{
  BnMeasured m = ideal ();
  World *w = measured_world (&m, 1, "jit", "0,one-a,0\n");

  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 15002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (two_at_once_share_the_machine)
{
  BnMeasured m = ideal ();
  m.n_speeds = 2;
  m.speeds[1] = 0.5;
  /* job 0 has done 3.998 of 10 ms when job 1 begins; that takes 2 ms for its 1; job 0 has 5.002 left then */
  World *w = measured_world (&m, 2, "hash[modulo]", "0,chain,0\n3998000,bare,1\n");

  ck_assert_str_eq (world_job (w, 1), "0 1 1 4000000 4000000 0 0 4000000 6000000 none;");
  g_autofree char *first = g_strndup (world_job (w, 0), strlen ("0 0 0 2000 2000 0 0 2000 11002000 none;"));
  ck_assert_str_eq (first, "0 0 0 2000 2000 0 0 2000 11002000 none;");
  world_free (w);
}
END_TEST

START_TEST (loads_share_it_among_themselves_and_more_than_were_measured_go_at_the_last_speed)
{
  BnMeasured m = ideal ();
  m.n_speeds = 2;
  m.speeds[1] = 0.5;
  /* three loads of 10 ms at half speed: 20 ms; then three runs of 5 ms in 10 */
  World *w = measured_world (&m, 3, "jit", "0,one-a,0\n0,one-a,1\n0,one-a,2\n");

  for (int job = 0; job < 3; job++)
    ck_assert_ptr_nonnull (strstr (world_job (w, job), " 2000 2000 0 20000000 20002000 30002000 miss;"));
  world_free (w);
}
END_TEST

START_TEST (an_execution_is_slower_beside_a_load_and_that_not_beside_it)
{
  BnMeasured m = ideal ();
  m.run_beside_load = 0.5;
  m.run_beside_evict = 0.1;
  /* while A loads on worker 1, until 10.002, job 0 does 5 of its 10 ms; beside the execution there it loses
     nothing; on the other side the load goes at its own speed */
  World *w = measured_world (&m, 2, "jit", "0,chain,0\n0,one-a,1\n");

  g_autofree char *first = g_strndup (world_job (w, 0), strlen ("0 0 0 2000 2000 0 0 2000 15002000 none;"));
  ck_assert_str_eq (first, "0 0 0 2000 2000 0 0 2000 15002000 none;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 2000 2000 0 10000000 10002000 15002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (a_load_is_slower_beside_an_execution_and_that_not_beside_it)
{
  BnMeasured m = ideal ();
  m.load_beside_run = 0.5;
  m.evict_beside_run = 0.1;
  /* job 0 executes until 10.002; the load has done 5 of its 10 ms then */
  World *w = measured_world (&m, 2, "jit", "0,chain,0\n0,one-a,1\n");

  g_autofree char *first = g_strndup (world_job (w, 0), strlen ("0 0 0 2000 2000 0 0 2000 10002000 none;"));
  ck_assert_str_eq (first, "0 0 0 2000 2000 0 0 2000 10002000 none;");
  g_autofree char *second = g_strndup (world_job (w, 1), strlen ("0 1 1 2000 2000 0 15000000 15002000"));
  ck_assert_str_eq (second, "0 1 1 2000 2000 0 15000000 15002000");
  world_free (w);
}
END_TEST

START_TEST (where_no_processor_is_free_the_run_itself_takes_time_of_those_that_work)
{
  BnMeasured m = ideal ();
  m.n_processors = 2;
  m.loop_ns = 2 * MS;
  /* job 0 begins alone, for nothing; job 1 takes the other processor, which costs each of them 1 ms */
  World *w = measured_world (&m, 2, "hash[modulo]", "0,chain,0\n3998000,bare,1\n");

  ck_assert_str_eq (world_job (w, 1), "0 1 1 4000000 4000000 0 0 4000000 6000000 none;");
  g_autofree char *first = g_strndup (world_job (w, 0), strlen ("0 0 0 2000 2000 0 0 2000 11002000 none;"));
  ck_assert_str_eq (first, "0 0 0 2000 2000 0 0 2000 11002000 none;");
  world_free (w);
}
END_TEST

START_TEST (the_first_run_after_a_load_takes_longer)
{
  BnMeasured m = ideal ();
  BnDuration cold_ns[N_TASKS] = { 3 * MS };
  m.cold_ns = cold_ns;
  World *w = measured_world (&m, 1, "jit", "0,one-a,0\n0,one-a,0\n");

  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 18002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 18002000 0 0 18002000 23002000 hit;");
  world_free (w);
}
END_TEST

START_TEST (the_first_run_after_a_load_may_be_quicker_and_never_takes_less_than_nothing)
{
  BnMeasured m = ideal ();
  BnDuration cold_ns[N_TASKS] = { -2 * MS };
  m.cold_ns = cold_ns;
  World *w = measured_world (&m, 1, "jit", "0,one-a,0\n0,one-a,0\n");

  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 13002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 13002000 0 0 13002000 18002000 hit;");
  world_free (w);
  cold_ns[0] = -7 * MS;
  w = measured_world (&m, 1, "jit", "0,one-a,0\n");
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 10002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (copies_have_a_latency_and_ends_are_heard_of_later)
{
  BnMeasured m = ideal ();
  m.load.latency_ns = 1 * MS;
  m.wake_ns = 50000;
  World *w = measured_world (&m, 1, "jit", "0,one-a,0\n");

  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 11050000 11052000 16102000 miss;");
  world_free (w);
}
END_TEST

START_TEST (transfers_take_what_copies_took_or_if_paced_at_least_the_formula)
{
  for (int paced = 0; paced <= 1; paced++)
    {
      BnMeasured m = ideal ();
      m.transfer = (BnMeasuredCopy){ 500, 0 };
      m.paced = paced;
      World *w = measured_world (&m, 2, "hash[modulo]", "0,chain,0\n");

      /* 0.5 us instead of 4 us from GPU to GPU */
      ck_assert_ptr_nonnull (strstr (world_job (w, 0), paced ? "; 1 1 1 10006000" : "; 1 1 1 10002500"));
      world_free (w);
    }
}
END_TEST

START_TEST (loads_take_what_copies_took_or_if_paced_at_least_the_formula)
{
  for (int paced = 0; paced <= 1; paced++)
    {
      BnMeasured m = ideal ();
      m.load = (BnMeasuredCopy){ 1 * MS, 0 };
      m.wake_ns = 1000;
      m.paced = paced;
      World *w = measured_world (&m, 1, "jit", "0,one-a,0\n");

      ck_assert_str_eq (world_job (w, 0), paced ? "0 0 0 2000 2000 0 10001000 10003000 15004000 miss;"
                                                : "0 0 0 2000 2000 0 1001000 1003000 6004000 miss;");
      world_free (w);
    }
}
END_TEST

START_TEST (a_copy_takes_its_latency_and_its_bytes_at_its_rate)
{
  BnMeasuredCopy copy = { 1000, 2000000000 };

  ck_assert_int_eq (bn_measured_copy (&copy, 0), 1000);
  ck_assert_int_eq (bn_measured_copy (&copy, 4000), 3000);
  copy.bytes_per_s = 0;
  ck_assert_int_eq (bn_measured_copy (&copy, 4000), 1000);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("measured");
  TCase *tc = tcase_create ("machine");

  tcase_add_test (tc, a_lone_task_takes_what_it_took);
  tcase_add_test (tc, two_at_once_share_the_machine);
  tcase_add_test (tc, loads_share_it_among_themselves_and_more_than_were_measured_go_at_the_last_speed);
  tcase_add_test (tc, an_execution_is_slower_beside_a_load_and_that_not_beside_it);
  tcase_add_test (tc, a_load_is_slower_beside_an_execution_and_that_not_beside_it);
  tcase_add_test (tc, where_no_processor_is_free_the_run_itself_takes_time_of_those_that_work);
  tcase_add_test (tc, the_first_run_after_a_load_takes_longer);
  tcase_add_test (tc, the_first_run_after_a_load_may_be_quicker_and_never_takes_less_than_nothing);
  tcase_add_test (tc, copies_have_a_latency_and_ends_are_heard_of_later);
  tcase_add_test (tc, transfers_take_what_copies_took_or_if_paced_at_least_the_formula);
  tcase_add_test (tc, loads_take_what_copies_took_or_if_paced_at_least_the_formula);
  tcase_add_test (tc, a_copy_takes_its_latency_and_its_bytes_at_its_rate);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
