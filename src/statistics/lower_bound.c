/* lower_bound.c: the lower bounds of a scenario's jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "lower_bound.h"

static bool
is_interrupted (void *data)
{
  return bn_interrupt_came (data);
}

gboolean
bn_lower_bound (const BnScenario *scenario, guint64 seed, guint steps, BnInterrupt *interrupt, BnBound *ret,
                GError **error)
{
  BnCost *cost = bn_cost_new (scenario->platform, scenario->catalogue);
  uint8_t *preloaded = g_new0 (uint8_t, scenario->catalogue->n_models + 1);
  BnBoundConfig config = {
    .cost = cost,
    .arrivals = &scenario->arrivals,
    .noise = scenario->noise,
    .preloaded = preloaded,
    .seed = seed,
    .steps = steps,
    .stopped = interrupt ? is_interrupted : NULL,
    .stopped_data = interrupt,
  };

  for (uint32_t i = 0; i < scenario->n_preloads; i++)
    preloaded[scenario->preloads[i].model] = true;
  gboolean ok = bn_scenario_warmup (scenario, seed, &config.warmup_ns, error)
                && bn_bound_compute (&config, ret, error);
  g_free (preloaded);
  bn_cost_free (cost);
  return ok;
}
