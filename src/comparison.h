/* comparison.h: the table that a comparison ends with.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_COMPARISON_H
#define BN_COMPARISON_H

#include <sqlite3.h>

#include "report.h"

/* One row for each run that has ended; or, with `mean_over_seeds`, one for each
 * variant: means over its seeds, the half-width of the 95 % interval of the mean
 * latency (Student's t over seeds), and the commonest label. Below them what no
 * scheduler can better on the same jobs, where it is known: rows `bound`, one for each
 * seed or a mean over them. NULL with `error` set
 * where the database cannot be read. Returns: (transfer full). */
BnTable *bn_comparison_table (sqlite3 *db, gboolean mean_over_seeds, GError **error);

/* Prints it on standard output. A reader who has left is no reason to give up the
 * results: that is no error. */
gboolean bn_comparison_print (sqlite3 *db, gboolean mean_over_seeds, BnCliFormat format, GError **error);

#endif
