/* matmul.h: products of matrices on the CPU.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The only place that knows whether the build has a BLAS.
 */
#ifndef BN_MATMUL_H
#define BN_MATMUL_H

#include "nn.h"

/* y[rows x cols] = x[rows x inner] * w[inner x cols], added to what y holds where
 * `accumulate`; all row-major and dense, y apart from x and w. */
void bn_matmul (BnNnMatmul how, uint32_t rows, uint32_t cols, uint32_t inner, const float *x, const float *w,
                bool accumulate, float *y);

#endif
