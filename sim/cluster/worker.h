/* worker.h: one device live: its queue, its slots, its cache.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Passive state with its own arithmetic; the run (sim/engine) decides when
 * anything happens to it.
 */
#ifndef BN_WORKER_H
#define BN_WORKER_H

#include "cache.h"
#include "eviction.h"
#include "published.h"
#include "queue.h"
#include "queue_order.h"

typedef struct BnSlot
{
  BnTask *task;             /* or NULL: free                                    */
  BnTime expected_end_ns;   /* start + evictions + load + runtime as schedulers
                               know it; a task that overruns just stays         */
  bool awaits_load;         /* its model is being loaded                        */
} BnSlot;

typedef struct BnWorker
{
  uint32_t index;
  uint32_t n_slots;
  uint32_t n_busy;          /* slots with a task                                */
  uint32_t n_held;          /* slots kept free for tasks that are being pulled  */
  BnSlot *slots;            /* [n_slots]                                        */
  BnWorkerQueue queue;
  BnDuration queued_ns;     /* sum of estimates of queued tasks                 */
  uint32_t *needed;         /* [n_models]: queued tasks that need it            */
  BnCache cache;
  bool loads_beside;        /* a load is under way for which no slot is held: a prefetch, or any
                               where loads and tasks overlap                     */
} BnWorker;

void bn_worker_init (BnWorker *worker, uint32_t index, uint32_t n_slots, uint32_t n_models, int64_t memory_bytes);
void bn_worker_clear (BnWorker *worker);

/* Puts a task at the end of the queue, or at its head. */
void bn_worker_enqueue (BnWorker *worker, BnTask *task, bool at_head);
/* Takes it out. A load that was its miss is nobody's from then on. */
void bn_worker_dequeue (BnWorker *worker, BnTask *task);

/* The key of a queued task under `order`, which has one, at `now`. */
static inline double
bn_worker_key (const BnWorker *worker, const BnTask *task, const BnQueueOrder *order,
               const BnQueueOrderSettings *settings, const BnCost *cost, BnTime now)
{
  BnDuration load_ns = 0;

  if (order->reads_load)
    {
      int32_t model = bn_task_spec (task)->model;
      if (model != BN_NONE && !bn_cache_resident (&worker->cache, (uint32_t) model))
        load_ns = bn_cost_load (cost, (uint32_t) model, worker->index);
    }
  return order->key (&task->shown, now, load_ns, cost, settings);
}

/* The node that goes next under `order`, or NULL. Reservations keep the place
 * that order of entry gives them: under another order than fifo they go before
 * tasks that came later. O(1) for fifo, else O(queue). */
BnQueueNode *bn_worker_next (const BnWorker *worker, const BnQueueOrder *order,
                             const BnQueueOrderSettings *settings, const BnCost *cost, BnTime now);

/* Sorts tasks of its queue, given in order of entry, into the order in which they would
 * run if nothing changed. O(n log n). */
void bn_worker_sort (const BnWorker *worker, const BnQueueOrder *order, const BnQueueOrderSettings *settings,
                     const BnCost *cost, BnTime now, BnTask **tasks, uint32_t n);

/* The load of this model, if it is the miss of a task that has not executed yet, is
 * nobody's from now on. */
void bn_worker_disown_load (BnWorker *worker, uint32_t model);

/* Chooses victims, one by one, until `bytes` fit beside what stays; `hints` may be
 * NULL. Fills victims (room for n_entries) in order of leaving; `chosen` is scratch
 * of that size. Returns: their number, or BN_NONE where they cannot make room. */
int32_t bn_worker_choose_victims (const BnWorker *worker, const BnEviction *eviction, int64_t bytes,
                                  const BnEvictionHints *hints, uint8_t *chosen, uint32_t *victims);

/* When its first slot is expected to end what it runs now, in the past where that
 * task overruns; 0 where a slot is free. */
BnTime bn_worker_slot_free_at (const BnWorker *worker);

/* What its row says at `now`: see BnView; `scratch` has room for a time a slot. O(1)
 * for one slot, O(queue) else. */
BnLoadRow bn_worker_row (const BnWorker *worker, BnTime now, BnTime *scratch);

static inline bool
bn_worker_has_free_slot (const BnWorker *worker)
{
  return worker->n_busy + worker->n_held < worker->n_slots;
}

/* Asserts that sums and counts agree with the queue and the slots. */
void bn_worker_verify (const BnWorker *worker, uint32_t n_models);

#endif
