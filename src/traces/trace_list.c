/* trace_list.c: the formats of traces, listed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_list.h"

#include "trace_format.h"
#include "units.h"

const BnColumn bn_trace_list_columns[BN_TRACE_LIST_COLUMNS] = {
  { "format", "format", "", 0 },
  { "summary", "what it is", "", 0 },
  { "time", "time", "", 0 },
  { "unit", "unit", "", 0 },
  { "duration", "duration", "", 0 },
  { "quirks", "taken care of", "", 0 },
};

static void
fill_trace (const BnTraceFormat *format, gpointer data)
{
  BnTable *table = data;
  g_autofree char *unit = format->time_unit_ns > 0 ? bn_format_duration (format->time_unit_ns) : g_strdup ("1date");
  g_autofree char *span = format->start != NULL ? g_strdup_printf ("%s - %s", format->end, format->start) : NULL;

  bn_table_text (table, format->name);
  bn_table_text (table, format->summary);
  bn_table_text (table, format->time);
  bn_table_text (table, unit + 1); /* one of them */
  bn_table_text (table, span != NULL ? span : format->duration);
  bn_table_text (table, format->quirks);
}

void
bn_trace_list_fill (BnTable *table)
{
  bn_trace_formats_foreach (fill_trace, table);
}

static void
describe_trace (const BnTraceFormat *format, gpointer data)
{
  GString *text = data;
  g_autofree char *unit = format->time_unit_ns > 0 ? bn_format_duration (format->time_unit_ns) : g_strdup ("1date");

  g_string_append_printf (text, "%s\n  %s\n  time: %s (%s)", format->name, format->summary, format->time, unit + 1);
  if (format->start != NULL)
    g_string_append_printf (text, "; duration: %s - %s", format->end, format->start);
  else if (format->duration != NULL)
    g_string_append_printf (text, "; duration: %s", format->duration);
  g_string_append_c (text, '\n');
  if (format->quirks != NULL)
    g_string_append_printf (text, "  taken care of: %s\n", format->quirks);
}

int
bn_trace_list_print_text (void)
{
  GString *text = g_string_new (NULL);

  bn_trace_formats_foreach (describe_trace, text);
  int exit = bn_cli_print (text->str);
  g_string_free (text, TRUE);
  return exit;
}
