/* flow_formats.c: formats of workflow files, and which one a file has.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flow_formats.h"

#include <string.h>

#include "byte_stream.h"

#define MAX_BYTES (1u << 30)

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

/* All bytes of a file, of standard input, of what is in gzip or the first member of an archive; NULL with `error` set. */
static char *
unwrap (const char *path, gsize *length, GError **error)
{
  BnByteStream *stream = bn_byte_stream_open (path, FALSE, error);
  GString *text = g_string_new (NULL);
  const char *block;
  gboolean ok = FALSE;

  while (stream != NULL && (ok = bn_byte_stream_next (stream, &block, length, error)) && *length > 0
         && text->len <= MAX_BYTES)
    g_string_append_len (text, block, (gssize) *length);
  bn_byte_stream_close (stream);
  if (ok && text->len > MAX_BYTES)
    ok = bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 }, "is longer than 1 GiB; is this a workflow?");
  *length = text->len;
  return g_string_free (text, !ok);
}

/* Its text, without a byte order mark; `name` is for messages; NULL with `error` set. */
static char *
read_text (const char *path, const char *name, gsize *length, GError **error)
{
  g_autofree char *text = unwrap (path, length, error);
  const char *what;

  if (text == NULL)
    return NULL;
  if (strlen (text) != *length)
    bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { name, 0 }, "is no text");
  else if ((what = known_as (text)) != NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { name, 0 }, "%s", what);
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
  const char *name = strcmp (path, "-") == 0 ? "standard input" : path;
  g_autofree char *text = read_text (path, name, &length, error);
  const BnFlowFormat *found = text != NULL ? find_format (text, name, format, error) : NULL;

  if (found == NULL)
    return NULL;
  g_autofree char *base = g_path_get_basename (name);
  if (strrchr (base, '.') != NULL && strrchr (base, '.') != base)
    *strrchr (base, '.') = '\0';
  BnFlow *flow = bn_flow_new (base);
  if (ret_format != NULL)
    *ret_format = found->name;
  if (found->read (flow, text, length, name, error) && bn_flow_finish (flow, name, error))
    return flow;
  bn_flow_free (flow);
  return NULL;
}
