/* gamma.h: the gamma distribution and how it hangs together with the normal one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The same bits on every machine, as distribution.h. tests/test_gamma.c holds them to the exponential
 * and chi-square distributions, to sums of Poisson probabilities and to the C library's lgamma.
 *
 * Sources: NIST Digital Library of Mathematical Functions, 5.11.1 (Stirling's series), 8.11.4 and 8.9.2 (the
 * incomplete gamma functions as series and as continued fraction, evaluated from its end).
 */
#ifndef BN_GAMMA_H
#define BN_GAMMA_H

/* ln Gamma (x), x > 0: error below 2e-14 (1 + |ln Gamma (x)|). */
double bn_log_gamma (double x);

/* ln P (X <= x) and ln P (X > x) of a gamma X of `shape` > 0 and scale 1, given ln x: both stay finite
 * where a shape is small and x beyond a double. Absolute error below 1e-10 for shapes of 0.001 to
 * 10,000, 1e-8 a hundred times beyond. O(sqrt (shape)). */
double bn_gamma_log_below (double shape, double log_x);
double bn_gamma_log_above (double shape, double log_x);

/* ln x of the x with P (X <= x) = P (Z <= z), Z a standard normal: |z| <= 37. That z of that x is
 * exact to what is said above, relative in both tails. A few evaluations of them. */
double bn_gamma_log_point (double shape, double z);

#endif
