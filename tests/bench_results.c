/* bench_results.c: how fast tasks are written, against a bare loop of inserts.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Both write the same rows into the table `tasks` of the same file, in
 * transactions of the same size and in turns, so that both meet the same disk and
 * the same size of table. The writer is given whole jobs through its probe: once
 * jobs of 1000 tasks, where nearly all rows are tasks, and once jobs of 4 tasks,
 * where every fifth row is the job's. Printed are medians over the rounds: rows of
 * tasks a second, their ratio, and the ratio with the rows of jobs counted, too.
 */
#include <stdio.h>
#include <stdlib.h>

#include <glib/gstdio.h>

#include "results.h"
#include "sql.h"

#define N_ROUNDS 31
#define N_ROWS 20000
#define BATCH 20000

static const BnWorkerInfo workers[] = { { 0, 0, 0 } };
static BnGpuType types[] = { { .name = "T", .group = "g", .memory_bytes = 1, .speed_ppm = BN_PPM_ONE, .slots = 1 } };
static const BnPlatform platform = { .n_types = 1, .n_servers = 1, .n_workers = 1, .types = types,
                                     .workers = (BnWorkerInfo *) workers };

static BnJob *
make_job (const BnWorkflow *workflow)
{
  BnJob *job = g_malloc0 (sizeof (BnJob) + workflow->n_tasks * sizeof (BnTask));

  job->workflow = workflow;
  job->state = BN_JOB_DONE;
  job->n_done = workflow->n_tasks;
  job->deadline_ns = BN_TIME_NEVER;
  for (uint32_t t = 0; t < workflow->n_tasks; t++)
    job->tasks[t] = (BnTask){ .state = BN_TASK_DONE, .access = BN_ACCESS_HIT, .factor = 1,
                              .estimate_ns = 561000000, .moved_bytes = 2000, .job = job };
  return job;
}

static void
set_times (BnJob *job, int64_t id)
{
  job->id = id;
  job->create_ns = id * 500000000;
  job->arrive_ns = job->create_ns + 2190;
  job->end_ns = job->arrive_ns + 1365000000;
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    {
      BnTask *task = &job->tasks[t];
      task->worker = 0;
      task->placed_ns = task->enqueue_ns = job->arrive_ns + (int64_t) t * 1000;
      task->start_ns = task->exec_ns = task->enqueue_ns + 300;
      task->end_ns = task->exec_ns + 561000000;
    }
}

/* Rows a second of the writer. */
static double
write_through_probe (const BnProbe *writer, BnJob *job, int64_t *next_id)
{
  gint64 began_us = g_get_monotonic_time ();

  for (int rows = 0; rows < N_ROWS; rows += (int) job->workflow->n_tasks)
    {
      set_times (job, (*next_id)++);
      writer->job_ended (writer->context, job, job->end_ns);
    }
  return N_ROWS / ((double) (g_get_monotonic_time () - began_us) / 1e6);
}

static void
put_bare_row (sqlite3_stmt *stmt, int64_t run_id, const BnTask *task, uint32_t t)
{
  const int64_t numbers[] = { run_id, task->job->id, t, 0, task->job->id << 20 | t };
  const int64_t times[] = { task->placed_ns, task->enqueue_ns, task->start_ns, task->evict_ns, task->fetch_ns,
                            task->exec_ns, task->end_ns, task->estimate_ns };
  int c = 1;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sqlite3_bind_int64 (stmt, c++, numbers[i]);
  sqlite3_bind_text (stmt, c++, "done", -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, c++, task->worker);
  sqlite3_bind_int64 (stmt, c++, task->planned_worker);
  sqlite3_bind_text (stmt, c++, "hit", -1, SQLITE_STATIC);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    sqlite3_bind_int64 (stmt, c++, times[i]);
  sqlite3_bind_double (stmt, c++, task->factor);
  sqlite3_bind_int64 (stmt, c++, task->moved_bytes);
  sqlite3_bind_int64 (stmt, c++, task->fetch_bytes);
  sqlite3_bind_int64 (stmt, c++, task->evict_bytes);
  sqlite3_step (stmt);
  sqlite3_reset (stmt);
}

/* Rows a second of the bare loop; rows go to a run of their own. */
static double
write_bare (sqlite3 *db, BnJob *job, int64_t run_id, int64_t *next_id)
{
  sqlite3_stmt *stmt = NULL;
  gint64 began_us;
  int rows = 0, batch = 0;

  if (bn_sql_prepare_insert (db, "tasks", &stmt) != SQLITE_OK)
    exit (1);
  began_us = g_get_monotonic_time ();
  while (rows < N_ROWS)
    {
      set_times (job, (*next_id)++);
      for (uint32_t t = 0; t < job->workflow->n_tasks; t++, rows++)
        put_bare_row (stmt, run_id, &job->tasks[t], t);
      if (rows / BATCH > batch)
        {
          batch = rows / BATCH;
          sqlite3_exec (db, "COMMIT; BEGIN IMMEDIATE", NULL, NULL, NULL);
        }
    }
  sqlite3_finalize (stmt);
  return N_ROWS / ((double) (g_get_monotonic_time () - began_us) / 1e6);
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (double *values)
{
  qsort (values, N_ROUNDS, sizeof *values, compare);
  return values[N_ROUNDS / 2];
}

static void
measure (BnResults *results, uint32_t n_tasks, int64_t run_id)
{
  const BnTaskSpec *specs = g_new0 (BnTaskSpec, n_tasks);
  const BnWorkflow workflow = { .name = "w", .n_tasks = n_tasks, .tasks = specs };
  const BnCatalogue catalogue = { .n_workflows = 0, .workflows = &workflow };
  const BnRunInfo info = { .run_id = run_id, .scenario = "bench", .scenario_text = "", .scenario_sha256 = "",
                           .trace_sha256 = "", .variant = "bench", .scheduler = "bench", .settings = "",
                           .version = "", .backend = "none", .record = BN_RECORD_TASKS, .arrivals = "none" };
  const BnMetricsConfig config = { &platform, &catalogue, 0, 0, FALSE, FALSE };
  const BnRunTotals totals = { .status = BN_RUN_COMPLETE };
  BnMetrics *metrics = bn_metrics_new (&config);
  const BnRunEnd end = { .totals = &totals, .metrics = metrics };
  const BnProbe *writer = bn_results_begin_run (results, &info, NULL);
  BnJob *job = make_job (&workflow);
  double bare[N_ROUNDS], probe[N_ROUNDS], ratio[N_ROUNDS];
  int64_t next_bare = 0, next_probe = 0;

  writer->run_started (writer->context, &platform, &catalogue);
  for (int r = 0; r < N_ROUNDS; r++)
    {
      bare[r] = write_bare (bn_results_database (results), job, run_id + 100, &next_bare);
      probe[r] = write_through_probe (writer, job, &next_probe);
      ratio[r] = probe[r] / bare[r];
    }
  printf ("{\"benchmark\": \"results.tasks\", \"tasks_per_job\": %u, \"bare_rows_per_s\": %.0f,"
          " \"task_rows_per_s\": %.0f, \"ratio\": %.3f, \"ratio_of_all_rows\": %.3f}\n",
          n_tasks, median (bare), median (probe), median (ratio), median (ratio) * (1 + 1.0 / n_tasks));
  if (!bn_results_end_run (results, &end, NULL))
    exit (1);
  bn_metrics_free (metrics);
  g_free (job);
  g_free ((void *) specs);
}

int
main (void)
{
  char *folder = g_dir_make_tmp ("binnacle-bench-XXXXXX", NULL), *path = g_build_filename (folder, "r.db", NULL);
  BnResults *results = bn_results_create (path, FALSE, NULL);

  if (results == NULL)
    return 1;
  measure (results, 1000, 1);
  measure (results, 4, 2);
  bn_results_close (results, NULL);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  return 0;
}
