/* queue_order.c: order of entry, least remaining work, largest slowdown, and between.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "queue_order.h"

#include <glib.h>

/* Shortest remaining processing time along the critical path. The work left
 * counts in full for a task that has just come and not at all for one that has
 * waited for ageing_ns; from there on the longest wait goes first. Limits:
 * ageing 0 is fifo, ageing for ever is plain srpt. */
static double
shortest_remaining (const BnQueuedTask *task, BnTime now, BnDuration load_ns, const BnCost *cost,
                    const BnQueueOrderSettings *settings)
{
  BnDuration waited = now - task->enqueue_ns, ageing = settings->ageing_ns;

  if (waited >= ageing)
    return (double) (ageing - waited - 1);
  return (double) bn_muldiv_round (cost->rank_ns[task->task] + load_ns, ageing - waited, ageing);
}

/* The slowdown that the job is heading for, in millionths, largest first. */
static double
projected_slowdown (const BnQueuedTask *task, BnTime now, BnDuration load_ns, const BnCost *cost,
                    const BnQueueOrderSettings *settings)
{
  BnDuration bound = cost->lower_bound_ns[cost->task_workflow[task->task]];

  (void) load_ns;
  (void) settings;
  return -(double) bn_muldiv_round (now - task->create_ns + cost->rank_ns[task->task], BN_PPM_ONE,
                                    bound > 0 ? bound : 1);
}

static double
highest_priority (const BnQueuedTask *task, BnTime now, BnDuration load_ns, const BnCost *cost,
                  const BnQueueOrderSettings *settings)
{
  (void) now;
  (void) load_ns;
  (void) cost;
  (void) settings;
  return -(double) task->priority;
}

static double
work_against_slowdown (const BnQueuedTask *task, BnTime now, BnDuration load_ns, const BnCost *cost,
                       const BnQueueOrderSettings *settings)
{
  (void) load_ns;
  return settings->h * cost->order_weight[task->task]
         - (double) (now - task->create_ns + cost->rank_ns[task->task]) * cost->bound_inverse[task->task];
}

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

BnQueueClasses
bn_queue_classes (const BnQueueOrder *order, const BnQueueOrderSettings *settings, const BnCost *cost)
{
  BnQueueClasses classes = { { 0 } };

  if (!order->key || cost->n_tasks == 0)
    return classes;
  double *keys = g_new (double, cost->n_tasks);
  for (uint32_t t = 0; t < cost->n_tasks; t++)
    {
      BnQueuedTask fresh = { .task = t };
      keys[t] = order->key (&fresh, 0, 0, cost, settings);
    }
  qsort (keys, cost->n_tasks, sizeof *keys, compare_keys);
  for (uint32_t i = 0; i < BN_QUEUE_CLASSES - 1; i++)
    classes.least[i] = keys[(uint64_t) (i + 1) * cost->n_tasks / BN_QUEUE_CLASSES];
  g_free (keys);
  return classes;
}

/* The table, a line each; also the choices of an option, hence a list to be told
 * to a macro. */
#define QUEUE_ORDERS(ENTRY) \
  ENTRY ("fifo", "order of entry", NULL, false) \
  ENTRY ("srpt", "least remaining work of the job first, a miss's load counted, with ageing", shortest_remaining, \
         true) \
  ENTRY ("slowdown", "the job furthest beyond its lower bound first", projected_slowdown, false) \
  ENTRY ("priority", "what the scheduler gave the highest priority first", highest_priority, false) \
  ENTRY ("key", "short remaining paths of short jobs first, ageing with the slowdown; key[h=32] sets the weight", \
         work_against_slowdown, false)

#define AS_ENTRY(name, summary, key, reads_load) { name, summary, key, reads_load },
#define AS_NAME(name, summary, key, reads_load) name,

const BnQueueOrder bn_queue_orders[] = { QUEUE_ORDERS (AS_ENTRY) };
const char *const bn_queue_order_names[] = { QUEUE_ORDERS (AS_NAME) NULL };

const uint32_t bn_n_queue_orders = sizeof bn_queue_orders / sizeof bn_queue_orders[0];
