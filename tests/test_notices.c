/* test_notices.c: what a scheduler hears of what it decided, when, and that hearing changes nothing.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The cluster and the workflows are those of test_run.c: 2 us for a client's message, 1 us for one
 * from worker to worker.
 */
#include <check.h>
#include <inttypes.h>
#include <string.h>

#include "faulty_backend.h"
#include "small_world.h"
#include "suite.h"

/* Puts task t of every job on worker t mod 2, and writes down what it hears and is asked. */
typedef struct Listening
{
  GString *heard;
} Listening;

static uint32_t
all_worlds_ears (void *state, const BnSchedSetup *setup)
{
  *(Listening *) state = (Listening) { (GString *) setup->user };
  return BN_SCHED_HEARS;
}

static uint32_t
a_central_ear (void *state, const BnSchedSetup *setup)
{
  return all_worlds_ears (state, setup) | BN_SCHED_CENTRAL;
}

static uint32_t
an_ear_for_jobs (void *state, const BnSchedSetup *setup)
{
  all_worlds_ears (state, setup);
  return BN_SCHED_HEARS_JOBS;
}

static uint32_t
deaf (void *state, const BnSchedSetup *setup)
{
  all_worlds_ears (state, setup);
  return 0;
}

static void
plan (void *state, const BnPlanCall *call)
{
  Listening *l = state;

  g_string_append_printf (l->heard, "%" PRId64 " asked about %" PRId64 "; ", call->now, call->job->id);
  for (uint32_t t = 0; t < call->job->workflow->n_tasks; t++)
    call->host->place (call->host, t, call->job->workflow->index == 2 ? 99 : t % 2, 0);
}

static void
hear (void *state, const BnNotice *n)
{
  static const char *const kinds[] = { "job", "task", "down" };
  Listening *l = state;

  ck_assert_uint_eq (n->struct_size, sizeof *n);
  g_string_append_printf (l->heard, "%" PRId64 " %s to %d: %" PRId64 ".%d at %d, %s %" PRId64 "; ", n->now,
                          kinds[n->kind], n->observer, n->job, n->task, n->worker,
                          n->kind == BN_NOTICE_JOB_ENDED ? bn_job_state_name (n->state) : "took", n->took_ns);
}

/* On a cluster of two workers with one slot, whose operations fail as faulty_backend_set says. Returns: what was heard
 * (transfer full). *rows: what came of the jobs (transfer full), or NULL. */
static char *
run_listening (uint32_t (*init) (void *state, const BnSchedSetup *setup), const char *jobs, char **rows)
{
  const BnScheduler listening = { .struct_size = sizeof listening, .name = "listening", .state_bytes = sizeof (Listening),
                                  .init = init, .plan = plan, .notice = hear };
  World *w = small_world (2, 100 * MB, 1);
  BnVariant variant = { .scheduler = &listening, .options = w->config.options };
  GString *heard = g_string_new (NULL);

  w->variant = &variant;
  w->config.scheduler_user = heard;
  w->config.backend = &faulty_backend;
  world_jobs (w, jobs);
  ck_assert_int_eq (world_run (w), BN_RUN_COMPLETE);
  if (rows != NULL)
    *rows = g_strdup_printf ("%s%" PRId64 " %" PRId64, w->rows->str, w->totals.end_ns, w->totals.n_events);
  w->variant = NULL;
  world_free (w);
  return g_string_free (heard, FALSE);
}

START_TEST (each_hears_what_reaches_it_before_it_is_asked_next)
{
  /* chain: 10 ms on worker 0 until 10.002, its kB in 4 us to worker 1, 10 ms of load, 20 ms until 40.006: the
     result is at worker 0 a message later. Job 1 runs behind it on worker 0 until 11.002, when job 2 comes. */
  g_autofree char *heard = run_listening (all_worlds_ears, "0,chain,0\n9000000,bare,1\n11000000,bare,0\n", NULL);

  ck_assert_str_eq (heard, "2000 asked about 0; 9002000 asked about 1; "
                           "10002000 task to 0: 0.0 at 0, took 10000000; "
                           "11002000 task to 0: 1.0 at 0, took 1000000; "
                           "11002000 asked about 2; "
                           "11003000 job to 1: 1.-1 at -1, done 2002000; "
                           "12002000 task to 0: 2.0 at 0, took 1000000; "
                           "12002000 job to 0: 2.-1 at -1, done 1002000; "
                           "40006000 task to 1: 0.1 at 1, took 20000000; "
                           "40007000 job to 0: 0.-1 at -1, done 40006000; ");
}
END_TEST

START_TEST (a_central_scheduler_hears_everything_a_message_later)
{
  g_autofree char *heard = run_listening (a_central_ear, "0,bare,1\n", NULL);

  ck_assert_ptr_nonnull (strstr (heard, " task to -1: 0.0 at 0, took 1000000; "));
  ck_assert_ptr_nonnull (strstr (heard, " job to -1: 0.-1 at -1, done "));
  ck_assert_str_eq (heard, "2000 asked about 0; 1005000 task to -1: 0.0 at 0, took 1000000; "
                           "1005000 job to -1: 0.-1 at -1, done 1004000; ");
}
END_TEST

START_TEST (a_job_that_is_refused_is_known_at_once)
{
  g_autofree char *heard = run_listening (an_ear_for_jobs, "0,one-c,1\n", NULL);

  ck_assert_str_eq (heard, "2000 asked about 0; 2000 job to 1: 0.-1 at -1, refused 2000; ");
}
END_TEST

START_TEST (that_a_worker_is_lost_everybody_hears_a_message_later)
{
  /* its input takes 2 us from its ingress, worker 1, to worker 0, which is lost after 0.5 ms; the ingress has it still */
  const Fault fault = { BN_OP_RUN, 0, 1, 1, BN_OP_DEVICE_LOST, MS / 2 };

  faulty_backend_set (&fault, 1);
  g_autofree char *heard = run_listening (all_worlds_ears, "0,bare,1\n", NULL);
  faulty_backend_set (NULL, 0);
  ck_assert_str_eq (heard, "2000 asked about 0; 505000 down to -1: -1.-1 at 0, took 0; "
                           "1504000 task to 1: 0.0 at 1, took 1000000; 1504000 job to 1: 0.-1 at -1, done 1504000; ");
}
END_TEST

START_TEST (who_does_not_listen_hears_nothing)
{
  g_autofree char *jobs = run_listening (an_ear_for_jobs, "0,bare,0\n", NULL);
  g_autofree char *nothing = run_listening (deaf, "0,bare,0\n", NULL);

  ck_assert_str_eq (jobs, "2000 asked about 0; 1002000 job to 0: 0.-1 at -1, done 1002000; ");
  ck_assert_str_eq (nothing, "2000 asked about 0; ");
}
END_TEST

START_TEST (to_listen_changes_nothing_of_the_run)
{
  static const char jobs[] = "0,chain,0\n0,diamond,1\n9000000,bare,1\n11000000,one-a,0\n11000000,one-c,0\n";
  char *with = NULL, *without = NULL;

  g_free (run_listening (all_worlds_ears, jobs, &with));
  g_free (run_listening (deaf, jobs, &without));
  ck_assert_str_eq (with, without);
  g_free (with);
  g_free (without);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("notices");
  TCase *tc = tcase_create ("notices");

  tcase_add_test (tc, each_hears_what_reaches_it_before_it_is_asked_next);
  tcase_add_test (tc, a_central_scheduler_hears_everything_a_message_later);
  tcase_add_test (tc, a_job_that_is_refused_is_known_at_once);
  tcase_add_test (tc, that_a_worker_is_lost_everybody_hears_a_message_later);
  tcase_add_test (tc, who_does_not_listen_hears_nothing);
  tcase_add_test (tc, to_listen_changes_nothing_of_the_run);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
