/* driver.h: the CUDA driver, found at run time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A table of the driver's entry points, filled from libcuda.so.1, so that nothing here
 * is linked with CUDA and no header of it is needed to compile. The declarations are
 * the driver's documented ABI; where CUDA's header is at hand, tests/cuda_declarations.c
 * holds them against it. Handles have CUDA's own type names.
 *
 * Knows nothing of models, tasks or workers.
 */
#ifndef BN_CUDA_DRIVER_H
#define BN_CUDA_DRIVER_H

#include <gmodule.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

/* CUresult; an int, since a driver may answer with codes that are newer than this list. */
typedef int BnCuResult;
enum
{
  BN_CU_OK = 0,
  BN_CU_INVALID_VALUE = 1,
  BN_CU_OUT_OF_MEMORY = 2,
  BN_CU_DEINITIALIZED = 4,
  BN_CU_DEVICE_UNAVAILABLE = 46,
  BN_CU_NO_DEVICE = 100,
  BN_CU_INVALID_DEVICE = 101,
  BN_CU_INVALID_CONTEXT = 201,
  BN_CU_ECC_UNCORRECTABLE = 214,
  BN_CU_NVLINK_UNCORRECTABLE = 220,
  BN_CU_CONTAINED = 226,
  BN_CU_INVALID_HANDLE = 400,
  BN_CU_NOT_FOUND = 500,
  BN_CU_NOT_READY = 600,
  BN_CU_ILLEGAL_ADDRESS = 700,
  BN_CU_LAUNCH_OUT_OF_RESOURCES = 701,
  BN_CU_LAUNCH_TIMEOUT = 702,
  BN_CU_CONTEXT_IS_DESTROYED = 709,
  BN_CU_ASSERT = 710,
  BN_CU_HARDWARE_STACK_ERROR = 714,
  BN_CU_ILLEGAL_INSTRUCTION = 715,
  BN_CU_MISALIGNED_ADDRESS = 716,
  BN_CU_INVALID_ADDRESS_SPACE = 717,
  BN_CU_INVALID_PC = 718,
  BN_CU_LAUNCH_FAILED = 719,
  BN_CU_EXTERNAL_DEVICE = 911,
  BN_CU_UNKNOWN = 999
};

enum
{
  BN_CU_STREAM_NON_BLOCKING = 1,      /* does not wait for the default stream        */
  BN_CU_EVENT_BLOCKING_SYNC = 1,      /* who waits for it sleeps                     */
  BN_CU_EVENT_DISABLE_TIMING = 2,
  BN_CU_HOST_REGISTER_PORTABLE = 1    /* pinned for every context, not this one only */
};

/* Every entry point that is used: X (name here, symbol in the library, parameters). */
#define BN_CUDA_DRIVER_CALLS(X)                                                                                     \
  X (init, cuInit, (unsigned int flags))                                                                            \
  X (driver_get_version, cuDriverGetVersion, (int *version))                                                        \
  X (device_get_count, cuDeviceGetCount, (int *count))                                                              \
  X (device_get, cuDeviceGet, (CUdevice * device, int ordinal))                                                     \
  X (device_get_name, cuDeviceGetName, (char *name, int size, CUdevice device))                                     \
  X (primary_ctx_retain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                          \
  X (primary_ctx_release, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                          \
  X (ctx_set_current, cuCtxSetCurrent, (CUcontext context))                                                         \
  X (can_access_peer, cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))                            \
  X (ctx_enable_peer_access, cuCtxEnablePeerAccess, (CUcontext peer, unsigned int flags))                           \
  X (module_load_data, cuModuleLoadData, (CUmodule * module, const void *image))                                    \
  X (module_unload, cuModuleUnload, (CUmodule module))                                                              \
  X (module_get_function, cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))          \
  X (mem_get_info, cuMemGetInfo_v2, (size_t * free_bytes, size_t * total_bytes))                                    \
  X (mem_alloc, cuMemAlloc_v2, (CUdeviceptr * ret, size_t bytes))                                                   \
  X (mem_free, cuMemFree_v2, (CUdeviceptr at))                                                                      \
  X (mem_host_register, cuMemHostRegister_v2, (void *at, size_t bytes, unsigned int flags))                         \
  X (mem_host_unregister, cuMemHostUnregister, (void *at))                                                          \
  X (memcpy_htod_async, cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))    \
  X (memcpy_dtoh_async, cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))          \
  X (memcpy_dtod_async, cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))    \
  X (memcpy_peer_async, cuMemcpyPeerAsync,                                                                          \
     (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,                 \
      CUstream stream))                                                                                             \
  X (stream_create, cuStreamCreate, (CUstream * stream, unsigned int flags))                                        \
  X (stream_destroy, cuStreamDestroy_v2, (CUstream stream))                                                         \
  X (stream_query, cuStreamQuery, (CUstream stream))                                                                \
  X (event_create, cuEventCreate, (CUevent * event, unsigned int flags))                                            \
  X (event_destroy, cuEventDestroy_v2, (CUevent event))                                                             \
  X (event_record, cuEventRecord, (CUevent event, CUstream stream))                                                 \
  X (event_synchronize, cuEventSynchronize, (CUevent event))                                                        \
  X (launch_kernel, cuLaunchKernel,                                                                                 \
     (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,     \
      unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, CUstream stream, void **parameters,    \
      void **extra))                                                                                                \
  X (get_error_name, cuGetErrorName, (BnCuResult error, const char **name))                                         \
  X (get_error_string, cuGetErrorString, (BnCuResult error, const char **text))

typedef struct BnCudaDriver
{
  GModule *library;
  int version;                   /* of CUDA that it supports: 13000 is 13.0 */
#define BN_CUDA_FIELD(name, symbol, parameters) BnCuResult (*name) parameters;
  BN_CUDA_DRIVER_CALLS (BN_CUDA_FIELD)
#undef BN_CUDA_FIELD
} BnCudaDriver;

/* What is opened without another path, and the environment variable that names another. */
#define BN_CUDA_DRIVER_LIBRARY "libcuda.so.1"
#define BN_CUDA_DRIVER_VARIABLE "BINNACLE_CUDA_DRIVER"

/* Opens the driver at `path` (NULL: what the environment names, else libcuda.so.1) and
 * initialises it. Returns: (transfer full); NULL with `reason` set, one line (transfer
 * full): it cannot be opened, lacks an entry point, is older than needs_version, or finds
 * no device. The library itself stays in the process: a driver has threads of its own. */
BnCudaDriver *bn_cuda_driver_open (const char *path, int needs_version, char **reason);
void bn_cuda_driver_close (BnCudaDriver *driver);

/* "CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure". Returns: (transfer full). */
char *bn_cuda_driver_explain (const BnCudaDriver *driver, BnCuResult result);

/* Whether nothing more can be had from a context that answered so: the driver's manual
 * says that it is left in an inconsistent state, or the device itself is gone. */
bool bn_cuda_result_is_fatal (BnCuResult result);

#endif
