/* export.h: a run of a results file in the forms that other programs read.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each writes all of it to `file`; write errors are left for the file's owner to
 * find. FALSE with `error` set where the database is damaged.
 */
#ifndef BN_EXPORT_H
#define BN_EXPORT_H

#include <stdio.h>

#include "reader.h"

/* CSV, what `sql` finds, with the names of its columns as header; its parameter is
 * bound to `run`. Sets *n_rows. */
gboolean bn_export_query (BnReader *reader, const char *sql, gint64 run, FILE *file, gint64 *n_rows, GError **error);

/* CSV, one row a task that ran, by job and task number. Columns: job_id,
 * workflow, task_id, task_model (`none` for none), worker, planned_worker,
 * job_create_ns, enqueue_ns, start_ns, fetch_ns, evict_ns, exec_ns, end_ns. */
gboolean bn_export_tasks (BnReader *reader, gint64 run, FILE *file, GError **error);

/* CSV, one row a job whatever became of it. */
gboolean bn_export_jobs (BnReader *reader, gint64 run, FILE *file, GError **error);

/* The JSON trace format that Perfetto and Chrome's tracing page read: a process
 * for each worker; in it tracks for what executes, for loads and evictions, and
 * for arriving inputs, as many of each as overlap. Times are microseconds with
 * three decimals, so exact. */
gboolean bn_export_perfetto (BnReader *reader, gint64 run, FILE *file, GError **error);

/* One of these, by name. */
typedef struct BnExportForm
{
  const char *name;
  BnReaderNeeds needs;
  gboolean (*write) (BnReader *reader, gint64 run, FILE *file, GError **error);
} BnExportForm;

extern const BnExportForm bn_export_forms[];
extern const guint bn_n_export_forms;

#endif
