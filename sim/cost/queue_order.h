/* queue_order.h: which queued task a worker runs next, and what goes before what.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * An order is a key: the task of least key goes next, ties by time of entry. A
 * key may depend on now and on what is resident, so keys are compared at one now
 * only. It is a formula of what a worker's row may carry, so that whoever places a
 * task can tell what it would have to wait for (sim/sched/free_at.h), and the
 * worker itself which task it runs (sim/cluster/worker.h). `fifo` has no key: every
 * task that is there goes before one that comes.
 *
 * <stdint.h> only.
 */
#ifndef BN_QUEUE_ORDER_H
#define BN_QUEUE_ORDER_H

#include "cost.h"
#include "queued_task.h"

/* What may be set of the orders. */
typedef struct BnQueueOrderSettings
{
  BnDuration ageing_ns;  /* srpt: queued this long, a task counts as having no work left */
  double h;              /* key: weight of the work left against the slowdown so far     */
} BnQueueOrderSettings;

#define BN_QUEUE_H_DEFAULT 32.0

typedef struct BnQueueOrder
{
  const char *name;
  const char *summary;
  /* NULL: order of entry. `load_ns` is what its model would cost now, 0 if resident
     or none; read only if reads_load. */
  double (*key) (const BnQueuedTask *task, BnTime now, BnDuration load_ns, const BnCost *cost,
                 const BnQueueOrderSettings *settings);
  bool reads_load;
} BnQueueOrder;

/* Which keys fall into which class of a histogram: the octiles of the keys that the
 * tasks of the catalogue have at the creation of their job, each task counted once,
 * so that everybody knows them. Source: ours. */
typedef struct BnQueueClasses
{
  double least[BN_QUEUE_CLASSES - 1];  /* least key of class 1, 2, … */
} BnQueueClasses;

BnQueueClasses bn_queue_classes (const BnQueueOrder *order, const BnQueueOrderSettings *settings,
                                 const BnCost *cost);

/* The class of a key; of an order without one every task is in class 0. */
static inline uint32_t
bn_queue_class (const BnQueueClasses *classes, double key)
{
  uint32_t class = 0;
  while (class < BN_QUEUE_CLASSES - 1 && key >= classes->least[class])
    class++;
  return class;
}

/* fifo     order of entry
 * srpt     least remaining work of the job first: rank(task) + load_ns, falling
 *          to 0 as the wait grows to ageing_ns, so that nothing starves
 * slowdown largest (now - create + rank(task)) / lower bound first
 * priority what the scheduler gave the highest priority first
 * key      least h * (rank / 600 ms) * (lower bound / 600 ms)
 *               - (now - create + rank) / lower bound first.
 *          The first term is the shortest remaining critical path, weighted as
 *          Smith's rule weights it for slowdown; the second the slowdown that the job
 *          is heading for, which ages every task in units of slowdown. h = 0 is
 *          `slowdown`. Source: ours. */
extern const BnQueueOrder bn_queue_orders[];
extern const uint32_t bn_n_queue_orders;
/* Their names in the same order, NULL-terminated. */
extern const char *const bn_queue_order_names[];

#endif
