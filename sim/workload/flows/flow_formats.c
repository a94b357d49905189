/* flow_formats.c: formats of workflow files, and which one a file has.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flow_formats.h"

#include <math.h>
#include <string.h>

const BnFlowFormat *const bn_flow_formats[]
  = { &bn_flow_dax, &bn_flow_wfformat, &bn_flow_hyperflow, &bn_flow_dot, NULL };

BnDuration
bn_flow_seconds (double seconds)
{
  return seconds >= 0 && seconds < 1e9 ? bn_round_half_up (seconds * 1e9) : -1;
}

/* What is no workflow of anybody, by its beginning; NULL: it may be one. */
static const char *
known_as (const char *text)
{
  const char *begin = text + strspn (text, " \t\r\n");

  if (*begin == '\0')
    return "is empty";
  if (g_str_has_prefix (begin, "version https://git-lfs"))
    return "is a pointer of Git LFS, not the file itself; fetch it with git lfs pull";
  if (g_ascii_strncasecmp (begin, "<!doctype html", 14) == 0 || g_ascii_strncasecmp (begin, "<html", 5) == 0)
    return "is a web page, an error page perhaps; download the file itself";
  return NULL;
}

static const BnFlowFormat *
find_format (const char *text, const char *path, const char *name, GError **error)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; bn_flow_formats[i] != NULL; i++)
    {
      const BnFlowFormat *format = bn_flow_formats[i];
      if (name != NULL ? strcmp (format->name, name) == 0 : format->detect (text))
        {
          g_string_free (names, TRUE);
          return format;
        }
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", format->name);
    }
  if (name != NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "'%s' is no format of workflows; there are %s", name,
                   names->str);
  else
    bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { path, 0 },
                   "looks like no workflow file that is known (%s); name its format if it is one", names->str);
  g_string_free (names, TRUE);
  return NULL;
}

/* Its text, without a byte order mark; NULL with `error` set. */
static char *
read_text (const char *path, gsize *length, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL;
  const char *what;

  if (!g_file_get_contents (path, &text, length, &reason))
    bn_input_fail (error, BN_INPUT_ERROR_READ, (BnPlace) { path, 0 }, "cannot read this workflow: %s", reason->message);
  else if (strlen (text) != *length)
    bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { path, 0 }, "is no text");
  else if ((what = known_as (text)) != NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 }, "%s", what);
  else if (!g_str_has_prefix (text, "\xef\xbb\xbf"))
    return g_steal_pointer (&text);
  else
    {
      *length -= 3;
      return g_strdup (text + 3);
    }
  return NULL;
}

BnFlow *
bn_flow_read (const char *path, const char *format, const char **ret_format, GError **error)
{
  gsize length;
  g_autofree char *text = read_text (path, &length, error);
  const BnFlowFormat *found = text != NULL ? find_format (text, path, format, error) : NULL;

  if (found == NULL)
    return NULL;
  g_autofree char *base = g_path_get_basename (path);
  if (strrchr (base, '.') != NULL && strrchr (base, '.') != base)
    *strrchr (base, '.') = '\0';
  BnFlow *flow = bn_flow_new (base);
  if (ret_format != NULL)
    *ret_format = found->name;
  if (found->read (flow, text, length, path, error) && bn_flow_finish (flow, path, error))
    return flow;
  bn_flow_free (flow);
  return NULL;
}
