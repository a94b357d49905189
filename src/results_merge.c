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

/* Of every table, all rows, or those of one run under another number. */
static void
copy_tables (BnResults *results, gint64 run, gint64 run_id)
{
  g_auto (GStrv) names = table_names (results);

  for (guint i = 0; names != NULL && names[i] != NULL && results->error == NULL; i++)
    if (run == 0)
      execute (results, "INSERT INTO main.\"%w\" SELECT * FROM part.\"%w\"", names[i]);
    else
      {
        /* both files have the columns of one schema, run_id first */
        char *sql = sqlite3_mprintf ("CREATE TEMP TABLE taken AS SELECT * FROM part.\"%w\" WHERE run_id = %lld;"
                                     "UPDATE taken SET run_id = %lld;"
                                     "INSERT INTO main.\"%w\" SELECT * FROM taken; DROP TABLE taken",
                                     names[i], (long long) run, (long long) run_id, names[i]);
        bn_results_note (results, sqlite3_exec (results->db, sql, NULL, NULL, NULL));
        sqlite3_free (sql);
      }
}

static gboolean
absorb (BnResults *results, const char *path, gint64 run, gint64 run_id, GError **error)
{
  gint64 before = sqlite3_total_changes64 (results->db);

  g_assert (!results->in_run);
  execute (results, "ATTACH %Q AS part", path);
  if (results->error == NULL)
    {
      if (bn_results_begin (results))
        {
          copy_tables (results, run, run_id);
          if (!bn_results_commit (results))
            sqlite3_exec (results->db, "ROLLBACK", NULL, NULL, NULL);
        }
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

gboolean
bn_results_absorb (BnResults *results, const char *path, GError **error)
{
  return absorb (results, path, 0, 0, error);
}

gboolean
bn_results_absorb_run (BnResults *results, const char *path, gint64 run, gint64 run_id, GError **error)
{
  return absorb (results, path, run, run_id, error);
}
