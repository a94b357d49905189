/* launch.h: a task's arithmetic as kernels in a lane's stream.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The counterpart of bn_nn_gather, bn_nn_execute and bn_nn_scatter: the same operations
 * in the same order, submitted and not waited for. Products go to cuBLAS where the lane
 * has a handle, else to the backend's own kernel.
 *
 * Each returns OK or what bn_cuda_gpu_blame makes of the error, with `reason`.
 */
#ifndef BN_CUDA_LAUNCH_H
#define BN_CUDA_LAUNCH_H

#include "blas.h"
#include "lane.h"
#include "nn.h"

/* One input: its floats lie at `at`. */
typedef struct BnCudaInput
{
  CUdeviceptr at;
  int64_t n_floats;
} BnCudaInput;

/* inputs -> the state at the lane's workspace, and its copy. */
BnOpStatus bn_cuda_launch_gather (BnCudaLane *lane, const BnNet *net, const BnCudaInput *inputs, uint32_t n_inputs,
                                  char **reason);
/* All operations, `passes` times; `weights` 0 where there are none. `blas` NULL: own kernels. */
BnOpStatus bn_cuda_launch_net (BnCudaLane *lane, const BnCudaBlas *blas, const BnNet *net, CUdeviceptr weights,
                               uint32_t passes, char **reason);
/* state -> output of n_floats. */
BnOpStatus bn_cuda_launch_scatter (BnCudaLane *lane, const BnNet *net, CUdeviceptr output, int64_t n_floats,
                                   char **reason);

#endif
