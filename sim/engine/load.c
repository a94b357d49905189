/* load.c: loads, the evictions before them, and who they are for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * All victims of a load leave the published row together, when it is decided; so do
 * their bytes, which the load takes over at once. One that costs nothing to evict is
 * gone at once, the others are written back one after the other, then the load
 * begins. A load is the miss of the task it was begun for, unless that leaves the
 * queue, or the model leaves again, before it executes: then it is nobody's.
 */
#include "run_internal.h"

/* Whose miss the load is, or NULL. */
static BnTask *
owner_of (const BnRun *run, const Load *load)
{
  return bn_cache_find (&run->workers[load->worker].cache, load->model)->loaded_for;
}

static void
tell_cache (BnRun *run, BnCacheEventKind kind, const BnWorker *worker, uint32_t model, BnTime start_ns,
            BnTime left_ns, const BnTask *task, bool prefetch)
{
  BnCacheEvent event = {
    .kind = kind,
    .worker = worker->index,
    .model = model,
    .start_ns = start_ns,
    .end_ns = run->now,
    .bytes = run->config.catalogue->models[model].size_bytes,
    .resident_bytes = worker->cache.used_bytes + worker->cache.leaving_bytes,
    .prefetch = prefetch,
    .left_ns = left_ns,
    .job_id = task ? task->job->id : BN_NONE,
    .task = task ? (int32_t) bn_task_number (task) : BN_NONE,
  };

  TELL (run, cache_event, &event);
}

static void
start_load_op (BnRun *run, Load *load)
{
  BnOp *op = bn_run_new_op (run, BN_OP_LOAD, load->worker);
  BnTask *task = owner_of (run, load);

  if (task && task->state == BN_TASK_STARTING)
    task->evict_ns = run->now - task->start_ns;
  load->start_ns = run->now;
  op->owner = load;
  op->model = (int32_t) load->model;
  op->bytes = run->config.catalogue->models[load->model].size_bytes;
  run->backend->start_load (run->backend_state, op);
}

static void
start_evict_op (BnRun *run, Load *load)
{
  uint32_t victim = load->victims[load->next_victim++];
  BnOp *op = bn_run_new_op (run, BN_OP_EVICT, load->worker);

  op->owner = load;
  op->model = (int32_t) victim;
  op->bytes = run->config.catalogue->models[victim].size_bytes;
  run->backend->start_evict (run->backend_state, op);
}

static Load *
new_load (BnRun *run, const BnWorker *worker, uint32_t model, uint32_t n_victims)
{
  Load *load = run->free_loads;

  if (load)
    run->free_loads = load->next_free;
  else
    load = g_new0 (Load, 1);
  if (load->capacity_victims < n_victims)
    {
      load->capacity_victims = n_victims;
      load->victims = g_renew (uint32_t, load->victims, n_victims);
    }
  load->worker = worker->index;
  load->model = model;
  load->n_retries = 0;
  load->n_victims = n_victims;
  load->next_victim = 0;
  return load;
}

/* What the load's victims still hold beyond what the load itself counts. */
static int64_t
surplus_bytes (const BnRun *run, const Load *load)
{
  return MAX (load->leaving_bytes - run->config.catalogue->models[load->model].size_bytes, 0);
}

/* What the run tells the eviction policy, where it asks: what copies are worth to
 * this worker, and when queued tasks go next. */
static void
fill_hints (BnRun *run, const BnWorker *worker, BnEvictionHints *hints)
{
  uint32_t place = 0;

  for (uint32_t i = 0; i < worker->cache.n_entries; i++)
    {
      uint32_t model = worker->cache.entries[i].model;
      run->value_scratch[model] = bn_run_copy_value (run, worker, model);
      run->next_use_scratch[model].place = UINT32_MAX;
    }
  for (const BnQueueNode *node = worker->queue.first; node; node = node->next, place++)
    {
      int32_t model = node->task ? bn_task_spec (node->task)->model : BN_NONE;
      if (model == BN_NONE || !bn_cache_find (&worker->cache, (uint32_t) model))
        continue;
      BnNextUse *use = &run->next_use_scratch[model];
      double key = bn_run_queue_key (run, worker, node->task);
      if (use->place == UINT32_MAX || key < use->key)
        *use = (BnNextUse){ key, place };
    }
  hints->values = run->value_scratch;
  hints->next_uses = run->next_use_scratch;
}

int32_t
bn_run_choose_victims (BnRun *run, const BnWorker *worker, uint32_t model, const uint8_t *spared)
{
  int64_t bytes = run->config.catalogue->models[model].size_bytes;
  BnEvictionHints hints = { .spared = spared };

  if (bytes <= bn_cache_free_bytes (&worker->cache))
    return 0;
  if (run->eviction->reads_hints)
    fill_hints (run, worker, &hints);
  return bn_worker_choose_victims (worker, run->eviction, bytes, &hints, run->chosen_scratch, run->victim_scratch);
}

/* Takes a model out to make room for a load that is the miss of `task`, or nobody's.
 * Returns: whether that is over; else it is to be written back. */
static bool
drop_victim (BnRun *run, BnWorker *worker, uint32_t victim, BnTask *task)
{
  uint32_t type = run->config.platform->workers[worker->index].type;
  bool free = run->config.options.evict_cost == BN_EVICT_COST_FREE
              || run->cost->evict_ns[(gsize) type * run->cost->n_models + victim] == 0;

  bn_worker_disown_load (worker, victim);
  bn_cache_remove (&worker->cache, victim);
  bn_published_set_cached (run->table, worker->index, victim, false, run->now);
  if (task)
    task->evict_bytes += run->config.catalogue->models[victim].size_bytes;
  if (free)
    {
      tell_cache (run, BN_CACHE_EVICTED, worker, victim, run->now, run->now, task, !task);
      if (run->backend->drop)
        run->backend->drop (run->backend_state, worker->index, victim);
    }
  return free;
}

void
bn_run_begin_load (BnRun *run, BnWorker *worker, uint32_t model, BnTask *task, const uint32_t *victims,
                   uint32_t n_victims)
{
  uint32_t type = run->config.platform->workers[worker->index].type;
  Load *load = new_load (run, worker, model, n_victims);
  BnDuration expected_ns = bn_cost_load (run->cost, model, worker->index);

  load->n_victims = 0;
  load->leaving_bytes = 0;
  load->decided_ns = run->now;
  load->is_prefetch = !task;
  load->is_beside = !task || task->state == BN_TASK_QUEUED;
  worker->loads_beside |= load->is_beside;
  for (uint32_t i = 0; i < n_victims; i++)
    if (!drop_victim (run, worker, victims[i], task))
      {
        load->victims[load->n_victims++] = victims[i];
        load->leaving_bytes += run->config.catalogue->models[victims[i]].size_bytes;
        expected_ns += run->cost->evict_ns[(gsize) type * run->cost->n_models + victims[i]];
      }
  BnCacheEntry *entry = bn_cache_add (&worker->cache, model, run->config.catalogue->models[model].size_bytes);
  entry->expected_end_ns = bn_time_add (run->now, expected_ns);
  entry->loaded_for = task;
  if (task)
    task->fetch_bytes = entry->bytes;
  worker->cache.leaving_bytes += surplus_bytes (run, load);
  if (load->n_victims > 0)
    start_evict_op (run, load);
  else
    start_load_op (run, load);
}

void
bn_run_evict_done (BnRun *run, BnOp *op)
{
  Load *load = op->owner;
  BnWorker *worker = &run->workers[op->worker];
  int64_t surplus = surplus_bytes (run, load);

  load->leaving_bytes -= op->bytes;
  worker->cache.leaving_bytes -= surplus - surplus_bytes (run, load);
  tell_cache (run, BN_CACHE_EVICTED, worker, (uint32_t) op->model, op->start_ns, load->decided_ns,
              owner_of (run, load), load->is_prefetch);
  bn_run_free_op (run, op);
  if (load->next_victim < load->n_victims)
    start_evict_op (run, load);
  else
    start_load_op (run, load);
  if (surplus > 0)
    bn_run_dispatch (run, worker, false);
}

void
bn_run_load_done (BnRun *run, BnOp *op)
{
  Load *load = op->owner;
  BnWorker *worker = &run->workers[load->worker];
  BnCacheEntry *entry = bn_cache_find (&worker->cache, load->model);

  entry->state = BN_ENTRY_RESIDENT;
  bn_published_set_cached (run->table, load->worker, load->model, true, run->now);
  tell_cache (run, BN_CACHE_LOADED, worker, load->model, load->start_ns, 0, entry->loaded_for,
              load->is_prefetch);
  bool late = run->now != entry->expected_end_ns;
  if (load->is_beside)
    worker->loads_beside = false;
  else
    entry->loaded_for = NULL; /* it holds its slot: its miss is over */
  for (uint32_t s = 0; s < worker->n_slots; s++)
    {
      BnSlot *slot = &worker->slots[s];
      if (!slot->task || !slot->awaits_load || bn_task_spec (slot->task)->model != (int32_t) load->model)
        continue;
      slot->expected_end_ns = bn_time_add (run->now, slot->task->estimate_ns);
      bn_run_begin_run (run, slot);
    }
  load->next_free = run->free_loads;
  run->free_loads = load;
  bn_run_free_op (run, op);
  if (run->down[worker->index])
    bn_run_lose_idle_models (run, worker);
  bn_run_dispatch (run, worker, late);
}

bool
bn_run_evict_one_more (BnRun *run, Load *load)
{
  BnWorker *worker = &run->workers[load->worker];
  BnEvictionHints hints = { 0 };

  if (run->eviction->reads_hints)
    fill_hints (run, worker, &hints);
  int32_t n = bn_worker_choose_victims (worker, run->eviction, bn_cache_free_bytes (&worker->cache) + 1, &hints,
                                        run->chosen_scratch, run->victim_scratch);
  if (n == BN_NONE)
    return false;
  uint32_t victim = run->victim_scratch[0];
  if (drop_victim (run, worker, victim, owner_of (run, load)))
    {
      start_load_op (run, load);
      return true;
    }
  if (load->capacity_victims == 0)
    load->victims = g_renew (uint32_t, load->victims, load->capacity_victims = 1);
  load->decided_ns = run->now; /* tasks may have used it until now */
  load->victims[0] = victim;
  load->n_victims = 1;
  load->next_victim = 0;
  load->leaving_bytes = run->config.catalogue->models[victim].size_bytes;
  worker->cache.leaving_bytes += surplus_bytes (run, load);
  start_evict_op (run, load);
  return true;
}

void
bn_run_load_again (BnRun *run, Load *load)
{
  load->n_retries++;
  start_load_op (run, load);
}

void
bn_run_abandon_load (BnRun *run, Load *load)
{
  BnWorker *worker = &run->workers[load->worker];

  bn_worker_disown_load (worker, load->model);
  bn_cache_find (&worker->cache, load->model)->state = BN_ENTRY_RESIDENT; /* so that it may go */
  bn_cache_remove (&worker->cache, load->model);
  if (load->is_beside)
    worker->loads_beside = false;
  load->next_free = run->free_loads;
  run->free_loads = load;
}

void
bn_run_lose_model (BnRun *run, BnWorker *worker, uint32_t model)
{
  const BnCacheEntry *entry = bn_cache_find (&worker->cache, model);

  if (!entry || entry->state != BN_ENTRY_RESIDENT || entry->n_pins > 0)
    return;
  bn_worker_disown_load (worker, model);
  bn_cache_remove (&worker->cache, model);
  bn_published_set_cached (run->table, worker->index, model, false, run->now);
  tell_cache (run, BN_CACHE_EVICTED, worker, model, run->now, run->now, NULL, true);
  if (run->backend->drop)
    run->backend->drop (run->backend_state, worker->index, model);
}

void
bn_run_lose_idle_models (BnRun *run, BnWorker *worker)
{
  for (uint32_t i = worker->cache.n_entries; i-- > 0;)
    bn_run_lose_model (run, worker, worker->cache.entries[i].model);
}

bool
bn_run_preload (BnRun *run, const BnPreload *preload, GError **error)
{
  const BnModel *model = &run->config.catalogue->models[preload->model];
  BnWorker *worker = &run->workers[preload->worker];

  if (bn_cache_find (&worker->cache, preload->model))
    return true;
  if (model->size_bytes > bn_cache_free_bytes (&worker->cache))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                   "preload: model %s does not fit on worker %u beside what is preloaded there before it; "
                   "preload fewer models",
                   model->name, preload->worker);
      return false;
    }
  bn_cache_add (&worker->cache, preload->model, model->size_bytes)->state = BN_ENTRY_RESIDENT;
  bn_published_preload (run->table, preload->worker, preload->model);
  tell_cache (run, BN_CACHE_PRELOADED, worker, preload->model, 0, 0, NULL, false);
  return true;
}
