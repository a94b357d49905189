/* fake_device.c: the fake driver's devices, contexts and memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_cuda_private.h"

Fake fake = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER,
              .settings = FAKE_CUDA_SETTINGS_INIT };

static _Thread_local CUcontext current;

#define DECLARE(name, symbol, parameters) BnCuResult symbol parameters;
BN_CUDA_DRIVER_CALLS (DECLARE)
#undef DECLARE

static int64_t
from_environment (const char *name, int64_t otherwise)
{
  const char *text = getenv (name);

  return text ? strtoll (text, NULL, 10) : otherwise;
}

__attribute__ ((constructor)) static void
read_environment (void)
{
  FakeCudaSettings *s = &fake.settings;

  s->n_devices = (int) from_environment ("FAKE_CUDA_DEVICES", s->n_devices);
  s->version = (int) from_environment ("FAKE_CUDA_VERSION", s->version);
  s->memory_bytes = from_environment ("FAKE_CUDA_MEMORY", s->memory_bytes);
  s->delay_us = (int) from_environment ("FAKE_CUDA_DELAY_US", 0);
  s->refuses_to_pin = from_environment ("FAKE_CUDA_NO_PINNING", 0) != 0;
  s->has_no_peers = from_environment ("FAKE_CUDA_NO_PEERS", 0) != 0;
  s->fail_alloc = (int) from_environment ("FAKE_CUDA_FAIL_ALLOC", 0);
  s->fail_copy = (int) from_environment ("FAKE_CUDA_FAIL_COPY", 0);
  s->fail_launch = (int) from_environment ("FAKE_CUDA_FAIL_LAUNCH", 0);
  s->fail_kernel = (int) from_environment ("FAKE_CUDA_FAIL_KERNEL", 0);
  s->fail_record = (int) from_environment ("FAKE_CUDA_FAIL_RECORD", 0);
  s->fail_blas = (int) from_environment ("FAKE_CUDA_FAIL_BLAS", 0);
  s->error = (int) from_environment ("FAKE_CUDA_ERROR", s->error);
}

void
fake_cuda_change (const FakeCudaSettings *settings)
{
  pthread_mutex_lock (&fake.lock);
  fake.settings = *settings;
  fake.n_allocs = fake.n_copies = fake.n_launches = fake.n_executed = fake.n_records = fake.n_blas = 0;
  pthread_mutex_unlock (&fake.lock);
}

void
fake_cuda_set (const FakeCudaSettings *settings)
{
  fake_cuda_change (settings);
  pthread_mutex_lock (&fake.lock);
  for (int i = 0; i < MAX_DEVICES; i++)
    {
      if (fake.contexts[i].n_retained > 0)
        fake_misuse (0, "set while a context of device %d is there", i);
      fake.contexts[i].error = BN_CU_OK;
    }
  fake.counts.n_kernels = fake.counts.n_copies_in = fake.counts.n_copies_out = fake.counts.n_copies_within
    = fake.counts.n_copies_between = fake.counts.n_products = 0;
  fake.counts.n_misuses = 0;
  fake.counts.first_misuse[0] = '\0';
  pthread_mutex_unlock (&fake.lock);
}

void
fake_cuda_get_counts (FakeCudaCounts *ret)
{
  pthread_mutex_lock (&fake.lock);
  *ret = fake.counts;
  pthread_mutex_unlock (&fake.lock);
}

void
fake_cuda_hold (bool held)
{
  pthread_mutex_lock (&fake.lock);
  fake.is_held = held;
  pthread_cond_broadcast (&fake.changed);
  pthread_mutex_unlock (&fake.lock);
}

void
fake_cuda_lose (int device, int error)
{
  pthread_mutex_lock (&fake.lock);
  fake.contexts[device].error = error;
  pthread_cond_broadcast (&fake.changed);
  pthread_mutex_unlock (&fake.lock);
}

BnCuResult
fake_misuse (BnCuResult result, const char *format, ...)
{
  va_list arguments;

  if (fake.counts.n_misuses++ == 0)
    {
      va_start (arguments, format);
      vsnprintf (fake.counts.first_misuse, sizeof fake.counts.first_misuse, format, arguments);
      va_end (arguments);
    }
  return result;
}

bool
fake_counts_to (int *count, int fails_at)
{
  return ++*count == fails_at;
}

BnCuResult
fake_current (CUcontext *ret)
{
  *ret = current;
  if (!current)
    return fake_misuse (BN_CU_INVALID_CONTEXT, "a call without a context");
  return current->error;
}

/* ---- devices and contexts ---- */

BnCuResult
cuInit (unsigned int flags)
{
  return flags != 0 ? BN_CU_INVALID_VALUE : fake.settings.n_devices == 0 ? BN_CU_NO_DEVICE : BN_CU_OK;
}

BnCuResult
cuDriverGetVersion (int *version)
{
  *version = fake.settings.version;
  return BN_CU_OK;
}

BnCuResult
cuDeviceGetCount (int *count)
{
  *count = fake.settings.n_devices;
  return BN_CU_OK;
}

BnCuResult
cuDeviceGet (CUdevice *device, int ordinal)
{
  *device = ordinal;
  return ordinal >= 0 && ordinal < fake.settings.n_devices ? BN_CU_OK : BN_CU_INVALID_DEVICE;
}

BnCuResult
cuDeviceGetName (char *name, int size, CUdevice device)
{
  snprintf (name, (size_t) size, "Fake %d", device);
  return BN_CU_OK;
}

BnCuResult
cuDevicePrimaryCtxRetain (CUcontext *context, CUdevice device)
{
  pthread_mutex_lock (&fake.lock);
  CUcontext ours = &fake.contexts[device];
  BnCuResult result = ours->error;
  if (result == BN_CU_OK)
    {
      ours->device = device;
      ours->n_retained++;
      fake.counts.n_contexts++;
      *context = ours;
    }
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuDevicePrimaryCtxRelease_v2 (CUdevice device)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = BN_CU_OK;
  if (fake.contexts[device].n_retained-- < 1)
    result = fake_misuse (BN_CU_INVALID_CONTEXT, "a context of device %d released that was not retained", device);
  fake.counts.n_contexts--;
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuCtxSetCurrent (CUcontext context)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = BN_CU_OK;
  if (context && context->n_retained < 1)
    result = fake_misuse (BN_CU_INVALID_CONTEXT, "a context was entered that is not there");
  current = context;
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuDeviceCanAccessPeer (int *can, CUdevice device, CUdevice peer)
{
  *can = device != peer && !fake.settings.has_no_peers;
  return BN_CU_OK;
}

BnCuResult
cuCtxEnablePeerAccess (CUcontext peer, unsigned int flags)
{
  CUcontext context;

  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake_current (&context);
  if (result == BN_CU_OK && (flags != 0 || peer == context || fake.settings.has_no_peers))
    result = fake_misuse (BN_CU_INVALID_VALUE, "access to a peer that is none");
  pthread_mutex_unlock (&fake.lock);
  return result;
}

/* ---- memory ---- */

void *
fake_host_address (CUdeviceptr at, size_t bytes, int device)
{
  uint64_t host = at & ((UINT64_C (1) << DEVICE_SHIFT) - 1);

  if (!(at & DEVICE_BIT))
    {
      fake_misuse (0, "%#llx is no device address", at);
      return NULL;
    }
  for (int i = 0; i < MAX_ALLOCATIONS; i++)
    {
      const Allocation *a = &fake.allocations[i];
      uint64_t begin = (uint64_t) (uintptr_t) a->host;
      if (!a->host || host < begin || host >= begin + a->bytes)
        continue;
      if (bytes > begin + a->bytes - host)
        {
          fake_misuse (0, "%zu bytes at %#llx reach beyond their allocation", bytes, at);
          return NULL;
        }
      if (device >= 0 && device != a->device)
        {
          fake_misuse (0, "memory of device %d used by device %d", a->device, device);
          return NULL;
        }
      return (void *) (uintptr_t) host;
    }
  fake_misuse (0, "%#llx lies in no allocation: it was freed, or never was one", at);
  return NULL;
}

BnCuResult
cuMemGetInfo_v2 (size_t *free_bytes, size_t *total_bytes)
{
  CUcontext context;
  size_t used = 0;

  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake_current (&context);
  for (int i = 0; result == BN_CU_OK && i < MAX_ALLOCATIONS; i++)
    if (fake.allocations[i].host && fake.allocations[i].device == context->device)
      used += fake.allocations[i].bytes;
  *total_bytes = (size_t) fake.settings.memory_bytes;
  *free_bytes = *total_bytes - used;
  pthread_mutex_unlock (&fake.lock);
  return result;
}

/* Between two pages that nobody may touch; it ends where the second one begins, but for alignment. */
static void
map (Allocation *a, size_t bytes)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t rounded = (bytes + 255) / 256 * 256, inner = (rounded + page - 1) / page * page;

  char *base = mmap (NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED || mprotect (base + page, inner, PROT_READ | PROT_WRITE) != 0)
    abort ();
  a->mapped_bytes = inner + 2 * page;
  a->bytes = bytes;
  a->host = base + page + inner - rounded;
}

BnCuResult
cuMemAlloc_v2 (CUdeviceptr *ret, size_t bytes)
{
  CUcontext context;
  Allocation *place = NULL;
  int64_t used = 0;

  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake_current (&context);
  for (int i = 0; result == BN_CU_OK && i < MAX_ALLOCATIONS; i++)
    if (!fake.allocations[i].host)
      place = place ? place : &fake.allocations[i];
    else if (fake.allocations[i].device == context->device)
      used += (int64_t) fake.allocations[i].bytes;
  if (result == BN_CU_OK && bytes == 0)
    result = fake_misuse (BN_CU_INVALID_VALUE, "an allocation of nothing");
  if (result == BN_CU_OK
      && (fake_counts_to (&fake.n_allocs, fake.settings.fail_alloc) || !place
          || used + (int64_t) bytes > fake.settings.memory_bytes))
    result = BN_CU_OUT_OF_MEMORY;
  if (result == BN_CU_OK)
    {
      map (place, bytes);
      place->device = context->device;
      fake.counts.n_allocations++;
      fake.counts.allocated_bytes += (int64_t) bytes;
      *ret = (uint64_t) (uintptr_t) place->host | DEVICE_BIT | (uint64_t) context->device << DEVICE_SHIFT;
    }
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuMemFree_v2 (CUdeviceptr at)
{
  pthread_mutex_lock (&fake.lock);
  char *host = fake_host_address (at, 1, -1);
  BnCuResult result = BN_CU_INVALID_VALUE;
  for (int i = 0; host && i < MAX_ALLOCATIONS; i++)
    {
      Allocation *a = &fake.allocations[i];
      if (a->host != host)
        continue;
      size_t page = (size_t) sysconf (_SC_PAGESIZE);
      uintptr_t base = (uintptr_t) host / page * page - page;
      fake.counts.n_allocations--;
      fake.counts.allocated_bytes -= (int64_t) a->bytes;
      munmap ((void *) base, a->mapped_bytes);
      *a = (Allocation){ 0 };
      result = BN_CU_OK;
      break;
    }
  if (result != BN_CU_OK)
    fake_misuse (0, "what was freed is no allocation's begin");
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuMemHostRegister_v2 (void *at, size_t bytes, unsigned int flags)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = fake.settings.refuses_to_pin ? BN_CU_OUT_OF_MEMORY : BN_CU_OK;
  if (!at || bytes == 0 || (uintptr_t) at % (uintptr_t) sysconf (_SC_PAGESIZE) != 0
      || flags != BN_CU_HOST_REGISTER_PORTABLE)
    result = fake_misuse (BN_CU_INVALID_VALUE, "pinning what is not whole pages");
  fake.counts.n_pinned += result == BN_CU_OK;
  pthread_mutex_unlock (&fake.lock);
  return result;
}

BnCuResult
cuMemHostUnregister (void *at)
{
  pthread_mutex_lock (&fake.lock);
  BnCuResult result = at && fake.counts.n_pinned > 0 ? BN_CU_OK : fake_misuse (BN_CU_INVALID_VALUE, "unpinned twice");
  fake.counts.n_pinned -= result == BN_CU_OK;
  pthread_mutex_unlock (&fake.lock);
  return result;
}
