/* row_sorter.h: rows in order of time, whatever order they came in.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * An external merge sort (D. E. Knuth, The Art of Computer Programming 3, section 5.4): up to
 * `memory_bytes` of rows are sorted at a time and written to a temporary file without a name,
 * then the runs are merged. Rows of one time keep their order. Memory: `memory_bytes`, then a
 * quarter of a MiB for each run.
 */
#ifndef BN_ROW_SORTER_H
#define BN_ROW_SORTER_H

#include "row_reader.h"

#define BN_ROW_SORTER_MEMORY_BYTES (64u << 20)

typedef struct BnRowSorter BnRowSorter;

BnRowSorter *bn_row_sorter_new (guint n_columns, gsize memory_bytes);
void bn_row_sorter_free (BnRowSorter *sorter);

/* Takes a copy. FALSE with `error` set where the temporary file cannot be written. */
gboolean bn_row_sorter_add (BnRowSorter *sorter, const BnImportRow *row, GError **error);

/* After the last row. FALSE as above. */
gboolean bn_row_sorter_finish (BnRowSorter *sorter, GError **error);

/* The next row in order of time: BN_ROW, BN_ROW_END or BN_ROW_ERROR. */
BnRowStatus bn_row_sorter_next (BnRowSorter *sorter, BnImportRow *row, GError **error);

#endif
