/* plan.c: how many servers each scheduler needs at each load: what is searched.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "plan_parts.h"
#include "tally.h"

static void
free_point (void *data)
{
  BnPlanPoint *point = data;

  g_array_unref (point->runs);
  g_array_unref (point->values);
  g_free (point->estimates);
  g_free (point);
}

static void
free_cell (void *data)
{
  BnPlanCell *cell = data;

  bn_unit_free (cell->unit);
  bn_plan_axis_free (cell->axis);
  g_free (cell->settings);
  g_free (cell);
}

static void
free_target (void *data)
{
  BnPlanTarget *target = data;

  g_free (target->variant);
  g_free (target->source);
  bn_plan_search_free (target->search);
  bn_plan_mix_free (target->mix);
  g_ptr_array_unref (target->points);
  g_free (target);
}

/* ---- making ---- */

static void
add_target (BnPlan *plan, const BnPlanCell *cell, const BnVariant *variant)
{
  BnPlanTarget *target = g_new0 (BnPlanTarget, 1);
  const BnPlanAxis *axis = cell->axis;

  target->cell = cell;
  target->variant = g_strdup (variant->name);
  target->source = g_strdup (variant->source);
  target->points = g_ptr_array_new_with_free_func (free_point);
  if (axis->kind == BN_PLAN_MIX)
    {
      BnPlanMixConfig config = axis->mix;
      config.stages = plan->stages;
      target->mix = bn_plan_mix_new (&config);
    }
  else if (axis->floor < axis->max)
    {
      BnPlanSearchConfig config = { axis->floor, axis->max, axis->first_gap, plan->stages };
      target->search = bn_plan_search_new (&config);
    }
  g_ptr_array_add (plan->targets, target);
}

/* Against what is possible with one of everything that is searched for: a kind of GPU that the scenario has none
 * of may be the fastest. */
static gboolean
check_promises (const BnPlan *plan, const BnPlanCell *cell, GError **error)
{
  const BnPlanRequest *request = plan->request;
  gint64 each[BN_PLAN_MAX_KINDS];

  for (guint k = 0; k < BN_PLAN_MAX_KINDS; k++)
    each[k] = 1;
  BnScenario *scenario = bn_plan_axis_scenario (cell->axis, cell->unit, each, error);
  gboolean ok = scenario != NULL;
  for (guint i = 0; i < request->slos->len && ok; i++)
    ok = bn_slo_check_possible (&g_array_index (request->slos, BnSlo, i), scenario,
                                g_array_index (request->slo_places, BnPlace, i), error);
  bn_scenario_free (scenario);
  return ok;
}

/* What is searched must not be given by the cell, too. */
static gboolean
check_keys (const BnPlan *plan, const BnPlanCell *cell, GError **error)
{
  static const char *const rates[] = { "workload.load", "workload.rate", NULL };
  const char *const *searched = cell->axis->kind == BN_PLAN_RATE ? rates : (const char *const *) cell->axis->keys;

  for (guint i = 0; i < cell->unit->n_settings; i++)
    for (guint k = 0; searched[k] != NULL; k++)
      if (strcmp (cell->unit->settings[i].name, searched[k]) == 0)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, plan->request->quest.place,
                              "%s is what is searched for; do not vary it", searched[k]);
  return TRUE;
}

static BnPlanCell *
cell_of (BnUnit *unit, const BnScenario *scenario, BnPlanAxis *axis)
{
  BnPlanCell *cell = g_new0 (BnPlanCell, 1);
  GString *settings = g_string_new (NULL);
  gboolean traced = scenario->arrivals.kind == BN_ARRIVALS_TRACE;

  /* an axis of schedulers makes no cells */
  for (guint i = 0; i < unit->n_settings; i++)
    if (strcmp (unit->settings[i].name, "schedulers.compare") != 0)
      g_string_append_printf (settings, "%s = %s\n", unit->settings[i].name, unit->settings[i].value);
  cell->unit = unit;
  cell->axis = axis;
  cell->settings = g_string_free (settings, FALSE);
  cell->one_trace = traced && scenario->arrivals.trace_block <= 0;
  cell->rate_per_s = traced ? 0 : scenario->arrivals.rate_per_s;
  return cell;
}

/* Takes the unit. */
static gboolean
add_cell (BnPlan *plan, BnUnit *unit, GError **error)
{
  BnScenario *scenario = bn_unit_scenario (unit, error);
  BnPlanAxis *axis = scenario != NULL ? bn_plan_axis_new (&plan->request->quest, unit, error) : NULL;

  if (axis == NULL)
    {
      bn_unit_free (unit);
      bn_scenario_free (scenario);
      return FALSE;
    }
  BnPlanCell *cell = cell_of (unit, scenario, axis);
  g_ptr_array_add (plan->cells, cell);
  gboolean ok = check_keys (plan, cell, error) && check_promises (plan, cell, error);
  for (guint v = 0; v < scenario->n_variants && ok; v++)
    add_target (plan, cell, scenario->variants[v]);
  bn_scenario_free (scenario);
  return ok;
}

/* Those of the scenario, and what a promise of slowdown means where kinds of GPU differ. */
static char **
make_remarks (const BnPlan *plan, const BnSweep *sweep)
{
  GPtrArray *remarks = g_ptr_array_new ();
  const GArray *slos = plan->request->slos;
  gboolean of_slowdown = FALSE;

  for (char **remark = bn_sweep_remarks (sweep); *remark != NULL; remark++)
    g_ptr_array_add (remarks, g_strdup (*remark));
  for (guint i = 0; i < slos->len; i++)
    of_slowdown = of_slowdown
                  || g_str_has_prefix (bn_metric_infos[g_array_index (slos, BnSlo, i).metric].name, "slowdown");
  if (of_slowdown && plan->request->quest.kind == BN_PLAN_MIX)
    g_ptr_array_add (remarks, g_strdup ("slowdown is relative to the fastest GPU there is, so one faster GPU more"
                                        " raises it for all jobs that run elsewhere; promise a latency to compare"
                                        " mixes"));
  g_ptr_array_add (remarks, NULL);
  return (char **) g_ptr_array_free (remarks, FALSE);
}

static gboolean
add_cells (BnPlan *plan, const BnSweep *sweep, const char *path, GError **error)
{
  g_autoptr (GPtrArray) units = bn_sweep_units (sweep);
  gboolean ok = !bn_sweep_is_real (sweep);

  if (!ok)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 },
                          "a plan simulates clusters that are not there; leave the backend at model");
  plan->remarks = make_remarks (plan, sweep);
  for (guint i = 0; i < units->len && ok; i++)
    {
      const BnUnit *unit = g_ptr_array_index (units, i);
      BnUnit *copy = bn_unit_new (unit->name, unit->path, (const char *const *) unit->overrides, unit->settings,
                                  unit->n_settings, 1, 1, 1);
      ok = add_cell (plan, copy, error);
    }
  return ok;
}

BnPlan *
bn_plan_new (const char *path, const char *const *vary, const char *const *overrides, const BnPlanRequest *request,
             GError **error)
{
  BnPlan *plan = g_new0 (BnPlan, 1);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  plan->request = request;
  plan->stages = bn_plan_stages (request->first_seeds, request->last_seeds);
  plan->cells = g_ptr_array_new_with_free_func (free_cell);
  plan->targets = g_ptr_array_new_with_free_func (free_target);
  /* of hundreds of runs the metrics are enough, unless somebody says otherwise */
  g_ptr_array_add (texts, (char *) "scenario.record=summary");
  for (; overrides != NULL && *overrides != NULL; overrides++)
    g_ptr_array_add (texts, (char *) *overrides);
  /* one unit a cell */
  g_ptr_array_add (texts, (char *) "scenario.seeds=1");
  g_ptr_array_add (texts, NULL);
  BnSweep *sweep = bn_sweep_read (path, vary, (const char *const *) texts->pdata, error);
  gboolean ok = sweep != NULL && add_cells (plan, sweep, path, error);
  bn_sweep_free (sweep);
  if (ok)
    return plan;
  bn_plan_free (plan);
  return NULL;
}

void
bn_plan_free (BnPlan *plan)
{
  if (plan == NULL)
    return;
  g_ptr_array_unref (plan->targets);
  g_ptr_array_unref (plan->cells);
  g_strfreev (plan->remarks);
  g_free (plan);
}

char **
bn_plan_remarks (const BnPlan *plan)
{
  return plan->remarks;
}
