/* worker.c: one worker's memory, streams and threads.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <gio/gio.h>

#include "cuda_private.h"

void
bn_cuda_worker_init (BnCudaWorker *worker, BnCuda *cuda, uint32_t number)
{
  const BnGpuType *type = bn_platform_gpu (cuda->platform, number);

  *worker = (BnCudaWorker){ .cuda = cuda, .number = number, .n_slots = type->slots };
  worker->residency = bn_cuda_residency_new (type->memory_bytes, cuda->catalogue->n_models);
  worker->run_lanes = g_new0 (BnCudaLane, type->slots);
  worker->loads = bn_work_queue_new ();
  worker->transfers = bn_work_queue_new ();
  worker->runs = bn_work_queue_new ();
}

static void
blame_open (BnCudaWorker *worker, BnCuResult result, const char *what, GError **error)
{
  g_autofree char *reason = NULL;

  bn_cuda_gpu_blame (worker->gpu, result, &reason, what);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "worker %u: %s", worker->number, reason);
}

static bool
open_run_lane (BnCudaWorker *worker, BnCudaLane *lane, GError **error)
{
  BnCuda *cuda = worker->cuda;
  BnCuResult result;

  if (!bn_cuda_lane_init (lane, worker->gpu, worker->runs, bn_cuda_work_run, worker, &cuda->answers, error))
    return false;
  lane->workspace = bn_cuda_gpu_take (worker->gpu, bn_cuda_workspace_bytes (cuda), &result);
  if (!lane->workspace)
    {
      blame_open (worker, result, "memory for a workspace", error);
      return false;
    }
  int status = cuda->blas ? bn_cuda_blas_new_handle (cuda->blas, lane->stream, &lane->blas) : 0;
  if (status != 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                 "worker %u: cuBLAS does not start on GPU %u (%s): its status %d; " BN_CUBLAS_VARIABLE
                 "=no does without",
                 worker->number, worker->gpu->number, worker->gpu->name, status);
  return status == 0;
}

bool
bn_cuda_worker_open (BnCudaWorker *worker, GError **error)
{
  BnCuda *cuda = worker->cuda;
  BnCuResult result = bn_cuda_gpu_enter (worker->gpu);

  if (result == BN_CU_OK)
    result = cuda->driver->mem_alloc (&worker->models, (size_t) bn_cuda_residency_bytes (worker->residency));
  if (result != BN_CU_OK)
    {
      worker->models = 0;
      blame_open (worker, result, "memory for models", error);
      return false;
    }
  worker->bounce = bn_cuda_gpu_take (worker->gpu, BN_CUDA_CHUNK_BYTES, &result);
  if (!worker->bounce)
    {
      blame_open (worker, result, "memory to move models by", error);
      return false;
    }
  if (!bn_cuda_lane_init (&worker->load_lane, worker->gpu, worker->loads, bn_cuda_work_load, worker,
                          &cuda->answers, error)
      || !bn_cuda_lane_init (&worker->transfer_lane, worker->gpu, worker->transfers, bn_cuda_work_transfer, worker,
                             &cuda->answers, error))
    return false;
  for (uint32_t slot = 0; slot < worker->n_slots; slot++)
    if (!open_run_lane (worker, &worker->run_lanes[slot], error))
      return false;
  return true;
}

bool
bn_cuda_worker_start (BnCudaWorker *worker, GError **error)
{
  if (!bn_cuda_lane_start (&worker->load_lane, "cuda-load", error)
      || !bn_cuda_lane_start (&worker->transfer_lane, "cuda-transfer", error))
    return false;
  for (uint32_t slot = 0; slot < worker->n_slots; slot++)
    if (!bn_cuda_lane_start (&worker->run_lanes[slot], "cuda-run", error))
      return false;
  return true;
}

static void
close_queues (BnCudaWorker *worker, bool discard)
{
  bn_work_queue_close (worker->loads, discard);
  bn_work_queue_close (worker->transfers, discard);
  bn_work_queue_close (worker->runs, discard);
}

void
bn_cuda_worker_leave (BnCudaWorker *worker)
{
  close_queues (worker, true);
  bn_cuda_lane_leave (&worker->load_lane);
  bn_cuda_lane_leave (&worker->transfer_lane);
  for (uint32_t slot = 0; slot < worker->n_slots; slot++)
    bn_cuda_lane_leave (&worker->run_lanes[slot]);
}

void
bn_cuda_worker_close (BnCudaWorker *worker)
{
  BnCuda *cuda = worker->cuda;

  close_queues (worker, false);
  if (worker->gpu)
    bn_cuda_gpu_enter (worker->gpu);
  bn_cuda_lane_clear (&worker->load_lane);
  bn_cuda_lane_clear (&worker->transfer_lane);
  for (uint32_t slot = 0; slot < worker->n_slots; slot++)
    {
      if (worker->run_lanes[slot].blas)
        bn_cuda_blas_free_handle (cuda->blas, worker->run_lanes[slot].blas);
      bn_cuda_lane_clear (&worker->run_lanes[slot]);
    }
  if (worker->models)
    cuda->driver->mem_free (worker->models);
  bn_cuda_block_give (worker->bounce);
  bn_cuda_residency_free (worker->residency);
  g_free (worker->run_lanes);
  bn_work_queue_free (worker->loads);
  bn_work_queue_free (worker->transfers);
  bn_work_queue_free (worker->runs);
}
