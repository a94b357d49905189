/* input_error.h: errors about what a person wrote, with file and line.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Every message of the readers is one line, `FILE:LINE: what is wrong; what to
 * do`, ready to be shown as it is.
 */
#ifndef BN_INPUT_ERROR_H
#define BN_INPUT_ERROR_H

#include <glib.h>
#include <stdint.h>

#define BN_INPUT_ERROR (bn_input_error_quark ())
GQuark bn_input_error_quark (void);

typedef enum
{
  BN_INPUT_ERROR_READ,    /* the file cannot be opened or read        */
  BN_INPUT_ERROR_SYNTAX,  /* it is not what its format says           */
  BN_INPUT_ERROR_CONTENT  /* well formed, but it means nothing usable */
} BnInputError;

/* Where something was written. `line` 0: the file as a whole. `file` NULL: it
 * was made in code, and messages begin without a place. */
typedef struct BnPlace
{
  const char *file;
  uint32_t line;
} BnPlace;

/* Sets `error` to "FILE:LINE: …" and returns FALSE. */
gboolean bn_input_fail (GError **error, BnInputError code, BnPlace place, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Puts "FILE:LINE: KEY: " before an error that is set, and returns FALSE. */
gboolean bn_input_prefix (GError **error, BnPlace place, const char *key);

/* " (did you mean 'x'?)", or "" where no word of `known` (NULL-terminated) is
 * near. Returns: (transfer full). */
char *bn_input_hint (const char *word, const char *const *known);

#endif
