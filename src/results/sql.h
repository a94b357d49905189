/* sql.h: short forms of what is said to SQLite again and again.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Return values are SQLite's result codes. Text is bound without a copy: it must
 * live until the statement is stepped.
 */
#ifndef BN_SQL_H
#define BN_SQL_H

#include <glib.h>
#include <sqlite3.h>

#include "bn.h"

/* Prepares `INSERT INTO table VALUES (?1, …)` with all the table's columns. */
int bn_sql_prepare_insert (sqlite3 *db, const char *table, sqlite3_stmt **ret);

/* Steps a statement that returns no row, and makes it ready for the next. Its
 * bindings stay. */
int bn_sql_put (sqlite3_stmt *stmt);

/* Sets `error` to what the connection failed at last, for somebody who reads a
 * results file. Returns: FALSE. */
gboolean bn_sql_fail (sqlite3 *db, GError **error);

/* Whether the file has a table: those of older programs lack some. */
gboolean bn_sql_has_table (sqlite3 *db, const char *name);

static inline void
bn_sql_int (sqlite3_stmt *stmt, int column, int64_t value)
{
  sqlite3_bind_int64 (stmt, column, value);
}

/* NULL for a negative one: an index that is BN_NONE, a duration not known. */
static inline void
bn_sql_index (sqlite3_stmt *stmt, int column, int64_t value)
{
  if (value < 0)
    sqlite3_bind_null (stmt, column);
  else
    sqlite3_bind_int64 (stmt, column, value);
}

/* NULL for BN_TIME_NEVER. */
static inline void
bn_sql_time (sqlite3_stmt *stmt, int column, BnTime value)
{
  if (value == BN_TIME_NEVER)
    sqlite3_bind_null (stmt, column);
  else
    sqlite3_bind_int64 (stmt, column, value);
}

static inline void
bn_sql_text (sqlite3_stmt *stmt, int column, const char *text)
{
  sqlite3_bind_text (stmt, column, text, -1, SQLITE_STATIC);
}

/* NULL for 0 and less: a rate or a load that is not known. */
static inline void
bn_sql_positive (sqlite3_stmt *stmt, int column, double value)
{
  if (value > 0)
    sqlite3_bind_double (stmt, column, value);
  else
    sqlite3_bind_null (stmt, column);
}

#endif
