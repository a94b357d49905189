/* net.c: a net of a model's size: how deep and wide it is, and what frames its layers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "layers.h"

enum
{
  MIN_DEPTH = 2,
  MAX_DEPTH = 8,
  MIN_WIDTH = 16,
  /* a net is no deeper than its width over this: small ones are not all overhead */
  MIN_WIDTH_PER_DEPTH = 8,
  /* of nets without matrices: tasks without a model, and models too small for any */
  BARE_WIDTH = 64
};

/* How much of what a pass starts from is what the last one left, to one part of the copy. */
#define STATE_SHARE 0.5f

int64_t
bn_builder_space (BnNetBuilder *builder, int64_t n)
{
  int64_t at = builder->workspace_floats;

  builder->workspace_floats += n;
  return at;
}

int64_t
bn_builder_weights (BnNetBuilder *builder, int64_t n, float mean, float half_range)
{
  BnNnInit init = { builder->n_weights, n, mean, half_range };

  g_array_append_val (builder->inits, init);
  builder->n_weights += n;
  return init.at;
}

void
bn_builder_op (BnNetBuilder *builder, BnNnOp op)
{
  g_array_append_val (builder->ops, op);
}

/* The widest layers of which `depth` have no more than n weights; 0 where even MIN_WIDTH has more. */
static uint32_t
widest (const BnLayerType *type, uint32_t depth, int64_t n)
{
  uint32_t low = MIN_WIDTH / type->granule - 1, high = 1;

  while (type->n_weights ((int64_t) high * type->granule) * depth <= n)
    high *= 2;
  while (low + 1 < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (type->n_weights ((int64_t) middle * type->granule) * depth <= n)
        low = middle;
      else
        high = middle;
    }
  return low * type->granule < MIN_WIDTH ? 0 : low * type->granule;
}

/* The depth whose layers take most of n weights, the deeper one of equals. Returns: the width,
 * or 0 where there is no room for two layers. */
static uint32_t
choose_shape (const BnLayerType *type, int64_t n, uint32_t *depth)
{
  uint32_t best = 0;
  int64_t taken = 0;

  for (uint32_t d = MAX_DEPTH; d >= MIN_DEPTH; d--)
    {
      uint32_t width = widest (type, d, n);
      if (width >= MIN_WIDTH_PER_DEPTH * d && type->n_weights (width) * d > taken)
        {
          taken = type->n_weights (width) * d;
          best = width;
          *depth = d;
        }
    }
  return best;
}

/* The weights that no matrix has room for, added to the result: about half of its size where
 * they are as many as its floats. */
static void
fold (BnNetBuilder *b, uint32_t width, int64_t n)
{
  float per_float = (float) n / (BN_NN_ROWS * (float) width);
  float scale = 0.5f / sqrtf (per_float < 1.0f ? 1.0f : per_float);

  bn_builder_op (b, (BnNnOp) { .kind = BN_NN_FOLD, .rows = BN_NN_ROWS, .cols = width, .inner = (uint32_t) n,
                               .scale = scale, .x = -1, .y = 0, .z = -1,
                               .w = bn_builder_weights (b, n, 0.0f, 1.7f), .v = -1 });
}

static double
op_flops (const BnNnOp *op)
{
  double elements = (double) op->rows * op->cols;

  switch (op->kind)
    {
    case BN_NN_MATMUL:
      return 2.0 * elements * op->inner;
    case BN_NN_ATTENTION:
      return 4.0 * elements * op->rows + BN_NN_FLOPS_PER_ELEMENT * elements;
    case BN_NN_PATCHES:
      return 9.0 * BN_NN_FLOPS_PER_ELEMENT * elements;
    case BN_NN_FOLD:
      return (double) BN_NN_FLOPS_PER_ELEMENT * op->inner;
    default:
      return BN_NN_FLOPS_PER_ELEMENT * elements;
    }
}

static BnNet *
finish (BnNetBuilder *b, BnLayers layers, int64_t state_floats)
{
  BnNet *net = g_new0 (BnNet, 1);

  net->layers = layers;
  net->n_weights = b->n_weights;
  net->state_floats = state_floats;
  net->workspace_floats = b->workspace_floats;
  for (guint i = 0; i < b->ops->len; i++)
    net->flops += op_flops (&g_array_index (b->ops, BnNnOp, i));
  net->n_ops = b->ops->len;
  net->n_inits = b->inits->len;
  net->ops = (const BnNnOp *) g_array_free (b->ops, FALSE);
  net->inits = (const BnNnInit *) g_array_free (b->inits, FALSE);
  return net;
}

BnNet *
bn_net_new (const BnModel *model)
{
  BnLayers layers = model ? model->layers : BN_LAYERS_BURN;
  const BnLayerType *type = &bn_layer_types[layers];
  int64_t n = model ? model->size_bytes / (int64_t) sizeof (float) : 0;
  BnNetBuilder b = { .ops = g_array_new (FALSE, FALSE, sizeof (BnNnOp)),
                     .inits = g_array_new (FALSE, FALSE, sizeof (BnNnInit)) };
  uint32_t depth = 0;
  uint32_t width = choose_shape (type, n, &depth);
  bool bare = width == 0;

  if (bare)
    width = BARE_WIDTH;
  uint32_t rows = BN_NN_ROWS * (bare ? 1 : type->n_state (depth));
  int64_t state_floats = (int64_t) rows * width;
  int64_t state = bn_builder_space (&b, state_floats), copy = bn_builder_space (&b, state_floats);
  bn_builder_op (&b, (BnNnOp) { .kind = BN_NN_ADD, .rows = rows, .cols = width, .scale = STATE_SHARE,
                                .x = state, .z = copy, .y = state, .w = -1, .v = -1 });
  bn_builder_op (&b, (BnNnOp) { .kind = BN_NN_NORM, .rows = rows, .cols = width, .x = state, .y = state, .z = -1,
                                .w = -1, .v = -1 });
  if (bare)
    bn_builder_op (&b, (BnNnOp) { .kind = BN_NN_BIAS_ACT, .activation = BN_NN_TANH, .rows = rows, .cols = width,
                                  .x = state, .y = state, .z = -1, .w = -1, .v = -1 });
  else
    type->build (&b, depth, width);
  if (b.n_weights < n)
    fold (&b, width, n - b.n_weights);
  bn_builder_op (&b, (BnNnOp) { .kind = BN_NN_NORM, .rows = BN_NN_ROWS, .cols = width, .x = state, .y = state,
                                .z = -1, .w = -1, .v = -1 });
  return finish (&b, layers, state_floats);
}

void
bn_net_free (BnNet *net)
{
  if (!net)
    return;
  g_free ((BnNnOp *) net->ops);
  g_free ((BnNnInit *) net->inits);
  g_free (net);
}

uint32_t
bn_net_passes (const BnNet *net, BnDuration work_ns)
{
  double passes = (double) work_ns / (double) BN_NS_PER_S * BN_NN_NOMINAL_FLOPS_PER_S / net->flops;

  return passes <= 1.0 ? 1 : passes >= (double) UINT32_MAX ? UINT32_MAX : (uint32_t) (passes + 0.5);
}
