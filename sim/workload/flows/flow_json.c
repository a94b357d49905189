/* flow_json.c: what readers of workflows in JSON have in common.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flow_json.h"

#include "json_depth.h"

JsonObject *
bn_flow_json_parse (JsonParser *parser, const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;
  BnPlace place = { path, 0 };

  if (bn_json_is_too_deep (text))
    {
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "is nested too deeply; is this a workflow?");
      return NULL;
    }
  if (!json_parser_load_from_data (parser, text, (gssize) length, &reason))
    {
      place.line = json_parser_get_current_line (parser);
      bn_input_fail (error, BN_INPUT_ERROR_SYNTAX, place, "is no JSON: %s", reason->message);
      return NULL;
    }
  JsonNode *root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return json_node_get_object (root);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, place, "is JSON, but no object");
  return NULL;
}

JsonObject *
bn_flow_json_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

JsonArray *
bn_flow_json_array (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static const char *
text_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

const char *
bn_flow_json_text (JsonObject *object, const char *name)
{
  return object != NULL ? text_of (json_object_get_member (object, name)) : NULL;
}

double
bn_flow_json_number (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  return type == G_TYPE_INT64    ? (double) json_node_get_int (node)
         : type == G_TYPE_DOUBLE ? json_node_get_double (node)
                                 : -1;
}

int64_t
bn_flow_json_bytes (JsonObject *object, const char *name)
{
  double bytes = bn_flow_json_number (object, name);

  return bytes >= 0 && bytes < 9e18 ? (int64_t) bytes : -1;
}

JsonObject *
bn_flow_json_object_at (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

const char *
bn_flow_json_text_at (JsonArray *array, guint i)
{
  return text_of (json_array_get_element (array, i));
}
