/* gpu.c: opening a GPU, its memory for data, its loss.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "gpu.h"

#include <gio/gio.h>

struct BnCudaSlab
{
  CUdeviceptr at;
  int64_t bytes, used_bytes;
  BnCudaSlab *next;
};

/* Blocks are no smaller, so that each begins where the device likes to read. */
#define LEAST_ORDER 8

static const char *const kernel_names[] = {
#define KERNEL_NAME(number, name) "bn_kernel_" #name,
  BN_KERNELS (KERNEL_NAME)
#undef KERNEL_NAME
};

/* Returns: NULL, or what was not answered, with `result`. */
static const char *
open_device (BnCudaGpu *gpu, const BnCudaImage *image, BnCuResult *result)
{
  const BnCudaDriver *driver = gpu->driver;

  if ((*result = driver->device_get (&gpu->device, (int) gpu->number)) != BN_CU_OK
      || (*result = driver->device_get_name (gpu->name, sizeof gpu->name, gpu->device)) != BN_CU_OK)
    return "looking it up";
  CUcontext context;
  if ((*result = driver->primary_ctx_retain (&context, gpu->device)) != BN_CU_OK)
    return "making its context";
  gpu->context = context;
  if ((*result = bn_cuda_gpu_enter (gpu)) != BN_CU_OK)
    return "entering its context";
  if (!image)
    return NULL;
  CUmodule module;
  if ((*result = driver->module_load_data (&module, image->data)) != BN_CU_OK)
    return "loading the kernels";
  gpu->module = module;
  for (uint32_t k = 0; k < BN_N_KERNELS; k++)
    if ((*result = driver->module_get_function (&gpu->kernels[k], gpu->module, kernel_names[k])) != BN_CU_OK)
      return kernel_names[k];
  return NULL;
}

BnCudaGpu *
bn_cuda_gpu_open (const BnCudaDriver *driver, uint32_t number, const BnCudaImage *image, GError **error)
{
  BnCudaGpu *gpu = g_new0 (BnCudaGpu, 1);
  BnCuResult result = BN_CU_OK;

  gpu->driver = driver;
  gpu->number = number;
  pthread_mutex_init (&gpu->lock, NULL);
  const char *what = open_device (gpu, image, &result);
  if (!what)
    return gpu;
  g_autofree char *why = bn_cuda_driver_explain (driver, result);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "GPU %u (%s) cannot be used: %s: %s", number,
               *gpu->name ? gpu->name : "no name", what, why);
  bn_cuda_gpu_close (gpu);
  return NULL;
}

void
bn_cuda_gpu_close (BnCudaGpu *gpu)
{
  const BnCudaDriver *driver;

  if (!gpu)
    return;
  driver = gpu->driver;
  if (gpu->context)
    bn_cuda_gpu_enter (gpu);
  for (uint32_t order = 0; order < G_N_ELEMENTS (gpu->free_blocks); order++)
    for (BnCudaBlock *block = gpu->free_blocks[order], *next; block; block = next)
      {
        next = block->next;
        g_free (block);
      }
  for (BnCudaSlab *slab = gpu->slabs, *next; slab; slab = next)
    {
      next = slab->next;
      driver->mem_free (slab->at);
      g_free (slab);
    }
  if (gpu->module)
    driver->module_unload (gpu->module);
  if (gpu->context)
    {
      driver->ctx_set_current (NULL);
      driver->primary_ctx_release (gpu->device);
    }
  pthread_mutex_destroy (&gpu->lock);
  g_free (gpu->lost);
  g_free (gpu);
}

BnCuResult
bn_cuda_gpu_enter (const BnCudaGpu *gpu)
{
  return gpu->driver->ctx_set_current (gpu->context);
}

int64_t
bn_cuda_gpu_usable (const BnCudaGpu *gpu)
{
  size_t free_bytes = 0, total_bytes = 0;

  if (gpu->driver->mem_get_info (&free_bytes, &total_bytes) != BN_CU_OK)
    return 0;
  return MAX ((int64_t) free_bytes - BN_CUDA_RESERVE_BYTES, 0);
}

void
bn_cuda_gpu_befriend (const BnCudaGpu *gpu, const BnCudaGpu *peer)
{
  int can = 0;

  bn_cuda_gpu_enter (gpu);
  if (gpu->driver->can_access_peer (&can, gpu->device, peer->device) == BN_CU_OK && can)
    gpu->driver->ctx_enable_peer_access (peer->context, 0);
}

/* The order of the least power of two that holds so many bytes. */
static uint32_t
order_of (int64_t bytes)
{
  uint32_t order = LEAST_ORDER;

  while ((INT64_C (1) << order) < bytes)
    order++;
  return order;
}

/* With the lock. A block of a slab's size or more is a slab of its own, behind the first one. */
static BnCuResult
cut (BnCudaGpu *gpu, int64_t bytes, CUdeviceptr *ret)
{
  BnCudaSlab *slab = gpu->slabs;

  if (!slab || slab->bytes - slab->used_bytes < bytes)
    {
      CUdeviceptr at;
      int64_t slab_bytes = MAX (bytes, BN_CUDA_SLAB_BYTES);
      BnCuResult result = gpu->driver->mem_alloc (&at, (size_t) slab_bytes);
      if (result != BN_CU_OK)
        return result;
      BnCudaSlab **place = slab && bytes >= BN_CUDA_SLAB_BYTES ? &slab->next : &gpu->slabs;
      slab = g_new (BnCudaSlab, 1);
      *slab = (BnCudaSlab){ .at = at, .bytes = slab_bytes, .next = *place };
      *place = slab;
    }
  *ret = slab->at + (CUdeviceptr) slab->used_bytes;
  slab->used_bytes += bytes;
  return BN_CU_OK;
}

BnCudaBlock *
bn_cuda_gpu_take (BnCudaGpu *gpu, int64_t bytes, BnCuResult *result)
{
  uint32_t order = order_of (bytes);

  pthread_mutex_lock (&gpu->lock);
  BnCudaBlock *block = gpu->free_blocks[order];
  *result = BN_CU_OK;
  if (block)
    gpu->free_blocks[order] = block->next;
  else
    {
      CUdeviceptr at = 0;
      *result = cut (gpu, INT64_C (1) << order, &at);
      if (*result == BN_CU_OK)
        {
          block = g_new (BnCudaBlock, 1);
          *block = (BnCudaBlock){ .gpu = gpu, .at = at, .order = order };
        }
    }
  pthread_mutex_unlock (&gpu->lock);
  return block;
}

void
bn_cuda_block_give (BnCudaBlock *block)
{
  if (!block)
    return;
  BnCudaGpu *gpu = block->gpu;
  pthread_mutex_lock (&gpu->lock);
  block->next = gpu->free_blocks[block->order];
  gpu->free_blocks[block->order] = block;
  pthread_mutex_unlock (&gpu->lock);
}

bool
bn_cuda_gpu_is_lost (BnCudaGpu *gpu, char **reason)
{
  pthread_mutex_lock (&gpu->lock);
  bool is_lost = gpu->lost != NULL;
  if (is_lost && !*reason)
    *reason = g_strdup (gpu->lost);
  pthread_mutex_unlock (&gpu->lock);
  return is_lost;
}

BnOpStatus
bn_cuda_gpu_blame (BnCudaGpu *gpu, BnCuResult result, char **reason, const char *what)
{
  g_autofree char *why = bn_cuda_driver_explain (gpu->driver, result);
  char *text = g_strdup_printf ("%s on GPU %u (%s): %s", what, gpu->number, gpu->name, why);
  bool is_fatal = bn_cuda_result_is_fatal (result);

  if (is_fatal)
    {
      pthread_mutex_lock (&gpu->lock);
      if (!gpu->lost)
        gpu->lost = g_strdup_printf ("GPU %u (%s) was lost: %s: %s", gpu->number, gpu->name, what, why);
      pthread_mutex_unlock (&gpu->lock);
    }
  if (!*reason)
    *reason = g_steal_pointer (&text);
  g_free (text);
  if (is_fatal)
    return BN_OP_DEVICE_LOST;
  return result == BN_CU_OUT_OF_MEMORY ? BN_OP_OUT_OF_MEMORY : BN_OP_FAILED;
}

bool
bn_cuda_pin (const BnCudaDriver *driver, void *at, int64_t bytes)
{
  return bytes > 0 && driver->mem_host_register (at, (size_t) bytes, BN_CU_HOST_REGISTER_PORTABLE) == BN_CU_OK;
}

void
bn_cuda_unpin (const BnCudaDriver *driver, void *at)
{
  driver->mem_host_unregister (at);
}
