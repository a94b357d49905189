/* placer.h: the worker of least estimated finish, for policies that scan.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The estimate is Compass's (doc/cost-model.md, planning): for task t on worker w
 *   finish = max(EAT(w), AT(t, w)) + TD(t, w) + R(t, w)
 * with EAT from the published table, AT from where its inputs are and when, and
 * TD a load, doubled where the cache is full, 0 on a hit. Least finish wins, the
 * lowest worker number in ties.
 *
 * Several tasks can be planned in a row: bn_placer_commit makes what was planned
 * count for the tasks after it. Workers that differ from what the table says
 * (planned onto, or near an input) are evaluated one by one; the rest are scanned
 * until one reaches the least value that is possible for its GPU type. So an idle
 * worker that holds the model ends the search: O(workers) at worst, a few steps
 * in a cluster that keeps up.
 */
#ifndef BN_PLACER_H
#define BN_PLACER_H

#include "scheduler.h"

/* Where an input of the task is, or will be. */
typedef struct BnPlacerInput
{
  uint32_t task;        /* its producer                         */
  uint32_t worker;
  BnTime ready_ns;      /* when it is complete there            */
} BnPlacerInput;

typedef struct BnPlacerRules
{
  bool cache_aware;     /* false: TD is 0                       */
  bool insertion;       /* fill gaps between tasks planned here */
} BnPlacerRules;

typedef struct BnPlacer BnPlacer;

/* What was chosen; worker is BN_NONE where no worker can hold the model. */
typedef struct BnPlacerChoice
{
  int32_t worker;
  BnTime start_ns;      /* of the load, or of the run on a hit  */
  BnTime finish_ns;
} BnPlacerChoice;

BnPlacer *bn_placer_new (const BnSchedSetup *setup, const BnPlacerRules *rules);
void bn_placer_free (BnPlacer *placer);

/* Forgets what was planned; all that follows is seen through `view` at `now`. */
void bn_placer_begin (BnPlacer *placer, const BnView *view, BnTime now);

/* The best worker for an inner task. */
BnPlacerChoice bn_placer_choose (BnPlacer *placer, const BnWorkflow *wf, uint32_t task, const BnPlacerInput *inputs,
                                 uint32_t n_inputs);

/* The best worker for an entry task whose data is at `ingress`, or with BN_NONE
 * at a central scheduler. */
BnPlacerChoice bn_placer_choose_entry (BnPlacer *placer, const BnWorkflow *wf, uint32_t task, int32_t ingress);

/* The worker of least EAT(w) + g2g + TD for a successor whose one input is at
 * `input->worker` now: Compass's adjustment, a sum and without R. */
int32_t bn_placer_choose_sum (BnPlacer *placer, const BnWorkflow *wf, uint32_t task, const BnPlacerInput *input);

/* The choice for `task` counts from here on: EAT, memory and model of its worker. */
void bn_placer_commit (BnPlacer *placer, const BnWorkflow *wf, uint32_t task, const BnPlacerChoice *choice);

/* ---- workers that can hold a model (BN_NONE: all), in order ---- */
uint32_t bn_fitting_count (const BnCost *cost, int32_t model);
uint32_t bn_fitting_worker (const BnCost *cost, int32_t model, uint32_t k);

#endif
