/* results_create.c: a results file is made, or opened to go on.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A new file gets its schema under a temporary name in the same folder and its
 * own name last, so that there is no moment at which a half-made file has it.
 */
#include "results_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "reader.h"
#include "schema_sql.h"
#include "sql.h"
#include "work_folder.h"

/* Without a write-ahead log: what stays in one when the disk is full would be missing
 * in the file, and nobody would be told. */
#define MAKING "PRAGMA journal_mode = MEMORY"
#define WRITING "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
#define SCRATCH "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE"

/* How long to wait for somebody who reads, at most. */
#define BUSY_MS 10000

/* Tables and columns of one database, in one text. */
#define FORM_SQL \
  "SELECT group_concat (t.name || '.' || c.name) FROM (SELECT name FROM %w.sqlite_schema WHERE type = 'table'" \
  " ORDER BY name) t, pragma_table_info (t.name, %Q) c"

static const char *const put_tables[BN_N_PUTS] = {
  [BN_PUT_JOB] = "jobs",
  [BN_PUT_TASK] = "tasks",
  [BN_PUT_DECISION] = "decisions",
  [BN_PUT_DECISION_COST] = "decision_costs",
  [BN_PUT_TRANSFER] = "transfers",
  [BN_PUT_CACHE_EVENT] = "cache_events",
  [BN_PUT_FAILURE] = "failures",
};

gboolean
bn_results_may_create (const char *path, gboolean replace, GError **error)
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

void
bn_results_remove_file (const char *path)
{
  remove_companions (path);
  g_unlink (path);
}

/* Somebody who reads the file at the moment in which it becomes one with a write-ahead log
 * keeps it from that; a reader is done soon. */
static gboolean
open_database (BnResults *results, const char *path, const char *pragmas)
{
  return bn_results_note (results, sqlite3_open_v2 (path, &results->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                                    NULL))
         && bn_results_note (results, sqlite3_busy_timeout (results->db, BUSY_MS))
         && bn_results_run_sql (results, pragmas);
}

static gboolean
make_schema (BnResults *results, const char *path, const char *pragmas)
{
  return open_database (results, path, pragmas) && bn_results_run_sql (results, "BEGIN")
         && bn_results_run_sql (results, bn_schema_sql) && bn_results_run_sql (results, "COMMIT");
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
  bn_results_set_write_error (&results->error, results->path, g_strerror (errno));
  return FALSE;
}

gboolean
bn_results_rename (const char *path, const char *name, GError **error)
{
  remove_companions (name);
  if (g_rename (path, name) == 0)
    return TRUE;
  bn_results_set_write_error (error, name, g_strerror (errno));
  return FALSE;
}

/* `folder` is beside the file, or NULL: the file's own. */
static void
create_file (BnResults *results, const char *folder, gboolean replace)
{
  char *temporary = folder != NULL ? g_build_filename (folder, "new.XXXXXX", NULL)
                                   : g_strconcat (results->path, ".XXXXXX", NULL);
  int fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0666);

  if (fd < 0)
    bn_results_set_write_error (&results->error, results->path, g_strerror (errno));
  else
    {
      gboolean made;

      close (fd);
      made = make_schema (results, temporary, MAKING);
      if (!bn_results_close_database (results) || !made || !take_name (results, temporary, replace))
        bn_results_remove_file (temporary);
      else if (!open_database (results, results->path, WRITING))
        {
          bn_results_close_database (results);
          bn_results_remove_file (results->path);
        }
    }
  g_free (temporary);
}

static BnResults *
new_results (const char *path)
{
  BnResults *results = g_new0 (BnResults, 1);

  results->path = g_strdup (path);
  return results;
}

/* Takes `results`, which has an open database or an error. */
static BnResults *
make_ready (BnResults *results, GError **error)
{
  for (guint i = 0; i < BN_N_PUTS && results->error == NULL; i++)
    bn_results_note (results, bn_sql_prepare_insert (results->db, put_tables[i], &results->puts[i]));
  if (results->error == NULL)
    return results;
  g_propagate_error (error, g_steal_pointer (&results->error));
  bn_results_close_database (results);
  bn_results_free (results);
  return NULL;
}

BnResults *
bn_results_create (const char *path, gboolean replace, GError **error)
{
  BnWorkFolder *folder = NULL;

  /* a sweep or plan that is writing the file would not notice that it has gone */
  if (replace && g_file_test (path, G_FILE_TEST_IS_REGULAR) && (folder = bn_work_folder_new (path, error)) == NULL)
    return NULL;
  BnResults *results = bn_results_create_by_way_of (path, NULL, replace, error);
  bn_work_folder_free (folder);
  return results;
}

BnResults *
bn_results_create_by_way_of (const char *path, const char *folder, gboolean replace, GError **error)
{
  gboolean in_memory = strcmp (path, ":memory:") == 0;
  BnResults *results;

  if (!in_memory && !bn_results_may_create (path, replace, error))
    return NULL;
  results = new_results (path);
  if (in_memory)
    make_schema (results, path, MAKING);
  else
    create_file (results, folder, replace);
  return make_ready (results, error);
}

BnResults *
bn_results_create_scratch (const char *path, GError **error)
{
  BnResults *results;

  if (!bn_results_may_create (path, FALSE, error))
    return NULL;
  results = new_results (path);
  make_schema (results, path, SCRATCH);
  return make_ready (results, error);
}

/* ---- going on ---- */

/* Of the database `schema` of the connection. Returns: (transfer full), NULL after an error. */
static char *
form_of (BnResults *results, const char *schema)
{
  sqlite3_stmt *stmt = NULL;
  char *sql = sqlite3_mprintf (FORM_SQL, schema, schema), *text = NULL;

  if (bn_results_note (results, sqlite3_prepare_v2 (results->db, sql, -1, &stmt, NULL))
      && bn_results_note (results, sqlite3_step (stmt)))
    text = g_strdup ((const char *) sqlite3_column_text (stmt, 0));
  sqlite3_finalize (stmt);
  sqlite3_free (sql);
  return text;
}

gboolean
bn_results_part_has_form (BnResults *results)
{
  g_autofree char *own = form_of (results, "main"), *other = form_of (results, "part");

  return g_strcmp0 (own, other) == 0;
}

/* Whether the file has the tables of this program; else FALSE with `error` set. */
static gboolean
has_own_form (BnResults *results, GError **error)
{
  BnResults *fresh = bn_results_create (":memory:", FALSE, error);
  g_autofree char *own = NULL, *form = NULL;

  if (fresh == NULL)
    return FALSE;
  own = form_of (fresh, "main");
  bn_results_abandon (fresh);
  form = form_of (results, "main");
  if (results->error != NULL)
    g_propagate_error (error, g_error_copy (results->error));
  else if (g_strcmp0 (own, form) != 0)
    g_set_error (error, BN_RESULTS_ERROR, BN_RESULTS_ERROR_FOREIGN,
                 "%s: has other tables than this version of the program writes; name another file, or give --replace",
                 results->path);
  else
    return TRUE;
  return FALSE;
}

/* Whoever kills a writer leaves a write-ahead log, which opening the file takes in. */
BnResults *
bn_results_extend (const char *path, GError **error)
{
  BnReader *reader = bn_results_may_create (path, TRUE, error) ? bn_reader_open (path, error) : NULL;
  BnResults *results;

  /* knows what versions there are */
  bn_reader_close (reader);
  if (reader == NULL)
    return NULL;
  results = new_results (path);
  if (open_database (results, path, WRITING) && !has_own_form (results, error))
    {
      bn_results_close_database (results);
      bn_results_free (results);
      return NULL;
    }
  results->n_kept = results->error == NULL && !bn_results_is_empty (results);
  return make_ready (results, error);
}
