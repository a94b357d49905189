/* trace_report.h: what an arrival trace is like, for a person or for another program.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TRACE_REPORT_H
#define BN_TRACE_REPORT_H

#include "report.h"
#include "trace_profile.h"

/* Prints the profile of an import that has been read to its end to standard output: for text
 * sections and a drawing, else a table of facts. FALSE with `error` set. */
gboolean bn_trace_report_print (const BnTraceImport *import, const BnTraceProfile *profile, const char *path,
                                BnCliFormat format, GError **error);

/* What became of the rows of an import, a clause for each loss: "8152 rows read, 8000 arrivals;
 * 152 skipped: without a time (first in line 7)". Returns: (transfer full). */
char *bn_trace_report_counts (const BnTraceImport *import, int64_t n_arrivals);

#endif
