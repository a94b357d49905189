/* results.c: the results file: filled run by run, closed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "results.h"

#include <string.h>

#include "results_private.h"

G_DEFINE_QUARK (bn-results-error-quark, bn_results_error)

/* How long to wait at the end for somebody who reads: it matters less than at the beginning. */
#define CLOSING_BUSY_MS 1000

/* ---- errors and transactions ---- */

void
bn_results_set_write_error (GError **error, const char *path, const char *why)
{
  g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_WRITE,
               "%s: cannot write results: %s; name a file in a folder that can be written and has room", path, why);
}

void
bn_results_note_message (BnResults *results, const char *message)
{
  if (results->error != NULL)
    return;
  bn_results_set_write_error (&results->error, results->path, message);
  if (results->on_failure != NULL)
    results->on_failure (results->on_failure_data);
}

gboolean
bn_results_note (BnResults *results, int rc)
{
  if (rc == SQLITE_OK || rc == SQLITE_DONE || rc == SQLITE_ROW)
    return results->error == NULL;
  bn_results_note_message (results, sqlite3_errmsg (results->db));
  return FALSE;
}

gboolean
bn_results_run_sql (BnResults *results, const char *sql)
{
  return results->error == NULL && bn_results_note (results, sqlite3_exec (results->db, sql, NULL, NULL, NULL));
}

gboolean
bn_results_begin (BnResults *results)
{
  results->rows = 0;
  return bn_results_run_sql (results, "BEGIN IMMEDIATE");
}

gboolean
bn_results_commit (BnResults *results)
{
  return bn_results_run_sql (results, "COMMIT");
}

gboolean
bn_results_close_database (BnResults *results)
{
  int rc;

  for (guint i = 0; i < BN_N_PUTS; i++)
    {
      sqlite3_finalize (results->puts[i]);
      results->puts[i] = NULL;
    }
  rc = sqlite3_close (results->db);
  results->db = NULL;
  return rc == SQLITE_OK;
}

void
bn_results_free (BnResults *results)
{
  g_clear_error (&results->error);
  g_free (results->n_cache_events);
  g_free (results->path);
  g_free (results);
}

/* ---- runs ---- */

const BnProbe *
bn_results_begin_run (BnResults *results, const BnRunInfo *info, GError **error)
{
  g_assert (!results->in_run);
  results->run_id = info->run_id;
  results->record = info->record;
  results->platform = NULL;
  results->catalogue = NULL;
  results->n_decisions = 0;
  results->n_costs = 0;
  results->n_transfers = 0;
  results->n_failures = 0;
  results->real = info->real;
  results->has_digests = info->has_digests;
  if (bn_results_begin (results))
    bn_results_put_run (results, info);
  if (results->error == NULL && bn_results_commit (results))
    bn_results_begin (results);
  if (results->error != NULL)
    {
      g_propagate_error (error, g_error_copy (results->error));
      return NULL;
    }
  results->in_run = TRUE;
  results->probe = bn_results_probe (results);
  return &results->probe;
}

gboolean
bn_results_end_run (BnResults *results, const BnRunEnd *end, GError **error)
{
  g_assert (results->in_run);
  results->in_run = FALSE;
  bn_results_end_writer (results);
  if (results->error == NULL)
    bn_results_put_end (results, end);
  if (bn_results_commit (results))
    /* of a real run that failed, what had happened is an observation all the same */
    results->n_kept += end->totals->status != BN_RUN_FAILED || (results->real && end->totals->n_jobs > 0);
  else
    sqlite3_exec (results->db, "ROLLBACK", NULL, NULL, NULL);
  if (results->error != NULL)
    g_propagate_error (error, g_error_copy (results->error));
  return results->error == NULL;
}

gboolean
bn_results_is_empty (BnResults *results)
{
  sqlite3_stmt *stmt = NULL;
  gboolean empty = bn_results_note (results, sqlite3_prepare_v2 (results->db, "SELECT 1 FROM runs", -1, &stmt, NULL))
                   && sqlite3_step (stmt) == SQLITE_DONE;

  sqlite3_finalize (stmt);
  return empty;
}

sqlite3 *
bn_results_database (BnResults *results)
{
  return results->db;
}

gboolean
bn_results_failed (const BnResults *results)
{
  return results->error != NULL;
}

void
bn_results_on_failure (BnResults *results, void (*func) (void *data), void *data)
{
  results->on_failure = func;
  results->on_failure_data = data;
}

/* Leaving WAL mode fails while somebody reads; then the last one to close tidies up. */
static void
finish (BnResults *results, gboolean keep)
{
  bn_results_end_writer (results);
  if (results->in_run && results->error == NULL)
    bn_results_commit (results);
  if (!sqlite3_get_autocommit (results->db))
    sqlite3_exec (results->db, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_busy_timeout (results->db, CLOSING_BUSY_MS);
  sqlite3_exec (results->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  keep = (keep && results->error == NULL) || results->n_kept > 0;
  if (!bn_results_close_database (results) && results->error == NULL)
    bn_results_set_write_error (&results->error, results->path, "it is still in use");
  if (keep || strcmp (results->path, ":memory:") == 0)
    return;
  bn_results_remove_file (results->path);
}

gboolean
bn_results_close (BnResults *results, GError **error)
{
  gboolean well;

  finish (results, TRUE);
  well = results->error == NULL;
  if (!well)
    g_propagate_error (error, g_steal_pointer (&results->error));
  bn_results_free (results);
  return well;
}

void
bn_results_abandon (BnResults *results)
{
  finish (results, FALSE);
  bn_results_free (results);
}
