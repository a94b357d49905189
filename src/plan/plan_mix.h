/* plan_mix.h: the cheapest mix of several kinds that keeps a promise: what to try next.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A mix is a count of each kind. A pure search, as plan_search.h; more of any kind is
 * expected to be better, so a mix that is not kept rules out all that have no more of any
 * kind, and one that is kept all that cost as much. What is left is cut in half by cost,
 * again and again, until the cheapest is found and everything cheaper is ruled out: exact
 * where verdicts are monotone. Costs are at first limited to little more than those of the
 * work alone, a limit that grows while nothing within it is kept. Mixes that cost the same
 * go by fewer servers, then by fewer of the first kinds.
 *
 * Every mix that is asked for gets more seeds until it is decided or there are no more.
 * The cheapest that is kept is looked for first, then the cheapest that is not broken:
 * cheaper ones than the latter are broken, between the two it is undecided. The next
 * greater mixes of the first are tried, too: where one is broken the answer says so.
 *
 * Needs at least as many trials as there are mixes just below the border of what is kept
 * of which none has as many of each kind as another; takes about twice as many. Ours; the
 * border is the staircase of a monotone function on a lattice.
 */
#ifndef BN_PLAN_MIX_H
#define BN_PLAN_MIX_H

#include "plan_verdict.h"

#define BN_PLAN_MAX_KINDS 4u

/* Mixes that it looks at within one limit of cost. */
#define BN_PLAN_MAX_MIXES 1000000u

typedef struct BnPlanMix BnPlanMix;

typedef struct BnPlanMixConfig
{
  guint n_kinds;                       /* 1 to BN_PLAN_MAX_KINDS                        */
  double prices[BN_PLAN_MAX_KINDS];    /* > 0, of one                                   */
  double shares[BN_PLAN_MAX_KINDS];    /* > 0: of the work that one can do; mixes whose
                                          shares sum up to 1 or less are known to be broken */
  gint64 max[BN_PLAN_MAX_KINDS];       /* >= 0, not all 0                               */
  BnPlanStages stages;
} BnPlanMixConfig;

/* Copies `config`. Returns: (transfer full). */
BnPlanMix *bn_plan_mix_new (const BnPlanMixConfig *config);
void bn_plan_mix_free (BnPlanMix *mix);

/* What to try next, counts[n_kinds]. FALSE: it is over. O(mixes within the limit x mixes
 * tried) at worst. */
gboolean bn_plan_mix_next (BnPlanMix *mix, gint64 *counts, guint *n_seeds);

/* What came of it. */
void bn_plan_mix_tell (BnPlanMix *mix, const gint64 *counts, guint n_seeds, BnPlanOutcome outcome);

typedef struct BnPlanMixAnswer
{
  gboolean found;                        /* some mix is kept                             */
  gint64 kept[BN_PLAN_MAX_KINDS];        /* the cheapest such                            */
  gboolean has_open;                     /* something is not broken                      */
  gint64 open[BN_PLAN_MAX_KINDS];        /* the cheapest that is not broken              */
  gboolean monotone;                     /* FALSE: the following are kept and broken     */
  gint64 kept_at[BN_PLAN_MAX_KINDS];
  gint64 broken_at[BN_PLAN_MAX_KINDS];   /* no less of any kind than kept_at             */
  gboolean too_many;                     /* given up: more than BN_PLAN_MAX_MIXES to look at */
} BnPlanMixAnswer;

BnPlanMixAnswer bn_plan_mix_answer (const BnPlanMix *mix);

double bn_plan_mix_cost (const BnPlanMixConfig *config, const gint64 *counts);

#endif
