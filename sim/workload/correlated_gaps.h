/* correlated_gaps.h: gaps between arrivals that have a memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Gaps are gamma of mean 1 and coefficient of variation `cv`, and each hangs together with those before it:
 * normals of a stationary process are turned into gammas one by one (ARTA: M. C. Cario, B. L. Nelson, "Autoregressive
 * to anything: time-series input processes for simulation", Operations Research Letters 19(2), 1996). The normals are
 * a first-order autoregression and white noise, weighted so that each has variance 1; at lag k they have correlation
 *   r decay^(k - 1)
 * and r is solved for, so that the gaps have the `autocorrelation` that was asked for at lag 1. Theirs is smaller in
 * absolute value than that of the normals; in the long run it, too, falls by `decay` from each lag to the next, at
 * first a little faster. Where it is negative the autocorrelation changes its sign from each lag to the next.
 *
 * What can be had: with all of the weight on the autoregression r is `decay`, and no process of this kind hangs
 * together more; for negative ones, less.
 */
#ifndef BN_CORRELATED_GAPS_H
#define BN_CORRELATED_GAPS_H

#include "rng.h"

/* How gammas of a cv and the normals they are made of hang together. */
typedef struct BnGapCorrelation BnGapCorrelation;

/* 0.001 <= cv <= 100. A millisecond, at the least cv twenty. Returns: (transfer full). */
BnGapCorrelation *bn_gap_correlation_new (double cv);
void bn_gap_correlation_free (BnGapCorrelation *correlation);

/* The correlation of two gammas that are made of normals with correlation -1 <= r <= 1: an integral over the normal
 * plane, by the trapezoid rule. Half a millisecond. */
double bn_gap_correlation_of_normals (const BnGapCorrelation *correlation, double r);

/* The r whose gammas have this correlation; -1 or 1 where none has less or more. A dozen of the former. */
double bn_gap_correlation_to_normals (const BnGapCorrelation *correlation, double gaps);

/* The least and the greatest autocorrelation that gaps of this decay can have, 0 < decay < 1. */
void bn_gap_correlation_range (const BnGapCorrelation *correlation, double decay, double *low, double *high);

typedef struct BnCorrelatedGaps BnCorrelatedGaps;

/* Stationary from the first gap, which `rng` draws. An autocorrelation out of range gives the nearest one that can be
 * had. Milliseconds. Returns: (transfer full). */
BnCorrelatedGaps *bn_correlated_gaps_new (double cv, double autocorrelation, double decay, BnRng *rng);
void bn_correlated_gaps_free (BnCorrelatedGaps *gaps);

/* The next gap; 0 where it is less than a double can hold. */
double bn_correlated_gaps_next (BnCorrelatedGaps *gaps, BnRng *rng);

#endif
