/* open.c: a run is put together from its configuration, and taken apart.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "run_internal.h"

static void
listen (Listeners *listeners, const BnProbe *probe, bool wanted)
{
  if (!wanted)
    return;
  listeners->probes = g_renew (const BnProbe *, listeners->probes, listeners->n + 1);
  listeners->probes[listeners->n++] = probe;
}

static void
subscribe (BnRun *run)
{
  for (uint32_t i = 0; i < run->config.n_probes; i++)
    {
      const BnProbe *p = &run->config.probes[i];
      listen (&run->on_job_created, p, p->job_created);
      listen (&run->on_job_arrived, p, p->job_arrived);
      listen (&run->on_decision_timed, p, p->decision_timed);
      listen (&run->on_task_decided, p, p->task_decided);
      listen (&run->on_transfer, p, p->transfer);
      listen (&run->on_task_enqueued, p, p->task_enqueued);
      listen (&run->on_task_started, p, p->task_started);
      listen (&run->on_task_executing, p, p->task_executing);
      listen (&run->on_task_finished, p, p->task_finished);
      listen (&run->on_cache_event, p, p->cache_event);
      listen (&run->on_task_stopped, p, p->task_stopped);
      listen (&run->on_op_failed, p, p->op_failed);
      listen (&run->on_woken, p, p->woken);
      listen (&run->on_job_ended, p, p->job_ended);
    }
}

static void
open_cluster (BnRun *run)
{
  const BnPlatform *platform = run->config.platform;
  const BnCatalogue *catalogue = run->config.catalogue;
  uint32_t max_slots = 1, max_tasks = 1;

  run->cost = bn_cost_new (platform, catalogue);
  run->workers = g_new (BnWorker, platform->n_workers);
  for (uint32_t w = 0; w < platform->n_workers; w++)
    {
      const BnGpuType *gpu = bn_platform_gpu (platform, w);
      bn_worker_init (&run->workers[w], w, gpu->slots, catalogue->n_models, gpu->memory_bytes);
      max_slots = MAX (max_slots, gpu->slots);
    }
  run->free_jobs = g_new0 (BnJob *, catalogue->n_workflows);
  run->runnable = g_new (uint8_t, catalogue->n_workflows);
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    {
      const BnWorkflow *wf = &catalogue->workflows[f];
      run->runnable[f] = true;
      max_tasks = MAX (max_tasks, wf->n_tasks);
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        if (wf->tasks[t].model != BN_NONE)
          {
            bool fits = false;
            for (uint32_t g = 0; g < platform->n_types; g++)
              fits = fits || run->cost->fits[(gsize) g * run->cost->n_models + (uint32_t) wf->tasks[t].model];
            run->runnable[f] = run->runnable[f] && fits;
          }
    }
  run->down = g_new0 (uint8_t, platform->n_workers);
  run->row_scratch = g_new (BnTime, max_slots);
  run->chosen_scratch = g_new (uint8_t, catalogue->n_models + 1);
  run->victim_scratch = g_new (uint32_t, catalogue->n_models + 1);
  run->spared_scratch = g_new (uint8_t, catalogue->n_models + 1);
  run->value_scratch = g_new (double, catalogue->n_models + 1);
  run->next_use_scratch = g_new (BnNextUse, catalogue->n_models + 1);
  run->ready_scratch = g_new (uint32_t, max_tasks);
  run->left_scratch = g_new (uint32_t, max_tasks);
  run->answer_at = g_new0 (uint32_t, max_tasks);
}

static void
open_scheduler (BnRun *run)
{
  const BnRunConfig *c = &run->config;

  run->classes = bn_queue_classes (run->order, &c->options.queue_settings, run->cost);
  BnSchedSetup setup = { .struct_size = sizeof setup,
                         .params = c->params,
                         .platform = c->platform,
                         .catalogue = c->catalogue,
                         .cost = run->cost,
                         .order = run->order,
                         .order_settings = &c->options.queue_settings,
                         .classes = &run->classes,
                         .overlap = c->options.overlap != BN_OVERLAP_OFF,
                         .user = c->scheduler_user,
                         .scheduler = c->scheduler,
                         .own_settings = c->own_settings };
  g_autofree char *stream = g_strconcat ("scheduler ", c->scheduler->name, NULL);
  bn_rng_init (&setup.rng, c->seed, stream);
  run->scheduler_state = g_malloc0 (c->scheduler->state_bytes ? c->scheduler->state_bytes : 1);
  run->traits = c->scheduler->init (run->scheduler_state, &setup);
  bool reads_loads = run->traits & BN_SCHED_READS_LOADS;
  if (c->options.redecide && !c->scheduler->forward)
    {
      bn_rng_init (&setup.rng, c->seed, "forward");
      run->forwarder = bn_ready_new_late (&setup);
      run->traits |= bn_ready_traits (run->forwarder);
    }
  if (c->scheduler->notice && run->traits & BN_SCHED_HEARS)
    run->notices = bn_event_queue_new ();
  run->tracks_loads = run->traits & BN_SCHED_READS_LOADS || c->options.steal;
  if (run->tracks_loads && !reads_loads)
    run->no_loads = g_new0 (int64_t, c->platform->n_workers);
  run->shows_queues = run->traits & (BN_SCHED_READS_QUEUES | BN_SCHED_READS_CLASSES);
  if (c->options.steal)
    run->steal_polls = g_new0 (BnEventHandle, c->platform->n_workers);
  run->observer_free_ns = g_new0 (BnTime, (gsize) c->platform->n_workers + 1);
  bn_run_init_host (run);
}

static void
see_the_truth (BnRun *run)
{
  run->config.options.load_spread.period_ns = 0;
  run->config.options.cache_spread.period_ns = 0;
  run->config.options.messages = BN_MESSAGES_FREE;
}

static bool
several_slots (const BnPlatform *platform)
{
  for (uint32_t g = 0; g < platform->n_types; g++)
    if (platform->types[g].slots > 1)
      return true;
  return false;
}

static void
open_table (BnRun *run)
{
  const BnRunConfig *c = &run->config;
  int64_t *bytes = g_new (int64_t, c->catalogue->n_models + 1);

  for (uint32_t m = 0; m < c->catalogue->n_models; m++)
    bytes[m] = c->catalogue->models[m].size_bytes;
  BnPublishedConfig config = {
    .n_workers = c->platform->n_workers,
    .n_models = c->catalogue->n_models,
    .model_bytes = bytes,
    .load_spread = c->options.load_spread,
    .cache_spread = c->options.cache_spread,
    .reserve = run->traits & BN_SCHED_READS_LOADS ? c->options.reserve : BN_RESERVE_OFF,
    .track_loads = run->tracks_loads,
    .track_caches = run->traits & BN_SCHED_READS_CACHES || bn_run_values_copies (c),
    .detail = run->traits & BN_SCHED_READS_QUEUES    ? BN_ROW_TASKS
              : run->traits & BN_SCHED_READS_CLASSES ? BN_ROW_CLASSES
                                                     : BN_ROW_SUM,
    .several_slots = several_slots (c->platform),
  };
  run->table = bn_published_new (&config);
  g_free (bytes);
}

static bool
open_backend (BnRun *run, GError **error)
{
  run->backend = run->config.backend ? run->config.backend : &bn_model_backend;
  if (!(run->backend->capabilities & BN_BACKEND_VIRTUAL_TIME))
    {
      run->wall = bn_wall_new (error);
      if (!run->wall)
        return false;
    }
  bn_run_init_sink (run);
  BnBackendSetup setup = { sizeof setup, run->config.platform, run->config.catalogue, run->cost,
                           run->config.options.contention == BN_CONTENTION_FIFO, &run->sink,
                           &run->config.backend_settings };
  run->config.backend_settings.seed = run->config.seed;
  if (run->config.options.decision_measured && !run->wall)
    run->lines = g_new0 (AskLine, (gsize) run->config.platform->n_workers + 1);
  run->backend_state = run->backend->open (&setup, error);
  return run->backend_state != NULL;
}

BnRun *
bn_run_new (const BnRunConfig *config, GError **error)
{
  BnArrivalsConfig arrivals_config = *config->arrivals;
  BnRun *run = g_new0 (BnRun, 1);

  run->config = *config;
  arrivals_config.seed = config->seed;
  arrivals_config.n_workers = config->platform->n_workers;
  run->panic = (BnPanicContext){ .seed = config->seed, .scheduler = config->scheduler->name,
                                 .repeat_command = config->repeat_command };
  run->order = &bn_queue_orders[config->options.queue_order];
  run->eviction = &bn_evictions[config->options.eviction];
  run->events = bn_event_queue_new ();
  bn_noise_open (&run->noise, &config->noise, config->catalogue->n_tasks, config->seed);
  bn_rng_init (&run->proactive_rng, config->seed, "proactive");
  subscribe (run);
  open_cluster (run);
  open_scheduler (run);
  run->totals.yardstick = config->options.clairvoyant || run->traits & BN_SCHED_YARDSTICK;
  if (run->totals.yardstick)
    see_the_truth (run);
  open_table (run);
  bn_run_open_values (run);
  if (open_backend (run, error))
    run->arrivals = bn_arrivals_new (&arrivals_config, config->catalogue, error);
  if (!run->arrivals)
    {
      bn_run_free (run);
      return NULL;
    }
  return run;
}

static void
free_probes (BnRun *run)
{
  Listeners *all[] = { &run->on_job_created,   &run->on_job_arrived,    &run->on_decision_timed,
                       &run->on_task_decided,  &run->on_transfer,       &run->on_task_enqueued,
                       &run->on_task_started,  &run->on_task_executing, &run->on_task_finished,
                       &run->on_cache_event,   &run->on_task_stopped,   &run->on_op_failed,
                       &run->on_woken,         &run->on_job_ended };

  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    g_free (all[i]->probes);
}

static void
free_pools (BnRun *run)
{
  for (BnOp *op = run->free_ops, *next; op; op = next)
    {
      next = op->next;
      g_free (op);
    }
  for (Load *load = run->free_loads, *next; load; load = next)
    {
      next = load->next_free;
      g_free (load->victims);
      g_free (load);
    }
  for (Ask *ask = run->free_asks, *next; ask; ask = next)
    {
      next = ask->next_free;
      g_free (ask->tasks);
      g_free (ask->answers);
      g_free (ask->reserved);
      g_free (ask);
    }
  for (Steal *steal = run->free_steals, *next; steal; steal = next)
    {
      next = steal->next_free;
      g_free (steal->resident);
      g_free (steal);
    }
  for (uint32_t f = 0; run->free_jobs && f < run->config.catalogue->n_workflows; f++)
    for (BnJob *job = run->free_jobs[f], *next; job; job = next)
      {
        next = job->live_next;
        g_free (job);
      }
}

/* Gives back what events of an interrupted run still hold. */
static void
free_pending (BnRun *run)
{
  BnEvent event;

  while (bn_event_queue_pop (run->events, &event))
    switch ((EventKind) event.kind)
      {
      case EVENT_OP_DONE:
      case EVENT_OP_STEP:
        {
          BnOp *op = event.object;
          if (op->owner)
            {
              Load *load = op->owner;
              load->next_free = run->free_loads;
              run->free_loads = load;
            }
          bn_run_free_op (run, op);
          break;
        }
      case EVENT_ASK:
      case EVENT_EFFECT:
        bn_run_drop_ask (run, event.object);
        break;
      case EVENT_PULL:
        bn_run_drop_pull (event.object);
        break;
      case EVENT_RESERVE:
        bn_run_drop_reservation (event.object);
        break;
      case EVENT_STEAL_REQUEST:
        bn_run_free_steal (run, event.object);
        break;
      case EVENT_RELEASE:
      case EVENT_STEAL_POLL:
      case EVENT_STEAL_GIVEN:
      case EVENT_PROACTIVE:
      case EVENT_CREATE:
      case EVENT_ARRIVE:
      case EVENT_DELIVER:
      case EVENT_ENQUEUE:
        break;
      }
  for (uint32_t i = 0; run->lines && i <= run->config.platform->n_workers; i++)
    for (Ask *ask = run->lines[i].first, *next; ask; ask = next)
      {
        next = ask->next_free;
        bn_run_drop_ask (run, ask);
      }
}

void
bn_run_free (BnRun *run)
{
  if (!run)
    return;
  if (run->abandoned)
    {
      /* threads of the backend may still work on its operations, and answer: all that they use stays */
      if (run->backend_state)
        run->backend->close (run->backend_state, true);
      return;
    }
  free_pending (run);
  bn_run_free_notices (run);
  for (BnJob *job = run->live_first, *next; job; job = next)
    {
      next = job->live_next;
      bn_run_cancel_requests (run, job);
      g_free (job);
    }
  if (run->scheduler_state && run->config.scheduler->fini)
    run->config.scheduler->fini (run->scheduler_state);
  g_free (run->scheduler_state);
  bn_ready_free (run->forwarder);
  g_free (run->pool);
  g_free (run->bound);
  g_free (run->steal_polls);
  g_free (run->order_scratch);
  if (run->backend_state)
    run->backend->close (run->backend_state, false);
  for (uint32_t w = 0; run->workers && w < run->config.platform->n_workers; w++)
    bn_worker_clear (&run->workers[w]);
  free_pools (run);
  free_probes (run);
  bn_published_free (run->table);
  bn_arrivals_free (run->arrivals);
  bn_noise_close (&run->noise);
  bn_event_queue_free (run->events);
  bn_cost_free (run->cost);
  g_clear_error (&run->error);
  g_free (run->workers);
  g_free (run->free_jobs);
  g_free (run->runnable);
  g_free (run->down);
  g_free (run->observer_free_ns);
  g_free (run->lines);
  g_free (run->no_loads);
  g_free (run->row_scratch);
  g_free (run->chosen_scratch);
  g_free (run->victim_scratch);
  g_free (run->spared_scratch);
  g_free (run->value_scratch);
  g_free (run->next_use_scratch);
  g_free (run->uses);
  g_free (run->ready_scratch);
  g_free (run->answer_at);
  g_free (run->left_scratch);
  bn_wall_free (run->wall);
  g_free (run);
}
