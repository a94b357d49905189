/* fake_cuda.h: a CUDA driver made of host memory and threads, for tests.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * libfakecuda.so has the entry points of backends/cuda/driver.h and the four of cuBLAS that
 * blas.c uses. Device memory is host memory between guard pages, whose addresses are
 * marked so that neither side's pointers work on the other. A stream is a thread that
 * executes copies and kernels in order, some time after they were submitted. Kernels are
 * the text of backends/cuda/kernels.cu, compiled as C.
 *
 * What no program may do (another device's memory, freed memory, the wrong context, a
 * barrier that not all threads reach) is answered with an error and counted as misuse.
 *
 * A test that has opened the library calls the functions below; a whole program's driver
 * is set by the environment variables in brackets, read when it is loaded.
 */
#ifndef BN_FAKE_CUDA_H
#define BN_FAKE_CUDA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FakeCudaSettings
{
  int n_devices;           /* [FAKE_CUDA_DEVICES]                                             */
  int version;             /* [FAKE_CUDA_VERSION] 13000 is 13.0                               */
  int64_t memory_bytes;    /* [FAKE_CUDA_MEMORY] of each device                               */
  int delay_us;            /* [FAKE_CUDA_DELAY_US] each command waits for up to so long first */
  bool refuses_to_pin;     /* [FAKE_CUDA_NO_PINNING]                                          */
  bool has_no_peers;       /* [FAKE_CUDA_NO_PEERS] no direct way between devices              */
  /* From now on the n-th (from 1) of these fails; 0: none. */
  int fail_alloc;          /* [FAKE_CUDA_FAIL_ALLOC] with out of memory                        */
  int fail_copy;           /* [FAKE_CUDA_FAIL_COPY] with `error`, when submitted               */
  int fail_launch;         /* [FAKE_CUDA_FAIL_LAUNCH] with `error`, when submitted             */
  int fail_kernel;         /* [FAKE_CUDA_FAIL_KERNEL] with `error` while it is executed: the device is lost */
  int fail_record;         /* [FAKE_CUDA_FAIL_RECORD] with `error`                             */
  int fail_blas;           /* [FAKE_CUDA_FAIL_BLAS] a product of cuBLAS, with status 13        */
  int error;               /* [FAKE_CUDA_ERROR] CUresult                                       */
} FakeCudaSettings;

typedef struct FakeCudaCounts
{
  int n_allocations, n_streams, n_events, n_contexts, n_modules, n_pinned, n_blas_handles; /* that are there now */
  int64_t allocated_bytes;                                                        /* now */
  int64_t n_kernels, n_copies_in, n_copies_out, n_copies_within, n_copies_between, n_products; /* executed so far */
  int n_misuses;
  char first_misuse[256];
} FakeCudaCounts;

/* One device, CUDA 13.0, 2 GiB, no delays, no faults. */
#define FAKE_CUDA_SETTINGS_INIT { .n_devices = 1, .version = 13000, .memory_bytes = INT64_C (2) << 30, .error = 719 }

/* Settings from now on; devices work again, faults are counted anew, counts of what was executed
 * and of misuse are 0. No context may be there. */
void fake_cuda_set (const FakeCudaSettings *settings);
/* Changes faults and delays while contexts are there. */
void fake_cuda_change (const FakeCudaSettings *settings);
void fake_cuda_get_counts (FakeCudaCounts *ret);

/* While held, streams execute nothing. */
void fake_cuda_hold (bool held);

/* From now on every call for this device, and every command in it, fails with `error`. */
void fake_cuda_lose (int device, int error);

#endif
