/* bench_sim.c: whole simulations, as `record = summary` runs them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The paper's workflows, Poisson arrivals, rows 10 ms old, look-ahead eviction,
 * loads and runs as events, metrics and in-memory checks on. Prints one JSON line
 * a case: tasks and events a second (median of repetitions), the label of the
 * run, and the most memory the process has used.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <glib.h>

#include "bench.h"
#include "catalogue.h"
#include "eviction.h"
#include "invariants.h"
#include "metrics.h"
#include "platform_build.h"
#include "registry.h"
#include "run.h"
#include "stability.h"
#include "variant.h"

typedef struct Case
{
  const char *name;
  const char *variant;
  uint32_t n_workers;
  double load;
  int64_t n_jobs;
  int repetitions;
} Case;

static const Case cases[] = {
  { "hash-random", "hash[random]", 5, 0.3, 300000, 5 },
  { "compass-5", "compass", 5, 0.7, 300000, 5 },
  { "compass-500", "compass", 500, 0.7, 200000, 5 },
  { "compass-10000", "compass", 10000, 0.7, 200000, 3 },
  { "compass-100", "compass", 100, 0.7, 100000, 5 },
  { "compass-1000", "compass", 1000, 0.7, 100000, 5 },
  { "late-min-5", "late-min", 5, 0.7, 300000, 5 },
  { "late-min-100", "late-min", 100, 0.7, 100000, 5 },
  { "late-min-1000", "late-min", 1000, 0.7, 100000, 5 },
  { "late-5", "late", 5, 0.7, 100000, 5 },
  { "late-100", "late", 100, 0.7, 100000, 3 },
  { "late-overlap-100", "late-overlap", 100, 0.7, 100000, 3 },
  { "million-jobs", "compass", 5, 0.7, 1000000, 1 },
};

/* GPU seconds of one job, averaged over the workflows. */
static double
mean_runtime_s (const BnCatalogue *catalogue)
{
  double sum_ns = 0;

  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    for (uint32_t t = 0; t < catalogue->workflows[f].n_tasks; t++)
      sum_ns += (double) catalogue->workflows[f].tasks[t].runtime_ns;
  return sum_ns / catalogue->n_workflows / 1e9;
}

/* Seconds that one run of the case takes. */
static double
run_once (const Case *c, const BnCatalogue *catalogue, BnRunTotals *totals, const char **label)
{
  BnServerGroup group = { c->n_workers, 1,
                          { .name = "t4", .group = "t4", .memory_bytes = INT64_C (14000000000),
                            .speed_ppm = BN_PPM_ONE,
                            .pcie_bytes_per_s = INT64_C (10171226000), .slots = 1, .idle_watts = 10,
                            .active_watts = 70 } };
  BnNetwork network = bn_network_default ();
  BnPlatform *platform = bn_platform_new (&group, 1, &network);
  double *weights = g_new (double, catalogue->n_workflows);
  BnRunOptions options = { .load_spread = { BN_SPREAD_DELAY, 10 * BN_NS_PER_MS },
                           .cache_spread = { BN_SPREAD_DELAY, 10 * BN_NS_PER_MS },
                           .evict_cost = BN_EVICT_COST_FREE };
  BnVariant *variant = bn_variant_parse (c->variant, &options, NULL);

  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    weights[f] = 1;
  BnArrivalsConfig arrivals = { .kind = BN_ARRIVALS_POISSON,
                                .rate_per_s = c->load * c->n_workers / mean_runtime_s (catalogue),
                                .time_scale = 1,
                                .weights = weights,
                                .max_jobs = c->n_jobs,
                                .until_ns = BN_TIME_NEVER };
  BnMetricsConfig metrics_config = { platform, catalogue, 0, c->load, FALSE, FALSE };
  BnMetrics *metrics = bn_metrics_new (&metrics_config);
  BnInvariants *invariants = bn_invariants_new (platform, catalogue);
  BnProbe probes[] = { *bn_metrics_probe (metrics), *bn_invariants_probe (invariants) };
  BnRunConfig config = { .platform = platform, .catalogue = catalogue, .arrivals = &arrivals,
                         .scheduler = variant->scheduler, .params = variant->params, .options = variant->options,
                         .seed = 1, .probes = probes, .n_probes = G_N_ELEMENTS (probes) };
  gint64 began_us = g_get_monotonic_time ();
  BnRun *run = bn_run_new (&config, NULL);
  bn_run_execute (run, NULL);
  double seconds = (double) (g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;

  *totals = *bn_run_totals (run);
  *label = bn_label_name (bn_metrics_label (metrics));
  g_assert_cmpint (bn_invariants_violations (invariants), ==, 0);
  bn_run_free (run);
  bn_invariants_free (invariants);
  bn_metrics_free (metrics);
  bn_variant_free (variant);
  bn_platform_free (platform);
  g_free (weights);
  return seconds;
}

int
main (int argc, char **argv)
{
  g_autofree char *path = g_build_filename (g_getenv ("BN_SRCDIR") ? g_getenv ("BN_SRCDIR") : ".",
                                            "traces/catalogue/paper.ini", NULL);
  const char *paths[] = { path, NULL };
  GError *error = NULL;
  BnCatalogue *catalogue = bn_catalogue_read (paths, INT64_MAX, &error);

  if (!catalogue)
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      double rates[16];
      const char *label = "";
      BnRunTotals totals = { 0 };
      struct rusage usage;

      if (argc > 1 && strcmp (argv[1], c->name) != 0)
        continue;
      for (int r = 0; r < c->repetitions; r++)
        {
          double seconds = run_once (c, catalogue, &totals, &label);
          rates[r] = (double) totals.n_tasks_done / seconds;
        }
      bn_bench_sort (rates, (size_t) c->repetitions);
      getrusage (RUSAGE_SELF, &usage);
      printf ("{\"bench\": \"simulation\", \"case\": \"%s\", \"workers\": %u, \"load\": %.2f, \"jobs\": %" PRId64
              ", \"tasks_per_s_median\": %.0f, \"min\": %.0f, \"max\": %.0f, \"events_per_task\": %.2f"
              ", \"label\": \"%s\", \"process_peak_kb\": %ld}\n",
              c->name, c->n_workers, c->load, c->n_jobs, rates[c->repetitions / 2], rates[0],
              rates[c->repetitions - 1],
              (double) totals.n_events / (double) totals.n_tasks_done, label, usage.ru_maxrss);
      fflush (stdout);
    }
  bn_catalogue_free (catalogue);
  return 0;
}
