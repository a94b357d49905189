/* fmath.h: logarithm, exponential, sine and cosine that are the same on every machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The C library chooses its own by processor (with or without fused multiply-
 * add), and their last bits differ. These use + - * / on doubles in a fixed
 * order, so that what reaches a timestamp does not. Built with -ffp-contract=off.
 *
 * Relative error below 4e-16 (two units in the last place at the worst), of sine and
 * cosine absolute, tested against the C library in tests/test_rng.c.
 *
 * <stdint.h> only.
 */
#ifndef BN_FMATH_H
#define BN_FMATH_H

/* Natural logarithm. 0 gives minus infinity, a negative number NaN, infinity
 * infinity. */
double bn_log (double x);

/* e to the x: 0 below about -745, infinity above about 709.78. */
double bn_exp (double x);

/* Sine and cosine of x turns, that is of 2 pi x: what is left of whole turns is exact, so that no x,
 * however large, costs accuracy. x is finite. */
double bn_sin_turns (double x);
double bn_cos_turns (double x);

#endif
