/* param_text.c: parameters as text, for reading settings and printing lists.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "param_text.h"

#include <string.h>

#include "input_error.h"
#include "units.h"

/* Doubles hold durations up to 2^53 ns exactly (104 days); a bound beyond that
 * means "any". */
static int64_t
bound_to_integer (double bound)
{
  if (bound >= 9223372036854774784.0)
    return INT64_MAX;
  return bound <= -9223372036854774784.0 ? INT64_MIN : (int64_t) bound;
}

int
bn_param_find_choice (const BnParamSpec *spec, const char *word)
{
  if (spec->kind == BN_PARAM_CHOICE)
    for (int i = 0; spec->choices[i] != NULL; i++)
      if (strcmp (spec->choices[i], word) == 0)
        return i;
  return -1;
}

static gboolean
fail_range (const BnParamSpec *spec, const char *text, GError **error)
{
  char *range = bn_param_format_range (spec), *quoted = bn_quote (text);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s is out of range; it may be %s", quoted, range);
  g_free (range);
  g_free (quoted);
  return FALSE;
}

static gboolean
fail_choice (const BnParamSpec *spec, const char *text, GError **error)
{
  char *range = bn_param_format_range (spec), *quoted = bn_quote (text), *hint = bn_input_hint (text, spec->choices);
  bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s is not one of %s%s", quoted, range, hint);
  g_free (range);
  g_free (quoted);
  g_free (hint);
  return FALSE;
}

gboolean
bn_param_parse (const BnParamSpec *spec, const char *text, BnParamValue *ret, GError **error)
{
  gboolean flag = FALSE;
  int64_t integer = 0;
  double real = 0;
  switch (spec->kind)
    {
    case BN_PARAM_BOOL:
      if (!bn_parse_bool (text, &flag, error))
        return FALSE;
      ret->integer = flag;
      return TRUE;
    case BN_PARAM_REAL:
      if (!bn_parse_real (text, &real, error))
        return FALSE;
      if (real < spec->min || real > spec->max)
        return fail_range (spec, text, error);
      ret->real = real;
      return TRUE;
    case BN_PARAM_INT:
    case BN_PARAM_DURATION:
      if (!(spec->kind == BN_PARAM_INT ? bn_parse_integer : bn_parse_duration) (text, &integer, error))
        return FALSE;
      if (integer < bound_to_integer (spec->min) || integer > bound_to_integer (spec->max))
        return fail_range (spec, text, error);
      ret->integer = integer;
      return TRUE;
    case BN_PARAM_CHOICE:
      integer = bn_param_find_choice (spec, text);
      if (integer < 0)
        return fail_choice (spec, text, error);
      ret->integer = integer;
      return TRUE;
    }
  g_assert_not_reached ();
}

char *
bn_param_format (const BnParamSpec *spec, BnParamValue value)
{
  switch (spec->kind)
    {
    case BN_PARAM_BOOL:
      return g_strdup (value.integer != 0 ? "on" : "off");
    case BN_PARAM_INT:
      return g_strdup_printf ("%" G_GINT64_FORMAT, value.integer);
    case BN_PARAM_REAL:
      return bn_format_real (value.real);
    case BN_PARAM_DURATION:
      return bn_format_duration (value.integer);
    case BN_PARAM_CHOICE:
      return g_strdup (spec->choices[value.integer]);
    }
  g_assert_not_reached ();
}

BnParamValue
bn_param_default (const BnParamSpec *spec)
{
  BnParamValue value = { 0 };
  if (spec->kind == BN_PARAM_REAL)
    value.real = spec->default_value;
  else
    value.integer = (int64_t) spec->default_value;
  return value;
}

char *
bn_param_format_range (const BnParamSpec *spec)
{
  if (spec->kind == BN_PARAM_BOOL)
    return g_strdup ("on|off");
  if (spec->kind == BN_PARAM_CHOICE)
    return g_strjoinv ("|", (char **) spec->choices);
  BnParamValue low = { 0 }, high = { 0 };
  if (spec->kind == BN_PARAM_REAL)
    {
      low.real = spec->min;
      high.real = spec->max;
    }
  else
    {
      low.integer = bound_to_integer (spec->min);
      high.integer = bound_to_integer (spec->max);
    }
  char *from = bn_param_format (spec, low), *to = bn_param_format (spec, high);
  char *range = g_strdup_printf ("%s..%s", from, to);
  g_free (from);
  g_free (to);
  return range;
}
