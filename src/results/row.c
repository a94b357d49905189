/* row.c: a row on its way into a table.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "row.h"

#include "sql.h"

int
bn_row_put (BnRow *row, sqlite3_stmt *stmt)
{
  g_assert (row->n_cells == (uint32_t) sqlite3_bind_parameter_count (stmt));
  for (uint32_t i = 0; i < row->n_cells; i++)
    {
      const BnCell *cell = &row->cells[i];
      int column = (int) i + 1;
      switch (cell->kind)
        {
        case BN_CELL_NULL:
          sqlite3_bind_null (stmt, column);
          break;
        case BN_CELL_INTEGER:
          sqlite3_bind_int64 (stmt, column, cell->integer);
          break;
        case BN_CELL_REAL:
          sqlite3_bind_double (stmt, column, cell->real);
          break;
        case BN_CELL_TEXT:
          bn_sql_text (stmt, column, cell->text);
          break;
        case BN_CELL_OWNED:
          sqlite3_bind_text (stmt, column, cell->owned, -1, g_free);
          break;
        }
    }
  return bn_sql_put (stmt);
}
