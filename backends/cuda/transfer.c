/* transfer.c: inputs and outputs from where they are to where they are needed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "cuda_private.h"

BnOpStatus
bn_cuda_make_client_input (BnCuda *cuda, BnCudaLane *lane, const BnJob *job, uint32_t task, uint32_t worker,
                           char **reason)
{
  int64_t bytes = bn_cuda_buffer_bytes (job->workflow->tasks[task].input_bytes);
  BnNnBuffer buffer = { .data = bn_cuda_lane_staging (lane, bytes), .bytes = job->workflow->tasks[task].input_bytes };
  BnCuResult result = BN_CU_OUT_OF_MEMORY;

  if (!buffer.data)
    return bn_cuda_gpu_blame (lane->gpu, result, reason, "host memory for what a client sends");
  BnCudaBlock *block = bn_cuda_gpu_take (lane->gpu, bytes, &result);
  if (!block)
    return bn_cuda_gpu_blame (lane->gpu, result, reason, "memory for what a client sends");
  bn_nn_client_input (cuda->settings.seed, job->id, task, &buffer);
  result = lane->gpu->driver->memcpy_htod_async (block->at, buffer.data, (size_t) bytes, lane->stream);
  result = bn_cuda_lane_finish (lane, result);
  if (result != BN_CU_OK)
    {
      bn_cuda_block_give (block);
      return bn_cuda_gpu_blame (lane->gpu, result, reason, "copying what a client sends");
    }
  bn_store_let_go (cuda->store,
                   bn_store_put (cuda->store, (BnDatum){ job->id, task, true }, worker, block, buffer.bytes));
  return BN_OP_OK;
}

/* An error of a copy between two GPUs: whose it is, their streams know. */
static BnOpStatus
blame_both (BnCudaLane *lane, BnCudaLane *source, BnCuResult result, BnOp *op)
{
  BnCuResult theirs = source->gpu->driver->stream_query (source->stream);

  if (source->gpu == lane->gpu || !bn_cuda_result_is_fatal (theirs))
    return bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "copying an input");
  bn_cuda_gpu_blame (source->gpu, theirs, &op->reason, "copying an input from here");
  BnCuResult ours = lane->gpu->driver->stream_query (lane->stream);
  if (!bn_cuda_result_is_fatal (ours))
    return BN_OP_FAILED;
  return bn_cuda_gpu_blame (lane->gpu, ours, &op->reason, "copying an input");
}

/* One more copy of what `source` is. */
static BnOpStatus
copy (BnCudaWorker *worker, BnCudaLane *lane, BnDatum datum, const BnStoredBuffer *source, BnOp *op)
{
  const BnCudaDriver *driver = lane->gpu->driver;
  const BnCudaBlock *from = source->data;
  int64_t bytes = bn_cuda_buffer_bytes (source->bytes);
  BnCuResult result;

  if (bn_cuda_gpu_is_lost (from->gpu, &op->reason))
    return from->gpu == lane->gpu ? BN_OP_DEVICE_LOST : BN_OP_FAILED;
  BnCudaBlock *block = bn_cuda_gpu_take (lane->gpu, bytes, &result);
  if (!block)
    return bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "memory for an input");
  if (from->gpu == lane->gpu)
    result = driver->memcpy_dtod_async (block->at, from->at, (size_t) bytes, lane->stream);
  else
    result = driver->memcpy_peer_async (block->at, lane->gpu->context, from->at, from->gpu->context, (size_t) bytes,
                                        lane->stream);
  result = bn_cuda_lane_finish (lane, result);
  if (result != BN_CU_OK)
    {
      bn_cuda_block_give (block);
      return blame_both (lane, &worker->cuda->workers[op->from_worker].transfer_lane, result, op);
    }
  bn_store_let_go (worker->cuda->store,
                   bn_store_put (worker->cuda->store, datum, worker->number, block, source->bytes));
  return BN_OP_OK;
}

BnOpStatus
bn_cuda_work_transfer (BnCudaLane *lane, BnOp *op)
{
  BnCudaWorker *worker = lane->user;
  const BnJob *job = op->task->job;
  uint32_t task = bn_task_number (op->task);
  bool is_client = op->pred == BN_NONE;
  BnDatum datum = { job->id, is_client ? task : (uint32_t) op->pred, is_client };
  BnStoredBuffer *source = NULL;
  BnOpStatus status;

  lane->not_before_ns = bn_paced_end (&worker->cuda->settings, worker->cuda->cost, op);
  if (op->from_worker != BN_NONE)
    source = bn_store_get (worker->cuda->store, datum, (uint32_t) op->from_worker);
  if (source)
    {
      status = copy (worker, lane, datum, source, op);
      bn_store_let_go (worker->cuda->store, source);
      return status;
    }
  /* what a client sent lies in the ingress's host memory until a task there has used it */
  if (is_client && (op->from_worker == BN_NONE || op->from_worker == job->ingress))
    return bn_cuda_make_client_input (worker->cuda, lane, job, task, worker->number, &op->reason);
  op->reason = g_strdup_printf ("%s of task %u of job %" PRId64 " is not on worker %d", is_client ? "input" : "output",
                                datum.task, job->id, op->from_worker);
  return BN_OP_FAILED;
}
