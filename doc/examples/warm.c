/* warm.c: the worker that holds the model and is free first.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in, as doc/extending.md walks through it:
 *   cc -shared -fPIC -o warm.so doc/examples/warm.c $(pkg-config --cflags binnacle)
 *   binnacle compare demo --plugin ./warm.so --scheduler 'compass, warm, warm[spread=2]'
 */
#include <binnacle/scheduler.h>

static const BnPluginParam params[] = {
  { "spread", "workers with no more than so many such tasks before it are as good as free", BN_PLUGIN_INT, 0, 100, 0, 0 },
};

typedef struct Warm
{
  int64_t spread;
} Warm;

static uint32_t
warm_init (void *state, const BnPluginHost *host, const BnPluginValue *values)
{
  Warm *warm = (Warm *) state;

  (void) host;
  warm->spread = values[0].integer;
  return BN_PLUGIN_READS_LOADS | BN_PLUGIN_READS_CACHES;
}

static void
warm_place (void *state, const BnPluginCall *call, BnPluginHost *host)
{
  const Warm *warm = (const Warm *) state;
  int32_t model = host->model (host, call->workflow, call->task);
  int64_t best_ns = INT64_MAX;
  uint32_t best = 0;

  for (uint32_t w = 0; w < host->n_workers; w++)
    {
      if (!host->fits (host, call->workflow, call->task, w))
        continue;
      int64_t free_ns = host->free_at_ns (host, w);
      int64_t grace_ns = warm->spread * host->runtime_ns (host, call->workflow, call->task, w);
      if (free_ns <= call->now_ns + grace_ns)
        free_ns = call->now_ns;
      if (model != BN_PLUGIN_NONE && !host->holds (host, w, (uint32_t) model))
        free_ns += host->load_ns (host, (uint32_t) model, w);
      if (free_ns < best_ns)
        {
          best = w;
          best_ns = free_ns;
        }
    }
  host->place (host, call->task, best, 0);
}

BN_PLUGIN_EXPORT const BnPluginScheduler binnacle_scheduler = {
  BN_PLUGIN_ABI, sizeof (BnPluginScheduler),
  "warm", "where the task could start first, its model's load counted in",
  params, sizeof params / sizeof *params,
  sizeof (Warm),
  warm_init, 0, 0, warm_place, 0,
};
