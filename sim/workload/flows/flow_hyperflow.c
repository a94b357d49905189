/* flow_hyperflow.c: HyperFlow's JSON.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A process is known by its position, for names repeat. ins and outs are signals, by position or by name. It
 * states no runtimes; sizes where a signal has one.
 */
#include "flow_formats.h"
#include "flow_json.h"

#include <string.h>

typedef struct Signals
{
  JsonArray *list;      /* NULL: there are none */
  GHashTable *by_name;  /* to JsonObject        */
} Signals;

static Signals
index_signals (JsonArray *list)
{
  Signals signals = { list, g_hash_table_new (g_str_hash, g_str_equal) };

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *signal = bn_flow_json_object_at (list, i);
      const char *name = bn_flow_json_text (signal, "name");
      if (name != NULL)
        g_hash_table_insert (signals.by_name, (gpointer) name, signal);
    }
  return signals;
}

/* The name of the signal that an element of ins or outs stands for, and its size; NULL with `error` set. */
static const char *
signal_of (const Signals *signals, JsonNode *element, int64_t *bytes, guint process, const char *path, GError **error)
{
  gboolean is_value = JSON_NODE_HOLDS_VALUE (element);
  guint n = signals->list != NULL ? json_array_get_length (signals->list) : 0;

  if (is_value && json_node_get_value_type (element) == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (element);
      *bytes = bn_flow_json_bytes (g_hash_table_lookup (signals->by_name, text), "size");
      return text;
    }
  int64_t i = is_value && json_node_get_value_type (element) == G_TYPE_INT64 ? json_node_get_int (element) : -1;
  JsonObject *signal = i >= 0 && i < n ? bn_flow_json_object_at (signals->list, (guint) i) : NULL;
  const char *name = bn_flow_json_text (signal, "name");
  if (name == NULL)
    bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 },
                   "process %u: one of its ins or outs is not the number of a signal with a name", process + 1);
  *bytes = bn_flow_json_bytes (signal, "size");
  return name;
}

static gboolean
use_signals (BnFlow *flow, guint process, JsonArray *list, const Signals *signals, gboolean makes, const char *path,
             GError **error)
{
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      int64_t bytes;
      const char *name = signal_of (signals, json_array_get_element (list, i), &bytes, process, path, error);
      if (name == NULL)
        return FALSE;
      bn_flow_use (flow, process, name, bytes, makes);
    }
  return TRUE;
}

static gboolean
add_process (BnFlow *flow, guint i, JsonObject *process, const Signals *signals, const char *path, GError **error)
{
  g_autofree char *id = g_strdup_printf ("%u", i + 1);
  const char *name = bn_flow_json_text (process, "name");

  if (process == NULL)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 }, "process %u is no object", i + 1);
  return bn_flow_add_task (flow, id, name != NULL ? name : id, -1, (BnPlace) { path, 0 }, error) != G_MAXUINT
         && use_signals (flow, i, bn_flow_json_array (process, "ins"), signals, FALSE, path, error)
         && use_signals (flow, i, bn_flow_json_array (process, "outs"), signals, TRUE, path, error);
}

static gboolean
read_hyperflow (BnFlow *flow, const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonObject *root = bn_flow_json_parse (parser, text, length, path, error);
  JsonArray *processes = bn_flow_json_array (root, "processes");
  JsonArray *list = bn_flow_json_array (root, "signals");
  Signals signals = index_signals (list != NULL ? list : bn_flow_json_array (root, "data"));
  gboolean ok = root != NULL
                && (processes != NULL
                    || bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { path, 0 },
                                      "has no array \"processes\""));

  if (bn_flow_json_text (root, "name") != NULL)
    bn_flow_set_name (flow, bn_flow_json_text (root, "name"));
  for (guint i = 0; ok && i < json_array_get_length (processes); i++)
    ok = add_process (flow, i, bn_flow_json_object_at (processes, i), &signals, path, error);
  g_hash_table_unref (signals.by_name);
  return ok;
}

static gboolean
detect (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '{' && strstr (text, "\"processes\"") != NULL;
}

const BnFlowFormat bn_flow_hyperflow = { "hyperflow", "HyperFlow (JSON)", detect, read_hyperflow };
