/* json_row.h: an object in JSON as the fields of a row.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Parsing is json-glib's.
 */
#ifndef BN_JSON_ROW_H
#define BN_JSON_ROW_H

#include <glib.h>

/* A longer line is refused: parsing takes some ten times its size in memory. */
#define BN_JSON_ROW_MAX_BYTES (1u << 20)

typedef struct BnJsonRow BnJsonRow;

BnJsonRow *bn_json_row_new (void);
void bn_json_row_free (BnJsonRow *row);

/* Parses `line` and sets fields[i] to the member `names[i]` (NULL-terminated) as text, valid
 * until the next call: numbers so that they read back the same, "" for what is missing, null, an
 * array or an object. FALSE with `error` set, without a place, for what is no object. */
gboolean bn_json_row_parse (BnJsonRow *row, const char *line, const char *const *names, char **fields,
                            GError **error);

#endif
