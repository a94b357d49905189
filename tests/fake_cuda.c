/* fake_cuda.c: the fake driver's copies and launches, its errors, and cuBLAS.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "fake_cuda_private.h"

#define DECLARE(name, symbol, parameters) BnCuResult symbol parameters;
BN_CUDA_DRIVER_CALLS (DECLARE)
#undef DECLARE

struct CUmod_st
{
  CUcontext context;
};

/* ---- modules ---- */

BnCuResult
cuModuleLoadData (CUmodule *ret, const void *image)
{
  CUcontext context;

  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake_current (&context);
  if (result == BN_CU_OK && !image)
    result = fake_misuse (BN_CU_INVALID_VALUE, "no image");
  if (result == BN_CU_OK)
    {
      *ret = calloc (1, sizeof **ret);
      (*ret)->context = context;
      fake.counts.n_modules++;
    }
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuModuleUnload (CUmodule module)
{
  pthread_mutex_lock (&fake.lock);
  fake.counts.n_modules--;
  free (module);
  pthread_mutex_unlock (&fake.lock);
  return BN_CU_OK;
}

BnCuResult
cuModuleGetFunction (CUfunction *ret, CUmodule module, const char *name)
{
  *ret = module ? fake_kernel_find (name) : NULL;
  return *ret ? BN_CU_OK : BN_CU_NOT_FOUND;
}

/* ---- copies ---- */

/* With the lock: whether this stream may be given a command by this thread now. */
static BnCuResult
check_stream (CUstream stream)
{
  CUcontext context;
  BnCuResult result = fake_current (&context);

  if (result == BN_CU_OK && (!fake_stream_is_known (stream) || fake_stream_context (stream) != context))
    result = fake_misuse (BN_CU_INVALID_HANDLE, "a command for another context's stream");
  return result;
}

/* `to_device` and `from_device`: -1 is the host. */
static BnCuResult
copy (CommandKind kind, uint64_t to, int to_device, uint64_t from, int from_device, size_t bytes, CUstream stream)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = check_stream (stream);
  void *to_host = to_device < 0 ? (void *) (uintptr_t) to : NULL;
  const void *from_host = from_device < 0 ? (void *) (uintptr_t) from : NULL;
  if (result == BN_CU_OK && to_device >= 0 && !(to_host = fake_host_address (to, bytes, to_device)))
    result = BN_CU_INVALID_VALUE;
  if (result == BN_CU_OK && from_device >= 0 && !(from_host = fake_host_address (from, bytes, from_device)))
    result = BN_CU_INVALID_VALUE;
  if (result == BN_CU_OK && (to_device < 0 ? to : from_device < 0 ? from : 0) >> DEVICE_SHIFT != 0)
    result = fake_misuse (BN_CU_INVALID_VALUE, "a device address where the host's was asked for");
  if (result == BN_CU_OK && kind == COPY_WITHIN
      && (char *) to_host < (const char *) from_host + bytes && (const char *) from_host < (char *) to_host + bytes)
    result = fake_misuse (BN_CU_INVALID_VALUE, "a copy whose source and destination overlap");
  if (result == BN_CU_OK && fake_counts_to (&fake.n_copies, fake.settings.fail_copy))
    result = fake.settings.error;
  if (result == BN_CU_OK)
    fake_submit (stream, &(Command){ .kind = kind, .to = to_host, .from = from_host, .bytes = bytes });
  pthread_mutex_unlock (&fake.lock);
  return result;
}

static int
device_of (CUstream stream)
{
  pthread_mutex_lock (&fake.lock);
  int device = fake_stream_is_known (stream) ? fake_stream_context (stream)->device : 0;
  pthread_mutex_unlock (&fake.lock);
  return device;
}

BnCuResult
cuMemcpyHtoDAsync_v2 (CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
  return copy (COPY_IN, to, device_of (stream), (uint64_t) (uintptr_t) from, -1, bytes, stream);
}

BnCuResult
cuMemcpyDtoHAsync_v2 (void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  return copy (COPY_OUT, (uint64_t) (uintptr_t) to, -1, from, device_of (stream), bytes, stream);
}

BnCuResult
cuMemcpyDtoDAsync_v2 (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
  int device = device_of (stream);

  return copy (COPY_WITHIN, to, device, from, device, bytes, stream);
}

BnCuResult
cuMemcpyPeerAsync (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                   CUstream stream)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult error = to_context->error != BN_CU_OK ? to_context->error : from_context->error;
  pthread_mutex_unlock (&fake.lock);
  if (error != BN_CU_OK)
    return error;
  return copy (COPY_BETWEEN, to, to_context->device, from, from_context->device, bytes, stream);
}

/* ---- launches ---- */

/* With the lock: one of a kernel's arrays as the host has it. */
static bool
translate (float **array, int device)
{
  if (*array)
    *array = fake_host_address ((CUdeviceptr) (uintptr_t) *array, sizeof (float), device);
  else
    return true;
  return *array != NULL;
}

static bool
translate_all (BnKernelArgs *args, int device)
{
  float *w = (float *) (uintptr_t) args->w, *v = (float *) (uintptr_t) args->v;
  bool is_well = translate (&args->x, device) && translate (&args->y, device) && translate (&args->z, device)
                 && translate (&w, device) && translate (&v, device);

  args->w = w;
  args->v = v;
  return is_well;
}

BnCuResult
cuLaunchKernel (CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared_bytes,
                CUstream stream, void **parameters, void **extra)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = check_stream (stream);
  Command command = { .kind = KERNEL, .function = function, .grid_x = grid_x, .grid_y = grid_y, .threads = block_x };
  if (result == BN_CU_OK
      && (grid_x == 0 || grid_y == 0 || grid_y > 65535 || grid_z != 1 || block_x == 0 || block_x > 1024 || block_y != 1
          || block_z != 1 || shared_bytes != 0 || extra))
    result = fake_misuse (BN_CU_INVALID_VALUE, "%s: a grid that cannot be", function->name);
  if (result == BN_CU_OK)
    {
      memcpy (&command.args, parameters[0], sizeof command.args);
      if (!translate_all (&command.args, fake_stream_context (stream)->device))
        fake_stream_context (stream)->error = result = BN_CU_ILLEGAL_ADDRESS;
    }
  if (result == BN_CU_OK && fake_counts_to (&fake.n_launches, fake.settings.fail_launch))
    {
      result = fake.settings.error;
      if (bn_cuda_result_is_fatal (result))
        fake_stream_context (stream)->error = result;
    }
  if (result == BN_CU_OK)
    fake_submit (stream, &command);
  pthread_mutex_unlock (&fake.lock);
  return result;
}

/* ---- errors ---- */

static const struct
{
  BnCuResult result;
  const char *name, *text;
} errors[] = {
  { BN_CU_OK, "CUDA_SUCCESS", "no error" },
  { BN_CU_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument" },
  { BN_CU_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory" },
  { BN_CU_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected" },
  { BN_CU_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered" },
  { BN_CU_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered" },
  { BN_CU_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch" },
  { BN_CU_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure" },
};

/* NULL: not in the list, as of an error that is newer than the driver. */
static BnCuResult
look_up (BnCuResult error, const char **name, const char **text)
{
  *name = *text = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].result == error)
      {
        *name = errors[i].name;
        *text = errors[i].text;
        return BN_CU_OK;
      }
  return BN_CU_INVALID_VALUE;
}

BnCuResult
cuGetErrorName (BnCuResult error, const char **name)
{
  const char *text;

  return look_up (error, name, &text);
}

BnCuResult
cuGetErrorString (BnCuResult error, const char **text)
{
  const char *name;

  return look_up (error, &name, text);
}

/* ---- cuBLAS ---- */

typedef struct FakeBlas
{
  CUstream stream;
} FakeBlas;

int cublasCreate_v2 (void **ret);
int cublasDestroy_v2 (void *handle);
int cublasSetStream_v2 (void *handle, CUstream stream);
int cublasSgemm_v2 (void *handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
                    const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc);

int
cublasCreate_v2 (void **ret)
{
  pthread_mutex_lock (&fake.lock);
  *ret = calloc (1, sizeof (FakeBlas));
  fake.counts.n_blas_handles++;
  pthread_mutex_unlock (&fake.lock);
  return 0;
}

int
cublasDestroy_v2 (void *handle)
{
  pthread_mutex_lock (&fake.lock);
  free (handle);
  fake.counts.n_blas_handles--;
  pthread_mutex_unlock (&fake.lock);
  return 0;
}

int
cublasSetStream_v2 (void *handle, CUstream stream)
{
  FakeBlas *blas = handle;

  blas->stream = stream;
  return 0;
}

int
cublasSgemm_v2 (void *handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
                const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc)
{
  const FakeBlas *blas = handle;
  Command command = { .kind = PRODUCT, .m = m, .n = n, .k = k, .beta = *beta };

  pthread_mutex_lock (&fake.lock);
  int device = fake_stream_context (blas->stream)->device;
  bool is_well = check_stream (blas->stream) == BN_CU_OK && transpose_a == 0 && transpose_b == 0 && *alpha == 1.0f
                 && lda == m && ldb == k && ldc == m && !fake_counts_to (&fake.n_blas, fake.settings.fail_blas);
  command.args.w = a;
  command.args.x = (float *) (uintptr_t) b;
  command.args.y = c;
  is_well = is_well && translate_all (&command.args, device);
  if (is_well)
    fake_submit (blas->stream, &command);
  pthread_mutex_unlock (&fake.lock);
  return is_well ? 0 : 13;
}
