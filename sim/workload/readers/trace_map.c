/* trace_map.c: what is where in a table of anybody's, as a person writes it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_map.h"

#include <string.h>

#include "input_error.h"
#include "units.h"

static gboolean
fail (GError **error, const char *format, const char *text)
{
  g_autofree char *quoted = bn_quote (text);
  g_autofree char *what = g_strdup_printf ("map: %s: %s", quoted, format);

  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s", what);
}

static gboolean
parse_unit (const char *text, BnDuration *ret, GError **error)
{
  static const struct
  {
    const char *name;
    BnDuration ns;
  } units[] = {
    { "ns", 1 },           { "us", BN_NS_PER_US },       { "ms", BN_NS_PER_MS },          { "s", BN_NS_PER_S },
    { "min", 60 * BN_NS_PER_S }, { "h", 3600 * BN_NS_PER_S }, { "date", BN_UNIT_DATE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (text, units[i].name) == 0)
      {
        *ret = units[i].ns;
        return TRUE;
      }
  return fail (error, "is no unit of time; use ns, us, ms, s, min, h or date", text);
}

/* COLUMN:UNIT; names may hold colons, units do not. */
static gboolean
parse_column (char *text, const char **column, BnDuration *unit_ns, GStringChunk *strings, GError **error)
{
  char *colon = strrchr (text, ':');

  if (*column != NULL)
    return fail (error, "time and duration are given once each", text);
  if (colon == NULL || colon == text)
    return fail (error, "give a column and its unit, as arrival:ms", text);
  *colon = '\0';
  *column = g_string_chunk_insert (strings, text);
  return parse_unit (colon + 1, unit_ns, error);
}

static gboolean
parse_separator (const char *text, char *ret, GError **error)
{
  static const char *const names[] = { "comma", "tab", "semicolon", "blank" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0)
      {
        *ret = ",\t; "[i];
        return TRUE;
      }
  return fail (error, "is no separator; use comma, tab, semicolon or blank", text);
}

static gboolean
parse_item (const char *key, char *value, BnTraceFormat *format, GStringChunk *strings, GError **error)
{
  gboolean header;

  if (strcmp (key, "time") == 0)
    return parse_column (value, &format->time, &format->time_unit_ns, strings, error);
  if (strcmp (key, "duration") == 0)
    return parse_column (value, &format->duration, &format->duration_unit_ns, strings, error)
           && (format->duration_unit_ns != BN_UNIT_DATE || fail (error, "a duration is no date", value));
  if (strcmp (key, "separator") == 0)
    return parse_separator (value, &format->separator, error);
  if (strcmp (key, "header") == 0)
    {
      if (!bn_parse_bool (value, &header, error))
        return bn_input_prefix (error, (BnPlace) { 0 }, "map: header");
      format->headless = !header;
      return TRUE;
    }
  const char **text = strcmp (key, "start") == 0     ? &format->start
                      : strcmp (key, "end") == 0     ? &format->end
                      : strcmp (key, "unknown") == 0 ? &format->unknown[format->unknown[0] != NULL]
                                                     : NULL;
  if (text == NULL)
    return fail (error, "is not known; use time, duration, start, end, separator, header or unknown", key);
  if (*text != NULL)
    return fail (error, "is given too often", key);
  *text = g_string_chunk_insert (strings, value);
  return TRUE;
}

gboolean
bn_trace_map_parse (const char *map, BnTraceFormat *format, GStringChunk *strings, GError **error)
{
  g_auto (GStrv) items = g_strsplit (map, ",", -1);

  *format = (BnTraceFormat) { .name = "csv", .separator = ',' };
  for (char **item = items; *item != NULL; item++)
    {
      char *equals = strchr (g_strstrip (*item), '=');
      if (equals == NULL)
        return fail (error, "give KEY=VALUE, as time=arrival:ms", *item);
      *equals = '\0';
      if (!parse_item (g_strstrip (*item), g_strstrip (equals + 1), format, strings, error))
        return FALSE;
    }
  if (format->time == NULL)
    return fail (error, "says nothing of the time; add time=COLUMN:UNIT", map);
  if ((format->start == NULL) != (format->end == NULL))
    return fail (error, "start and end come together", map);
  return TRUE;
}
