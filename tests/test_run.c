/* test_run.c: jobs on a small cluster, every time worked by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * PCIe is 1 GB/s, so that a model of n MB loads in n ms; a message of 1000 bytes
 * takes 2 us over the network (1 us latency + 1 us) and 4 us from GPU to GPU
 * (1 us PCIe + 2 us + 1 us PCIe). A row is
 * "task worker planned enqueue start evict fetch exec end access; …" in ns.
 */
#include <check.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "small_world.h"
#include "suite.h"

START_TEST (a_miss_loads_and_a_hit_does_not)
{
  World *w = small_world (1, 100 * MB, 1);
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 15002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 0 15002000 20002000 hit;");
  world_free (w);
}
END_TEST

START_TEST (an_eviction_frees_room_first_and_costs_its_way_back_if_written_back)
{
  for (int writeback = 0; writeback <= 1; writeback++)
    {
      World *w = small_world (1, 25 * MB, 1);
      w->config.options.evict_cost = writeback ? BN_EVICT_COST_WRITEBACK : BN_EVICT_COST_FREE;
      world_schedule (w, "jit");
      world_jobs (w, "0,one-a,0\n0,one-b,0\n");
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      ck_assert_str_eq (world_job (w, 1), writeback
                                            ? "0 0 0 2000 15002000 10000000 20000000 45002000 50002000 miss;"
                                            : "0 0 0 2000 15002000 0 20000000 35002000 40002000 miss;");
      world_free (w);
    }
}
END_TEST

START_TEST (an_output_travels_to_another_worker_and_not_within_one)
{
  World *w = small_world (2, 100 * MB, 1);
  world_schedule (w, "hash[modulo]");
  /* job 0: task 0 at worker 0 = ingress, task 1 at worker 1; job 1: 1 then 0 */
  world_jobs (w, "0,chain,0\n100000000,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 10006000 10006000 0 10000000 20006000 40006000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 100004000 100004000 0 0 100004000 110004000 none; "
                                      "1 0 0 110008000 110008000 0 10000000 120008000 140008000 miss;");
  world_free (w);
}
END_TEST

START_TEST (a_central_scheduler_costs_two_messages)
{
  World *w = small_world (2, 100 * MB, 1);
  world_schedule (w, "hash[modulo,central]");
  world_jobs (w, "0,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 4000 4000 0 0 4000 1004000 none;");
  world_free (w);
}
END_TEST

START_TEST (a_join_waits_for_its_last_input)
{
  World *w = small_world (2, 100 * MB, 1);
  world_schedule (w, "hash[modulo]");
  /* 0 and 2 at worker 0; 1 and 3 at worker 1. Task 1: 1.002 + 0.004 + 2 = 3.006;
     task 2: 1.002 + 3 = 4.002; its output is at worker 1 at 4.006 */
  world_jobs (w, "0,diamond,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 1002000 none; "
                                      "1 1 1 1006000 1006000 0 0 1006000 3006000 none; "
                                      "2 0 0 1002000 1002000 0 0 1002000 4002000 none; "
                                      "3 1 1 4006000 4006000 0 0 4006000 8006000 none;");
  world_free (w);
}
END_TEST

START_TEST (a_second_slot_joins_a_load_under_way)
{
  World *w = small_world (1, 100 * MB, 2);
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n4000000,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 15002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 4002000 4002000 0 6000000 10002000 15002000 joined;");
  world_free (w);
}
END_TEST

START_TEST (a_load_that_running_tasks_leave_no_room_for_waits_in_the_queue)
{
  World *w = small_world (1, 35 * MB, 2);
  world_schedule (w, "jit");
  /* A (10) runs until 15.002; C (30) needs 30 of 35 */
  world_jobs (w, "0,one-a,0\n0,one-c,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 30000000 45002000 50002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (prefetch_loads_the_next_model_beside_the_running_task)
{
  World *w = small_world (1, 100 * MB, 1);
  world_schedule (w, "jit[prefetch=next]");
  world_jobs (w, "0,one-a,0\n0,one-b,0\n0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* B loads from 0.002 (while A loads: no contention) to 20.002; it is joined */
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 5000000 20002000 25002000 joined;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 2000 25002000 0 0 25002000 30002000 hit;");
  ck_assert_ptr_nonnull (strstr (w->log->str, "20002000 prefetch loaded B at 0 since 2000, 30000000 bytes held\n"));
  world_free (w);
}
END_TEST

START_TEST (prefetch_never_evicts_the_running_model)
{
  World *w = small_world (1, 25 * MB, 1);
  world_schedule (w, "jit[prefetch=next]");
  world_jobs (w, "0,one-a,0\n0,one-b,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 20000000 35002000 40002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (one_pcie_lane_serves_loads_in_turn_under_contention)
{
  World *w = small_world (1, 100 * MB, 2);
  world_schedule (w, "jit[contention=fifo]");
  world_jobs (w, "0,one-a,0\n0,one-b,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 10000000 10002000 15002000 miss;");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 2000 0 30000000 30002000 35002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (transfers_take_their_turn_on_lanes_and_network_under_contention)
{
  World *w = small_world (2, 100 * MB, 2);
  world_schedule (w, "hash[modulo,contention=fifo]");
  /* jobs 0 and 2 run task 0 at worker 0 at the same time; their outputs cross to
     worker 1 one after the other. The client's messages (2 us each) take turns as
     well: only the ingress' own data is there at once.
     Output 0: lane 10.002-10.003, network -10.005, lane -10.006.
     Output 2: lane -10.004, network 10.005-10.007; then the load of A has the
     receiver's lane from 10.006 to 20.006, so lane -20.007. */
  world_jobs (w, "0,chain,0\n50000000,bare,0\n0,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED); /* not sorted: refused */
  world_free (w);

  w = small_world (2, 100 * MB, 2);
  world_schedule (w, "hash[modulo,contention=fifo]");
  world_jobs (w, "0,chain,0\n0,bare,1\n0,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 10006000 10006000 0 10000000 20006000 40006000 miss;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 20007000 20007000 0 0 20007000 40007000 hit;");
  world_free (w);
}
END_TEST

START_TEST (devices_of_one_server_do_not_use_the_network)
{
  BnServerGroup group = world_group (1, 100 * MB);
  group.devices = 2;
  World *w = world_new (small_catalogue (), &group, 1);
  world_schedule (w, "hash[modulo]");
  world_jobs (w, "0,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* 1 us down, 1 us up */
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 10002000 none; "
                                      "1 1 1 10004000 10004000 0 10000000 20004000 40004000 miss;");
  world_free (w);
}
END_TEST

START_TEST (an_observer_decides_one_thing_at_a_time)
{
  World *w = small_world (2, 100 * MB, 2);
  world_schedule (w, "hash[modulo,decision-cost=100us]");
  /* jobs 0 and 2 meet at worker 0, job 1 is alone at worker 1 */
  world_jobs (w, "0,bare,0\n0,bare,1\n0,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 102000 102000 0 0 102000 1102000 none;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 102000 102000 0 0 102000 1102000 none;");
  ck_assert_str_eq (world_job (w, 2), "0 0 0 202000 202000 0 0 202000 1202000 none;");
  world_free (w);

  w = small_world (2, 100 * MB, 2);
  world_schedule (w, "hash[modulo,central,decision-cost=100us]");
  world_jobs (w, "0,bare,0\n0,bare,1\n0,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 2), "0 0 0 304000 304000 0 0 304000 1304000 none;");
  world_free (w);
}
END_TEST

START_TEST (a_warm_cache_is_known_to_everybody_from_the_start)
{
  BnPreload preload = { MODEL_A, 1 };
  World *w = small_world (2, 100 * MB, 1);
  w->config.preloads = &preload;
  w->config.n_preloads = 1;
  w->config.options.cache_spread = w->config.options.load_spread = (BnSpread){ BN_SPREAD_DELAY, 10 * MS };
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 1 1 4000 4000 0 0 4000 5004000 hit;");
  world_free (w);
}
END_TEST

START_TEST (a_preload_that_does_not_fit_is_an_error)
{
  BnPreload preloads[] = { { MODEL_B, 0 }, { MODEL_C, 0 } };
  World *w = small_world (1, 45 * MB, 1);
  w->config.preloads = preloads;
  w->config.n_preloads = 2;
  world_schedule (w, "jit");
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED);
  world_free (w);
}
END_TEST

START_TEST (a_model_larger_than_every_gpu_is_refused_and_counted)
{
  static const char *const variants[] = { "compass", "jit", "heft", "hash", "random", "sparrow", "po2" };
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      World *w = small_world (2, 25 * MB, 1);
      world_schedule (w, variants[i]);
      world_jobs (w, "0,one-c,0\n0,one-a,1\n");
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      ck_assert_str_eq (world_job (w, 0), "0 not done; refused no-gpu-fits");
      ck_assert_int_eq (w->totals.n_refused, 1);
      ck_assert_int_eq (w->totals.n_done, 1);
      world_free (w);
    }
}
END_TEST

START_TEST (small_gpus_of_a_mixed_cluster_get_only_what_fits)
{
  static const char *const variants[]
    = { "compass", "compass[cache=off,load=off]", "jit", "heft", "heft[insertion,cache]", "hash", "hash[random]",
        "hash[model]", "hash[modulo]", "random", "round-robin", "least-loaded", "po2", "sparrow",
        "sparrow[constrained=off]" };
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      BnServerGroup groups[] = { world_group (3, 15 * MB), world_group (1, 50 * MB) };
      World *w = world_new (small_catalogue (), groups, 2);
      world_schedule (w, variants[i]);
      w->arrivals = (BnArrivalsConfig){ .kind = BN_ARRIVALS_POISSON, .rate_per_s = 50, .time_scale = 1,
                                        .weights = w->weights, .max_jobs = 200, .until_ns = BN_TIME_NEVER };
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      ck_assert_msg (w->totals.n_done == 200, "%s: %ld done", variants[i], (long) w->totals.n_done);
      world_free (w);
    }
}
END_TEST

START_TEST (fast_gpus_run_faster_and_stated_runtimes_count)
{
  BnServerGroup groups[] = { world_group (1, 50 * MB), world_group (1, 50 * MB) };
  groups[1].gpu.speed_ppm = 4 * BN_PPM_ONE;
  World *w = world_new (small_catalogue (), groups, 2);
  world_schedule (w, "hash[modulo]");
  world_jobs (w, "0,bare,0\n0,bare,1\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 2000 2000 0 0 2000 1002000 none;");
  ck_assert_str_eq (world_job (w, 1), "0 1 1 2000 2000 0 0 2000 252000 none;");
  world_free (w);
}
END_TEST

/* ---- late binding ---- */

START_TEST (sparrow_binds_a_task_to_the_worker_that_is_free_first)
{
  World *w = small_world (2, 100 * MB, 1);
  world_schedule (w, "sparrow[constrained=off]");
  /* job 0 holds one worker for 10 ms; job 1 has reservations at both and goes to
     the other. Two workers, two probes: both are sampled by each. */
  world_jobs (w, "0,chain,0\n5000000,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  int worker0, worker1;
  ck_assert_int_eq (sscanf (world_job (w, 0), "0 %d", &worker0), 1);
  ck_assert_int_eq (sscanf (world_job (w, 1), "0 %d", &worker1), 1);
  ck_assert_int_ne (worker0, worker1);
  ck_assert_int_gt (w->totals.n_messages, 0);
  world_free (w);
}
END_TEST

/* ---- the same jobs for everybody, the same result every time ---- */

START_TEST (every_scheduler_meets_the_same_jobs_and_factors)
{
  static const char *const variants[] = { "compass", "jit", "hash[random]", "sparrow" };
  GString *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      /* one slot for all of it, no transfer: end - exec is the factor */
      World *w = small_world (4, 100 * MB, 1);
      w->config.noise = (BnNoise){ BN_NOISE_LOGNORMAL, 0.5, false, 1, NULL };
      world_schedule (w, variants[i]);
      w->arrivals = (BnArrivalsConfig){ .kind = BN_ARRIVALS_GAMMA, .cv = 2, .rate_per_s = 100, .time_scale = 1,
                                        .weights = w->weights, .max_jobs = 100, .until_ns = BN_TIME_NEVER };
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      GString *runtimes = g_string_new (NULL);
      for (int64_t j = 0; j < 100; j++)
        {
          g_auto (GStrv) tasks = g_strsplit (world_job (w, j), ";", -1);
          for (char **t = tasks; *t; t++)
            {
              long exec, end;
              if (sscanf (*t, " %*d %*d %*d %*d %*d %*d %*d %ld %ld", &exec, &end) == 2)
                g_string_append_printf (runtimes, "%ld ", end - exec);
            }
        }
      if (first)
        {
          ck_assert_str_eq (runtimes->str, first->str);
          g_string_free (runtimes, TRUE);
        }
      else
        first = runtimes;
      world_free (w);
    }
  g_string_free (first, TRUE);
}
END_TEST

START_TEST (two_runs_in_one_process_do_not_touch_each_other)
{
  World *w = small_world (3, 45 * MB, 1);
  world_schedule (w, "compass[decision-cost=10us]");
  w->arrivals.rate_per_s = 100;
  w->arrivals.max_jobs = 50;
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  g_autofree char *alone = g_strdup (w->rows->str);
  w->config.probes = NULL;
  w->config.n_probes = 0;
  BnRun *a = bn_run_new (&w->config, NULL), *b = bn_run_new (&w->config, NULL);
  ck_assert_int_eq (bn_run_execute (b, NULL), BN_RUN_COMPLETE);
  ck_assert_int_eq (bn_run_execute (a, NULL), BN_RUN_COMPLETE);
  ck_assert_int_eq (bn_run_totals (a)->end_ns, bn_run_totals (b)->end_ns);
  ck_assert_int_eq (bn_run_totals (a)->n_events, bn_run_totals (b)->n_events);
  bn_run_free (a);
  bn_run_free (b);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (w->rows->str, alone);
  world_free (w);
}
END_TEST

START_TEST (an_interrupted_run_says_what_is_unfinished_and_frees_everything)
{
  World *w = small_world (1, 45 * MB, 1);
  world_schedule (w, "sparrow[decision-cost=10us]");
  w->arrivals.rate_per_s = 1000;
  w->arrivals.max_jobs = 1000;
  w->config.scheduler = w->variant->scheduler;
  w->config.params = w->variant->params;
  w->config.options = w->variant->options;
  BnRun *run = bn_run_new (&w->config, NULL);
  bn_run_interrupt (run);
  ck_assert_int_eq (bn_run_execute (run, NULL), BN_RUN_INTERRUPTED);
  ck_assert_int_eq (bn_run_totals (run)->n_unfinished, 1);
  g_autofree char *dump = bn_run_dump (run);
  ck_assert_ptr_nonnull (strstr (dump, "1 live jobs"));
  bn_run_free (run);
  world_free (w);
}
END_TEST

START_TEST (tasks_of_no_work_and_no_size_take_no_time)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  static const uint32_t zero[] = { 0 };
  bn_catalogue_builder_add_model (b, "nothing", 0);
  bn_catalogue_builder_add_workflow (b, "idle");
  bn_catalogue_builder_add_task (b, 0, 0, 0, 0, NULL, 0);
  bn_catalogue_builder_add_task (b, 0, 0, 0, 0, zero, 1);
  BnServerGroup group = world_group (1, 0);
  World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
  w->platform->network.latency_ns = 0;
  w->platform->network.small_limit_bytes = 1;
  world_schedule (w, "compass");
  world_jobs (w, "5,idle,0\n5,idle,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), "0 0 0 5 5 0 0 5 5 miss; 1 0 0 5 5 0 0 5 5 hit;");
  world_free (w);
}
END_TEST

START_TEST (a_workflow_of_a_thousand_tasks_runs)
{
  static const char *const variants[] = { "compass", "jit", "heft[insertion]", "sparrow" };
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      BnCatalogueBuilder *b = bn_catalogue_builder_new ();
      bn_catalogue_builder_add_model (b, "m", 1 * MB);
      bn_catalogue_builder_add_workflow (b, "wide");
      /* 10 layers of 100; each task needs two of the layer before */
      for (uint32_t t = 0; t < 1000; t++)
        {
          uint32_t preds[] = { t - 100, t % 100 == 99 ? t - 199 : t - 99 };
          bn_catalogue_builder_add_task (b, t % 3 ? 0 : BN_NONE, 10, 10, MS, preds, t < 100 ? 0 : 2);
        }
      BnServerGroup group = world_group (7, 10 * MB);
      World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
      w->config.debug_check = false;
      world_schedule (w, variants[v]);
      world_jobs (w, "0,wide,0\n1,wide,1\n");
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      ck_assert_int_eq (w->totals.n_tasks_done, 2000);
      world_free (w);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("run");
  TCase *tc = tcase_create ("worked by hand");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, a_miss_loads_and_a_hit_does_not);
  tcase_add_test (tc, an_eviction_frees_room_first_and_costs_its_way_back_if_written_back);
  tcase_add_test (tc, an_output_travels_to_another_worker_and_not_within_one);
  tcase_add_test (tc, a_central_scheduler_costs_two_messages);
  tcase_add_test (tc, a_join_waits_for_its_last_input);
  tcase_add_test (tc, a_second_slot_joins_a_load_under_way);
  tcase_add_test (tc, a_load_that_running_tasks_leave_no_room_for_waits_in_the_queue);
  tcase_add_test (tc, prefetch_loads_the_next_model_beside_the_running_task);
  tcase_add_test (tc, prefetch_never_evicts_the_running_model);
  tcase_add_test (tc, one_pcie_lane_serves_loads_in_turn_under_contention);
  tcase_add_test (tc, transfers_take_their_turn_on_lanes_and_network_under_contention);
  tcase_add_test (tc, devices_of_one_server_do_not_use_the_network);
  tcase_add_test (tc, an_observer_decides_one_thing_at_a_time);
  tcase_add_test (tc, a_warm_cache_is_known_to_everybody_from_the_start);
  tcase_add_test (tc, a_preload_that_does_not_fit_is_an_error);
  tcase_add_test (tc, a_model_larger_than_every_gpu_is_refused_and_counted);
  tcase_add_test (tc, small_gpus_of_a_mixed_cluster_get_only_what_fits);
  tcase_add_test (tc, fast_gpus_run_faster_and_stated_runtimes_count);
  tcase_add_test (tc, sparrow_binds_a_task_to_the_worker_that_is_free_first);
  tcase_add_test (tc, every_scheduler_meets_the_same_jobs_and_factors);
  tcase_add_test (tc, two_runs_in_one_process_do_not_touch_each_other);
  tcase_add_test (tc, an_interrupted_run_says_what_is_unfinished_and_frees_everything);
  tcase_add_test (tc, tasks_of_no_work_and_no_size_take_no_time);
  tcase_add_test (tc, a_workflow_of_a_thousand_tasks_runs);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
