/* test_row_writer.c: rows are written by another thread, all of them, and do not pile up without end.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "row_writer.h"

#include "suite.h"

#define N_ROWS (2 * BN_ROW_WRITER_MAX_ROWS)
#define FEW_ROWS 1000

/* A table whose rows are held back until the gate is opened. */
typedef struct Fixture
{
  GMutex gate;
  sqlite3 *db;
  sqlite3_stmt *put;
  BnRowWriter *writer;
  gint n_put;             /* atomic */
} Fixture;

static void
pass_gate (sqlite3_context *context, int n G_GNUC_UNUSED, sqlite3_value **values)
{
  GMutex *gate = sqlite3_user_data (context);

  g_mutex_lock (gate);
  g_mutex_unlock (gate);
  sqlite3_result_value (context, values[0]);
}

static void
execute (Fixture *f, const char *sql)
{
  ck_assert_int_eq (sqlite3_exec (f->db, sql, NULL, NULL, NULL), SQLITE_OK);
}

static void
set_up (Fixture *f)
{
  *f = (Fixture) { 0 };
  g_mutex_init (&f->gate);
  ck_assert_int_eq (sqlite3_open (":memory:", &f->db), SQLITE_OK);
  ck_assert_int_eq (sqlite3_create_function (f->db, "pass_gate", 1, SQLITE_UTF8, &f->gate, pass_gate, NULL, NULL),
                    SQLITE_OK);
  execute (f, "CREATE TABLE numbers (number INTEGER PRIMARY KEY); BEGIN IMMEDIATE");
  ck_assert_int_eq (sqlite3_prepare_v2 (f->db, "INSERT INTO numbers VALUES (pass_gate (?1))", -1, &f->put, NULL),
                    SQLITE_OK);
  BnRowWriterConfig config = { .db = f->db, .statements = &f->put, .batch_rows = 10000 };
  f->writer = bn_row_writer_new (&config);
}

static int
finish (Fixture *f)
{
  g_autofree char *message = NULL;

  return bn_row_writer_finish (f->writer, &message);
}

static gint64
n_written (Fixture *f)
{
  sqlite3_stmt *stmt;

  ck_assert_int_eq (sqlite3_prepare_v2 (f->db, "SELECT COUNT (*) FROM numbers", -1, &stmt, NULL), SQLITE_OK);
  ck_assert_int_eq (sqlite3_step (stmt), SQLITE_ROW);
  gint64 n = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  return n;
}

static void
tear_down (Fixture *f)
{
  sqlite3_finalize (f->put);
  sqlite3_close (f->db);
  g_mutex_clear (&f->gate);
}

static void
put_number (Fixture *f, int64_t number)
{
  BnRow row = { .table = 0 };

  bn_row_int (&row, number);
  bn_row_writer_put (f->writer, &row);
  bn_row_writer_may_commit (f->writer);
  g_atomic_int_inc (&f->n_put);
}

static gpointer
put_all (gpointer data)
{
  for (int64_t i = 0; i < N_ROWS; i++)
    put_number (data, i);
  return NULL;
}

START_TEST (who_is_faster_than_the_disk_waits_and_nothing_is_lost)
{
  Fixture f;

  set_up (&f);
  g_mutex_lock (&f.gate);
  GThread *thread = g_thread_new ("puts", put_all, &f);
  /* what may be committed goes in blocks that are half full */
  while (g_atomic_int_get (&f.n_put) < BN_ROW_WRITER_MAX_ROWS / 2)
    g_usleep (1000);
  g_usleep (100000);
  ck_assert_int_le (g_atomic_int_get (&f.n_put), BN_ROW_WRITER_MAX_ROWS + FEW_ROWS);
  ck_assert_int_lt (g_atomic_int_get (&f.n_put), N_ROWS);
  g_mutex_unlock (&f.gate);
  g_thread_join (thread);
  ck_assert_int_eq (finish (&f), SQLITE_OK);
  ck_assert_int_eq (n_written (&f), N_ROWS);
  tear_down (&f);
}
END_TEST

START_TEST (a_row_that_cannot_be_written_is_told_and_holds_nobody_up)
{
  Fixture f;

  set_up (&f);
  put_number (&f, 7);
  put_number (&f, 7);
  for (int64_t i = 0; i < N_ROWS; i++)
    put_number (&f, 8 + i);
  ck_assert_int_eq (finish (&f) & 0xff, SQLITE_CONSTRAINT);
  tear_down (&f);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("row_writer");
  TCase *t = tcase_create ("row_writer");

  tcase_set_timeout (t, 60);
  tcase_add_test (t, who_is_faster_than_the_disk_waits_and_nothing_is_lost);
  tcase_add_test (t, a_row_that_cannot_be_written_is_told_and_holds_nobody_up);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
