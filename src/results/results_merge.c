/* results_merge.c: takes the runs of one results file into another.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Both files are of this program's schema, so a table is copied as it is; every
 * table of rows about runs begins with run_id.
 */
#include "results_private.h"

/* Runs of the part that were not asked for. */
#define OTHERS_SQL \
  "SELECT 1 FROM part.runs p WHERE NOT EXISTS (SELECT 1 FROM temp.asked a WHERE a.run_key = p.run_key" \
  " AND a.run_id = p.run_id)"

/* Whether a run of the part has a number that is taken. */
#define TAKEN_SQL "SELECT 1 FROM part.runs p JOIN main.runs r USING (run_id)"

char **
bn_results_run_tables (BnResults *results)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (results->db,
                               "SELECT t.name FROM main.sqlite_schema t, pragma_table_info (t.name) c WHERE"
                               " t.type = 'table' AND c.cid = 0 AND c.name = 'run_id' ORDER BY t.name",
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

void
bn_results_run_sql_of_table (BnResults *results, const char *format, const char *table)
{
  char *sql = sqlite3_mprintf (format, table, table);

  bn_results_run_sql (results, sql);
  sqlite3_free (sql);
}

gboolean
bn_results_any (BnResults *results, const char *sql)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (results->db, sql, -1, &stmt, NULL);

  if (rc == SQLITE_OK)
    rc = sqlite3_step (stmt);
  sqlite3_finalize (stmt);
  return bn_results_note (results, rc) && rc == SQLITE_ROW;
}

static void
copy_all (BnResults *results, const char *table, gboolean taken)
{
  if (taken)
    bn_results_run_sql_of_table (results,
                                 "DELETE FROM main.\"%w\" WHERE run_id IN (SELECT run_id FROM part.runs)", table);
  bn_results_run_sql_of_table (results, "INSERT INTO main.\"%w\" SELECT * FROM part.\"%w\"", table);
}

/* Both files have the columns of one schema, run_id first. */
static void
copy_run (BnResults *results, const char *table, gint64 run, gint64 run_id)
{
  char *sql = sqlite3_mprintf ("CREATE TEMP TABLE taken AS SELECT * FROM part.\"%w\" WHERE run_id = %lld;"
                               "UPDATE taken SET run_id = %lld;"
                               "INSERT INTO main.\"%w\" SELECT * FROM taken; DROP TABLE taken",
                               table, (long long) run, (long long) run_id, table);

  bn_results_run_sql (results, sql);
  sqlite3_free (sql);
}

/* Of every table, all rows, or those of one run under another number. */
static void
copy_tables (BnResults *results, gint64 run, gint64 run_id)
{
  g_auto (GStrv) tables = bn_results_run_tables (results);
  gboolean taken = run == 0 && bn_results_any (results, TAKEN_SQL);

  for (guint i = 0; tables != NULL && tables[i] != NULL && results->error == NULL; i++)
    if (run == 0)
      copy_all (results, tables[i], taken);
    else
      copy_run (results, tables[i], run, run_id);
}

gboolean
bn_results_attach (BnResults *results, const char *path)
{
  char *sql = sqlite3_mprintf ("ATTACH %Q AS part", path);
  gboolean ok = bn_results_run_sql (results, sql);

  sqlite3_free (sql);
  return ok;
}

void
bn_results_detach (BnResults *results)
{
  sqlite3_exec (results->db, "DETACH part", NULL, NULL, NULL);
}

gboolean
bn_results_end (BnResults *results, GError **error)
{
  if (results->error == NULL && bn_results_commit (results))
    return TRUE;
  sqlite3_exec (results->db, "ROLLBACK", NULL, NULL, NULL);
  g_propagate_error (error, g_error_copy (results->error));
  return FALSE;
}

static gboolean
absorb (BnResults *results, const char *path, gint64 run, gint64 run_id, GError **error)
{
  gint64 before = sqlite3_total_changes64 (results->db);
  gboolean ok;

  g_assert (!results->in_run);
  if (!bn_results_attach (results, path))
    {
      g_propagate_error (error, g_error_copy (results->error));
      return FALSE;
    }
  if (run == 0 && bn_results_any (results, OTHERS_SQL))
    {
      g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_OTHER_RUNS,
                   "the scenario, or a file that it names, is not what it was when this command began; give the command"
                   " again");
      ok = FALSE;
    }
  else
    {
      if (bn_results_begin (results))
        copy_tables (results, run, run_id);
      ok = bn_results_end (results, error);
    }
  bn_results_detach (results);
  results->n_kept += ok && sqlite3_total_changes64 (results->db) > before;
  return ok;
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
