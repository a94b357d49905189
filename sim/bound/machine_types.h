/* machine_types.h: what a cluster can do for each task of a catalogue, at best.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only. A slot is a machine. Each GPU type gets a speed v(g) > 0, the
 * same for all tasks; a task that runs for p(g) on type g then has work of at most
 * v(g) p(g) done, at rate v(g). Bounds hold for any speeds; these are chosen so that
 * the work of a task depends on its type as little as possible.
 */
#ifndef BN_MACHINE_TYPES_H
#define BN_MACHINE_TYPES_H

#include "cost.h"

/* One way to run a task. */
typedef struct BnWay
{
  BnDuration runtime_ns;  /* the profile's, R(t, g)    */
  double speed;           /* v(g), 1 for the best type */
} BnWay;

typedef struct BnMachineTypes
{
  double capacity;        /* sum over slots of v: work done in a unit of time, at most */
  uint32_t *first;        /* [catalogue tasks + 1]: first + t indexes `ways`           */
  BnWay *ways;            /* of each task on the types that can hold its model, without
                             those that another is no worse than in both respects      */
  BnTime *cold_ns;        /* [models]: no execution can begin earlier: the least load, 0
                             where the model is resident from the start                */
  uint8_t *runnable;      /* [workflows]: every model fits somewhere                   */
} BnMachineTypes;

/* `weights` [workflows] is the mix, `preloaded` [models] or NULL. Neither is kept. */
BnMachineTypes *bn_machine_types_new (const BnCost *cost, const double *weights, const uint8_t *preloaded);
void bn_machine_types_free (BnMachineTypes *types);

#endif
