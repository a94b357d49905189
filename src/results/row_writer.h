/* row_writer.h: a thread that writes rows, so that a run on the wall clock need not wait.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A row takes SQLite several microseconds, and now and then much longer; the loop of a
 * real run has better things to do. It hands over blocks of rows instead. While the
 * thread lives, the connection is its own. Should the disk not keep up, rows do not pile
 * up without end: the loop waits after all, which its lateness then shows.
 */
#ifndef BN_ROW_WRITER_H
#define BN_ROW_WRITER_H

#include "row.h"

typedef struct BnRowWriter BnRowWriter;

typedef struct BnRowWriterConfig
{
  sqlite3 *db;                       /* within a transaction                              */
  sqlite3_stmt *const *statements;   /* by BnRow.table, borrowed                          */
  gint64 batch_rows;                 /* of one transaction, more or less                  */
  void (*on_failure) (void *data);   /* in the thread, once; or NULL                      */
  void *on_failure_data;
} BnRowWriterConfig;

BnRowWriter *bn_row_writer_new (const BnRowWriterConfig *config);

/* The most rows that wait to be written, beside the last few; some 50 MB. */
#define BN_ROW_WRITER_MAX_ROWS 131072

/* The row is the writer's from now on. Waits where BN_ROW_WRITER_MAX_ROWS do. */
void bn_row_writer_put (BnRowWriter *writer, const BnRow *row);

/* Rows up to here belong together: a transaction may end. */
void bn_row_writer_may_commit (BnRowWriter *writer);

/* Whether something could not be written; rows are dropped from then on. */
gboolean bn_row_writer_failed (const BnRowWriter *writer);

/* Writes what is left and ends the thread; frees the writer. Within a transaction
 * again, unless it failed. Returns: SQLite's result code of the first failure, or SQLITE_OK;
 * with a failure *message (transfer full) is SQLite's. */
int bn_row_writer_finish (BnRowWriter *writer, char **message);

#endif
