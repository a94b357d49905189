/* cuda_backend.h: the backend on NVIDIA GPUs, as the module has it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Worker w uses GPU w modulo the number of GPUs. So workers are spread over all of them,
 * and those that meet on one GPU share its memory by what the scenario gives each, its
 * link and its compute units as the hardware sees fit.
 *
 * On every GPU: for each of its workers one allocation of the worker's capacity for models, a
 * block to move them by, a stream and thread for loads and write-backs, one for what
 * arrives, and one with a workspace for each slot. See gpu.h, residency.h, lane.h.
 *
 * Settings: verify, seed and paced are heeded, threads is not.
 * Environment: BINNACLE_CUDA_DRIVER (driver.h), BINNACLE_CUBLAS (blas.h).
 */
#ifndef BN_CUDA_BACKEND_H
#define BN_CUDA_BACKEND_H

#include "gpu.h"

extern const BnBackend bn_cuda_module_backend;

/* The kernels of this build. */
extern const BnCudaImage bn_cuda_image;

#endif
