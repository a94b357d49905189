/* plan_axis.c: what a plan looks for, as whole numbers, and the settings they stand for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_axis.h"

#include <math.h>
#include <string.h>

#include "scenario_keys.h"
#include "units.h"

/* A load may be so far below the greatest. */
#define LEAST_SHARE 1e-3

/* A search for a load begins at about this share of the greatest. */
#define FIRST_SHARE 0.9

/* Loads that differ by less than rounding are one. */
#define TINY 1e-9

/* Each key takes one setting, a mix's price another, and there are a scheduler's. */
#define MAX_SETTINGS (2 * BN_PLAN_MAX_KINDS + 1)

/* ---- scenarios of a cell ---- */

/* The settings of the numbers; texts are added to `texts`. Returns: how many. */
static guint
settings_of (const BnPlanAxis *axis, const gint64 *numbers, BnScenarioSetting *settings, GPtrArray *texts)
{
  guint n = 0;

  for (guint k = 0; k < axis->n_keys; k++)
    {
      char *text = axis->kind == BN_PLAN_RATE ? bn_plan_axis_text (axis, numbers)
                                              : g_strdup_printf ("%" G_GINT64_FORMAT, numbers[k]);
      g_ptr_array_add (texts, text);
      settings[n++] = (BnScenarioSetting) { axis->keys[k], text, axis->place, TRUE };
      if (axis->kind != BN_PLAN_MIX || axis->gpu_prices[k] < 0)
        continue;
      g_autofree char *group = g_strndup (axis->keys[k], (gsize) (strrchr (axis->keys[k], '.') - axis->keys[k]));
      char *key = g_strconcat (group, ".price", NULL), *price = bn_format_real (axis->gpu_prices[k]);
      g_ptr_array_add (texts, key);
      g_ptr_array_add (texts, price);
      settings[n++] = (BnScenarioSetting) { key, price, axis->place, TRUE };
    }
  for (guint i = 0; i < axis->absent->len; i++)
    settings[n++] = (BnScenarioSetting) { g_ptr_array_index (axis->absent, i), "0", axis->place, TRUE };
  return n;
}

BnUnit *
bn_plan_axis_unit (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, const char *scheduler,
                   guint64 seed, gint64 run_id)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint n = cell->n_settings, most = n + MAX_SETTINGS + axis->absent->len;
  g_autofree BnScenarioSetting *settings = g_new0 (BnScenarioSetting, most);

  if (n > 0)
    memcpy (settings, cell->settings, n * sizeof *settings);
  n += settings_of (axis, numbers, &settings[n], texts);
  if (scheduler != NULL)
    settings[n++] = (BnScenarioSetting) { "schedulers.compare", scheduler, axis->place, TRUE };
  GString *name = g_string_new (scheduler != NULL ? scheduler : "");
  for (guint i = 0; i < n; i++)
    if (strcmp (settings[i].name, "schedulers.compare") != 0)
      g_string_append_printf (name, "%s%s=%s", name->len > 0 ? ", " : "", settings[i].name, settings[i].value);
  g_string_append_printf (name, ", seed %" G_GUINT64_FORMAT, seed);
  BnUnit *unit = bn_unit_new (name->str, cell->path, (const char *const *) cell->overrides, settings, n, seed,
                              run_id, 1);
  g_string_free (name, TRUE);
  return unit;
}

BnScenario *
bn_plan_axis_scenario (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, GError **error)
{
  BnUnit *unit = bn_plan_axis_unit (axis, cell, numbers, NULL, 1, 1);
  BnScenario *scenario = bn_unit_scenario (unit, error);

  bn_unit_free (unit);
  return scenario;
}

/* What share of the work that comes all GPUs could do: 1 / least load. */
static gboolean
capacity (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, BnPlace place, double *ret,
          GError **error)
{
  BnScenario *scenario = bn_plan_axis_scenario (axis, cell, numbers, error);

  if (scenario == NULL)
    return FALSE;
  gboolean known = scenario->least_load > 0;
  *ret = known ? 1 / scenario->least_load : 0;
  bn_scenario_free (scenario);
  return known || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                                 "the offered load of this scenario is not known, so there is no number to begin"
                                 " with; a trace needs two rows at different times, and tasks need runtimes");
}

/* ---- counts ---- */

/* What may be counted, NULL-terminated. */
static const char *const countable[] = { "count", "devices", "slots", NULL };

static gboolean
check_key (const char *key, BnPlace place, GError **error)
{
  const char *last = strrchr (key, '.');

  if (g_str_has_prefix (key, "servers.") && last != NULL && g_strv_contains (countable, last + 1))
    return TRUE;
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                        "%s is not a number of servers; write servers.count, servers.devices, servers.slots, or"
                        " servers.NAME.count of one group", key);
}

static gint64
greatest_of (const char *key)
{
  return (gint64) bn_scenario_key ((uint32_t) bn_scenario_find_key ("servers", strrchr (key, '.') + 1)).max;
}

/* The greatest number at which the work alone takes all that there is, or more. Capacity rises with the number, but
 * need not be linear in it. At least one is looked for, also where others would do alone. */
static gboolean
find_floor (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  gint64 low = 0, high = axis->max;
  double share;

  while (low < high)
    {
      gint64 middle = low + (high - low + 1) / 2;
      if (!capacity (axis, cell, &middle, quest->place, &share, error))
        return FALSE;
      if (share <= 1 + TINY)
        low = middle;
      else
        high = middle - 1;
    }
  axis->floor = low;
  return TRUE;
}

/* Between the floor and the next number, as if capacity were linear there. */
static gboolean
find_work (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  gint64 below = CLAMP (axis->floor, 1, axis->max - 1), above = below + 1;
  double first, second;

  if (axis->max < 2)
    {
      axis->work = (double) axis->floor;
      return TRUE;
    }
  if (!capacity (axis, cell, &below, quest->place, &first, error)
      || !capacity (axis, cell, &above, quest->place, &second, error))
    return FALSE;
  axis->work = second > first ? MAX (0, (1 - first) / (second - first) + (double) below) : (double) axis->floor;
  return TRUE;
}

static gboolean
set_up_count (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  gint64 one = 1, two = 2;
  double first, second;

  if (!check_key (quest->key, quest->place, error))
    return FALSE;
  axis->keys[axis->n_keys++] = g_strdup (quest->key);
  axis->max = quest->max > 0 ? quest->max : MIN (BN_PLAN_USUAL_MAX, greatest_of (quest->key));
  BnScenario *greatest = bn_plan_axis_scenario (axis, cell, &axis->max, error);
  if (greatest == NULL)
    {
      g_prefix_error (error, "%s up to %" G_GINT64_FORMAT " (--max): ", quest->key, axis->max);
      return FALSE;
    }
  bn_scenario_free (greatest);
  if (!capacity (axis, cell, &one, quest->place, &first, error)
      || !capacity (axis, cell, &two, quest->place, &second, error))
    return FALSE;
  if (second <= first * (1 + TINY))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, quest->place,
                          "the load does not fall when there is more of %s: workload.load makes jobs come as fast as"
                          " the servers are; give workload.rate instead", quest->key);
  if (!find_floor (axis, quest, cell, error) || !find_work (axis, quest, cell, error))
    return FALSE;
  /* spare servers of the order of the square root of the busy ones: S. Halfin, W. Whitt,
     "Heavy-traffic limits for queues with many exponential servers", Oper. Res. 29(3), 1981 */
  axis->first_gap = MAX (1, (gint64) sqrt ((double) axis->floor));
  return TRUE;
}

/* ---- rates ---- */

/* Numbers from the greatest load down to `share` of it. */
static gint64
steps_to (const BnPlanAxis *axis, double share)
{
  gint64 n = 0;

  for (double value = 1; value > share; value /= 1 + axis->precision)
    n++;
  return n;
}

static gboolean
set_up_rate (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  BnScenario *scenario = bn_unit_scenario (cell, error);

  if (scenario == NULL)
    return FALSE;
  double rate = scenario->arrivals.kind == BN_ARRIVALS_TRACE ? 0 : scenario->arrivals.rate_per_s;
  double load = scenario->least_load, greatest = load > 0 ? scenario->offered_load / load : 0;
  gboolean by_load = rate <= 0 || strstr (scenario->text, "workload.load = 0\n") == NULL;
  bn_scenario_free (scenario);
  if (load <= 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, quest->place,
                          "the offered load of this scenario is not known; give it a rate and runtimes");
  axis->keys[axis->n_keys++] = g_strdup (by_load ? "workload.load" : "workload.rate");
  axis->work = by_load ? greatest : rate / load;
  axis->precision = quest->precision;
  axis->first_gap = steps_to (axis, FIRST_SHARE);
  axis->max = steps_to (axis, LEAST_SHARE);
  return TRUE;
}

/* ---- mixes ---- */

/* What one of kind k adds beside others may be more than what it does alone: where tasks differ in which GPU suits
 * them, a slot counts as much as any (scenario_workload.c). */
static gboolean
raise_share (const BnPlanAxis *axis, const BnUnit *cell, const BnPlanQuest *quest, guint k, double *share, GError **error)
{
  gint64 each[BN_PLAN_MAX_KINDS] = { 0 };
  double all = 0, n_slots = 0, own = 0;

  for (guint i = 0; i < quest->n_gpus; i++)
    each[i] = 1;
  BnScenario *scenario = bn_plan_axis_scenario (axis, cell, each, error);
  if (scenario == NULL)
    return FALSE;
  for (uint32_t t = 0; t < scenario->platform->n_types; t++)
    {
      const BnGpuType *type = &scenario->platform->types[t];
      n_slots += type->n_workers * type->slots;
      own += strcmp (type->group, quest->gpus[k].group) == 0 ? type->n_workers * type->slots : 0;
    }
  all = scenario->least_load > 0 ? 1 / scenario->least_load : 0;
  if (bn_scenario_is_specialised (scenario))
    *share = MAX (*share, all * own / n_slots);
  bn_scenario_free (scenario);
  return TRUE;
}

static gboolean
find_price (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, guint k, GError **error)
{
  const BnPlanGpu *gpu = &quest->gpus[k];
  gint64 alone[BN_PLAN_MAX_KINDS] = { 0 };
  double share;

  alone[k] = 1;
  if (!bn_plan_axis_cost (axis, cell, alone, &axis->mix.prices[k], error))
    return FALSE;
  if (axis->mix.prices[k] <= 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, quest->place, "%s has no price; write %s:0.35/h",
                          gpu->group, gpu->group);
  if (!capacity (axis, cell, alone, quest->place, &share, error))
    return FALSE;
  if (!raise_share (axis, cell, quest, k, &share, error))
    return FALSE;
  axis->mix.shares[k] = share;
  axis->mix.max[k] = quest->max > 0 ? quest->max : BN_PLAN_USUAL_MAX;
  axis->work = k == 0 ? axis->mix.prices[k] / share : MIN (axis->work, axis->mix.prices[k] / share);
  return TRUE;
}

/* The groups that are there and not named. */
static gboolean
find_absent (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  BnScenario *scenario = bn_unit_scenario (cell, error);

  if (scenario == NULL)
    return FALSE;
  for (uint32_t t = 0; t < scenario->platform->n_types; t++)
    {
      const char *group = scenario->platform->types[t].group;
      gboolean named = FALSE;
      for (guint k = 0; k < quest->n_gpus; k++)
        named = named || strcmp (quest->gpus[k].group, group) == 0;
      if (!named)
        g_ptr_array_add (axis->absent, g_strconcat ("servers.", group, ".count", NULL));
    }
  bn_scenario_free (scenario);
  return TRUE;
}

static gboolean
set_up_mix (BnPlanAxis *axis, const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  if (!find_absent (axis, quest, cell, error))
    return FALSE;
  for (guint k = 0; k < quest->n_gpus; k++)
    {
      axis->gpu_prices[axis->n_keys] = quest->gpus[k].price_per_hour;
      axis->keys[axis->n_keys++] = g_strconcat ("servers.", quest->gpus[k].group, ".count", NULL);
    }
  axis->mix.n_kinds = axis->n_keys;
  for (guint k = 0; k < quest->n_gpus; k++)
    if (!find_price (axis, quest, cell, k, error))
      return FALSE;
  return TRUE;
}

/* ---- all ---- */

BnPlanAxis *
bn_plan_axis_new (const BnPlanQuest *quest, const BnUnit *cell, GError **error)
{
  BnPlanAxis *axis = g_new0 (BnPlanAxis, 1);

  axis->absent = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = FALSE;
  axis->kind = quest->kind;
  axis->place = quest->place.file != NULL ? quest->place : (BnPlace) { cell->path, 0 };
  switch (quest->kind)
    {
    case BN_PLAN_COUNT:
      ok = set_up_count (axis, quest, cell, error);
      break;
    case BN_PLAN_RATE:
      ok = set_up_rate (axis, quest, cell, error);
      break;
    case BN_PLAN_MIX:
      ok = set_up_mix (axis, quest, cell, error);
      break;
    }
  if (ok)
    return axis;
  bn_plan_axis_free (axis);
  return NULL;
}

void
bn_plan_axis_free (BnPlanAxis *axis)
{
  if (axis == NULL)
    return;
  for (guint k = 0; k < axis->n_keys; k++)
    g_free (axis->keys[k]);
  g_ptr_array_unref (axis->absent);
  g_free (axis);
}

double
bn_plan_axis_value (const BnPlanAxis *axis, const gint64 *numbers)
{
  double value = axis->work;

  if (axis->kind == BN_PLAN_COUNT)
    return (double) numbers[0];
  if (axis->kind == BN_PLAN_MIX)
    return bn_plan_mix_cost (&axis->mix, numbers);
  for (gint64 i = 0; i < numbers[0]; i++)
    value /= 1 + axis->precision;
  return value;
}

char *
bn_plan_axis_text (const BnPlanAxis *axis, const gint64 *numbers)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text = g_string_new (NULL);

  if (axis->kind == BN_PLAN_COUNT)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, numbers[0]);
  else if (axis->kind == BN_PLAN_RATE)
    {
      g_ascii_formatd (number, sizeof number, "%.6g", bn_plan_axis_value (axis, numbers));
      g_string_append_printf (text, "%s%s", number, strcmp (axis->keys[0], "workload.rate") == 0 ? "/s" : "");
    }
  else
    for (guint k = 0; k < axis->n_keys; k++)
      {
        g_auto (GStrv) parts = g_strsplit (axis->keys[k], ".", -1);
        g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, k > 0 ? " " : "", parts[1], numbers[k]);
      }
  return g_string_free (text, FALSE);
}

gboolean
bn_plan_axis_cost (const BnPlanAxis *axis, const BnUnit *cell, const gint64 *numbers, double *ret, GError **error)
{
  BnScenario *scenario = bn_plan_axis_scenario (axis, cell, numbers, error);

  if (scenario == NULL)
    return FALSE;
  *ret = 0;
  for (uint32_t t = 0; t < scenario->platform->n_types; t++)
    *ret += scenario->platform->types[t].price_per_hour * scenario->platform->types[t].n_workers;
  bn_scenario_free (scenario);
  return TRUE;
}
