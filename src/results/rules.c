/* rules.c: checks a results file against the rules that must hold.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The two recounts come last and only say something of rows that follow the
 * other rules: where these are broken, a recount would only repeat it.
 */
#include "rules.h"

#include <string.h>

#include "cli.h"
#include "recount.h"
#include "sql.h"

/* Rules without a query; the last one is of metrics. */
enum
{
  FILE_RULE = 1,
  SLOTS_RULE = 38,
  WORKERS_RULE = 47
};

/* For a file of before there were any. */
static const char without_costs[] =
  "CREATE TEMP TABLE decision_costs (run_id INTEGER, question INTEGER, job_id INTEGER, cost_ns INTEGER)";

/* Every rule reads the same pages. [KiB] */
static const char caching[] = "PRAGMA cache_size = -65536";

/* Temporary tables and views, which a file opened for reading may have. */
static const char preparation[] =
  "CREATE TEMP VIEW ended AS SELECT * FROM runs WHERE state <> 'running';"
  "CREATE TEMP VIEW beside AS SELECT run_id FROM parameters WHERE source = 'variant' AND name = 'overlap'"
  " AND value <> 'off';"
  "CREATE TEMP VIEW troubled AS SELECT run_id FROM runs WHERE n_failures > 0;"
  "CREATE TEMP VIEW measured AS SELECT run_id FROM parameters p WHERE source = 'variant' AND name = 'decision-cost'"
  " AND value = 'measured' AND NOT EXISTS (SELECT 1 FROM metrics m WHERE m.run_id = p.run_id"
  "  AND m.name = 'loop_cpu_p50');"
  "CREATE TEMP TABLE done (run_id INTEGER, job_id INTEGER, task INTEGER, attempt INTEGER, worker INTEGER,"
  " planned_worker INTEGER, access TEXT, placed_ns INTEGER, enqueue_ns INTEGER, start_ns INTEGER, evict_ns INTEGER,"
  " fetch_ns INTEGER, exec_ns INTEGER, end_ns INTEGER, fetch_bytes INTEGER, workflow INTEGER, create_ns INTEGER,"
  " arrive_ns INTEGER, model INTEGER, size_bytes INTEGER, PRIMARY KEY (run_id, job_id, task, attempt)) WITHOUT ROWID;"
  "INSERT INTO done SELECT t.run_id, t.job_id, t.task, t.attempt, t.worker, t.planned_worker, t.access, t.placed_ns,"
  " t.enqueue_ns, t.start_ns, t.evict_ns, t.fetch_ns, t.exec_ns, t.end_ns, t.fetch_bytes, j.workflow, j.create_ns,"
  " j.arrive_ns, s.model, m.size_bytes FROM jobs j CROSS JOIN tasks t USING (run_id, job_id)"
  " LEFT JOIN workflow_tasks s ON s.run_id = t.run_id AND s.workflow = j.workflow AND s.task = t.task"
  " LEFT JOIN models m ON m.run_id = t.run_id AND m.model = s.model WHERE t.state = 'done';"
  "CREATE TEMP TABLE residency (run_id INTEGER, worker INTEGER, model INTEGER, from_ns INTEGER, until_ns INTEGER,"
  " PRIMARY KEY (run_id, worker, model, from_ns)) WITHOUT ROWID;"
  "INSERT OR REPLACE INTO residency SELECT run_id, worker, model, end_ns, until_ns FROM"
  " (SELECT *, lead (ifnull (left_ns, start_ns), 1, 9223372036854775807) OVER (PARTITION BY run_id, worker, model"
  "  ORDER BY ifnull (left_ns, end_ns), event) AS until_ns FROM cache_events) WHERE kind <> 'evict'";
static const char clearing[] =
  "DROP TABLE IF EXISTS temp.done; DROP VIEW IF EXISTS temp.ended; DROP VIEW IF EXISTS temp.beside;"
  "DROP VIEW IF EXISTS temp.troubled; DROP VIEW IF EXISTS temp.measured;"
  "DROP TABLE IF EXISTS temp.decision_costs;"
  "DROP TABLE IF EXISTS temp.residency";

/* Of one worker, told and counted. */
static const char worker_recount[] =
  "WITH sums AS (SELECT run_id, worker, sum (end_ns - exec_ns) AS executing, sum (fetch_ns) AS loading,"
  "  sum (evict_ns) AS evicting, count (*) AS n FROM done GROUP BY run_id, worker),"
  " events AS (SELECT run_id, worker, sum (kind = 'load') AS loads,"
  "  sum (iif (kind = 'load', bytes, 0)) AS load_bytes, sum (kind = 'evict') AS evictions,"
  "  sum (iif (kind = 'evict', bytes, 0)) AS evict_bytes,"
  "  sum (end_ns - start_ns) AS link FROM cache_events GROUP BY run_id, worker),"
  " in_vain AS (SELECT run_id, worker, sum (time_ns - start_ns) AS failed FROM failures WHERE kind = 'run'"
  "  GROUP BY run_id, worker)"
  " SELECT run_id, 'worker '||worker FROM workers w JOIN ended r USING (run_id)"
  " LEFT JOIN sums s USING (run_id, worker) LEFT JOIN events e USING (run_id, worker)"
  " LEFT JOIN in_vain v USING (run_id, worker)"
  " WHERE r.record = 'tasks' AND (w.executing_ns IS NOT IFNULL (executing, 0)"
  "  OR w.loading_ns IS NOT IFNULL (loading, 0) OR w.evicting_ns IS NOT IFNULL (evicting, 0)"
  "  OR w.tasks IS NOT IFNULL (n, 0) OR (w.slots = 1 AND w.active_ns IS NOT w.executing_ns + IFNULL (v.failed, 0))"
  "  OR w.loads IS NOT IFNULL (e.loads, 0) OR w.load_bytes IS NOT IFNULL (e.load_bytes, 0)"
  "  OR w.link_ns IS NOT IFNULL (e.link, 0)"
  "  OR w.evictions IS NOT IFNULL (e.evictions, 0) OR w.evict_bytes IS NOT IFNULL (e.evict_bytes, 0))";

static void
free_result (void *data)
{
  BnCheckResult *result = data;

  g_ptr_array_unref (result->faults);
  g_free (result);
}

static void
add_fault (BnCheckResult *result, gint64 run_id, const char *what)
{
  result->outcome = BN_CHECK_FAILED;
  result->n_faults++;
  if (result->faults->len < BN_CHECK_MAX_FAULTS)
    g_ptr_array_add (result->faults, g_strdup_printf ("run %" G_GINT64_FORMAT ": %s", run_id, what));
}

/* Each row of `sql` is a fault. */
static gboolean
run_query (sqlite3 *db, const char *sql, BnCheckResult *result, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);
  gboolean well;

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    {
      rc = sqlite3_step (stmt);
      if (rc == SQLITE_ROW)
        {
          const char *what = (const char *) sqlite3_column_text (stmt, 1);
          add_fault (result, sqlite3_column_int64 (stmt, 0), what != NULL ? what : "a value is missing");
        }
    }
  well = rc == SQLITE_DONE || bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  return well;
}

/* ---- rules that are no query ---- */

/* Damaged pages end the check; columns of the wrong type and the like are faults. */
static gboolean
check_file (sqlite3 *db, BnCheckResult *result, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, "PRAGMA integrity_check (10)", -1, &stmt, NULL);
  const char *text;
  gboolean well;

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    {
      rc = sqlite3_step (stmt);
      if (rc != SQLITE_ROW)
        break;
      text = (const char *) sqlite3_column_text (stmt, 0);
      if (g_str_has_prefix (text, "***"))
        rc = SQLITE_CORRUPT;
      else if (strcmp (text, "ok") != 0)
        add_fault (result, 0, text);
    }
  well = rc == SQLITE_DONE;
  if (rc == SQLITE_CORRUPT)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "pages are damaged or missing; make the file again");
  else if (!well)
    bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  return well;
}

/* When the tasks that hold a worker's slots give them up. */
typedef struct Holders
{
  gint64 run_id, worker;
  GArray *ends_ns;
} Holders;

/* A task more, in order of start and then of end, so that one that takes no time comes
 * and goes before others of its instant: those that ended before, or at this instant, leave. */
static guint
hold (Holders *h, gint64 run_id, gint64 worker, gint64 start_ns, gint64 end_ns)
{
  if (h->run_id != run_id || h->worker != worker)
    g_array_set_size (h->ends_ns, 0);
  h->run_id = run_id;
  h->worker = worker;
  for (guint i = h->ends_ns->len; i-- > 0;)
    if (g_array_index (h->ends_ns, gint64, i) <= start_ns)
      g_array_remove_index_fast (h->ends_ns, i);
  g_array_append_val (h->ends_ns, end_ns);
  return h->ends_ns->len;
}

/* A query of running sums says the same and takes four times as long. */
static gboolean
check_slots (sqlite3 *db, BnCheckResult *result, GError **error)
{
  static const char sql[] = "SELECT d.run_id, d.worker, d.start_ns, d.end_ns, w.slots FROM done d"
                            " JOIN workers w USING (run_id, worker) ORDER BY d.run_id, d.worker, d.start_ns,"
                            " d.end_ns";
  Holders holders = { .ends_ns = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);
  gboolean well;

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    {
      rc = sqlite3_step (stmt);
      if (rc != SQLITE_ROW)
        break;
      gint64 run_id = sqlite3_column_int64 (stmt, 0), worker = sqlite3_column_int64 (stmt, 1);
      gint64 start_ns = sqlite3_column_int64 (stmt, 2);
      guint n = hold (&holders, run_id, worker, start_ns, sqlite3_column_int64 (stmt, 3));
      if (n <= sqlite3_column_int64 (stmt, 4))
        continue;
      char *what = g_strdup_printf ("worker %" G_GINT64_FORMAT " at %" G_GINT64_FORMAT " ns: %u tasks", worker,
                                    start_ns, n);
      add_fault (result, run_id, what);
      g_free (what);
    }
  well = rc == SQLITE_DONE || bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  g_array_unref (holders.ends_ns);
  return well;
}

static void
compare_metric (sqlite3_stmt *stmt, gint64 run_id, const BnMetric *m, BnCheckResult *result)
{
  const char *name = bn_metric_infos[m->info].name;
  char told[G_ASCII_DTOSTR_BUF_SIZE] = "nothing", counted[G_ASCII_DTOSTR_BUF_SIZE] = "nothing";
  gboolean has_value = FALSE;
  double value = 0;
  char *what;

  sqlite3_bind_int64 (stmt, 1, run_id);
  sqlite3_bind_text (stmt, 2, name, -1, SQLITE_STATIC);
  sqlite3_bind_int (stmt, 3, m->workflow);
  if (sqlite3_step (stmt) == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL)
    {
      has_value = TRUE;
      value = sqlite3_column_double (stmt, 0);
      g_ascii_dtostr (told, sizeof told, value);
    }
  sqlite3_reset (stmt);
  if (m->defined)
    g_ascii_dtostr (counted, sizeof counted, m->value);
  if (has_value == m->defined && value == m->value)
    return;
  what = m->workflow < 0
           ? g_strdup_printf ("%s: %s told, %s counted", name, told, counted)
           : g_strdup_printf ("%s of workflow %d: %s told, %s counted", name, m->workflow, told, counted);
  add_fault (result, run_id, what);
  g_free (what);
}

static gboolean
recount_run (sqlite3 *db, sqlite3_stmt *metric, gint64 run_id, BnCheckResult *result, GError **error)
{
  guint about;
  GArray *metrics = bn_recount (db, run_id, &about, error);

  if (metrics == NULL)
    return FALSE;
  for (guint i = 0; i < metrics->len; i++)
    compare_metric (metric, run_id, &g_array_index (metrics, BnMetric, i), result);
  g_array_unref (metrics);
  return TRUE;
}

static gboolean
check_metrics (sqlite3 *db, BnCheckResult *result, GError **error)
{
  sqlite3_stmt *runs = NULL, *metric = NULL;
  gboolean well = TRUE;
  int rc = SQLITE_OK;

  if (sqlite3_prepare_v2 (db, "SELECT run_id FROM ended ORDER BY run_id", -1, &runs, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (db, "SELECT value FROM metrics WHERE run_id = ?1 AND name = ?2 AND scope = IFNULL ("
                                 "(SELECT name FROM workflows WHERE run_id = ?1 AND workflow = ?3), '')",
                             -1, &metric, NULL) != SQLITE_OK)
    well = bn_sql_fail (db, error);
  while (well && (rc = sqlite3_step (runs)) == SQLITE_ROW)
    well = recount_run (db, metric, sqlite3_column_int64 (runs, 0), result, error);
  if (well && rc != SQLITE_DONE)
    well = bn_sql_fail (db, error);
  sqlite3_finalize (runs);
  sqlite3_finalize (metric);
  return well;
}

/* ---- all of them ---- */

/* The highest level that any run was recorded at; -1 without runs. */
static gboolean
highest_level (sqlite3 *db, int *ret, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  gboolean well = sqlite3_prepare_v2 (db, "SELECT IFNULL (max (CASE record WHEN 'tasks' THEN 2 WHEN 'jobs' THEN 1"
                                          " ELSE 0 END), -1) FROM runs", -1, &stmt, NULL) == SQLITE_OK
                  && sqlite3_step (stmt) == SQLITE_ROW;

  if (well)
    *ret = sqlite3_column_int (stmt, 0);
  else
    bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  return well;
}

static gboolean
check_rule (sqlite3 *db, const BnInvariant *rule, gboolean others_hold, BnCheckResult *result, GError **error)
{
  if (rule->sql != NULL)
    return run_query (db, rule->sql, result, error);
  if (rule->number == FILE_RULE)
    return check_file (db, result, error);
  if (rule->number == SLOTS_RULE)
    return check_slots (db, result, error);
  if (!others_hold)
    result->outcome = BN_CHECK_NOT_CHECKABLE;
  else if (rule->number == WORKERS_RULE)
    return run_query (db, worker_recount, result, error);
  else
    return check_metrics (db, result, error);
  return TRUE;
}

/* Once, and only when the file's pages are known to be sound. */
static gboolean
prepare (sqlite3 *db, gboolean *prepared, GError **error)
{
  if (!*prepared)
    *prepared = (sqlite3_exec (db, preparation, NULL, NULL, NULL) == SQLITE_OK
                 && (bn_sql_has_table (db, "decision_costs")
                     || sqlite3_exec (db, without_costs, NULL, NULL, NULL) == SQLITE_OK))
                || bn_sql_fail (db, error);
  return *prepared;
}

static gboolean
check_rules (sqlite3 *db, GPtrArray *results, GError **error)
{
  gboolean hold = TRUE, prepared = FALSE;
  int level;

  if (!highest_level (db, &level, error))
    return FALSE;
  for (guint i = 0; i < bn_n_invariants; i++)
    {
      const BnInvariant *rule = &bn_invariant_list[i];
      BnCheckResult *result = g_new0 (BnCheckResult, 1);

      result->invariant = rule;
      result->faults = g_ptr_array_new_with_free_func (g_free);
      result->outcome = level < (int) rule->needs ? BN_CHECK_NOT_CHECKABLE : BN_CHECK_PASSED;
      g_ptr_array_add (results, result);
      if (rule->number > FILE_RULE && !prepare (db, &prepared, error))
        return FALSE;
      if (result->outcome == BN_CHECK_PASSED && !check_rule (db, rule, hold, result, error))
        return FALSE;
      hold &= result->outcome != BN_CHECK_FAILED;
    }
  return TRUE;
}

GPtrArray *
bn_check_database (sqlite3 *db, GError **error)
{
  GPtrArray *results = g_ptr_array_new_with_free_func (free_result);
  gboolean well;

  sqlite3_exec (db, caching, NULL, NULL, NULL);
  well = check_rules (db, results, error);
  sqlite3_exec (db, clearing, NULL, NULL, NULL);
  if (well)
    return results;
  g_ptr_array_unref (results);
  return NULL;
}

guint
bn_check_count (const GPtrArray *results, BnCheckOutcome outcome)
{
  guint n = 0;

  for (guint i = 0; i < results->len; i++)
    n += ((const BnCheckResult *) g_ptr_array_index (results, i))->outcome == outcome;
  return n;
}
