/* quantity.c: a quantity that is drawn: one value, a range, or a mean with a coefficient of variation.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "quantity.h"

#include <string.h>

#include "fmath.h"
#include "input_error.h"
#include "units.h"

#define CV ":cv="
#define MOST 1e18

static gboolean
fail (GError **error, const char *text, const char *what)
{
  g_autofree char *quoted = bn_quote (text);

  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "%s: %s", quoted, what);
}

gboolean
bn_quantity_parse (const char *text, BnQuantityValue value, BnQuantity *ret, GError **error)
{
  const char *dots = strstr (text, ".."), *cv = strstr (text, CV);
  const char *end = cv != NULL ? cv : dots != NULL ? dots : text + strlen (text);
  g_autofree char *first = g_strndup (text, (gsize) (end - text));
  BnQuantity quantity = { 0 };

  if (!value (first, &quantity.low, error))
    return FALSE;
  quantity.high = quantity.low;
  if (cv != NULL)
    {
      if (!bn_parse_real (cv + strlen (CV), &quantity.cv, error))
        return FALSE;
      if (quantity.cv < 0 || quantity.cv > BN_QUANTITY_MAX_CV)
        return fail (error, text, "the coefficient of variation is out of range; it may be 0 to 10");
    }
  else if (dots != NULL)
    {
      if (!value (dots + 2, &quantity.high, error))
        return FALSE;
      if (quantity.low < 1 || quantity.high < quantity.low)
        return fail (error, text, "a range begins above 0 and runs upwards");
    }
  *ret = quantity;
  return TRUE;
}

int64_t
bn_quantity_draw (const BnQuantity *quantity, BnRng *rng)
{
  if (quantity->cv > 0 && quantity->low > 0)
    return MAX (1, bn_round_half_up (MIN ((double) quantity->low * bn_rng_lognormal (rng, quantity->cv), MOST)));
  if (quantity->low == quantity->high)
    return quantity->low;
  double low = bn_log ((double) quantity->low), high = bn_log ((double) quantity->high);
  int64_t drawn = bn_round_half_up (bn_exp (low + (high - low) * bn_rng_uniform (rng)));
  return CLAMP (drawn, quantity->low, quantity->high);
}
