/* autocorrelation.h: how the values of a sequence hang together, in one pass over it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Sums of products at chosen lags, with the last values in a ring: memory is that of the longest lag, whatever the
 * length of the sequence. The estimate is the usual one, sum (x(i) - mean) (x(i-k) - mean) / sum (x(i) - mean)^2
 * (G. E. P. Box, G. M. Jenkins, "Time Series Analysis", 1976, 2.1.5); of independent values it has mean nearly 0 and
 * standard error 1 / sqrt (n).
 */
#ifndef BN_AUTOCORRELATION_H
#define BN_AUTOCORRELATION_H

#include <stdint.h>

typedef struct BnAutocorrelation BnAutocorrelation;

/* `lags` is copied: n_lags of them, >= 1, rising. Returns: (transfer full). */
BnAutocorrelation *bn_autocorrelation_new (const uint32_t *lags, uint32_t n_lags);
void bn_autocorrelation_free (BnAutocorrelation *a);

/* O(n_lags). */
void bn_autocorrelation_add (BnAutocorrelation *a, double x);

/* At lags[i]; NaN with no more values than that lag, and where all are the same. O(lag). */
double bn_autocorrelation_at (const BnAutocorrelation *a, uint32_t i);

#endif
