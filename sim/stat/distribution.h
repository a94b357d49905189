/* distribution.h: the normal distribution and Student's t.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The same bits on every machine: + - * / and sqrt, and the logarithm and exponential
 * of fmath.h. Relative error below 1e-12, of tails, too: tests/test_stat.c holds them to
 * closed forms (Student's t of 1, 2 and 4 degrees of freedom) and to the error function.
 *
 * Sources: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 26.2.11
 * and 26.2.14 (normal), 26.7.1 (Student's t as an incomplete beta function); NIST Digital
 * Library of Mathematical Functions, 8.17.22 (its continued fraction); W. J. Lentz's
 * evaluation of continued fractions (Applied Optics 15(3), 1976), as changed by I. J.
 * Thompson and A. R. Barnett (J. Comput. Phys. 64(2), 1986); G. W. Hill, "Algorithm 395: Student's
 * t-distribution", CACM 13(10), 1970 (above 1000 degrees).
 */
#ifndef BN_DISTRIBUTION_H
#define BN_DISTRIBUTION_H

/* P (Z > x) of a standard normal Z; 0 from about x = 38. */
double bn_normal_tail (double x);

/* The x with P (Z <= x) = p, 0 < p < 1. */
double bn_normal_quantile (double p);

/* P (T > t) of Student's t with `degrees` >= 1 of freedom, whole or not. */
double bn_student_tail (double t, double degrees);

/* The t with P (T <= t) = p, 0 < p < 1. A dozen or a few dozen tails. */
double bn_student_quantile (double p, double degrees);

#endif
