/* proactive.c: what a copy of a model is worth, and copies made before a task asks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * uses(m) is how many tasks of a job need model m, over the mix of workflows that
 * arrives; a load takes as long as this worker's link needs; holders are the workers
 * that hold m as this worker sees them. The copy that a worker holds is worth
 * uses * load / holders.
 *
 * Every 50 to 150 ms each worker looks whether its link is free, and which model
 * that it lacks is worth most: uses * load / (holders + 1)^2. What leaves for it is
 * what costs least, uses * load / holders^2, of what no slot and no queued task
 * needs. It loads if that is worth more than four times what leaves. Squares, as a
 * second copy is worth less than the first by as much as the first is by itself.
 * Source: ours.
 */
#include "run_internal.h"

#define LEAST_PERIOD_NS (50 * BN_NS_PER_MS)
#define MOST_PERIOD_NS (150 * BN_NS_PER_MS)

/* How much more the new copy must be worth than what leaves for it. */
#define ADVANTAGE 4.0

static bool
is_proactive (const BnRunConfig *config)
{
  return config->options.proactive && config->options.overlap != BN_OVERLAP_OFF;
}

bool
bn_run_values_copies (const BnRunConfig *config)
{
  return is_proactive (config) || bn_evictions[config->options.eviction].reads_hints;
}

void
bn_run_open_values (BnRun *run)
{
  const BnCatalogue *catalogue = run->config.catalogue;
  const BnArrivalsConfig *arrivals = run->config.arrivals;
  bool is_named = arrivals->kind == BN_ARRIVALS_TRACE && arrivals->workflow_column;
  double sum = 0;

  if (!bn_run_values_copies (&run->config))
    return;
  run->uses = g_new0 (double, catalogue->n_models + 1);
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    sum += is_named ? 1 : arrivals->weights[f];
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    {
      const BnWorkflow *wf = &catalogue->workflows[f];
      double share = (is_named ? 1 : arrivals->weights[f]) / sum;
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        if (wf->tasks[t].model != BN_NONE)
          run->uses[wf->tasks[t].model] += share;
    }
}

/* uses * load / (holders + more)^power, holders + more counting as one at least. */
static double
worth (BnRun *run, const BnWorker *worker, uint32_t model, uint32_t more, int power)
{
  uint32_t holders = more + bn_published_holders (run->table, (int32_t) worker->index, model, run->now);
  double n = MAX (holders, 1);

  return run->uses[model] * (double) bn_cost_load (run->cost, model, worker->index) / (power == 2 ? n * n : n);
}

double
bn_run_copy_value (BnRun *run, const BnWorker *worker, uint32_t model)
{
  return worth (run, worker, model, 0, 1);
}

/* The absent model that is worth most here, or BN_NONE: none is worth anything. */
static int32_t
most_wanted (BnRun *run, const BnWorker *worker, double *ret_worth)
{
  int32_t best = BN_NONE;

  *ret_worth = 0;
  for (uint32_t m = 0; m < run->config.catalogue->n_models; m++)
    {
      if (run->uses[m] == 0 || bn_cache_find (&worker->cache, m) || !bn_cost_fits (run->cost, m, worker->index))
        continue;
      double w = worth (run, worker, m, 1, 2);
      if (w > *ret_worth)
        {
          best = (int32_t) m;
          *ret_worth = w;
        }
    }
  return best;
}

/* The cheapest model that may leave, of equals the oldest load; UINT32_MAX: none. */
static uint32_t
cheapest (const BnWorker *worker, const double *costs, const uint8_t *chosen)
{
  const BnCacheEntry *entries = worker->cache.entries;
  uint32_t best = UINT32_MAX;

  for (uint32_t i = 0; i < worker->cache.n_entries; i++)
    if (entries[i].state == BN_ENTRY_RESIDENT && entries[i].n_pins == 0 && worker->needed[entries[i].model] == 0
        && !chosen[i] && (best == UINT32_MAX || costs[i] < costs[best]))
      best = i;
  return best;
}

/* Fills victim_scratch with what leaves for `bytes`. Returns: their number, or
 * BN_NONE where they do not make room or cost `limit` or more. */
static int32_t
affordable_victims (BnRun *run, const BnWorker *worker, int64_t bytes, double limit)
{
  const BnCache *cache = &worker->cache;
  int64_t room = bn_cache_free_bytes (cache);
  double cost = 0;
  int32_t n = 0;

  for (uint32_t i = 0; i < cache->n_entries; i++)
    {
      run->chosen_scratch[i] = 0;
      run->value_scratch[i] = worth (run, worker, cache->entries[i].model, 0, 2);
    }
  while (room < bytes)
    {
      uint32_t i = cheapest (worker, run->value_scratch, run->chosen_scratch);
      if (i == UINT32_MAX)
        return BN_NONE;
      run->chosen_scratch[i] = 1;
      cost += run->value_scratch[i];
      room += cache->entries[i].bytes;
      run->victim_scratch[n++] = cache->entries[i].model;
    }
  return cost < limit ? n : BN_NONE;
}

static void
arm_timer (BnRun *run, uint32_t worker)
{
  BnDuration period_ns = LEAST_PERIOD_NS
                         + (BnDuration) bn_rng_below (&run->proactive_rng, MOST_PERIOD_NS - LEAST_PERIOD_NS + 1);

  run->n_timers++;
  bn_run_schedule (run, bn_time_add (run->now, period_ns), EVENT_PROACTIVE, NULL, worker);
}

void
bn_run_start_timers (BnRun *run)
{
  if (is_proactive (&run->config))
    for (uint32_t w = 0; w < run->config.platform->n_workers; w++)
      arm_timer (run, w);
}

void
bn_run_proactive (BnRun *run, uint32_t w)
{
  BnWorker *worker = &run->workers[w];
  double value;

  if (run->arrivals_over && run->n_live == 0)
    return;
  arm_timer (run, w);
  int32_t model = worker->loads_beside || run->down[w] ? BN_NONE : most_wanted (run, worker, &value);
  if (model == BN_NONE)
    return;
  int32_t n_victims = affordable_victims (run, worker, run->config.catalogue->models[model].size_bytes,
                                          value / ADVANTAGE);
  if (n_victims != BN_NONE)
    bn_run_begin_load (run, worker, (uint32_t) model, NULL, run->victim_scratch, (uint32_t) n_victims);
}
