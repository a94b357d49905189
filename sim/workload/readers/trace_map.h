/* trace_map.h: what is where in a table of anybody's, as a person writes it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TRACE_MAP_H
#define BN_TRACE_MAP_H

#include "trace_format.h"

/* Reads `map` (see bn_row_reader_open) into *format, whose texts live in `strings`. FALSE with
 * `error` set. */
gboolean bn_trace_map_parse (const char *map, BnTraceFormat *format, GStringChunk *strings, GError **error);

#endif
