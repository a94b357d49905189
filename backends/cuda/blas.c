/* blas.c: cuBLAS's few entry points.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "blas.h"

#include <gio/gio.h>
#include <string.h>

struct BnCudaBlas
{
  GModule *library;
  char *name;
  int (*create) (void **handle);
  int (*destroy) (void *handle);
  int (*set_stream) (void *handle, CUstream stream);
  int (*sgemm) (void *handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha,
                const float *a, int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
};

/* CUBLAS_OP_N. */
#define NOT_TRANSPOSED 0

static const char *const library_names[] = { "libcublas.so.13", "libcublas.so.12", NULL };

/* Returns: whether the library has it all. */
static bool
find_symbols (BnCudaBlas *blas)
{
  gpointer create, destroy, set_stream, sgemm;

  if (!g_module_symbol (blas->library, "cublasCreate_v2", &create)
      || !g_module_symbol (blas->library, "cublasDestroy_v2", &destroy)
      || !g_module_symbol (blas->library, "cublasSetStream_v2", &set_stream)
      || !g_module_symbol (blas->library, "cublasSgemm_v2", &sgemm))
    return false;
  memcpy (&blas->create, &create, sizeof create);
  memcpy (&blas->destroy, &destroy, sizeof destroy);
  memcpy (&blas->set_stream, &set_stream, sizeof set_stream);
  memcpy (&blas->sgemm, &sgemm, sizeof sgemm);
  return true;
}

/* NULL with `reason` set (transfer full): before anything is closed, which clears what GModule has to say. */
static BnCudaBlas *
open_library (const char *name, char **reason)
{
  BnCudaBlas *blas = g_new0 (BnCudaBlas, 1);

  blas->name = g_strdup (name);
  blas->library = g_module_open (name, G_MODULE_BIND_LOCAL);
  if (blas->library && find_symbols (blas))
    {
      g_module_make_resident (blas->library);
      return blas;
    }
  *reason = g_strdup (g_module_error ());
  bn_cuda_blas_close (blas);
  return NULL;
}

BnCudaBlas *
bn_cuda_blas_open (GError **error)
{
  const char *named = g_getenv (BN_CUBLAS_VARIABLE);
  g_autofree char *reason = NULL;
  BnCudaBlas *blas = NULL;

  if (named && strcmp (named, "no") == 0)
    return NULL;
  if (named && *named)
    {
      blas = open_library (named, &reason);
      if (!blas)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                     "%s names %s, which is not a cuBLAS that can be loaded (%s); unset it, or say `no` for none",
                     BN_CUBLAS_VARIABLE, named, reason);
      return blas;
    }
  for (uint32_t i = 0; !blas && library_names[i]; i++)
    {
      g_autofree char *absent = NULL;
      blas = open_library (library_names[i], &absent);
    }
  return blas;
}

void
bn_cuda_blas_close (BnCudaBlas *blas)
{
  if (!blas)
    return;
  if (blas->library)
    g_module_close (blas->library);
  g_free (blas->name);
  g_free (blas);
}

const char *
bn_cuda_blas_name (const BnCudaBlas *blas)
{
  return blas->name;
}

int
bn_cuda_blas_new_handle (const BnCudaBlas *blas, CUstream stream, void **ret)
{
  int status = blas->create (ret);

  if (status != 0)
    {
      *ret = NULL;
      return status;
    }
  return blas->set_stream (*ret, stream);
}

void
bn_cuda_blas_free_handle (const BnCudaBlas *blas, void *handle)
{
  if (handle)
    blas->destroy (handle);
}

static const float *
matrix (CUdeviceptr at)
{
  return (const float *) (uintptr_t) at;
}

int
bn_cuda_blas_multiply (const BnCudaBlas *blas, void *handle, uint32_t rows, uint32_t cols, uint32_t inner,
                       CUdeviceptr x, CUdeviceptr w, bool accumulates, CUdeviceptr y)
{
  const float one = 1.0f, beta = accumulates ? 1.0f : 0.0f;

  /* cuBLAS counts down columns: row-major y = x w is column-major y' = w' x' */
  return blas->sgemm (handle, NOT_TRANSPOSED, NOT_TRANSPOSED, (int) cols, (int) rows, (int) inner, &one, matrix (w),
                      (int) cols, matrix (x), (int) inner, &beta, (float *) (uintptr_t) y, (int) cols);
}
