/* cuda.c: opening and closing the backend, and handing operations to lanes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cuda_backend.h"

#include <gio/gio.h>

#include "cuda_private.h"
#include "units.h"

static BnCudaDriver *
open_driver (char **reason)
{
  return bn_cuda_driver_open (NULL, bn_cuda_image.needs_version, reason);
}

static char *
cuda_unavailable (void)
{
  char *reason = NULL;

  bn_cuda_driver_close (open_driver (&reason));
  return reason;
}

static uint32_t
count_gpus (const BnCudaDriver *driver)
{
  int n = 0;

  return driver->device_get_count (&n) == BN_CU_OK && n > 0 ? (uint32_t) n : 0;
}

static uint32_t
cuda_devices (BnBackendDevice *ret, uint32_t n)
{
  g_autofree char *reason = NULL;
  BnCudaDriver *driver = open_driver (&reason);
  uint32_t n_gpus;

  if (!driver)
    return 0;
  n_gpus = count_gpus (driver);
  for (uint32_t i = 0; i < MIN (n, n_gpus); i++)
    {
      g_autoptr (GError) error = NULL;
      BnCudaGpu *gpu = bn_cuda_gpu_open (driver, i, NULL, &error);
      ret[i] = (BnBackendDevice){ .usable_bytes = 0 };
      if (!gpu)
        {
          g_strlcpy (ret[i].name, error->message, sizeof ret[i].name);
          continue;
        }
      g_strlcpy (ret[i].name, gpu->name, sizeof ret[i].name);
      ret[i].usable_bytes = MAX (bn_cuda_gpu_usable (gpu) - BN_CUDA_SLAB_BYTES - BN_CUDA_CHUNK_BYTES, 0);
      bn_cuda_gpu_close (gpu);
    }
  bn_cuda_driver_close (driver);
  return n_gpus;
}

/* ---- opening ---- */

static bool
open_gpus (BnCuda *cuda, GError **error)
{
  cuda->n_gpus = MIN (count_gpus (cuda->driver), cuda->platform->n_workers);
  cuda->gpus = g_new0 (BnCudaGpu *, cuda->n_gpus);
  for (uint32_t i = 0; i < cuda->n_gpus; i++)
    if (!(cuda->gpus[i] = bn_cuda_gpu_open (cuda->driver, i, &bn_cuda_image, error)))
      return false;
  for (uint32_t i = 0; i < cuda->n_gpus; i++)
    for (uint32_t k = 0; k < cuda->n_gpus; k++)
      if (i != k)
        bn_cuda_gpu_befriend (cuda->gpus[i], cuda->gpus[k]);
  return true;
}

/* Whether the GPU has what its workers ask for. */
static bool
check_memory (const BnCuda *cuda, const BnCudaGpu *gpu, GError **error)
{
  int64_t usable_bytes, models_bytes = 0, other_bytes = BN_CUDA_SLAB_BYTES;
  uint32_t n = 0;

  bn_cuda_gpu_enter (gpu);
  usable_bytes = bn_cuda_gpu_usable (gpu);
  for (uint32_t w = 0; w < cuda->platform->n_workers; w++)
    if (cuda->workers[w].gpu == gpu)
      {
        models_bytes += bn_cuda_residency_bytes (cuda->workers[w].residency);
        /* a block is a power of two, so at most twice what is asked */
        other_bytes += BN_CUDA_CHUNK_BYTES + 2 * cuda->workers[w].n_slots * bn_cuda_workspace_bytes (cuda);
        if (cuda->blas)
          other_bytes += cuda->workers[w].n_slots * BN_CUBLAS_WORKSPACE_BYTES;
        n++;
      }
  if (models_bytes + other_bytes <= usable_bytes)
    return true;
  g_autofree char *models = bn_format_size (models_bytes);
  g_autofree char *other = bn_format_size (other_bytes);
  g_autofree char *usable = bn_format_size (usable_bytes);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
               "GPU %u (%s): its %u workers ask for %s for models and %s to work with, and %s can be used; "
               "give workers less memory, or shrink all with --scale",
               gpu->number, gpu->name, n, models, other, usable);
  return false;
}

/* All weights, in host memory that is pinned where the driver lets it be. */
static bool
make_weights (BnCuda *cuda, GError **error)
{
  if (!bn_models_make_weights (cuda->models, error))
    return false;
  for (uint32_t m = 0; m < cuda->catalogue->n_models; m++)
    cuda->is_pinned[m] = bn_cuda_pin (cuda->driver, cuda->models->weights[m],
                                      cuda->catalogue->models[m].size_bytes);
  return true;
}

/* The store's release. */
static void
release_block (void *data, void *context G_GNUC_UNUSED)
{
  bn_cuda_block_give (data);
}

/* What needs no driver. */
static BnCuda *
new_state (const BnBackendSetup *setup)
{
  BnCuda *cuda = g_new0 (BnCuda, 1);
  uint32_t n_models = setup->catalogue->n_models;

  cuda->platform = setup->platform;
  cuda->catalogue = setup->catalogue;
  cuda->cost = setup->cost;
  bn_answers_init (&cuda->answers, setup->sink);
  cuda->settings = *setup->settings;
  cuda->store = bn_store_new (release_block, NULL);
  cuda->models = bn_models_new (setup->catalogue);
  cuda->is_pinned = g_new0 (bool, n_models);
  cuda->workers = g_new0 (BnCudaWorker, setup->platform->n_workers);
  for (uint32_t w = 0; w < setup->platform->n_workers; w++)
    bn_cuda_worker_init (&cuda->workers[w], cuda, w);
  return cuda;
}

static bool
open_all (BnCuda *cuda, GError **error)
{
  g_autofree char *reason = NULL;
  uint32_t n_workers = cuda->platform->n_workers;

  if (!(cuda->driver = open_driver (&reason)))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, reason);
      return false;
    }
  g_autoptr (GError) blas_error = NULL;
  cuda->blas = bn_cuda_blas_open (&blas_error);
  if (blas_error)
    {
      g_propagate_error (error, g_steal_pointer (&blas_error));
      return false;
    }
  if (!open_gpus (cuda, error))
    return false;
  for (uint32_t w = 0; w < n_workers; w++)
    cuda->workers[w].gpu = cuda->gpus[w % cuda->n_gpus];
  for (uint32_t i = 0; i < cuda->n_gpus; i++)
    if (!check_memory (cuda, cuda->gpus[i], error))
      return false;
  if (!make_weights (cuda, error))
    return false;
  for (uint32_t w = 0; w < n_workers; w++)
    if (!bn_cuda_worker_open (&cuda->workers[w], error))
      return false;
  for (uint32_t w = 0; w < n_workers; w++)
    if (!bn_cuda_worker_start (&cuda->workers[w], error))
      return false;
  return true;
}

/* ---- closing ---- */

/* An operation that hangs holds a thread, a stream and what they use: all that stays as it is. */
static void
abandon_workers (BnCuda *cuda)
{
  bn_answers_abandon (&cuda->answers);
  for (uint32_t w = 0; w < cuda->platform->n_workers; w++)
    bn_cuda_worker_leave (&cuda->workers[w]);
}

static void
cuda_close (void *state, bool abandon)
{
  BnCuda *cuda = state;

  if (abandon)
    {
      abandon_workers (cuda);
      return;
    }
  for (uint32_t w = 0; w < cuda->platform->n_workers; w++)
    bn_cuda_worker_close (&cuda->workers[w]);
  g_free (cuda->workers);
  bn_store_free (cuda->store);
  for (uint32_t m = 0; m < cuda->catalogue->n_models; m++)
    if (cuda->is_pinned[m])
      bn_cuda_unpin (cuda->driver, cuda->models->weights[m]);
  g_free (cuda->is_pinned);
  bn_models_free (cuda->models);
  for (uint32_t i = 0; i < cuda->n_gpus; i++)
    bn_cuda_gpu_close (cuda->gpus[i]);
  g_free (cuda->gpus);
  bn_cuda_blas_close (cuda->blas);
  bn_cuda_driver_close (cuda->driver);
  bn_answers_clear (&cuda->answers);
  g_free (cuda);
}

static void *
cuda_open (const BnBackendSetup *setup, GError **error)
{
  BnCuda *cuda = new_state (setup);

  if (open_all (cuda, error))
    return cuda;
  cuda_close (cuda, false);
  return NULL;
}

static char *
cuda_describe (void *state)
{
  const BnCuda *cuda = state;
  GString *text = g_string_new (NULL);
  uint32_t n_pageable = 0;

  for (uint32_t i = 0; i < cuda->n_gpus; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", cuda->gpus[i]->name);
  g_string_append_printf (text, "; CUDA %d.%d; matrices multiplied by %s", cuda->driver->version / 1000,
                          cuda->driver->version % 1000 / 10,
                          cuda->blas ? bn_cuda_blas_name (cuda->blas) : "own kernels");
  for (uint32_t m = 0; m < cuda->catalogue->n_models; m++)
    if (!cuda->is_pinned[m])
      n_pageable++;
  if (n_pageable > 0)
    g_string_append_printf (text, "; weights of %u of %u models could not be pinned, so they load more slowly",
                            n_pageable, cuda->catalogue->n_models);
  return g_string_free (text, FALSE);
}

/* ---- operations ---- */

/* scratch[0] of copies: when they began. */
static void
cuda_start_load (void *state, BnOp *op)
{
  BnCuda *cuda = state;

  op->scratch[0] = cuda->answers.sink->clock (cuda->answers.sink);
  bn_work_queue_push (cuda->workers[op->worker].loads, op);
}

static void
cuda_start_transfer (void *state, BnOp *op)
{
  BnCuda *cuda = state;

  op->scratch[0] = cuda->answers.sink->clock (cuda->answers.sink);
  bn_work_queue_push (cuda->workers[op->worker].transfers, op);
}

static void
cuda_start_run (void *state, BnOp *op)
{
  BnCuda *cuda = state;

  bn_work_queue_push (cuda->workers[op->worker].runs, op);
}

static void
cuda_drop (void *state, uint32_t worker, uint32_t model)
{
  BnCuda *cuda = state;

  bn_cuda_residency_drop (cuda->workers[worker].residency, model);
}

static void
cuda_job_over (void *state, const BnJob *job)
{
  BnCuda *cuda = state;

  bn_store_job_over (cuda->store, job->id);
}

static void
cuda_cancel (void *state, BnOp *op)
{
  BnCuda *cuda = state;
  BnCudaWorker *worker = &cuda->workers[op->worker];
  BnWorkQueue *queue = op->kind == BN_OP_RUN        ? worker->runs
                       : op->kind == BN_OP_TRANSFER ? worker->transfers
                                                    : worker->loads;

  if (bn_work_queue_remove (queue, op))
    bn_answer (&cuda->answers, op, BN_OP_CANCELLED, 0);
}

const BnBackend bn_cuda_module_backend = {
  .struct_size = sizeof (BnBackend),
  .name = "cuda",
  .summary = "NVIDIA GPUs: models are loaded into their memory and computed with",
  .capabilities = BN_BACKEND_WRITEBACK | BN_BACKEND_COMPUTES,
  .open = cuda_open,
  .close = cuda_close,
  .describe = cuda_describe,
  .start_load = cuda_start_load,
  .start_evict = cuda_start_load,
  .start_transfer = cuda_start_transfer,
  .start_run = cuda_start_run,
  .drop = cuda_drop,
  .job_over = cuda_job_over,
  .cancel = cuda_cancel,
  .unavailable = cuda_unavailable,
  .devices = cuda_devices,
};
