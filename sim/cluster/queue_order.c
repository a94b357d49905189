/* queue_order.c: order of entry, least remaining work, largest slowdown.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "queue_order.h"

#include <stddef.h>

static BnDuration
rank_of (const BnQueueOrderCall *call)
{
  return call->cost->rank_ns[call->task->job->workflow->first_task + bn_task_number (call->task)];
}

/* Shortest remaining processing time along the critical path. The work left
 * counts in full for a task that has just come and not at all for one that has
 * waited for ageing_ns; from there on the longest wait goes first. Limits:
 * ageing 0 is fifo, ageing for ever is plain srpt. */
static int64_t
shortest_remaining (const BnQueueOrderCall *call)
{
  BnDuration waited = call->now - call->task->enqueue_ns;

  if (waited >= call->ageing_ns)
    return call->ageing_ns - waited - 1;
  return bn_muldiv_round (rank_of (call) + call->load_ns, call->ageing_ns - waited, call->ageing_ns);
}

/* The slowdown that the job is heading for, in millionths, largest first. */
static int64_t
projected_slowdown (const BnQueueOrderCall *call)
{
  const BnJob *job = call->task->job;
  BnDuration bound = job->lower_bound_ns > 0 ? job->lower_bound_ns : 1;

  return -bn_muldiv_round (call->now - job->create_ns + rank_of (call), BN_PPM_ONE, bound);
}

static int64_t
highest_priority (const BnQueueOrderCall *call)
{
  return -(int64_t) call->task->priority;
}

/* The table, a line each; also the choices of an option, hence a list to be told
 * to a macro. */
#define QUEUE_ORDERS(ENTRY) \
  ENTRY ("fifo", "order of entry", NULL) \
  ENTRY ("srpt", "least remaining work of the job first, a miss's load counted, with ageing", shortest_remaining) \
  ENTRY ("slowdown", "the job furthest beyond its lower bound first", projected_slowdown) \
  ENTRY ("priority", "what the scheduler gave the highest priority first", highest_priority)

#define AS_ENTRY(name, summary, key) { name, summary, key },
#define AS_NAME(name, summary, key) name,

const BnQueueOrder bn_queue_orders[] = { QUEUE_ORDERS (AS_ENTRY) };
const char *const bn_queue_order_names[] = { QUEUE_ORDERS (AS_NAME) NULL };

const uint32_t bn_n_queue_orders = sizeof bn_queue_orders / sizeof bn_queue_orders[0];
