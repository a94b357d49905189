/* test_overlap.c: loads beside tasks, copies made before a task asks; every time
 * worked by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A model of n MB loads in n ms and is written back in as many. A client's message
 * takes 2 us, so what is created at n ms queues at n.002 ms. A row is
 * "task worker planned enqueue start evict fetch exec end access; …" in ns.
 */
#include <check.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rng.h"
#include "suite.h"
#include "world.h"

#define MS BN_NS_PER_MS
#define MB INT64_C (1000000)

enum
{
  MODEL_A, /* 10 MB, as all but the last */
  MODEL_B,
  MODEL_C,
  MODEL_D,
  MODEL_BIG, /* 30 MB */
  N_MODELS
};

/* Workflows of one task: a, b, c, d, big: 5 ms on that model; long-a: 40 ms, so that A
 * has two uses where all workflows count the same and every other model one; bare: 1 ms
 * without a model; bare400. */
static World *
some_workers (uint32_t count, int64_t memory_bytes, uint32_t slots, const char *variant)
{
  static const char *const names[] = { "a", "b", "c", "d", "big" };
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnServerGroup group = world_group (count, memory_bytes);

  group.gpu.slots = slots;
  for (int32_t m = 0; m < N_MODELS; m++)
    {
      bn_catalogue_builder_add_model (b, names[m], m == MODEL_BIG ? 30 * MB : 10 * MB);
      bn_catalogue_builder_add_workflow (b, names[m]);
      bn_catalogue_builder_add_task (b, m, 1000, 0, 5 * MS, NULL, 0);
    }
  bn_catalogue_builder_add_workflow (b, "long-a");
  bn_catalogue_builder_add_task (b, MODEL_A, 1000, 0, 40 * MS, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "bare");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 1 * MS, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "bare400");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 400 * MS, NULL, 0);

  World *w = world_new (bn_catalogue_builder_finish (b, NULL), &group, 1);
  world_schedule (w, variant);
  return w;
}

static void
preload (World *w, const BnPreload *preloads, uint32_t n)
{
  w->config.preloads = preloads;
  w->config.n_preloads = n;
}

/* The job's only task: when it started and ended, in ms less the 2 us, and its access. */
static void
ran (const World *w, int64_t job, int start_ms, int end_ms, const char *access)
{
  int64_t enqueue_ns, start_ns, evict_ns, fetch_ns, exec_ns, end_ns;
  char found[8];

  ck_assert_int_eq (sscanf (world_job (w, job),
                            "0 %*d %*d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64
                            " %7[a-z];",
                            &enqueue_ns, &start_ns, &evict_ns, &fetch_ns, &exec_ns, &end_ns, found),
                    7);
  ck_assert_msg (start_ns == start_ms * MS + 2000 && end_ns == end_ms * MS + 2000 && strcmp (found, access) == 0,
                 "job %" PRId64 ": %s\n%s", job, world_job (w, job), w->log->str);
  /* no slot is ever held for a load */
  ck_assert (exec_ns == start_ns && evict_ns == 0 && fetch_ns == 0);
}

static void
runs (World *w, const char *jobs)
{
  world_jobs (w, jobs);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
}

static void
says (const World *w, const char *line)
{
  ck_assert_msg (strstr (w->log->str, line) != NULL, "no \"%s\" in\n%s", line, w->log->str);
}

static const char *const modes[] = { "jit[overlap=order]", "jit[overlap=bypass]" };

/* ---- two resources ---- */

START_TEST (the_next_load_goes_beside_the_run_of_the_one_before)
{
  World *w = some_workers (1, 100 * MB, 1, modes[_i]);

  runs (w, "0,a,0\n0,b,0\n");
  ran (w, 0, 10, 15, "miss");
  ran (w, 1, 20, 25, "miss");
  world_free (w);
  /* the same without an overlap */
  w = some_workers (1, 100 * MB, 1, "jit");
  runs (w, "0,a,0\n0,b,0\n");
  ck_assert_str_eq (world_job (w, 1), "0 0 0 2000 15002000 0 10000000 25002000 30002000 miss;");
  world_free (w);
}
END_TEST

START_TEST (one_load_at_a_time_whatever_the_slots)
{
  World *w = some_workers (1, 100 * MB, 4, modes[_i]);

  runs (w, "0,a,0\n0,b,0\n0,c,0\n");
  ran (w, 0, 10, 15, "miss");
  ran (w, 1, 20, 25, "miss");
  ran (w, 2, 30, 35, "miss");
  world_free (w);
}
END_TEST

START_TEST (one_task_is_the_miss_of_a_load_and_others_that_waited_for_it_are_hits)
{
  World *w = some_workers (1, 100 * MB, 2, modes[_i]);

  runs (w, "0,a,0\n3000000,a,0\n");
  ran (w, 0, 10, 15, "miss");
  ran (w, 1, 10, 15, "hit");
  world_free (w);
}
END_TEST

START_TEST (bypass_lets_tasks_pass_one_that_waits_for_its_load_and_order_does_not)
{
  static const BnPreload has_a = { MODEL_A, 0 };
  const char *jobs = "0,big,0\n0,a,0\n0,bare,0\n";

  World *w = some_workers (1, 100 * MB, 1, "jit[overlap=order]");
  preload (w, &has_a, 1);
  runs (w, jobs);
  ran (w, 0, 30, 35, "miss");
  ran (w, 1, 35, 40, "hit");
  ran (w, 2, 40, 41, "none");
  world_free (w);

  w = some_workers (1, 100 * MB, 1, "jit[overlap=bypass]");
  preload (w, &has_a, 1);
  runs (w, jobs);
  ran (w, 0, 30, 35, "miss");
  ran (w, 1, 0, 5, "hit");
  ran (w, 2, 5, 6, "none");
  world_free (w);
}
END_TEST

START_TEST (a_write_back_has_the_link_before_the_load_and_a_free_eviction_takes_no_time)
{
  static const BnPreload has_a = { MODEL_A, 0 };

  for (int writeback = 0; writeback <= 1; writeback++)
    {
      World *w = some_workers (1, 10 * MB, 1, "jit[overlap=bypass]");
      preload (w, &has_a, 1);
      w->variant->options.evict_cost = writeback ? BN_EVICT_COST_WRITEBACK : BN_EVICT_COST_FREE;
      runs (w, "0,b,0\n0,bare,0\n");
      ran (w, 0, writeback ? 20 : 10, writeback ? 25 : 15, "miss");
      ran (w, 1, 0, 1, "none");
      says (w, writeback ? "10002000 evicted a at 0 since 2000, 10000000 bytes held\n"
                         : "2000 evicted a at 0 since 2000, 0 bytes held\n");
      says (w, writeback ? "20002000 loaded b at 0 since 10002000, 10000000 bytes held\n"
                         : "10002000 loaded b at 0 since 2000, 10000000 bytes held\n");
      world_free (w);
    }
}
END_TEST

/* ---- who leaves ---- */

START_TEST (what_no_queued_task_needs_leaves_before_what_one_behind_needs)
{
  static const BnPreload has_ab[] = { { MODEL_A, 0 }, { MODEL_B, 0 } };
  World *w = some_workers (1, 30 * MB, 1, "jit[overlap=order,evict=fifo]");

  /* At 10 D is there, and the link turns to C. Job 0 is ahead and needs D, job 2 is
     behind and needs A, the oldest: B leaves. */
  preload (w, has_ab, 2);
  runs (w, "0,d,0\n1000000,c,0\n2000000,a,0\n");
  says (w, "10002000 evicted b at 0 since 10002000");
  ran (w, 0, 10, 15, "miss");
  ran (w, 1, 20, 25, "miss");
  ran (w, 2, 25, 30, "hit");
  world_free (w);
}
END_TEST

START_TEST (what_a_task_behind_needs_leaves_if_nothing_else_may_and_what_one_ahead_needs_stays)
{
  static const BnPreload has_a = { MODEL_A, 0 };
  World *w = some_workers (1, 20 * MB, 1, "jit[overlap=order,evict=fifo]");

  /* as before without B: A leaves at 10, and comes back from 20 in the place of D */
  preload (w, &has_a, 1);
  runs (w, "0,d,0\n1000000,c,0\n2000000,a,0\n");
  says (w, "10002000 evicted a at 0 since 10002000");
  says (w, "20002000 evicted d at 0 since 20002000");
  ran (w, 0, 10, 15, "miss");
  ran (w, 1, 20, 25, "miss");
  ran (w, 2, 30, 35, "miss");
  world_free (w);
}
END_TEST

START_TEST (a_task_for_which_executing_ones_leave_no_room_is_passed_by_nobody_until_they_end)
{
  World *w = some_workers (1, 35 * MB, 2, "jit[overlap=bypass]");

  /* A runs from 10 to 50 and pins 10 of 35. From 10 on the big one is next, the link
     is free and cannot serve it: a second A at 11 and a bare one wait, though a slot is
     free. At 50 the big load begins and A leaves; now the bare one may pass. The second
     A must load again once the big one has run. */
  runs (w, "0,long-a,0\n0,big,0\n11000000,a,0\n11000000,bare,0\n");
  ran (w, 0, 10, 50, "miss");
  ran (w, 3, 50, 51, "none");
  ran (w, 1, 80, 85, "miss");
  ran (w, 2, 95, 100, "miss");
  world_free (w);
}
END_TEST

START_TEST (a_load_whose_model_leaves_before_its_task_runs_is_nobodys_miss)
{
  /* srpt: the least work first. A bare task of 400 ms has the only slot, and A loads for
     job 1. At 20 job 2 comes, which has less work and goes next: B takes the only place,
     and A, which nobody has used, is loaded for job 1 once more. */
  World *w = some_workers (1, 10 * MB, 1, "jit[overlap=order,queue=srpt]");

  runs (w, "0,bare400,0\n1000000,long-a,0\n20000000,b,0\n");
  says (w, "11002000 loaded a at 0 since 1002000");
  says (w, "20002000 evicted a at 0 since 20002000");
  ran (w, 2, 400, 405, "miss");
  ran (w, 1, 415, 455, "miss");
  says (w, "415002000 loaded a at 0 since 405002000");
  world_free (w);
}
END_TEST

START_TEST (a_reservation_passes_nothing_and_is_passed_by_nothing)
{
  static const BnPreload has_b = { MODEL_B, 0 };
  World *w = some_workers (1, 100 * MB, 1, "sparrow[overlap=bypass]");

  /* each task is pulled when its reservation is at the head with the slot free: job 1
     and 2 are behind job 0, which waits for its load */
  preload (w, &has_b, 1);
  runs (w, "0,a,0\n1000000,b,0\n2000000,bare,0\n");
  ran (w, 0, 10, 15, "miss");
  ran (w, 1, 15, 20, "hit");
  ran (w, 2, 20, 21, "none");
  world_free (w);
}
END_TEST

START_TEST (no_worker_stands_still_however_little_fits)
{
  static const char *const orders[] = { "fifo", "srpt", "slowdown", "key" };
  static const char *const evictions[] = { "lookahead", "fifo", "lru", "value" };
  static const int64_t memory_mb[] = { 30, 31, 45, 60 };

  for (int i = 0; i < 4 * 4 * 4 * 3; i++)
    {
      g_autofree char *variant
        = g_strdup_printf ("jit[overlap=%s,queue=%s,evict=%s,evict-cost=%s,proactive=%s]",
                           i % 2 ? "bypass" : "order", orders[i / 4 % 4], evictions[i / 16 % 4],
                           i / 2 % 2 ? "writeback" : "free", i / 8 % 2 ? "on" : "off");
      World *w = some_workers (2, memory_mb[i % 4] * MB, i / 64 == 2 ? 4 : 1 + (uint32_t) i / 64, variant);
      w->arrivals = (BnArrivalsConfig){ .kind = BN_ARRIVALS_ONOFF, .rate_per_s = 80, .on_ns = 100 * MS,
                                        .off_ns = 300 * MS, .time_scale = 1, .weights = w->weights, .max_jobs = 60,
                                        .until_ns = BN_TIME_NEVER };
      ck_assert_msg (world_run (w) == BN_RUN_COMPLETE, "%s", variant);
      ck_assert_int_eq (w->totals.n_done, 60);
      world_free (w);
    }
}
END_TEST

/* ---- what a copy is worth ---- */

START_TEST (value_evicts_the_copy_of_fewest_uses_a_holder)
{
  /* A has two uses: worth 20 against 10 where both are alone, 20 / 3 where two other
     workers have an A. Look-ahead takes what was loaded first. */
  static const BnPreload alone[] = { { MODEL_A, 0 }, { MODEL_B, 0 } };
  static const BnPreload shared[] = { { MODEL_B, 0 }, { MODEL_A, 0 }, { MODEL_A, 1 }, { MODEL_A, 2 } };

  World *w = some_workers (1, 20 * MB, 1, "jit[evict=lookahead]");
  preload (w, alone, G_N_ELEMENTS (alone));
  runs (w, "0,c,0\n");
  says (w, "2000 evicted a at 0");
  world_free (w);

  w = some_workers (1, 20 * MB, 1, "jit[evict=value]");
  preload (w, alone, G_N_ELEMENTS (alone));
  runs (w, "0,c,0\n");
  says (w, "2000 evicted b at 0");
  world_free (w);

  w = some_workers (3, 20 * MB, 1, "hash[modulo,evict=value]");
  preload (w, shared, G_N_ELEMENTS (shared));
  runs (w, "0,c,0\n");
  says (w, "2000 evicted a at 0");
  world_free (w);
}
END_TEST

/* ---- proactive ---- */

/* When worker w's timer fires first. */
static BnTime
first_timer (uint32_t w, BnRng *rng)
{
  BnTime at = 0;

  bn_rng_init (rng, 1, "proactive");
  for (uint32_t i = 0; i <= w; i++)
    at = 50 * MS + (BnTime) bn_rng_below (rng, 100 * MS + 1);
  return at;
}

START_TEST (an_idle_link_fills_the_memory_with_what_is_worth_most_and_then_rests)
{
  World *w = some_workers (1, 20 * MB, 1, "jit[overlap=bypass,proactive]");
  BnRng rng;

  /* worth at first: A 2 uses * 10 ms, B, C, D 10; the big one does not fit. Then B, of
     equals the lowest. Then C, worth 10, for a B that costs 10, is not worth it. */
  runs (w, "0,bare400,0\n");
  BnTime first = first_timer (0, &rng);
  BnTime second = first + 50 * MS + (BnTime) bn_rng_below (&rng, 100 * MS + 1);
  g_autofree char *a = g_strdup_printf ("%" PRId64 " prefetch loaded a at 0 since %" PRId64 ", ", first + 10 * MS,
                                        first);
  g_autofree char *b = g_strdup_printf ("%" PRId64 " prefetch loaded b at 0 since %" PRId64 ", ", second + 10 * MS,
                                        second);
  says (w, a);
  says (w, b);
  ck_assert_ptr_null (strstr (w->log->str, "loaded c"));
  ck_assert_ptr_null (strstr (w->log->str, "evicted"));
  /* no timer keeps the run alive */
  ck_assert_int_eq (w->totals.end_ns, 400 * MS + 2000);
  world_free (w);
}
END_TEST

START_TEST (a_copy_of_what_many_hold_leaves_for_what_nobody_holds_if_worth_four_times_as_much)
{
  static const BnPreload has_b[] = { { MODEL_B, 0 }, { MODEL_B, 1 }, { MODEL_B, 2 } };
  World *w = some_workers (3, 10 * MB, 1, "jit[overlap=bypass,proactive]");
  BnTime times[3];
  BnRng rng;
  int first = 0;

  /* The first to look: A is worth 20, B of three holders costs 10 / 9: 20 > 4.4. The
     others see two holders: C is worth 10, which is not above 4 * 10 / 4. */
  preload (w, has_b, 3);
  runs (w, "0,bare400,0\n");
  for (uint32_t i = 0; i < 3; i++)
    {
      times[i] = first_timer (i, &rng);
      first = times[i] < times[first] ? (int) i : first;
    }
  g_autofree char *line = g_strdup_printf ("%" PRId64 " prefetch loaded a at %d since %" PRId64 ", ",
                                           times[first] + 10 * MS, first, times[first]);
  says (w, line);
  const char *loaded = strstr (w->log->str, "loaded a");
  ck_assert_ptr_null (strstr (loaded + 1, " loaded"));
  world_free (w);
}
END_TEST

START_TEST (a_proactive_load_takes_nothing_that_is_queued_for_or_in_use)
{
  static const BnPreload has_b = { MODEL_B, 0 };
  /* A is worth twice what B is, but a queued task needs the B there */
  World *w = some_workers (1, 10 * MB, 1, "jit[overlap=order,proactive]");
  preload (w, &has_b, 1);
  runs (w, "0,bare400,0\n1000000,b,0\n");
  ck_assert_ptr_null (strstr (w->log->str, "evicted"));
  ran (w, 1, 400, 405, "hit");
  world_free (w);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("overlap");
  TCase *tc = tcase_create ("one worker, or a few");

  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, the_next_load_goes_beside_the_run_of_the_one_before, 0, G_N_ELEMENTS (modes));
  tcase_add_loop_test (tc, one_load_at_a_time_whatever_the_slots, 0, G_N_ELEMENTS (modes));
  tcase_add_loop_test (tc, one_task_is_the_miss_of_a_load_and_others_that_waited_for_it_are_hits, 0,
                       G_N_ELEMENTS (modes));
  tcase_add_test (tc, bypass_lets_tasks_pass_one_that_waits_for_its_load_and_order_does_not);
  tcase_add_test (tc, a_write_back_has_the_link_before_the_load_and_a_free_eviction_takes_no_time);
  tcase_add_test (tc, what_no_queued_task_needs_leaves_before_what_one_behind_needs);
  tcase_add_test (tc, what_a_task_behind_needs_leaves_if_nothing_else_may_and_what_one_ahead_needs_stays);
  tcase_add_test (tc, a_task_for_which_executing_ones_leave_no_room_is_passed_by_nobody_until_they_end);
  tcase_add_test (tc, a_load_whose_model_leaves_before_its_task_runs_is_nobodys_miss);
  tcase_add_test (tc, a_reservation_passes_nothing_and_is_passed_by_nothing);
  tcase_add_test (tc, no_worker_stands_still_however_little_fits);
  tcase_add_test (tc, value_evicts_the_copy_of_fewest_uses_a_holder);
  tcase_add_test (tc, an_idle_link_fills_the_memory_with_what_is_worth_most_and_then_rests);
  tcase_add_test (tc, a_copy_of_what_many_hold_leaves_for_what_nobody_holds_if_worth_four_times_as_much);
  tcase_add_test (tc, a_proactive_load_takes_nothing_that_is_queued_for_or_in_use);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
