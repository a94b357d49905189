/* trace_source.h: the rows of an arrival trace, checked one by one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only; arrivals.h is the front.
 */
#ifndef BN_TRACE_SOURCE_H
#define BN_TRACE_SOURCE_H

#include "arrivals.h"

typedef struct BnTraceRow
{
  BnTime time_ns;    /* scaled; not before that of the row before */
  int32_t workflow;  /* BN_NONE without such a column             */
  int32_t ingress;   /* the same                                  */
  double factor;     /* of runtimes; 0 without a rule             */
} BnTraceRow;

typedef struct BnTraceSource BnTraceSource;

/* Keeps what it needs of `config`; `catalogue` is borrowed. `digest`: see csv.h.
 * NULL with `error` set. */
BnTraceSource *bn_trace_source_open (const BnArrivalsConfig *config, const BnCatalogue *catalogue, gboolean digest,
                                     GError **error);
BnArrivalsStatus bn_trace_source_next (BnTraceSource *source, BnTraceRow *row, GError **error);
void bn_trace_source_close (BnTraceSource *source);

#endif
