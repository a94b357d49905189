/* scenario_bounds.c: no runtime, load or transfer may take absurdly long.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What a catalogue says may be sound by itself and absurd on a cluster: 5 GB at
 * 1 B/s.
 */
#include "catalogue.h"
#include "cost.h"
#include "scenario_parts.h"
#include "units.h"

#define MAX_COPY_NS (INT64_C (24) * 3600 * BN_NS_PER_S)
#define MAX_RUNTIME_NS (10 * MAX_COPY_NS)

/* What is moved, for a message; `label` is NULL for a model. */
typedef struct Moved
{
  const char *what, *name, *label;
  int64_t bytes;
} Moved;

/* `key` stands for all that `check` names. */
static gboolean
check_copy (const BnSettings *s, uint32_t key, uint32_t group, BnDuration copy_ns, const Moved *moved,
            const char *check, GError **error)
{
  if (copy_ns <= MAX_COPY_NS)
    return TRUE;
  char *size = bn_format_size (moved->bytes);
  bn_settings_fail (s, key, group, error, "%s %s%s%s (%s) would take more than a day; check %s and that size",
                    moved->what, moved->name, moved->label == NULL ? "" : "/",
                    moved->label == NULL ? "" : moved->label, size, check);
  g_free (size);
  return FALSE;
}

static gboolean
check_pcie (const BnSettings *s, const BnScenario *scenario, uint32_t type, const Moved *moved, GError **error)
{
  BnDuration copy_ns = bn_cost_pcie (&scenario->platform->types[type], moved->bytes);
  return check_copy (s, BN_KEY_SERVERS_PCIE, bn_scenario_group_of_type (s, type), copy_ns, moved, "pcie, pcie-latency",
                     error);
}

static gboolean
check_network (const BnSettings *s, const BnScenario *scenario, const Moved *moved, GError **error)
{
  BnDuration copy_ns = bn_cost_network (&scenario->platform->network, moved->bytes);
  return check_copy (s, BN_KEY_NETWORK_RATE, 0, copy_ns, moved, "rate, latency, the ramp", error);
}

static gboolean
check_copies (const BnSettings *s, const BnScenario *scenario, const BnWorkflow *workflow, GError **error)
{
  Moved inputs = { "the inputs of workflow", workflow->name, NULL, 0 };
  for (uint32_t t = 0; t < workflow->n_tasks; t++)
    {
      const BnTaskSpec *task = &workflow->tasks[t];
      Moved output = { "the output of task", workflow->name, task->label, task->output_bytes };
      for (uint32_t g = 0; g < scenario->platform->n_types; g++)
        if (!check_pcie (s, scenario, g, &output, error))
          return FALSE;
      if (!check_network (s, scenario, &output, error))
        return FALSE;
      if (task->n_preds == 0)
        inputs.bytes = bn_time_add (inputs.bytes, task->input_bytes);
    }
  return check_network (s, scenario, &inputs, error);
}

/* Once every copy is known to be short: the tables hold sums of some. */
static gboolean
check_runtimes (const BnSettings *s, const BnScenario *scenario, GError **error)
{
  BnCost *cost = bn_cost_new (scenario->platform, scenario->catalogue);
  gboolean ok = TRUE;
  for (uint32_t i = 0; i < scenario->catalogue->n_workflows && ok; i++)
    {
      const BnWorkflow *workflow = &scenario->catalogue->workflows[i];
      for (uint32_t t = 0; t < workflow->n_tasks && ok; t++)
        for (uint32_t g = 0; g < cost->n_types && ok; g++)
          if (cost->runtime_ns[(gsize) g * cost->n_tasks + workflow->first_task + t] > MAX_RUNTIME_NS)
            ok = bn_settings_fail (s, BN_KEY_SERVERS_SPEED, bn_scenario_group_of_type (s, g), error,
                                   "task %s/%s would run for more than 10 days; check speed and that task's runtime",
                                   workflow->name, workflow->tasks[t].label);
    }
  bn_cost_free (cost);
  return ok;
}

gboolean
bn_scenario_check_bounds (const BnSettings *s, const BnScenario *scenario, GError **error)
{
  const BnCatalogue *catalogue = scenario->catalogue;
  for (uint32_t m = 0; m < catalogue->n_models; m++)
    for (uint32_t g = 0; g < scenario->platform->n_types; g++)
      {
        Moved load = { "loading model", catalogue->models[m].name, NULL, catalogue->models[m].size_bytes };
        if (!check_pcie (s, scenario, g, &load, error))
          return FALSE;
      }
  for (uint32_t i = 0; i < catalogue->n_workflows; i++)
    if (!check_copies (s, scenario, &catalogue->workflows[i], error))
      return FALSE;
  return check_runtimes (s, scenario, error);
}
