/* cpu.c: the backend that executes tasks on threads of this machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cpu.h"

#include <gio/gio.h>

#include "address_space.h"
#include "host_memory.h"
#include "pace.h"
#include "thread.h"
#include "units.h"

#ifdef BN_HAVE_OPENBLAS
#define MULTIPLIES_WITH "OpenBLAS"
#else
#define MULTIPLIES_WITH "plain loops, as this build has no OpenBLAS"
#endif

void
bn_cpu_answer_copy (BnCpu *cpu, BnOp *op, BnOpStatus status)
{
  bn_answer (&cpu->answers, op, status, status == BN_OP_OK ? bn_paced_end (&cpu->settings, cpu->cost, op) : 0);
}

static void
release_buffer (void *data, void *context G_GNUC_UNUSED)
{
  g_free (data);
}

/* Of every worker: arena, where evicted models go, workspaces. */
static int64_t
device_bytes (const BnCpu *cpu)
{
  int64_t total = 0;

  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    {
      const BnGpuType *gpu = bn_platform_gpu (cpu->platform, w);
      total += bn_arena_physical_bytes (gpu->memory_bytes, BN_CPU_ALIGNMENT, cpu->models->catalogue->n_models)
               + cpu->written_back_bytes + gpu->slots * cpu->models->workspace_floats * (int64_t) sizeof (float);
    }
  return total;
}

/* Before any of it is taken: the kernel would grant it, and kill the program when it is used. */
static gboolean
check_memory (const BnCpu *cpu, GError **error)
{
  int64_t weights = cpu->models->weights_bytes, devices = device_bytes (cpu);
  int64_t available = bn_host_available_bytes ();

  if (weights + devices <= available)
    return TRUE;
  g_autofree char *needed = bn_format_size (weights + devices), *of_weights = bn_format_size (weights);
  g_autofree char *of_devices = bn_format_size (devices), *there = bn_format_size (available);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
               "backend cpu would need %s of memory, %s for the weights of all models and %s for the memories of %u "
               "workers, and %s are available; a smaller --scale makes models and memories smaller, and so do fewer "
               "servers",
               needed, of_weights, of_devices, cpu->platform->n_workers, there);
  return FALSE;
}

static void
cpu_free (BnCpu *cpu)
{
  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    if (cpu->devices[w].cpu)
      bn_cpu_device_clear (&cpu->devices[w]);
  bn_work_queue_free (cpu->transfers);
  bn_store_free (cpu->store);
  bn_models_free (cpu->models);
  bn_answers_clear (&cpu->answers);
  g_free (cpu->devices);
  g_free (cpu);
}

static gboolean
make_memories (BnCpu *cpu, GError **error)
{
  if (!check_memory (cpu, error) || !bn_models_make_weights (cpu->models, error))
    return FALSE;
  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    if (!bn_cpu_device_init (&cpu->devices[w], cpu, w))
      {
        g_autofree char *size = bn_format_size (bn_platform_gpu (cpu->platform, w)->memory_bytes);
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                     "there is no memory for worker %u (%s); a smaller --scale makes memories smaller", w, size);
        return FALSE;
      }
  return TRUE;
}

static gboolean
start_threads (BnCpu *cpu, GError **error)
{
  if (!(cpu->mover = bn_thread_start ("mover", bn_cpu_mover, cpu, error)))
    return FALSE;
  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    {
      BnCpuDevice *device = &cpu->devices[w];
      if (!(device->link = bn_thread_start ("link", bn_cpu_link, device, error)))
        return FALSE;
      for (uint32_t i = 0; i < device->n_executors; i++)
        {
          BnCpuExecutor *executor = &device->executors[i];
          if (!(executor->thread = bn_thread_start ("executor", bn_cpu_executor, executor, error)))
            return FALSE;
        }
    }
  return TRUE;
}

/* With threads and memories in place. What is verified is computed by as many threads as there are processors. */
static gboolean
check_address_space (const BnCpu *cpu, GError **error)
{
  uint32_t n_executors = 0;

  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    n_executors += cpu->devices[w].n_executors;
  return bn_address_space_check (n_executors + (cpu->settings.verify ? g_get_num_processors () : 0),
                                 1 + cpu->platform->n_workers + n_executors, error);
}

/* Nothing comes into the queues any more. */
static void
close_queues (BnCpu *cpu, bool discard)
{
  bn_work_queue_close (cpu->transfers, discard);
  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    {
      bn_work_queue_close (cpu->devices[w].link_work, discard);
      bn_work_queue_close (cpu->devices[w].run_work, discard);
    }
}

static void
join (GThread *thread)
{
  if (thread)
    g_thread_join (thread);
}

/* Those that were started, when they have worked off what is in their queues. */
static void
join_threads (BnCpu *cpu)
{
  join (cpu->mover);
  for (uint32_t w = 0; w < cpu->platform->n_workers; w++)
    {
      join (cpu->devices[w].link);
      for (uint32_t i = 0; i < cpu->devices[w].n_executors; i++)
        join (cpu->devices[w].executors[i].thread);
    }
}

static void *
cpu_open (const BnBackendSetup *setup, GError **error)
{
  BnCpu *cpu = g_new0 (BnCpu, 1);

  cpu->platform = setup->platform;
  cpu->cost = setup->cost;
  bn_answers_init (&cpu->answers, setup->sink);
  cpu->settings = *setup->settings;
  cpu->models = bn_models_new (setup->catalogue);
  for (uint32_t m = 0; m < setup->catalogue->n_models; m++)
    cpu->written_back_bytes = MAX (cpu->written_back_bytes, setup->catalogue->models[m].size_bytes);
  cpu->written_back_bytes = MIN (cpu->written_back_bytes, BN_CPU_WRITTEN_BACK_BYTES);
  cpu->store = bn_store_new (release_buffer, NULL);
  cpu->devices = g_new0 (BnCpuDevice, setup->platform->n_workers);
  cpu->transfers = bn_work_queue_new ();
  if (!make_memories (cpu, error))
    {
      cpu_free (cpu);
      return NULL;
    }
  bn_nn_set_blas_threads (cpu->settings.threads);
  if (start_threads (cpu, error) && check_address_space (cpu, error))
    return cpu;
  close_queues (cpu, false);
  join_threads (cpu);
  cpu_free (cpu);
  return NULL;
}

/* An abandoned backend begins nothing more and keeps everything, as a thread that hangs may still use it. */
static void
cpu_close (void *state, bool abandon)
{
  BnCpu *cpu = state;

  close_queues (cpu, abandon);
  if (abandon)
    {
      bn_answers_abandon (&cpu->answers);
      return;
    }
  join_threads (cpu);
  cpu_free (cpu);
}

static void
cpu_start_load (void *state, BnOp *op)
{
  BnCpu *cpu = state;

  op->scratch[0] = cpu->answers.sink->clock (cpu->answers.sink);
  bn_work_queue_push (cpu->devices[op->worker].link_work, op);
}

static void
cpu_start_evict (void *state, BnOp *op)
{
  BnCpu *cpu = state;

  op->scratch[0] = cpu->answers.sink->clock (cpu->answers.sink);
  bn_cpu_withdraw (&cpu->devices[op->worker], (uint32_t) op->model, false);
  bn_work_queue_push (cpu->devices[op->worker].link_work, op);
}

static void
cpu_start_transfer (void *state, BnOp *op)
{
  BnCpu *cpu = state;

  op->scratch[0] = cpu->answers.sink->clock (cpu->answers.sink);
  bn_work_queue_push (cpu->transfers, op);
}

static void
cpu_start_run (void *state, BnOp *op)
{
  BnCpu *cpu = state;

  bn_work_queue_push (cpu->devices[op->worker].run_work, op);
}

static void
cpu_drop (void *state, uint32_t worker, uint32_t model)
{
  BnCpu *cpu = state;

  bn_cpu_withdraw (&cpu->devices[worker], model, true);
}

static void
cpu_job_over (void *state, const BnJob *job)
{
  BnCpu *cpu = state;

  bn_store_job_over (cpu->store, job->id);
}

/* What no thread has begun yet is not begun. An eviction is: its model has left already. */
static void
cpu_cancel (void *state, BnOp *op)
{
  BnCpu *cpu = state;
  BnCpuDevice *device = &cpu->devices[op->worker];
  BnWorkQueue *queue = op->kind == BN_OP_TRANSFER ? cpu->transfers
                       : op->kind == BN_OP_RUN    ? device->run_work
                                                  : device->link_work;

  if (op->kind != BN_OP_EVICT && bn_work_queue_remove (queue, op))
    bn_answer (&cpu->answers, op, BN_OP_CANCELLED, 0);
}

/* One a processor, with an equal part of the memory that is there. */
static uint32_t
cpu_devices (BnBackendDevice *ret, uint32_t n)
{
  uint32_t n_processors = g_get_num_processors ();
  int64_t each = bn_host_available_bytes () / n_processors;

  for (uint32_t i = 0; i < n && i < n_processors; i++)
    {
      ret[i] = (BnBackendDevice) { .usable_bytes = each };
      g_snprintf (ret[i].name, sizeof ret[i].name, "processor %u of %u", i + 1, n_processors);
    }
  return n_processors;
}

const BnBackend bn_cpu_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "cpu",
  .summary = "real CPU threads: models are copied into bounded memory and computed with " MULTIPLIES_WITH,
  .capabilities = BN_BACKEND_WRITEBACK | BN_BACKEND_COMPUTES,
  .open = cpu_open,
  .close = cpu_close,
  .start_load = cpu_start_load,
  .start_evict = cpu_start_evict,
  .start_transfer = cpu_start_transfer,
  .start_run = cpu_start_run,
  .drop = cpu_drop,
  .job_over = cpu_job_over,
  .cancel = cpu_cancel,
  .devices = cpu_devices,
};
