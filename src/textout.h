/* textout.h: fields of CSV and JSON, written the same everywhere.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TEXTOUT_H
#define BN_TEXTOUT_H

#include <stdio.h>

#include "bn.h"

/* As RFC 4180 has it: quoted where it holds a comma, a quote or a line end. NULL
 * is an empty field. */
void bn_write_csv (FILE *file, const char *text);

/* With its quotes; UTF-8 in and out, control characters escaped. NULL is null. */
void bn_write_json (FILE *file, const char *text);

/* Nanoseconds in microseconds with three decimals, exactly; in seconds with nine;
 * in milliseconds with three, rounded half up, or with six, exactly. */
void bn_write_us (FILE *file, int64_t ns);
void bn_write_s (FILE *file, int64_t ns);
void bn_write_ms (FILE *file, int64_t ns);
void bn_write_exact_ms (FILE *file, int64_t ns);

#endif
