/* scenario_trace.c: what file the arrivals of a trace are in, and how it is read.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "linear_rule.h"
#include "row_reader.h"
#include "scenario_parts.h"
#include "workflow_map.h"

/* How long the name of a format before the colon of FORMAT:FILE is; 0: it is all a file. */
static gsize
format_length (const char *trace)
{
  gsize n = strspn (trace, "abcdefghijklmnopqrstuvwxyz0123456789-");

  return trace[n] == ':' ? n : 0;
}

/* What a file is that nobody says anything about: CSV with the usual column of times, or a
 * public format. Only a regular file is looked at: a pipe's bytes would be gone. */
static gboolean
detect_format (const BnSettings *s, BnArrivalsConfig *a, GError **error)
{
  const BnTraceFormat *format = NULL;
  gboolean is_plain;

  if (bn_settings_given (s, BN_KEY_WORKLOAD_TIME_COLUMN) != BN_GIVEN_BY_NOBODY
      || bn_settings_given (s, BN_KEY_WORKLOAD_TIME_UNIT) != BN_GIVEN_BY_NOBODY
      || !g_file_test (a->trace_path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  if (!bn_row_reader_detect (a->trace_path, &format, &is_plain, error))
    return FALSE;
  if (format != NULL && (strcmp (format->name, "binnacle") != 0 || !is_plain))
    a->trace_format = "";
  return TRUE;
}

/* What belongs to one way of reading and not to the other. */
static gboolean
check_trace_keys (const BnSettings *s, const BnScenario *scenario, GError **error)
{
  const BnArrivalsConfig *a = &scenario->arrivals;

  if (a->trace_format == NULL && a->trace_sort)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_TRACE_SORT, 0, error,
                             "is for public formats; add trace-map, or sort the file");
  if (a->trace_format != NULL && bn_settings_given (s, BN_KEY_WORKLOAD_TIME_COLUMN) != BN_GIVEN_BY_NOBODY)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_TIME_COLUMN, 0, error,
                             "is for CSV without a format or map, which say what is where; remove it");
  if (a->workflow_rules != NULL && a->workflow_column == NULL)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_WORKFLOW_MAP, 0, error,
                             "needs the column that it reads; set workflow-column");
  if (a->factor_rule != NULL && bn_scenario_is_real (scenario))
    return bn_settings_fail (s, BN_KEY_WORKLOAD_RUNTIME_FACTOR, 0, error,
                             "is for simulations; a task that really runs takes as long as it takes");
  if (a->factor_rule != NULL)
    {
      BnLinearRule *rule = bn_linear_rule_parse (a->factor_rule, error);
      bn_linear_rule_free (rule);
      if (rule == NULL)
        return bn_settings_prefix (s, BN_KEY_WORKLOAD_RUNTIME_FACTOR, error);
    }
  if (a->workflow_rules == NULL)
    return TRUE;
  BnWorkflowMap *map = bn_workflow_map_parse (a->workflow_rules, scenario->catalogue, error);
  bn_workflow_map_free (map);
  return map != NULL || bn_settings_prefix (s, BN_KEY_WORKLOAD_WORKFLOW_MAP, error);
}

gboolean
bn_scenario_trace_file (const BnSettings *s, const char *trace, BnScenario *scenario, GStringChunk *strings,
                        GError **error)
{
  BnArrivalsConfig *a = &scenario->arrivals;
  gsize n = format_length (trace);
  g_autofree char *path = bn_settings_path (s, BN_KEY_WORKLOAD_TRACE, n > 0 ? trace + n + 1 : trace);

  a->trace_path = g_string_chunk_insert (strings, path);
  if (n > 0)
    {
      g_autofree char *name = g_strndup (trace, n);
      if (strcmp (name, "csv") != 0 && bn_trace_format_find (name, error) == NULL)
        return bn_settings_prefix (s, BN_KEY_WORKLOAD_TRACE, error);
      a->trace_format = g_string_chunk_insert (strings, name);
    }
  else if (a->trace_map != NULL)
    a->trace_format = "csv";
  else if (!detect_format (s, a, error))
    return FALSE;
  return check_trace_keys (s, scenario, error);
}
