/* host_memory.h: large pieces of this machine's memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Weights, arenas and workspaces: page-aligned, in huge pages where the kernel has them, and
 * touched before they are used, so that the first copy takes as long as any other.
 */
#ifndef BN_HOST_MEMORY_H
#define BN_HOST_MEMORY_H

#include "bn.h"

/* Zeroed, every page in place; bytes >= 0. Returns: the memory, or NULL where there is no more. */
void *bn_host_alloc (int64_t bytes);
/* What bn_host_alloc has given, with the same size. NULL is nothing. */
void bn_host_free (void *memory, int64_t bytes);

/* What can be had without swapping, as the kernel estimates it (MemAvailable), and no more than the
 * control group of this process may still take. */
int64_t bn_host_available_bytes (void);

#endif
