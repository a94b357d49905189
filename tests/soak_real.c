/* soak_real.c: real execution, round after round, with evictions, faults and lost devices.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each round opens the CPU backend anew and brings jobs of the paper's workflows, at a scale
 * that makes them small, through another scheduler at a load of 0.9, with memory for some of the
 * models only. Operations fail at random, in some rounds a device is lost half way.
 * Everything is checked that can be: the cluster after every event, every rule on the
 * database, and every output of every task done against the reference. Afterwards no thread
 * may be left over. A few rounds in `make check`, ten minutes in check-long; built with sanitizers where
 * there are any, which find what is leaked.
 */
#include <check.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>

#include "checked_run.h"
#include "flaky_backend.h"
#include "reference.h"
#include "suite.h"

#define SHORT_ROUNDS 4
#define LONG_SOAK_US (10 * 60 * G_USEC_PER_SEC)

static const char scenario_text[] = "[servers]\n"
                                    "count = 3\n"
                                    "memory = 9GB\n"
                                    "[workload]\n"
                                    "catalogue = %s/traces/catalogue/paper.ini\n"
                                    "scale = 0.001x\n"
                                    "load = 0.9\n"
                                    "jobs = 150\n"
                                    "[schedulers]\n"
                                    "compare = compass, jit, heft, hash[random], late-overlap, sparrow, pull,"
                                    " compass[queue=key,evict=value]\n"
                                    "[backend]\n"
                                    "name = cpu\n"
                                    "verify = on\n";

/* Compares what a job came to with the reference. */
typedef struct Verifier
{
  const BnReference *reference;
  int64_t n_tasks, n_wrong;
} Verifier;

static void
verify_job (void *context, const BnJob *job, BnTime now)
{
  Verifier *v = context;
  const BnWorkflow *wf = job->workflow;
  double (*digests)[2] = g_malloc (wf->n_tasks * sizeof *digests);

  (void) now;
  bn_reference_job (v->reference, job->id, wf, digests);
  for (uint32_t t = 0; t < wf->n_tasks; t++)
    if (job->tasks[t].state == BN_TASK_DONE)
      {
        v->n_tasks++;
        v->n_wrong += !bn_nn_same_digest (job->tasks[t].digest, digests[t], BN_NN_TOLERANCE);
      }
  g_free (digests);
}

static guint
n_threads (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  ck_assert_ptr_nonnull (dir);
  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

/* The system forgets a thread a moment after it has been joined. */
static void
wait_for_threads (guint n)
{
  for (guint i = 0; i < 1000 && n_threads () > n; i++)
    g_usleep (10000);
  ck_assert_uint_eq (n_threads (), n);
}

static BnScenario *
read_scenario (void)
{
  const char *srcdir = g_getenv ("BN_SRCDIR");
  g_autofree char *text = g_strdup_printf (scenario_text, srcdir ? srcdir : ".");
  g_autofree char *path = NULL;
  GError *error = NULL;
  int fd = g_file_open_tmp ("bn-soak-XXXXXX.ini", &path, NULL);

  ck_assert_int_ge (fd, 0);
  g_close (fd, NULL);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  BnScenario *scenario = bn_scenario_read (path, NULL, &error);
  ck_assert_msg (scenario != NULL, "%s", error ? error->message : "");
  g_unlink (path);
  return scenario;
}

/* What a round came to, added up. */
typedef struct Sums
{
  int64_t n_done, n_failed, n_failures, n_lost, n_verified;
} Sums;

static void
run_round (const BnScenario *scenario, guint round, Sums *sums)
{
  const BnVariant *variant = scenario->variants[round % scenario->n_variants];
  FlakyScript script = { scenario->backend, round, 0.01, 0.02, round % 3 == 2 ? 300 : 0 };
  GError *error = NULL;
  BnReference *reference = bn_reference_new (scenario->catalogue, round, BN_NN_BLAS, &error);
  Verifier verifier = { .reference = reference };
  BnProbe listener = { .context = &verifier, .job_ended = verify_job };
  g_autofree char *what = g_strdup_printf ("round %u, %s", round, variant->name);
  CheckedRun c = { .scenario = scenario, .variant = variant, .seed = round, .backend = &flaky_backend,
                   .listener = &listener, .what = what };

  ck_assert_msg (reference != NULL, "%s", error ? error->message : "");
  flaky_backend_set (&script);
  BnRunTotals totals = checked_run (&c);
  bn_reference_free (reference);
  ck_assert_int_eq (verifier.n_wrong, 0);
  ck_assert_int_ge (verifier.n_tasks, totals.n_tasks_done);
  ck_assert_int_ge (totals.n_failures, flaky_backend_failures ());
  sums->n_done += totals.n_done;
  sums->n_failed += totals.n_failed;
  sums->n_failures += totals.n_failures;
  sums->n_lost += totals.n_workers_lost;
  sums->n_verified += verifier.n_tasks;
}

START_TEST (nothing_is_lost_leaked_or_computed_wrongly)
{
  const char *is_long = g_getenv ("BN_TEST_LONG");
  gint64 until_us = is_long && is_long[0] == '1' ? g_get_monotonic_time () + LONG_SOAK_US : 0;
  BnScenario *scenario = read_scenario ();
  guint before = 0, round = 0;
  Sums sums = { 0 };

  while (round < SHORT_ROUNDS || g_get_monotonic_time () < until_us)
    {
      run_round (scenario, round++, &sums);
      /* the library of matrices has threads of its own from its first use on */
      if (before == 0)
        before = n_threads ();
      wait_for_threads (before);
    }
  bn_scenario_free (scenario);
  printf ("%u rounds: %ld jobs done, %ld failed, %ld failures, %ld devices lost, %ld outputs verified\n", round,
          (long) sums.n_done, (long) sums.n_failed, (long) sums.n_failures, (long) sums.n_lost,
          (long) sums.n_verified);
  ck_assert_int_gt (sums.n_done, 100 * (int64_t) round);
  ck_assert_int_gt (sums.n_failures, (int64_t) round);
  ck_assert_int_gt (sums.n_lost, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("soak");
  TCase *tc = tcase_create ("real");

  tcase_set_timeout (tc, 3600);
  tcase_add_test (tc, nothing_is_lost_leaked_or_computed_wrongly);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
