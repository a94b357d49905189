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

#include "catalogue.h"
#include "eviction.h"
#include "invariants.h"
#include "platform_build.h"
#include "queue_order.h"
#include "results.h"
#include "rng.h"
#include "rules.h"
#include "run.h"
#include "suite.h"

#define SHORT_TRIPLES 500
#define LONG_TRIPLES 10000
#define MB INT64_C (1000000)

static const char *const schedulers[] = {
  "compass", "compass[adjust=off]", "compass[threshold=0]", "compass[cache=off]", "compass[load=off]", "jit", "heft",
  "heft[cache]", "heft[cache,central]", "heft[central,insertion]", "heft[insertion]", "hash", "hash[random]",
  "hash[model]", "hash[modulo,central]", "random", "round-robin", "least-loaded", "po2", "sparrow",
  "sparrow[constrained=off,ratio=1]", "sparrow[ratio=3.5]",
};

static BnDuration
some_time (BnRng *rng)
{
  /* zero, small and equal times are where ties are */
  switch (bn_rng_below (rng, 4))
    {
    case 0:
      return 0;
    case 1:
      return BN_NS_PER_MS;
    default:
      return (BnDuration) bn_rng_below (rng, 20 * (uint64_t) BN_NS_PER_MS);
    }
}

static BnCatalogue *
random_catalogue (BnRng *rng, int64_t *largest_bytes)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  uint32_t n_models = (uint32_t) bn_rng_below (rng, 6), n_workflows = 1 + (uint32_t) bn_rng_below (rng, 3);

  *largest_bytes = 0;
  for (uint32_t m = 0; m < n_models; m++)
    {
      g_autofree char *name = g_strdup_printf ("m%u", m);
      int64_t bytes = bn_rng_below (rng, 8) == 0 ? 0 : (int64_t) bn_rng_below (rng, 30) * MB;
      *largest_bytes = MAX (*largest_bytes, bytes);
      bn_catalogue_builder_add_model (b, name, bytes);
    }
  for (uint32_t f = 0; f < n_workflows; f++)
    {
      g_autofree char *name = g_strdup_printf ("w%u", f);
      uint32_t n_tasks = 1 + (uint32_t) bn_rng_below (rng, 10);
      bn_catalogue_builder_add_workflow (b, name);
      for (uint32_t t = 0; t < n_tasks; t++)
        {
          uint32_t preds[16], n_preds = 0;
          for (uint32_t p = 0; p < t; p++)
            if (bn_rng_below (rng, 3) == 0)
              preds[n_preds++] = p;
          bool has_model = n_models > 0 && bn_rng_below (rng, 4) > 0;
          int32_t model = has_model ? (int32_t) bn_rng_below (rng, n_models) : BN_NONE;
          bn_catalogue_builder_add_task (b, model, (int64_t) bn_rng_below (rng, 10000),
                                         (int64_t) bn_rng_below (rng, 10000), some_time (rng), preds, n_preds);
        }
    }
  return bn_catalogue_builder_finish (b, NULL);
}

static BnPlatform *
random_platform (BnRng *rng, int64_t largest_bytes)
{
  BnServerGroup groups[3];
  uint32_t n_groups = 1 + (uint32_t) bn_rng_below (rng, 3);
  BnNetwork network = bn_network_default ();

  if (bn_rng_below (rng, 4) == 0)
    network.latency_ns = 0;
  for (uint32_t g = 0; g < n_groups; g++)
    {
      /* one group holds every model, or the run refuses what it must */
      int64_t room = (int64_t) bn_rng_below (rng, 40) * MB;
      int64_t memory = g == 0 && bn_rng_below (rng, 10) > 0 ? largest_bytes + room : room;
      groups[g] = (BnServerGroup){
        1 + (uint32_t) bn_rng_below (rng, 4), 1 + (uint32_t) bn_rng_below (rng, 2),
        { .name = "g", .group = "g", .memory_bytes = memory, .speed_ppm = 1 + (int64_t) bn_rng_below (rng, 3000000),
          .pcie_bytes_per_s = 1000000000, .pcie_latency_ns = (BnDuration) bn_rng_below (rng, 2) * 1000,
          .slots = 1 + (uint32_t) bn_rng_below (rng, 3), .idle_watts = 1, .active_watts = 2 }
      };
    }
  return bn_platform_new (groups, n_groups, &network);
}

static BnSpread
random_spread (BnRng *rng)
{
  return (BnSpread){ bn_rng_below (rng, 2) ? BN_SPREAD_INTERVAL : BN_SPREAD_DELAY, some_time (rng) };
}

static BnRunOptions
random_options (BnRng *rng)
{
  return (BnRunOptions){
    .load_spread = random_spread (rng),
    .cache_spread = random_spread (rng),
    .reserve = (BnReserveMode) bn_rng_below (rng, 3),
    .queue_order = (uint32_t) bn_rng_below (rng, bn_n_queue_orders),
    .eviction = (uint32_t) bn_rng_below (rng, bn_n_evictions),
    .evict_cost = (BnEvictCost) bn_rng_below (rng, 2),
    .prefetch = (BnPrefetch) bn_rng_below (rng, 2),
    .overlap = (BnOverlap) bn_rng_below (rng, 3),
    .proactive = bn_rng_below (rng, 2) == 0,
    .contention = (BnContention) bn_rng_below (rng, 2),
    .decision_cost_ns = bn_rng_below (rng, 2) ? some_time (rng) / 10 : 0,
    .queue_settings = { some_time (rng), (double) bn_rng_below (rng, 64) },
  };
}

typedef struct Triple
{
  BnScenario scenario;
  BnVariant *variant;
  uint64_t seed;
} Triple;

static void
make_triple (Triple *triple, uint64_t number)
{
  static const double ones[] = { 1, 1, 1 };
  BnRng rng;
  int64_t largest_bytes;
  GError *error = NULL;

  bn_rng_init (&rng, number, "triple");
  *triple = (Triple){ .seed = number };
  BnScenario *s = &triple->scenario;
  s->name = (char *) "triple";
  s->path = (char *) "triple";
  s->text = (char *) "";
  s->catalogue = random_catalogue (&rng, &largest_bytes);
  ck_assert_ptr_nonnull (s->catalogue);
  s->platform = random_platform (&rng, largest_bytes);
  s->options = random_options (&rng);
  s->record = BN_RECORD_TASKS;
  s->noise = (BnNoise){ (BnNoiseKind) bn_rng_below (&rng, 4), 0.1 + bn_rng_uniform (&rng),
                        bn_rng_below (&rng, 2) == 0 };
  s->arrivals = (BnArrivalsConfig){ .kind = (BnArrivalsKind) bn_rng_below (&rng, 4),
                                    .rate_per_s = 1 + (double) bn_rng_below (&rng, 2000),
                                    .cv = 0.2 + 2 * bn_rng_uniform (&rng),
                                    .on_ns = BN_NS_PER_S,
                                    .off_ns = BN_NS_PER_S,
                                    .time_scale = 1,
                                    .weights = ones,
                                    .max_jobs = 1 + (int64_t) bn_rng_below (&rng, 30),
                                    .until_ns = BN_TIME_NEVER };
  const char *scheduler = schedulers[bn_rng_below (&rng, G_N_ELEMENTS (schedulers))];
  triple->variant = bn_variant_parse (scheduler, &s->options, &error);
  ck_assert_msg (triple->variant != NULL, "%s", error ? error->message : "");
}

/* Runs the triple into a new database in memory. Returns: the totals. */
static BnRunTotals
run_triple (const Triple *triple, gboolean check, const char *what)
{
  const BnScenario *s = &triple->scenario;
  GError *error = NULL;
  BnResults *results = bn_results_create (":memory:", FALSE, &error);
  BnInvariants *invariants = bn_invariants_new (s->platform, s->catalogue);
  BnMetricsConfig metrics_config = { s->platform, s->catalogue, 0, 0, TRUE };
  BnMetrics *metrics = bn_metrics_new (&metrics_config);
  g_autofree char *settings = bn_variant_settings (triple->variant);
  BnRunInfo info = { .run_id = 1 };

  ck_assert_msg (results != NULL, "%s: %s", what, error ? error->message : "");
  bn_run_info_from_scenario (&info, s, triple->variant, settings, triple->seed);
  const BnProbe *writer = bn_results_begin_run (results, &info, &error);
  ck_assert_msg (writer != NULL, "%s: %s", what, error ? error->message : "");
  BnProbe probes[] = { *bn_metrics_probe (metrics), *bn_invariants_probe (invariants), *writer };
  BnRunConfig config = { .platform = s->platform,
                         .catalogue = s->catalogue,
                         .arrivals = &s->arrivals,
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
  ck_assert_int_eq (totals.n_jobs, totals.n_done + totals.n_refused);
  ck_assert_msg (bn_invariants_violations (invariants) == 0, "%s: %s", what,
                 (const char *) bn_invariants_messages (invariants)->pdata[0]);
  BnRunEnd end = { &totals, metrics, 0, NULL, 0 };
  ck_assert_msg (bn_results_end_run (results, &end, &error), "%s: %s", what, error ? error->message : "");
  if (check)
    {
      GPtrArray *found = bn_check_database (bn_results_database (results), &error);
      ck_assert_msg (found != NULL, "%s: %s", what, error ? error->message : "");
      for (guint i = 0; i < found->len; i++)
        {
          const BnCheckResult *r = found->pdata[i];
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
      Triple triple;
      make_triple (&triple, i);
      g_autofree char *what = g_strdup_printf ("triple %" G_GUINT64_FORMAT ", %s", i, triple.variant->name);
      BnRunTotals a = run_triple (&triple, TRUE, what);
      if (i % 10 == 0)
        {
          BnRunTotals b = run_triple (&triple, FALSE, what);
          ck_assert_int_eq (a.end_ns, b.end_ns);
          ck_assert_int_eq (a.n_events, b.n_events);
          ck_assert_int_eq (a.n_messages, b.n_messages);
        }
      done += a.n_done;
      refused += a.n_refused;
      tasks += a.n_tasks_done;
      bn_variant_free (triple.variant);
      bn_platform_free (triple.scenario.platform);
      bn_catalogue_free (triple.scenario.catalogue);
    }
  printf ("%" G_GUINT64_FORMAT " triples: %ld jobs done, %ld refused, %ld tasks\n", n_triples (), (long) done,
          (long) refused, (long) tasks);
  /* nothing of this may be vacuous */
  ck_assert_int_gt (done, 10 * (int64_t) n_triples ());
  ck_assert_int_gt (refused, 0);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("contract");
  TCase *tc = tcase_create ("random triples");

  tcase_set_timeout (tc, 3000);
  tcase_add_test (tc, every_random_triple_keeps_every_rule);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
