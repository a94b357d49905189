/* plan_search.h: the least number that keeps a promise: what to try next.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A pure search over whole numbers, where more is expected to be better. It asks for a
 * number to be tried with so many seeds, is told the verdict, and asks again: what it
 * asks follows from what it was told alone, so an interrupted search that is told the same
 * again goes the same way.
 *
 *   1. up from the floor by gaps that double, until a number looks kept;
 *   2. bisection between the greatest that does not look kept and the least from which
 *      all that were tried do: the answer, whose neighbours are tried as well;
 *   3. more seeds for the two numbers at that border, stage by stage, until they are
 *      decided or there are no more;
 *   4. the least number from which all is kept, and the greatest below which all is
 *      broken, by bisection over what is decided: the band.
 *
 * "All" are the numbers that were tried. Where one is kept and a greater one broken the
 * answer says so, and lies above the latter. Each number is asked for with every stage
 * once at most; where verdicts are monotone that is O(log (max - floor)) numbers, of
 * which those outside of the band mostly take the first stage.
 *
 * Source: ours; bisection with verdicts that may be withheld, in place of noise that is
 * modelled (R. Waeber, P. I. Frazier, S. G. Henderson, "Bisection search with noisy
 * responses", SIAM J. Control Optim. 51(3), 2013).
 */
#ifndef BN_PLAN_SEARCH_H
#define BN_PLAN_SEARCH_H

#include "plan_verdict.h"

typedef struct BnPlanSearch BnPlanSearch;

typedef struct BnPlanSearchConfig
{
  gint64 floor;          /* >= 0; it and all below are known to be broken       */
  gint64 max;            /* > floor                                             */
  gint64 first_gap;      /* >= 1: floor + first_gap is tried first              */
  BnPlanStages stages;   /* seeds at each look                                  */
} BnPlanSearchConfig;

/* Copies `config`. Returns: (transfer full). */
BnPlanSearch *bn_plan_search_new (const BnPlanSearchConfig *config);
void bn_plan_search_free (BnPlanSearch *search);

/* What to try next: `n` with the first `n_seeds` seeds. FALSE: the search is over.
 * O(numbers tried). */
gboolean bn_plan_search_next (const BnPlanSearch *search, gint64 *n, guint *n_seeds);

/* What came of it. */
void bn_plan_search_tell (BnPlanSearch *search, gint64 n, guint n_seeds, BnPlanOutcome outcome);

typedef struct BnPlanAnswer
{
  gint64 n;              /* the least that looks kept, as all greater ones tried; 0: none up to max */
  gint64 low;            /* below it all that was tried is broken; max + 1: nothing else up to max  */
  gint64 high;           /* from it on all that was tried is kept; 0: that was not shown            */
  gint64 kept_at;        /* not monotone: this number is kept and ...           */
  gint64 broken_at;      /* ... this greater one broken; 0: there are none such */
} BnPlanAnswer;

/* Valid at any time, final when the search is over. low <= n <= high. */
BnPlanAnswer bn_plan_search_answer (const BnPlanSearch *search);

#endif
