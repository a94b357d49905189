/* kernels.cu: what the GPU computes.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Written in the C that CUDA and a C compiler share: with BN_KERNEL, __shared__,
 * __syncthreads and the indices defined by who includes it, the tests execute this very
 * text on the CPU. Kernels without __syncthreads walk their elements in strides of the
 * whole grid, so any grid will do.
 */
#include "arith.h"
#include "kernels.h"

#ifdef __CUDACC__
#define BN_KERNEL extern "C" __global__
#endif

/* Values of BnNnActivation; nn.h itself is not CUDA. launch.c holds them equal. */
enum
{
  LINEAR,
  RELU,
  TANH,
  GELU
};

BN_DEVICE static inline float
activate (uint32_t activation, float x)
{
  switch (activation)
    {
    case RELU:
      return bn_nn_relu (x);
    case TANH:
      return bn_nn_tanh (x);
    case GELU:
      return bn_nn_gelu (x);
    default:
      return x;
    }
}

/* This thread's place among all of the grid, and how many those are. */
#define FIRST ((int64_t) blockIdx.x * blockDim.x + threadIdx.x)
#define STRIDE ((int64_t) gridDim.x * blockDim.x)

/* y = x w (+ z). The tiles of x and w that a step needs are brought to shared memory by all
 * threads of the block; the sum over `inner` is in rising order. A thread's four elements of y are
 * as far apart as threads of its row are many, so that neighbours read neighbours. */
BN_KERNEL void
bn_kernel_matmul (BnKernelArgs a)
{
  __shared__ float x_tile[BN_TILE_ROWS][BN_TILE_INNER];
  __shared__ float w_tile[BN_TILE_INNER][BN_TILE_COLS];
  const uint32_t t = threadIdx.x;
  const uint32_t tile_row = t / BN_TILE_INNER, tile_col = t % BN_TILE_INNER;
  const int64_t row = (int64_t) blockIdx.y * BN_TILE_ROWS + tile_row;
  const int64_t col = (int64_t) blockIdx.x * BN_TILE_COLS + tile_col;
  float sum[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

  for (uint32_t k = 0; k < a.inner; k += BN_TILE_INNER)
    {
      x_tile[tile_row][tile_col] = row < a.rows && k + tile_col < a.inner ? a.x[row * a.inner + k + tile_col] : 0.0f;
      for (uint32_t i = 0; i < 4; i++)
        {
          int64_t c = col + BN_TILE_INNER * i;
          w_tile[tile_row][tile_col + BN_TILE_INNER * i]
            = k + tile_row < a.inner && c < a.cols ? a.w[(int64_t) (k + tile_row) * a.cols + c] : 0.0f;
        }
      __syncthreads ();
      for (uint32_t j = 0; j < BN_TILE_INNER; j++)
        for (uint32_t i = 0; i < 4; i++)
          sum[i] += x_tile[tile_row][j] * w_tile[j][tile_col + BN_TILE_INNER * i];
      __syncthreads ();
    }
  for (uint32_t i = 0; i < 4; i++)
    {
      int64_t c = col + BN_TILE_INNER * i;
      if (row < a.rows && c < a.cols)
        a.y[row * a.cols + c] = sum[i] + (a.z ? a.z[row * a.cols + c] : 0.0f);
    }
}

BN_KERNEL void
bn_kernel_bias_act (BnKernelArgs a)
{
  for (int64_t i = FIRST; i < (int64_t) a.rows * a.cols; i += STRIDE)
    a.y[i] = activate (a.activation, a.x[i] + (a.w ? a.w[i % a.cols] : 0.0f));
}

/* The sum of every thread's term, for all of them; `sums` may be used again after the next barrier.
 * Some threads add up 16 terms each, then every thread adds up what those have: two barriers. */
BN_DEVICE static inline float
reduce (float *sums, float term)
{
  const uint32_t t = threadIdx.x;
  float sum = 0.0f;

  sums[t] = term;
  __syncthreads ();
  if (t % 16 == 0)
    for (uint32_t i = 1; i < 16; i++)
      sums[t] += sums[t + i];
  __syncthreads ();
  for (uint32_t i = 0; i < BN_ROW_THREADS; i += 16)
    sum += sums[i];
  return sum;
}

/* A block a row. */
BN_KERNEL void
bn_kernel_norm (BnKernelArgs a)
{
  __shared__ float sums[BN_ROW_THREADS];
  const float *x = a.x + (int64_t) blockIdx.x * a.cols;
  float *y = a.y + (int64_t) blockIdx.x * a.cols;
  float term = 0.0f;

  for (uint32_t c = threadIdx.x; c < a.cols; c += BN_ROW_THREADS)
    term += x[c];
  const float mean = reduce (sums, term) / (float) a.cols;
  __syncthreads ();
  term = 0.0f;
  for (uint32_t c = threadIdx.x; c < a.cols; c += BN_ROW_THREADS)
    term += (x[c] - mean) * (x[c] - mean);
  const float factor = 1.0f / sqrtf (reduce (sums, term) / (float) a.cols + 1e-5f);
  for (uint32_t c = threadIdx.x; c < a.cols; c += BN_ROW_THREADS)
    y[c] = (x[c] - mean) * factor * (a.w ? a.w[c] : 1.0f) + (a.v ? a.v[c] : 0.0f);
}

BN_KERNEL void
bn_kernel_add (BnKernelArgs a)
{
  for (int64_t i = FIRST; i < (int64_t) a.rows * a.cols; i += STRIDE)
    a.y[i] = a.x[i] * a.scale + a.z[i];
}

/* A block a query row and head: blockIdx.x the row, blockIdx.y the head. */
BN_KERNEL void
bn_kernel_attention (BnKernelArgs a)
{
  __shared__ float scores[BN_ATTENTION_ROWS];
  __shared__ float sums[BN_ROW_THREADS];
  const uint32_t width = a.cols / a.inner;
  const int64_t row_floats = 3 * (int64_t) a.cols;
  const float *query = a.x + blockIdx.x * row_floats + blockIdx.y * width;
  const float *keys = a.x + a.cols + blockIdx.y * width;
  const float *values = a.x + 2 * (int64_t) a.cols + blockIdx.y * width;
  float *y = a.y + blockIdx.x * (int64_t) a.cols + blockIdx.y * width;
  const float factor = 1.0f / sqrtf ((float) width);

  for (uint32_t r = threadIdx.x; r < a.rows; r += BN_ROW_THREADS)
    {
      float dot = 0.0f;
      for (uint32_t c = 0; c < width; c++)
        dot += query[c] * keys[r * row_floats + c];
      scores[r] = dot * factor;
    }
  __syncthreads ();
  /* every thread finds the largest for itself: rows are few */
  float largest = scores[0];
  for (uint32_t r = 1; r < a.rows; r++)
    largest = scores[r] > largest ? scores[r] : largest;
  __syncthreads ();
  float term = 0.0f;
  for (uint32_t r = threadIdx.x; r < a.rows; r += BN_ROW_THREADS)
    {
      scores[r] = expf (scores[r] - largest);
      term += scores[r];
    }
  const float share = 1.0f / reduce (sums, term);
  for (uint32_t c = threadIdx.x; c < width; c += BN_ROW_THREADS)
    {
      float mix = 0.0f;
      for (uint32_t r = 0; r < a.rows; r++)
        mix += scores[r] * values[r * row_floats + c];
      y[c] = mix * share;
    }
}

BN_KERNEL void
bn_kernel_patches (BnKernelArgs a)
{
  const int64_t side = a.inner, patch = 9 * (int64_t) a.cols;

  for (int64_t i = FIRST; i < (int64_t) a.rows * patch; i += STRIDE)
    {
      int64_t point = i / patch, within = i % patch;
      int64_t row = point / side + within / a.cols / 3 - 1;
      int64_t col = point % side + within / a.cols % 3 - 1;
      bool inside = row >= 0 && row < side && col >= 0 && col < side;
      a.y[i] = inside ? a.x[(row * side + col) * a.cols + within % a.cols] : 0.0f;
    }
}

BN_KERNEL void
bn_kernel_lstm_cell (BnKernelArgs a)
{
  const int64_t cols = a.cols;

  for (int64_t i = FIRST; i < (int64_t) a.rows * cols; i += STRIDE)
    {
      int64_t c = i % cols;
      const float *gates = a.x + i / cols * 4 * cols;
      float in = bn_nn_sigmoid (gates[c] + (a.w ? a.w[c] : 0.0f));
      float forget = bn_nn_sigmoid (gates[cols + c] + (a.w ? a.w[cols + c] : 0.0f));
      float fresh = bn_nn_tanh (gates[2 * cols + c] + (a.w ? a.w[2 * cols + c] : 0.0f));
      float out = bn_nn_sigmoid (gates[3 * cols + c] + (a.w ? a.w[3 * cols + c] : 0.0f));
      a.z[i] = forget * a.z[i] + in * fresh;
      a.y[i] = out * bn_nn_tanh (a.z[i]);
    }
}

/* A thread for each place of y: its terms in rising order. */
BN_KERNEL void
bn_kernel_fold (BnKernelArgs a)
{
  const int64_t places = (int64_t) a.rows * a.cols;

  for (int64_t r = FIRST; r < places; r += STRIDE)
    {
      float sum = a.y[r];
      for (int64_t i = r; i < (int64_t) a.inner; i += places)
        sum += a.w[i] * a.scale;
      a.y[r] = sum;
    }
}

/* One input of n floats, the floats before it being `at` and all together `total`; the last one
 * finishes, and leaves the copy beside the state. Where there are fewer floats than places, they are
 * repeated with other signs; where there are more, each place is a sum, and shrinks by the
 * root of how many. */
BN_KERNEL void
bn_kernel_gather (BnKernelArgs a)
{
  const int64_t places = a.n_places;
  const bool is_last = a.at + a.n == a.total;

  for (int64_t r = FIRST; r < places; r += STRIDE)
    {
      float sum = a.at > 0 ? a.y[r] : 0.0f;
      if (a.total < places)
        {
          int64_t i = r % a.total - a.at;
          if (i >= 0 && i < a.n)
            sum = a.x[i] * bn_nn_repeat_sign (r);
        }
      else
        {
          for (int64_t i = (r + places - a.at % places) % places; i < a.n; i += places)
            sum += a.x[i] * bn_nn_sign (a.at + i);
          if (is_last)
            sum *= 1.0f / sqrtf ((float) ((a.total - r - 1) / places + 1));
        }
      a.y[r] = sum;
      if (is_last && a.z)
        a.z[r] = sum;
    }
}
