/* made_trace.h: the arrivals of a scenario as a trace: a file that brings the same jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * CSV with arrival_ms, exact to the nanosecond, and workflow; on request ingress; where workload.runtime-factor is
 * set, runtime_factor. Memory does not grow with the jobs.
 */
#ifndef BN_MADE_TRACE_H
#define BN_MADE_TRACE_H

#include "scenario.h"

typedef struct BnMadeTrace
{
  int64_t n_jobs;
  uint32_t n_workflows;      /* that come at all */
  BnTime first_ns, last_ns;
} BnMadeTrace;

/* Writes what a run with this seed would create to `path`, "-" or NULL: standard output. The file appears whole or
 * not at all. FALSE with `error` set. */
gboolean bn_made_trace_write (const BnScenario *scenario, uint64_t seed, gboolean with_ingress, const char *path,
                              BnMadeTrace *ret, GError **error);

/* "2000 jobs of 3 workflows from 0.2s to 571s, 3.5/s". Returns: (transfer full). */
char *bn_made_trace_counts (const BnMadeTrace *made);

/* The options, each with a blank before it, that let a run of `scenario` take its jobs from the file at `path`:
 * whatever it says itself of when which jobs come is taken back. Returns: (transfer full). */
char *bn_made_trace_overrides (const BnScenario *scenario, uint64_t seed, gboolean with_ingress, const char *path);

#endif
