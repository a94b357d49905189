/* pace.h: how long a copy takes at least where copies are paced.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A machine's memory is much faster than the links that a scenario describes. With
 * settings->paced a copy is made as fast as memory goes, and the run hears of its end when
 * the scenario's link would be through: so loads and transfers weigh as much beside
 * executions as they do there.
 */
#ifndef BN_PACE_H
#define BN_PACE_H

#include "backend.h"

/* Of LOAD and EVICT what the worker's PCIe takes, of TRANSFER between servers, or from the client, what
 * network and PCIe take; 0 for all else: within a server nothing is known of links. */
BnDuration bn_pace_ns (const BnCost *cost, const BnOp *op);

/* When the run may hear of the end of a copy, scratch[0] being when it began: 0 unless they are paced. */
BnTime bn_paced_end (const BnBackendSettings *settings, const BnCost *cost, const BnOp *op);

#endif
