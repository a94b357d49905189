/* free_at.h: when a worker could begin a task, by what its row tells of its queue.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Compass's FT counts the whole queue. Under an order other than fifo a task waits
 * only for what goes before it, so the order-aware estimate for task x at worker w is
 *
 *   T = rest of what w runs + the runtimes queued at w with key <= key(x)
 *       + behind x (the other runtimes queued)
 *   then, by rising time r at which they are expected, for each task reserved at w
 *   that the observer knows of and whose key <= key(x): if r <= max (a, T) then
 *   T = max (T, r) + its runtime, else no more
 *
 * where a is when x could be there. Under fifo, and with ft=queue, only a task that
 * queues before x goes before it: r <= a. So work that is planned for later is not
 * load now. All keys are of the decider's now. A running task that overruns its profile
 * is expected to take `overrun` times as long again as it is known to have overrun (0:
 * no longer). Limits: fifo and no reservations: FT. With classes the row tells runtimes
 * by class of key (each task's as it queued), and T counts the classes below x's and
 * half of its own. A worker of k slots works off its queue k times as fast. Source: ours.
 */
#ifndef BN_FREE_AT_H
#define BN_FREE_AT_H

#include "scheduler.h"

typedef enum
{
  BN_FT_QUEUE,    /* the whole queue: FT of the cost model; of what is reserved, all keys */
  BN_FT_ORDER,    /* what goes before it, from the tasks of the row                  */
  BN_FT_CLASSES   /* the same from the histogram of the row                          */
} BnFtMode;

typedef struct BnFreeAt
{
  const BnCost *cost;
  const BnQueueOrder *order;
  const BnQueueOrderSettings *settings;
  const BnQueueClasses *classes;
  BnFtMode mode;
  double behind;
  double overrun;
} BnFreeAt;

/* The task that is to be placed, as it would be queued at `now`. */
typedef struct BnNewcomer
{
  BnQueuedTask task;
  double key;          /* without any load: the key of an order that reads none */
} BnNewcomer;

BnNewcomer bn_newcomer (const BnFreeAt *f, const BnJob *job, uint32_t task, BnTime now);

/* T for a newcomer that could be at worker w at `at_ns`. O(queue + reserved) of w. */
BnTime bn_free_at (const BnFreeAt *f, const BnView *view, uint32_t w, BnTime now, BnTime at_ns,
                   const BnNewcomer *newcomer);

/* The traits that a scheduler with this mode must have. */
static inline uint32_t
bn_ft_traits (BnFtMode mode)
{
  return mode == BN_FT_ORDER ? BN_SCHED_READS_QUEUES : mode == BN_FT_CLASSES ? BN_SCHED_READS_CLASSES : 0;
}

#endif
