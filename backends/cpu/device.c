/* device.c: models in a device's memory: loaded, evicted, moved, lent to executors.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cpu.h"
#include "host_memory.h"
#include "panic.h"
#include "units.h"

static uint32_t
n_models (const BnCpuDevice *device)
{
  return device->cpu->models->catalogue->n_models;
}

bool
bn_cpu_device_init (BnCpuDevice *device, BnCpu *cpu, uint32_t worker)
{
  const BnGpuType *gpu = bn_platform_gpu (cpu->platform, worker);

  device->cpu = cpu;
  device->worker = worker;
  device->link_work = bn_work_queue_new ();
  device->run_work = bn_work_queue_new ();
  device->n_executors = gpu->slots;
  device->executors = g_new0 (BnCpuExecutor, gpu->slots);
  device->arena = bn_arena_new (gpu->memory_bytes, BN_CPU_ALIGNMENT, n_models (device));
  device->moves = g_new (BnArenaMove, n_models (device));
  device->physical_bytes = bn_arena_physical_bytes (gpu->memory_bytes, BN_CPU_ALIGNMENT, n_models (device));
  device->memory = bn_host_alloc (device->physical_bytes);
  device->written_back = bn_host_alloc (cpu->written_back_bytes);
  pthread_mutex_init (&device->mutex, NULL);
  pthread_cond_init (&device->changed, NULL);
  device->residents = g_new0 (BnCpuResident, n_models (device));
  bool enough = device->memory && device->written_back;
  for (uint32_t i = 0; i < gpu->slots; i++)
    {
      device->executors[i].device = device;
      device->executors[i].workspace = bn_host_alloc (cpu->models->workspace_floats * (int64_t) sizeof (float));
      enough = enough && device->executors[i].workspace;
    }
  return enough;
}

void
bn_cpu_device_clear (BnCpuDevice *device)
{
  for (uint32_t i = 0; i < device->n_executors; i++)
    bn_host_free (device->executors[i].workspace,
                  device->cpu->models->workspace_floats * (int64_t) sizeof (float));
  g_free (device->residents);
  pthread_cond_destroy (&device->changed);
  pthread_mutex_destroy (&device->mutex);
  bn_host_free (device->written_back, device->cpu->written_back_bytes);
  bn_host_free (device->memory, device->physical_bytes);
  g_free (device->moves);
  bn_arena_free (device->arena);
  g_free (device->executors);
  bn_work_queue_free (device->run_work);
  bn_work_queue_free (device->link_work);
}

const float *
bn_cpu_acquire (BnCpuDevice *device, uint32_t model)
{
  BnCpuResident *resident = &device->residents[model];
  const float *weights = NULL;

  pthread_mutex_lock (&device->mutex);
  while (resident->moving)
    pthread_cond_wait (&device->changed, &device->mutex);
  if (resident->usable)
    {
      resident->n_users++;
      weights = (const float *) (device->memory + resident->offset);
    }
  pthread_mutex_unlock (&device->mutex);
  return weights;
}

void
bn_cpu_release (BnCpuDevice *device, uint32_t model)
{
  pthread_mutex_lock (&device->mutex);
  if (--device->residents[model].n_users == 0)
    pthread_cond_broadcast (&device->changed);
  pthread_mutex_unlock (&device->mutex);
}

void
bn_cpu_withdraw (BnCpuDevice *device, uint32_t model, bool dropped)
{
  pthread_mutex_lock (&device->mutex);
  BN_ASSERT (device->residents[model].n_users == 0);
  device->residents[model].usable = false;
  device->residents[model].dropped = dropped;
  pthread_mutex_unlock (&device->mutex);
}

/* Before anything is loaded, so that loads find the room that drops before them have made. */
static void
free_dropped (BnCpuDevice *device)
{
  for (uint32_t model = 0; model < n_models (device); model++)
    {
      pthread_mutex_lock (&device->mutex);
      bool dropped = device->residents[model].dropped;
      device->residents[model].dropped = false;
      pthread_mutex_unlock (&device->mutex);
      if (dropped && bn_arena_offset (device->arena, model) >= 0)
        bn_arena_take_out (device->arena, model);
    }
}

/* With the mutex held. */
static bool
is_movable (uint32_t model, void *context)
{
  const BnCpuDevice *device = context;

  return device->residents[model].n_users == 0;
}

/* Moves one model, unless somebody uses it by now. Returns: whether it did. */
static bool
move_model (BnCpuDevice *device, const BnArenaMove *move)
{
  BnCpuResident *resident = &device->residents[move->block];

  pthread_mutex_lock (&device->mutex);
  bool unused = resident->n_users == 0;
  if (unused)
    resident->moving = true;
  pthread_mutex_unlock (&device->mutex);
  if (!unused)
    return false;
  memmove (device->memory + move->to, device->memory + move->from, (size_t) move->bytes);
  bn_arena_move (device->arena, move);
  pthread_mutex_lock (&device->mutex);
  resident->offset = move->to;
  resident->moving = false;
  pthread_cond_broadcast (&device->changed);
  pthread_mutex_unlock (&device->mutex);
  return true;
}

/* Moves models until there is a hole of so many bytes. What executors use stays where it is; where
 * that is in the way of every hole, it waits for one of them, and plans anew. */
static void
make_hole (BnCpuDevice *device, int64_t bytes)
{
  for (bool done = false; !done;)
    {
      uint32_t n;

      pthread_mutex_lock (&device->mutex);
      while ((n = bn_arena_plan (device->arena, bytes, is_movable, device, device->moves)) == 0)
        pthread_cond_wait (&device->changed, &device->mutex);
      pthread_mutex_unlock (&device->mutex);
      done = true;
      for (uint32_t i = 0; i < n && done; i++)
        done = move_model (device, &device->moves[i]);
    }
}

static char *
out_of_memory_reason (const BnCpuDevice *device, const BnModel *model)
{
  g_autofree char *size = bn_format_size (model->size_bytes);
  g_autofree char *room = bn_format_size (bn_arena_free_bytes (device->arena));
  g_autofree char *capacity = bn_format_size (bn_platform_gpu (device->cpu->platform, device->worker)->memory_bytes);

  return g_strdup_printf ("model %s needs %s, and of the %s of worker %u %s are free", model->name, size, capacity,
                          device->worker, room);
}

static BnOpStatus
load (BnCpuDevice *device, BnOp *op)
{
  uint32_t m = (uint32_t) op->model;
  const BnModel *model = &device->cpu->models->catalogue->models[m];
  int64_t offset;

  free_dropped (device);
  if (bn_arena_offset (device->arena, m) >= 0)
    {
      op->reason = g_strdup_printf ("model %s is on worker %u already", model->name, device->worker);
      return BN_OP_FAILED;
    }
  BnArenaResult result = bn_arena_put (device->arena, m, model->size_bytes, &offset);
  if (result == BN_ARENA_FULL)
    {
      op->reason = out_of_memory_reason (device, model);
      return BN_OP_OUT_OF_MEMORY;
    }
  if (result == BN_ARENA_FRAGMENTED)
    {
      make_hole (device, model->size_bytes);
      result = bn_arena_put (device->arena, m, model->size_bytes, &offset);
      BN_ASSERT (result == BN_ARENA_OK);
    }
  memcpy (device->memory + offset, device->cpu->models->weights[m], (size_t) model->size_bytes);
  pthread_mutex_lock (&device->mutex);
  device->residents[m].offset = offset;
  device->residents[m].usable = true;
  pthread_mutex_unlock (&device->mutex);
  return BN_OP_OK;
}

/* What is written back is as large as what was loaded and goes where nobody reads it: weights never
 * change, but what leaves a device is copied to its host. */
static BnOpStatus
evict (BnCpuDevice *device, BnOp *op)
{
  uint32_t m = (uint32_t) op->model;
  const BnModel *model = &device->cpu->models->catalogue->models[m];
  int64_t offset = bn_arena_offset (device->arena, m);

  if (offset < 0)
    {
      op->reason = g_strdup_printf ("model %s is not on worker %u", model->name, device->worker);
      return BN_OP_FAILED;
    }
  for (int64_t done = 0; done < model->size_bytes; done += device->cpu->written_back_bytes)
    memcpy (device->written_back, device->memory + offset + done,
            (size_t) MIN (device->cpu->written_back_bytes, model->size_bytes - done));
  bn_arena_take_out (device->arena, m);
  return BN_OP_OK;
}

gpointer
bn_cpu_link (gpointer data)
{
  BnCpuDevice *device = data;
  BnOp *op;

  bn_cpu_settle (device);
  while ((op = bn_work_queue_pop (device->link_work)))
    bn_cpu_answer_copy (device->cpu, op, op->kind == BN_OP_LOAD ? load (device, op) : evict (device, op));
  return NULL;
}
