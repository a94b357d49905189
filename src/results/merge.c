/* merge.c: the shards of a sweep become one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "merge.h"

#include "cli.h"
#include "reader.h"
#include "results_private.h"
#include "sql.h"

/* What the first part says of the whole, kept for the others; `part` is the number of one that
 * has runs of the unit's shard. */
#define PREPARE_SQL \
  "CREATE TEMP TABLE whole (unit INTEGER NOT NULL, run_id INTEGER PRIMARY KEY, run_key TEXT NOT NULL," \
  " name TEXT NOT NULL, shard INTEGER NOT NULL);" \
  "CREATE TEMP TABLE takes (run_id INTEGER PRIMARY KEY)"

#define FIRST_SQL "INSERT INTO temp.whole SELECT unit, run_id, run_key, name, IFNULL (shard, 1) FROM part.planned"

/* A run that one of two parts does not know, and which does. */
#define DIFFERENCE_SQL \
  "SELECT name, here FROM (SELECT p.name, 1 AS here, p.unit FROM part.planned p WHERE NOT EXISTS (SELECT 1 FROM" \
  " temp.whole w WHERE w.run_id = p.run_id AND w.run_key = p.run_key) UNION ALL SELECT w.name, 0, w.unit FROM" \
  " temp.whole w WHERE NOT EXISTS (SELECT 1 FROM part.planned p WHERE p.unit = w.unit AND p.run_id = w.run_id" \
  " AND p.run_key = w.run_key)) ORDER BY unit, here DESC LIMIT 1"

/* What is not there yet, or recorded less: whatever the order of parts, the fullest is kept. */
#define LEVEL_OF(run) "((" run ".record <> 'summary') + (" run ".record = 'tasks'))"
#define TAKE_SQL \
  "DELETE FROM temp.takes; INSERT INTO temp.takes SELECT r.run_id FROM part.runs r JOIN temp.whole w USING (run_id," \
  " run_key) WHERE r.state IN ('complete', 'stuck') AND r.replay_of IS NULL AND NOT EXISTS (SELECT 1 FROM main.runs m" \
  " WHERE m.run_id = r.run_id AND " LEVEL_OF ("m") " >= " LEVEL_OF ("r") ")"

/* Shards with missing units: shard, units missing, units, shards, first missing, a run that it has. */
#define GAPS_SQL \
  "WITH units AS (SELECT unit, shard, name, MIN (r.run_id IS NOT NULL) AS done, MIN (r.run_id) AS has" \
  " FROM temp.whole w LEFT JOIN main.runs r USING (run_id) GROUP BY unit)" \
  " SELECT shard, SUM (NOT done), COUNT (*), (SELECT MAX (shard) FROM units), (SELECT name FROM units u WHERE" \
  " u.shard = s.shard AND NOT u.done ORDER BY unit LIMIT 1), MIN (has) FROM units s GROUP BY shard" \
  " HAVING SUM (NOT done) > 0 ORDER BY shard"

typedef struct Merge
{
  BnResults *results;
  const char *const *paths;
  GHashTable *part_of;   /* run_id to number of the part that it came from, + 1 */
} Merge;

static gboolean
fail (const Merge *merge, GError **error)
{
  g_propagate_error (error, g_error_copy (merge->results->error));
  return FALSE;
}

/* SQLite would make one that is missing. */
static gboolean
check_part (const char *path, GError **error)
{
  BnReader *reader = bn_reader_open (path, error);

  bn_reader_close (reader);
  return reader != NULL;
}

/* The part is attached. */
static gboolean
check_form (const Merge *merge, guint part, GError **error)
{
  BnResults *results = merge->results;
  gboolean same = bn_results_part_has_form (results);

  if (same && bn_results_any (results, "SELECT 1 FROM part.planned"))
    return TRUE;
  if (results->error != NULL)
    return fail (merge, error);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "%s: %s", merge->paths[part],
               same ? "is not of a sweep; give the files that binnacle sweep --shard has made"
                    : "has other tables than this version of the program writes; make it anew");
  return FALSE;
}

static gboolean
check_plan (const Merge *merge, guint part, GError **error)
{
  BnResults *results = merge->results;
  sqlite3_stmt *stmt = NULL;

  if (part == 0)
    return bn_results_run_sql (results, FIRST_SQL) || fail (merge, error);
  int rc = sqlite3_prepare_v2 (results->db, DIFFERENCE_SQL, -1, &stmt, NULL);
  if (rc == SQLITE_OK && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      gboolean here = sqlite3_column_int (stmt, 1);
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: is of another sweep than %s: only %s has these runs of %s; make both with the same command and"
                   " files, but for --shard and -o", merge->paths[part], merge->paths[0],
                   merge->paths[here ? part : 0], (const char *) sqlite3_column_text (stmt, 0));
    }
  sqlite3_finalize (stmt);
  if (!bn_results_note (results, rc))
    return fail (merge, error);
  return rc != SQLITE_ROW;
}

static gboolean
note_part (const Merge *merge, guint part)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (merge->results->db, "SELECT run_id FROM temp.takes", -1, &stmt, NULL);

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    if ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
      g_hash_table_insert (merge->part_of, GINT_TO_POINTER (sqlite3_column_int (stmt, 0)),
                           GUINT_TO_POINTER (part + 1));
  sqlite3_finalize (stmt);
  return bn_results_note (merge->results, rc);
}

static gboolean
take_part (const Merge *merge, guint part, GError **error)
{
  BnResults *results = merge->results;
  g_auto (GStrv) tables = bn_results_run_tables (results);

  if (!bn_results_begin (results) || !bn_results_run_sql (results, TAKE_SQL) || !note_part (merge, part))
    return bn_results_end (results, error);
  for (char **table = tables; table != NULL && *table != NULL; table++)
    bn_results_run_sql_of_table (results, "DELETE FROM main.\"%w\" WHERE run_id IN (SELECT run_id FROM temp.takes)",
                                 *table);
  for (char **table = tables; table != NULL && *table != NULL; table++)
    bn_results_run_sql_of_table (results, "INSERT INTO main.\"%w\" SELECT * FROM part.\"%w\" WHERE run_id IN"
                                          " (SELECT run_id FROM temp.takes)", *table);
  return bn_results_end (results, error);
}

static gboolean
add_part (const Merge *merge, guint part, GError **error)
{
  if (!check_part (merge->paths[part], error))
    return FALSE;
  if (!bn_results_attach (merge->results, merge->paths[part]))
    return fail (merge, error);
  gboolean ok = check_form (merge, part, error) && check_plan (merge, part, error) && take_part (merge, part, error);
  bn_results_detach (merge->results);
  return ok;
}

static void
free_gap (void *data)
{
  BnMergeGap *gap = data;

  g_free (gap->path);
  g_free (gap->first);
  g_free (gap);
}

static GPtrArray *
find_gaps (const Merge *merge, GError **error)
{
  GPtrArray *gaps = g_ptr_array_new_with_free_func (free_gap);
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (merge->results->db, GAPS_SQL, -1, &stmt, NULL);

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    if ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
      {
        BnMergeGap *gap = g_new0 (BnMergeGap, 1);
        guint part = GPOINTER_TO_UINT (g_hash_table_lookup (merge->part_of,
                                                            GINT_TO_POINTER (sqlite3_column_int (stmt, 5))));
        *gap = (BnMergeGap) { .shard = (guint) sqlite3_column_int (stmt, 0),
                              .n_missing = (guint) sqlite3_column_int (stmt, 1),
                              .n_units = (guint) sqlite3_column_int (stmt, 2),
                              .n_shards = (guint) sqlite3_column_int (stmt, 3),
                              .first = g_strdup ((const char *) sqlite3_column_text (stmt, 4)),
                              .path = part > 0 ? g_strdup (merge->paths[part - 1]) : NULL };
        g_ptr_array_add (gaps, gap);
      }
  sqlite3_finalize (stmt);
  if (bn_results_note (merge->results, rc))
    return gaps;
  g_ptr_array_unref (gaps);
  fail (merge, error);
  return NULL;
}

gboolean
bn_merge (BnResults *results, const char *const *paths, GPtrArray **gaps, GError **error)
{
  Merge merge = { results, paths, g_hash_table_new (NULL, NULL) };
  gboolean ok = bn_results_run_sql (results, PREPARE_SQL) || fail (&merge, error);

  *gaps = NULL;
  for (guint i = 0; paths[i] != NULL && ok; i++)
    ok = add_part (&merge, i, error);
  if (ok)
    ok = bn_results_run_sql (results, "INSERT INTO main.planned SELECT unit, run_id, run_key, name, NULL"
                                      " FROM temp.whole")
         || fail (&merge, error);
  if (ok)
    *gaps = find_gaps (&merge, error);
  g_hash_table_unref (merge.part_of);
  return *gaps != NULL;
}
