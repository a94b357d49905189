/* layers.c: which operations and weights each layer type is made of.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Every layer but the LSTM's adds to a stream x of ROWS x width, which the state's first
 * matrix is: x = x + f (norm x). A matrix is drawn with variance gain^2 / inner, so that what
 * f adds is smaller than the stream, whatever the width.
 */
#include "layers.h"

#include <math.h>

/* The stream, at the start of the workspace. */
enum
{
  STREAM = 0
};

static int64_t
matrix (BnNetBuilder *b, uint32_t inner, uint32_t cols, float gain)
{
  return bn_builder_weights (b, (int64_t) inner * cols, 0.0f, gain * sqrtf (3.0f / (float) inner));
}

static int64_t
bias (BnNetBuilder *b, uint32_t cols)
{
  return bn_builder_weights (b, cols, 0.0f, 0.2f);
}

/* y = x w, and z if that is not -1. */
static void
matmul (BnNetBuilder *b, int64_t x, uint32_t inner, uint32_t cols, float gain, int64_t z, int64_t y)
{
  bn_builder_op (b, (BnNnOp) { .kind = BN_NN_MATMUL, .rows = BN_NN_ROWS, .cols = cols, .inner = inner, .x = x,
                               .y = y, .z = z, .w = matrix (b, inner, cols, gain), .v = -1 });
}

static void
bias_act (BnNetBuilder *b, int64_t x, uint32_t cols, BnNnActivation activation)
{
  bn_builder_op (b, (BnNnOp) { .kind = BN_NN_BIAS_ACT, .activation = activation, .rows = BN_NN_ROWS, .cols = cols,
                               .x = x, .y = x, .z = -1, .w = bias (b, cols), .v = -1 });
}

static void
norm (BnNetBuilder *b, int64_t x, uint32_t cols, int64_t y)
{
  int64_t scales = bn_builder_weights (b, cols, 1.0f, 0.2f);

  bn_builder_op (b, (BnNnOp) { .kind = BN_NN_NORM, .rows = BN_NN_ROWS, .cols = cols, .x = x, .y = y, .z = -1,
                               .w = scales, .v = bias (b, cols) });
}

static uint32_t
one_matrix (uint32_t depth G_GNUC_UNUSED)
{
  return 1;
}

/* ---- burn: x = norm (x + x w) ---- */

static int64_t
burn_weights (int64_t width)
{
  return width * width;
}

static void
burn_build (BnNetBuilder *b, uint32_t depth, uint32_t width)
{
  int64_t sum = bn_builder_space (b, (int64_t) BN_NN_ROWS * width);

  for (uint32_t i = 0; i < depth; i++)
    {
      matmul (b, STREAM, width, width, 0.5f, STREAM, sum);
      bn_builder_op (b, (BnNnOp) { .kind = BN_NN_NORM, .rows = BN_NN_ROWS, .cols = width, .x = sum, .y = STREAM,
                                   .z = -1, .w = -1, .v = -1 });
    }
}

/* ---- mlp: x = x + gelu (norm (x) w + b) * 0.6 ---- */

static int64_t
mlp_weights (int64_t width)
{
  return width * width + 3 * width;
}

static void
mlp_build (BnNetBuilder *b, uint32_t depth, uint32_t width)
{
  int64_t normed = bn_builder_space (b, (int64_t) BN_NN_ROWS * width);
  int64_t hidden = bn_builder_space (b, (int64_t) BN_NN_ROWS * width);

  for (uint32_t i = 0; i < depth; i++)
    {
      norm (b, STREAM, width, normed);
      matmul (b, normed, width, width, 1.0f, -1, hidden);
      bias_act (b, hidden, width, BN_NN_GELU);
      bn_builder_op (b, (BnNnOp) { .kind = BN_NN_ADD, .rows = BN_NN_ROWS, .cols = width, .scale = 0.6f, .x = hidden,
                                   .z = STREAM, .y = STREAM, .w = -1, .v = -1 });
    }
}

/* ---- conv: x = x + relu (conv3x3 (norm (x)) + b) * 0.6, on an image of 4 x 4 points ---- */

enum
{
  IMAGE_SIDE = 4
};
G_STATIC_ASSERT (IMAGE_SIDE * IMAGE_SIDE == BN_NN_ROWS);

static int64_t
conv_weights (int64_t width)
{
  return 9 * width * width + 3 * width;
}

static void
conv_build (BnNetBuilder *b, uint32_t depth, uint32_t width)
{
  int64_t normed = bn_builder_space (b, (int64_t) BN_NN_ROWS * width);
  int64_t patches = bn_builder_space (b, (int64_t) BN_NN_ROWS * 9 * width);
  int64_t hidden = bn_builder_space (b, (int64_t) BN_NN_ROWS * width);

  for (uint32_t i = 0; i < depth; i++)
    {
      norm (b, STREAM, width, normed);
      bn_builder_op (b, (BnNnOp) { .kind = BN_NN_PATCHES, .rows = BN_NN_ROWS, .cols = width, .inner = IMAGE_SIDE,
                                   .x = normed, .y = patches, .z = -1, .w = -1, .v = -1 });
      matmul (b, patches, 9 * width, width, 1.0f, -1, hidden);
      bias_act (b, hidden, width, BN_NN_RELU);
      bn_builder_op (b, (BnNnOp) { .kind = BN_NN_ADD, .rows = BN_NN_ROWS, .cols = width, .scale = 0.6f, .x = hidden,
                                   .z = STREAM, .y = STREAM, .w = -1, .v = -1 });
    }
}

/* ---- lstm: a pass is one step in time of BN_NN_ROWS sequences; what the top layer said is the next
   step's input. State: the top layer's h, the other layers' h from the lowest, every layer's c. ---- */

static uint32_t
lstm_n_state (uint32_t depth)
{
  return 2 * depth;
}

static int64_t
lstm_weights (int64_t width)
{
  return 8 * width * width + 4 * width;
}

static void
lstm_build (BnNetBuilder *b, uint32_t depth, uint32_t width)
{
  int64_t matrix_floats = (int64_t) BN_NN_ROWS * width;
  int64_t gates = bn_builder_space (b, 4 * matrix_floats);
  int64_t x = STREAM;

  for (uint32_t i = 0; i < depth; i++)
    {
      int64_t h = i + 1 == depth ? STREAM : (i + 1) * matrix_floats, c = (depth + i) * matrix_floats;
      matmul (b, x, width, 4 * width, 0.7f, -1, gates);
      matmul (b, h, width, 4 * width, 0.7f, gates, gates);
      bn_builder_op (b, (BnNnOp) { .kind = BN_NN_LSTM_CELL, .rows = BN_NN_ROWS, .cols = width, .x = gates, .y = h,
                                   .z = c, .w = bias (b, 4 * width), .v = -1 });
      x = h;
    }
}

/* ---- transformer: x = x + attention (norm (x)) w + b; x = x + gelu (norm (x) w + b) w + b ---- */

enum
{
  N_HEADS = 8
};

static int64_t
transformer_weights (int64_t width)
{
  return 12 * width * width + 13 * width;
}

static void
transformer_build (BnNetBuilder *b, uint32_t depth, uint32_t width)
{
  int64_t normed = bn_builder_space (b, (int64_t) BN_NN_ROWS * width);
  int64_t hidden = bn_builder_space (b, (int64_t) BN_NN_ROWS * 4 * width);

  for (uint32_t i = 0; i < depth; i++)
    {
      norm (b, STREAM, width, normed);
      matmul (b, normed, width, 3 * width, 1.0f, -1, hidden);
      bias_act (b, hidden, 3 * width, BN_NN_LINEAR);
      bn_builder_op (b, (BnNnOp) { .kind = BN_NN_ATTENTION, .rows = BN_NN_ROWS, .cols = width, .inner = N_HEADS,
                                   .x = hidden, .y = normed, .z = -1, .w = -1, .v = -1 });
      matmul (b, normed, width, width, 0.5f, STREAM, STREAM);
      bias_act (b, STREAM, width, BN_NN_LINEAR);
      norm (b, STREAM, width, normed);
      matmul (b, normed, width, 4 * width, 1.0f, -1, hidden);
      bias_act (b, hidden, 4 * width, BN_NN_GELU);
      matmul (b, hidden, 4 * width, width, 0.5f, STREAM, STREAM);
      bias_act (b, STREAM, width, BN_NN_LINEAR);
    }
}

const BnLayerType bn_layer_types[] = {
  [BN_LAYERS_BURN] = { 8, one_matrix, burn_weights, burn_build },
  [BN_LAYERS_MLP] = { 8, one_matrix, mlp_weights, mlp_build },
  [BN_LAYERS_CONV] = { 4, one_matrix, conv_weights, conv_build },
  [BN_LAYERS_LSTM] = { 8, lstm_n_state, lstm_weights, lstm_build },
  [BN_LAYERS_TRANSFORMER] = { N_HEADS, one_matrix, transformer_weights, transformer_build },
};
