/* random_scenario.c: random workloads, clusters and variants, each by its number.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One draw a statement: C leaves open in which order the members of an initialiser
 * and the arguments of a call are evaluated, and a number means one scenario.
 */
#include "random_scenario.h"

#include <check.h>

#include "catalogue_builder.h"
#include "eviction.h"
#include "platform_build.h"
#include "queue_order.h"
#include "registry.h"
#include "rng.h"

#define MB INT64_C (1000000)

static const char *const schedulers[] = {
  "compass", "compass[adjust=off]", "compass[threshold=0]", "compass[cache=off]", "compass[load=off]", "jit", "heft",
  "heft[cache]", "heft[cache,central]", "heft[central,insertion]", "heft[insertion]", "hash", "hash[random]",
  "hash[model]", "hash[modulo,central]", "random", "round-robin", "least-loaded", "po2", "sparrow",
  "sparrow[constrained=off,ratio=1]", "sparrow[ratio=3.5]", "late-min", "late-overlap", "late[ft=classes]",
  "late[ft=queue,ties=lowest]", "late[behind=1,full-load=0,miss-penalty=3]", "jit[ft=order,ties=random,tie-band=5ms]",
  "compass[ft=order,ties=random,miss-penalty=0.5]", "compass[ft=classes,adjust=off]",
  "heft[cache,ft=order,insertion]", "pull[queue=fifo]",
};

#define MAX_GROUPS 3
static const char *const gpu_names[MAX_GROUPS] = { "g0", "g1", "g2" };

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
      uint32_t model = bn_catalogue_builder_add_model (b, name, bytes);
      for (uint32_t g = 0; g < MAX_GROUPS; g++)
        if (bn_rng_below (rng, 8) == 0)
          bn_catalogue_builder_state_runtime (b, model, gpu_names[g], some_time (rng));
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
          int64_t input_bytes = (int64_t) bn_rng_below (rng, 10000);
          int64_t output_bytes = (int64_t) bn_rng_below (rng, 10000);
          bn_catalogue_builder_add_task (b, model, input_bytes, output_bytes, some_time (rng), preds, n_preds);
        }
    }
  return bn_catalogue_builder_finish (b, NULL);
}

static BnPlatform *
random_platform (BnRng *rng, int64_t largest_bytes)
{
  BnServerGroup groups[MAX_GROUPS];
  uint32_t n_groups = 1 + (uint32_t) bn_rng_below (rng, MAX_GROUPS);
  BnNetwork network = bn_network_default ();

  if (bn_rng_below (rng, 4) == 0)
    network.latency_ns = 0;
  for (uint32_t g = 0; g < n_groups; g++)
    {
      /* one group holds every model, or the run refuses what it must */
      int64_t room = (int64_t) bn_rng_below (rng, 40) * MB;
      int64_t memory = g == 0 && bn_rng_below (rng, 10) > 0 ? largest_bytes + room : room;
      uint32_t n_servers = 1 + (uint32_t) bn_rng_below (rng, 4), n_devices = 1 + (uint32_t) bn_rng_below (rng, 2);
      BnGpuType gpu = { .name = gpu_names[g], .group = gpu_names[g], .memory_bytes = memory,
                        .pcie_bytes_per_s = 1000000000, .idle_watts = 1, .active_watts = 2 };
      gpu.speed_ppm = 1 + (int64_t) bn_rng_below (rng, 3000000);
      gpu.pcie_latency_ns = (BnDuration) bn_rng_below (rng, 2) * 1000;
      gpu.slots = 1 + (uint32_t) bn_rng_below (rng, 3);
      groups[g] = (BnServerGroup){ n_servers, n_devices, gpu };
    }
  return bn_platform_new (groups, n_groups, &network);
}

static BnSpread
random_spread (BnRng *rng)
{
  BnSpreadMode mode = bn_rng_below (rng, 2) ? BN_SPREAD_INTERVAL : BN_SPREAD_DELAY;

  return (BnSpread){ mode, some_time (rng) };
}

static BnRunOptions
random_options (BnRng *rng)
{
  BnRunOptions o = { 0 };

  o.load_spread = random_spread (rng);
  o.cache_spread = random_spread (rng);
  o.reserve = (BnReserveMode) bn_rng_below (rng, 3);
  o.queue_order = (uint32_t) bn_rng_below (rng, bn_n_queue_orders);
  o.eviction = (uint32_t) bn_rng_below (rng, bn_n_evictions);
  o.evict_cost = (BnEvictCost) bn_rng_below (rng, 2);
  o.prefetch = (BnPrefetch) bn_rng_below (rng, 2);
  o.overlap = (BnOverlap) bn_rng_below (rng, 3);
  o.proactive = bn_rng_below (rng, 2) == 0;
  o.contention = (BnContention) bn_rng_below (rng, 2);
  o.decision_cost_ns = bn_rng_below (rng, 2) ? some_time (rng) / 10 : 0;
  o.queue_settings.ageing_ns = 1 + some_time (rng);
  o.queue_settings.h = (double) bn_rng_below (rng, 64);
  o.redecide = bn_rng_below (rng, 2);
  o.redecide_margin_ns = some_time (rng);
  o.steal = bn_rng_below (rng, 2);
  o.steal_poll_ns = BN_NS_PER_MS + some_time (rng);
  o.messages = (BnMessages) bn_rng_below (rng, 2);
  o.clairvoyant = bn_rng_below (rng, 8) == 0;
  o.decision_measured = o.decision_cost_ns % 2 == 1;
  if (o.decision_measured)
    o.decision_cost_ns = 0;
  return o;
}

/* One of the settings above, or any scheduler as it is. */
static const char *
some_scheduler (BnRng *rng)
{
  uint32_t n_registered = 0;

  while (bn_schedulers[n_registered])
    n_registered++;
  uint64_t i = bn_rng_below (rng, G_N_ELEMENTS (schedulers) + n_registered);
  return i < G_N_ELEMENTS (schedulers) ? schedulers[i] : bn_schedulers[i - G_N_ELEMENTS (schedulers)]->name;
}

void
random_scenario_make (RandomScenario *triple, uint64_t number)
{
  static const double ones[] = { 1, 1, 1 };
  BnRng rng;
  int64_t largest_bytes;
  GError *error = NULL;

  bn_rng_init (&rng, number, "triple");
  *triple = (RandomScenario){ .seed = number };
  BnScenario *s = &triple->scenario;
  s->name = (char *) "triple";
  s->path = (char *) "triple";
  s->text = (char *) "";
  s->catalogue = random_catalogue (&rng, &largest_bytes);
  ck_assert_ptr_nonnull (s->catalogue);
  s->platform = random_platform (&rng, largest_bytes);
  s->options = random_options (&rng);
  s->record = BN_RECORD_TASKS;
  s->noise.kind = (BnNoiseKind) bn_rng_below (&rng, 4);
  s->noise.cv = 0.1 + bn_rng_uniform (&rng);
  s->noise.visible = bn_rng_below (&rng, 2) == 0;
  s->noise.profile_error = bn_rng_below (&rng, 3) == 0 ? 2 : 1;
  s->backend = &bn_model_backend;
  s->arrivals = (BnArrivalsConfig){ .on_ns = BN_NS_PER_S, .off_ns = BN_NS_PER_S, .time_scale = 1, .weights = ones,
                                    .until_ns = BN_TIME_NEVER };
  s->arrivals.kind = (BnArrivalsKind) bn_rng_below (&rng, BN_ARRIVALS_TRACE);
  s->arrivals.rate_per_s = 1 + (double) bn_rng_below (&rng, 2000);
  s->arrivals.cv = 0.2 + 2 * bn_rng_uniform (&rng);
  s->arrivals.autocorrelation = 0.5 * bn_rng_uniform (&rng);
  s->arrivals.autocorr_decay = 0.05 + 0.9 * bn_rng_uniform (&rng);
  s->arrivals.max_jobs = 1 + (int64_t) bn_rng_below (&rng, 30);
  s->warmup_ns = bn_rng_below (&rng, 4) == 0 ? some_time (&rng) : 0;
  const char *scheduler = some_scheduler (&rng);
  triple->variant = bn_variant_parse (scheduler, &s->options, &error);
  ck_assert_msg (triple->variant != NULL, "%s", error ? error->message : "");
}

void
random_scenario_clear (RandomScenario *triple)
{
  bn_variant_free (triple->variant);
  bn_platform_free (triple->scenario.platform);
  bn_catalogue_free (triple->scenario.catalogue);
}
