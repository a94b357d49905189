/* recount.h: metrics once more, from what was recorded.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_RECOUNT_H
#define BN_RECOUNT_H

#include <glib.h>
#include <sqlite3.h>

#include "tally.h"

/* Counts the jobs, tasks and cache events of a run that has ended, as far as its
 * record level goes; quantiles are exact. Sets *about to the parts that could be
 * counted (bits 1 << BnMetricAbout); 0 at record = summary. Memory: 16 bytes a
 * job. NULL with `error` set where the file cannot be read. Returns: (transfer
 * full) (element-type BnMetric). */
GArray *bn_recount (sqlite3 *db, gint64 run_id, guint *about, GError **error);

#endif
