/* launch.c: grids and arguments of every kernel.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "launch.h"

#include "panic.h"

/* kernels.cu cannot include nn.h and has these by value. */
G_STATIC_ASSERT ((int) BN_KERNEL_MATMUL == (int) BN_NN_MATMUL && (int) BN_KERNEL_FOLD == (int) BN_NN_FOLD);
G_STATIC_ASSERT (BN_NN_LINEAR == 0 && BN_NN_RELU == 1 && BN_NN_TANH == 2 && BN_NN_GELU == 3);

/* What the product's kernel takes for granted. */
G_STATIC_ASSERT (BN_TILE_ROWS * BN_TILE_INNER == BN_BLOCK_THREADS && BN_TILE_COLS == 4 * BN_TILE_INNER
                 && BN_TILE_ROWS == BN_TILE_INNER);

/* Blocks of kernels that walk in strides: enough to fill the largest GPU several times. */
#define MOST_BLOCKS 4096

typedef struct Grid
{
  uint32_t x, y, threads;
} Grid;

static Grid
grid_of_elements (int64_t n)
{
  int64_t n_blocks = (n + BN_BLOCK_THREADS - 1) / BN_BLOCK_THREADS;

  return (Grid){ (uint32_t) CLAMP (n_blocks, 1, MOST_BLOCKS), 1, BN_BLOCK_THREADS };
}

static Grid
grid_of (const BnNnOp *op)
{
  int64_t elements = (int64_t) op->rows * op->cols;

  switch (op->kind)
    {
    case BN_NN_MATMUL:
      return (Grid){ (op->cols + BN_TILE_COLS - 1) / BN_TILE_COLS, (op->rows + BN_TILE_ROWS - 1) / BN_TILE_ROWS,
                     BN_BLOCK_THREADS };
    case BN_NN_NORM:
      return (Grid){ op->rows, 1, BN_ROW_THREADS };
    case BN_NN_ATTENTION:
      BN_ASSERT (op->rows <= BN_ATTENTION_ROWS);
      return (Grid){ op->rows, op->inner, BN_ROW_THREADS };
    case BN_NN_PATCHES:
      return grid_of_elements (9 * elements);
    case BN_NN_BIAS_ACT:
    case BN_NN_ADD:
    case BN_NN_LSTM_CELL:
    case BN_NN_FOLD:
      return grid_of_elements (elements);
    }
  BN_ASSERT (!"a known operation");
}

static BnOpStatus
launch (BnCudaLane *lane, BnKernel kernel, Grid grid, BnKernelArgs *args, char **reason)
{
  void *parameters[] = { args };
  BnCuResult result = lane->gpu->driver->launch_kernel (lane->gpu->kernels[kernel], grid.x, grid.y, 1, grid.threads, 1,
                                                        1, 0, lane->stream, parameters, NULL);

  return result == BN_CU_OK ? BN_OP_OK : bn_cuda_gpu_blame (lane->gpu, result, reason, "launching a kernel");
}

/* `at` floats behind base, as the kernels take it; NULL where at is -1. */
static float *
place (CUdeviceptr base, int64_t at)
{
  return at < 0 ? NULL : (float *) (uintptr_t) (base + (CUdeviceptr) at * sizeof (float));
}

static CUdeviceptr
address (const float *at)
{
  return (CUdeviceptr) (uintptr_t) at;
}

/* y = x w (+ z) by cuBLAS, which adds to y only. */
static BnOpStatus
multiply (BnCudaLane *lane, const BnCudaBlas *blas, const BnKernelArgs *a, char **reason)
{
  const BnCudaDriver *driver = lane->gpu->driver;

  if (a->z && a->z != a->y)
    {
      size_t bytes = (size_t) a->rows * a->cols * sizeof (float);
      BnCuResult result = driver->memcpy_dtod_async (address (a->y), address (a->z), bytes, lane->stream);
      if (result != BN_CU_OK)
        return bn_cuda_gpu_blame (lane->gpu, result, reason, "copying a matrix");
    }
  int status = bn_cuda_blas_multiply (blas, lane->blas, a->rows, a->cols, a->inner, address (a->x), address (a->w),
                                      a->z != NULL, address (a->y));
  if (status == 0)
    return BN_OP_OK;
  /* cuBLAS has error numbers of its own; what the driver says of the stream comes first */
  BnCuResult result = driver->stream_query (lane->stream);
  if (result != BN_CU_OK && result != BN_CU_NOT_READY)
    return bn_cuda_gpu_blame (lane->gpu, result, reason, "multiplying with cuBLAS");
  if (!*reason)
    *reason = g_strdup_printf ("multiplying with cuBLAS on GPU %u (%s): its status %d", lane->gpu->number,
                               lane->gpu->name, status);
  return BN_OP_FAILED;
}

/* Inputs of `total` floats -> args->y. */
static BnOpStatus
gather (BnCudaLane *lane, BnKernelArgs args, const BnCudaInput *inputs, uint32_t n_inputs, char **reason)
{
  BnOpStatus status = BN_OP_OK;

  for (uint32_t i = 0; i < n_inputs; i++)
    args.total += inputs[i].n_floats;
  for (uint32_t i = 0; i < n_inputs && status == BN_OP_OK; i++)
    {
      args.x = place (inputs[i].at, 0);
      args.n = inputs[i].n_floats;
      status = launch (lane, BN_KERNEL_GATHER, grid_of_elements (args.n_places), &args, reason);
      args.at += args.n;
    }
  return status;
}

BnOpStatus
bn_cuda_launch_gather (BnCudaLane *lane, const BnNet *net, const BnCudaInput *inputs, uint32_t n_inputs, char **reason)
{
  BnKernelArgs args = { .y = place (lane->workspace->at, 0), .z = place (lane->workspace->at, net->state_floats),
                        .n_places = net->state_floats };

  return gather (lane, args, inputs, n_inputs, reason);
}

BnOpStatus
bn_cuda_launch_net (BnCudaLane *lane, const BnCudaBlas *blas, const BnNet *net, CUdeviceptr weights, uint32_t passes,
                    char **reason)
{
  BnOpStatus status = BN_OP_OK;

  for (uint32_t pass = 0; pass < passes; pass++)
    for (uint32_t i = 0; i < net->n_ops && status == BN_OP_OK; i++)
      {
        const BnNnOp *op = &net->ops[i];
        CUdeviceptr workspace = lane->workspace->at;
        BnKernelArgs args = { .rows = op->rows, .cols = op->cols, .inner = op->inner, .activation = op->activation,
                              .scale = op->scale, .x = place (workspace, op->x), .y = place (workspace, op->y),
                              .z = place (workspace, op->z), .w = place (weights, op->w), .v = place (weights, op->v) };
        if (op->kind == BN_NN_MATMUL && blas)
          status = multiply (lane, blas, &args, reason);
        else
          status = launch (lane, (BnKernel) op->kind, grid_of (op), &args, reason);
      }
  return status;
}

BnOpStatus
bn_cuda_launch_scatter (BnCudaLane *lane, const BnNet *net, CUdeviceptr output, int64_t n_floats, char **reason)
{
  BnKernelArgs args = { .y = place (output, 0), .n_places = n_floats };
  BnCudaInput state = { lane->workspace->at, net->state_floats };

  return gather (lane, args, &state, 1, reason);
}
