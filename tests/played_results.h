/* played_results.h: the hand-worked run in a results database.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_PLAYED_RESULTS_H
#define BN_PLAYED_RESULTS_H

#include "results.h"

/* What every played run says of itself; run_id and record as given. */
BnRunInfo played_info (int64_t run_id, BnRecord record);

/* Plays one run into `results`, with metrics, and ends it. Asserts success. */
void play_into (BnResults *results, const BnRunInfo *info);

/* One integer, or text, of a query; asserts that there is a row. */
int64_t query_int (sqlite3 *db, const char *sql);
char *query_text (sqlite3 *db, const char *sql);

/* A fresh folder for files of this test; remove it with remove_folder. */
char *make_folder (void);
void remove_folder (char *folder);

#endif
