/* plan_parts.h: what the files of a plan share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_PLAN_PARTS_H
#define BN_PLAN_PARTS_H

#include "plan.h"
#include "plan_search.h"
#include "sweep.h"

/* One run, as far as the plan goes. */
typedef struct BnPlanRun
{
  gint64 run_id;
  gboolean unstable, lost;
} BnPlanRun;

/* One number, or one mix, with what was seen of it. */
typedef struct BnPlanPoint
{
  gint64 numbers[BN_PLAN_MAX_KINDS];
  GArray *runs;               /* of BnPlanRun, seed 1 first                  */
  GArray *values;             /* of double: [runs][slos]                     */
  BnPlanEstimate *estimates;  /* [slos]; valid once it has been judged       */
  BnPlanJudgement judgement;
  guint n_judged;             /* seeds that it stands on; 0: none yet        */
} BnPlanPoint;

/* A combination of what is varied. */
typedef struct BnPlanCell
{
  BnUnit *unit;               /* of which others are made                    */
  BnPlanAxis *axis;
  char *settings;             /* what is varied: `section.key = value` lines */
  double rate_per_s;          /* 0: not a rate                               */
  gboolean one_trace;         /* seeds have the same arrivals                */
} BnPlanCell;

/* One search: a scheduler in a cell. */
typedef struct BnPlanTarget
{
  const BnPlanCell *cell;
  char *variant, *source;     /* its name, and what makes it in a list       */
  BnPlanSearch *search;       /* of a count or a rate; NULL: the work alone takes more than the greatest */
  BnPlanMix *mix;             /* of a mix                                    */
  GPtrArray *points;          /* of BnPlanPoint, in the order of asking      */
  gboolean failed;            /* a run of it did                             */
} BnPlanTarget;

struct BnPlan
{
  const BnPlanRequest *request;
  BnPlanStages stages;
  GPtrArray *cells;           /* of BnPlanCell                               */
  GPtrArray *targets;         /* of BnPlanTarget, cell by cell               */
  char **remarks;
};

/* What came out of one search, numbers as in plan_axis.h. */
typedef struct BnPlanFinding
{
  const gint64 *answer;       /* of those pointed to NULL: there is none     */
  const gint64 *low, *high;   /* below low broken, from high on kept         */
  const BnPlanPoint *point;   /* of the answer                               */
  double seeds_needed;        /* for the numbers between low and high; 0: nothing is undecided, INFINITY: none
                                 would do */
  gint64 numbers[3][BN_PLAN_MAX_KINDS];
} BnPlanFinding;

/* Fills *ret, which points into itself. */
void bn_plan_find (const BnPlanTarget *target, BnPlanFinding *ret);

/* The point with these numbers, or NULL. */
BnPlanPoint *bn_plan_point (const BnPlanTarget *target, const gint64 *numbers);

/* What there is to say of an answer, or NULL. Returns: (transfer full). */
char *bn_plan_note (const BnPlan *plan, const BnPlanTarget *target, const BnPlanFinding *finding);

#endif
