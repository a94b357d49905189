/* input_error.c: errors about what a person wrote, with file and line.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "input_error.h"

#include "units.h"

G_DEFINE_QUARK (bn-input-error-quark, bn_input_error)

static char *
place_text (BnPlace place)
{
  if (place.file == NULL)
    return g_strdup ("");
  if (place.line == 0)
    return g_strdup_printf ("%s: ", place.file);
  return g_strdup_printf ("%s:%u: ", place.file, place.line);
}

/* What libraries say of a file may hold any of its bytes: a message is one line of UTF-8 all the same.
 * Returns: (transfer full). */
static char *
as_line (const char *text)
{
  char *line = g_utf8_make_valid (text, -1);

  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return line;
}

gboolean
bn_input_fail (GError **error, BnInputError code, BnPlace place, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  char *where = place_text (place), *line = as_line (what);
  g_set_error (error, BN_INPUT_ERROR, (int) code, "%s%s", where, line);
  g_free (where);
  g_free (line);
  g_free (what);
  return FALSE;
}

gboolean
bn_input_prefix (GError **error, BnPlace place, const char *key)
{
  char *where = place_text (place);
  g_prefix_error (error, "%s%s: ", where, key);
  g_free (where);
  return FALSE;
}

char *
bn_input_hint (const char *word, const char *const *known)
{
  const char *nearest = bn_nearest_word (word, known);
  if (nearest == NULL)
    return g_strdup ("");
  char *quoted = bn_quote (nearest), *hint = g_strdup_printf (" (did you mean %s?)", quoted);
  g_free (quoted);
  return hint;
}
