/* results_merge.c: takes the runs of one results file into another.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Both files are of this program's schema, so a table is copied as it is; every
 * table begins with run_id, and numbers of runs do not clash because they derive
 * from what a run is.
 */
#include "results_private.h"

#include "sql.h"

/* Names of the tables. Returns: (transfer full), NULL after a failure. */
static char **
table_names (BnResults *results)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (results->db, "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name",
                               -1, &stmt, NULL);

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    if ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
      g_ptr_array_add (names, g_strdup ((const char *) sqlite3_column_text (stmt, 0)));
  sqlite3_finalize (stmt);
  if (bn_results_note (results, rc))
    {
      g_ptr_array_add (names, NULL);
      return (char **) g_ptr_array_free (names, FALSE);
    }
  g_ptr_array_unref (names);
  return NULL;
}

static void
execute (BnResults *results, const char *format, const char *value)
{
  char *sql = sqlite3_mprintf (format, value, value);

  if (results->error == NULL)
    bn_results_note (results, sqlite3_exec (results->db, sql, NULL, NULL, NULL));
  sqlite3_free (sql);
}

static void
copy_runs (BnResults *results)
{
  g_auto (GStrv) names = table_names (results);

  if (names != NULL && bn_results_begin (results))
    {
      for (guint i = 0; names[i] != NULL; i++)
        execute (results, "INSERT INTO main.\"%w\" SELECT * FROM part.\"%w\"", names[i]);
      if (!bn_results_commit (results))
        sqlite3_exec (results->db, "ROLLBACK", NULL, NULL, NULL);
    }
}

gboolean
bn_results_absorb (BnResults *results, const char *path, GError **error)
{
  gint64 before = sqlite3_total_changes64 (results->db);

  g_assert (!results->in_run);
  execute (results, "ATTACH %Q AS part", path);
  if (results->error == NULL)
    {
      copy_runs (results);
      sqlite3_exec (results->db, "DETACH part", NULL, NULL, NULL);
    }
  if (results->error != NULL)
    {
      g_propagate_error (error, g_error_copy (results->error));
      return FALSE;
    }
  results->n_kept += sqlite3_total_changes64 (results->db) > before;
  return TRUE;
}
