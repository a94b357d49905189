/* verify.c: everything that must hold between two events; the dump of a run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The check walks the whole cluster: O(workers x models + live tasks) for each
 * event, for debugging and small tests only.
 */
#include <inttypes.h>

#include "run_internal.h"

/* How many jobs and workers a dump shows. */
#define DUMP_ROWS 20

static void
verify_task (const BnRun *run, const BnTask *task)
{
  const BnTaskSpec *spec = bn_task_spec (task);
  const BnJob *job = task->job;
  uint32_t waiting = 0;

  for (uint32_t i = 0; i < spec->n_preds; i++)
    waiting += job->tasks[spec->preds[i]].state != BN_TASK_DONE;
  if (job->state == BN_JOB_LIVE && task->state != BN_TASK_CANCELLED)
    BN_ASSERT (task->n_waiting == waiting);
  if (task->state >= BN_TASK_QUEUED && task->state != BN_TASK_CANCELLED)
    BN_ASSERT (waiting == 0 && task->n_missing == 0 && task->enqueue_ns >= job->create_ns
               && task->enqueue_ns <= run->now);
  if (task->state == BN_TASK_STARTING || task->state == BN_TASK_RUNNING)
    BN_ASSERT (task->start_ns >= task->enqueue_ns);
  if (task->state == BN_TASK_DONE)
    BN_ASSERT (task->exec_ns == task->start_ns + task->evict_ns + task->fetch_ns && task->end_ns >= task->exec_ns);
}

/* A worker on which nothing happens has nothing queued; where loads go beside tasks,
 * one at a time does, and no slot is held for one. */
static void
verify_worker (const BnRun *run, const BnWorker *worker)
{
  uint32_t n_loading = 0;

  if (worker->n_busy == 0 && worker->n_held == 0 && !worker->loads_beside)
    BN_ASSERT (worker->queue.length == 0);
  if (run->config.options.overlap == BN_OVERLAP_OFF)
    return;
  for (uint32_t i = 0; i < worker->cache.n_entries; i++)
    n_loading += worker->cache.entries[i].state == BN_ENTRY_LOADING;
  BN_ASSERT (n_loading == worker->loads_beside);
  for (uint32_t s = 0; s < worker->n_slots; s++)
    BN_ASSERT (!worker->slots[s].awaits_load);
}

void
bn_run_verify (const BnRun *run)
{
  uint32_t live = 0, queued = 0, in_queues = 0, active = 0, busy = 0;

  bn_event_queue_verify (run->events);
  for (uint32_t w = 0; w < run->config.platform->n_workers; w++)
    {
      bn_worker_verify (&run->workers[w], run->config.catalogue->n_models);
      busy += run->workers[w].n_busy;
      for (const BnQueueNode *node = run->workers[w].queue.first; node; node = node->next)
        in_queues += node->task != NULL;
      verify_worker (run, &run->workers[w]);
      if (run->traits & BN_SCHED_READS_CACHES || bn_run_values_copies (&run->config))
        for (uint32_t m = 0; m < run->config.catalogue->n_models; m++)
          BN_ASSERT (bn_published_true_holds (run->table, w, m) == bn_cache_resident (&run->workers[w].cache, m));
    }
  for (const BnJob *job = run->live_first; job; job = job->live_next, live++)
    {
      uint32_t done = 0;
      for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
        {
          const BnTask *task = &job->tasks[t];
          verify_task (run, task);
          done += task->state == BN_TASK_DONE;
          queued += task->state == BN_TASK_QUEUED;
          active += task->state == BN_TASK_STARTING || task->state == BN_TASK_RUNNING;
        }
      BN_ASSERT (done == job->n_done);
    }
  BN_ASSERT (live == run->n_live && queued == in_queues && active == busy);
  BN_ASSERT (run->totals.n_jobs == (int64_t) live + run->totals.n_done + run->totals.n_refused + run->totals.n_failed
                                     + run->totals.n_dropped);
}

static const char *
task_state_name (BnTaskState state)
{
  switch (state)
    {
    case BN_TASK_WAITING:
      return "waiting";
    case BN_TASK_TRAVELLING:
      return "travelling";
    case BN_TASK_QUEUED:
      return "queued";
    case BN_TASK_STARTING:
      return "starting";
    case BN_TASK_RUNNING:
      return "running";
    case BN_TASK_DONE:
      return "done";
    case BN_TASK_CANCELLED:
      return "cancelled";
    }
  return "?";
}

char *
bn_run_dump (const BnRun *run)
{
  GString *text = g_string_new (NULL);
  uint32_t shown = 0;

  g_string_append_printf (text, "at %" PRId64 " ns: %u live jobs, %u pending events\n", run->now, run->n_live,
                          bn_event_queue_length (run->events));
  for (const BnJob *job = run->live_first; job && shown < DUMP_ROWS; job = job->live_next, shown++)
    {
      g_string_append_printf (text, "job %" PRId64 " %s, created at %" PRId64 " ns:", job->id, job->workflow->name,
                              job->create_ns);
      for (uint32_t t = 0; t < job->workflow->n_tasks && t < DUMP_ROWS; t++)
        g_string_append_printf (text, " %s=%s@%d", job->workflow->tasks[t].label,
                                task_state_name (job->tasks[t].state), job->tasks[t].worker);
      g_string_append_c (text, '\n');
    }
  if (run->n_live > shown)
    g_string_append_printf (text, "… and %u more jobs\n", run->n_live - shown);
  shown = 0;
  for (uint32_t w = 0; w < run->config.platform->n_workers && shown < DUMP_ROWS; w++)
    {
      const BnWorker *worker = &run->workers[w];
      if (worker->queue.length == 0 && worker->n_busy == 0 && worker->n_held == 0)
        continue;
      shown++;
      g_string_append_printf (text, "worker %u: %u queued, %u busy and %u held of %u slots, %" PRId64 " of %" PRId64
                                    " bytes used:",
                              w, worker->queue.length, worker->n_busy, worker->n_held, worker->n_slots,
                              worker->cache.used_bytes, worker->cache.capacity_bytes);
      for (uint32_t i = 0; i < worker->cache.n_entries; i++)
        g_string_append_printf (text, " %s%s", run->config.catalogue->models[worker->cache.entries[i].model].name,
                                worker->cache.entries[i].state == BN_ENTRY_LOADING ? "(loading)" : "");
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
