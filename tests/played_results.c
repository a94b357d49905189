/* played_results.c: the hand-worked run in a results database.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "played_results.h"

#include <check.h>
#include <glib/gstdio.h>

#include "metrics.h"
#include "played_run.h"

BnRunInfo
played_info (int64_t run_id, BnRecord record)
{
  return (BnRunInfo){
    .run_id = run_id,
    .scenario = "played",
    .scenario_text = "scenario.name = played\nworkload.rate = 2/s\n",
    .scenario_sha256 = "5ca1ab1e",
    .trace_sha256 = "",
    .variant = run_id % 2 == 1 ? "compass" : "hash[random]",
    .scheduler = run_id % 2 == 1 ? "compass" : "hash",
    .settings = "threshold=1.5\nqueue=fifo\n",
    .seed = (uint64_t) run_id,
    .version = "0.1",
    .backend = "model",
    .record = record,
    .arrivals = "poisson",
    .rate_per_s = 2,
    .offered_load = 0.5,
  };
}

void
play_into (BnResults *results, const BnRunInfo *info)
{
  BnMetricsConfig config = { &played_platform, &played_catalogue, info->warmup_ns, info->offered_load,
                             info->record >= BN_RECORD_JOBS, FALSE };
  BnMetrics *metrics = bn_metrics_new (&config);
  const BnRunTotals totals = {
    .status = BN_RUN_COMPLETE, .end_ns = PLAYED_END_MS * BN_NS_PER_MS, .last_arrival_ns = 40 * BN_NS_PER_MS,
    .n_jobs = 4, .n_done = 3, .n_refused = 1, .n_tasks_done = 5, .n_events = 30, .n_decisions = 5,
    .peak_live_jobs = 4,
  };
  const BnRunEnd end = { .totals = &totals, .metrics = metrics, .wall_ns = 12345 };
  BnProbe probes[2];
  const BnProbe *writer = bn_results_begin_run (results, info, NULL);

  ck_assert_ptr_nonnull (writer);
  probes[0] = *bn_metrics_probe (metrics);
  probes[1] = *writer;
  play_run (probes, 2);
  ck_assert (bn_results_end_run (results, &end, NULL));
  bn_metrics_free (metrics);
}

static sqlite3_stmt *
first_row (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  ck_assert_msg (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg (db));
  ck_assert_msg (sqlite3_step (stmt) == SQLITE_ROW, "%s: no row", sql);
  return stmt;
}

int64_t
query_int (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = first_row (db, sql);
  int64_t value = sqlite3_column_int64 (stmt, 0);

  sqlite3_finalize (stmt);
  return value;
}

char *
query_text (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = first_row (db, sql);
  char *text = g_strdup ((const char *) sqlite3_column_text (stmt, 0));

  sqlite3_finalize (stmt);
  return text;
}

char *
make_folder (void)
{
  char *folder = g_dir_make_tmp ("binnacle-test-XXXXXX", NULL);

  ck_assert_ptr_nonnull (folder);
  return folder;
}

void
remove_folder (char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      char *path = g_build_filename (folder, name, NULL);
      g_remove (path);
      g_free (path);
    }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}
