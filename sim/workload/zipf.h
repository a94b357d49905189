/* zipf.h: weights of popularity that fall with a power of the rank.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Of web requests the i-th most popular page has about the share 1 / i^s, with s from 0.6 to 0.9
 * (L. Breslau et al., "Web Caching and Zipf-like Distributions", INFOCOM 1999).
 */
#ifndef BN_ZIPF_H
#define BN_ZIPF_H

#include <stdint.h>

/* The first of so many ranks has all but one in 1000 at this exponent. */
#define BN_ZIPF_MAX_EXPONENT 10

/* Sets weights[i] to 1 / (i + 1)^exponent for i from 0 to n - 1; `exponent` is 0 (all alike) to
 * BN_ZIPF_MAX_EXPONENT. The same on every machine. */
void bn_zipf_weights (double exponent, uint32_t n, double *weights);

#endif
