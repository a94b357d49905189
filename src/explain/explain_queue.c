/* explain_queue.c: what a task waited behind or for, and which jobs were slowest.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "bn.h"
#include "cli.h"
#include "explain.h"

static const char ahead_sql[]
  = "SELECT t.job_id, s.label, IFNULL (m.name, 'none'), MIN (t.end_ns, ?4) - MAX (t.start_ns, ?3)"
    " FROM tasks t JOIN jobs j USING (run_id, job_id)"
    " JOIN workflow_tasks s ON s.run_id = t.run_id AND s.workflow = j.workflow AND s.task = t.task"
    " LEFT JOIN models m ON m.run_id = t.run_id AND m.model = s.model"
    " WHERE t.run_id = ?1 AND t.worker = ?2 AND t.state = 'done' AND t.end_ns > ?3 AND t.start_ns < ?4"
    " ORDER BY t.start_ns, t.job_id, t.task";

static const char load_sql[]
  = "SELECT IFNULL (MAX (c.end_ns, ?3) - MAX (c.start_ns, ?3), 0)"
    " FROM cache_events c JOIN models m USING (run_id, model)"
    " WHERE c.run_id = ?1 AND c.worker = ?2 AND c.kind = 'load' AND c.end_ns <= ?4 AND m.name = ?5"
    " AND EXISTS (SELECT 1 FROM parameters p WHERE p.run_id = c.run_id AND p.source = 'variant'"
    "  AND p.name = 'overlap' AND p.value <> 'off') ORDER BY c.end_ns DESC LIMIT 1";

static const char slowest_sql[]
  = "SELECT job_id FROM jobs WHERE run_id = ?1 AND state = 'done' ORDER BY end_ns - create_ns DESC, job_id LIMIT ?2";

gboolean
bn_explain_read_ahead (BnReader *reader, gint64 run, BnExplainStep *step, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt;

  step->ahead = g_array_new (FALSE, FALSE, sizeof (BnExplainAhead));
  if (step->worker == BN_NONE || step->start_ns <= step->enqueue_ns)
    return TRUE;
  stmt = bn_reader_query (reader, ahead_sql, run, step->worker, error);
  if (stmt == NULL)
    return FALSE;
  sqlite3_bind_int64 (stmt, 3, step->enqueue_ns);
  sqlite3_bind_int64 (stmt, 4, step->start_ns);
  while (bn_reader_step (reader, stmt, &failure))
    {
      BnExplainAhead ahead = {
        .job = sqlite3_column_int64 (stmt, 0),
        .label = g_strdup ((const char *) sqlite3_column_text (stmt, 1)),
        .model = g_strdup ((const char *) sqlite3_column_text (stmt, 2)),
        .held_ns = sqlite3_column_int64 (stmt, 3),
      };

      g_array_append_val (step->ahead, ahead);
    }
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
bn_explain_read_load (BnReader *reader, gint64 run, BnExplainStep *step, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt;

  if (step->worker == BN_NONE || step->start_ns <= step->enqueue_ns)
    return TRUE;
  stmt = bn_reader_query (reader, load_sql, run, step->worker, error);
  if (stmt == NULL)
    return FALSE;
  sqlite3_bind_int64 (stmt, 3, step->enqueue_ns);
  sqlite3_bind_int64 (stmt, 4, step->start_ns);
  sqlite3_bind_text (stmt, 5, step->model, -1, SQLITE_STATIC);
  if (bn_reader_step (reader, stmt, &failure))
    {
      gint64 loading_ns = CLAMP (sqlite3_column_int64 (stmt, 0), 0, step->part_ns[BN_PART_QUEUE]);

      step->part_ns[BN_PART_QUEUE] -= loading_ns;
      step->part_ns[BN_PART_LOAD] += loading_ns;
    }
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

GArray *
bn_explain_slowest (BnReader *reader, gint64 run, gint64 n, GError **error)
{
  GError *failure = NULL;
  GArray *jobs;
  sqlite3_stmt *stmt = bn_reader_query (reader, slowest_sql, run, n, error);

  if (stmt == NULL)
    return NULL;
  jobs = g_array_new (FALSE, FALSE, sizeof (gint64));
  while (bn_reader_step (reader, stmt, &failure))
    {
      gint64 job = sqlite3_column_int64 (stmt, 0);

      g_array_append_val (jobs, job);
    }
  sqlite3_finalize (stmt);
  if (failure == NULL && jobs->len == 0)
    g_set_error (&failure, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "%s: no job of run %" G_GINT64_FORMAT " was done; choose one with --job N", bn_reader_path (reader),
                 run);
  if (failure == NULL)
    return jobs;
  g_array_free (jobs, TRUE);
  g_propagate_error (error, failure);
  return NULL;
}
