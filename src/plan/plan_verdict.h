/* plan_verdict.h: is a promise kept, as far as some replications can tell?
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A promise is about the expectation over seeds of what a run measures, such as its
 * 99th percentile. Seeds are looked at in stages that are fixed beforehand; a verdict
 * once passed stands. With k seeds, L stages and m promises, all of which are to be kept:
 *
 *   kept    every mean is on the right side of its limit by t(1 - 0.05 / L, k - 1) standard
 *           errors, and runs are not labelled unstable oftener than chance explains
 *   broken  some mean is on the wrong side by t(1 - 0.05 / (L (m + 1)), k - 1) of them; or
 *           as many runs are labelled BACKLOGGED or OVERLOADED as, of stable runs, would
 *           be with a probability of at most 0.05 / (L (m + 1)); or a run has lost jobs
 *
 * So each of the two is wrong with a probability of at most 5 %, however many looks it
 * takes (Bonferroni's inequality), as far as means over seeds are normal. That all
 * promises are to be kept needs no correction (an intersection-union test), that one may
 * be broken does.
 *
 * Sources: A. M. Law, "Simulation Modeling and Analysis", 5th ed., 9.4.1 (replications),
 * 9.7 (Bonferroni); S. J. Pocock, Biometrika 64(2), 1977 (looks fixed beforehand); R. L.
 * Berger, Technometrics 24(4), 1982 (intersection-union tests). How often a stable run is
 * labelled unstable: doc/metrics.md.
 */
#ifndef BN_PLAN_VERDICT_H
#define BN_PLAN_VERDICT_H

#include <glib.h>

typedef enum
{
  BN_VERDICT_BROKEN,
  BN_VERDICT_UNDECIDED,
  BN_VERDICT_KEPT
} BnVerdict;

/* "broken", "undecided", "kept". */
const char *bn_verdict_name (BnVerdict verdict);

/* What a search is told of one number. */
typedef struct BnPlanOutcome
{
  BnVerdict verdict;
  gboolean looks_kept;   /* by the means alone; as the verdict says where there is one */
} BnPlanOutcome;

#define BN_PLAN_MAX_STAGES 32

/* How many seeds each look has, upwards. */
typedef struct BnPlanStages
{
  guint n;
  guint seeds[BN_PLAN_MAX_STAGES];
} BnPlanStages;

/* `first` seeds, twice as many at each further look, `last` at the last one; 2 <= first
 * <= last. */
BnPlanStages bn_plan_stages (guint first, guint last);

/* The first look with more than n_seeds seeds, or 0: there is none. */
guint bn_plan_next_stage (const BnPlanStages *stages, guint n_seeds);

/* One promise of a run's value. */
typedef struct BnPlanLimit
{
  double limit;
  gboolean at_least;     /* value >= limit; else value <= limit */
  gboolean strict;       /* > or < instead                      */
} BnPlanLimit;

/* One run, as far as it matters. */
typedef struct BnReplication
{
  const double *values;  /* [n_limits], finite                          */
  gboolean unstable;     /* labelled BACKLOGGED or OVERLOADED           */
  gboolean lost;         /* it did not complete, or not all jobs were done */
} BnReplication;

/* What is known of one promise. */
typedef struct BnPlanEstimate
{
  double mean;
  double low, high;      /* one-sided bounds at 0.05 / L, each              */
  double seeds_needed;   /* that would decide it, were mean and spread what they seem; INFINITY: none */
} BnPlanEstimate;

typedef struct BnPlanJudgement
{
  BnPlanOutcome outcome;
  guint n_unstable, n_lost;
  double seeds_needed;   /* to decide the whole; 0 where it is decided */
} BnPlanJudgement;

/* Judges k >= 2 replications of n_limits >= 1 promises. Fills estimates[n_limits]. */
BnPlanJudgement bn_plan_judge (const BnPlanLimit *limits, guint n_limits, const BnReplication *runs, guint k,
                               guint n_looks, BnPlanEstimate *estimates);

#endif
