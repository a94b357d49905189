/* layers.h: which operations and weights each layer type is made of.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A stack is `depth` layers of one width over BN_NN_ROWS rows. What comes before and
 * behind it, the copy, norms and the weights that are left over, is net.c's.
 */
#ifndef BN_LAYERS_H
#define BN_LAYERS_H

#include <glib.h>

#include "nn.h"

/* A net under construction. Places of weights and workspace are given out in order. */
typedef struct BnNetBuilder
{
  GArray *ops;              /* of BnNnOp   */
  GArray *inits;            /* of BnNnInit */
  int64_t n_weights;        /* given out   */
  int64_t workspace_floats; /* given out   */
} BnNetBuilder;

/* n floats of the workspace. Returns: where. */
int64_t bn_builder_space (BnNetBuilder *builder, int64_t n);
/* n weights of this mean and half range. Returns: where. */
int64_t bn_builder_weights (BnNetBuilder *builder, int64_t n, float mean, float half_range);
void bn_builder_op (BnNetBuilder *builder, BnNnOp op);

typedef struct BnLayerType
{
  /* A width is a multiple of this. */
  uint32_t granule;
  /* Matrices of BN_NN_ROWS x width that a stack keeps from pass to pass: the state. */
  uint32_t (*n_state) (uint32_t depth);
  /* Weights of one layer. */
  int64_t (*n_weights) (int64_t width);
  /* Appends the stack's operations. The state begins at 0 of the workspace; the first of
     its matrices is what the pass starts from, and what it leaves its result in. */
  void (*build) (BnNetBuilder *builder, uint32_t depth, uint32_t width);
} BnLayerType;

/* By BnLayers. */
extern const BnLayerType bn_layer_types[];

#endif
