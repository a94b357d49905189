/* schedulers.h: the schedulers of this program, and what several of them share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_SCHEDULERS_H
#define BN_SCHEDULERS_H

#include "placer.h"
#include "scheduler.h"

extern const BnScheduler bn_sched_compass;
extern const BnScheduler bn_sched_jit;
extern const BnScheduler bn_sched_late;
extern const BnScheduler bn_sched_heft;
extern const BnScheduler bn_sched_hash;
extern const BnScheduler bn_sched_random;
extern const BnScheduler bn_sched_round_robin;
extern const BnScheduler bn_sched_least_loaded;
extern const BnScheduler bn_sched_po2;
extern const BnScheduler bn_sched_sparrow;
extern const BnScheduler bn_sched_pull;

/* Plans every task of the job, by falling rank, each on the worker of least
 * finish given those before it. The arrays have room for every task. */
void bn_plan_by_rank (BnPlacer *placer, const BnCost *cost, const BnPlanCall *call, BnPlacerChoice *choices,
                      BnPlacerInput *inputs);

#endif
