/* linear_rule.h: a number from the columns of a row: `0.2 + 0.0004 * ContextTokens`.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_LINEAR_RULE_H
#define BN_LINEAR_RULE_H

#include "input_error.h"

typedef struct BnLinearRule BnLinearRule;

/* Reads a sum of terms, each NUMBER, COLUMN or NUMBER * COLUMN, between them + or - with blanks round it
 * (names may hold either sign).
 * Returns: (transfer full), or NULL with `error` set, without a place. */
BnLinearRule *bn_linear_rule_parse (const char *text, GError **error);
void bn_linear_rule_free (BnLinearRule *rule);

/* The columns of the terms, "" for plain numbers, in order; NULL-terminated. Returns: (transfer none). */
const char *const *bn_linear_rule_columns (const BnLinearRule *rule);

/* The sum, in the order of the terms: `values` are those of the columns (that of "" is not read). */
double bn_linear_rule_value (const BnLinearRule *rule, const double *values);

#endif
