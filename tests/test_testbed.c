/* test_testbed.c: single operations of a real backend, and what becomes of one that does not answer.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gio/gio.h>
#include <signal.h>

#include "sleepy_backend.h"
#include "small_world.h"
#include "suite.h"
#include "testbed.h"

static BnScenario
scenario_of (const World *w, BnDuration watchdog_ns)
{
  return (BnScenario) { .platform = w->platform,
                        .catalogue = w->catalogue,
                        .backend = &sleepy_backend,
                        .backend_settings = BN_BACKEND_SETTINGS_INIT,
                        .watchdog_ns = watchdog_ns };
}

static uint32_t
workflow (const World *w, const char *name)
{
  return (uint32_t) bn_catalogue_find_workflow (w->catalogue, name);
}

START_TEST (operations_end_and_the_backend_hears_at_once_that_jobs_are_over)
{
  World *w = small_world (2, 100 * MB, 1);
  BnScenario scenario = scenario_of (w, 60 * BN_NS_PER_S);
  GError *error = NULL;

  sleepy_backend_set (&(SleepyScript) { 0 });
  BnTestbed *testbed = bn_testbed_open (&scenario, w->catalogue, NULL, &error);
  ck_assert_ptr_nonnull (testbed);
  BnJob *one = bn_testbed_job (testbed, workflow (w, "bare"), 0);
  BnJob *other = bn_testbed_job (testbed, workflow (w, "bare"), 1);
  ck_assert_int_ne (one->id, other->id);
  int64_t last_id = other->id;
  BnOp ops[] = { bn_testbed_run (one, 0, 0), bn_testbed_run (other, 0, 1) };
  ck_assert (bn_testbed_do (testbed, ops, 2, &error));
  ck_assert_int_ge (bn_testbed_took (&ops[0]), 1 * MS);
  ck_assert_int_ge (bn_testbed_took (&ops[1]), 1 * MS);
  ck_assert_uint_eq (sleepy_backend_jobs_over (), 0);
  bn_testbed_jobs_over (testbed);
  ck_assert_uint_eq (sleepy_backend_jobs_over (), 2);
  ck_assert_int_gt (bn_testbed_job (testbed, workflow (w, "bare"), 0)->id, last_id);
  bn_testbed_close (testbed);
  ck_assert_uint_eq (sleepy_backend_jobs_over (), 3);
  ck_assert (!sleepy_backend_was_abandoned ());
  world_free (w);
}
END_TEST

START_TEST (an_operation_that_fails_is_an_error)
{
  World *w = small_world (1, 100 * MB, 1);
  BnScenario scenario = scenario_of (w, 60 * BN_NS_PER_S);
  GError *error = NULL;

  sleepy_backend_set (&(SleepyScript) { .fail_load = 1 });
  BnTestbed *testbed = bn_testbed_open (&scenario, w->catalogue, NULL, &error);
  BnOp load = bn_testbed_load (testbed, 0, MODEL_A);
  ck_assert (!bn_testbed_do (testbed, &load, 1, &error));
  ck_assert_str_eq (error->message, "backend sleepy, worker 0: as the test wants it");
  g_error_free (error);
  bn_testbed_close (testbed);
  ck_assert (!sleepy_backend_was_abandoned ());
  world_free (w);
}
END_TEST

START_TEST (an_interrupt_is_heard_between_operations)
{
  World *w = small_world (1, 100 * MB, 1);
  BnScenario scenario = scenario_of (w, 60 * BN_NS_PER_S);
  BnInterrupt *interrupt = bn_interrupt_new ();
  GError *error = NULL;

  sleepy_backend_set (&(SleepyScript) { 0 });
  BnTestbed *testbed = bn_testbed_open (&scenario, w->catalogue, interrupt, &error);
  BnOp load = bn_testbed_load (testbed, 0, MODEL_A), again = load;
  ck_assert (bn_testbed_do (testbed, &load, 1, &error));
  raise (SIGTERM);
  while (!bn_interrupt_came (interrupt))
    g_usleep (1000);
  ck_assert (!bn_testbed_do (testbed, &again, 1, &error));
  ck_assert (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
  ck_assert_uint_eq (sleepy_backend_loads (), 1);
  g_error_free (error);
  bn_testbed_close (testbed);
  bn_interrupt_free (interrupt);
  world_free (w);
}
END_TEST

/* What threads of it may still use is not freed: kept here, as leaks are looked for. */
static BnTestbed *given_up;

START_TEST (a_backend_that_does_not_answer_is_given_up)
{
  World *w = small_world (2, 100 * MB, 1);
  BnScenario scenario = scenario_of (w, 300 * MS);
  GError *error = NULL;

  sleepy_backend_set (&(SleepyScript) { .mute_run = 1 });
  given_up = bn_testbed_open (&scenario, w->catalogue, NULL, &error);
  BnJob *job = bn_testbed_job (given_up, workflow (w, "bare"), 0);
  BnOp run = bn_testbed_run (job, 0, 0);
  ck_assert (!bn_testbed_do (given_up, &run, 1, &error));
  ck_assert_str_eq (error->message, "backend sleepy has not answered for too long; if that is no fault, raise"
                                    " backend.watchdog");
  g_error_free (error);
  bn_testbed_close (given_up);
  ck_assert (sleepy_backend_was_abandoned ());
  /* still there */
  ck_assert_ptr_eq (job->workflow, &w->catalogue->workflows[workflow (w, "bare")]);
  world_free (w);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("testbed");
  TCase *t = tcase_create ("testbed");

  tcase_set_timeout (t, 60);
  tcase_add_test (t, operations_end_and_the_backend_hears_at_once_that_jobs_are_over);
  tcase_add_test (t, an_operation_that_fails_is_an_error);
  tcase_add_test (t, an_interrupt_is_heard_between_operations);
  tcase_add_test (t, a_backend_that_does_not_answer_is_given_up);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
