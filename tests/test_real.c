/* test_real.c: the loop on the wall clock.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * On a backend whose threads sleep as long as the model says. Nothing is asserted of how
 * fast anything is: only of order, of least durations and of what is told. Every run
 * verifies the whole cluster after every event. Built with the thread sanitizer, too,
 * where there is one.
 */
#include <check.h>
#include <glib.h>
#include <string.h>

#include "sleepy_backend.h"
#include "small_world.h"
#include "suite.h"

/* What a listener of a run counted. */
typedef struct Heard
{
  uint32_t n_completions, n_timers, n_decisions, n_failures, n_stopped, n_jobs;
  bool negative;              /* a delay or a duration was                  */
  BnDuration least_loop_cpu_ns;
  bool wrong_digest;
  BnAfterFailure last_after;
} Heard;

static void
woken (void *context, bool completion, BnDuration delay_ns)
{
  Heard *h = context;

  *(completion ? &h->n_completions : &h->n_timers) += 1;
  h->negative |= delay_ns < 0;
}

static void
decided (void *context, const BnDecision *decision)
{
  Heard *h = context;

  h->n_decisions++;
  h->negative |= (decision->kind == BN_DECIDED_PLAN || decision->kind == BN_DECIDED_PLACE) && decision->decide_ns < 0;
}

static void
op_failed (void *context, const BnFailure *failure)
{
  Heard *h = context;

  h->n_failures++;
  h->last_after = failure->after;
}

static void
ended (void *context, const BnJob *job, BnTime now)
{
  Heard *h = context;

  (void) now;
  h->n_jobs++;
  for (uint32_t t = 0; t < job->workflow->n_tasks && job->state == BN_JOB_DONE; t++)
    {
      h->least_loop_cpu_ns = MIN (h->least_loop_cpu_ns, job->tasks[t].loop_cpu_ns);
      h->wrong_digest |= job->tasks[t].digest[0] != (double) job->id;
    }
}

static BnProbe
listener (Heard *heard)
{
  *heard = (Heard){ .least_loop_cpu_ns = BN_TIME_NEVER };
  return (BnProbe){ .context = heard, .woken = woken, .task_decided = decided, .op_failed = op_failed,
                    .job_ended = ended };
}

static World *
sleepy_world (const SleepyScript *script, uint32_t count)
{
  World *w = small_world (count, 35 * MB, 1);

  sleepy_backend_set (script);
  w->config.backend = &sleepy_backend;
  return w;
}

/* n jobs of every workflow in turn, `gap_ns` apart. */
static void
many_jobs (World *w, uint32_t n, BnDuration gap_ns)
{
  static const char *const names[] = { "one-a", "diamond", "one-b", "chain", "one-c", "bare" };
  g_autoptr (GString) lines = g_string_new (NULL);

  for (uint32_t i = 0; i < n; i++)
    g_string_append_printf (lines, "%" G_GINT64_FORMAT ",%s,%u\n", i * gap_ns, names[i % G_N_ELEMENTS (names)],
                            i % w->platform->n_workers);
  world_jobs (w, lines->str);
}

START_TEST (every_scheduler_brings_every_job_to_its_end)
{
  static const char *const variants[] = { "compass", "jit", "heft", "hash[random]", "sparrow", "late", "pull",
                                          "compass[overlap=bypass]", "late[steal=on]" };
  const SleepyScript script = { 0 };
  World *w = sleepy_world (&script, 2);
  Heard heard;
  BnProbe probe = listener (&heard);

  w->listener = &probe;
  world_schedule (w, variants[_i]);
  many_jobs (w, 60, 3 * MS);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_int_eq (w->totals.n_done, 60);
  ck_assert_uint_eq (sleepy_backend_jobs_over (), 60);
  ck_assert_uint_gt (heard.n_completions, 60);
  ck_assert_uint_gt (heard.n_timers, 0);
  ck_assert_int_gt (heard.least_loop_cpu_ns, 0);
  ck_assert (!heard.negative && !heard.wrong_digest);
  /* the last arrival is no earlier than the trace says */
  ck_assert_int_ge (w->totals.last_arrival_ns, 59 * 3 * MS);
  ck_assert_int_ge (w->totals.end_ns, w->totals.last_arrival_ns);
  world_free (w);
}
END_TEST

START_TEST (nothing_ends_before_it_can)
{
  const SleepyScript script = { .pace_ns = 20 * MS };
  World *w = sleepy_world (&script, 2);

  world_schedule (w, "hash[modulo]");
  world_jobs (w, "0,chain,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  /* 10 ms, a transfer heard of after 20 ms, a load of 10 ms, 20 ms */
  ck_assert_int_ge (w->totals.end_ns, 60 * MS);
  world_free (w);
}
END_TEST

START_TEST (a_backend_that_does_not_answer_fails_the_run_and_is_left_alone)
{
  const SleepyScript script = { .mute_run = 3 };
  World *w = sleepy_world (&script, 2);

  w->config.watchdog_ns = 300 * MS;
  world_schedule (w, "jit");
  many_jobs (w, 12, MS);
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED);
  ck_assert (sleepy_backend_was_abandoned ());
  ck_assert_int_gt (w->totals.n_done, 0);
  ck_assert_int_gt (w->totals.n_unfinished, 0);
  ck_assert_int_eq (w->totals.n_jobs, w->totals.n_done + w->totals.n_unfinished);
  ck_assert (sleepy_backend_wake_and_wait ());
  world_free (w);
}
END_TEST

START_TEST (one_worker_that_does_not_answer_is_noticed_beside_others_that_do)
{
  const SleepyScript script = { .mute_run = 3 };
  World *w = sleepy_world (&script, 2);

  w->config.watchdog_ns = 300 * MS;
  world_schedule (w, "hash[random]");
  /* jobs that keep the other worker busy for long */
  many_jobs (w, 1000, 10 * MS);
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED);
  ck_assert (sleepy_backend_was_abandoned ());
  ck_assert_int_lt (w->totals.n_jobs, 1000);
  ck_assert (sleepy_backend_wake_and_wait ());
  world_free (w);
}
END_TEST

START_TEST (a_load_that_fails_is_tried_again)
{
  const SleepyScript script = { .fail_load = 1 };
  World *w = sleepy_world (&script, 1);
  Heard heard;
  BnProbe probe = listener (&heard);

  w->listener = &probe;
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_uint_eq (heard.n_failures, 1);
  ck_assert_int_eq (heard.last_after, BN_AFTER_RESENT);
  ck_assert_uint_eq (sleepy_backend_loads (), 2);
  ck_assert_int_eq (w->totals.n_failures, 1);
  world_free (w);
}
END_TEST

START_TEST (preloads_are_really_loaded_before_time_begins)
{
  const SleepyScript script = { 0 };
  const BnPreload preloads[] = { { MODEL_A, 0 }, { MODEL_B, 0 } };
  World *w = sleepy_world (&script, 1);

  w->config.preloads = preloads;
  w->config.n_preloads = G_N_ELEMENTS (preloads);
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n0,one-b,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  ck_assert_uint_eq (sleepy_backend_loads (), 2);
  ck_assert_ptr_nonnull (strstr (world_job (w, 0), "hit;"));
  ck_assert_ptr_nonnull (strstr (world_job (w, 1), "hit;"));
  world_free (w);
}
END_TEST

START_TEST (a_preload_that_hangs_beside_one_that_fails_is_noticed)
{
  const SleepyScript script = { .fail_load = 1, .mute_load = 2 };
  const BnPreload preloads[] = { { MODEL_A, 0 }, { MODEL_B, 0 } };
  World *w = sleepy_world (&script, 1);

  w->config.watchdog_ns = 300 * MS;
  w->config.preloads = preloads;
  w->config.n_preloads = G_N_ELEMENTS (preloads);
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED);
  ck_assert (sleepy_backend_was_abandoned ());
}
END_TEST

START_TEST (a_preload_that_fails_fails_the_run)
{
  const SleepyScript script = { .fail_load = 1 };
  const BnPreload preloads[] = { { MODEL_A, 0 }, { MODEL_B, 0 } };
  World *w = sleepy_world (&script, 1);

  w->config.preloads = preloads;
  w->config.n_preloads = G_N_ELEMENTS (preloads);
  world_schedule (w, "jit");
  world_jobs (w, "0,one-a,0\n");
  ck_assert_int_eq (world_run (w), BN_RUN_FAILED);
  ck_assert_int_eq (w->totals.n_jobs, 0);
  world_free (w);
}
END_TEST

/* ---- interrupts ---- */

typedef struct Interrupter
{
  BnRun *run;
  uint32_t n_interrupts, after_jobs, n_created;
} Interrupter;

static void
interrupt_after_some (void *context, const BnJob *job, BnTime now)
{
  Interrupter *i = context;

  (void) job;
  (void) now;
  if (++i->n_created == i->after_jobs)
    for (uint32_t n = 0; n < i->n_interrupts; n++)
      bn_run_interrupt (i->run);
}

static BnRunStatus
run_interrupted (World *w, uint32_t n_interrupts, uint32_t after_jobs, BnRunTotals *totals)
{
  Interrupter interrupter = { NULL, n_interrupts, after_jobs, 0 };
  BnProbe probe = { .context = &interrupter, .job_created = interrupt_after_some };
  GError *error = NULL;

  w->config.scheduler = w->variant->scheduler;
  w->config.params = w->variant->params;
  w->config.options = w->variant->options;
  w->config.probes = &probe;
  w->config.n_probes = 1;
  BnRun *run = interrupter.run = bn_run_new (&w->config, &error);
  ck_assert_msg (run != NULL, "%s", error ? error->message : "");
  BnRunStatus status = bn_run_execute (run, &error);
  ck_assert_ptr_null (error);
  *totals = *bn_run_totals (run);
  bn_run_free (run);
  return status;
}

START_TEST (a_first_interrupt_lets_what_has_arrived_come_to_its_end)
{
  const SleepyScript script = { 0 };
  World *w = sleepy_world (&script, 2);
  BnRunTotals totals;

  world_schedule (w, "compass");
  many_jobs (w, 1000, 2 * MS);
  ck_assert_int_eq (run_interrupted (w, 1, 20, &totals), BN_RUN_INTERRUPTED);
  ck_assert_int_eq (totals.n_jobs, 20);
  ck_assert_int_eq (totals.n_done, 20);
  world_free (w);
}
END_TEST

START_TEST (a_second_interrupt_stops_when_open_operations_have_ended)
{
  const SleepyScript script = { 0 };
  World *w = sleepy_world (&script, 2);
  BnRunTotals totals;

  world_schedule (w, "compass");
  many_jobs (w, 1000, 0);
  ck_assert_int_eq (run_interrupted (w, 2, 200, &totals), BN_RUN_INTERRUPTED);
  ck_assert_int_gt (totals.n_unfinished, 0);
  ck_assert_int_eq (totals.n_jobs, totals.n_done + totals.n_unfinished);
  ck_assert (!sleepy_backend_was_abandoned ());
  world_free (w);
}
END_TEST

START_TEST (an_interrupt_after_the_last_arrival_changes_nothing)
{
  const SleepyScript script = { 0 };
  World *w = sleepy_world (&script, 2);
  BnRunTotals totals;

  world_schedule (w, "compass");
  many_jobs (w, 20, 2 * MS);
  ck_assert_int_eq (run_interrupted (w, 1, 20, &totals), BN_RUN_COMPLETE);
  ck_assert_int_eq (totals.n_done, 20);
  world_free (w);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("real time");
  TCase *tc = tcase_create ("loop");

  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, every_scheduler_brings_every_job_to_its_end, 0, 9);
  tcase_add_test (tc, nothing_ends_before_it_can);
  tcase_add_test (tc, a_backend_that_does_not_answer_fails_the_run_and_is_left_alone);
  tcase_add_test (tc, one_worker_that_does_not_answer_is_noticed_beside_others_that_do);
  tcase_add_test (tc, a_load_that_fails_is_tried_again);
  tcase_add_test (tc, preloads_are_really_loaded_before_time_begins);
  tcase_add_test (tc, a_preload_that_hangs_beside_one_that_fails_is_noticed);
  tcase_add_test (tc, a_preload_that_fails_fails_the_run);
  tcase_add_test (tc, a_first_interrupt_lets_what_has_arrived_come_to_its_end);
  tcase_add_test (tc, a_second_interrupt_stops_when_open_operations_have_ended);
  tcase_add_test (tc, an_interrupt_after_the_last_arrival_changes_nothing);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
