/* test_compass.c: planning, adjustment and their neighbours, worked by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The small cousin of the reference logs: two workers of 100 MB, PCIe 1 GB/s,
 * 2 us for a client's message, 4 us from GPU to GPU. Workflow chain: 10 ms
 * without a model, then 20 ms on model A (10 MB: 10 ms to load). Workflow single:
 * 5 ms on model B (20 MB: 20 ms).
 */
#include <check.h>
#include <glib.h>
#include <string.h>

#include "suite.h"
#include "world.h"

#define MS BN_NS_PER_MS
#define MB INT64_C (1000000)

static World *
two_workers (const char *variant, BnDuration staleness_ns)
{
  static const uint32_t zero[] = { 0 };
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnServerGroup group = world_group (2, 100 * MB);

  bn_catalogue_builder_add_model (b, "A", 10 * MB);
  bn_catalogue_builder_add_model (b, "B", 20 * MB);
  bn_catalogue_builder_add_workflow (b, "chain");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 1000, 10 * MS, NULL, 0);
  bn_catalogue_builder_add_task (b, 0, 1000, 0, 20 * MS, zero, 1);
  bn_catalogue_builder_add_workflow (b, "single");
  bn_catalogue_builder_add_task (b, 1, 1000, 0, 5 * MS, NULL, 0);
  World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
  w->config.options.load_spread = w->config.options.cache_spread = (BnSpread){ BN_SPREAD_DELAY, staleness_ns };
  world_schedule (w, variant);
  return w;
}

/* Jobs 0 and 1 plan both tasks at home: the second would finish there at 40.002,
 * elsewhere at 40.006. */
#define JOBS "0,chain,0\n0,chain,1\n9000000,single,0\n"

START_TEST (compass_moves_a_ready_task_away_from_a_busy_worker)
{
  World *w = two_workers ("compass[threshold=0.1]", 0);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* Job 2 at 9.002: worker 0 is free at 10.002, so finish 35.002; worker 1 the
     same; the lower number wins. At 10.002 worker 0 has 5 ms queued, over
     0.1 x 20: staying costs 5 + 10, going 0 + 0.004 + 10. */
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 0 10006000 40002000 0 0 40002000 60002000 hit;");
  /* Job 1's second task stays: nothing is queued at worker 1 yet. */
  ck_assert_str_eq (world_job (w, 1), "0 1 1 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 10002000 10002000 0 10000000 20002000 40002000 miss;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 9002000 10002000 0 20000000 30002000 35002000 miss;");
  ck_assert_ptr_nonnull (strstr (w->log->str, "10002000 place 0.1 by 0: 0 -> 1\n"));
  world_free (w);
}
END_TEST

START_TEST (without_adjustment_the_plan_stands)
{
  World *w = two_workers ("compass[adjust=off]", 0);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* the hand-over is an event: the single task starts first */
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 0 0 10002000 35002000 0 10000000 45002000 65002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (others_are_seen_as_they_were_and_oneself_as_one_is)
{
  World *w = two_workers ("compass[threshold=0.1]", 10 * MS);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* At 9.002 worker 0 knows itself busy until 10.002 and sees worker 1 as before
     the start: idle. So job 2 goes to 1. At 10.002 worker 1 sees worker 0 as at
     0.002: running until 10.002, so free now; job 1's second task goes there. */
  ck_assert_str_eq (world_job (w, 2), "0 1 1 9004000 10002000 0 20000000 30002000 35002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 2000 2000 0 0 2000 10002000 none; "
                                      "1 0 1 10006000 40002000 0 0 40002000 60002000 hit;");
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 0 0 10002000 10002000 0 10000000 20002000 40002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (rows_published_at_intervals_are_as_old_as_the_last_tick)
{
  World *w = two_workers ("compass[threshold=0.1,load-staleness=interval:8ms]", 0);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* worker 1 publishes at 4, 12, …: at 9.002 it is seen running until 10.002, as
     if fresh */
  ck_assert_str_eq (world_job (w, 2), "0 0 0 9002000 10002000 0 20000000 30002000 35002000 miss;");
  world_free (w);

  w = two_workers ("compass[threshold=0.1,load-staleness=interval:30ms]", 0);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* it has not published before 15 ms: seen idle */
  ck_assert_str_eq (world_job (w, 2), "0 1 1 9004000 10002000 0 20000000 30002000 35002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (blind_to_loads_everything_looks_idle)
{
  World *w = two_workers ("compass[load=off]", 0);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* job 2 stays at its ingress */
  ck_assert_str_eq (world_job (w, 2), "0 0 0 9002000 10002000 0 20000000 30002000 35002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (own_reservations_count_what_is_planned_and_not_yet_queued)
{
  /* Two jobs reach worker 0 at once, each planned before the other is queued.
     Without reservations both go to worker 0 (2 us nearer); with them the second
     sees 5 ms ahead of it there. */
  World *w = two_workers ("compass", 10 * MS);
  world_jobs (w, "0,single,0\n0,single,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 25002000 0 0 25002000 30002000 hit;");
  world_free (w);

  w = two_workers ("compass[reserve=own]", 10 * MS);
  world_jobs (w, "0,single,0\n0,single,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 20000000 20002000 25002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 4000 4000 0 20000000 20004000 25004000 miss;");
  world_free (w);
}
END_TEST

START_TEST (published_reservations_reach_others_with_the_row)
{
  /* Worker 0 plans at 0.002; worker 1 plans at 6.002, when worker 0's task has
     been queued there for 6 ms but worker 1 still sees the row of before. Its own
     worker runs a chain until 13.002, so worker 0 looks better: unless it knows of
     the reservation, which is told 10 ms after 0.002. */
  static const char jobs[] = "0,single,0\n3000000,chain,1\n6000000,single,1\n";
  World *w = two_workers ("compass[reserve=published]", 10 * MS);
  world_jobs (w, jobs);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* at 6.002 nothing has been told yet: worker 0 it is */
  ck_assert_str_eq (world_job (w, 2), "0 0 0 6004000 25002000 0 0 25002000 30002000 hit;");
  world_free (w);
}
END_TEST

START_TEST (jit_places_when_ready_and_queues_with_the_last_input)
{
  World *w = two_workers ("jit", 0);
  world_jobs (w, JOBS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* job 2 at 9.002: both free at 10.002, worker 0. At 10.002 job 0's second task:
     worker 0 has 5 ms queued: 15.002 + 10 + 20 = 45.002; worker 1 ends its task in
     a later event of this instant: 10.006 + 30 = 40.006. Job 1's: worker 1 is idle:
     40.002. */
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 10006000 40002000 0 0 40002000 60002000 hit;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 10002000 10002000 0 10000000 20002000 40002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (heft_does_not_know_what_is_cached_unless_told)
{
  BnPreload preload = { 1, 1 }; /* B at worker 1 */
  static const struct
  {
    const char *variant;
    const char *row;
  } cases[] = {
    { "heft", "0 0 0 2000 2000 0 20000000 20002000 25002000 miss;" },
    { "heft[cache]", "0 1 1 4000 4000 0 0 4000 5004000 hit;" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      World *w = two_workers (cases[i].variant, 0);
      w->config.preloads = &preload;
      w->config.n_preloads = 1;
      world_jobs (w, "0,single,0\n");
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      ck_assert_str_eq (world_job (w, 0), cases[i].row);
      world_free (w);
    }
}
END_TEST

START_TEST (heft_with_insertion_fills_a_gap_that_its_plan_leaves)
{
  /* Tasks 0 (10 ms, an output of 50 MB: 150 ms away) and 1 (100 ms) are joined by
     2 (30 ms); 3 (20 ms) stands alone and ranks last. Task 0 goes to worker 0, 1 to
     worker 1, 2 to worker 0 from 100 to 130 ms. That leaves 10 to 100 ms at worker
     0: appending, 3 is better off at worker 1 (120 against 150). */
  static const uint32_t both[] = { 0, 1 };

  for (int insertion = 0; insertion <= 1; insertion++)
    {
      BnCatalogueBuilder *b = bn_catalogue_builder_new ();
      BnServerGroup group = world_group (2, 0);
      bn_catalogue_builder_add_workflow (b, "gap");
      bn_catalogue_builder_add_task (b, BN_NONE, 0, 50 * MB, 10 * MS, NULL, 0);
      bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 100 * MS, NULL, 0);
      bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 30 * MS, both, 2);
      bn_catalogue_builder_add_task (b, BN_NONE, 0, 0, 20 * MS, NULL, 0);
      World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
      world_schedule (w, insertion ? "heft[insertion]" : "heft");
      world_jobs (w, "0,gap,0\n");
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      ck_assert_ptr_nonnull (strstr (world_job (w, 0), "1 1 1 "));
      ck_assert_ptr_nonnull (strstr (world_job (w, 0), "; 2 0 0 "));
      ck_assert_ptr_nonnull (strstr (world_job (w, 0), insertion ? "; 3 0 0 " : "; 3 1 1 "));
      world_free (w);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("compass");
  TCase *tc = tcase_create ("worked by hand");

  tcase_add_test (tc, compass_moves_a_ready_task_away_from_a_busy_worker);
  tcase_add_test (tc, without_adjustment_the_plan_stands);
  tcase_add_test (tc, others_are_seen_as_they_were_and_oneself_as_one_is);
  tcase_add_test (tc, rows_published_at_intervals_are_as_old_as_the_last_tick);
  tcase_add_test (tc, blind_to_loads_everything_looks_idle);
  tcase_add_test (tc, own_reservations_count_what_is_planned_and_not_yet_queued);
  tcase_add_test (tc, published_reservations_reach_others_with_the_row);
  tcase_add_test (tc, jit_places_when_ready_and_queues_with_the_last_input);
  tcase_add_test (tc, heft_does_not_know_what_is_cached_unless_told);
  tcase_add_test (tc, heft_with_insertion_fills_a_gap_that_its_plan_leaves);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
