/* recount.c: metrics once more, from what was recorded.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Nothing is shared with the probe but the last step, so that an error in one
 * shows as a difference.
 */
#include "recount.h"

#include <string.h>

#include "metrics.h"
#include "sql.h"

typedef struct Recount
{
  sqlite3 *db;
  gint64 run_id;
  BnTally tally;
  GArray **latencies;  /* [n_workflows + 1] of int64_t; the last: all */
  GArray **slowdowns;

  /* the worker under way; BN_NONE: none */
  int64_t worker;
  BnGpuType gpu;
  gboolean is_used;
  int64_t length_ns, active_ns;
  int64_t covered_ns;  /* at least one slot executed, or nothing started, before it */
} Recount;

/* Calls `row` for each row of `sql`, with ?1 = run_id. */
static gboolean
each_row (Recount *r, const char *sql, void (*row) (Recount *r, sqlite3_stmt *stmt), GError **error)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (r->db, sql, -1, &stmt, NULL);
  gboolean well;

  if (rc == SQLITE_OK)
    {
      sqlite3_bind_int64 (stmt, 1, r->run_id);
      while ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
        row (r, stmt);
    }
  well = rc == SQLITE_DONE || bn_sql_fail (r->db, error);
  sqlite3_finalize (stmt);
  return well;
}

/* ---- jobs ---- */

static void
count_done (Recount *r, guint workflow, BnJobTally *t, sqlite3_stmt *stmt)
{
  int64_t create_ns = sqlite3_column_int64 (stmt, 1), end_ns = sqlite3_column_int64 (stmt, 2);
  int64_t latency_ns = end_ns - create_ns;
  int64_t slowdown_ppm = bn_slowdown_ppm (latency_ns, sqlite3_column_int64 (stmt, 3));

  t->n_done++;
  t->latency_ns += latency_ns;
  t->last_end_ns = MAX (t->last_end_ns, end_ns);
  g_array_append_val (r->latencies[workflow], latency_ns);
  g_array_append_val (r->latencies[r->tally.n_workflows], latency_ns);
  if (slowdown_ppm >= 0)
    {
      t->n_slowdown++;
      t->slowdown_ppm += slowdown_ppm;
      g_array_append_val (r->slowdowns[workflow], slowdown_ppm);
      g_array_append_val (r->slowdowns[r->tally.n_workflows], slowdown_ppm);
    }
  if (sqlite3_column_type (stmt, 4) != SQLITE_NULL)
    *(end_ns <= sqlite3_column_int64 (stmt, 4) ? &t->n_deadline_met : &t->n_late) += 1;
}

static void
count_job (Recount *r, sqlite3_stmt *stmt)
{
  int64_t workflow = sqlite3_column_int64 (stmt, 0);
  const char *state = (const char *) sqlite3_column_text (stmt, 5);
  BnJobTally *t;

  if (workflow < 0 || workflow >= r->tally.n_workflows)
    return;
  t = &r->tally.workflows[workflow];
  t->n_jobs++;
  t->n_deadline += sqlite3_column_type (stmt, 4) != SQLITE_NULL;
  t->first_create_ns = MIN (t->first_create_ns, sqlite3_column_int64 (stmt, 1));
  if (strcmp (state, "done") == 0)
    count_done (r, (guint) workflow, t, stmt);
  t->n_refused += strcmp (state, "refused") == 0;
  t->n_failed += strcmp (state, "failed") == 0;
  t->n_dropped += strcmp (state, "dropped") == 0;
  t->n_unfinished += strcmp (state, "unfinished") == 0;
}

static void
set_quantiles (int64_t ret[BN_N_QUANTILES], GArray *values)
{
  if (values->len > 0)
    bn_exact_quantiles ((int64_t *) (void *) values->data, values->len, ret);
}

static gboolean
count_jobs (Recount *r, GError **error)
{
  BnTally *tally = &r->tally;
  BnJobTally *t;

  if (!each_row (r, "SELECT workflow, create_ns, end_ns, lower_bound_ns, deadline_ns, state FROM jobs"
                    " WHERE run_id = ?1 AND create_ns >= (SELECT warmup_ns FROM runs WHERE run_id = ?1)",
                 count_job, error))
    return FALSE;
  for (guint w = 0; w <= tally->n_workflows; w++)
    {
      t = w < tally->n_workflows ? &tally->workflows[w] : &tally->all;
      if (w < tally->n_workflows)
        bn_job_tally_add (&tally->all, t);
      set_quantiles (t->latency_q_ns, r->latencies[w]);
      set_quantiles (t->slowdown_q_ppm, r->slowdowns[w]);
    }
  return TRUE;
}

/* ---- tasks ---- */

static void
count_task (Recount *r, sqlite3_stmt *stmt)
{
  BnTaskTally *t = &r->tally.tasks;
  const char *access = (const char *) sqlite3_column_text (stmt, 0);
  int64_t ready_ns = sqlite3_column_int64 (stmt, 1), enqueue_ns = sqlite3_column_int64 (stmt, 2);
  int64_t start_ns = sqlite3_column_int64 (stmt, 3), exec_ns = sqlite3_column_int64 (stmt, 4);

  t->n_tasks++;
  t->n_hits += strcmp (access, "hit") == 0;
  t->n_misses += strcmp (access, "miss") == 0;
  t->n_joined += strcmp (access, "joined") == 0;
  t->queue_wait_ns += start_ns - enqueue_ns;
  t->queue_wait_max_ns = MAX (t->queue_wait_max_ns, start_ns - enqueue_ns);
  t->input_wait_ns += enqueue_ns - ready_ns;
  t->load_wait_ns += exec_ns - start_ns;
  t->n_moved += sqlite3_column_int (stmt, 5);
  t->moved_bytes += sqlite3_column_int64 (stmt, 6);
}

static gboolean
count_tasks (Recount *r, GError **error)
{
  return each_row (r, "SELECT t.access, IFNULL ((SELECT max (p.end_ns) FROM workflow_edges e CROSS JOIN tasks p"
                      " ON p.run_id = e.run_id AND p.job_id = t.job_id AND p.task = e.pred WHERE e.run_id = ?1"
                      " AND e.workflow = j.workflow AND e.task = t.task), j.arrive_ns), t.enqueue_ns, t.start_ns,"
                      " t.exec_ns, t.worker <> t.planned_worker, t.moved_bytes FROM jobs j"
                      " CROSS JOIN tasks t USING (run_id, job_id) WHERE j.run_id = ?1 AND t.state = 'done'"
                      " AND j.create_ns >= (SELECT warmup_ns FROM runs WHERE run_id = ?1)",
                   count_task, error);
}

/* ---- workers ---- */

/* Takes the energy of the worker under way, if any: the time in which at least one
 * slot executed is known once its tasks are over. */
static void
end_worker (Recount *r)
{
  if (r->worker != BN_NONE)
    r->tally.workers.energy_j += bn_energy_j (&r->gpu, r->length_ns, r->active_ns);
  r->worker = BN_NONE;
  r->active_ns = 0;
  r->covered_ns = 0;
}

/* One row a task in order of worker and start, or one without times for a worker
 * that ran none: a new worker brings its slots and its watts. An execution that failed is one, too,
 * without a load: it made its device active, and no more. */
static void
count_worker_task (Recount *r, sqlite3_stmt *stmt)
{
  BnWorkerTally *t = &r->tally.workers;
  int64_t worker = sqlite3_column_int64 (stmt, 0);
  int64_t exec_ns = sqlite3_column_int64 (stmt, 5), end_ns = sqlite3_column_int64 (stmt, 6);

  if (worker != r->worker)
    {
      end_worker (r);
      r->worker = worker;
      r->gpu.idle_watts = sqlite3_column_double (stmt, 3);
      r->gpu.active_watts = sqlite3_column_double (stmt, 4);
      r->length_ns = sqlite3_column_int64 (stmt, 2);
      t->slot_ns += (BnSum) sqlite3_column_int64 (stmt, 1) * r->length_ns;
      t->device_ns += r->length_ns;
      r->is_used = FALSE;
    }
  if (sqlite3_column_type (stmt, 7) != SQLITE_NULL)
    {
      t->n_used += !r->is_used;
      r->is_used = TRUE;
      t->executing_ns += end_ns - exec_ns;
      t->loading_ns += sqlite3_column_int64 (stmt, 7);
      t->evicting_ns += sqlite3_column_int64 (stmt, 8);
    }
  r->active_ns += MAX (0, end_ns - MAX (exec_ns, r->covered_ns));
  r->covered_ns = MAX (r->covered_ns, end_ns);
}

static void
count_cache_events (Recount *r, sqlite3_stmt *stmt)
{
  BnWorkerTally *t = &r->tally.workers;

  t->n_loads = sqlite3_column_int64 (stmt, 0);
  t->load_bytes = sqlite3_column_int64 (stmt, 1);
  t->n_prefetches = sqlite3_column_int64 (stmt, 2);
  t->n_evictions = sqlite3_column_int64 (stmt, 3);
  t->evict_bytes = sqlite3_column_int64 (stmt, 4);
  t->link_ns = sqlite3_column_int64 (stmt, 5);
}

static void
count_all_done (Recount *r, sqlite3_stmt *stmt)
{
  r->tally.workers.n_jobs_done = sqlite3_column_int64 (stmt, 0);
}

static const char worker_query[] =
  "SELECT w.worker, w.slots, r.end_ns, g.idle_watts, g.active_watts, t.exec_ns, t.end_ns, t.fetch_ns, t.evict_ns"
  " FROM workers w JOIN runs r USING (run_id) JOIN gpu_types g USING (run_id, gpu_type)"
  " LEFT JOIN (SELECT worker, exec_ns, end_ns, fetch_ns, evict_ns FROM tasks WHERE run_id = ?1 AND state = 'done'"
  "  UNION ALL SELECT worker, start_ns, time_ns, NULL, NULL FROM failures WHERE run_id = ?1 AND kind = 'run') t"
  " USING (worker) WHERE w.run_id = ?1 ORDER BY w.worker, t.exec_ns";

static const char cache_query[] =
  "SELECT sum (kind = 'load'), sum (iif (kind = 'load', bytes, 0)), sum (prefetch AND kind = 'load'),"
  " sum (kind = 'evict'), sum (iif (kind = 'evict', bytes, 0)), sum (end_ns - start_ns)"
  " FROM cache_events WHERE run_id = ?1";

static gboolean
count_workers (Recount *r, GError **error)
{
  r->worker = BN_NONE;
  if (!each_row (r, worker_query, count_worker_task, error))
    return FALSE;
  end_worker (r);
  return each_row (r, cache_query, count_cache_events, error)
         && each_row (r, "SELECT count (*) FROM jobs WHERE run_id = ?1 AND state = 'done'", count_all_done, error);
}

/* ---- the whole ---- */

static void
learn_run (Recount *r, sqlite3_stmt *stmt)
{
  r->tally.n_workflows = (guint) sqlite3_column_int (stmt, 0);
}

static guint
parts_recorded (Recount *r)
{
  sqlite3_stmt *stmt = NULL;
  guint about = 0;

  if (sqlite3_prepare_v2 (r->db, "SELECT record FROM runs WHERE run_id = ?1 AND state <> 'running'", -1, &stmt, NULL)
      == SQLITE_OK)
    {
      sqlite3_bind_int64 (stmt, 1, r->run_id);
      if (sqlite3_step (stmt) == SQLITE_ROW)
        {
          const char *record = (const char *) sqlite3_column_text (stmt, 0);
          if (strcmp (record, "summary") != 0)
            about = 1u << BN_ABOUT_JOBS;
          if (strcmp (record, "tasks") == 0)
            about |= 1u << BN_ABOUT_TASKS | 1u << BN_ABOUT_WORKERS;
        }
    }
  sqlite3_finalize (stmt);
  return about;
}

static GArray **
new_arrays (guint n)
{
  GArray **arrays = g_new (GArray *, n);

  for (guint i = 0; i < n; i++)
    arrays[i] = g_array_new (FALSE, FALSE, sizeof (int64_t));
  return arrays;
}

static void
free_arrays (GArray **arrays, guint n)
{
  for (guint i = 0; i < n; i++)
    g_array_unref (arrays[i]);
  g_free (arrays);
}

GArray *
bn_recount (sqlite3 *db, gint64 run_id, guint *about, GError **error)
{
  Recount r = { .db = db, .run_id = run_id };
  GArray *metrics = NULL;
  guint n;

  *about = parts_recorded (&r);
  if (!each_row (&r, "SELECT count (*) FROM workflows WHERE run_id = ?1", learn_run, error))
    return NULL;
  n = r.tally.n_workflows;
  r.tally.workflows = g_new0 (BnJobTally, n);
  r.tally.all.first_create_ns = BN_TIME_NEVER;
  for (guint w = 0; w < n; w++)
    r.tally.workflows[w].first_create_ns = BN_TIME_NEVER;
  r.latencies = new_arrays (n + 1);
  r.slowdowns = new_arrays (n + 1);
  if ((!(*about & 1u << BN_ABOUT_JOBS) || count_jobs (&r, error))
      && (!(*about & 1u << BN_ABOUT_TASKS) || (count_tasks (&r, error) && count_workers (&r, error))))
    metrics = bn_tally_metrics (&r.tally, *about);
  free_arrays (r.latencies, n + 1);
  free_arrays (r.slowdowns, n + 1);
  g_free (r.tally.workflows);
  return metrics;
}
