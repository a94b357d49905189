/* window_reader.h: arrivals drawn from windows of rates.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A file says for each window how many requests a second came and how much their gaps varied. What
 * it drives is a renewal process with gamma gaps, in time that runs as fast as the rate: a gap that
 * reaches beyond a window goes on in the next, at that one's rate, so that the expected number of a
 * window is its rate times its length. (I. Gerhardt and B. L. Nelson, "Transforming renewal processes
 * for simulation of nonstationary arrival processes", INFORMS Journal on Computing 21(4), 2009: the
 * inversion method.)
 */
#ifndef BN_WINDOW_READER_H
#define BN_WINDOW_READER_H

#include "records.h"
#include "row_reader.h"

typedef struct BnWindowReader BnWindowReader;

/* Rows of `records` (borrowed) have `n_fields` fields, of which the first three are a window's begin
 * in seconds, its rate in requests a second and its coefficient of variation; one of 0 says nothing
 * and counts as 1. A window ends where the next begins; the last is as long as the one before it,
 * or 600 s. `seed` is that of the draws. */
BnWindowReader *bn_window_reader_new (BnRecords *records, const BnRecordStyle *style, guint n_fields, uint64_t seed);
void bn_window_reader_free (BnWindowReader *reader);

/* As bn_row_reader_next: a row for each arrival, with its window's fields; a window without
 * requests is skipped. */
BnRowStatus bn_window_reader_next (BnWindowReader *reader, BnImportRow *row, const char **reason, GError **error);

#endif
