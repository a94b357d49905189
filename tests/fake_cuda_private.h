/* fake_cuda_private.h: what the files of the fake driver share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One lock guards everything but the bytes in device memory.
 */
#ifndef BN_FAKE_CUDA_PRIVATE_H
#define BN_FAKE_CUDA_PRIVATE_H

#include <pthread.h>

#include "driver.h"
#include "fake_cuda.h"
#include "kernels.h"

#define MAX_DEVICES 8
#define MAX_ALLOCATIONS 4096

/* A device address has this bit and its device's number in it, above those of host addresses. */
#define DEVICE_BIT (UINT64_C (1) << 56)
#define DEVICE_SHIFT 48

struct CUctx_st
{
  int device;
  int n_retained;
  BnCuResult error;     /* OK, or what every call is answered with */
};

typedef struct Allocation
{
  char *host;           /* NULL: this entry is free */
  size_t bytes;
  size_t mapped_bytes;  /* with guards */
  int device;
} Allocation;

typedef struct Fake
{
  pthread_mutex_t lock;
  pthread_cond_t changed;          /* a command was submitted or has ended, or is_held is over */
  FakeCudaSettings settings;
  FakeCudaCounts counts;
  int n_allocs, n_copies, n_launches, n_executed, n_records, n_blas;  /* towards the faults of `settings` */
  bool is_held;
  struct CUctx_st contexts[MAX_DEVICES];
  Allocation allocations[MAX_ALLOCATIONS];
} Fake;

extern Fake fake;

typedef void (*FakeKernel) (BnKernelArgs args);

struct CUfunc_st
{
  const char *name;
  FakeKernel kernel;
  bool has_barriers;
};

typedef enum
{
  COPY_IN,
  COPY_OUT,
  COPY_WITHIN,
  COPY_BETWEEN,
  KERNEL,
  PRODUCT,
  EVENT
} CommandKind;

/* Host addresses throughout. */
typedef struct Command
{
  CommandKind kind;
  void *to;
  const void *from;
  size_t bytes;
  CUfunction function;
  uint32_t grid_x, grid_y, threads;
  BnKernelArgs args;
  int m, n, k;              /* PRODUCT: of column-major c = a b + beta c */
  float beta;
  CUevent event;
  struct Command *next;
} Command;

/* ---- fake_device.c; all with the lock ---- */

/* Notes a misuse. Returns: `result`. */
BnCuResult fake_misuse (BnCuResult result, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* The calling thread's context, with OK or the error that its device is lost with. */
BnCuResult fake_current (CUcontext *ret);

/* The host's address of `bytes` of device memory, which must be an allocation's, of `device`
 * unless that is negative. NULL: it is not, which is noted. */
void *fake_host_address (CUdeviceptr at, size_t bytes, int device);

/* Counts one, and says whether it is the one that fails. */
bool fake_counts_to (int *count, int fails_at);

/* ---- fake_stream.c ---- */

/* Copies the command into the stream's queue. With the lock. */
void fake_submit (CUstream stream, const Command *command);
CUcontext fake_stream_context (CUstream stream);
bool fake_stream_is_known (CUstream stream);
bool fake_stream_is_idle (CUstream stream);

/* ---- fake_kernels.c ---- */

/* By name, or NULL. */
CUfunction fake_kernel_find (const char *name);
/* Executes a grid. Returns: NULL, or what was wrong with it. */
const char *fake_kernel_execute (CUfunction function, uint32_t grid_x, uint32_t grid_y, uint32_t threads,
                                 const BnKernelArgs *args);

#endif
