/* trace_fit_report.h: a process that is like a trace, and how like it is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TRACE_FIT_REPORT_H
#define BN_TRACE_FIT_REPORT_H

#include "report.h"
#include "trace_fit.h"

/* Prints to standard output, for an import that has been read to its end, the lines of [workload] and a table of what
 * the trace has beside what the process has; text says below it what is not matched. FALSE with `error` set. */
gboolean bn_trace_fit_print (const BnTraceImport *import, const char *path, const BnArrivalsConfig *process,
                             const BnFitFigures *trace, const BnFitFigures *generated, BnCliFormat format,
                             GError **error);

#endif
