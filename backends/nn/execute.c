/* execute.c: the operations of a net on the CPU.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "arith.h"
#include "matmul.h"
#include "panic.h"

/* Partial sums of a long sum, so that its additions need not wait for each other; fixed,
 * as it decides how a sum is rounded. */
enum
{
  N_LANES = 16
};

static float
sum_lanes (const float lanes[N_LANES])
{
  float sum = 0.0f;

  for (int i = 0; i < N_LANES; i++)
    sum += lanes[i];
  return sum;
}

static float
sum (const float *x, size_t n)
{
  float lanes[N_LANES] = { 0 };
  size_t i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    for (size_t k = 0; k < N_LANES; k++)
      lanes[k] += x[i + k];
  for (size_t k = 0; i + k < n; k++)
    lanes[k] += x[i + k];
  return sum_lanes (lanes);
}

static float
sum_of_squares (const float *x, size_t n, float mean)
{
  float lanes[N_LANES] = { 0 };
  size_t i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    for (size_t k = 0; k < N_LANES; k++)
      lanes[k] += (x[i + k] - mean) * (x[i + k] - mean);
  for (size_t k = 0; i + k < n; k++)
    lanes[k] += (x[i + k] - mean) * (x[i + k] - mean);
  return sum_lanes (lanes);
}

static void
norm_row (const float *x, size_t n, const float *w, const float *v, float *y)
{
  float mean = sum (x, n) / (float) n;
  float scale = 1.0f / sqrtf (sum_of_squares (x, n, mean) / (float) n + 1e-5f);

  if (w)
    {
#pragma omp simd
      for (size_t j = 0; j < n; j++)
        y[j] = (x[j] - mean) * scale * w[j] + v[j];
    }
  else
    {
#pragma omp simd
      for (size_t j = 0; j < n; j++)
        y[j] = (x[j] - mean) * scale;
    }
}

static void
activate (BnNnActivation activation, size_t n, float *y)
{
  switch (activation)
    {
    case BN_NN_LINEAR:
      return;
    case BN_NN_RELU:
#pragma omp simd
      for (size_t j = 0; j < n; j++)
        y[j] = bn_nn_relu (y[j]);
      return;
    case BN_NN_TANH:
#pragma omp simd
      for (size_t j = 0; j < n; j++)
        y[j] = bn_nn_tanh (y[j]);
      return;
    case BN_NN_GELU:
#pragma omp simd
      for (size_t j = 0; j < n; j++)
        y[j] = bn_nn_gelu (y[j]);
      return;
    }
  BN_ASSERT (!"a known activation");
}

static void
bias_act_row (BnNnActivation activation, const float *x, size_t n, const float *w, float *y)
{
  if (w)
    {
#pragma omp simd
      for (size_t j = 0; j < n; j++)
        y[j] = x[j] + w[j];
    }
  else if (y != x)
    memcpy (y, x, n * sizeof *y);
  activate (activation, n, y);
}

static void
add (const float *x, float scale, const float *z, size_t n, float *y)
{
#pragma omp simd
  for (size_t j = 0; j < n; j++)
    y[j] = x[j] * scale + z[j];
}

/* scores[0 .. rows-1] of one query: softmax over q k^T / sqrt (size). `stride` from row to row. */
static void
attention_scores (const float *q, const float *keys, size_t rows, size_t stride, size_t size, float *scores)
{
  float inverse_root = 1.0f / sqrtf ((float) size), greatest = -INFINITY, total = 0.0f;

  for (size_t i = 0; i < rows; i++)
    {
      const float *k = keys + i * stride;
      float dot = 0.0f;
#pragma omp simd reduction (+ : dot)
      for (size_t j = 0; j < size; j++)
        dot += q[j] * k[j];
      scores[i] = dot * inverse_root;
      greatest = scores[i] > greatest ? scores[i] : greatest;
    }
  for (size_t i = 0; i < rows; i++)
    {
      scores[i] = expf (scores[i] - greatest);
      total += scores[i];
    }
  for (size_t i = 0; i < rows; i++)
    scores[i] /= total;
}

static void
attention (const BnNnOp *op, const float *x, float *y)
{
  size_t rows = op->rows, cols = op->cols, size = cols / op->inner, stride = 3 * cols;
  float scores[BN_NN_ROWS];

  BN_ASSERT (rows <= BN_NN_ROWS);
  for (size_t head = 0; head < op->inner; head++)
    for (size_t i = 0; i < rows; i++)
      {
        const float *q = x + i * stride + head * size;
        const float *values = x + 2 * cols + head * size;
        float *out = y + i * cols + head * size;

        attention_scores (q, x + cols + head * size, rows, stride, size, scores);
        memset (out, 0, size * sizeof *out);
        for (size_t k = 0; k < rows; k++)
          {
            const float *value = values + k * stride;
#pragma omp simd
            for (size_t j = 0; j < size; j++)
              out[j] += scores[k] * value[j];
          }
      }
}

/* Row by row, the neighbours from the upper left to the lower right. */
static void
patches (const BnNnOp *op, const float *x, float *y)
{
  int side = (int) op->inner;
  size_t cols = op->cols;

  for (int row = 0; row < side; row++)
    for (int col = 0; col < side; col++)
      for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++, y += cols)
          {
            int r = row + dr, c = col + dc;
            if (r < 0 || r >= side || c < 0 || c >= side)
              memset (y, 0, cols * sizeof *y);
            else
              memcpy (y, x + (size_t) (r * side + c) * cols, cols * sizeof *y);
          }
}

static void
lstm_cell_row (const float *gates, const float *w, size_t n, float *cell, float *y)
{
#pragma omp simd
  for (size_t j = 0; j < n; j++)
    {
      float i = bn_nn_sigmoid (gates[j] + w[j]);
      float f = bn_nn_sigmoid (gates[n + j] + w[n + j]);
      float g = bn_nn_tanh (gates[2 * n + j] + w[2 * n + j]);
      float o = bn_nn_sigmoid (gates[3 * n + j] + w[3 * n + j]);
      cell[j] = f * cell[j] + i * g;
      y[j] = o * bn_nn_tanh (cell[j]);
    }
}

static void
fold (const float *w, int64_t n, float scale, int64_t n_places, float *y)
{
  for (int64_t at = 0; at < n; at += n_places)
    {
      int64_t stretch = n - at < n_places ? n - at : n_places;
#pragma omp simd
      for (int64_t i = 0; i < stretch; i++)
        y[i] += w[at + i] * scale;
    }
}

static void
execute_op (const BnNnOp *op, BnNnMatmul how, const float *weights, float *workspace)
{
  const float *x = op->x < 0 ? NULL : workspace + op->x;
  const float *w = op->w < 0 ? NULL : weights + op->w;
  const float *v = op->v < 0 ? NULL : weights + op->v;
  float *y = workspace + op->y;
  float *z = op->z < 0 ? NULL : workspace + op->z;
  size_t cols = op->cols;

  switch (op->kind)
    {
    case BN_NN_MATMUL:
      if (z && z != y)
        memcpy (y, z, op->rows * cols * sizeof *y);
      bn_matmul (how, op->rows, op->cols, op->inner, x, w, z != NULL, y);
      return;
    case BN_NN_BIAS_ACT:
      for (size_t i = 0; i < op->rows; i++)
        bias_act_row (op->activation, x + i * cols, cols, w, y + i * cols);
      return;
    case BN_NN_NORM:
      for (size_t i = 0; i < op->rows; i++)
        norm_row (x + i * cols, cols, w, v, y + i * cols);
      return;
    case BN_NN_ADD:
      add (x, op->scale, z, op->rows * cols, y);
      return;
    case BN_NN_ATTENTION:
      attention (op, x, y);
      return;
    case BN_NN_PATCHES:
      patches (op, x, y);
      return;
    case BN_NN_LSTM_CELL:
      for (size_t i = 0; i < op->rows; i++)
        lstm_cell_row (x + 4 * i * cols, w, cols, z + i * cols, y + i * cols);
      return;
    case BN_NN_FOLD:
      fold (w, op->inner, op->scale, (int64_t) (op->rows * cols), y);
      return;
    }
  BN_ASSERT (!"a known operation");
}

void
bn_nn_execute (const BnNet *net, BnNnMatmul matmul, const float *weights, uint32_t passes, float *workspace)
{
  for (uint32_t pass = 0; pass < passes; pass++)
    for (uint32_t i = 0; i < net->n_ops; i++)
      execute_op (&net->ops[i], matmul, weights, workspace);
}
