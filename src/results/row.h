/* row.h: a row on its way into a table.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Values in order of columns, put into a statement later, perhaps by another thread:
 * nothing of the run is needed any more then.
 */
#ifndef BN_ROW_H
#define BN_ROW_H

#include <glib.h>
#include <sqlite3.h>

#include "bn.h"

typedef enum
{
  BN_CELL_NULL,
  BN_CELL_INTEGER,
  BN_CELL_REAL,
  BN_CELL_TEXT,   /* constant                 */
  BN_CELL_OWNED   /* freed when the row is put */
} BnCellKind;

typedef struct BnCell
{
  BnCellKind kind;
  union
  {
    int64_t integer;
    double real;
    const char *text;
    char *owned;
  };
} BnCell;

/* The most columns of a table that is written while a run goes on. */
#define BN_ROW_MAX_CELLS 24

typedef struct BnRow
{
  uint32_t table;   /* the caller's number of it */
  uint32_t n_cells;
  BnCell cells[BN_ROW_MAX_CELLS];
} BnRow;

static inline BnCell *
bn_row_next (BnRow *row, BnCellKind kind)
{
  g_assert (row->n_cells < BN_ROW_MAX_CELLS);
  BnCell *cell = &row->cells[row->n_cells++];

  cell->kind = kind;
  return cell;
}

static inline void
bn_row_null (BnRow *row)
{
  bn_row_next (row, BN_CELL_NULL);
}

static inline void
bn_row_int (BnRow *row, int64_t value)
{
  bn_row_next (row, BN_CELL_INTEGER)->integer = value;
}

/* NULL for a negative one: an index that is BN_NONE, a duration not known. */
static inline void
bn_row_index (BnRow *row, int64_t value)
{
  bn_row_next (row, value < 0 ? BN_CELL_NULL : BN_CELL_INTEGER)->integer = value;
}

/* NULL for BN_TIME_NEVER. */
static inline void
bn_row_time (BnRow *row, BnTime value)
{
  bn_row_next (row, value == BN_TIME_NEVER ? BN_CELL_NULL : BN_CELL_INTEGER)->integer = value;
}

static inline void
bn_row_real (BnRow *row, double value)
{
  bn_row_next (row, BN_CELL_REAL)->real = value;
}

/* Not copied: a constant. */
static inline void
bn_row_text (BnRow *row, const char *text)
{
  bn_row_next (row, BN_CELL_TEXT)->text = text;
}

static inline void
bn_row_copy_text (BnRow *row, const char *text)
{
  bn_row_next (row, BN_CELL_OWNED)->owned = g_strdup (text);
}

/* Binds and steps, and frees what the row owns; it has a cell for each parameter of the statement. Returns: SQLite's result code. */
int bn_row_put (BnRow *row, sqlite3_stmt *stmt);

#endif
