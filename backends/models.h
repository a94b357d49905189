/* models.h: the nets of a catalogue's models, and their weights in host memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Immutable once made: any number of threads may read it.
 */
#ifndef BN_MODELS_H
#define BN_MODELS_H

#include <glib.h>

#include "nn.h"

typedef struct BnModels
{
  const BnCatalogue *catalogue;  /* borrowed */
  BnNet **nets;                  /* [n_models + 1], the last one of tasks without a model */
  float **weights;               /* [n_models]; NULL until made                           */
  int64_t workspace_floats;      /* enough for every net                                  */
  int64_t weights_bytes;         /* of all models together                                */
} BnModels;

/* Nets without weights. */
BnModels *bn_models_new (const BnCatalogue *catalogue);

/* Makes all weights, on as many threads as there are processors, or as there can be. Returns: TRUE, or FALSE
 * with `error` set where memory does not suffice. */
gboolean bn_models_make_weights (BnModels *models, GError **error);

void bn_models_free (BnModels *models);

/* `model` may be BN_NONE. */
static inline const BnNet *
bn_models_net (const BnModels *models, int32_t model)
{
  return models->nets[model == BN_NONE ? (int32_t) models->catalogue->n_models : model];
}

#endif
