/* results_private.h: what the files of the results writer share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_RESULTS_PRIVATE_H
#define BN_RESULTS_PRIVATE_H

#include "results.h"

/* Statements kept ready while a run is written. */
typedef enum
{
  BN_PUT_JOB,
  BN_PUT_TASK,
  BN_PUT_DECISION,
  BN_PUT_DECISION_COST,
  BN_PUT_TRANSFER,
  BN_PUT_CACHE_EVENT,
  BN_PUT_FAILURE,
  BN_N_PUTS
} BnPut;

struct BnResults
{
  char *path;
  sqlite3 *db;
  GError *error;                    /* the first one, kept; or NULL          */
  void (*on_failure) (void *data);
  void *on_failure_data;
  sqlite3_stmt *puts[BN_N_PUTS];

  /* the run under way */
  gboolean in_run;
  int64_t run_id;
  BnRecord record;
  gboolean real, has_digests;
  BnProbe probe;
  const BnPlatform *platform;       /* told by run_started, borrowed         */
  const BnCatalogue *catalogue;
  gint64 rows;                      /* since the last commit                 */
  struct BnRowWriter *writer;       /* of a run on the wall clock; else NULL */
  int64_t n_decisions, n_costs, n_transfers, n_failures; /* so far in this run */
  int64_t *n_cache_events;          /* [n_workers] */

  guint n_kept;                     /* runs that ended, did not fail and are committed */
};

/* Keeps an error that is not SQLITE_OK, the first one only, and tells who wants to
 * know. Returns: whether all is well so far. */
gboolean bn_results_note (BnResults *results, int rc);

/* The same of an error of another thread; `message` is SQLite's. */
void bn_results_note_message (BnResults *results, const char *message);

/* What cannot be written and why, with what to do. */
void bn_results_set_write_error (GError **error, const char *path, const char *why);

/* Runs SQL without rows, unless there is an error. */
gboolean bn_results_run_sql (BnResults *results, const char *sql);

/* Begins a transaction, or ends one and begins the next. */
gboolean bn_results_begin (BnResults *results);
gboolean bn_results_commit (BnResults *results);

/* FALSE where the database is still in use. */
gboolean bn_results_close_database (BnResults *results);
void bn_results_free (BnResults *results);

/* results_create.c: also what SQLite keeps beside the file. */
void bn_results_remove_file (const char *path);
/* Whether the file attached as `part` has the same tables. FALSE, too, after an error. */
gboolean bn_results_part_has_form (BnResults *results);

/* results_merge.c: the tables that begin with run_id, by name. Returns: (transfer full),
 * NULL after an error. */
char **bn_results_run_tables (BnResults *results);
/* Runs SQL without rows, whose one or two %w become the table. */
void bn_results_run_sql_of_table (BnResults *results, const char *format, const char *table);
/* Whether a query has a row. */
gboolean bn_results_any (BnResults *results, const char *sql);
/* Another file as `part`. */
gboolean bn_results_attach (BnResults *results, const char *path);
void bn_results_detach (BnResults *results);
/* Commits, or after an error rolls back and sets `error`. */
gboolean bn_results_end (BnResults *results, GError **error);

/* results_rows.c: the rows that are written while the run goes on. */
BnProbe bn_results_probe (BnResults *results);
/* The connection is this thread's again. */
void bn_results_end_writer (BnResults *results);

/* results_catalogue.c: the platform and the catalogue, once a run. */
void bn_results_put_platform (BnResults *results);
void bn_results_put_catalogue (BnResults *results);

/* results_summary.c: what a run ends with. */
void bn_results_put_run (BnResults *results, const BnRunInfo *info);
void bn_results_put_end (BnResults *results, const BnRunEnd *end);

#endif
