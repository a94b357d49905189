/* gpu.h: one GPU: its context, kernels and memory, and whether it still works.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The context is the device's primary one, which cuBLAS uses, too. A GPU is lost with the
 * first answer that leaves its context unusable (bn_cuda_result_is_fatal); that is
 * remembered with its reason, and nothing is asked of the driver for it afterwards.
 *
 * Memory for data (inputs, outputs, workspaces) comes in slabs that are cut into blocks
 * of a power of two and never given back before the GPU is closed: O(1), no calls of the
 * driver once it has grown. Memory for models is each worker's own, see residency.h.
 *
 * All functions but open and close may be called from any thread that has entered the GPU.
 */
#ifndef BN_CUDA_GPU_H
#define BN_CUDA_GPU_H

#include <pthread.h>

#include "backend.h"
#include "driver.h"
#include "kernels.h"

/* Kernels as the driver loads them. */
typedef struct BnCudaImage
{
  const void *data;
  int needs_version;   /* least version of CUDA that the driver must support: 13000 is 13.0 */
} BnCudaImage;

/* Left alone on every GPU: for the driver's own needs and what else runs there. */
#define BN_CUDA_RESERVE_BYTES (INT64_C (512) << 20)
/* Of every slab of data, but for single blocks that are larger. */
#define BN_CUDA_SLAB_BYTES (INT64_C (64) << 20)

/* A piece of device memory for data. */
typedef struct BnCudaBlock
{
  struct BnCudaGpu *gpu;
  CUdeviceptr at;
  uint32_t order;            /* 2^order bytes */
  struct BnCudaBlock *next;  /* the GPU's     */
} BnCudaBlock;

typedef struct BnCudaSlab BnCudaSlab;

typedef struct BnCudaGpu
{
  const BnCudaDriver *driver;
  uint32_t number;
  char name[128];
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernels[BN_N_KERNELS];
  pthread_mutex_t lock;      /* of what follows */
  char *lost;                /* why, or NULL    */
  BnCudaSlab *slabs;         /* the first one is being cut */
  BnCudaBlock *free_blocks[64];
} BnCudaGpu;

/* Number `number` of the driver's devices, entered by the calling thread. Without an image
 * there are no kernels: for asking only. Returns: (transfer full); NULL with `error` set. */
BnCudaGpu *bn_cuda_gpu_open (const BnCudaDriver *driver, uint32_t number, const BnCudaImage *image, GError **error);
void bn_cuda_gpu_close (BnCudaGpu *gpu);

/* Makes its context the calling thread's. */
BnCuResult bn_cuda_gpu_enter (const BnCudaGpu *gpu);

/* Bytes that may still be allocated: free now, less the reserve; 0 where that is negative or
 * the driver does not say. */
int64_t bn_cuda_gpu_usable (const BnCudaGpu *gpu);

/* Direct copies between the two, where the machine has a way; else the driver goes through
 * the host by itself. The calling thread's context is `gpu`'s afterwards. */
void bn_cuda_gpu_befriend (const BnCudaGpu *gpu, const BnCudaGpu *peer);

/* A block of at least `bytes`, or NULL with `result` set. */
BnCudaBlock *bn_cuda_gpu_take (BnCudaGpu *gpu, int64_t bytes, BnCuResult *result);
/* Nothing on the GPU uses it any more. NULL is allowed. */
void bn_cuda_block_give (BnCudaBlock *block);

/* Whether it is lost; then with `reason` set to why (transfer full). */
bool bn_cuda_gpu_is_lost (BnCudaGpu *gpu, char **reason);

/* What an answer other than OK means for an operation: OUT_OF_MEMORY, FAILED or DEVICE_LOST,
 * which is remembered. `reason`, if it is NULL yet, is set to "WHAT on GPU 0 (NAME): ERROR: TEXT"
 * (transfer full). */
BnOpStatus bn_cuda_gpu_blame (BnCudaGpu *gpu, BnCuResult result, char **reason, const char *what);

/* Pins host memory that is whole pages, for every GPU: copies from and to it then run beside
 * everything else. Where the driver refuses, the memory is as good, but the copying thread waits while
 * the driver copies twice. Returns: whether it is pinned; then it is to be unpinned before it is freed. */
bool bn_cuda_pin (const BnCudaDriver *driver, void *at, int64_t bytes);
void bn_cuda_unpin (const BnCudaDriver *driver, void *at);

#endif
