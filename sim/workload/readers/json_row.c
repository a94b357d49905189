/* json_row.c: an object in JSON as rows of fields.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "json_row.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "input_error.h"
#include "json_depth.h"
#include "units.h"

struct BnJsonRow
{
  JsonParser *parser;
  JsonNode *root;    /* of the parser; NULL before the first object */
  JsonArray *rows;   /* in it; NULL: it is one row                  */
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

/* What one step of a path leads to; NULL: nothing. */
static JsonNode *
step (JsonNode *node, const char *name)
{
  gint64 place;

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return json_object_get_member (json_node_get_object (node), name);
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node) || !bn_parse_integer (name, &place, NULL))
    return NULL;
  JsonArray *array = json_node_get_array (node);
  gint64 length = json_array_get_length (array), at = place < 0 ? place + length : place;
  return at >= 0 && at < length ? json_array_get_element (array, (guint) at) : NULL;
}

static JsonNode *
follow (JsonNode *node, const char *path)
{
  if (strchr (path, '.') == NULL)
    return step (node, path);
  g_auto (GStrv) names = g_strsplit (path, ".", -1);
  for (char **name = names; *name != NULL; name++)
    node = step (node, *name);
  return node;
}

gboolean
bn_json_row_parse (BnJsonRow *row, const char *text, const char *each, GError **error)
{
  gsize length = strlen (text);

  row->root = NULL;
  row->rows = NULL;
  if (length > BN_JSON_ROW_MAX_BYTES)
    return fail (error, "the object is longer than 1 MiB; is this a trace?");
  if (bn_json_is_too_deep (text))
    return fail (error, "the object is nested too deeply; is this a trace?");
  /* its own message has a line of its own and several sentences */
  if (!json_parser_load_from_data (row->parser, text, (gssize) length, NULL))
    return fail (error, "is no object in JSON; each must be a whole one");
  JsonNode *root = json_parser_get_root (row->parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return fail (error, "is no object in JSON; each must be a whole one");
  JsonNode *rows = each != NULL ? follow (root, each) : NULL;
  if (each != NULL && (rows == NULL || !JSON_NODE_HOLDS_ARRAY (rows)))
    return bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, (BnPlace) { 0 }, "the object has no array %s", each);
  row->root = root;
  row->rows = rows != NULL ? json_node_get_array (rows) : NULL;
  return TRUE;
}

guint
bn_json_row_n_rows (const BnJsonRow *row)
{
  return row->rows != NULL ? json_array_get_length (row->rows) : row->root != NULL ? 1 : 0;
}

void
bn_json_row_fields (BnJsonRow *row, guint i_row, const char *const *names, char **fields)
{
  JsonNode *from = row->rows != NULL ? json_array_get_element (row->rows, i_row) : row->root;

  g_ptr_array_set_size (row->texts, 0);
  for (guint i = 0; names[i] != NULL; i++)
    {
      JsonNode *found = follow (from, names[i]);
      fields[i] = value_text (found != NULL ? found : follow (row->root, names[i]));
      g_ptr_array_add (row->texts, fields[i]);
    }
}
