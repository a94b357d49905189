/* keyfile.h: key files with the line of everything in them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The syntax is that of GLib's key files without localisation:
 *
 *   # a comment is a line of its own
 *   [section name]
 *   key = value
 *
 * UTF-8. Blanks around names, keys and values are dropped, runs of blanks in a
 * section name count as one. A BOM, CRLF and a missing last line end are
 * accepted. GLib's own reader is not used because it knows no line numbers and
 * joins sections and keys that occur twice; here those are refused.
 *
 * Refused with FILE:LINE: a line that is none of these, a key before the first
 * section, a section or key that occurs twice, a control character (NUL among
 * them), text that is not UTF-8, a line longer than BN_KEY_FILE_MAX_LINE, a file
 * longer than BN_KEY_FILE_MAX_BYTES. Memory: twice the file.
 */
#ifndef BN_KEYFILE_H
#define BN_KEYFILE_H

#include "input_error.h"

#define BN_KEY_FILE_MAX_LINE (1u << 20)
#define BN_KEY_FILE_MAX_BYTES (64u << 20)

typedef struct BnKeyEntry
{
  const char *key;
  const char *value;
  uint32_t line;
} BnKeyEntry;

typedef struct BnKeySection
{
  const char *name;
  uint32_t line;
  uint32_t n_entries;
  const BnKeyEntry *entries;  /* [n_entries], in file order */
} BnKeySection;

typedef struct BnKeyFile
{
  const char *name;              /* as given: stands in messages                  */
  uint32_t n_sections;
  const BnKeySection *sections;  /* [n_sections], in file order                   */
  char sha256[65];               /* of the bytes, hexadecimal                     */
} BnKeyFile;

/* NULL with `error` set. Returns: (transfer full). */
BnKeyFile *bn_key_file_read (const char *path, GError **error);

/* The same from memory: `text` may hold any bytes and is copied. */
BnKeyFile *bn_key_file_parse (const char *text, gsize length, const char *name, GError **error);

void bn_key_file_free (BnKeyFile *file);

/* The entry of `key`, or NULL. O(entries). */
const BnKeyEntry *bn_key_section_find (const BnKeySection *section, const char *key);

#endif
