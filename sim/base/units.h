/* units.h: human units in and out; the only place that reads them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   durations   ns us ms s min h            `10ms`, `1.5s`, `0`
 *   sizes       B kB MB GB TB, KiB MiB GiB TiB   `14GB`, `0`
 *   rates       SIZE/s, and Gb/s Mb/s kb/s (bits) `12.58GB/s`, `100Gb/s`
 *   frequencies /s /min /h                  `2/s`
 *   multiples   x                           `3x`
 *   plain       numbers without a unit
 *
 * A number is decimal digits with an optional fraction and exponent, with `.`
 * whatever the locale; blanks may stand before the unit. Zero needs no unit;
 * every other quantity does. Negative, infinite, NaN, hexadecimal and
 * out-of-range numbers are refused. Decimal values that the integer type can
 * hold exactly are read exactly (`0.000000001s` is 1 ns); the rest is rounded
 * half up.
 */
#ifndef BN_UNITS_H
#define BN_UNITS_H

#include <glib.h>

#include "bn.h"

#define BN_UNITS_ERROR (bn_units_error_quark ())
GQuark bn_units_error_quark (void);

typedef enum
{
  BN_UNITS_ERROR_NUMBER,  /* not a number          */
  BN_UNITS_ERROR_UNIT,    /* unit wrong or missing */
  BN_UNITS_ERROR_RANGE    /* does not fit          */
} BnUnitsError;

/* Each sets *ret and returns TRUE, or leaves it and sets `error` to one line that
 * names the text, what is wrong and an example of what is right. */
gboolean bn_parse_duration (const char *text, BnDuration *ret, GError **error);
gboolean bn_parse_size (const char *text, int64_t *ret_bytes, GError **error);
gboolean bn_parse_rate (const char *text, int64_t *ret_bytes_per_s, GError **error);
gboolean bn_parse_frequency (const char *text, double *ret_per_s, GError **error);
gboolean bn_parse_multiple_ppm (const char *text, int64_t *ret_ppm, GError **error);
gboolean bn_parse_real (const char *text, double *ret, GError **error);       /* may be negative */
gboolean bn_parse_integer (const char *text, int64_t *ret, GError **error);   /* may be negative */
gboolean bn_parse_bool (const char *text, gboolean *ret, GError **error);     /* on off true false yes no 1 0 */

/* A number without a unit times `multiplier` (>= 1), exact and rounded once, half
 * up: a column of times whose header states the unit. Negative ones are refused. */
gboolean bn_parse_scaled (const char *text, int64_t multiplier, int64_t *ret, GError **error);

/* Exact text that parses back to the same value, in the largest of the decimal
 * units that leaves at least 1 before the point (`1.5s`, `14GB`); whole minutes
 * and hours as such (`10min`). Returns: (transfer full). */
char *bn_format_duration (BnDuration ns);
char *bn_format_size (int64_t bytes);
char *bn_format_rate (int64_t bytes_per_s);

/* Shortest text that parses back to the same double. Returns: (transfer full). */
char *bn_format_real (double value);

/* `text` as messages quote it: 'text' on one line, control characters and bytes
 * that are not UTF-8 as escapes, cut after 60 characters.
 * Returns: (transfer full). */
char *bn_quote (const char *text);

/* The member of `known` (NULL-terminated) closest to `word` by edit distance, or
 * NULL where none is close enough to be meant. Returns: (transfer none). */
const char *bn_nearest_word (const char *word, const char *const *known);

#endif
