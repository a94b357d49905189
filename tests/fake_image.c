/* fake_image.c: kernels for the fake CUDA driver, which has its own.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cuda_backend.h"

const BnCudaImage bn_cuda_image = { "no kernels", 13000 };
