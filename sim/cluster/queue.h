/* queue.h: one worker's queue of tasks and reservations, in order of entry.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Nodes are the caller's (embedded in tasks and requests). All O(1).
 */
#ifndef BN_QUEUE_H
#define BN_QUEUE_H

#include "job.h"

typedef struct BnWorkerQueue
{
  BnQueueNode *first, *last;
  uint32_t length;
} BnWorkerQueue;

static inline void
bn_queue_append (BnWorkerQueue *q, BnQueueNode *node)
{
  node->prev = q->last;
  node->next = NULL;
  if (q->last)
    q->last->next = node;
  else
    q->first = node;
  q->last = node;
  q->length++;
}

static inline void
bn_queue_prepend (BnWorkerQueue *q, BnQueueNode *node)
{
  node->prev = NULL;
  node->next = q->first;
  if (q->first)
    q->first->prev = node;
  else
    q->last = node;
  q->first = node;
  q->length++;
}

static inline void
bn_queue_remove (BnWorkerQueue *q, BnQueueNode *node)
{
  if (node->prev)
    node->prev->next = node->next;
  else
    q->first = node->next;
  if (node->next)
    node->next->prev = node->prev;
  else
    q->last = node->prev;
  node->prev = node->next = NULL;
  q->length--;
}

#endif
