/* within_run.h: what one run says of its steady state.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Methods, sources and limits are in sim/stat.
 */
#ifndef BN_WITHIN_RUN_H
#define BN_WITHIN_RUN_H

#include <glib.h>
#include <sqlite3.h>

#include "batch_means.h"

/* Sets *ret to the mean latency in ms of the jobs that count, in order of creation, with
 * its 95 % interval by batch means; without one where the run did not record its jobs.
 * FALSE with `error` set where the database cannot be read. */
gboolean bn_within_run_latency (sqlite3 *db, gint64 run_id, BnBatchMeans *ret, GError **error);

/* Sets *end_s to the time from which the backlog of the run until its last arrival is
 * level, by MSER-5 over its windows, and *share to that of the windows before it; both NAN
 * where that cannot be told. FALSE with `error` set where the database cannot be read. */
gboolean bn_within_run_warmup (sqlite3 *db, gint64 run_id, double *end_s, double *share, GError **error);

#endif
