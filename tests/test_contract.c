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

#include "faulty_backend.h"
#include "invariants.h"
#include "random_scenario.h"
#include "results.h"
#include "rng.h"
#include "rules.h"
#include "run.h"
#include "suite.h"

#define SHORT_TRIPLES 500
#define LONG_TRIPLES 10000
#define RULE_ON_WALL_CLOCKS 56

/* Runs the triple into a new database in memory. Returns: the totals. */
static BnRunTotals
run_triple (const RandomScenario *triple, const BnBackend *backend, gboolean check, const char *what)
{
  const BnScenario *s = &triple->scenario;
  GError *error = NULL;
  BnResults *results = bn_results_create (":memory:", FALSE, &error);
  BnInvariants *invariants = bn_invariants_new (s->platform, s->catalogue);
  BnMetricsConfig metrics_config = { s->platform, s->catalogue, s->warmup_ns, 0, TRUE, FALSE };
  BnMetrics *metrics = bn_metrics_new (&metrics_config);
  g_autofree char *settings = bn_variant_settings (triple->variant);
  BnRunInfo info = { .run_id = 1 };

  ck_assert_msg (results != NULL, "%s: %s", what, error ? error->message : "");
  bn_run_info_from_scenario (&info, s, triple->variant, settings, triple->seed);
  if (backend)
    info.backend = backend->name;
  const BnProbe *writer = bn_results_begin_run (results, &info, &error);
  ck_assert_msg (writer != NULL, "%s: %s", what, error ? error->message : "");
  BnProbe probes[] = { *bn_metrics_probe (metrics), *bn_invariants_probe (invariants), *writer };
  BnRunConfig config = { .platform = s->platform,
                         .catalogue = s->catalogue,
                         .arrivals = &s->arrivals,
                         .backend = backend,
                         .noise = s->noise,
                         .scheduler = triple->variant->scheduler,
                         .params = triple->variant->params,
                         .options = triple->variant->options,
                         .seed = triple->seed,
                         .probes = probes,
                         .n_probes = G_N_ELEMENTS (probes),
                         .repeat_command = what,
                         .debug_check = true };
  BnRun *run = bn_run_new (&config, &error);
  ck_assert_msg (run != NULL, "%s: %s", what, error ? error->message : "");
  BnRunStatus status = bn_run_execute (run, &error);
  g_autofree char *dump = bn_run_dump (run);
  ck_assert_msg (status == BN_RUN_COMPLETE, "%s: ended as %d\n%s", what, (int) status, dump);
  BnRunTotals totals = *bn_run_totals (run);
  ck_assert_int_eq (totals.n_jobs, totals.n_done + totals.n_refused + totals.n_failed);
  ck_assert_msg (bn_invariants_violations (invariants) == 0, "%s: %s", what,
                 (const char *) bn_invariants_messages (invariants)->pdata[0]);
  BnRunEnd end = { .totals = &totals, .metrics = metrics };
  ck_assert_msg (bn_results_end_run (results, &end, &error), "%s: %s", what, error ? error->message : "");
  if (check)
    {
      GPtrArray *found = bn_check_database (bn_results_database (results), &error);
      ck_assert_msg (found != NULL, "%s: %s", what, error ? error->message : "");
      for (guint i = 0; i < found->len; i++)
        {
          const BnCheckResult *r = found->pdata[i];
          if (backend && r->invariant->number == RULE_ON_WALL_CLOCKS)
            continue; /* faults are tried on a virtual one */
          ck_assert_msg (r->outcome == BN_CHECK_PASSED, "%s: rule %u, %s: %s", what, r->invariant->number,
                         r->outcome == BN_CHECK_FAILED ? "failed" : "not checkable",
                         r->faults && r->faults->len ? (const char *) r->faults->pdata[0] : "");
        }
      g_ptr_array_unref (found);
    }
  bn_run_free (run);
  bn_metrics_free (metrics);
  bn_invariants_free (invariants);
  ck_assert (bn_results_close (results, &error));
  return totals;
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
