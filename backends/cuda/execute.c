/* execute.c: one task, from its inputs to its output.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "cuda_private.h"
#include "launch.h"
#include "panic.h"

/* The inputs of one task, found at its worker. */
typedef struct Inputs
{
  uint32_t n;
  BnStoredBuffer **buffers;  /* of BnCudaBlock */
} Inputs;

static void
release_inputs (BnCuda *cuda, Inputs *inputs)
{
  for (uint32_t i = 0; i < inputs->n; i++)
    if (inputs->buffers[i])
      bn_store_let_go (cuda->store, inputs->buffers[i]);
  g_free (inputs->buffers);
}

/* What the client sent is made here if this is the ingress and no one has made it yet. */
static BnOpStatus
find_client_input (BnCudaWorker *worker, BnCudaLane *lane, BnOp *op, BnStoredBuffer **ret)
{
  const BnJob *job = op->task->job;
  BnDatum datum = { job->id, bn_task_number (op->task), true };
  BnOpStatus status = BN_OP_OK;

  *ret = bn_store_get (worker->cuda->store, datum, worker->number);
  if (!*ret && job->ingress == (int32_t) worker->number)
    {
      status = bn_cuda_make_client_input (worker->cuda, lane, job, datum.task, worker->number, &op->reason);
      *ret = bn_store_get (worker->cuda->store, datum, worker->number);
    }
  return status;
}

/* Returns: FAILED with the reason if one is missing; what was found is to be released in any case. */
static BnOpStatus
find_inputs (BnCudaWorker *worker, BnCudaLane *lane, BnOp *op, Inputs *inputs)
{
  const BnTaskSpec *spec = bn_task_spec (op->task);
  const BnJob *job = op->task->job;

  inputs->n = MAX (spec->n_preds, 1);
  inputs->buffers = g_new0 (BnStoredBuffer *, inputs->n);
  if (spec->n_preds == 0)
    {
      BnOpStatus status = find_client_input (worker, lane, op, &inputs->buffers[0]);
      if (status != BN_OP_OK)
        return status;
    }
  for (uint32_t i = 0; i < spec->n_preds; i++)
    inputs->buffers[i] = bn_store_get (worker->cuda->store, (BnDatum){ job->id, spec->preds[i], false },
                                       worker->number);
  for (uint32_t i = 0; i < inputs->n; i++)
    if (!inputs->buffers[i])
      {
        op->reason = spec->n_preds == 0
                       ? g_strdup_printf ("task %u of job %" PRId64 " finds no client's input on worker %u",
                                          bn_task_number (op->task), job->id, worker->number)
                       : g_strdup_printf ("task %u of job %" PRId64 " finds no output of task %u on worker %u",
                                          bn_task_number (op->task), job->id, spec->preds[i], worker->number);
        return BN_OP_FAILED;
      }
  return BN_OP_OK;
}

/* Submits all of it. */
static BnOpStatus
submit (BnCudaWorker *worker, BnCudaLane *lane, const Inputs *inputs, CUdeviceptr weights, BnCudaBlock *output,
        BnOp *op)
{
  const BnTaskSpec *spec = bn_task_spec (op->task);
  const BnCuda *cuda = worker->cuda;
  const BnNet *net = bn_models_net (cuda->models, op->model);
  g_autofree BnCudaInput *spans = g_new (BnCudaInput, inputs->n);

  for (uint32_t i = 0; i < inputs->n; i++)
    {
      const BnCudaBlock *block = inputs->buffers[i]->data;
      spans[i] = (BnCudaInput){ block->at, bn_nn_buffer_floats (inputs->buffers[i]->bytes) };
    }
  BnOpStatus status = bn_cuda_launch_gather (lane, net, spans, inputs->n, &op->reason);
  if (status == BN_OP_OK)
    status = bn_cuda_launch_net (lane, cuda->blas, net, weights, bn_net_passes (net, spec->work_ns), &op->reason);
  if (status == BN_OP_OK)
    status = bn_cuda_launch_scatter (lane, net, output->at, bn_nn_buffer_floats (spec->output_bytes), &op->reason);
  return status;
}

/* The output's digest, by way of the host. */
static BnOpStatus
make_digest (BnCudaLane *lane, const BnCudaBlock *output, int64_t output_bytes, BnOp *op)
{
  int64_t bytes = bn_cuda_buffer_bytes (output_bytes);
  BnNnBuffer buffer = { .data = bn_cuda_lane_staging (lane, bytes), .bytes = output_bytes };
  BnCuResult result = BN_CU_OUT_OF_MEMORY;

  if (buffer.data)
    {
      result = lane->gpu->driver->memcpy_dtoh_async (buffer.data, output->at, (size_t) bytes, lane->stream);
      result = bn_cuda_lane_finish (lane, result);
    }
  if (result != BN_CU_OK)
    return bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "copying an output to verify it");
  bn_nn_digest (&buffer, op->digest);
  return BN_OP_OK;
}

/* With inputs, model and output in place. */
static BnOpStatus
execute (BnCudaWorker *worker, BnCudaLane *lane, const Inputs *inputs, CUdeviceptr weights, BnCudaBlock *output,
         BnOp *op)
{
  BnOpStatus status = submit (worker, lane, inputs, weights, output, op);
  BnCuResult result = bn_cuda_lane_finish (lane, BN_CU_OK);

  /* a kernel that faults is told of here, and takes the device with it */
  if (result != BN_CU_OK)
    status = bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "executing a task");
  if (status == BN_OP_OK && worker->cuda->settings.verify)
    status = make_digest (lane, output, bn_task_spec (op->task)->output_bytes, op);
  return status;
}

BnOpStatus
bn_cuda_work_run (BnCudaLane *lane, BnOp *op)
{
  BnCudaWorker *worker = lane->user;
  BnCuda *cuda = worker->cuda;
  int64_t bytes = bn_cuda_buffer_bytes (bn_task_spec (op->task)->output_bytes), offset = 0;
  CUdeviceptr weights = 0;
  Inputs inputs;

  BN_ASSERT (op->n_tasks == 1);
  if (op->model != BN_NONE)
    {
      if (!bn_cuda_residency_pin (worker->residency, (uint32_t) op->model, &offset))
        {
          op->reason = g_strdup_printf ("task %u of job %" PRId64 " finds model %s not loaded on worker %u",
                                        bn_task_number (op->task), op->task->job->id,
                                        cuda->catalogue->models[op->model].name, worker->number);
          return BN_OP_FAILED;
        }
      weights = worker->models + (CUdeviceptr) offset;
    }
  BnOpStatus status = find_inputs (worker, lane, op, &inputs);
  BnCudaBlock *output = NULL;
  if (status == BN_OP_OK)
    {
      BnCuResult result;
      output = bn_cuda_gpu_take (lane->gpu, bytes, &result);
      status = output ? execute (worker, lane, &inputs, weights, output, op)
                      : bn_cuda_gpu_blame (lane->gpu, result, &op->reason, "memory for an output");
    }
  if (status == BN_OP_OK)
    bn_store_let_go (cuda->store,
                     bn_store_put (cuda->store, (BnDatum){ op->task->job->id, bn_task_number (op->task), false },
                                   worker->number, output, bn_task_spec (op->task)->output_bytes));
  else
    bn_cuda_block_give (output);
  release_inputs (cuda, &inputs);
  if (op->model != BN_NONE)
    bn_cuda_residency_unpin (worker->residency, (uint32_t) op->model);
  return status;
}
