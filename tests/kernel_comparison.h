/* kernel_comparison.h: what the kernels compute, against the CPU, on whatever driver there is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TEST_KERNEL_COMPARISON_H
#define BN_TEST_KERNEL_COMPARISON_H

#include <check.h>

#include "launch.h"

/* The driver's first GPU, open, with a stream. */
typedef struct OpenGpu
{
  BnCudaDriver *driver;
  BnCudaGpu *gpu;
  BnCudaLane lane;
} OpenGpu;

/* What fails here ends the program with a message. */
void gpu_open (OpenGpu *ret);
void gpu_close (OpenGpu *gpu);
void gpu_require (const OpenGpu *gpu, BnCuResult result);

/* n_floats of device memory, with these floats unless `from` is NULL; to be given back. */
BnCudaBlock *gpu_put (OpenGpu *gpu, const float *from, int64_t n_floats);
void gpu_get (OpenGpu *gpu, const BnCudaBlock *block, float *to, int64_t n_floats);

/* Tests with every layer type, of sizes from nothing at all to `largest_bytes`; each between
 * these two, where they are not NULL. */
TCase *kernel_comparison (int64_t largest_bytes, void (*before) (void), void (*after) (void));

#endif
