/* sweep.c: the cells of a sweep: one scenario for every combination of values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sweep.h"

#include <string.h>

#include "keyfile.h"
#include "precision.h"
#include "sweep_axis.h"
#include "units.h"

/* The axis that makes no cells. */
#define SCHEDULER "scheduler"

struct BnSweep
{
  char *path;
  char **overrides;
  GPtrArray *axes;       /* of BnSweepAxis */
  guint n_settings;      /* keys of all axes */
  BnSweepAxis *schedulers; /* what every cell compares, or NULL: what the scenario says */
  char *compared;        /* the same as a value of schedulers.compare */
  guint n_cells, n_variants, n_seeds;
  guint64 *seeds;        /* [n_seeds] of every cell */
  gboolean is_real;      /* any cell */
  char **remarks;
};

/* Keys that are not part of the world that is compared: there are other ways. */
static const struct
{
  const char *key, *advice;
} not_varied[] = {
  { "scenario.seeds", "every cell runs all seeds; give them with scenario.seeds or --seed" },
  { "schedulers.compare", "every cell runs all schedulers; list them as scheduler = compass jit" },
  { "scenario.name", "cells are told apart by what is varied; leave it out" },
  { "scenario.record", "it is the same for all cells; give it with --record" },
};

static void
free_axis (void *axis)
{
  bn_sweep_axis_free (axis);
}

static gboolean
check_axis (const BnSweepAxis *axis, BnPlace place, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (not_varied); i++)
    if (bn_sweep_axis_has (axis, not_varied[i].key))
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s cannot be varied: %s", not_varied[i].key,
                            not_varied[i].advice);
  return TRUE;
}

/* Schedulers vary within every cell, on the same jobs. Takes the axis. */
static gboolean
add_schedulers (BnSweep *sweep, BnSweepAxis *axis, BnPlace place, GError **error)
{
  const char *wrong = axis->n_keys > 1 ? "schedulers vary within every cell, not together with another key; give them"
                                         " a line of their own"
                      : sweep->schedulers != NULL && sweep->schedulers->override == axis->override
                        ? "another line varies the scheduler, too; vary it once" : NULL;

  if (wrong != NULL)
    {
      bn_sweep_axis_free (axis);
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "%s", wrong);
    }
  bn_sweep_axis_free (sweep->schedulers);
  g_free (sweep->compared);
  sweep->schedulers = axis;
  sweep->compared = g_strjoinv (", ", axis->values);
  return TRUE;
}

/* Takes the axis. One that varies the same keys gives way where it is of the file,
 * any other that shares a key is an error. */
static gboolean
add_axis (BnSweep *sweep, BnSweepAxis *axis, BnPlace place, GError **error)
{
  gboolean ok = check_axis (axis, place, error), placed = FALSE;

  if (bn_sweep_axis_has (axis, SCHEDULER))
    return add_schedulers (sweep, axis, place, error);
  for (guint i = 0; i < sweep->axes->len && ok && !placed; i++)
    {
      BnSweepAxis *other = g_ptr_array_index (sweep->axes, i);
      guint n_shared = 0;
      for (guint k = 0; k < axis->n_keys; k++)
        n_shared += bn_sweep_axis_has (other, axis->keys[k]);
      if (n_shared == 0)
        continue;
      placed = axis->override && !other->override && n_shared == other->n_keys;
      if (placed)
        {
          g_ptr_array_index (sweep->axes, i) = axis;
          bn_sweep_axis_free (other);
        }
      else
        ok = bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place,
                            "another line varies one of these keys, too; vary each key once");
    }
  if (!ok)
    bn_sweep_axis_free (axis);
  else if (!placed)
    g_ptr_array_add (sweep->axes, axis);
  return ok;
}

static gboolean
add_file (BnSweep *sweep, GError **error)
{
  BnKeyFile *file = bn_key_file_read (sweep->path, error);
  gboolean ok = file != NULL;

  for (guint i = 0; ok && i < file->n_sections; i++)
    for (guint j = 0; ok && j < file->sections[i].n_entries && strcmp (file->sections[i].name, "sweep") == 0; j++)
      {
        const BnKeyEntry *entry = &file->sections[i].entries[j];
        BnPlace place = { sweep->path, entry->line };
        BnSweepAxis *axis = bn_sweep_axis_new (entry->key, entry->value, place, FALSE, error);
        ok = axis != NULL && add_axis (sweep, axis, place, error);
      }
  bn_key_file_free (file);
  return ok;
}

static gboolean
add_vary (BnSweep *sweep, const char *text, GError **error)
{
  g_autofree char *quoted = bn_quote (text);
  g_autofree char *option = g_strconcat ("--vary ", quoted, NULL);
  g_autofree char *keys = g_strdup (text);
  BnPlace place = { option, 0 };
  char *values = strchr (keys, '=');

  if (values == NULL || !g_utf8_validate (text, -1, NULL) || strpbrk (text, "\n\r") != NULL)
    return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place,
                          "is not section.key=values, such as workload.load=0.5,0.7");
  *values++ = '\0';
  BnSweepAxis *axis = bn_sweep_axis_new (keys, values, place, TRUE, error);
  return axis != NULL && add_axis (sweep, axis, place, error);
}

/* An override would be outdone by every cell; schedulers of the command line outdo the file's. */
static gboolean
check_overrides (BnSweep *sweep, GError **error)
{
  for (char **override = sweep->overrides; *override != NULL; override++)
    {
      g_autofree char *key = g_strndup (*override, strcspn (*override, "="));
      g_strstrip (key);
      if (sweep->schedulers != NULL && strcmp (key, "schedulers.compare") == 0)
        {
          if (sweep->schedulers->override)
            return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                                  "--vary scheduler and --scheduler at once; give one of them");
          g_clear_pointer (&sweep->schedulers, bn_sweep_axis_free);
        }
      for (guint i = 0; i < sweep->axes->len; i++)
        if (bn_sweep_axis_has (g_ptr_array_index (sweep->axes, i), key))
          return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                                "--set %s: is varied; give other values with --vary", key);
    }
  return TRUE;
}

static gboolean
count_cells (BnSweep *sweep, GError **error)
{
  guint64 n = 1;

  for (guint i = 0; i < sweep->axes->len; i++)
    {
      const BnSweepAxis *axis = g_ptr_array_index (sweep->axes, i);
      n *= axis->n_values;
      sweep->n_settings += axis->n_keys;
      if (n > BN_SWEEP_MAX_CELLS)
        return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { sweep->path, 0 },
                              "the sweep has more than %u cells; vary less", BN_SWEEP_MAX_CELLS);
    }
  sweep->n_cells = (guint) n;
  return TRUE;
}

/* What makes the cell's scenario: the axes in order, then the schedulers where the sweep names
 * them. Returns: (transfer full): [*n], texts borrowed. */
static BnScenarioSetting *
settings_of (const BnSweep *sweep, guint cell, guint *n)
{
  BnScenarioSetting *settings = g_new0 (BnScenarioSetting, sweep->n_settings + 1);
  guint left = sweep->n_cells;

  *n = 0;
  for (guint i = 0; i < sweep->axes->len; i++)
    {
      const BnSweepAxis *axis = g_ptr_array_index (sweep->axes, i);
      left /= axis->n_values;
      guint value = cell / left % axis->n_values;
      for (guint k = 0; k < axis->n_keys; k++)
        settings[(*n)++] = (BnScenarioSetting) { axis->keys[k], axis->values[value * axis->n_keys + k],
                                                 { axis->file, axis->line }, axis->override };
    }
  if (sweep->schedulers != NULL)
    settings[(*n)++] = (BnScenarioSetting) { "schedulers.compare", sweep->compared,
                                             { sweep->schedulers->file, sweep->schedulers->line },
                                             sweep->schedulers->override };
  return settings;
}

char *
bn_sweep_cell_name (const BnSweep *sweep, guint cell)
{
  guint n;
  g_autofree BnScenarioSetting *settings = settings_of (sweep, cell, &n);
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < n - (sweep->schedulers != NULL); i++)
    g_string_append_printf (name, "%s%s=%s", i > 0 ? ", " : "", settings[i].name, settings[i].value);
  return g_string_free (name, FALSE);
}

char *
bn_sweep_cell_arguments (const BnSweep *sweep, guint cell)
{
  guint n;
  g_autofree BnScenarioSetting *settings = settings_of (sweep, cell, &n);

  return bn_scenario_arguments (sweep->path, (const char *const *) sweep->overrides, settings, n, FALSE);
}

BnScenario *
bn_sweep_scenario (const BnSweep *sweep, guint cell, GError **error)
{
  guint n;
  g_autofree BnScenarioSetting *settings = settings_of (sweep, cell, &n);

  g_assert (cell < sweep->n_cells);
  return bn_scenario_read_with (sweep->path, (const char *const *) sweep->overrides, settings, n, error);
}

static void
add_units (const BnSweep *sweep, guint cell, GPtrArray *units)
{
  guint n;
  g_autofree BnScenarioSetting *settings = settings_of (sweep, cell, &n);
  g_autofree char *cell_name = bn_sweep_cell_name (sweep, cell);
  gint64 runs_before = (gint64) cell * bn_sweep_n_runs (sweep);

  for (guint s = 0; s < sweep->n_seeds; s++)
    {
      g_autofree char *name = g_strdup_printf ("%s%sseed %" G_GUINT64_FORMAT, cell_name, *cell_name != '\0' ? ", " : "",
                                               sweep->seeds[s]);
      g_ptr_array_add (units, bn_unit_new (name, sweep->path, (const char *const *) sweep->overrides, settings, n,
                                           sweep->seeds[s], runs_before + s + 1, sweep->n_seeds));
    }
}

GPtrArray *
bn_sweep_units (const BnSweep *sweep)
{
  GPtrArray *units = bn_units_new ();

  for (guint cell = 0; cell < sweep->n_cells; cell++)
    add_units (sweep, cell, units);
  return units;
}

gboolean
bn_sweep_is_real (const BnSweep *sweep)
{
  return sweep->is_real;
}

/* Two cells of one scenario would count as seeds of each other. Known: of sha256 to
 * number + 1. */
static gboolean
check_new (const BnSweep *sweep, GHashTable *known, const BnScenario *scenario, guint cell, GError **error)
{
  guint before = GPOINTER_TO_UINT (g_hash_table_lookup (known, scenario->sha256));

  if (before == 0)
    {
      g_hash_table_insert (known, g_strdup (scenario->sha256), GUINT_TO_POINTER (cell + 1));
      return TRUE;
    }
  g_autofree char *name = bn_sweep_cell_name (sweep, cell), *first = bn_sweep_cell_name (sweep, before - 1);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { sweep->path, 0 },
                        "cell %u (%s) is the same scenario as cell %u (%s); give each value once, and vary no two"
                        " keys of which one takes the place of the other", cell + 1, name, before, first);
}

/* Reads every cell once: what is wrong with any of them is said before the first runs. */
static gboolean
check_cells (BnSweep *sweep, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint cell = 0; cell < sweep->n_cells; cell++)
    {
      GError *wrong = NULL;
      BnScenario *scenario = bn_sweep_scenario (sweep, cell, &wrong);

      if (scenario == NULL)
        {
          g_autofree char *name = bn_sweep_cell_name (sweep, cell);
          if (*name == '\0')
            g_propagate_error (error, wrong);
          else
            {
              g_set_error (error, wrong->domain, wrong->code, "%s (cell %u: %s)", wrong->message, cell + 1, name);
              g_error_free (wrong);
            }
          return FALSE;
        }
      if (cell == 0)
        {
          sweep->n_variants = scenario->n_variants;
          sweep->n_seeds = scenario->n_seeds;
          sweep->seeds = g_memdup2 (scenario->seeds, scenario->n_seeds * sizeof *scenario->seeds);
          sweep->remarks = g_strdupv (scenario->remarks);
        }
      sweep->is_real |= bn_scenario_is_real (scenario);
      gboolean ok = bn_scenario_backend_usable (scenario, error)
                    && check_new (sweep, known, scenario, cell, error);
      bn_scenario_free (scenario);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

BnSweep *
bn_sweep_read (const char *path, const char *const *vary, const char *const *overrides, GError **error)
{
  BnSweep *sweep = g_new0 (BnSweep, 1);

  sweep->path = g_strdup (path);
  sweep->overrides = overrides != NULL ? g_strdupv ((char **) overrides) : g_new0 (char *, 1);
  sweep->axes = g_ptr_array_new_with_free_func (free_axis);
  gboolean ok = add_file (sweep, error);
  for (; ok && vary != NULL && *vary != NULL; vary++)
    ok = add_vary (sweep, *vary, error);
  if (ok && count_cells (sweep, error) && check_overrides (sweep, error) && check_cells (sweep, error))
    return sweep;
  bn_sweep_free (sweep);
  return NULL;
}

void
bn_sweep_free (BnSweep *sweep)
{
  if (sweep == NULL)
    return;
  g_ptr_array_unref (sweep->axes);
  g_strfreev (sweep->overrides);
  g_strfreev (sweep->remarks);
  bn_sweep_axis_free (sweep->schedulers);
  g_free (sweep->compared);
  g_free (sweep->seeds);
  g_free (sweep->path);
  g_free (sweep);
}

guint
bn_sweep_n_cells (const BnSweep *sweep)
{
  return sweep->n_cells;
}

guint
bn_sweep_n_runs (const BnSweep *sweep)
{
  return sweep->n_variants * sweep->n_seeds;
}

guint
bn_sweep_n_seeds (const BnSweep *sweep)
{
  return sweep->n_seeds;
}

void
bn_sweep_make_room (BnSweep *sweep, guint n_seeds)
{
  if (n_seeds <= sweep->n_seeds)
    return;
  guint64 *seeds = bn_precision_seeds (sweep->seeds, sweep->n_seeds, n_seeds);
  g_free (sweep->seeds);
  sweep->seeds = seeds;
  sweep->n_seeds = n_seeds;
}

char **
bn_sweep_remarks (const BnSweep *sweep)
{
  return sweep->remarks;
}
