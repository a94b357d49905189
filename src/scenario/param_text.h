/* param_text.h: parameters as text, for reading settings and printing lists.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_PARAM_TEXT_H
#define BN_PARAM_TEXT_H

#include <glib.h>

#include "param.h"

/* Sets *ret, or leaves it and sets `error` to one line without a place: wrong
 * kind of value, out of range, or no such choice (the nearest is named). */
gboolean bn_param_parse (const BnParamSpec *spec, const char *text, BnParamValue *ret, GError **error);

/* Text that parses back to the same value. Returns: (transfer full). */
char *bn_param_format (const BnParamSpec *spec, BnParamValue value);

/* The value of spec->default_value. */
BnParamValue bn_param_default (const BnParamSpec *spec);

/* What may be given: `on|off`, `0..10`, `fifo|srpt`, `10ms..1h`.
 * Returns: (transfer full). */
char *bn_param_format_range (const BnParamSpec *spec);

/* The index of `word` among spec->choices, or -1. */
int bn_param_find_choice (const BnParamSpec *spec, const char *word);

#endif
