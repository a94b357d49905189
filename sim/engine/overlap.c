/* overlap.c: a worker whose link loads models while its slots execute tasks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The link and the slots are two resources. A free link loads the model of the first
 * task in the queue's order that lacks it; one load, with its evictions, at a time. A
 * free slot takes the first task that needs no load any more: with `order` only the
 * one that goes next, with `bypass` those behind it too. No slot is held for a load,
 * so a task that starts executes at once.
 *
 * A load evicts nothing that an executing task uses, nor what a queued task ahead of
 * its own needs; of the rest, what no queued task needs goes first. So nothing but
 * executing tasks stands in the way of the task that goes next. Where they do, and
 * the link is free, no other task starts: their ends make room, whatever is queued,
 * and the task is not passed for ever. At any instant the link acts before the slots.
 *
 * A reservation is passed by nothing that came after it, no start and no load, and
 * passes nothing itself; at the head of the queue it takes a slot, as without an
 * overlap.
 *
 * The task for which a load was begun is its miss, and every other task with a model
 * is a hit, also one that waited for that load.
 */
#include "run_internal.h"

/* Who goes first of the tasks before the first reservation, each or NULL. */
typedef struct Turn
{
  BnTask *next;       /* of all                                              */
  BnTask *ready;      /* of those that need no load                          */
  BnTask *lacking;    /* of those whose model is neither there nor loading   */
  double next_key, ready_key, lacking_key;
} Turn;

static inline void
goes_first (BnTask **first, double *first_key, BnTask *task, double key)
{
  if (*first && key >= *first_key)
    return;
  *first = task;
  *first_key = key;
}

static Turn
find_turn (const BnRun *run, const BnWorker *worker)
{
  Turn turn = { 0 };

  for (const BnQueueNode *node = worker->queue.first; node && node->task; node = node->next)
    {
      int32_t model = bn_task_spec (node->task)->model;
      const BnCacheEntry *entry = model == BN_NONE ? NULL : bn_cache_find (&worker->cache, (uint32_t) model);
      double key = bn_run_queue_key (run, worker, node->task);

      goes_first (&turn.next, &turn.next_key, node->task, key);
      if (model != BN_NONE && !entry)
        goes_first (&turn.lacking, &turn.lacking_key, node->task, key);
      else if (!entry || entry->state == BN_ENTRY_RESIDENT)
        goes_first (&turn.ready, &turn.ready_key, node->task, key);
    }
  return turn;
}

/* What the load for turn->lacking must leave alone. O(models + queue). */
static const uint8_t *
spared_for (BnRun *run, const BnWorker *worker, const Turn *turn)
{
  bool earlier = true;  /* in order of entry */

  for (uint32_t m = 0; m < run->config.catalogue->n_models; m++)
    run->spared_scratch[m] = worker->needed[m] > 0 ? BN_SPARE_IF_POSSIBLE : BN_SPARE_NOT;
  for (const BnQueueNode *node = worker->queue.first; node && node->task; node = node->next)
    {
      int32_t model = bn_task_spec (node->task)->model;
      if (node->task == turn->lacking)
        earlier = false;
      if (model == BN_NONE)
        continue;
      double key = bn_run_queue_key (run, worker, node->task);
      if (key < turn->lacking_key || (earlier && key == turn->lacking_key))
        run->spared_scratch[model] = BN_SPARE_ALWAYS;
    }
  return run->spared_scratch;
}

/* FALSE where the load cannot be given room now. */
static bool
load_for (BnRun *run, BnWorker *worker, const Turn *turn)
{
  uint32_t model = (uint32_t) bn_task_spec (turn->lacking)->model;
  bool has_room = run->config.catalogue->models[model].size_bytes <= bn_cache_free_bytes (&worker->cache);
  int32_t n_victims = has_room ? 0 : bn_run_choose_victims (run, worker, model, spared_for (run, worker, turn));

  if (n_victims == BN_NONE)
    return false;
  bn_run_begin_load (run, worker, model, turn->lacking, run->victim_scratch, (uint32_t) n_victims);
  return true;
}

static void
start (BnRun *run, BnWorker *worker, BnTask *task)
{
  int32_t model = bn_task_spec (task)->model;
  BnCacheEntry *entry = model == BN_NONE ? NULL : bn_cache_find (&worker->cache, (uint32_t) model);
  bool miss = entry && entry->loaded_for == task;

  if (miss)
    entry->loaded_for = NULL;
  BnSlot *slot = bn_run_take_slot (run, worker, task);
  task->access = !entry ? BN_ACCESS_NONE : miss ? BN_ACCESS_MISS : BN_ACCESS_HIT;
  TELL (run, task_started, task, run->now);
  if (entry)
    {
      entry->n_pins++;
      entry->last_used_ns = run->now;
    }
  slot->expected_end_ns = bn_time_add (run->now, task->estimate_ns);
  bn_run_begin_run (run, slot);
}

bool
bn_run_dispatch_overlap (BnRun *run, BnWorker *worker)
{
  bool changed = false;

  for (;;)
    {
      bool has_slot = bn_worker_has_free_slot (worker), has_link = !worker->loads_beside;
      if (!worker->queue.first || (!has_slot && !has_link))
        break;
      if (worker->queue.first->request)
        {
          if (!has_slot)
            break;
          bn_run_start_pull (run, worker, worker->queue.first);
          continue;
        }
      Turn turn = find_turn (run, worker);
      bool may_pass = run->config.options.overlap == BN_OVERLAP_BYPASS;
      if (has_link && turn.lacking)
        {
          if (load_for (run, worker, &turn))
            continue;
          may_pass &= turn.lacking != turn.next;
        }
      if (!has_slot || !turn.ready || (turn.ready != turn.next && !may_pass))
        break;
      start (run, worker, turn.ready);
      changed = true;
    }
  return changed;
}
