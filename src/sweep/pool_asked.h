/* pool_asked.h: what the runs of units are known by.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Knowing takes reading a scenario, with its catalogue and its trace, so it is read once
 * for a series of units that differ in their seed only, and keys of units are remembered.
 */
#ifndef BN_POOL_ASKED_H
#define BN_POOL_ASKED_H

#include "unit.h"

typedef struct BnPoolAsked BnPoolAsked;

BnPoolAsked *bn_pool_asked_new (void);
void bn_pool_asked_free (BnPoolAsked *asked);

/* The runs of these units, in order, variants in theirs; `unit` is the place in `units`.
 * Texts are owned by `asked` and by the units. With `n_shards` > 1 units have shards. NULL
 * with `error` set, which names the unit, where a scenario cannot be read.
 * Returns: (transfer full): of BnAskedRun. */
GArray *bn_pool_asked_runs (BnPoolAsked *asked, BnUnit *const *units, guint n_units, guint n_shards, GError **error);

#endif
