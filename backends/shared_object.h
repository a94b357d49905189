/* shared_object.h: whether a file is a whole shared object.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_SHARED_OBJECT_H
#define BN_SHARED_OBJECT_H

#include <stdbool.h>

/* To be asked before the file is opened as a module: the dynamic linker believes what a file says of itself, and
 * one that ends too early, as a copy that ran out of space, kills the process with SIGBUS. Looks at where the
 * ELF header (see elf(5)) has segments and the section table. Returns: whether all is there; else `reason`, half
 * a sentence about the file (static). */
bool bn_shared_object_is_whole (const char *path, const char **reason);

#endif
