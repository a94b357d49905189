/* invariants.h: the probe that checks every task of every run in memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Whatever is recorded, these are checked: times in order and none negative, no
 * task before its inputs, no more tasks on a worker than slots, resident bytes
 * within capacity, every model within its GPU, every task of a finished job done
 * once, on a worker that exists, its access counted once, and the run's totals
 * equal to a count. What needs the database is in rules.h.
 */
#ifndef BN_INVARIANTS_H
#define BN_INVARIANTS_H

#include <glib.h>

#include "probe.h"

typedef struct BnInvariants BnInvariants;

/* The catalogue is borrowed. */
BnInvariants *bn_invariants_new (const BnPlatform *platform, const BnCatalogue *catalogue);
void bn_invariants_free (BnInvariants *invariants);

/* Returns: (transfer none): copy the table into the run's array of probes. */
const BnProbe *bn_invariants_probe (BnInvariants *invariants);

int64_t bn_invariants_violations (const BnInvariants *invariants);

/* Tasks that were checked: 0 violations of nothing is no news. */
int64_t bn_invariants_tasks_checked (const BnInvariants *invariants);

/* The first violations, one a line without line end, at most BN_INVARIANTS_MESSAGES.
 * Returns: (transfer none) (element-type utf8). */
#define BN_INVARIANTS_MESSAGES 10
const GPtrArray *bn_invariants_messages (const BnInvariants *invariants);

#endif
