/* image.c: the compiled kernels, as nvcc left them in a file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cuda_backend.h"

__asm__ (".pushsection .rodata\n"
         ".balign 16\n"
         ".local bn_cuda_fatbin\n"
         "bn_cuda_fatbin:\n"
         ".incbin \"" BN_CUDA_FATBIN "\"\n"
         ".byte 0\n"
         ".popsection\n");
extern const unsigned char bn_cuda_fatbin[] __attribute__ ((visibility ("hidden")));

const BnCudaImage bn_cuda_image = { bn_cuda_fatbin, BN_CUDA_NEEDS_VERSION };
