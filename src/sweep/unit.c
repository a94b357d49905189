/* unit.c: a piece of a study that is run as one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "experiment.h"
#include "interrupt.h"

/* Of bn_unit_to_bytes: name, path, overrides, settings (name, value, file, line, override), seed, first run,
 * step, todo. */
#define WIRE_TYPE "(ssasa(sssub)txxs)"

BnUnit *
bn_unit_new (const char *name, const char *path, const char *const *overrides, const BnScenarioSetting *settings,
             guint n_settings, guint64 seed, gint64 first_run_id, gint64 run_id_step)
{
  BnUnit *unit = g_new0 (BnUnit, 1);

  unit->name = g_strdup (name);
  unit->path = g_strdup (path);
  unit->overrides = overrides != NULL ? g_strdupv ((char **) overrides) : g_new0 (char *, 1);
  unit->settings = g_new0 (BnScenarioSetting, n_settings + 1);
  unit->n_settings = n_settings;
  for (guint i = 0; i < n_settings; i++)
    unit->settings[i] = (BnScenarioSetting) { g_strdup (settings[i].name), g_strdup (settings[i].value),
                                              { g_strdup (settings[i].place.file), settings[i].place.line },
                                              settings[i].override };
  unit->seed = seed;
  unit->first_run_id = first_run_id;
  unit->run_id_step = run_id_step;
  return unit;
}

void
bn_unit_free (BnUnit *unit)
{
  if (unit == NULL)
    return;
  for (guint i = 0; i < unit->n_settings; i++)
    {
      g_free ((char *) unit->settings[i].name);
      g_free ((char *) unit->settings[i].value);
      g_free ((char *) unit->settings[i].place.file);
    }
  g_free (unit->settings);
  g_strfreev (unit->overrides);
  g_free (unit->path);
  g_free (unit->name);
  g_free (unit);
}

static void
free_unit (void *unit)
{
  bn_unit_free (unit);
}

GPtrArray *
bn_units_new (void)
{
  return g_ptr_array_new_with_free_func (free_unit);
}

gboolean
bn_unit_same_world (const BnUnit *a, const BnUnit *b)
{
  gboolean same = a->n_settings == b->n_settings && strcmp (a->path, b->path) == 0
                  && g_strv_equal ((const char *const *) a->overrides, (const char *const *) b->overrides);

  for (guint i = 0; i < a->n_settings && same; i++)
    same = strcmp (a->settings[i].name, b->settings[i].name) == 0
           && strcmp (a->settings[i].value, b->settings[i].value) == 0
           && a->settings[i].override == b->settings[i].override;
  return same;
}

BnScenario *
bn_unit_scenario (const BnUnit *unit, GError **error)
{
  g_autofree BnScenarioSetting *settings = g_new0 (BnScenarioSetting, unit->n_settings + 1);
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, unit->seed);

  if (unit->n_settings > 0)
    memcpy (settings, unit->settings, unit->n_settings * sizeof *settings);
  settings[unit->n_settings] = (BnScenarioSetting) { "scenario.seeds", seed, { unit->path, 0 }, TRUE };
  return bn_scenario_read_with (unit->path, (const char *const *) unit->overrides, settings, unit->n_settings + 1,
                                error);
}

gint64
bn_unit_run_id (const BnUnit *unit, guint variant)
{
  return unit->first_run_id + (gint64) variant * unit->run_id_step;
}

char *
bn_unit_arguments (const BnUnit *unit)
{
  return bn_scenario_arguments (unit->path, (const char *const *) unit->overrides, unit->settings, unit->n_settings,
                                TRUE);
}

gboolean
bn_unit_run (const BnUnit *unit, const char *todo, const char *path, gboolean *found, gboolean *interrupted,
             GError **error)
{
  const char *debug = g_getenv ("BN_DEBUG");
  g_autofree char *repeat = bn_unit_arguments (unit);
  BnScenario *scenario = bn_unit_scenario (unit, error);
  BnExperimentOutcome outcome = { 0 };
  BnExperimentOptions options = { .debug_check = debug != NULL && strcmp (debug, "check") == 0,
                                  .repeat_arguments = repeat,
                                  .runs_before = unit->first_run_id - 1,
                                  .variant_step = unit->run_id_step,
                                  .todo = todo };

  if (scenario == NULL)
    return FALSE;
  /* from before there is a file: whoever sees it may send a signal */
  options.interrupt = bn_interrupt_new ();
  BnResults *results = bn_results_create_scratch (path, error);
  gboolean ok = results != NULL && bn_experiment_run (scenario, results, &options, &outcome, error);
  bn_interrupt_free (options.interrupt);
  if (ok)
    ok = bn_results_close (results, error);
  else if (results != NULL)
    bn_results_abandon (results);
  for (guint i = 0; ok && i < outcome.remarks->len; i++)
    fprintf (stderr, "%s\n", (const char *) outcome.remarks->pdata[i]);
  *found = outcome.n_unfinished > 0 || outcome.n_violations > 0;
  *interrupted = outcome.interrupted;
  bn_experiment_outcome_clear (&outcome);
  bn_scenario_free (scenario);
  return ok;
}

GBytes *
bn_unit_to_bytes (const BnUnit *unit, const char *todo)
{
  GVariantBuilder settings;

  g_variant_builder_init (&settings, G_VARIANT_TYPE ("a(sssub)"));
  for (guint i = 0; i < unit->n_settings; i++)
    g_variant_builder_add (&settings, "(sssub)", unit->settings[i].name, unit->settings[i].value,
                           unit->settings[i].place.file, unit->settings[i].place.line, unit->settings[i].override);
  g_autoptr (GVariant) wire
    = g_variant_ref_sink (g_variant_new ("(ss^asa(sssub)txxs)", unit->name, unit->path, unit->overrides, &settings,
                                         unit->seed, unit->first_run_id, unit->run_id_step, todo));
  return g_variant_get_data_as_bytes (wire);
}

BnUnit *
bn_unit_from_bytes (GBytes *bytes, char **todo)
{
  g_autoptr (GVariant) wire
    = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (WIRE_TYPE), bytes, FALSE));
  const char *name, *path;
  g_autofree const char **overrides = NULL;
  g_autoptr (GVariant) list = NULL;
  guint64 seed;
  gint64 first, step;

  if (!g_variant_is_normal_form (wire))
    return NULL;
  g_variant_get (wire, "(&s&s^a&s@a(sssub)txxs)", &name, &path, &overrides, &list, &seed, &first, &step, todo);
  guint n = (guint) g_variant_n_children (list);
  g_autofree BnScenarioSetting *settings = g_new0 (BnScenarioSetting, n + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 line;
      g_variant_get_child (list, i, "(&s&s&sub)", &settings[i].name, &settings[i].value, &settings[i].place.file,
                           &line, &settings[i].override);
      settings[i].place.line = line;
    }
  return bn_unit_new (name, path, overrides, settings, n, seed, first, step);
}
