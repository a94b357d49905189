/* json_depth.h: how deeply a text in JSON is nested.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_JSON_DEPTH_H
#define BN_JSON_DEPTH_H

#include <glib.h>

/* json-glib's parser recurses into arrays and objects without a bound of its own: what is read from others is
 * looked at first. No trace, workflow or message comes near. */
#define BN_JSON_MAX_DEPTH 100

/* Whether arrays and objects stand in each other more than BN_JSON_MAX_DEPTH deep; brackets in texts and comments do
 * not count. `text` need not be JSON. O(length). */
gboolean bn_json_is_too_deep (const char *text);

#endif
