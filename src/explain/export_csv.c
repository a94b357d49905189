/* export_csv.c: tasks and jobs as CSV.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "export.h"
#include "textout.h"

gboolean
bn_export_query (BnReader *reader, const char *sql, gint64 run, FILE *file, gint64 *n_rows, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, run, 0, error);
  int n;

  if (stmt == NULL)
    return FALSE;
  *n_rows = 0;
  n = sqlite3_column_count (stmt);
  for (int i = 0; i < n; i++)
    {
      if (i > 0)
        putc (',', file);
      bn_write_csv (file, sqlite3_column_name (stmt, i));
    }
  putc ('\n', file);
  while (bn_reader_step (reader, stmt, &failure))
    {
      for (int i = 0; i < n; i++)
        {
          if (i > 0)
            putc (',', file);
          bn_write_csv (file, (const char *) sqlite3_column_text (stmt, i));
        }
      putc ('\n', file);
      (*n_rows)++;
    }
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
bn_export_tasks (BnReader *reader, gint64 run, FILE *file, GError **error)
{
  gint64 n_rows;

  return bn_export_query (reader,
                          "SELECT job_id, workflow, task_id, task_model, worker, planned_worker, job_create_ns,"
                          " enqueue_ns, start_ns, fetch_ns, evict_ns, exec_ns, end_ns"
                          " FROM v_task_log WHERE run_id = ? ORDER BY job_id, task",
                          run, file, &n_rows, error);
}

gboolean
bn_export_jobs (BnReader *reader, gint64 run, FILE *file, GError **error)
{
  gint64 n_rows;

  return bn_export_query (reader,
                          "SELECT job_id, w.name AS workflow, ingress, create_ns, arrive_ns, end_ns,"
                          " end_ns - create_ns AS latency_ns, j.lower_bound_ns, j.deadline_ns, state, reason,"
                          " tasks_done"
                          " FROM jobs j JOIN workflows w USING (run_id, workflow)"
                          " WHERE run_id = ? ORDER BY job_id",
                          run, file, &n_rows, error);
}
