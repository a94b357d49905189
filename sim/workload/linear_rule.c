/* linear_rule.c: a number from the columns of a row: `0.2 + 0.0004 * ContextTokens`.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "linear_rule.h"

#include <string.h>

#include "units.h"

struct BnLinearRule
{
  GArray *factors;     /* of double */
  GPtrArray *columns;  /* NULL-terminated when it is whole */
};

static gboolean
fail (GError **error, const char *term)
{
  g_autofree char *quoted = bn_quote (term);

  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                        "%s is no term; write a sum such as 0.2 + 0.0004 * ContextTokens", quoted);
}

static gboolean
add_term (BnLinearRule *rule, char *text, double sign, GError **error)
{
  char *star = strstr (text, " * ");
  double factor = 1;

  if (star != NULL)
    {
      *star = '\0';
      if (!bn_parse_real (g_strstrip (text), &factor, NULL))
        return fail (error, text);
      text = star + strlen (" * ");
    }
  text = g_strstrip (text);
  gboolean is_number = star == NULL && bn_parse_real (text, &factor, NULL);
  if (*text == '\0')
    return fail (error, text);
  factor *= sign;
  g_array_append_val (rule->factors, factor);
  g_ptr_array_add (rule->columns, g_strdup (is_number ? "" : text));
  return TRUE;
}

BnLinearRule *
bn_linear_rule_parse (const char *text, GError **error)
{
  g_autofree char *copy = g_strdup (text);
  BnLinearRule *rule = g_new0 (BnLinearRule, 1);
  double sign = 1;

  rule->factors = g_array_new (FALSE, FALSE, sizeof (double));
  rule->columns = g_ptr_array_new_with_free_func (g_free);
  for (char *term = copy; term != NULL;)
    {
      char *plus = strstr (term, " + "), *minus = strstr (term, " - ");
      char *end = plus == NULL || (minus != NULL && minus < plus) ? minus : plus;
      double next_sign = end != NULL && end == minus ? -1 : 1;
      if (end != NULL)
        *end = '\0';
      if (!add_term (rule, term, sign, error))
        {
          bn_linear_rule_free (rule);
          return NULL;
        }
      sign = next_sign;
      term = end != NULL ? end + strlen (" + ") : NULL;
    }
  g_ptr_array_add (rule->columns, NULL);
  return rule;
}

void
bn_linear_rule_free (BnLinearRule *rule)
{
  if (rule == NULL)
    return;
  g_array_unref (rule->factors);
  g_ptr_array_unref (rule->columns);
  g_free (rule);
}

const char *const *
bn_linear_rule_columns (const BnLinearRule *rule)
{
  return (const char *const *) rule->columns->pdata;
}

double
bn_linear_rule_value (const BnLinearRule *rule, const double *values)
{
  double sum = 0;

  for (guint i = 0; i < rule->factors->len; i++)
    {
      const char *column = g_ptr_array_index (rule->columns, i);
      sum += g_array_index (rule->factors, double, i) * (*column == '\0' ? 1 : values[i]);
    }
  return sum;
}
