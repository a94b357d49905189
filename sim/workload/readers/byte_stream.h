/* byte_stream.h: the bytes of a file as blocks, whatever they are wrapped in.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A plain file, one in gzip, bzip2, xz or zstd, a tar archive in any of them, or a zip archive, told by
 * content and not by name. Of an archive the first regular member is read, and the next is named;
 * members that macOS adds (`._NAME`) are passed over. Unwrapping is libarchive's. Memory: a block, and
 * what unpacking takes.
 */
#ifndef BN_BYTE_STREAM_H
#define BN_BYTE_STREAM_H

#include "input_error.h"

typedef struct BnByteStream BnByteStream;

/* Opens `path`; "-" is standard input. `digest`: the file's own bytes are hashed, and it
 * must be a regular file, so that it can be read again. Pipes are read otherwise.
 * Returns: (transfer full), or NULL with `error` set. */
BnByteStream *bn_byte_stream_open (const char *path, gboolean digest, GError **error);
void bn_byte_stream_close (BnByteStream *stream);

/* As messages name it: the path, or "standard input". Returns: (transfer none). */
const char *bn_byte_stream_name (const BnByteStream *stream);

/* Sets *block and *length to bytes that stay valid until the next call; *length is 0 at the
 * end. FALSE with `error` set for a file that cannot be read or is damaged. */
gboolean bn_byte_stream_next (BnByteStream *stream, const char **block, gsize *length, GError **error);

/* Whether it is neither compressed nor an archive. */
gboolean bn_byte_stream_is_plain (const BnByteStream *stream);

/* After the end: the name of the next member of an archive, which is not read; NULL: there is none.
 * Returns: (transfer none). */
const char *bn_byte_stream_unread (const BnByteStream *stream);

/* SHA-256 of the file's own bytes, hexadecimal; valid after the end, where it was asked
 * for. Returns: (transfer none). */
const char *bn_byte_stream_digest (BnByteStream *stream);

#endif
