/* test_hooks.c: what the scheduler's header promises, and schedulers that break
 * their own promises.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The cluster and the workflows are those of test_run.c: PCIe and network of
 * 1 GB/s, 2 us for a client's message, 4 us from GPU to GPU.
 */
#include <check.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "small_world.h"
#include "suite.h"

/* ---- schedulers that misbehave ---- */

static uint32_t
bad_init (void *state G_GNUC_UNUSED, const BnSchedSetup *setup G_GNUC_UNUSED)
{
  return 0;
}

static void
says_nothing (void *state G_GNUC_UNUSED, const BnPlaceCall *call G_GNUC_UNUSED)
{
}

static void
names_a_worker_that_is_not_there (void *state G_GNUC_UNUSED, const BnPlaceCall *call)
{
  call->host->place (call->host, call->tasks[0], 99, 0);
}

static void
ignores_memory (void *state G_GNUC_UNUSED, const BnPlaceCall *call)
{
  call->host->place (call->host, call->tasks[0], 0, 0);
}

static void
refused_as (void (*place) (void *, const BnPlaceCall *), const char *row)
{
  BnScheduler bad = { .struct_size = sizeof bad, .name = "bad", .init = bad_init, .place = place };
  BnServerGroup groups[] = { world_group (1, 15 * MB), world_group (1, 50 * MB) };
  World *w = world_new (small_catalogue (), groups, 2);
  BnVariant variant = { .scheduler = &bad, .options = w->config.options };

  w->variant = &variant;
  world_jobs (w, "0,one-c,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), row);
  w->variant = NULL;
  world_free (w);
}

START_TEST (a_scheduler_that_misbehaves_loses_the_job_with_its_reason_and_nothing_else)
{
  refused_as (says_nothing, "0 not done; refused not-placed");
  refused_as (NULL, "0 not done; refused not-placed");
  refused_as (names_a_worker_that_is_not_there, "0 not done; refused bad-worker");
  refused_as (ignores_memory, "0 not done; refused model-exceeds-gpu");
}
END_TEST

/* ---- schedulers that use what the header promises ---- */

static void
plans_everything_twice (void *state G_GNUC_UNUSED, const BnPlanCall *call)
{
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t t = 0; t < call->job->workflow->n_tasks; t++)
      call->host->place (call->host, t, 1 - round, 0);
}

static void
reserves_everywhere (void *state G_GNUC_UNUSED, const BnPlaceCall *call)
{
  for (uint32_t w = 0; w < call->view->n_workers; w++)
    call->host->reserve (call->host, w);
}

static uint32_t
reserving_init (void *state G_GNUC_UNUSED, const BnSchedSetup *setup G_GNUC_UNUSED)
{
  return BN_SCHED_RESERVES;
}

static uint32_t
adjusting_init (void *state G_GNUC_UNUSED, const BnSchedSetup *setup G_GNUC_UNUSED)
{
  return BN_SCHED_ADJUSTS | BN_SCHED_ADJUSTS_JOINS;
}

/* Runs one diamond through `scheduler` on two workers and compares its row. */
static void
diamond_runs_as (const BnScheduler *scheduler, const char *row)
{
  World *w = small_world (2, 50 * MB, 1);
  BnVariant variant = { .scheduler = scheduler, .options = w->config.options };

  w->variant = &variant;
  world_jobs (w, "0,diamond,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 0), row);
  w->variant = NULL;
  world_free (w);
}

#define ALL_AT_HOME                                                                                                 \
  "0 0 0 2000 2000 0 0 2000 1002000 none; 1 0 0 1002000 1002000 0 0 1002000 3002000 none; "                         \
  "2 0 0 1002000 3002000 0 0 3002000 6002000 none; 3 0 0 6002000 6002000 0 0 6002000 10002000 none;"

START_TEST (the_last_word_on_a_task_counts)
{
  const BnScheduler twice = { .struct_size = sizeof twice, .name = "twice", .init = bad_init,
                              .plan = plans_everything_twice };
  diamond_runs_as (&twice, ALL_AT_HOME);
}
END_TEST

START_TEST (without_a_place_hook_a_plan_stands_even_if_adjustment_is_wanted)
{
  const BnScheduler planner = { .struct_size = sizeof planner, .name = "planner", .init = adjusting_init,
                                .plan = plans_everything_twice };
  diamond_runs_as (&planner, ALL_AT_HOME);
}
END_TEST

START_TEST (without_a_pull_hook_the_first_open_task_is_bound)
{
  const BnScheduler reserving = { .struct_size = sizeof reserving, .name = "reserving", .init = reserving_init,
                                  .place = reserves_everywhere };
  /* Worker 0 is the ingress: its reservation is there at once, is pulled at once and
     binds task 0, whose data is there. Worker 1's is cancelled on its way. Tasks 1
     and 2 are one request: 0 pulls 1 at 1.002; 1's reservation is there at 1.003, its
     question back at 1.004, and task 0's output at 1.008. Task 3: worker 1 ends last,
     at 4.008, and pulls it at once; task 1's output takes 4 us. */
  diamond_runs_as (&reserving, "0 0 0 2000 2000 0 0 2000 1002000 none; 1 0 0 1002000 1002000 0 0 1002000 3002000 none; "
                               "2 1 1 1008000 1008000 0 0 1008000 4008000 none; "
                               "3 1 1 4012000 4012000 0 0 4012000 8012000 none;");
}
END_TEST

START_TEST (a_join_that_is_kept_anyway_costs_no_decision)
{
  /* one plan for each job, and one question for each of the two inner tasks of a
     diamond, none for its join */
  World *w = small_world (2, 50 * MB, 1);
  world_schedule (w, "compass[decision-cost=100us]");
  world_jobs (w, "0,diamond,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_int_eq (w->totals.n_decisions, 3);
  /* a task that is asked about and kept is told of as well */
  ck_assert_ptr_nonnull (strstr (w->log->str, " place 0.2 by 0: 0 -> 0\n"));
  world_free (w);
}
END_TEST

START_TEST (random_and_hash_random_do_not_share_their_chances)
{
  GString *rows[2];
  static const char *const variants[] = { "random", "hash[random]" };
  for (int i = 0; i < 2; i++)
    {
      World *w = small_world (8, 100 * MB, 1);
      world_schedule (w, variants[i]);
      w->arrivals.rate_per_s = 100;
      w->arrivals.max_jobs = 50;
      ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
      rows[i] = g_string_new (w->rows->str);
      world_free (w);
    }
  ck_assert_str_ne (rows[0]->str, rows[1]->str);
  g_string_free (rows[0], TRUE);
  g_string_free (rows[1], TRUE);
}
END_TEST

START_TEST (a_run_that_leaves_the_clock_fails_with_a_reason)
{
  World *w = small_world (1, 100 * MB, 1);
  w->platform->types[0].pcie_bytes_per_s = 1;
  world_schedule (w, "hash");
  world_jobs (w, "4611686018427387000,bare,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED);
  world_free (w);
}
END_TEST

/* Worker 0 has a small GPU and runs job 0, of 50 ms, when job 1 comes at 1 ms, which is
 * refused: its third task needs a larger GPU, if for no other reason. */
static World *
refuse_a_job (const BnScheduler *scheduler, BnRunOptions options, const char *row)
{
  BnServerGroup groups[] = { world_group (1, 15 * MB), world_group (1, 50 * MB) };
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  bn_catalogue_builder_add_model (b, "C", 30 * MB);
  bn_catalogue_builder_add_workflow (b, "long");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, 50 * MS, NULL, 0);
  bn_catalogue_builder_add_workflow (b, "three");
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, MS, NULL, 0);
  bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, MS, NULL, 0);
  bn_catalogue_builder_add_task (b, 0, 1000, 0, MS, NULL, 0);
  World *w = world_new (bn_catalogue_builder_finish (b, NULL), groups, 2);
  BnVariant variant = { .scheduler = scheduler, .options = options };
  w->variant = &variant;
  world_jobs (w, "0,long,0\n1000000,three,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (w, 1), row);
  ck_assert_int_eq (w->totals.n_tasks_done, 1);
  ck_assert_int_eq (w->violations, 0);
  w->variant = NULL;
  return w;
}

#define NOTHING_DONE "0 not done; 1 not done; 2 not done; refused "

static void
heeds_memory (void *state G_GNUC_UNUSED, const BnPlaceCall *call)
{
  bool needs_one = call->job->workflow->tasks[call->tasks[0]].model != BN_NONE;
  call->host->place (call->host, call->tasks[0], needs_one ? 1 : 0, 0);
}

static void
stays (void *state G_GNUC_UNUSED, const BnForwardCall *call G_GNUC_UNUSED)
{
}

static void
goes_nowhere (void *state G_GNUC_UNUSED, const BnForwardCall *call)
{
  if (call->job->workflow->n_tasks > 1)
    call->host->place (call->host, call->task, 99, 0);
}

static uint32_t
pooling_init (void *state G_GNUC_UNUSED, const BnSchedSetup *setup G_GNUC_UNUSED)
{
  return BN_SCHED_POOLS;
}

/* Each twice, and the second task of a job nowhere. */
static void
binds_nowhere (void *state G_GNUC_UNUSED, const BnReviewCall *call)
{
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = call->n_tasks; i-- > 0;)
      call->host->bind (call->host, i, bn_task_number (call->tasks[i]) == 1 ? 99 : 0);
}

static const BnScheduler careless = { .struct_size = sizeof careless, .name = "careless", .init = bad_init,
                                      .place = ignores_memory, .forward = stays };

START_TEST (a_job_that_is_refused_starts_nothing_more)
{
  world_free (refuse_a_job (&careless, bn_variant_default_options (), NOTHING_DONE "model-exceeds-gpu"));
}
END_TEST

START_TEST (a_job_is_refused_while_its_worker_decides_again)
{
  /* 10 ms a decision of worker 0: the three places until 31.004, while the first two
     tasks, there at 11 and 21, wait to be asked about */
  BnRunOptions options = bn_variant_default_options ();
  options.redecide = true;
  options.decision_cost_ns = 10 * MS;
  world_free (refuse_a_job (&careless, options, NOTHING_DONE "model-exceeds-gpu"));

  /* or because of what it decides */
  BnScheduler lost = careless;
  lost.place = heeds_memory;
  lost.forward = goes_nowhere;
  options.decision_cost_ns = 0;
  world_free (refuse_a_job (&lost, options, NOTHING_DONE "bad-worker"));
}
END_TEST

START_TEST (a_job_is_refused_while_its_task_is_given_away)
{
  /* Worker 1 asks at 2 ms and gets task 0 at 2.001; it knows at 2.002 and has the data
     at 2.004. The three decisions on job 1, there at 1.004, take until 2.0015 and
     2.003. */
  static const BnDuration costs_ns[] = { 332500, 333000 };

  for (guint i = 0; i < G_N_ELEMENTS (costs_ns); i++)
    {
      BnRunOptions options = bn_variant_default_options ();
      options.load_spread.period_ns = 0;
      options.reserve = BN_RESERVE_PUBLISHED;
      options.steal = true;
      options.steal_poll_ns = MS;
      options.decision_cost_ns = costs_ns[i];
      World *w = refuse_a_job (&careless, options, NOTHING_DONE "model-exceeds-gpu");
      ck_assert_ptr_nonnull (strstr (w->log->str, "2001000 steal 1.0 by 0: 0 -> 1\n"));
      world_free (w);
    }
}
END_TEST

START_TEST (a_job_is_refused_while_its_tasks_are_in_the_pool)
{
  BnScheduler pooling = { .struct_size = sizeof pooling, .name = "pooling", .init = pooling_init,
                          .review = binds_nowhere };
  world_free (refuse_a_job (&pooling, bn_variant_default_options (), NOTHING_DONE "bad-worker"));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("hooks");
  TCase *tc = tcase_create ("promises");

  tcase_add_test (tc, a_scheduler_that_misbehaves_loses_the_job_with_its_reason_and_nothing_else);
  tcase_add_test (tc, the_last_word_on_a_task_counts);
  tcase_add_test (tc, without_a_place_hook_a_plan_stands_even_if_adjustment_is_wanted);
  tcase_add_test (tc, without_a_pull_hook_the_first_open_task_is_bound);
  tcase_add_test (tc, a_join_that_is_kept_anyway_costs_no_decision);
  tcase_add_test (tc, random_and_hash_random_do_not_share_their_chances);
  tcase_add_test (tc, a_run_that_leaves_the_clock_fails_with_a_reason);
  tcase_add_test (tc, a_job_that_is_refused_starts_nothing_more);
  tcase_add_test (tc, a_job_is_refused_while_its_worker_decides_again);
  tcase_add_test (tc, a_job_is_refused_while_its_task_is_given_away);
  tcase_add_test (tc, a_job_is_refused_while_its_tasks_are_in_the_pool);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
