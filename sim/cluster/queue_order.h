/* queue_order.h: which queued task a worker runs next.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * An order is a key: the task of least key goes next, ties by time of entry. A
 * key may depend on now and on what is resident, so it is evaluated when a slot
 * is free, at one now for the whole queue: O(queue). `fifo` has no key and costs
 * O(1).
 */
#ifndef BN_QUEUE_ORDER_H
#define BN_QUEUE_ORDER_H

#include "cost.h"
#include "job.h"

typedef struct BnQueueOrderCall
{
  const BnTask *task;
  BnTime now;
  const BnCost *cost;
  uint32_t worker;
  BnDuration load_ns;    /* what its model would cost now: 0 if resident or none */
  BnDuration ageing_ns;
} BnQueueOrderCall;

typedef struct BnQueueOrder
{
  const char *name;
  const char *summary;
  int64_t (*key) (const BnQueueOrderCall *call);  /* NULL: order of entry */
} BnQueueOrder;

/* fifo     order of entry
 * srpt     least remaining work of the job first: rank(task) + load_ns, falling
 *          to 0 as the wait grows to ageing_ns, so that nothing starves
 * slowdown largest (now - create + rank(task)) / lower bound first
 * priority what the scheduler gave the highest priority first */
extern const BnQueueOrder bn_queue_orders[];
extern const uint32_t bn_n_queue_orders;
/* Their names in the same order, NULL-terminated. */
extern const char *const bn_queue_order_names[];

#endif
