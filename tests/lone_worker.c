/* lone_worker.c: one worker and tasks for it, without a run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "lone_worker.h"

#include <check.h>
#include <ctype.h>

LoneWorker *
lone_worker_new (uint32_t n_slots, int64_t memory_bytes)
{
  LoneWorker *f = g_new0 (LoneWorker, 1);
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  /* a byte takes a ms over PCIe */
  BnServerGroup group = { 1, 1,
                          { .name = "gpu", .group = "gpu", .memory_bytes = memory_bytes, .speed_ppm = BN_PPM_ONE,
                            .pcie_bytes_per_s = 1000, .slots = n_slots } };
  BnNetwork network = bn_network_default ();

  for (char name[] = "A"; name[0] < 'A' + N_MODELS; name[0]++)
    bn_catalogue_builder_add_model (b, name, MODEL_BYTES);
  bn_catalogue_builder_add_workflow (b, "tasks");
  for (uint32_t t = 0; t < N_TASKS; t++)
    bn_catalogue_builder_add_task (b, t % 9 == 8 ? BN_NONE : (int32_t) (t % 9), 0, 0, t * MS, NULL, 0);
  f->catalogue = bn_catalogue_builder_finish (b, NULL);
  f->platform = bn_platform_new (&group, 1, &network);
  f->cost = bn_cost_new (f->platform, f->catalogue);
  f->job = g_malloc0 (sizeof (BnJob) + N_TASKS * sizeof (BnTask));
  f->job->workflow = &f->catalogue->workflows[0];
  f->job->lower_bound_ns = 10 * MS;
  for (uint32_t t = 0; t < N_TASKS; t++)
    {
      BnTask *task = &f->job->tasks[t];
      task->job = f->job;
      task->node.task = task;
      task->worker = 0;
      task->state = BN_TASK_WAITING;
      task->estimate_ns = t * MS;
    }
  bn_worker_init (&f->worker, 0, n_slots, N_MODELS, memory_bytes);
  return f;
}

void
lone_worker_free (LoneWorker *f)
{
  bn_worker_clear (&f->worker);
  g_free (f->job);
  bn_cost_free (f->cost);
  bn_platform_free (f->platform);
  bn_catalogue_free (f->catalogue);
  g_free (f);
}

/* The first task that needs the model and is not in the queue. */
static BnTask *
idle_task (LoneWorker *f, char letter)
{
  uint32_t t = letter == '-' ? 8 : (uint32_t) (letter - 'A');

  while (f->job->tasks[t].state == BN_TASK_QUEUED)
    t += 9;
  ck_assert_uint_lt (t, N_TASKS);
  return &f->job->tasks[t];
}

BnTask *
lone_worker_enqueue (LoneWorker *f, BnTask *task, bool at_head)
{
  task->state = BN_TASK_QUEUED;
  bn_worker_enqueue (&f->worker, task, at_head);
  return task;
}

BnQueueNode *
lone_worker_reserve (LoneWorker *f)
{
  BnQueueNode *node = &f->reservations[f->n_reservations++];

  node->request = (struct BnRequest *) &f->request;
  bn_queue_append (&f->worker.queue, node);
  return node;
}

void
lone_worker_set_queue (LoneWorker *f, const char *word)
{
  for (; *word; word++)
    if (*word == '?')
      lone_worker_reserve (f);
    else
      lone_worker_enqueue (f, idle_task (f, *word), false);
}

void
lone_worker_set_cache (LoneWorker *f, const char *word)
{
  for (; *word; word++)
    if (*word == '*')
      f->worker.cache.entries[f->worker.cache.n_entries - 1].n_pins++;
    else
      {
        BnCacheEntry *entry = bn_cache_add (&f->worker.cache, (uint32_t) (toupper (*word) - 'A'), MODEL_BYTES);
        entry->state = isupper (*word) ? BN_ENTRY_RESIDENT : BN_ENTRY_LOADING;
      }
}
