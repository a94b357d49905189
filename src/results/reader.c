/* reader.c: reads a results file, for the verbs that only look.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "reader.h"

#include <string.h>

#include <glib/gstdio.h>

#include "cli.h"

#define APPLICATION_ID 1114530147
#define NEWEST_VERSION 4
#define OLDEST_VERSION 4

/* A SQLite file's header: see its documentation of the file format. */
#define HEAD_BYTES 100
#define HEAD_MAGIC "SQLite format 3"
#define HEAD_APPLICATION_ID 68

/* How long to wait at most for whoever writes it, who locks readers out for moments only. */
#define BUSY_MS 10000

struct BnReader
{
  char *path;
  sqlite3 *db;
};

static gboolean
read_head (const char *path, guint8 head[HEAD_BYTES])
{
  FILE *file = g_fopen (path, "rb");
  gboolean whole = file && fread (head, 1, HEAD_BYTES, file) == HEAD_BYTES;

  if (file)
    fclose (file);
  return whole && memcmp (head, HEAD_MAGIC, sizeof HEAD_MAGIC) == 0;
}

gboolean
bn_reader_is_database (const char *path)
{
  guint8 head[HEAD_BYTES];

  return read_head (path, head);
}

gboolean
bn_reader_is_results_file (const char *path)
{
  guint8 head[HEAD_BYTES];
  guint32 id;

  if (!read_head (path, head))
    return FALSE;
  memcpy (&id, head + HEAD_APPLICATION_ID, sizeof id);
  return GUINT32_FROM_BE (id) == APPLICATION_ID;
}

gboolean
bn_reader_is_same_file (const char *a, const char *b)
{
  GStatBuf x, y;

  return g_stat (a, &x) == 0 && g_stat (b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void
set_damaged (BnReader *reader, GError **error)
{
  if (sqlite3_errcode (reader->db) == SQLITE_NOTADB)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: not a results file; give one that binnacle run or compare has written", reader->path);
  else
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "%s: cannot read it: %s; make it again if it is damaged",
                 reader->path, sqlite3_errmsg (reader->db));
}

/* A cleanly closed file in a folder that cannot be written: SQLite wants to put
 * its shared memory beside a file in WAL mode, unless told that nobody writes. */
static gboolean
reopen_immutable (BnReader *reader)
{
  char *wal = g_strconcat (reader->path, "-wal", NULL);
  char *escaped = g_uri_escape_string (reader->path, "/", FALSE);
  char *uri = g_strconcat ("file:", escaped, "?immutable=1", NULL);
  gboolean done = FALSE;

  if (!g_file_test (wal, G_FILE_TEST_EXISTS))
    {
      sqlite3_close (reader->db);
      reader->db = NULL;
      done = sqlite3_open_v2 (uri, &reader->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    }
  g_free (uri);
  g_free (escaped);
  g_free (wal);
  return done;
}

static gboolean
check_head (BnReader *reader, GError **error)
{
  GError *first = NULL;
  gint64 id, version, runs;

  if (!bn_reader_int (reader, "PRAGMA application_id", 0, 0, 0, &id, &first))
    {
      if (sqlite3_errcode (reader->db) != SQLITE_CANTOPEN || !reopen_immutable (reader))
        {
          g_propagate_error (error, first);
          return FALSE;
        }
      g_clear_error (&first);
      if (!bn_reader_int (reader, "PRAGMA application_id", 0, 0, 0, &id, error))
        return FALSE;
    }
  if (!bn_reader_int (reader, "PRAGMA user_version", 0, 0, 0, &version, error)
      || !bn_reader_int (reader, "SELECT count(*) FROM sqlite_master WHERE name = 'runs'", 0, 0, 0, &runs, error))
    return FALSE;
  if (id != APPLICATION_ID || runs != 1)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: not a results file; give one that binnacle run or compare has written", reader->path);
  else if (version < OLDEST_VERSION)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: results of form %d, and this program knows forms from %d on; run the scenario again",
                 reader->path, (int) version, OLDEST_VERSION);
  else if (version > NEWEST_VERSION)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: results of form %d, and this program knows forms up to %d; use a newer Binnacle", reader->path,
                 (int) version, NEWEST_VERSION);
  else
    return TRUE;
  return FALSE;
}

BnReader *
bn_reader_open (const char *path, GError **error)
{
  BnReader *reader;

  if (!g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   g_file_test (path, G_FILE_TEST_IS_DIR)
                     ? "%s: a folder, not a results file; give one that binnacle run or compare has written"
                     : "%s: no such file; give a results file that binnacle run or compare has written",
                   path);
      return NULL;
    }
  reader = g_new0 (BnReader, 1);
  reader->path = g_strdup (path);
  if (sqlite3_open_v2 (path, &reader->db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK
      || sqlite3_busy_timeout (reader->db, BUSY_MS) != SQLITE_OK)
    set_damaged (reader, error);
  else if (check_head (reader, error))
    return reader;
  bn_reader_close (reader);
  return NULL;
}

void
bn_reader_close (BnReader *reader)
{
  if (reader == NULL)
    return;
  sqlite3_close (reader->db);
  g_free (reader->path);
  g_free (reader);
}

const char *
bn_reader_path (const BnReader *reader)
{
  return reader->path;
}

sqlite3 *
bn_reader_db (const BnReader *reader)
{
  return reader->db;
}

sqlite3_stmt *
bn_reader_query (BnReader *reader, const char *sql, gint64 run, gint64 job, GError **error)
{
  sqlite3_stmt *stmt;
  int n;

  if (sqlite3_prepare_v2 (reader->db, sql, -1, &stmt, NULL) != SQLITE_OK)
    {
      set_damaged (reader, error);
      return NULL;
    }
  n = sqlite3_bind_parameter_count (stmt);
  if (n >= 1)
    sqlite3_bind_int64 (stmt, 1, run);
  if (n >= 2)
    sqlite3_bind_int64 (stmt, 2, job);
  return stmt;
}

gboolean
bn_reader_step (BnReader *reader, sqlite3_stmt *stmt, GError **error)
{
  int code = sqlite3_step (stmt);

  if (code != SQLITE_ROW && code != SQLITE_DONE)
    set_damaged (reader, error);
  return code == SQLITE_ROW;
}

gboolean
bn_reader_int (BnReader *reader, const char *sql, gint64 run, gint64 job, gint64 none, gint64 *ret, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, run, job, error);

  if (stmt == NULL)
    return FALSE;
  *ret = none;
  if (bn_reader_step (reader, stmt, &failure) && sqlite3_column_type (stmt, 0) != SQLITE_NULL)
    *ret = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static char *
describe_runs (BnReader *reader)
{
  GString *text = g_string_new (NULL);
  sqlite3_stmt *stmt
    = bn_reader_query (reader, "SELECT run_id, shown, seed FROM v_runs ORDER BY run_id LIMIT 20", 0, 0, NULL);

  while (stmt != NULL && bn_reader_step (reader, stmt, NULL))
    g_string_append_printf (text, "%s%d %s seed %s", text->len ? ", " : "", sqlite3_column_int (stmt, 0),
                            (const char *) sqlite3_column_text (stmt, 1),
                            (const char *) sqlite3_column_text (stmt, 2));
  sqlite3_finalize (stmt);
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (text, FALSE);
}

static gboolean
has_run (BnReader *reader, gint64 run, GError **error)
{
  gint64 n;
  char *known;

  if (!bn_reader_int (reader, "SELECT count(*) FROM runs WHERE run_id = ?", run, 0, 0, &n, error))
    return FALSE;
  if (n == 0)
    {
      known = describe_runs (reader);
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "%s: has no run %" G_GINT64_FORMAT "; it holds %s",
                   reader->path, run, known);
      g_free (known);
    }
  return n > 0;
}

static gboolean
only_run (BnReader *reader, gint64 *ret_run, GError **error)
{
  gint64 n;
  char *known;

  if (!bn_reader_int (reader, "SELECT count(*) FROM runs", 0, 0, 0, &n, error))
    return FALSE;
  if (n == 1)
    return bn_reader_int (reader, "SELECT run_id FROM runs", 0, 0, 0, ret_run, error);
  known = describe_runs (reader);
  if (n == 0)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: holds no run; it was cut off at its start, make it again", reader->path);
  else
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "%s: holds %d runs; choose one with --run N: %s",
                 reader->path, (int) n, known);
  g_free (known);
  return FALSE;
}

gboolean
bn_reader_choose_run (BnReader *reader, gint64 run, BnReaderNeeds needs, gint64 *ret_run, GError **error)
{
  static const char *const what[] = { "summary", "jobs", "tasks" };
  gint64 level;

  if (run == 0 ? !only_run (reader, &run, error) : !has_run (reader, run, error))
    return FALSE;
  if (!bn_reader_int (reader, "SELECT (record <> 'summary') + (record = 'tasks') FROM runs WHERE run_id = ?", run, 0,
                      0, &level, error))
    return FALSE;
  if (level < (gint64) needs)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                   "%s: run %" G_GINT64_FORMAT " has no %s recorded; run it again with --set scenario.record=%s",
                   reader->path, run, what[needs], what[needs]);
      return FALSE;
    }
  *ret_run = run;
  return TRUE;
}
