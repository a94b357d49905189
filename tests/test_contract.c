/* test_contract.c: random triples of workload, scheduler and staleness.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each triple is a random DAG or several, a random cluster with memory down to one
 * model, a random scheduler with random settings and a random dissemination mode.
 * The run verifies the whole cluster after every event, the task invariants hold
 * in memory, every rule of `binnacle check` holds of the in-memory database that
 * it writes, every job is accounted for, and a second run is the same to the last
 * event. 500 triples here, 10,000 in check-long. Built with sanitizers where they
 * are available. A failing triple prints its number and what it was.
 */
#include <check.h>
#include <glib.h>
#include <stdio.h>

#include "checked_run.h"
#include "faulty_backend.h"
#include "random_scenario.h"
#include "rng.h"
#include "suite.h"

#define SHORT_TRIPLES 500
#define LONG_TRIPLES 10000
#define RULE_ON_WALL_CLOCKS 56

static BnRunTotals
run_triple (const RandomScenario *triple, const BnBackend *backend, gboolean check, const char *what)
{
  CheckedRun c = { .scenario = &triple->scenario, .variant = triple->variant, .seed = triple->seed,
                   .backend = backend, .unchecked = !check, .what = what };

  if (backend)
    c.but_for_rule = RULE_ON_WALL_CLOCKS; /* faults are tried on a virtual one */
  return checked_run (&c);
}

static uint64_t
n_triples (void)
{
  const char *is_long = g_getenv ("BN_TEST_LONG");

  return is_long && is_long[0] == '1' ? LONG_TRIPLES : SHORT_TRIPLES;
}

START_TEST (every_random_triple_keeps_every_rule)
{
  int64_t done = 0, refused = 0, tasks = 0;

  for (uint64_t i = 1; i <= n_triples (); i++)
    {
      RandomScenario triple;
      random_scenario_make (&triple, i);
      g_autofree char *what = g_strdup_printf ("triple %" G_GUINT64_FORMAT ", %s", i, triple.variant->name);
      BnRunTotals a = run_triple (&triple, NULL, TRUE, what);
      if (i % 10 == 0)
        {
          BnRunTotals b = run_triple (&triple, NULL, FALSE, what);
          ck_assert_int_eq (a.end_ns, b.end_ns);
          ck_assert_int_eq (a.n_events, b.n_events);
          ck_assert_int_eq (a.n_messages, b.n_messages);
        }
      done += a.n_done;
      refused += a.n_refused;
      tasks += a.n_tasks_done;
      random_scenario_clear (&triple);
    }
  printf ("%" G_GUINT64_FORMAT " triples: %ld jobs done, %ld refused, %ld tasks\n", n_triples (), (long) done,
          (long) refused, (long) tasks);
  /* nothing of this may be vacuous */
  ck_assert_int_gt (done, 10 * (int64_t) n_triples ());
  ck_assert_int_gt (refused, 0);
}
END_TEST

#define MAX_FAULTS 6

/* Faults of every kind, of single operations and of many, now and then of a device. */
static uint32_t
random_faults (uint64_t number, uint32_t n_workers, Fault *faults)
{
  static const BnOpStatus statuses[] = { BN_OP_FAILED, BN_OP_FAILED, BN_OP_OUT_OF_MEMORY, BN_OP_DEVICE_LOST };
  BnRng rng;

  bn_rng_init (&rng, number, "faults");
  uint32_t n = 1 + (uint32_t) bn_rng_below (&rng, MAX_FAULTS);
  for (uint32_t i = 0; i < n; i++)
    faults[i] = (Fault){ .kind = (BnOpKind) bn_rng_below (&rng, 4),
                         .worker = bn_rng_below (&rng, 3) ? BN_NONE : (int32_t) bn_rng_below (&rng, n_workers),
                         .first = 1 + (uint32_t) bn_rng_below (&rng, 30),
                         .n = bn_rng_below (&rng, 4) ? 1 + (uint32_t) bn_rng_below (&rng, 3) : UINT32_MAX,
                         .status = statuses[bn_rng_below (&rng, G_N_ELEMENTS (statuses))],
                         .after_ns = (BnDuration) bn_rng_below (&rng, 3) * 7 * BN_NS_PER_MS };
  return n;
}

START_TEST (whatever_fails_every_job_ends_and_every_rule_holds)
{
  int64_t done = 0, failed = 0, failures = 0, lost = 0;

  for (uint64_t i = 1; i <= n_triples (); i++)
    {
      RandomScenario triple;
      Fault faults[MAX_FAULTS];
      random_scenario_make (&triple, i);
      uint32_t n = random_faults (i, triple.scenario.platform->n_workers, faults);
      g_autofree char *what = g_strdup_printf ("faults %" G_GUINT64_FORMAT ", %s", i, triple.variant->name);
      faulty_backend_set (faults, n);
      BnRunTotals a = run_triple (&triple, &faulty_backend, TRUE, what);
      ck_assert_int_eq (faulty_backend_jobs_over (), a.n_jobs);
      done += a.n_done;
      failed += a.n_failed;
      failures += a.n_failures;
      lost += a.n_workers_lost;
      random_scenario_clear (&triple);
    }
  printf ("%" G_GUINT64_FORMAT " triples with faults: %ld jobs done, %ld failed, %ld failures, %ld workers lost\n",
          n_triples (), (long) done, (long) failed, (long) failures, (long) lost);
  ck_assert_int_gt (done, 5 * (int64_t) n_triples ());
  ck_assert_int_gt (failed, 0);
  ck_assert_int_gt (failures, (int64_t) n_triples ());
  ck_assert_int_gt (lost, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("contract");
  TCase *tc = tcase_create ("random triples");

  tcase_set_timeout (tc, 3000);
  tcase_add_test (tc, every_random_triple_keeps_every_rule);
  tcase_add_test (tc, whatever_fails_every_job_ends_and_every_rule_holds);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
