/* decision_costs.h: what a scheduler's decisions cost where that is measured, or was.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * With decision-cost = measured a run's times depend on the wall clock, so what was measured is
 * recorded (table decision_costs), and a run can take it from there: then it is the same run, to
 * the byte.
 */
#ifndef BN_DECISION_COSTS_H
#define BN_DECISION_COSTS_H

#include "results.h"
#include "run.h"

/* Of one run. */
typedef struct BnDecisionCosts BnDecisionCosts;

/* By CLOCK_MONOTONIC. Returns: (transfer full). */
BnDecisionCosts *bn_decision_costs_measured (void);

/* As they were measured in a run of a results file: number `run`, or with 0 the one with the scenario, scheduler,
 * settings and seed of `info`. Read as they are needed, a row each. NULL with `error` set where there is no such run
 * that has come to its end. Returns: (transfer full). */
BnDecisionCosts *bn_decision_costs_recorded (const char *path, gint64 run, const BnRunInfo *info, GError **error);

void bn_decision_costs_free (BnDecisionCosts *costs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BnDecisionCosts, bn_decision_costs_free)

/* For the run. Where its questions are not those of the recorded one it fails at the first that is another.
 * Returns: (transfer none). */
const BnStopwatch *bn_decision_costs_stopwatch (BnDecisionCosts *costs);

/* After the run has come to its end. FALSE with `error` set where the recorded one had more questions. */
gboolean bn_decision_costs_over (BnDecisionCosts *costs, GError **error);

#endif
