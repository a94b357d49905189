/* results_keep.c: finds runs that a file holds already by what they are, and numbers them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What is asked for is put into a temporary table, and SQL does the rest. A replay has
 * the run_key of what it repeats and is never what is asked for.
 */
#include "results_private.h"

#include "sql.h"

#define ASK_SQL \
  "CREATE TEMP TABLE IF NOT EXISTS asked (n INTEGER NOT NULL, run_key TEXT PRIMARY KEY, run_id INTEGER NOT NULL" \
  " UNIQUE, record INTEGER NOT NULL, unit INTEGER NOT NULL, name TEXT, shard INTEGER) WITHOUT ROWID;" \
  " DELETE FROM temp.asked"

/* Who is what was asked for, the best of each first. */
#define FOUND_SQL \
  "CREATE TEMP TABLE found AS SELECT n, wanted, had, good, ROW_NUMBER () OVER (PARTITION BY n ORDER BY good DESC," \
  " level DESC, had) AS place FROM (SELECT a.n, a.run_id AS wanted, r.run_id AS had, level, r.state IN ('complete'," \
  " 'stuck') AND level >= a.record AS good FROM (SELECT run_id, run_key, state, (record <> 'summary') +" \
  " (record = 'tasks') AS level FROM main.runs WHERE replay_of IS NULL) r JOIN temp.asked a USING (run_key))"

/* Found ones whose number is another, and others that are in their way. */
#define MOVES_SQL \
  "CREATE TEMP TABLE moves (had INTEGER PRIMARY KEY, wanted INTEGER NOT NULL);" \
  "INSERT INTO temp.moves SELECT had, wanted FROM temp.found WHERE place = 1 AND had <> wanted;" \
  "INSERT INTO temp.moves SELECT r.run_id, ROW_NUMBER () OVER (ORDER BY r.run_id)" \
  " + MAX ((SELECT MAX (run_id) FROM temp.asked), (SELECT MAX (run_id) FROM main.runs)) FROM main.runs r" \
  " WHERE r.run_id IN (SELECT run_id FROM temp.asked) AND r.run_id NOT IN (SELECT had FROM temp.found)"

/* Runs that were not asked for. */
#define FOREIGN_SQL \
  "SELECT COUNT (*) OVER (), r.run_id, r.variant, r.seed, IFNULL ((SELECT p.name FROM main.planned p" \
  " WHERE p.run_key = r.run_key), 'scenario ' || r.scenario || ', seed ' || r.seed) FROM main.runs r" \
  " WHERE r.replay_of IS NOT NULL OR r.run_key NOT IN (SELECT run_key FROM temp.asked) ORDER BY r.run_id LIMIT 1"

static void
ask (BnResults *results, const BnAskedRun *runs, guint n)
{
  sqlite3_stmt *stmt = NULL;

  if (!bn_results_run_sql (results, ASK_SQL)
      || !bn_results_note (results, bn_sql_prepare_insert (results->db, "temp.asked", &stmt)))
    return;
  for (guint i = 0; i < n && results->error == NULL; i++)
    {
      bn_sql_int (stmt, 1, i);
      bn_sql_text (stmt, 2, runs[i].run_key);
      bn_sql_int (stmt, 3, runs[i].run_id);
      bn_sql_int (stmt, 4, runs[i].record);
      bn_sql_int (stmt, 5, runs[i].unit);
      bn_sql_text (stmt, 6, runs[i].name);
      bn_sql_index (stmt, 7, runs[i].shard > 0 ? (int64_t) runs[i].shard : BN_NONE);
      bn_results_note (results, bn_sql_put (stmt));
    }
  sqlite3_finalize (stmt);
}

/* Numbers may be swapped, so a row gets its new one as a negative number first. */
static void
move_runs (BnResults *results)
{
  g_auto (GStrv) tables = bn_results_run_tables (results);

  bn_results_run_sql (results, "UPDATE main.runs SET replay_of = (SELECT wanted FROM temp.moves WHERE had = replay_of)"
                               " WHERE replay_of IN (SELECT had FROM temp.moves)");
  for (char **table = tables; table != NULL && *table != NULL; table++)
    {
      bn_results_run_sql_of_table (results,
                                   "UPDATE main.\"%w\" SET run_id = -(SELECT wanted FROM temp.moves WHERE had = run_id)"
                                   " WHERE run_id IN (SELECT had FROM temp.moves)", *table);
      bn_results_run_sql_of_table (results, "UPDATE main.\"%w\" SET run_id = -run_id WHERE run_id < 0", *table);
    }
}

static void
remove_doubles (BnResults *results)
{
  g_auto (GStrv) tables = bn_results_run_tables (results);

  for (char **table = tables; table != NULL && *table != NULL; table++)
    bn_results_run_sql_of_table (results, "DELETE FROM main.\"%w\" WHERE run_id IN (SELECT had FROM temp.found"
                                          " WHERE place > 1)", *table);
}

static void
tell (BnResults *results, BnAskedRun *runs)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (results->db, "SELECT n FROM temp.found WHERE place = 1 AND good", -1, &stmt, NULL);

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    if ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
      runs[sqlite3_column_int (stmt, 0)].there = TRUE;
  sqlite3_finalize (stmt);
  bn_results_note (results, rc);
}

gboolean
bn_results_keep (BnResults *results, BnAskedRun *runs, guint n, GError **error)
{
  g_assert (!results->in_run);
  for (guint i = 0; i < n; i++)
    runs[i].there = FALSE;
  if (bn_results_begin (results))
    ask (results, runs, n);
  if (results->error == NULL && !bn_results_is_empty (results))
    {
      bn_results_run_sql (results, FOUND_SQL);
      if (bn_results_any (results, "SELECT 1 FROM temp.found WHERE place > 1"))
        remove_doubles (results);
      bn_results_run_sql (results, MOVES_SQL);
      if (bn_results_any (results, "SELECT 1 FROM temp.moves"))
        move_runs (results);
      tell (results, runs);
      bn_results_run_sql (results, "DROP TABLE temp.found; DROP TABLE temp.moves");
    }
  return bn_results_end (results, error);
}

/* FALSE with `error` set where there is a run that was not asked for. */
static gboolean
check_foreign (BnResults *results, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (results->db, FOREIGN_SQL, -1, &stmt, NULL);

  if (rc == SQLITE_OK && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      gint64 n = sqlite3_column_int64 (stmt, 0);
      g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_OTHER_RUNS,
                   "%s: holds %" G_GINT64_FORMAT " run%s that this command does not make, such as run %" G_GINT64_FORMAT
                   " (%s; %s); name another file with -o, or give --replace to begin anew", results->path, n,
                   n == 1 ? "" : "s", (gint64) sqlite3_column_int64 (stmt, 1),
                   (const char *) sqlite3_column_text (stmt, 2), (const char *) sqlite3_column_text (stmt, 4));
    }
  sqlite3_finalize (stmt);
  return bn_results_note (results, rc) && rc != SQLITE_ROW;
}

gboolean
bn_results_plan (BnResults *results, const BnAskedRun *runs, guint n, GError **error)
{
  g_assert (!results->in_run);
  if (bn_results_begin (results))
    ask (results, runs, n);
  if (results->error == NULL && !check_foreign (results, error) && results->error == NULL)
    {
      sqlite3_exec (results->db, "ROLLBACK", NULL, NULL, NULL);
      return FALSE;
    }
  bn_results_run_sql (results, "DELETE FROM main.planned;"
                               "INSERT INTO main.planned SELECT unit, run_id, run_key, name, shard FROM temp.asked");
  return bn_results_end (results, error);
}
