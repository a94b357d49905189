/* zipf.c: weights of popularity that fall with a power of the rank.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "zipf.h"

#include "fmath.h"

void
bn_zipf_weights (double exponent, uint32_t n, double *weights)
{
  for (uint32_t i = 0; i < n; i++)
    weights[i] = bn_exp (-exponent * bn_log (i + 1.0));
}
