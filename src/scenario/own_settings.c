/* own_settings.c: settings of a scheduler that the program does not know and only passes on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "own_settings.h"

#include <string.h>

#include "input_error.h"
#include "units.h"

static gboolean
is_own_name (const char *name)
{
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

  return *name != '\0' && name[strspn (name, allowed)] == '\0';
}

/* Whether the text is one line of UTF-8, so that it can be recorded and told. */
static gboolean
is_plain_text (const char *text)
{
  gboolean plain = g_utf8_validate (text, -1, NULL);

  for (const char *p = text; plain && *p != '\0'; p++)
    plain = !g_ascii_iscntrl (*p);
  return plain;
}

/* Where it belongs among those that are there, by name. FALSE: it is there already. */
static gboolean
find_own (char **settings, const char *name, guint *place)
{
  for (*place = 0; settings != NULL && settings[*place] != NULL; (*place)++)
    {
      g_autofree char *other = g_strndup (settings[*place], strcspn (settings[*place], "="));
      int order = strcmp (other, name);
      if (order >= 0)
        return order > 0;
    }
  return TRUE;
}

static gboolean
fail (GError **error, const char *item, const char *what)
{
  g_autofree char *quoted = bn_quote (item);

  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s %s", quoted, what);
}

gboolean
bn_own_settings_add (char ***settings, const char *item, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (item + strlen (BN_OWN_PREFIX), "=", 2);
  const char *name = parts[0] != NULL ? g_strstrip (parts[0]) : "", *value = parts[0] != NULL ? parts[1] : NULL;
  guint n = *settings != NULL ? g_strv_length (*settings) : 0, place;

  if (value == NULL || !is_own_name (name) || !is_plain_text (value))
    return fail (error, item, "cannot be told to the program; write " BN_OWN_PREFIX "NAME=VALUE, the name of letters, digits,"
                              " - _ and ., the value in one line");
  if (!find_own (*settings, name, &place))
    return fail (error, item, "is set twice; set it once");
  *settings = g_renew (char *, *settings, n + 2);
  memmove (*settings + place + 1, *settings + place, (n - place) * sizeof **settings);
  (*settings)[place] = g_strdup_printf ("%s=%s", name, g_strstrip (parts[1]));
  (*settings)[n + 1] = NULL;
  return TRUE;
}
