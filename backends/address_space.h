/* address_space.h: whether threads that multiply find the address space that they ask for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Where a process may not have any number of addresses (ulimit -v, or a kernel that promises no more
 * memory than there is), OpenBLAS asks for its buffers again and again, for ever: better not to begin.
 */
#ifndef BN_ADDRESS_SPACE_H
#define BN_ADDRESS_SPACE_H

#include <glib.h>

#include "bn.h"

/* `n_multiply` threads are going to multiply at once, and `n_threads`, these among them, to allocate. To be asked
 * when the threads are there and all that is large has been allocated. Returns: TRUE, or FALSE with `error` set. */
gboolean bn_address_space_check (uint32_t n_multiply, uint32_t n_threads, GError **error);

#endif
