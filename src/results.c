/* results.c: the results file: made, filled run by run, closed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A new file gets its schema under a temporary name in the same folder and its
 * own name last, so that there is no moment at which a half-made file has it.
 */
#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "reader.h"
#include "results_private.h"
#include "schema_sql.h"
#include "sql.h"

G_DEFINE_QUARK (bn-results-error-quark, bn_results_error)

static const char *const put_tables[BN_N_PUTS] = {
  [BN_PUT_JOB] = "jobs",
  [BN_PUT_TASK] = "tasks",
  [BN_PUT_DECISION] = "decisions",
  [BN_PUT_TRANSFER] = "transfers",
  [BN_PUT_CACHE_EVENT] = "cache_events",
  [BN_PUT_FAILURE] = "failures",
};

/* ---- errors and transactions ---- */

static void
set_write_error (GError **error, const char *path, const char *why)
{
  g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_WRITE,
               "%s: cannot write results: %s; name a file in a folder that can be written and has room", path, why);
}

void
bn_results_note_message (BnResults *results, const char *message)
{
  if (results->error != NULL)
    return;
  set_write_error (&results->error, results->path, message);
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

static gboolean
run_sql (BnResults *results, const char *sql)
{
  return results->error == NULL && bn_results_note (results, sqlite3_exec (results->db, sql, NULL, NULL, NULL));
}

gboolean
bn_results_begin (BnResults *results)
{
  results->rows = 0;
  return run_sql (results, "BEGIN IMMEDIATE");
}

gboolean
bn_results_commit (BnResults *results)
{
  return run_sql (results, "COMMIT");
}

/* ---- creating ---- */

static gboolean
may_create (const char *path, gboolean replace, GError **error)
{
  GStatBuf st;

  if (g_lstat (path, &st) != 0)
    return TRUE;
  if (!replace)
    g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_EXISTS,
                 "%s: exists already; name another file, or give --replace", path);
  else if (!S_ISREG (st.st_mode) || (st.st_size > 0 && !bn_reader_is_results_file (path)))
    g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_FOREIGN,
                 "%s: exists and is not a results file; name another file", path);
  else
    return TRUE;
  return FALSE;
}

/* What SQLite keeps beside a file in use. A write-ahead log that a killed program
 * left would be read into a new file of the same name. */
static void
remove_companions (const char *path)
{
  static const char *const endings[] = { "-wal", "-shm", "-journal" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      char *name = g_strconcat (path, endings[i], NULL);
      g_unlink (name);
      g_free (name);
    }
}

static void
remove_file (const char *path)
{
  remove_companions (path);
  g_unlink (path);
}

static gboolean
open_database (BnResults *results, const char *path, const char *pragmas)
{
  return bn_results_note (results, sqlite3_open_v2 (path, &results->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                                    NULL))
         && run_sql (results, pragmas);
}

static gboolean
close_database (BnResults *results)
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

/* Without a write-ahead log: what stays in one when the disk is full would be missing
 * in the file, and nobody would be told. */
static gboolean
make_schema (BnResults *results, const char *path)
{
  return open_database (results, path, "PRAGMA journal_mode = MEMORY") && run_sql (results, "BEGIN")
         && run_sql (results, bn_schema_sql) && run_sql (results, "COMMIT");
}

static gboolean
take_name (BnResults *results, const char *temporary, gboolean replace)
{
  if (replace)
    remove_companions (results->path);
  if (!replace && link (temporary, results->path) == 0)
    {
      g_unlink (temporary);
      return TRUE;
    }
  /* some file systems have no hard links */
  if ((replace || errno != EEXIST) && g_rename (temporary, results->path) == 0)
    return TRUE;
  set_write_error (&results->error, results->path, g_strerror (errno));
  return FALSE;
}

static void
create_file (BnResults *results, gboolean replace)
{
  char *temporary = g_strconcat (results->path, ".XXXXXX", NULL);
  int fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0666);

  if (fd < 0)
    set_write_error (&results->error, results->path, g_strerror (errno));
  else
    {
      gboolean made;

      close (fd);
      made = make_schema (results, temporary);
      if (!close_database (results) || !made || !take_name (results, temporary, replace))
        remove_file (temporary);
      else if (!open_database (results, results->path, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"))
        {
          close_database (results);
          remove_file (results->path);
        }
    }
  g_free (temporary);
}

static void
free_results (BnResults *results)
{
  g_clear_error (&results->error);
  g_free (results->n_cache_events);
  g_free (results->path);
  g_free (results);
}

BnResults *
bn_results_create (const char *path, gboolean replace, GError **error)
{
  gboolean in_memory = strcmp (path, ":memory:") == 0;
  BnResults *results;

  if (!in_memory && !may_create (path, replace, error))
    return NULL;
  results = g_new0 (BnResults, 1);
  results->path = g_strdup (path);
  if (in_memory)
    make_schema (results, path);
  else
    create_file (results, replace);
  for (guint i = 0; i < BN_N_PUTS && results->error == NULL; i++)
    bn_results_note (results, bn_sql_prepare_insert (results->db, put_tables[i], &results->puts[i]));
  if (results->error == NULL)
    return results;
  g_propagate_error (error, g_steal_pointer (&results->error));
  close_database (results);
  free_results (results);
  return NULL;
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
  sqlite3_exec (results->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
  keep = (keep && results->error == NULL) || results->n_kept > 0;
  if (!close_database (results) && results->error == NULL)
    set_write_error (&results->error, results->path, "it is still in use");
  if (keep || strcmp (results->path, ":memory:") == 0)
    return;
  remove_file (results->path);
}

gboolean
bn_results_close (BnResults *results, GError **error)
{
  gboolean well;

  finish (results, TRUE);
  well = results->error == NULL;
  if (!well)
    g_propagate_error (error, g_steal_pointer (&results->error));
  free_results (results);
  return well;
}

void
bn_results_abandon (BnResults *results)
{
  finish (results, FALSE);
  free_results (results);
}
