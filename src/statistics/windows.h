/* windows.h: a run over time, in windows of one width.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_WINDOWS_H
#define BN_WINDOWS_H

#include "bn.h"
#include "reader.h"
#include "report.h"

/* More windows than this are refused: nobody reads them. */
#define BN_WINDOWS_MAX 1000000

/* One row for each window [k, k + 1) * width_ns up to the end of the run; the last
 * one is cut off there, and has no throughput where less than half of it is left
 * (a job in a millisecond is no rate). A job counts where it is created and, if it is done, where
 * it ends; a task where it leaves the queue. Jobs of the warm-up are not left out.
 * The run must have jobs recorded; hit rates are missing unless tasks are. O(jobs
 * log jobs + windows). NULL with `error` set where the file cannot be read or there
 * are too many windows. Returns: (transfer full). */
BnTable *bn_windows_table (BnReader *reader, gint64 run_id, BnDuration width_ns, GError **error);

#endif
