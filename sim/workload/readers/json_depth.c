/* json_depth.c: how deeply a text in JSON is nested.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "json_depth.h"

#include <string.h>

/* Behind the text or comment that begins at c, as json-glib cuts them (it takes texts in single quotes, without
 * escapes, and comments as well); c itself where none begins there. */
static const char *
skip_text (const char *c)
{
  if (c[0] == '/' && c[1] == '*')
    {
      const char *end = strstr (c + 2, "*/");
      return end != NULL ? end + 2 : c + strlen (c);
    }
  if (*c != '"' && *c != '\'')
    return c;
  char quote = *c++;
  for (; *c != '\0' && *c != quote; c++)
    c += quote == '"' && *c == '\\' && c[1] != '\0';
  return *c != '\0' ? c + 1 : c;
}

gboolean
bn_json_is_too_deep (const char *text)
{
  const char *c = text;
  int depth = 0;

  while (*c != '\0' && depth <= BN_JSON_MAX_DEPTH)
    {
      const char *behind = skip_text (c);
      depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
      c = behind > c ? behind : c + 1;
    }
  return depth > BN_JSON_MAX_DEPTH;
}
