/* placer.h: the worker of least estimated finish, for policies that scan.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The estimate is Compass's (doc/cost-model.md, planning): for task t on worker w
 *   cost = max (T(t, w), AT(t, w)) + TD(t, w) + R(t, w) + penalty
 * with T from the published table (free_at.h: EAT unless the rules say otherwise), AT
 * from where its inputs are and when, and TD a load on a miss, times `full_load` where
 * the cache is full, 0 on a hit. Where loads go beside tasks (overlap) the task starts
 * at max (T, AT, now + TD). The penalty is `miss_penalty` loads on a miss: a miss
 * costs everybody, not just this task. Least cost wins; in ties the lowest worker
 * number, or any worker within `band_ns` of the least, each as likely.
 *
 * Several tasks can be planned in a row: bn_placer_commit makes what was planned
 * count for the tasks after it. Workers that differ from what the table says
 * (planned onto, or near an input) are evaluated one by one, the rest are scanned.
 * With Compass's own rules the scan ends at the first worker that reaches the least
 * value possible for its GPU type: O(workers) at worst, a few steps in a cluster that
 * keeps up. Any other rules look at every worker, and at the queues of those that
 * could still be best.
 */
#ifndef BN_PLACER_H
#define BN_PLACER_H

#include "free_at.h"
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
  bool cache_aware;      /* false: TD is 0                                            */
  bool insertion;        /* fill gaps between tasks planned here                      */
  BnFtMode ft;           /* what of a queue counts                                    */
  double behind;         /* BN_FT_ORDER, _CLASSES: share of what would go behind it   */
  double overrun;        /* of a task that overruns: times as long again               */
  double full_load;      /* TD of a miss where the cache is full, in loads            */
  double miss_penalty;   /* in loads                                                  */
  bool random_ties;
  BnDuration band_ns;    /* of random ties                                            */
} BnPlacerRules;

/* The parameters that set the rules, for a policy's list: these lines come last in
 * it. BN_PLACER_N_PARAMS of them. */
#define BN_PLACER_PARAMS(ties, band_ns, ft, behind, overrun, full_load, miss_penalty) \
  { "ties", "which of the workers of least cost: the lowest number, or any", BN_PARAM_CHOICE, 0, 0, ties, \
    bn_placer_ties }, \
  { "tie-band", "with random ties: how much more than the least still counts as a tie", BN_PARAM_DURATION, 0, 1e15, \
    band_ns, NULL }, \
  { "ft", "what a worker must do before it: its queue, what its order puts before it, or that by classes", \
    BN_PARAM_CHOICE, 0, 0, ft, bn_placer_ft }, \
  { "behind", "with ft other than queue: share of the rest of the queue that counts, too", BN_PARAM_REAL, 0, 1, \
    behind, NULL }, \
  { "overrun", "a task that overruns is expected to take so many times as long again", BN_PARAM_REAL, 0, 100, \
    overrun, NULL }, \
  { "full-load", "loads that a miss counts for where the GPU is full", BN_PARAM_REAL, 0, 100, full_load, NULL }, \
  { "miss-penalty", "loads that any miss costs on top", BN_PARAM_REAL, 0, 100, miss_penalty, NULL }

enum
{
  BN_PLACER_TIES,
  BN_PLACER_TIE_BAND,
  BN_PLACER_FT,
  BN_PLACER_BEHIND,
  BN_PLACER_OVERRUN,
  BN_PLACER_FULL_LOAD,
  BN_PLACER_MISS_PENALTY,
  BN_PLACER_N_PARAMS
};

extern const char *const bn_placer_ties[];  /* lowest, random        */
extern const char *const bn_placer_ft[];    /* queue, order, classes */

/* Compass's own: lowest number, the whole queue, two loads where it is full. */
#define BN_PLACER_COMPASS_PARAMS BN_PLACER_PARAMS (0, 0, BN_FT_QUEUE, 0, 0, 2, 0)

/* Sets all but cache_aware and insertion from the BN_PLACER_N_PARAMS values. */
void bn_placer_read_rules (BnPlacerRules *rules, const BnParamValue *values);

typedef struct BnPlacer BnPlacer;

/* What was chosen; worker is BN_NONE where no worker can hold the model. */
typedef struct BnPlacerChoice
{
  int32_t worker;
  BnTime start_ns;      /* of the load, or of the run on a hit  */
  BnTime finish_ns;
  BnTime value_ns;      /* with the penalty: what was compared  */
} BnPlacerChoice;

BnPlacer *bn_placer_new (const BnSchedSetup *setup, const BnPlacerRules *rules);
void bn_placer_free (BnPlacer *placer);

/* Forgets what was planned; all that follows is seen through `view` at `now`. */
void bn_placer_begin (BnPlacer *placer, const BnView *view, BnTime now);

/* The best worker for an inner task. */
BnPlacerChoice bn_placer_choose (BnPlacer *placer, const BnJob *job, uint32_t task, const BnPlacerInput *inputs,
                                 uint32_t n_inputs);

/* The best worker for an entry task whose data is at `ingress`, or with BN_NONE
 * at a central scheduler. */
BnPlacerChoice bn_placer_choose_entry (BnPlacer *placer, const BnJob *job, uint32_t task, int32_t ingress);

/* The best worker for a task that is all at worker `at`, if that worker costs more
 * than `margin_ns` less than staying; else BN_NONE. */
int32_t bn_placer_choose_onward (BnPlacer *placer, const BnJob *job, uint32_t task, uint32_t at,
                                 BnDuration margin_ns);

/* The worker of least T(w) + g2g + TD (and penalty) for a successor whose one input is
 * at `input->worker` now: Compass's adjustment, a sum and without R. */
int32_t bn_placer_choose_sum (BnPlacer *placer, const BnJob *job, uint32_t task, const BnPlacerInput *input);

/* The time from now until worker w could begin the task, by its row: T - now. */
BnDuration bn_placer_wait (BnPlacer *placer, const BnJob *job, uint32_t task, uint32_t w);

/* The choice for `task` counts from here on: T, memory and model of its worker. */
void bn_placer_commit (BnPlacer *placer, const BnWorkflow *wf, uint32_t task, const BnPlacerChoice *choice);

/* ---- workers that can hold a model (BN_NONE: all), in order ---- */
uint32_t bn_fitting_count (const BnCost *cost, int32_t model);
uint32_t bn_fitting_worker (const BnCost *cost, int32_t model, uint32_t k);

#endif
