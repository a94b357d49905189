/* sql.c: short forms of what is said to SQLite again and again.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sql.h"

#include "cli.h"

static int
count_columns (sqlite3 *db, const char *table, int *ret)
{
  char *sql = sqlite3_mprintf ("SELECT * FROM %w", table);
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);

  *ret = rc == SQLITE_OK ? sqlite3_column_count (stmt) : 0;
  sqlite3_finalize (stmt);
  sqlite3_free (sql);
  return rc;
}

int
bn_sql_prepare_insert (sqlite3 *db, const char *table, sqlite3_stmt **ret)
{
  GString *sql = g_string_new (NULL);
  int n = 0, rc = count_columns (db, table, &n);

  if (rc == SQLITE_OK)
    {
      g_string_printf (sql, "INSERT INTO %s VALUES (", table);
      for (int i = 1; i <= n; i++)
        g_string_append_printf (sql, i == 1 ? "?%d" : ",?%d", i);
      g_string_append_c (sql, ')');
      rc = sqlite3_prepare_v3 (db, sql->str, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL);
    }
  g_string_free (sql, TRUE);
  return rc;
}

int
bn_sql_put (sqlite3_stmt *stmt)
{
  sqlite3_step (stmt);
  return sqlite3_reset (stmt);
}

gboolean
bn_sql_fail (sqlite3 *db, GError **error)
{
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "cannot read results: %s", sqlite3_errmsg (db));
  return FALSE;
}

gboolean
bn_sql_has_table (sqlite3 *db, const char *name)
{
  return sqlite3_table_column_metadata (db, "main", name, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}
