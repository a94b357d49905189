/* plot_window.c: which part of a run the timeline shows where nobody says.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plot.h"

/* The window is about so many tasks for each worker wide. */
#define TASKS_A_WORKER 24
/* So many workers at most are thought of, lest the window have no width. */
#define MAX_WORKERS 40
/* Windows begin at multiples of their width divided by this. */
#define STEPS 4

static const char busy_sql[]
  = "SELECT start_ns / ?2, SUM (end_ns - start_ns) FROM cache_events"
    " WHERE run_id = ?1 AND kind <> 'preload' AND start_ns >= 0 GROUP BY 1";

/* Load and eviction time by the step in which it began. Returns: (transfer full). */
static gint64 *
read_busy (BnReader *reader, gint64 run, BnDuration step_ns, gint64 n_steps, GError **error)
{
  GError *failure = NULL;
  gint64 *busy_ns;
  sqlite3_stmt *stmt = bn_reader_query (reader, busy_sql, run, step_ns, error);

  if (stmt == NULL)
    return NULL;
  busy_ns = g_new0 (gint64, (gsize) n_steps);
  while (bn_reader_step (reader, stmt, &failure))
    if (sqlite3_column_int64 (stmt, 0) < n_steps)
      busy_ns[sqlite3_column_int64 (stmt, 0)] += sqlite3_column_int64 (stmt, 1);
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return busy_ns;
  g_free (busy_ns);
  g_propagate_error (error, failure);
  return NULL;
}

gboolean
bn_plot_choose_window (BnReader *reader, gint64 run, gint64 n_workers, BnTime *from_ns, BnTime *to_ns, GError **error)
{
  gint64 end_ns, n_tasks, width_ns, step_ns, n_steps, best = 0, most_ns = 0, sum_ns = 0;
  gint64 *busy_ns;

  if (!bn_reader_int (reader, "SELECT MAX (end_ns) FROM tasks WHERE run_id = ?", run, 0, 0, &end_ns, error)
      || !bn_reader_int (reader, "SELECT COUNT (*) FROM tasks WHERE run_id = ? AND state = 'done'", run, 0, 0,
                         &n_tasks, error))
    return FALSE;
  width_ns = bn_muldiv_round (end_ns, TASKS_A_WORKER * MIN (n_workers, MAX_WORKERS), MAX (n_tasks, 1));
  *from_ns = 0;
  *to_ns = MAX (end_ns, 1);
  if (width_ns >= end_ns / 2 || width_ns < STEPS)
    return TRUE;
  step_ns = width_ns / STEPS;
  n_steps = end_ns / step_ns + 1;
  busy_ns = read_busy (reader, run, step_ns, n_steps, error);
  if (busy_ns == NULL)
    return FALSE;
  for (gint64 i = 0; i < n_steps; i++)
    {
      sum_ns += busy_ns[i] - (i >= STEPS ? busy_ns[i - STEPS] : 0);
      if (sum_ns > most_ns && i >= STEPS - 1)
        {
          most_ns = sum_ns;
          best = i - (STEPS - 1);
        }
    }
  g_free (busy_ns);
  *from_ns = best * step_ns;
  *to_ns = *from_ns + width_ns;
  return TRUE;
}
