/* execute.c: slots, loads, evictions, executions.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A task that leaves the queue holds its slot from then on: first the victims of
 * its load leave, then the load, then it runs. A task whose model is being loaded
 * already waits for that load. A task whose load cannot be given room, because
 * the tasks of other slots pin what is there, stays at the head of the queue; the
 * next end of a task or load on this worker tries again.
 */
#include "run_internal.h"

void
bn_run_row_changed (BnRun *run, const BnWorker *worker)
{
  if (!run->tracks_loads)
    return;
  BnLoadRow row = bn_worker_row (worker, run->now, run->row_scratch);
  bn_published_set_load (run->table, worker->index, run->now, &row);
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
begin_run (BnRun *run, BnSlot *slot)
{
  BnTask *task = slot->task;
  BnOp *op = bn_run_new_op (run, BN_OP_RUN, (uint32_t) task->worker);

  slot->awaits_load = false;
  task->state = BN_TASK_RUNNING;
  task->exec_ns = run->now;
  task->fetch_ns = run->now - task->start_ns - task->evict_ns;
  TELL (run, task_executing, task, run->now);
  op->task = task;
  op->n_tasks = 1;
  op->model = bn_task_spec (task)->model;
  op->place_in_line = task->place_in_line;
  run->backend->start_run (run->backend_state, op);
}

static void
start_load_op (BnRun *run, Load *load)
{
  BnOp *op = bn_run_new_op (run, BN_OP_LOAD, load->worker);

  if (load->task)
    load->task->evict_ns = run->now - load->task->start_ns;
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
new_load (BnRun *run, const BnWorker *worker, uint32_t model, BnTask *task, uint32_t n_victims)
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
  load->task = task;
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

/* Makes room and begins the load of `model`, for `task` or as a prefetch. All
 * victims leave the published row together, now; so do their bytes, which the
 * load takes over at once. One that costs nothing to evict is gone at once. */
static void
begin_load (BnRun *run, BnWorker *worker, uint32_t model, BnTask *task, const uint32_t *victims, uint32_t n_victims)
{
  bool write_back = run->config.options.evict_cost == BN_EVICT_COST_WRITEBACK;
  uint32_t type = run->config.platform->workers[worker->index].type;
  Load *load = new_load (run, worker, model, task, write_back ? n_victims : 0);
  BnDuration expected_ns = bn_cost_load (run->cost, model, worker->index);

  load->n_victims = 0;
  load->leaving_bytes = 0;
  load->decided_ns = run->now;
  for (uint32_t i = 0; i < n_victims; i++)
    {
      BnDuration cost_ns = run->cost->evict_ns[(gsize) type * run->cost->n_models + victims[i]];
      int64_t bytes = run->config.catalogue->models[victims[i]].size_bytes;
      bn_cache_remove (&worker->cache, victims[i]);
      bn_published_set_cached (run->table, worker->index, victims[i], false, run->now);
      if (task)
        task->evict_bytes += bytes;
      if (!write_back || cost_ns == 0)
        tell_cache (run, BN_CACHE_EVICTED, worker, victims[i], run->now, run->now, task, !task);
      else
        {
          load->victims[load->n_victims++] = victims[i];
          load->leaving_bytes += bytes;
          expected_ns += cost_ns;
        }
    }
  BnCacheEntry *entry = bn_cache_add (&worker->cache, model, run->config.catalogue->models[model].size_bytes);
  entry->expected_end_ns = bn_time_add (run->now, expected_ns);
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
  tell_cache (run, BN_CACHE_EVICTED, worker, (uint32_t) op->model, op->start_ns, load->decided_ns, load->task,
              !load->task);
  bn_run_free_op (run, op);
  if (load->next_victim < load->n_victims)
    start_evict_op (run, load);
  else
    start_load_op (run, load);
  if (surplus > 0)
    bn_run_dispatch (run, worker, false);
}

static BnSlot *
free_slot (BnWorker *worker)
{
  BnSlot *slot = worker->slots;

  while (slot->task)
    slot++;
  return slot;
}

/* Takes the task out of the queue and into a slot; false where its load cannot
 * be given room yet. */
static bool
start_task (BnRun *run, BnWorker *worker, BnTask *task)
{
  int32_t model = bn_task_spec (task)->model;
  BnCacheEntry *entry = model == BN_NONE ? NULL : bn_cache_find (&worker->cache, (uint32_t) model);
  bool miss = model != BN_NONE && !entry;
  int32_t n_victims = 0;

  if (miss)
    {
      n_victims = bn_worker_choose_victims (worker, run->eviction,
                                            run->config.catalogue->models[model].size_bytes,
                                            run->chosen_scratch, run->victim_scratch);
      if (n_victims == BN_NONE)
        return false;
    }
  bn_run_unqueue (run, task);
  BnSlot *slot = free_slot (worker);
  worker->n_busy++;
  task->job->n_active++;
  task->job->n_refs++;
  *slot = (BnSlot){ .task = task };
  task->state = BN_TASK_STARTING;
  task->start_ns = run->now;
  task->place_in_line = bn_event_queue_take_place (run->events);
  task->access = model == BN_NONE ? BN_ACCESS_NONE
                 : miss           ? BN_ACCESS_MISS
                 : entry->state == BN_ENTRY_RESIDENT ? BN_ACCESS_HIT
                                                     : BN_ACCESS_JOINED;
  if (miss)
    task->fetch_bytes = run->config.catalogue->models[model].size_bytes;
  TELL (run, task_started, task, run->now);
  if (miss)
    {
      begin_load (run, worker, (uint32_t) model, task, run->victim_scratch, (uint32_t) n_victims);
      entry = bn_cache_find (&worker->cache, (uint32_t) model);
    }
  BnTime ready_ns = run->now;
  if (entry)
    {
      entry->n_pins++;
      entry->last_used_ns = run->now;
      slot->awaits_load = entry->state == BN_ENTRY_LOADING;
      if (slot->awaits_load)
        ready_ns = bn_time_max (run->now, entry->expected_end_ns);
    }
  slot->expected_end_ns = bn_time_add (ready_ns, task->estimate_ns);
  if (!slot->awaits_load)
    begin_run (run, slot);
  return true;
}

/* Loads the model of the task that goes next while others run, if memory allows.
 * That task is the first of the queue's order, so no earlier one is robbed. */
static void
prefetch_next (BnRun *run, BnWorker *worker)
{
  if (worker->prefetching || worker->n_busy == 0 || worker->queue.length == 0)
    return;
  BnQueueNode *node = bn_worker_next (worker, run->order, &run->config.options.queue_settings, run->cost, run->now);
  int32_t model = node && node->task ? bn_task_spec (node->task)->model : BN_NONE;
  if (model == BN_NONE || bn_cache_find (&worker->cache, (uint32_t) model))
    return;
  int32_t n_victims = bn_worker_choose_victims (worker, run->eviction,
                                                run->config.catalogue->models[model].size_bytes,
                                                run->chosen_scratch, run->victim_scratch);
  if (n_victims == BN_NONE)
    return;
  worker->prefetching = true;
  begin_load (run, worker, (uint32_t) model, NULL, run->victim_scratch, (uint32_t) n_victims);
}

void
bn_run_dispatch (BnRun *run, BnWorker *worker, bool changed)
{
  while (bn_worker_has_free_slot (worker))
    {
      BnQueueNode *node = bn_worker_next (worker, run->order, &run->config.options.queue_settings, run->cost,
                                          run->now);
      if (!node)
        break;
      if (node->request)
        bn_run_start_pull (run, worker, node);
      else if (!start_task (run, worker, node->task))
        break;
      else
        changed = true;
    }
  if (changed)
    bn_run_row_changed (run, worker);
  if (run->config.options.prefetch == BN_PREFETCH_NEXT)
    prefetch_next (run, worker);
  if (run->steal_polls)
    bn_run_idle_changed (run, worker);
}

void
bn_run_load_done (BnRun *run, BnOp *op)
{
  Load *load = op->owner;
  BnWorker *worker = &run->workers[load->worker];
  BnCacheEntry *entry = bn_cache_find (&worker->cache, load->model);

  entry->state = BN_ENTRY_RESIDENT;
  bn_published_set_cached (run->table, load->worker, load->model, true, run->now);
  tell_cache (run, BN_CACHE_LOADED, worker, load->model, load->start_ns, 0, load->task, !load->task);
  bool late = run->now != entry->expected_end_ns;
  if (!load->task)
    worker->prefetching = false;
  for (uint32_t s = 0; s < worker->n_slots; s++)
    {
      BnSlot *slot = &worker->slots[s];
      if (!slot->task || !slot->awaits_load || bn_task_spec (slot->task)->model != (int32_t) load->model)
        continue;
      slot->expected_end_ns = bn_time_add (run->now, slot->task->estimate_ns);
      begin_run (run, slot);
    }
  load->next_free = run->free_loads;
  run->free_loads = load;
  bn_run_free_op (run, op);
  bn_run_dispatch (run, worker, late);
}

/* Whether the scheduler is asked again about a planned task that is ready. */
static bool
wants_to_adjust (const BnRun *run, const BnTask *task)
{
  uint32_t wanted = bn_task_spec (task)->n_preds > 1 ? BN_SCHED_ADJUSTS_JOINS : BN_SCHED_ADJUSTS;

  return run->traits & wanted && run->config.scheduler->place;
}

/* The output of a task goes to its successors, each in turn: those that are
 * ready may be moved first, those that are open are placed. */
static void
hand_over (BnRun *run, BnTask *task, uint32_t worker)
{
  BnJob *job = task->job;
  uint32_t ended = bn_task_number (task), n_open = 0;
  const BnTaskSpec *spec = bn_task_spec (task);

  for (uint32_t i = 0; i < spec->n_succs && job->state == BN_JOB_LIVE; i++)
    {
      uint32_t s = spec->succs[i];
      BnTask *next = &job->tasks[s];
      next->n_waiting--;
      if (next->worker != BN_NONE)
        {
          if (next->n_waiting == 0 && wants_to_adjust (run, next))
            bn_run_ask_place (run, job, &s, 1, worker, (int32_t) ended);
          else
            bn_run_send_input (run, next, ended);
        }
      else if (next->n_waiting == 0)
        {
          if (run->traits & BN_SCHED_POOLS)
            bn_run_pool (run, next);
          else if (run->traits & BN_SCHED_RESERVES)
            run->ready_scratch[n_open++] = s;
          else
            bn_run_ask_place (run, job, &s, 1, worker, BN_NONE);
        }
    }
  if (n_open > 0 && job->state == BN_JOB_LIVE)
    bn_run_ask_place (run, job, run->ready_scratch, n_open, worker, BN_NONE);
}

void
bn_run_task_ended (BnRun *run, BnOp *op)
{
  BnTask *task = op->task;
  BnJob *job = task->job;
  BnWorker *worker = &run->workers[op->worker];
  BnSlot *slot = worker->slots;

  bn_run_free_op (run, op);
  while (slot->task != task)
    slot++;
  *slot = (BnSlot){ 0 };
  worker->n_busy--;
  if (bn_task_spec (task)->model != BN_NONE)
    bn_cache_find (&worker->cache, (uint32_t) bn_task_spec (task)->model)->n_pins--;
  task->state = BN_TASK_DONE;
  task->end_ns = run->now;
  job->n_done++;
  job->n_active--;
  run->totals.n_tasks_done++;
  TELL (run, task_finished, task, run->now);
  bn_run_row_changed (run, worker);

  if (job->state == BN_JOB_LIVE)
    hand_over (run, task, worker->index);
  if (job->state == BN_JOB_LIVE && job->n_done == job->workflow->n_tasks)
    bn_run_finish_job (run, job, BN_JOB_DONE);
  else if (job->state != BN_JOB_LIVE && job->n_active == 0 && job->end_ns == BN_TIME_NEVER)
    bn_run_finish_job (run, job, (BnJobState) job->state);
  bn_run_unref_job (run, job);

  bn_run_dispatch (run, worker, false);
  if (run->traits & BN_SCHED_POOLS)
    bn_run_review (run);
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
