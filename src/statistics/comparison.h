/* comparison.h: the table that a comparison ends with.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_COMPARISON_H
#define BN_COMPARISON_H

#include <sqlite3.h>

#include "report.h"
#include "scenario.h"

/* One row for each run that has ended; or, with `mean_over_seeds`, one for each
 * variant: means over its seeds, each with the half-width of its 95 % interval, how far
 * it is from variant `base` of its cell on the same seeds (difference.h), and the
 * commonest label. `base` may be NULL, which means the first of the file. Below them what
 * no scheduler can better on the same jobs, where it is known: rows `bound`, one for each
 * seed or a mean over them.
 * Text leaves out what would make lines too long. NULL with `error` set where the
 * database cannot be read or has no such variant. Returns: (transfer full). */
BnTable *bn_comparison_table (sqlite3 *db, gboolean mean_over_seeds, const char *base, GError **error);

/* Prints it on standard output; as text, with `mean_over_seeds`, with what is to be said
 * below: differences to `base` (of one cell; of several they are in the table) and what
 * the numbers are good for (comparison_notes.h). A reader who has left is no reason to
 * give up the results: that is no error. */
gboolean bn_comparison_print (sqlite3 *db, gboolean mean_over_seeds, const char *base, BnCliFormat format,
                              GError **error);

/* Before anything is run for a table that cannot be printed: whether `base` is NULL or one of the
 * schedulers that will run. FALSE with `error` set. */
gboolean bn_comparison_check_base (const BnScenario *scenario, const char *base, GError **error);

#endif
