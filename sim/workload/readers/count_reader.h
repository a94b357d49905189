/* count_reader.h: arrivals drawn from numbers of arrivals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A file says how many arrivals came in each interval and not when. They are put where a Poisson process of which that
 * number is known has them: independent and uniform over the interval. They are drawn in order, the next of k that are
 * left in [a, b) at a + (b - a) * (1 - u^(1/k)) with u uniform (J. L. Bentley and J. B. Saxe, "Generating sorted lists
 * of random numbers", ACM Transactions on Mathematical Software 6(3), 1980), so memory does not grow with the number.
 */
#ifndef BN_COUNT_READER_H
#define BN_COUNT_READER_H

#include "bn.h"
#include "row_reader.h"

typedef struct BnCountReader BnCountReader;

/* Of rows whose fields from `first` on are numbers, one for each `unit_ns`. `continues`: a row begins where the one
 * before ended; else at 0. `seed` is that of the draws. */
BnCountReader *bn_count_reader_new (guint first, BnDuration unit_ns, gboolean continues, uint64_t seed);
void bn_count_reader_free (BnCountReader *reader);

/* Takes up a row, whose fields must stay until it has given all its arrivals: it gives *row with `first` fields and
 * the number of the interval, from 1. The numbers may stand in brackets, as a list. FALSE with `error` set, without a
 * place, for one that is no number from 0 to BN_COUNT_READER_MAX. */
gboolean bn_count_reader_take (BnCountReader *reader, char *const *fields, guint n_fields, GError **error);
#define BN_COUNT_READER_MAX INT64_C (1000000000)

/* Sets time, duration and fields of the next arrival of the row; FALSE: it has no more. */
gboolean bn_count_reader_next (BnCountReader *reader, BnImportRow *row);

#endif
