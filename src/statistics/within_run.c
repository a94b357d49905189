/* within_run.c: what one run says of its steady state.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "within_run.h"

#include <math.h>

#include "sql.h"
#include "warmup.h"

/* The first column of each row that `sql` has for run ?1; NULL with `error` set.
 * Returns: (transfer full): of double. */
static GArray *
read_column (sqlite3 *db, const char *sql, gint64 run_id, GError **error)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);

  if (rc == SQLITE_OK)
    sqlite3_bind_int64 (stmt, 1, run_id);
  while (stmt != NULL && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      double value = sqlite3_column_double (stmt, 0);
      g_array_append_val (values, value);
    }
  if (rc != SQLITE_DONE)
    bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  if (rc == SQLITE_DONE)
    return values;
  g_array_unref (values);
  return NULL;
}

gboolean
bn_within_run_latency (sqlite3 *db, gint64 run_id, BnBatchMeans *ret, GError **error)
{
  GArray *latencies = read_column (db,
    "SELECT (j.end_ns - j.create_ns) / 1e6 FROM jobs j JOIN runs r USING (run_id) WHERE run_id = ?1"
    " AND j.state = 'done' AND j.create_ns >= r.warmup_ns ORDER BY j.job_id", run_id, error);

  if (latencies == NULL)
    return FALSE;
  *ret = bn_batch_means ((const double *) (void *) latencies->data, latencies->len, BN_CONFIDENCE);
  g_array_unref (latencies);
  return TRUE;
}

gboolean
bn_within_run_warmup (sqlite3 *db, gint64 run_id, double *end_s, double *share, GError **error)
{
  GArray *levels = read_column (db,
    "SELECT b.mean_jobs FROM backlog b JOIN runs r USING (run_id) WHERE run_id = ?1"
    " AND b.start_ns + b.width_ns <= r.last_arrival_ns ORDER BY b.bin", run_id, error);
  GArray *width = levels == NULL ? NULL : read_column (db, "SELECT MAX (width_ns) / 1e9 FROM backlog WHERE run_id = ?1",
                                                       run_id, error);
  uint64_t n_left_out;

  *end_s = *share = NAN;
  if (width != NULL && bn_warmup_by_mser5 ((const double *) (void *) levels->data, levels->len, &n_left_out))
    {
      *end_s = (double) n_left_out * g_array_index (width, double, 0);
      *share = (double) n_left_out / levels->len;
    }
  g_clear_pointer (&levels, g_array_unref);
  if (width == NULL)
    return FALSE;
  g_array_unref (width);
  return TRUE;
}
