/* layout.h: where models lie in the memories of a modelled machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A real backend's memory is an arena (arena.h): where there are enough bytes for a model but no
 * hole, others are moved first, which can take longer than the load itself. The model of a machine
 * that was measured keeps the same arenas, and so knows when that happens and how much is moved.
 * Left out: models in use stay where they are, and models that were there from the start.
 */
#ifndef BN_LAYOUT_H
#define BN_LAYOUT_H

#include "platform.h"
#include "workflow.h"

typedef struct BnLayout BnLayout;

/* Both are borrowed. */
BnLayout *bn_layout_new (const BnPlatform *platform, const BnCatalogue *catalogue);
void bn_layout_free (BnLayout *layout);

/* A model comes. Returns: the bytes of others that are moved for it. O(models there). */
int64_t bn_layout_put (BnLayout *layout, uint32_t worker, uint32_t model);
/* It goes; nothing where it was not put. */
void bn_layout_take_out (BnLayout *layout, uint32_t worker, uint32_t model);

#endif
