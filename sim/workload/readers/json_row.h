/* json_row.h: an object in JSON as rows of fields.
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

/* Parses `text`, an object; the rows in it are the elements of its member `each` (a path as below), or it is one
 * itself (NULL). FALSE with `error` set, without a place, for what is no object, or where `each` is no array. */
gboolean bn_json_row_parse (BnJsonRow *row, const char *text, const char *each, GError **error);

/* How many rows the object last parsed has. */
guint bn_json_row_n_rows (const BnJsonRow *row);

/* Sets fields[i] to what `names[i]` (NULL-terminated) leads to from row `i_row`, or else from the object, as text, valid
 * until the next call: numbers so that they read back the same, "" for what is missing, null, an array or an object.
 * A name is a path of members and of places in arrays, from the end where negative: attempts.-1.end_time. */
void bn_json_row_fields (BnJsonRow *row, guint i_row, const char *const *names, char **fields);

#endif
