/* quantity.h: a quantity that is drawn: one value, a range, or a mean with a coefficient of variation.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 *   300ms            that
 *   10ms..2s         log-uniform: each factor of ten as likely as any other
 *   300ms:cv=0.5     log-normal of that mean and coefficient of variation
 */
#ifndef BN_QUANTITY_H
#define BN_QUANTITY_H

#include <glib.h>

#include "rng.h"

#define BN_QUANTITY_MAX_CV 10

typedef struct BnQuantity
{
  int64_t low, high;  /* of a range; both the mean otherwise */
  double cv;          /* of a mean; 0: there is none         */
} BnQuantity;

/* How the values in it are read: bn_parse_duration or bn_parse_size. */
typedef gboolean (*BnQuantityValue) (const char *text, int64_t *ret, GError **error);

/* Sets *ret. FALSE with `error` set, without a place: no such quantity, a range that begins at 0 or does not run
 * upwards, a cv that is not 0 to BN_QUANTITY_MAX_CV. */
gboolean bn_quantity_parse (const char *text, BnQuantityValue value, BnQuantity *ret, GError **error);

/* At least 1, but where the quantity is 0 alone; at most 10^18. One value draws nothing from `rng`. */
int64_t bn_quantity_draw (const BnQuantity *quantity, BnRng *rng);

#endif
