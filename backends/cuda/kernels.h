/* kernels.h: the kernels, their one parameter and the shapes of their grids.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One kernel for each BnNnOpKind, and one that gathers inputs into the state, or the state
 * into an output. All take one BnKernelArgs by value, so that one call launches any
 * of them. What each computes is said where nn.h says what the CPU does; the arithmetic
 * of single elements is nn's arith.h. Compiles as C, and as CUDA within kernels.cu.
 */
#ifndef BN_CUDA_KERNELS_H
#define BN_CUDA_KERNELS_H

#include <stdint.h>

/* Pointers are to the device's memory, whole arrays as BnNnOp has them; NULL: absent. */
typedef struct BnKernelArgs
{
  uint32_t rows, cols, inner;
  uint32_t activation;   /* BnNnActivation                                      */
  float scale;
  float *x, *y, *z;      /* within the workspace, or a task's input or output    */
  const float *w, *v;    /* within the weights                                  */
  int64_t n_places;      /* GATHER: floats of y, and of z, its copy             */
  int64_t n;             /* GATHER: floats of this input, x                     */
  int64_t at;            /* GATHER: floats of the inputs before it              */
  int64_t total;         /* GATHER: floats of all inputs                        */
} BnKernelArgs;

/* X (number, name), for bn_kernel_name: in the order of BnNnOpKind, then what it does not have. */
#define BN_KERNELS(X)                                                                                               \
  X (MATMUL, matmul)                                                                                                \
  X (BIAS_ACT, bias_act)                                                                                            \
  X (NORM, norm)                                                                                                    \
  X (ADD, add)                                                                                                      \
  X (ATTENTION, attention)                                                                                          \
  X (PATCHES, patches)                                                                                              \
  X (LSTM_CELL, lstm_cell)                                                                                          \
  X (FOLD, fold)                                                                                                    \
  X (GATHER, gather)

typedef enum
{
#define BN_KERNEL_NUMBER(number, name) BN_KERNEL_##number,
  BN_KERNELS (BN_KERNEL_NUMBER)
#undef BN_KERNEL_NUMBER
  BN_N_KERNELS
} BnKernel;

/* Threads of a block, by kernel. */
#define BN_BLOCK_THREADS 256        /* one thread an element, or a few               */
#define BN_ROW_THREADS 128          /* NORM, ATTENTION: a block a row                */

/* MATMUL: a block of BN_BLOCK_THREADS = BN_TILE_ROWS x BN_TILE_INNER makes a tile of y; 4 elements
 * a thread. */
#define BN_TILE_ROWS 16
#define BN_TILE_COLS 64
#define BN_TILE_INNER 16

/* ATTENTION: rows it can have. */
#define BN_ATTENTION_ROWS 1024

#endif
