/* checked_run.c: a run with everything checked that can be.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "checked_run.h"

#include <check.h>

#include "invariants.h"
#include "results.h"
#include "rules.h"

static void
check_rules (sqlite3 *db, uint32_t but_for, const char *what)
{
  GError *error = NULL;
  GPtrArray *found = bn_check_database (db, &error);

  ck_assert_msg (found != NULL, "%s: %s", what, error ? error->message : "");
  for (guint i = 0; i < found->len; i++)
    {
      const BnCheckResult *r = found->pdata[i];
      if (r->invariant->number == but_for)
        continue;
      ck_assert_msg (r->outcome == BN_CHECK_PASSED, "%s: rule %u, %s: %s", what, r->invariant->number,
                     r->outcome == BN_CHECK_FAILED ? "failed" : "not checkable",
                     r->faults && r->faults->len ? (const char *) r->faults->pdata[0] : "");
    }
  g_ptr_array_unref (found);
}

/* A clock that says anything up to a millisecond, and often nothing. */
static void
start (void *rng)
{
  (void) rng;
}

static BnDuration
stop (void *rng, const BnJob *job, GError **error)
{
  (void) job;
  (void) error;
  return bn_rng_below (rng, 3) == 0 ? 0 : (BnDuration) bn_rng_below (rng, BN_NS_PER_MS);
}

BnRunTotals
checked_run (const CheckedRun *c)
{
  const BnScenario *s = c->scenario;
  const BnBackend *backend = c->backend ? c->backend : &bn_model_backend;
  gboolean real = !(backend->capabilities & BN_BACKEND_VIRTUAL_TIME);
  GError *error = NULL;
  BnResults *results = bn_results_create (":memory:", FALSE, &error);
  BnInvariants *invariants = bn_invariants_new (s->platform, s->catalogue);
  BnMetricsConfig metrics_config = { s->platform, s->catalogue, s->warmup_ns, 0, TRUE, real };
  BnMetrics *metrics = bn_metrics_new (&metrics_config);
  g_autofree char *settings = bn_variant_settings (c->variant);
  BnRunInfo info = { .run_id = 1 };

  ck_assert_msg (results != NULL, "%s: %s", c->what, error ? error->message : "");
  bn_run_info_from_scenario (&info, s, c->variant, s->text, settings, c->seed);
  info.backend = backend->name;
  info.real = real;
  info.has_digests = FALSE;
  const BnProbe *writer = bn_results_begin_run (results, &info, &error);
  ck_assert_msg (writer != NULL, "%s: %s", c->what, error ? error->message : "");
  BnProbe probes[] = { *bn_metrics_probe (metrics), *bn_invariants_probe (invariants), *writer,
                       c->listener ? *c->listener : (BnProbe){ 0 } };
  BnRng rng;
  bn_rng_init (&rng, c->seed, "clock");
  BnStopwatch clock = { &rng, start, stop };
  BnRunConfig config = { .platform = s->platform,
                         .catalogue = s->catalogue,
                         .arrivals = &s->arrivals,
                         .backend = backend,
                         .backend_settings = s->backend_settings,
                         .noise = s->noise,
                         .scheduler = c->variant->scheduler,
                         .params = c->variant->params,
                         .options = c->variant->options,
                         .stopwatch = &clock,
                         .seed = c->seed,
                         .probes = probes,
                         .n_probes = G_N_ELEMENTS (probes),
                         .repeat_command = c->what,
                         .debug_check = true };
  BnRun *run = bn_run_new (&config, &error);
  ck_assert_msg (run != NULL, "%s: %s", c->what, error ? error->message : "");
  BnRunStatus status = bn_run_execute (run, &error);
  g_autofree char *dump = bn_run_dump (run);
  ck_assert_msg (status == BN_RUN_COMPLETE, "%s: ended as %d, %s\n%s", c->what, (int) status,
                 error ? error->message : "", dump);
  BnRunTotals totals = *bn_run_totals (run);
  ck_assert_int_eq (totals.n_jobs, totals.n_done + totals.n_refused + totals.n_failed);
  ck_assert_msg (bn_invariants_violations (invariants) == 0, "%s: %s", c->what,
                 (const char *) bn_invariants_messages (invariants)->pdata[0]);
  BnRunEnd end = { .totals = &totals, .metrics = metrics };
  ck_assert_msg (bn_results_end_run (results, &end, &error), "%s: %s", c->what, error ? error->message : "");
  if (!c->unchecked)
    check_rules (bn_results_database (results), c->but_for_rule, c->what);
  bn_run_free (run);
  bn_metrics_free (metrics);
  bn_invariants_free (invariants);
  ck_assert (bn_results_close (results, &error));
  return totals;
}
