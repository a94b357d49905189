/* plan.h: how many servers each scheduler needs at each load.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A plan is a search (plan_search.h, plan_mix.h) for each scheduler of the scenario in each
 * cell of what is varied. They go side by side in rounds: in each, every search that is not
 * over asks for one number with some seeds, all these runs are made by one pool, and each
 * search is told. So what is run follows from the scenario and the question alone, whatever
 * runs at a time; runs are numbered in the order in which they were asked for, and the
 * same plan again on the file of an interrupted one finds its runs there and goes on.
 *
 * Seed i of every number, scheduler and cell is i: common random numbers.
 */
#ifndef BN_PLAN_H
#define BN_PLAN_H

#include <sqlite3.h>

#include "plan_request.h"
#include "pool.h"

typedef struct BnPlan BnPlan;

/* `vary` and `overrides` as for bn_sweep_read; `request` is borrowed. Unless an override says
 * otherwise, runs are recorded as summaries, whatever the file says. NULL with `error` set
 * for what bn_sweep_read refuses, a promise that no number can keep, a key that is both
 * searched and varied, a backend that really executes, and what bn_plan_axis_new refuses.
 * Returns: (transfer full). */
BnPlan *bn_plan_new (const char *path, const char *const *vary, const char *const *overrides,
                     const BnPlanRequest *request, GError **error);
void bn_plan_free (BnPlan *plan);

/* What is to be said once (BnScenario.remarks). Returns: (transfer none): NULL-terminated. */
char **bn_plan_remarks (const BnPlan *plan);

typedef struct BnPlanProgress
{
  guint n_searches, n_over;   /* searches: all, and those that are over   */
  guint n_runs, n_kept;       /* so far: all, and those found in the file */
  guint n_unanswered;         /* searches that found nothing, once all are over */
  gboolean interrupted;       /* by a signal: nothing has been found yet  */
} BnPlanProgress;

/* Goes to the end, or until a signal comes. `show`, or NULL, is called before each round.
 * A search of which a run failed is given up; the others go on. FALSE with `error` set
 * where the pool fails, or a promised metric is undefined. */
gboolean bn_plan_run (BnPlan *plan, BnPool *pool, void (*show) (const BnPlanProgress *progress),
                      BnPlanProgress *progress, GError **error);

/* Before bn_plan_run: writes what is asked into the table plan_promises and empties the
 * others of plans, as runs may get other numbers from here on. FALSE with `error` set, and
 * nothing changed, where the file has runs that no plan has made. */
gboolean bn_plan_begin (const BnPlan *plan, sqlite3 *db, GError **error);

/* After it: writes what was asked and found into the tables plans and plan_*, in place of
 * what they hold. All or nothing. FALSE with `error` set. */
gboolean bn_plan_store (const BnPlan *plan, sqlite3 *db, GError **error);

#endif
