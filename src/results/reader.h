/* reader.h: reads a results file, for the verbs that only look.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Owns a read-only connection; knows nothing of what the tables mean. Errors are
 * one line that begins with the file's name.
 */
#ifndef BN_READER_H
#define BN_READER_H

#include <glib.h>
#include <sqlite3.h>

/* Whether a file begins as a SQLite database, and as a results file. FALSE too for
 * one that is missing, cannot be read, or is empty. */
gboolean bn_reader_is_database (const char *path);
gboolean bn_reader_is_results_file (const char *path);

/* Whether two names are of one file that is there. */
gboolean bn_reader_is_same_file (const char *a, const char *b);

typedef struct BnReader BnReader;

/* NULL with `error` set where the file is missing, is no results file, is
 * damaged at its head, or is of a newer form. Returns: (transfer full). */
BnReader *bn_reader_open (const char *path, GError **error);
void bn_reader_close (BnReader *reader);

const char *bn_reader_path (const BnReader *reader);
sqlite3 *bn_reader_db (const BnReader *reader);

/* Prepares `sql`; its first parameters are bound to `run` and, where there is a
 * second, `job`. NULL with `error` set. Finalise what it returns. */
sqlite3_stmt *bn_reader_query (BnReader *reader, const char *sql, gint64 run, gint64 job, GError **error);

/* Steps. TRUE: there is a row. FALSE at the end, or with `error` set where the
 * file is damaged. */
gboolean bn_reader_step (BnReader *reader, sqlite3_stmt *stmt, GError **error);

/* The first column of the first row of `sql`, or `none` where there is no row
 * or the value is NULL. */
gboolean bn_reader_int (BnReader *reader, const char *sql, gint64 run, gint64 job, gint64 none, gint64 *ret,
                        GError **error);

/* What a verb needs to find recorded of a run. */
typedef enum
{
  BN_NEEDS_SUMMARY,
  BN_NEEDS_JOBS,
  BN_NEEDS_TASKS
} BnReaderNeeds;

/* Whether the file has run `run` with what is needed. `run` 0: the only run; with
 * several it is an error that lists them. Sets *ret_run. */
gboolean bn_reader_choose_run (BnReader *reader, gint64 run, BnReaderNeeds needs, gint64 *ret_run, GError **error);

#endif
