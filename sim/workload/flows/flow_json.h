/* flow_json.h: what readers of workflows in JSON have in common.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_FLOW_JSON_H
#define BN_FLOW_JSON_H

#include <json-glib/json-glib.h>

#include "flow.h"

/* The object that the text is; NULL with `error` set. Returns: (transfer none), the parser's. */
JsonObject *bn_flow_json_parse (JsonParser *parser, const char *text, gsize length, const char *path, GError **error);

/* A member of that kind; NULL, or -1, where there is none or it is of another kind. (transfer none) */
JsonObject *bn_flow_json_object (JsonObject *object, const char *name);
JsonArray *bn_flow_json_array (JsonObject *object, const char *name);
const char *bn_flow_json_text (JsonObject *object, const char *name);
double bn_flow_json_number (JsonObject *object, const char *name);
int64_t bn_flow_json_bytes (JsonObject *object, const char *name);

/* Element i: an object or a text; else NULL. (transfer none) */
JsonObject *bn_flow_json_object_at (JsonArray *array, guint i);
const char *bn_flow_json_text_at (JsonArray *array, guint i);

#endif
