/* fuzz.h: what a fuzz target is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_FUZZ_H
#define BN_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <glib.h>

/* As libFuzzer wants it: 0, or the process aborts. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* The first byte of an input means this many things; the rest is the text. */
extern const guint bn_fuzz_n_modes;

#endif
