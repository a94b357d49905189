/* trace_format.c: which format a file has.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_format.h"

#include <string.h>

#include "input_error.h"
#include "records.h"
#include "units.h"

static const BnTraceFormat *const named[] = { bn_formats_llm, bn_formats_cluster };

void
bn_trace_formats_foreach (void (*each) (const BnTraceFormat *format, gpointer data), gpointer data)
{
  for (gsize g = 0; g < G_N_ELEMENTS (named); g++)
    for (const BnTraceFormat *f = named[g]; f->name != NULL; f++)
      each (f, data);
}

static void
add_name (const BnTraceFormat *format, gpointer names)
{
  g_ptr_array_add (names, (gpointer) format->name);
}

const BnTraceFormat *
bn_trace_format_find (const char *name, GError **error)
{
  for (gsize g = 0; g < G_N_ELEMENTS (named); g++)
    for (const BnTraceFormat *f = named[g]; f->name != NULL; f++)
      if (strcmp (f->name, name) == 0)
        return f;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  bn_trace_formats_foreach (add_name, names);
  g_ptr_array_add (names, (gpointer) "csv");
  g_ptr_array_add (names, NULL);
  g_autofree char *quoted = bn_quote (name), *hint = bn_input_hint (name, (const char *const *) names->pdata);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                 "%s is not a format of traces%s; binnacle list traces has them all", quoted, hint);
  return NULL;
}

static gboolean
has_all (const BnTraceFormat *format, GPtrArray *fields)
{
  for (const char *const *need = format->needs; *need != NULL; need++)
    if (!g_ptr_array_find_with_equal_func (fields, *need, g_str_equal, NULL))
      return FALSE;
  return TRUE;
}

/* The keys of objects are seen as texts in quotes: their values are numbers and arrays, and
 * whether they are well formed shows when they are read. */
static gboolean
has_keys (const BnTraceFormat *format, const char *text)
{
  for (const char *const *need = format->needs; *need != NULL; need++)
    {
      g_autofree char *key = g_strdup_printf ("\"%s\"", *need);
      if (strstr (text, key) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* The first line of `text` that is no comment. Returns: (transfer full). */
static char *
first_line (const char *text, char comment)
{
  while (*text == '\n' || *text == '\r' || (comment != '\0' && *text == comment))
    {
      const char *end = strchr (text, '\n');
      if (end == NULL)
        return g_strdup ("");
      text = end + 1;
    }
  return g_strndup (text, strcspn (text, "\n"));
}

/* Whether it is an array whose first element begins with this character, '0' for any digit. */
static gboolean
begins_array_of (const char *text, char first)
{
  text += strspn (text, " \t\r\n");
  if (*text++ != '[')
    return FALSE;
  text += strspn (text, " \t\r\n");
  return *text == first || (first == '0' && g_ascii_isdigit (*text));
}

static gboolean
is_like (const BnTraceFormat *format, const char *text)
{
  g_autofree char *line = first_line (text, format->comment);

  if (format->json == BN_JSON_ARRAY)
    return begins_array_of (text, '{') && has_keys (format, text);
  if (format->json == BN_JSON_LINES)
    return *line == '{' && has_keys (format, line);
  for (char *c = line; *c != '\0'; c++) /* names may stand in quotes */
    if (*c == '"' && !format->headless)
      *c = ' ';
  g_autoptr (GPtrArray) fields = bn_records_split (line, format->separator);
  return format->headless ? format->looks ((char *const *) fields->pdata, fields->len) : has_all (format, fields);
}

static gboolean
begins (const char *text, const char *with)
{
  return g_ascii_strncasecmp (text, with, strlen (with)) == 0;
}

/* Whether the first line is a whole object, as in a file of an object a line. */
static gboolean
ends_with_brace (const char *text)
{
  gsize length = strcspn (text, "\n");

  while (length > 0 && g_ascii_isspace (text[length - 1]))
    length--;
  return length > 1 && text[length - 1] == '}';
}

/* Whether the first line is longer than what is seen of the file. */
static gboolean
is_cut (const char *text)
{
  return strchr (text, '\n') == NULL;
}

static const char an_array[] = "is an array in JSON; give an object a line, or CSV";
static const char an_object[] = "is one object in JSON and no arrival trace; binnacle workflow reads workflows";

/* What is no table of rows at all; NULL: it may be one. */
static const char *
other_kind (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  if (*text == '\0')
    return "is empty; is the download complete?";
  if (begins (text, "version https://git-lfs"))
    return "is a Git LFS pointer and not the data; fetch that with git lfs pull";
  if (begins (text, "<!doctype html") || begins (text, "<html"))
    return "is a page of HTML, an error message of a server perhaps; download it again";
  if (*text == '<')
    return "is XML and no arrival trace; binnacle workflow reads workflows";
  if (*text == '[' && !begins_array_of (text, '{') && !begins_array_of (text, '0'))
    return an_array;
  if (*text != '{' || ends_with_brace (text))
    return NULL;
  if (strstr (text, "\"input_tokens\"") != NULL || strstr (text, "\"text_tokens\"") != NULL)
    return "holds distributions of lengths of one ServeGen client and no arrivals";
  return is_cut (text) ? NULL : an_object;
}

const BnTraceFormat *
bn_trace_format_detect (const char *head, gsize length, const char *name, GError **error)
{
  static const BnTraceFormat *const all[] = { bn_formats_llm, bn_formats_cluster, bn_formats_other };
  g_autofree char *text = g_strndup (head, length);
  const char *other = other_kind (text);

  if (other != NULL)
    {
      bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { name, 0 }, "%s", other);
      return NULL;
    }
  for (gsize g = 0; g < G_N_ELEMENTS (all); g++)
    for (const BnTraceFormat *f = all[g]; f->name != NULL; f++)
      if (is_like (f, text))
        return f;
  const char *begin = text + strspn (text, " \t\r\n");
  if (*begin == '[' || (*begin == '{' && is_cut (begin)))
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { name, 0 }, "%s", *begin == '[' ? an_array : an_object);
  return NULL;
}
