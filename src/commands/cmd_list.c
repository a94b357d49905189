/* cmd_list.c: binnacle list: what there is, printed from the tables themselves.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backend.h"
#include "cli.h"
#include "eviction.h"
#include "export.h"
#include "param_text.h"
#include "plot.h"
#include "presets.h"
#include "queue_order.h"
#include "registry.h"
#include "report.h"
#include "scenario.h"
#include "scenario_keys.h"
#include "tally.h"
#include "trace_list.h"
#include "units.h"
#include "variant.h"

typedef struct Topic
{
  const char *name;
  const char *summary;
  const BnColumn *columns;
  guint n_columns;
  void (*fill) (BnTable *table);
} Topic;

static const BnCliUsage usage = {
  .verb = "list",
  .arguments = "[WHAT]",
  .summary = "Lists what this program knows, as it knows it. WHAT is one of schedulers, presets,\n"
             "options, queue-orders, evictions, keys, metrics, plots, formats, backends, traces; without\n"
             "it the topics are listed.",
  .examples = "  binnacle list schedulers\n"
              "  binnacle list metrics --format csv",
};

static const BnColumn named_columns[] = {
  { "name", "name", "", 0 },
  { "summary", "what it is", "", 0 },
};

static const BnColumn scheduler_columns[] = {
  { "scheduler", "scheduler", "", 0 }, { "parameter", "parameter", "", 0 }, { "values", "values", "", 0 },
  { "default", "default", "", 0 },     { "summary", "what it is", "", 0 },
};

static const BnColumn option_columns[] = {
  { "option", "option", "", 0 },
  { "values", "values", "", 0 },
  { "default", "default", "", 0 },
  { "summary", "what it is", "", 0 },
};

static const BnColumn key_columns[] = {
  { "section", "section", "", 0 }, { "key", "key", "", 0 },           { "values", "values", "", 0 },
  { "default", "default", "", 0 }, { "summary", "what it is", "", 0 },
};

static const BnColumn preset_columns[] = {
  { "name", "name", "", 0 },
  { "summary", "what it is", "", 0 },
  { "scheduler", "scheduler", "", 0 },
  { "settings", "settings", "", 0 },
};

static const BnColumn metric_columns[] = {
  { "name", "name", "", 0 },
  { "unit", "unit", "", 0 },
  { "by_workflow", "by workflow", "", 0 },
  { "summary", "what it is", "", 0 },
};

static const BnColumn backend_columns[] = {
  { "name", "name", "", 0 },
  { "summary", "what it is", "", 0 },
  { "usable", "usable here", "", 0 },
  { "devices", "devices (usable memory)", "", 0 },
};

static const BnColumn format_columns[] = {
  { "use", "use", "", 0 },
  { "format", "format", "", 0 },
};

static void
fill_named (BnTable *table, const char *name, const char *summary)
{
  bn_table_text (table, name);
  bn_table_text (table, summary);
}

static void
fill_param (BnTable *table, const BnParamSpec *spec)
{
  char *range = bn_param_format_range (spec), *value = bn_param_format (spec, bn_param_default (spec));

  bn_table_text (table, spec->name);
  bn_table_text (table, range);
  bn_table_text (table, value);
  bn_table_text (table, spec->help);
  g_free (range);
  g_free (value);
}

static void
fill_schedulers (BnTable *table)
{
  for (guint i = 0; bn_schedulers[i] != NULL; i++)
    {
      const BnScheduler *s = bn_schedulers[i];

      bn_table_text (table, s->name);
      for (int c = 0; c < 3; c++)
        bn_table_missing (table);
      bn_table_text (table, s->summary);
      for (uint32_t p = 0; p < s->n_params; p++)
        {
          bn_table_text (table, s->name);
          fill_param (table, &s->params[p]);
        }
    }
}

static void
fill_presets (BnTable *table)
{
  for (guint i = 0; i < bn_n_presets; i++)
    {
      bn_table_text (table, bn_presets[i].name);
      bn_table_text (table, bn_presets[i].summary);
      bn_table_text (table, bn_presets[i].scheduler);
      bn_table_text (table, bn_presets[i].settings);
    }
}

static void
fill_options (BnTable *table)
{
  for (uint32_t i = 0; i < bn_n_variant_options; i++)
    fill_param (table, &bn_variant_options[i]);
}

static void
fill_queue_orders (BnTable *table)
{
  for (uint32_t i = 0; i < bn_n_queue_orders; i++)
    fill_named (table, bn_queue_orders[i].name, bn_queue_orders[i].summary);
}

static void
fill_evictions (BnTable *table)
{
  for (uint32_t i = 0; i < bn_n_evictions; i++)
    fill_named (table, bn_evictions[i].name, bn_evictions[i].summary);
}

static void
fill_keys (BnTable *table)
{
  BnRunOptions options = bn_variant_default_options ();

  for (uint32_t i = 0; i < bn_scenario_n_keys (); i++)
    {
      BnScenarioKey key = bn_scenario_key (i);
      char *range = bn_scenario_key_range (&key);
      char *usual = key.kind == BN_KEY_OPTION ? bn_variant_get_option (&options, i - BN_KEY_FIRST_OPTION)
                                              : g_strdup (key.usual);

      bn_table_text (table, key.section);
      bn_table_text (table, key.name);
      bn_table_text (table, range);
      bn_table_text (table, usual);
      bn_table_text (table, key.help);
      g_free (range);
      g_free (usual);
    }
}

static void
fill_metrics (BnTable *table)
{
  for (guint i = 0; i < bn_n_metric_infos; i++)
    {
      bn_table_text (table, bn_metric_infos[i].name);
      bn_table_text (table, bn_metric_infos[i].unit);
      bn_table_text (table, bn_metric_infos[i].about == BN_ABOUT_JOBS ? "yes" : "no");
      bn_table_text (table, bn_metric_infos[i].summary);
    }
}

static void
fill_plots (BnTable *table)
{
  for (guint i = 0; i < bn_n_plots; i++)
    fill_named (table, bn_plots[i].name, bn_plots[i].summary);
}

static void
fill_formats (BnTable *table)
{
  for (guint i = 0; bn_cli_formats[i] != NULL; i++)
    fill_named (table, "tables: --format", bn_cli_formats[i]);
  for (guint i = 0; i < bn_n_export_forms; i++)
    fill_named (table, "binnacle export", bn_export_forms[i].name);
  for (guint i = 0; bn_plot_formats[i] != NULL; i++)
    fill_named (table, "binnacle plot --format", bn_plot_formats[i]);
}

/* "2 x core (3.1GB), other (1GB)", with `between` as given; NULL: it needs none. */
static char *
describe_devices (const BnBackend *backend, const char *between)
{
  if (backend->devices == NULL)
    return NULL;
  uint32_t n = backend->devices (NULL, 0);
  g_autofree BnBackendDevice *devices = g_new0 (BnBackendDevice, n + 1);
  GString *text = g_string_new (NULL);

  n = MIN (n, backend->devices (devices, n));
  for (uint32_t i = 0, end; i < n; i = end)
    {
      g_autofree char *size = bn_format_size (devices[i].usable_bytes);
      for (end = i + 1; end < n && devices[end].usable_bytes == devices[i].usable_bytes
                        && strcmp (devices[end].name, devices[i].name) == 0;)
        end++;
      if (i > 0)
        g_string_append (text, between);
      if (end - i > 1)
        g_string_append_printf (text, "%u x ", end - i);
      g_string_append_printf (text, "%s (%s)", devices[i].name, size);
    }
  return g_string_free (text, FALSE);
}

static void
fill_backends (BnTable *table)
{
  for (guint i = 0; bn_backends[i] != NULL; i++)
    {
      const BnBackend *backend = bn_backends[i];
      g_autofree char *reason = backend->unavailable != NULL ? backend->unavailable () : NULL;
      g_autofree char *devices = reason == NULL ? describe_devices (backend, ", ") : NULL;

      fill_named (table, backend->name, backend->summary);
      bn_table_text (table, reason != NULL ? reason : "yes");
      bn_table_text (table, devices);
    }
}

/* A person reads long reasons and lists of devices below one another. */
static int
print_backends_as_text (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; bn_backends[i] != NULL; i++)
    {
      const BnBackend *backend = bn_backends[i];
      g_autofree char *reason = backend->unavailable != NULL ? backend->unavailable () : NULL;
      g_autofree char *devices = reason == NULL ? describe_devices (backend, "\n  device: ") : NULL;

      g_string_append_printf (text, "%s\n  %s\n", backend->name, backend->summary);
      if (reason != NULL)
        g_string_append_printf (text, "  not usable here: %s\n", reason);
      else
        g_string_append (text, "  usable here\n");
      if (devices != NULL)
        g_string_append_printf (text, "  device: %s\n", devices);
    }
  int exit = bn_cli_print (text->str);
  g_string_free (text, TRUE);
  return exit;
}

#define COLUMNS(array) array, G_N_ELEMENTS (array)

static const Topic topics[] = {
  { "schedulers", "schedulers and their own parameters, NAME[KEY=VALUE,…]", COLUMNS (scheduler_columns),
    fill_schedulers },
  { "presets", "names for a scheduler with settings that belong together", COLUMNS (preset_columns), fill_presets },
  { "options", "what may stand in the brackets of any scheduler", COLUMNS (option_columns), fill_options },
  { "queue-orders", "which queued task a worker runs next", COLUMNS (named_columns), fill_queue_orders },
  { "evictions", "which model leaves when a load needs room", COLUMNS (named_columns), fill_evictions },
  { "keys", "sections and keys of a scenario file, with units and defaults", COLUMNS (key_columns), fill_keys },
  { "metrics", "what is measured of a run", COLUMNS (metric_columns), fill_metrics },
  { "plots", "pictures that binnacle plot draws", COLUMNS (named_columns), fill_plots },
  { "formats", "forms in which results are written", COLUMNS (format_columns), fill_formats },
  { "backends", "who does the work, and what it finds on this machine", COLUMNS (backend_columns), fill_backends },
  { "traces", "public arrival traces that are read as they are", bn_trace_list_columns,
    BN_TRACE_LIST_COLUMNS, bn_trace_list_fill },
};

static void
fill_topics (BnTable *table)
{
  for (size_t i = 0; i < G_N_ELEMENTS (topics); i++)
    fill_named (table, topics[i].name, topics[i].summary);
}

static const Topic all_topics = { "topics", "topics", COLUMNS (named_columns), fill_topics };

static const Topic *
find_topic (const char *name, GError **error)
{
  const char *names[G_N_ELEMENTS (topics) + 1] = { NULL };
  const char *near;

  for (size_t i = 0; i < G_N_ELEMENTS (topics); i++)
    {
      if (strcmp (topics[i].name, name) == 0)
        return &topics[i];
      names[i] = topics[i].name;
    }
  near = bn_nearest_word (name, names);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "list: %s: no such topic; %s%s%s", name,
               near ? "did you mean " : "binnacle list names them", near ? near : "", near ? "?" : "");
  return NULL;
}

static int
print_topic (const Topic *topic, BnCliFormat format)
{
  GError *error = NULL;
  BnTable *table = bn_table_new (topic->columns, topic->n_columns);
  gboolean done;

  topic->fill (table);
  done = bn_table_print (table, format, stdout, &error);
  bn_table_free (table);
  return done ? BN_EXIT_OK : bn_cli_fail (error);
}

/* For a person they stand in the sections of a file. */
static int
print_keys_as_text (void)
{
  char *text = bn_scenario_keys_help ();
  int exit = bn_cli_print (text);

  g_free (text);
  return exit;
}

int
bn_cmd_list (int argc, char **argv)
{
  GError *error = NULL;
  const Topic *topic = &all_topics;
  BnCliFormat format;
  char *format_name = NULL;
  int exit;
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "text, csv or json (default: text)", "FORMAT" },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 0, 1, &argc, &argv, &exit))
    return exit;
  if (argc > 1)
    topic = find_topic (argv[1], &error);
  if (topic == NULL || !bn_cli_format (format_name, &format, &error))
    exit = bn_cli_fail (error);
  else if (topic->fill == fill_keys && format == BN_FORMAT_TEXT)
    exit = print_keys_as_text ();
  else if (topic->fill == fill_backends && format == BN_FORMAT_TEXT)
    exit = print_backends_as_text ();
  else if (topic->fill == bn_trace_list_fill && format == BN_FORMAT_TEXT)
    exit = bn_trace_list_print_text ();
  else
    exit = print_topic (topic, format);
  g_free (format_name);
  return exit;
}
