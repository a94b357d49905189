/* trace_list.h: the formats of traces, listed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TRACE_LIST_H
#define BN_TRACE_LIST_H

#include "report.h"

#define BN_TRACE_LIST_COLUMNS 6
extern const BnColumn bn_trace_list_columns[BN_TRACE_LIST_COLUMNS];

/* A row a format. */
void bn_trace_list_fill (BnTable *table);

/* For a person, several lines a format. Returns: the exit status. */
int bn_trace_list_print_text (void);

#endif
