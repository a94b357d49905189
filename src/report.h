/* report.h: tables, as aligned text, CSV or JSON.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A table is columns with units and rows of cells. Text has titles and, below
 * them, units, and leaves out columns in which every cell is missing; CSV has one
 * header line of `key` or `key_unit`; JSON is an array of objects with the same
 * names, a missing cell null. Numbers look the same in every locale. Text shows
 * reals to the column's decimals; CSV and JSON with all 17 digits that may matter,
 * fewer where fewer say the same.
 */
#ifndef BN_REPORT_H
#define BN_REPORT_H

#include <stdio.h>

#include <glib.h>

#include "cli.h"

/* A column for machines only. */
#define BN_NOT_IN_TEXT 0x100u

typedef struct BnColumn
{
  const char *key;        /* `latency_p99`: header in CSV and JSON, with the unit   */
  const char *title;      /* `p99 latency`: header in text                          */
  const char *unit;       /* "" for text and plain numbers; in keys `/` is `_per_`,
                             `%` is `pct`                                           */
  guint decimals;         /* of reals, in text; | BN_NOT_IN_TEXT: text leaves it out */
} BnColumn;

typedef struct BnTable BnTable;

/* `columns` and its texts are copied. */
BnTable *bn_table_new (const BnColumn *columns, guint n_columns);
void bn_table_free (BnTable *table);

/* Cells fill rows from left to right. A real that is not finite is missing. */
void bn_table_text (BnTable *table, const char *text);
void bn_table_integer (BnTable *table, gint64 value);
void bn_table_real (BnTable *table, double value);
void bn_table_missing (BnTable *table);

guint bn_table_n_rows (const BnTable *table);

/* Whole rows only (asserted). FALSE with `error` set where `file` cannot be
 * written; it has been flushed. */
gboolean bn_table_print (const BnTable *table, BnCliFormat format, FILE *file, GError **error);

#endif
