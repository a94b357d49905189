/* deviation.c: how far a simulated run is from the run that it repeats.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "deviation.h"

#include <math.h>

#include "sql.h"

const BnDeviationOf bn_deviations[BN_N_DEVIATIONS] = {
  { "latency_mean", "mean latency", "ms", 1, TRUE },
  { "latency_p50", "p50", "ms", 1, TRUE },
  { "latency_p95", "p95", "ms", 1, TRUE },
  { "latency_p99", "p99", "ms", 1, TRUE },
  { "makespan", "makespan", "s", 1, TRUE },
  { "hit_rate", "hit rate", "%", 100, FALSE },
  { "executing", "executing", "%", 100, FALSE },
  { "loading", "loading", "%", 100, FALSE },
  { "evicting", "evicting", "%", 100, FALSE },
  { "idle", "idle", "%", 100, FALSE },
};

static gboolean
read_metrics (sqlite3 *db, gint64 run, double *ret, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  gboolean ok = sqlite3_prepare_v2 (db, "SELECT value FROM metrics WHERE run_id = ?1 AND name = ?2 AND scope = ''", -1,
                                    &stmt, NULL) == SQLITE_OK;

  for (guint i = 0; i < BN_N_DEVIATIONS && ok; i++)
    {
      sqlite3_bind_int64 (stmt, 1, run);
      sqlite3_bind_text (stmt, 2, bn_deviations[i].metric, -1, SQLITE_STATIC);
      int rc = sqlite3_step (stmt);
      ret[i] = rc == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL
                 ? sqlite3_column_double (stmt, 0) * bn_deviations[i].scale : NAN;
      ok = rc == SQLITE_ROW || rc == SQLITE_DONE;
      sqlite3_reset (stmt);
    }
  if (!ok)
    bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  return ok;
}

/* The one row of `sql` about two runs, to be finalized; NULL with `error` set. */
static sqlite3_stmt *
row_of_both (sqlite3 *db, const char *sql, gint64 observed, gint64 simulated, GError **error)
{
  sqlite3_stmt *stmt = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) == SQLITE_OK)
    {
      sqlite3_bind_int64 (stmt, 1, observed);
      sqlite3_bind_int64 (stmt, 2, simulated);
      if (sqlite3_step (stmt) == SQLITE_ROW)
        return stmt;
    }
  bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  return NULL;
}

static const char alike_sql[]
  = "SELECT AVG (a.worker = b.worker) FROM tasks a JOIN tasks b ON b.run_id = ?2 AND b.job_id = a.job_id"
    " AND b.task = a.task AND b.state = 'done' WHERE a.run_id = ?1 AND a.state = 'done'";

static gboolean
read_placements (sqlite3 *db, gint64 observed, gint64 simulated, double *ret, GError **error)
{
  sqlite3_stmt *stmt = row_of_both (db, alike_sql, observed, simulated, error);

  if (stmt == NULL)
    return FALSE;
  *ret = sqlite3_column_type (stmt, 0) != SQLITE_NULL ? sqlite3_column_double (stmt, 0) : NAN;
  sqlite3_finalize (stmt);
  return TRUE;
}

static const char done_sql[]
  = "SELECT SUM (a.state = 'done'), SUM (b.state = 'done'), SUM (a.state = 'done' AND b.state = 'done') FROM jobs a"
    " JOIN jobs b ON b.run_id = ?2 AND b.job_id = a.job_id WHERE a.run_id = ?1";

static gboolean
read_done (sqlite3 *db, gint64 observed, gint64 simulated, BnDeviation *ret, GError **error)
{
  sqlite3_stmt *stmt = row_of_both (db, done_sql, observed, simulated, error);

  if (stmt == NULL)
    return FALSE;
  ret->n_done_observed = sqlite3_column_int64 (stmt, 0);
  ret->n_done_simulated = sqlite3_column_int64 (stmt, 1);
  ret->n_done_both = sqlite3_column_int64 (stmt, 2);
  sqlite3_finalize (stmt);
  return TRUE;
}

gboolean
bn_deviation_read (sqlite3 *db, gint64 observed, gint64 simulated, BnDeviation *ret, GError **error)
{
  return read_metrics (db, observed, ret->observed, error) && read_metrics (db, simulated, ret->simulated, error)
         && read_done (db, observed, simulated, ret, error)
         && read_placements (db, observed, simulated, &ret->placed_alike, error);
}

double
bn_deviation_error (const BnDeviation *deviation, guint i)
{
  double difference = deviation->simulated[i] - deviation->observed[i];

  if (!bn_deviations[i].relative)
    return difference;
  return deviation->observed[i] != 0 ? 100 * difference / deviation->observed[i] : NAN;
}

static const BnColumn columns[] = {
  { "what", "what", "", 0 },
  { "unit", "unit", "", 0 },
  { "observed", "observed", "", 3 },
  { "simulated", "simulated", "", 3 },
  { "error", "error", "", 3 },
  { "error_unit", "in", "", 0 },
};

BnTable *
bn_deviation_table (const BnDeviation *deviation)
{
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < BN_N_DEVIATIONS; i++)
    {
      bn_table_text (table, bn_deviations[i].title);
      bn_table_text (table, bn_deviations[i].unit);
      bn_table_real (table, deviation->observed[i]);
      bn_table_real (table, deviation->simulated[i]);
      bn_table_real (table, bn_deviation_error (deviation, i));
      bn_table_text (table, bn_deviations[i].relative ? "%" : "points");
    }
  bn_table_text (table, "placed alike");
  bn_table_text (table, "%");
  bn_table_missing (table);
  bn_table_real (table, 100 * deviation->placed_alike);
  bn_table_missing (table);
  bn_table_missing (table);
  return table;
}
