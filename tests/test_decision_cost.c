/* test_decision_cost.c: decisions that cost what a clock says, by one whose hands are set.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The cluster and the workflows are those of test_run.c: 2 us for a client's message, 1 us from
 * worker to worker; a bare job takes 1 ms and has one question.
 */
#include <check.h>
#include <gio/gio.h>
#include <inttypes.h>

#include "small_world.h"
#include "suite.h"

/* Says what it is told to say, question by question, and the last of it again and again. */
typedef struct SetClock
{
  const BnDuration *costs;  /* [n]; -1: it fails */
  guint n, n_started, n_stopped;
  GString *told;            /* "job:cost " as the probe heard */
} SetClock;

static void
start (void *context)
{
  SetClock *clock = context;

  ck_assert_uint_eq (clock->n_started++, clock->n_stopped);
}

static BnDuration
stop (void *context, const BnJob *job G_GNUC_UNUSED, GError **error)
{
  SetClock *clock = context;
  BnDuration cost_ns = clock->costs[MIN (clock->n_stopped, clock->n - 1)];

  ck_assert_uint_eq (++clock->n_stopped, clock->n_started);
  if (cost_ns < 0)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the clock has stopped");
  return cost_ns;
}

static void
timed (void *context, const BnJob *job, BnDuration cost_ns)
{
  g_string_append_printf (((SetClock *) context)->told, "%" PRId64 ":%" PRId64 " ", job->id, cost_ns);
}

typedef struct TimedWorld
{
  World *world;
  SetClock clock;
  BnStopwatch stopwatch;
  BnProbe probe;
} TimedWorld;

/* `jobs` through the world that is there, with these costs. */
static BnRunStatus
run_timed_world (TimedWorld *t, const char *jobs, const BnDuration *costs, guint n)
{
  t->clock = (SetClock) { costs, n, 0, 0, g_string_new (NULL) };
  t->stopwatch = (BnStopwatch) { &t->clock, start, stop };
  t->probe = (BnProbe) { .context = &t->clock, .decision_timed = timed };
  world_jobs (t->world, jobs);
  t->world->config.stopwatch = &t->stopwatch;
  t->world->listener = &t->probe;
  return world_run (t->world);
}

/* The same through `variant` on two workers of two slots. */
static BnRunStatus
run_timed (TimedWorld *t, const char *variant, const char *jobs, const BnDuration *costs, guint n)
{
  t->world = small_world (2, 100 * MB, 2);
  world_schedule (t->world, variant);
  return run_timed_world (t, jobs, costs, n);
}

static void
clear (TimedWorld *t)
{
  world_free (t->world);
  g_string_free (t->clock.told, TRUE);
}

/* jobs 0 and 2 meet at worker 0, job 1 is alone at worker 1 */
#define THREE_JOBS "0,bare,0\n0,bare,1\n0,bare,0\n"

START_TEST (the_same_cost_each_time_is_as_a_constant_one)
{
  static const BnDuration costs[] = { 100000 };
  TimedWorld t;

  ck_assert_int_eq (run_timed (&t, "hash[modulo,decision-cost=measured]", THREE_JOBS, costs, 1), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (t.world, 0), "0 0 0 102000 102000 0 0 102000 1102000 none;");
  ck_assert_str_eq (world_job (t.world, 1), "0 1 1 102000 102000 0 0 102000 1102000 none;");
  ck_assert_str_eq (world_job (t.world, 2), "0 0 0 202000 202000 0 0 202000 1202000 none;");
  clear (&t);

  ck_assert_int_eq (run_timed (&t, "hash[modulo,central,decision-cost=measured]", THREE_JOBS, costs, 1), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (t.world, 2), "0 0 0 304000 304000 0 0 304000 1304000 none;");
  clear (&t);
}
END_TEST

START_TEST (a_question_waits_for_as_long_as_those_before_it_have_taken)
{
  /* job 0 for 100 us, job 1 for 300 us at the other worker, then job 2 for 50 us */
  static const BnDuration costs[] = { 100000, 300000, 50000 };
  TimedWorld t;

  ck_assert_int_eq (run_timed (&t, "hash[modulo,decision-cost=measured]", THREE_JOBS, costs, 3), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (t.world, 0), "0 0 0 102000 102000 0 0 102000 1102000 none;");
  ck_assert_str_eq (world_job (t.world, 1), "0 1 1 302000 302000 0 0 302000 1302000 none;");
  ck_assert_str_eq (world_job (t.world, 2), "0 0 0 152000 152000 0 0 152000 1152000 none;");
  ck_assert_str_eq (t.clock.told->str, "0:100000 1:300000 2:50000 ");
  ck_assert_int_eq (t.world->totals.n_decisions, 3);
  clear (&t);
}
END_TEST

START_TEST (a_line_goes_on_in_order_where_an_answer_costs_nothing)
{
  /* four jobs in line at worker 0: two of them are answered in no time */
  static const BnDuration costs[] = { 100000, 0, 0, 7000 };
  TimedWorld t;

  ck_assert_int_eq (run_timed (&t, "hash[modulo,decision-cost=measured]",
                               "0,bare,0\n0,bare,0\n1000,bare,0\n50000,bare,0\n", costs, 4), BN_RUN_COMPLETE);
  ck_assert_str_eq (t.clock.told->str, "0:100000 1:0 2:0 3:7000 ");
  ck_assert_str_eq (world_job (t.world, 2), "0 0 0 102000 102000 0 0 102000 1102000 none;");
  ck_assert_ptr_nonnull (strstr (t.world->log->str, "102000 plan 1.0 by 0: -1 -> 1\n"));
  ck_assert_ptr_nonnull (strstr (t.world->log->str, "109000 plan 3.0 by 0: -1 -> 1\n"));
  clear (&t);
}
END_TEST

static uint32_t
patient_init (void *state G_GNUC_UNUSED, const BnSchedSetup *setup G_GNUC_UNUSED)
{
  return 0;
}

static void
leaves_all_open (void *state G_GNUC_UNUSED, const BnPlanCall *call G_GNUC_UNUSED)
{
}

static void
puts_it_on_worker_0 (void *state G_GNUC_UNUSED, const BnPlaceCall *call)
{
  call->host->place (call->host, call->tasks[0], 0, 0);
}

START_TEST (what_an_answer_raises_is_asked_behind_what_waits)
{
  /* the plan of job 0 takes effect at 0.102 and leaves its task open: that is asked about when the plan of
     job 1 has been made, which waits since 0.002 */
  static const BnDuration costs[] = { 100000 };
  static const BnScheduler patient = { .struct_size = sizeof patient, .name = "patient", .init = patient_init,
                                       .plan = leaves_all_open, .place = puts_it_on_worker_0 };
  TimedWorld t = { .world = small_world (1, 100 * MB, 1) };
  BnVariant variant = { .scheduler = &patient, .options = t.world->config.options };

  variant.options.decision_measured = true;
  t.world->variant = &variant;
  ck_assert_int_eq (run_timed_world (&t, "0,bare,0\n0,bare,0\n", costs, 1), BN_RUN_COMPLETE);
  ck_assert_str_eq (t.clock.told->str, "0:100000 1:100000 0:100000 1:100000 ");
  ck_assert_str_eq (world_job (t.world, 0), "0 0 0 302000 302000 0 0 302000 1302000 none;");
  ck_assert_str_eq (world_job (t.world, 1), "0 0 0 402000 1302000 0 0 1302000 2302000 none;");
  t.world->variant = NULL;
  clear (&t);
}
END_TEST

START_TEST (every_question_about_a_job_costs)
{
  /* jit is asked about the entry task when the job is there, and about the next one at 10.102, when that has ended */
  static const BnDuration costs[] = { 100000 };
  TimedWorld t;

  ck_assert_int_eq (run_timed (&t, "jit[decision-cost=measured]", "0,chain,0\n", costs, 1), BN_RUN_COMPLETE);
  ck_assert_str_eq (world_job (t.world, 0), "0 0 0 102000 102000 0 0 102000 10102000 none; "
                                            "1 0 0 10202000 10202000 0 10000000 20202000 40202000 miss;");
  clear (&t);
}
END_TEST

START_TEST (a_clock_that_fails_ends_the_run_with_whoever_waits)
{
  static const BnDuration costs[] = { 100000, 100000, -1 };
  TimedWorld t;

  ck_assert_int_eq (run_timed (&t, "hash[modulo,decision-cost=measured]",
                               "0,bare,0\n0,bare,0\n0,bare,0\n0,bare,0\n0,bare,0\n", costs, 3), BN_RUN_FAILED);
  ck_assert_str_eq (t.clock.told->str, "0:100000 1:100000 ");
  ck_assert_int_eq (t.world->totals.n_jobs, 5);
  ck_assert_int_eq (t.world->totals.n_done, 0);
  clear (&t);
}
END_TEST

START_TEST (late_binding_and_forwarding_are_timed_too)
{
  static const char *const variants[] = { "sparrow[decision-cost=measured]",
                                          "late[redecide,steal,decision-cost=measured]" };
  static const BnDuration costs[] = { 90000, 0, 30000, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      TimedWorld t;
      ck_assert_int_eq (run_timed (&t, variants[i], "0,diamond,0\n0,chain,1\n0,diamond,0\n5000,one-c,1\n", costs, 4),
                        BN_RUN_COMPLETE);
      ck_assert_int_eq (t.world->totals.n_done, 4);
      ck_assert_uint_eq (t.clock.n_stopped, t.world->totals.n_decisions);
      clear (&t);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("decision cost");
  TCase *tc = tcase_create ("measured");

  tcase_add_test (tc, the_same_cost_each_time_is_as_a_constant_one);
  tcase_add_test (tc, a_question_waits_for_as_long_as_those_before_it_have_taken);
  tcase_add_test (tc, a_line_goes_on_in_order_where_an_answer_costs_nothing);
  tcase_add_test (tc, what_an_answer_raises_is_asked_behind_what_waits);
  tcase_add_test (tc, every_question_about_a_job_costs);
  tcase_add_test (tc, a_clock_that_fails_ends_the_run_with_whoever_waits);
  tcase_add_test (tc, late_binding_and_forwarding_are_timed_too);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
