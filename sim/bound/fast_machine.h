/* fast_machine.h: the cluster as one machine that is as fast as all of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only. The machine does `capacity` of work in a unit of time, may
 * stop one task for another at no cost, and does at every instant the released
 * task of largest cost / work: no schedule of the cluster has a smaller sum of
 * cost x mean time of the task's work (doc/bounds.md). O(tasks log tasks).
 *
 * The mean times become a bound on the latencies of jobs by shares l >= 0 of each
 * job's tasks that add up to 1: end of job >= sum of l (M + runtime / 2 + tail).
 * Shares in proportion to runtime are a good start; local steps improve them.
 */
#ifndef BN_FAST_MACHINE_H
#define BN_FAST_MACHINE_H

#include <glib.h>

#include "bound_block.h"
#include "rng.h"

/* A stretch of time in which the machine does one task. */
typedef struct BnStretch
{
  double from, until;  /* since the block's origin */
  double urgency;      /* of the task: cost / work */
  uint32_t task;
} BnStretch;

typedef struct BnFastMachine BnFastMachine;

/* Borrows `block`. */
BnFastMachine *bn_fast_machine_new (const BnBoundBlock *block, const BnMachineTypes *types);
void bn_fast_machine_free (BnFastMachine *machine);

/* Bounds from below the sum over jobs of weights[job] x latency. Tries `steps` other
 * shares, drawn from `rng`, and keeps the best. With `stretches`, an empty array of
 * BnStretch, fills in what the machine did, in order of time. */
double bn_fast_machine_bound (BnFastMachine *machine, const double *weights, uint32_t steps, BnRng *rng,
                              GArray *stretches);

#endif
