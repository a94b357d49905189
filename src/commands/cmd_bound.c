/* cmd_bound.c: binnacle bound.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "lower_bound.h"
#include "report.h"

#define MAX_STEPS 100000

static const BnCliUsage usage = {
  "bound", "SCENARIO.ini",
  "Says how good any scheduler can be: lower bounds on the mean latency and the mean\n"
  "slowdown of the scenario's jobs, a row for each seed, and how many slots their work\n"
  "alone keeps busy. Nothing is run. How each bound comes about is in doc/bounds.md.\n"
  "A scenario is a file, or the name of one that comes with the program.",
  "  binnacle bound demo\n"
  "  binnacle bound traces/scenarios/bursty.ini --set servers.count=8 --steps 200 --format csv\n",
  NULL,
};

static const BnColumn columns[] = {
  { "seed", "seed", "", 0 },
  { "jobs", "jobs", "", 0 },
  { "bound_latency", "latency >=", "ms", 1 },
  { "bound_latency_kind", "by", "", 0 },
  { "bound_slowdown", "slowdown >=", "", 3 },
  { "bound_slowdown_kind", "by", "", 0 },
  { "work", "work", "slots", 2 },
  { "slots", "there are", "", 0 },
};

static gint64
slots_of (const BnPlatform *platform)
{
  gint64 n = 0;

  for (uint32_t g = 0; g < platform->n_types; g++)
    n += (gint64) platform->types[g].slots * platform->types[g].n_workers;
  return n;
}

static void
add_value (BnTable *table, const BnBoundValue *value, double scale)
{
  if (value->n_jobs > 0)
    {
      bn_table_real (table, value->best / scale);
      bn_table_text (table, bn_bound_kind_name (value->kind));
      return;
    }
  bn_table_missing (table);
  bn_table_missing (table);
}

static void
add_row (BnTable *table, guint64 seed, const BnBound *bound, gint64 n_slots)
{
  g_autofree char *seed_text = g_strdup_printf ("%" G_GUINT64_FORMAT, seed);

  bn_table_text (table, seed_text);
  bn_table_integer (table, bound->latency_ns.n_jobs);
  add_value (table, &bound->latency_ns, BN_NS_PER_MS);
  add_value (table, &bound->slowdown, 1);
  if (bound->slots_needed > 0)
    bn_table_real (table, bound->slots_needed);
  else
    bn_table_missing (table);
  bn_table_integer (table, n_slots);
}

static gboolean
print_bounds (const char *name, char **overrides, guint steps, BnCliFormat format, GError **error)
{
  g_autofree char *path = bn_cli_scenario_file (name, error);
  BnScenario *scenario = path ? bn_scenario_read (path, (const char *const *) overrides, error) : NULL;
  gboolean ok = scenario != NULL;

  if (!ok)
    return FALSE;
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < scenario->n_seeds && ok; i++)
    {
      BnBound bound;
      ok = bn_lower_bound (scenario, scenario->seeds[i], steps, NULL, &bound, error);
      if (ok)
        add_row (table, scenario->seeds[i], &bound, slots_of (scenario->platform));
    }
  ok = ok && bn_table_print (table, format, stdout, error);
  bn_table_free (table);
  bn_scenario_free (scenario);
  return ok;
}

int
bn_cmd_bound (int argc, char **argv)
{
  GError *error = NULL;
  char *format_name = NULL, *seeds = NULL;
  char **set = NULL;
  int steps = BN_BOUND_STEPS, exit;
  BnCliFormat format;
  const GOptionEntry entries[] = {
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &set, "override a key of the scenario; may be repeated",
      "SECTION.KEY=VALUE" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &seeds, "use these seeds instead, as 1 2 3 or 1..10", "SEEDS" },
    { "steps", 0, 0, G_OPTION_ARG_INT, &steps, "tries to better each bound (default: 40); 0 is quick", "N" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "text, csv or json (default: text)", "FORMAT" },
    { 0 },
  };

  if (bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &exit))
    {
      GPtrArray *overrides = g_ptr_array_new_with_free_func (g_free);
      for (char **text = set; text && *text; text++)
        g_ptr_array_add (overrides, g_strdup (*text));
      if (seeds)
        g_ptr_array_add (overrides, g_strconcat ("scenario.seeds=", seeds, NULL));
      g_ptr_array_add (overrides, NULL);
      if (steps < 0 || steps > MAX_STEPS)
        g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "bound: --steps %d: give a number from 0 to %d", steps,
                     MAX_STEPS);
      else if (bn_cli_format (format_name, &format, &error))
        print_bounds (argv[1], (char **) overrides->pdata, (guint) steps, format, &error);
      exit = error ? bn_cli_fail (error) : BN_EXIT_OK;
      g_ptr_array_unref (overrides);
    }
  g_strfreev (set);
  g_free (seeds);
  g_free (format_name);
  return exit;
}
