/* trace_generate.h: binnacle trace generate: arrivals, and workflows, that nobody has recorded.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TRACE_GENERATE_H
#define BN_TRACE_GENERATE_H

/* The verb, argv[0] being its word. Returns the exit status. */
int bn_trace_generate (int argc, char **argv);

#endif
