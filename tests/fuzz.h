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

/* Called by libFuzzer before all else: takes `--only NAME`, a reader that all inputs are given to, out of the
 * arguments. */
int LLVMFuzzerInitialize (int *argc, char ***argv);

/* Names for --only, NULL-terminated. Returns: (transfer container), to be freed with g_free. */
const char **bn_fuzz_readers (void);

/* The first byte of an input means this many things; the rest is the text. */
guint bn_fuzz_n_modes (void);

/* ---- for targets ---- */

/* Aborts unless it holds. */
void bn_fuzz_check (gboolean holds);

/* An error is one line of UTF-8, and there is one where `failed` says so; then it is cleared. */
void bn_fuzz_check_error (gboolean failed, GError **error);

/* The reader that --only named, by its place; G_MAXUINT: none did. */
guint bn_fuzz_only (void);

/* A file with these bytes, gone when *ret_fd is closed. Returns: (transfer full): its path. */
char *bn_fuzz_file (const uint8_t *data, size_t size, int *ret_fd);

#endif
