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
  LoneWorker *lone = g_new0 (LoneWorker, 1);
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
  lone->catalogue = bn_catalogue_builder_finish (b, NULL);
  lone->platform = bn_platform_new (&group, 1, &network);
  lone->cost = bn_cost_new (lone->platform, lone->catalogue);
  lone->job = g_malloc0 (sizeof (BnJob) + N_TASKS * sizeof (BnTask));
  lone->job->workflow = &lone->catalogue->workflows[0];
  lone->job->lower_bound_ns = 10 * MS;
  for (uint32_t t = 0; t < N_TASKS; t++)
    {
      BnTask *task = &lone->job->tasks[t];
      task->job = lone->job;
      task->node.task = task;
      task->worker = 0;
      task->state = BN_TASK_WAITING;
      task->estimate_ns = t * MS;
    }
  bn_worker_init (&lone->worker, 0, n_slots, N_MODELS, memory_bytes);
  return lone;
}

void
lone_worker_free (LoneWorker *lone)
{
  bn_worker_clear (&lone->worker);
  g_free (lone->job);
  bn_cost_free (lone->cost);
  bn_platform_free (lone->platform);
  bn_catalogue_free (lone->catalogue);
  g_free (lone);
}

/* The first task that needs the model and is not in the queue. */
static BnTask *
idle_task (LoneWorker *lone, char letter)
{
  uint32_t t = letter == '-' ? 8 : (uint32_t) (letter - 'A');

  while (lone->job->tasks[t].state == BN_TASK_QUEUED)
    t += 9;
  ck_assert_uint_lt (t, N_TASKS);
  return &lone->job->tasks[t];
}

BnTask *
lone_worker_enqueue (LoneWorker *lone, BnTask *task, bool at_head)
{
  task->state = BN_TASK_QUEUED;
  bn_worker_enqueue (&lone->worker, task, at_head);
  return task;
}

BnQueueNode *
lone_worker_reserve (LoneWorker *lone)
{
  BnQueueNode *node = &lone->reservations[lone->n_reservations++];

  node->request = (struct BnRequest *) &lone->request;
  bn_queue_append (&lone->worker.queue, node);
  return node;
}

void
lone_worker_set_queue (LoneWorker *lone, const char *word)
{
  for (; *word; word++)
    if (*word == '?')
      lone_worker_reserve (lone);
    else
      lone_worker_enqueue (lone, idle_task (lone, *word), false);
}

void
lone_worker_set_cache (LoneWorker *lone, const char *word)
{
  for (; *word; word++)
    if (*word == '*')
      lone->worker.cache.entries[lone->worker.cache.n_entries - 1].n_pins++;
    else
      {
        BnCacheEntry *entry = bn_cache_add (&lone->worker.cache, (uint32_t) (toupper (*word) - 'A'), MODEL_BYTES);
        entry->state = isupper (*word) ? BN_ENTRY_RESIDENT : BN_ENTRY_LOADING;
      }
}
