/* json_row.c: an object in JSON as the fields of a row.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "json_row.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "input_error.h"
#include "units.h"

struct BnJsonRow
{
  JsonParser *parser;
  GPtrArray *texts;  /* (element-type char *), owned: those of the row last read */
};

BnJsonRow *
bn_json_row_new (void)
{
  BnJsonRow *row = g_new0 (BnJsonRow, 1);

  row->parser = json_parser_new_immutable ();
  row->texts = g_ptr_array_new_with_free_func (g_free);
  return row;
}

void
bn_json_row_free (BnJsonRow *row)
{
  if (row == NULL)
    return;
  g_object_unref (row->parser);
  g_ptr_array_unref (row->texts);
  g_free (row);
}

static char *
value_text (JsonNode *node)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return g_strdup ("");
  switch (json_node_get_value_type (node))
    {
    case G_TYPE_INT64:
      return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
    case G_TYPE_DOUBLE:
      return bn_format_real (json_node_get_double (node));
    case G_TYPE_BOOLEAN:
      return g_strdup (json_node_get_boolean (node) ? "true" : "false");
    default:
      return g_strdup (json_node_get_string (node));
    }
}

static gboolean
fail (GError **error, const char *what)
{
  return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { 0 }, "%s", what);
}

gboolean
bn_json_row_parse (BnJsonRow *row, const char *line, const char *const *names, char **fields, GError **error)
{
  gsize length = strlen (line);

  if (length > BN_JSON_ROW_MAX_BYTES)
    return fail (error, "the object is longer than 1 MiB; is this a trace?");
  /* the parser recurses: brackets are bounded before it sees them */
  int depth = 0, deepest = 0;
  for (const char *c = line; *c != '\0'; c++)
    {
      depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
      deepest = MAX (deepest, depth);
    }
  if (deepest > 100)
    return fail (error, "the object is nested too deeply; is this a trace?");
  /* its own message has a line of its own and several sentences */
  if (!json_parser_load_from_data (row->parser, line, (gssize) length, NULL))
    return fail (error, "is no object in JSON; each line must be a whole one");
  JsonNode *root = json_parser_get_root (row->parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return fail (error, "is no object in JSON; each line must be a whole one");
  g_ptr_array_set_size (row->texts, 0);
  for (guint i = 0; names[i] != NULL; i++)
    {
      fields[i] = value_text (json_object_get_member (json_node_get_object (root), names[i]));
      g_ptr_array_add (row->texts, fields[i]);
    }
  return TRUE;
}
