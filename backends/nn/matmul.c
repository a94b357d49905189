/* matmul.c: products of matrices by plain loops or by OpenBLAS.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "matmul.h"

#include <string.h>

#ifdef BN_HAVE_OPENBLAS
#include <cblas.h>

/* BUFFER_SIZE in its common_x86_64.h and common_arm64.h, and a page. */
#define BLAS_BUFFER_BYTES ((INT64_C (32) << 22) + 4096)
#endif

/* Rows of w outermost, so that w, the largest of the three, is read once and in order. Each
 * element of y is a sum in rising k. */
static void
plain (uint32_t rows, uint32_t cols, uint32_t inner, const float *restrict x, const float *restrict w,
       float *restrict y)
{
  for (size_t k = 0; k < inner; k++)
    for (size_t i = 0; i < rows; i++)
      {
        float factor = x[i * inner + k];
#pragma omp simd
        for (size_t j = 0; j < cols; j++)
          y[i * cols + j] += factor * w[k * cols + j];
      }
}

void
bn_matmul (BnNnMatmul how, uint32_t rows, uint32_t cols, uint32_t inner, const float *x, const float *w,
           bool accumulate, float *y)
{
#ifdef BN_HAVE_OPENBLAS
  if (how == BN_NN_BLAS)
    {
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint) rows, (blasint) cols, (blasint) inner, 1.0f,
                   x, (blasint) inner, w, (blasint) cols, accumulate ? 1.0f : 0.0f, y, (blasint) cols);
      return;
    }
#else
  (void) how;
#endif
  if (!accumulate)
    memset (y, 0, (size_t) rows * cols * sizeof *y);
  plain (rows, cols, inner, x, w, y);
}

#ifdef BN_HAVE_OPENBLAS

const char *
bn_nn_blas_name (void)
{
  return "OpenBLAS " BN_OPENBLAS_VERSION;
}

void
bn_nn_set_blas_threads (uint32_t n)
{
  openblas_set_num_threads ((int) n);
}

int64_t
bn_nn_blas_bytes (uint32_t n_callers)
{
  int n_helpers = openblas_get_num_threads () - 1;

  return ((int64_t) n_callers + n_helpers) * BLAS_BUFFER_BYTES;
}

#else

const char *
bn_nn_blas_name (void)
{
  return NULL;
}

void
bn_nn_set_blas_threads (uint32_t n)
{
  (void) n;
}

int64_t
bn_nn_blas_bytes (uint32_t n_callers)
{
  (void) n_callers;
  return 0;
}

#endif
