/* rate_shape.h: a rate of arrivals that changes over time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * By a change of time: a process of constant rate runs in operational time, in which what has passed at time t is the
 * integral of the relative rate, and each of its arrivals comes at the time that has this much behind it (E. Cinlar,
 * "Introduction to Stochastic Processes", 1975, 4.7: by it a Poisson process of rate 1 gives one of any rate). So
 * variation and correlation of the gaps are those of the process, in operational time, and numbers of arrivals
 * follow the rate.
 *
 * Relative rates, at time t:
 *   flat     1
 *   diurnal  1 + amplitude sin (2 pi (t / period + phase)): of mean 1 over each period
 *   spike    factor within spikes of `length`, the first at `at`, one each `every`, or that one alone; else 1
 */
#ifndef BN_RATE_SHAPE_H
#define BN_RATE_SHAPE_H

#include "bn.h"

typedef enum
{
  BN_RATE_FLAT,
  BN_RATE_DIURNAL,
  BN_RATE_SPIKE
} BnRateShapeKind;

typedef struct BnRateShape
{
  BnRateShapeKind kind;
  double amplitude;       /* DIURNAL: 0 .. 1                               */
  BnDuration period_ns;   /* DIURNAL: > 0                                  */
  double phase;           /* DIURNAL: in periods                           */
  BnTime at_ns;           /* SPIKE                                         */
  BnDuration length_ns;   /* SPIKE: > 0                                    */
  BnDuration every_ns;    /* SPIKE: from one's begin to the next's, > length; 0: only one */
  double factor;          /* SPIKE: >= 0                                   */
} BnRateShape;

/* The mean of the relative rate in the long run, which a single spike does not change. */
double bn_rate_shape_mean (const BnRateShape *shape);

/* Operational seconds that have passed at t_s >= 0 seconds. */
double bn_rate_shape_passed (const BnRateShape *shape, double t_s);

/* The inverse, of passed_s >= 0: seconds; where the rate is 0, any with so much behind them. Of `diurnal` it is by
 * Newton's method, which a bracket keeps, to the last digits of a double. */
double bn_rate_shape_time (const BnRateShape *shape, double passed_s);

#endif
