/* stability.h: is this run in equilibrium, or does the queue just grow?
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The label comes from the slope of the backlog over the second half of the
 * arrivals, with its 95 % interval; the rule and its limits are in
 * doc/metrics.md.
 */
#ifndef BN_STABILITY_H
#define BN_STABILITY_H

#include "backlog.h"

typedef enum
{
  BN_LABEL_UNKNOWN,     /* too little to say, or the run did not complete    */
  BN_LABEL_STABLE,      /* the interval of the slope holds 0                 */
  BN_LABEL_BACKLOGGED,  /* not in equilibrium, and it drained or was draining */
  BN_LABEL_OVERLOADED   /* more work than capacity, or growing to the end    */
} BnLabel;

typedef struct BnStabilityInput
{
  const BnBacklog *backlog;     /* finished                                       */
  BnTime last_arrival_ns;
  int64_t live_at_last_arrival; /* jobs in the system just before it              */
  double offered_load;          /* 0: unknown                                     */
  bool complete;                /* every job ended                                */
} BnStabilityInput;

typedef struct BnStability
{
  BnLabel label;
  bool has_slope;               /* enough bins for the three below                */
  double slope_per_s;           /* jobs per second                                */
  double low_per_s, high_per_s; /* its 95 % interval                              */
} BnStability;

/* Batches that the second half is cut into, and the arrivals it must have. */
#define BN_STABILITY_BATCHES 16
#define BN_STABILITY_MIN_ARRIVALS 32

BnStability bn_stability_judge (const BnStabilityInput *input);

/* "STABLE", … */
const char *bn_label_name (BnLabel label);

/* Whether it is the name of a label of runs that are not in equilibrium; NULL is none. */
bool bn_label_is_unstable (const char *name);

/* Least squares of y[i] on i, i = 0 .. n-1, n >= 3: the slope and its standard
 * error by the residuals. */
void bn_least_squares (const double *y, uint32_t n, double *slope, double *standard_error);

/* Correlation of neighbouring residuals of that fit, 0 where there are none. */
double bn_residual_correlation (const double *y, uint32_t n, double slope);

#endif
