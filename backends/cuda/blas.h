/* blas.h: cuBLAS, if it is there.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Found at run time like the driver. The environment variable BINNACLE_CUBLAS names the
 * library, or is `no`: then, as where none is found, the backend's own kernel multiplies.
 * Single precision as the CPU has it: cuBLAS's default mode does not round to TF32.
 */
#ifndef BN_CUDA_BLAS_H
#define BN_CUDA_BLAS_H

#include "driver.h"

#define BN_CUBLAS_VARIABLE "BINNACLE_CUBLAS"

/* Of device memory that a handle may take for itself: what its manual says for Hopper, where it is most. */
#define BN_CUBLAS_WORKSPACE_BYTES (INT64_C (32) << 20)

typedef struct BnCudaBlas BnCudaBlas;

/* Returns: (transfer full); NULL where there is none or none is wanted; NULL with `error`
 * set where the one that was named cannot be used. */
BnCudaBlas *bn_cuda_blas_open (GError **error);
void bn_cuda_blas_close (BnCudaBlas *blas);

/* What was loaded: "libcublas.so.13". */
const char *bn_cuda_blas_name (const BnCudaBlas *blas);

/* A handle of the current context that works in `stream`. Returns: cuBLAS's status, 0 well. */
int bn_cuda_blas_new_handle (const BnCudaBlas *blas, CUstream stream, void **ret);
void bn_cuda_blas_free_handle (const BnCudaBlas *blas, void *handle);

/* y[rows x cols] = x[rows x inner] * w[inner x cols] (+ y if `accumulates`), row-major.
 * Returns: cuBLAS's status, 0 well. */
int bn_cuda_blas_multiply (const BnCudaBlas *blas, void *handle, uint32_t rows, uint32_t cols, uint32_t inner,
                           CUdeviceptr x, CUdeviceptr w, bool accumulates, CUdeviceptr y);

#endif
