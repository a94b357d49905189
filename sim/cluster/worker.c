/* worker.c: queue, slots and memory of one device.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "worker.h"

#include <glib.h>
#include <string.h>

#include "panic.h"

void
bn_worker_init (BnWorker *worker, uint32_t index, uint32_t n_slots, uint32_t n_models, int64_t memory_bytes)
{
  *worker = (BnWorker){ .index = index, .n_slots = n_slots };
  worker->slots = g_new0 (BnSlot, n_slots);
  worker->needed = g_new0 (uint32_t, n_models);
  bn_cache_init (&worker->cache, n_models, memory_bytes);
}

void
bn_worker_clear (BnWorker *worker)
{
  g_free (worker->slots);
  g_free (worker->needed);
  bn_cache_clear (&worker->cache);
}

void
bn_worker_enqueue (BnWorker *worker, BnTask *task, bool at_head)
{
  int32_t model = bn_task_spec (task)->model;

  task->shown = (BnQueuedTask){ task->job->id, task->job->create_ns, task->enqueue_ns, task->estimate_ns,
                                task->job->workflow->first_task + bn_task_number (task), task->priority };
  if (at_head)
    bn_queue_prepend (&worker->queue, &task->node);
  else
    bn_queue_append (&worker->queue, &task->node);
  worker->queued_ns += task->estimate_ns;
  if (model != BN_NONE)
    worker->needed[model]++;
}

void
bn_worker_dequeue (BnWorker *worker, BnTask *task)
{
  int32_t model = bn_task_spec (task)->model;

  bn_queue_remove (&worker->queue, &task->node);
  worker->queued_ns -= task->estimate_ns;
  if (model == BN_NONE)
    return;
  worker->needed[model]--;
  const BnCacheEntry *entry = bn_cache_find (&worker->cache, (uint32_t) model);
  if (entry && entry->loaded_for == task)
    bn_worker_disown_load (worker, (uint32_t) model);
}

void
bn_worker_disown_load (BnWorker *worker, uint32_t model)
{
  BnCacheEntry *entry = bn_cache_find (&worker->cache, model);

  if (!entry->loaded_for)
    return;
  entry->loaded_for->fetch_bytes = 0;
  entry->loaded_for->evict_bytes = 0;
  entry->loaded_for = NULL;
}

BnQueueNode *
bn_worker_next (const BnWorker *worker, const BnQueueOrder *order, const BnQueueOrderSettings *settings,
                const BnCost *cost, BnTime now)
{
  BnQueueNode *best = worker->queue.first;

  if (!order->key || !best || best->request || !best->next)
    return best;
  double best_key = bn_worker_key (worker, best->task, order, settings, cost, now);
  for (BnQueueNode *node = best->next; node && !node->request; node = node->next)
    {
      double key = bn_worker_key (worker, node->task, order, settings, cost, now);
      if (key < best_key)
        {
          best = node;
          best_key = key;
        }
    }
  return best;
}

typedef struct Keyed
{
  double key;
  uint32_t entry;
  BnTask *task;
} Keyed;

static gint
compare_keyed (gconstpointer a, gconstpointer b)
{
  const Keyed *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->entry < y->entry ? -1 : x->entry > y->entry;
}

void
bn_worker_sort (const BnWorker *worker, const BnQueueOrder *order, const BnQueueOrderSettings *settings,
                const BnCost *cost, BnTime now, BnTask **tasks, uint32_t n)
{
  if (!order->key || n < 2)
    return;
  Keyed *keyed = g_new (Keyed, n);
  for (uint32_t i = 0; i < n; i++)
    keyed[i] = (Keyed){ bn_worker_key (worker, tasks[i], order, settings, cost, now), i, tasks[i] };
  qsort (keyed, n, sizeof *keyed, compare_keyed);
  for (uint32_t i = 0; i < n; i++)
    tasks[i] = keyed[i].task;
  g_free (keyed);
}

int32_t
bn_worker_choose_victims (const BnWorker *worker, const BnEviction *eviction, int64_t bytes,
                          const BnEvictionHints *hints, uint8_t *chosen, uint32_t *victims)
{
  const BnCache *cache = &worker->cache;
  BnEvictionCall call = { cache, worker->needed, &worker->queue, chosen, { 0 }, BN_SPARE_IF_POSSIBLE };
  int64_t room = bn_cache_free_bytes (cache);
  int32_t n = 0;

  if (room >= bytes)
    return 0;
  if (hints)
    call.hints = *hints;
  memset (chosen, 0, cache->n_entries);
  while (room < bytes)
    {
      int32_t i = eviction->victim (&call);
      if (i == BN_NONE)
        {
          if (!call.hints.spared || call.spare_from == BN_SPARE_ALWAYS)
            return BN_NONE;
          call.spare_from = BN_SPARE_ALWAYS;
          continue;
        }
      BN_ASSERT (bn_eviction_candidate (&call, (uint32_t) i));
      chosen[i] = 1;
      room += cache->entries[i].bytes;
      victims[n++] = cache->entries[i].model;
    }
  return n;
}

BnTime
bn_worker_slot_free_at (const BnWorker *worker)
{
  BnTime first = BN_TIME_NEVER;

  for (uint32_t s = 0; s < worker->n_slots; s++)
    first = bn_time_min (first, worker->slots[s].task ? worker->slots[s].expected_end_ns : 0);
  return first;
}

BnLoadRow
bn_worker_row (const BnWorker *worker, BnTime now, BnTime *scratch)
{
  if (worker->n_slots == 1)
    {
      BnTime busy_until_ns = worker->slots[0].task ? worker->slots[0].expected_end_ns : 0;
      return (BnLoadRow){ worker->queued_ns, worker->queued_ns, busy_until_ns, busy_until_ns };
    }
  for (uint32_t s = 0; s < worker->n_slots; s++)
    scratch[s] = worker->slots[s].task ? bn_time_max (worker->slots[s].expected_end_ns, now) : now;
  uint32_t first = 0;
  for (const BnQueueNode *node = worker->queue.first;; node = node->next)
    {
      first = 0;
      for (uint32_t s = 1; s < worker->n_slots; s++)
        if (scratch[s] < scratch[first])
          first = s;
      if (!node)
        break;
      if (node->task)
        scratch[first] += node->task->estimate_ns;
    }
  return (BnLoadRow){ 0, worker->queued_ns, scratch[first], bn_worker_slot_free_at (worker) };
}

void
bn_worker_verify (const BnWorker *worker, uint32_t n_models)
{
  uint32_t *needed = g_new0 (uint32_t, n_models);
  uint32_t *pins = g_new0 (uint32_t, n_models);
  BnDuration queued_ns = 0;
  uint32_t length = 0, busy = 0;

  for (const BnQueueNode *node = worker->queue.first; node; node = node->next, length++)
    {
      BN_ASSERT (node->next ? node->next->prev == node : worker->queue.last == node);
      BN_ASSERT (!node->task != !node->request);
      if (!node->task)
        continue;
      BN_ASSERT (node->task->state == BN_TASK_QUEUED && node->task->worker == (int32_t) worker->index);
      queued_ns += node->task->estimate_ns;
      if (bn_task_spec (node->task)->model != BN_NONE)
        needed[bn_task_spec (node->task)->model]++;
    }
  BN_ASSERT (length == worker->queue.length && queued_ns == worker->queued_ns);
  for (uint32_t s = 0; s < worker->n_slots; s++)
    {
      const BnTask *task = worker->slots[s].task;
      if (!task)
        continue;
      busy++;
      BN_ASSERT (task->worker == (int32_t) worker->index);
      BN_ASSERT (task->state == (worker->slots[s].awaits_load ? BN_TASK_STARTING : BN_TASK_RUNNING));
      int32_t model = bn_task_spec (task)->model;
      if (model != BN_NONE)
        {
          const BnCacheEntry *entry = bn_cache_find (&worker->cache, (uint32_t) model);
          BN_ASSERT (entry && (entry->state == BN_ENTRY_RESIDENT) == !worker->slots[s].awaits_load);
          pins[model]++;
        }
    }
  BN_ASSERT (busy == worker->n_busy && busy + worker->n_held <= worker->n_slots);
  for (uint32_t m = 0; m < n_models; m++)
    {
      const BnCacheEntry *entry = bn_cache_find (&worker->cache, m);
      const BnTask *owner = entry ? entry->loaded_for : NULL;
      if (owner)
        BN_ASSERT (owner->worker == (int32_t) worker->index && bn_task_spec (owner)->model == (int32_t) m
                   && (owner->state == BN_TASK_QUEUED || owner->state == BN_TASK_STARTING));
      BN_ASSERT (needed[m] == worker->needed[m]);
      BN_ASSERT (pins[m] == (entry ? entry->n_pins : 0));
    }
  bn_cache_verify (&worker->cache, n_models);
  g_free (needed);
  g_free (pins);
}
