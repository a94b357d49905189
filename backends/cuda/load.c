/* load.c: models into a worker's memory, and back.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cuda_private.h"
#include "panic.h"
#include "units.h"

/* A move of residency's under way: for its callback, which has one pointer. */
typedef struct Moving
{
  BnCudaLane *lane;
  BnCudaWorker *worker;
  BnCuResult result;
} Moving;

/* One piece of a move. Where the old and the new place overlap by too much for pieces of a
 * useful size, it goes by way of the bounce block. */
static BnCuResult
move_piece (const Moving *m, CUdeviceptr from, CUdeviceptr to, size_t bytes)
{
  const BnCudaDriver *driver = m->lane->gpu->driver;

  if (from - to >= bytes)
    return driver->memcpy_dtod_async (to, from, bytes, m->lane->stream);
  BnCuResult result = driver->memcpy_dtod_async (m->worker->bounce->at, from, bytes, m->lane->stream);
  if (result == BN_CU_OK)
    result = driver->memcpy_dtod_async (to, m->worker->bounce->at, bytes, m->lane->stream);
  return result;
}

/* BnCudaMove: pieces in rising order, so that none is written over before it is read. */
static bool
move_model (void *user, int64_t from, int64_t to, int64_t bytes)
{
  Moving *m = user;
  CUdeviceptr base = m->worker->models;

  for (int64_t at = 0; at < bytes && m->result == BN_CU_OK; at += BN_CUDA_CHUNK_BYTES)
    m->result = move_piece (m, base + (CUdeviceptr) (from + at), base + (CUdeviceptr) (to + at),
                            (size_t) MIN (bytes - at, BN_CUDA_CHUNK_BYTES));
  m->result = bn_cuda_lane_finish (m->lane, m->result);
  return m->result == BN_CU_OK;
}

static BnOpStatus
no_room (BnCudaWorker *worker, BnOp *op)
{
  uint32_t n_models = 0;
  g_autofree char *used = bn_format_size (bn_cuda_residency_used (worker->residency, &n_models));
  g_autofree char *size = bn_format_size (worker->cuda->catalogue->models[op->model].size_bytes);
  g_autofree char *capacity = bn_format_size (bn_platform_gpu (worker->cuda->platform, worker->number)->memory_bytes);

  op->reason = g_strdup_printf ("model %s of %s does not fit into worker %u: its %s hold %s in %u models",
                                worker->cuda->catalogue->models[op->model].name, size, worker->number, capacity, used,
                                n_models);
  return BN_OP_OUT_OF_MEMORY;
}

static BnOpStatus
load (BnCudaLane *lane, BnCudaWorker *worker, BnOp *op)
{
  const BnCuda *cuda = worker->cuda;
  uint32_t model = (uint32_t) op->model;
  const char *weights = (const char *) cuda->models->weights[model];
  int64_t bytes = cuda->catalogue->models[model].size_bytes, offset = 0;
  Moving moving = { .lane = lane, .worker = worker };

  switch (bn_cuda_residency_reserve (worker->residency, model, bytes, move_model, &moving, &offset))
    {
    case BN_CUDA_NO_ROOM:
      return no_room (worker, op);
    case BN_CUDA_MOVE_FAILED:
      return bn_cuda_gpu_blame (lane->gpu, moving.result, &op->reason, "moving models together");
    case BN_CUDA_RESERVED:
      break;
    }
  CUdeviceptr to = worker->models + (CUdeviceptr) offset;
  BnCuResult result = BN_CU_OK;
  for (int64_t at = 0; at < bytes && result == BN_CU_OK; at += BN_CUDA_CHUNK_BYTES)
    result = lane->gpu->driver->memcpy_htod_async (to + (CUdeviceptr) at, weights + at,
                                                   (size_t) MIN (bytes - at, BN_CUDA_CHUNK_BYTES), lane->stream);
  result = bn_cuda_lane_finish (lane, result);
  if (result == BN_CU_OK)
    {
      bn_cuda_residency_loaded (worker->residency, model);
      return BN_OP_OK;
    }
  bn_cuda_residency_drop (worker->residency, model);
  return bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "loading a model");
}

/* What is written back goes to the lane's staging, piece upon piece: it takes the link's time, and the
 * host has the weights already. */
static BnOpStatus
evict (BnCudaLane *lane, BnCudaWorker *worker, BnOp *op)
{
  uint32_t model = (uint32_t) op->model;
  int64_t bytes = worker->cuda->catalogue->models[model].size_bytes, offset = 0;
  void *staging = bn_cuda_lane_staging (lane, BN_CUDA_CHUNK_BYTES);
  BnCuResult result = BN_CU_OK;

  if (!bn_cuda_residency_pin (worker->residency, model, &offset))
    {
      op->reason = g_strdup_printf ("model %s is not on worker %u", worker->cuda->catalogue->models[model].name,
                                    worker->number);
      return BN_OP_FAILED;
    }
  CUdeviceptr from = worker->models + (CUdeviceptr) offset;
  if (!staging)
    result = BN_CU_OUT_OF_MEMORY;
  for (int64_t at = 0; at < bytes && result == BN_CU_OK; at += BN_CUDA_CHUNK_BYTES)
    result = lane->gpu->driver->memcpy_dtoh_async (staging, from + (CUdeviceptr) at,
                                                   (size_t) MIN (bytes - at, BN_CUDA_CHUNK_BYTES), lane->stream);
  result = bn_cuda_lane_finish (lane, result);
  bn_cuda_residency_unpin (worker->residency, model);
  if (result != BN_CU_OK)
    return bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "writing a model back");
  bn_cuda_residency_drop (worker->residency, model);
  return BN_OP_OK;
}

BnOpStatus
bn_cuda_work_load (BnCudaLane *lane, BnOp *op)
{
  BnCudaWorker *worker = lane->user;

  BN_ASSERT (op->kind == BN_OP_LOAD || op->kind == BN_OP_EVICT);
  lane->not_before_ns = bn_paced_end (&worker->cuda->settings, worker->cuda->cost, op);
  return op->kind == BN_OP_LOAD ? load (lane, worker, op) : evict (lane, worker, op);
}
