/* trace_resample.h: another trace like the one that there is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only; arrivals.h is the front. The first row stays. Each further row is
 * one of the further rows of the trace, with the gap before it, by the stationary
 * bootstrap (sim/stat/bootstrap.h): as many rows, of the same mean rate, in blocks that
 * went together.
 */
#ifndef BN_TRACE_RESAMPLE_H
#define BN_TRACE_RESAMPLE_H

#include "rng.h"
#include "trace_source.h"

typedef struct BnTraceResample BnTraceResample;

/* Reads the rows of the trace of `config` that become jobs into memory, 24 bytes each;
 * config->trace_block >= 1. NULL with `error` set. */
BnTraceResample *bn_trace_resample_open (const BnArrivalsConfig *config, const BnCatalogue *catalogue, GError **error);
void bn_trace_resample_close (BnTraceResample *resample);

/* Sets the next row, drawn with `rng`; FALSE where there are no more. */
gboolean bn_trace_resample_next (BnTraceResample *resample, BnRng *rng, BnTraceRow *row);

#endif
