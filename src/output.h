/* output.h: files that appear whole or not at all.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Writing goes to a temporary file in the target's own folder, which takes the
 * target's name when everything has been written. An error leaves what was there
 * before.
 */
#ifndef BN_OUTPUT_H
#define BN_OUTPUT_H

#include <stdio.h>

#include <glib.h>

typedef struct BnOutput BnOutput;

/* `path` NULL or "-": standard output. NULL with `error` set where the folder
 * cannot be written. */
BnOutput *bn_output_open (const char *path, GError **error);

/* Where to write. Write errors need no check: closing finds them. Returns:
 * (transfer none). */
FILE *bn_output_file (BnOutput *output);

/* Ends it well: everything is on disk under the target's name, or FALSE with
 * `error` set and the target as it was. Frees `output` in either case. */
gboolean bn_output_close (BnOutput *output, GError **error);

/* Opens, writes and closes. */
gboolean bn_output_write (const char *path, const char *text, GError **error);

/* Ends it badly: the target stays as it was. NULL is fine. */
void bn_output_abandon (BnOutput *output);

#endif
