/* lower_bound.h: the lower bounds of a scenario's jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_LOWER_BOUND_H
#define BN_LOWER_BOUND_H

#include "bound.h"
#include "interrupt.h"
#include "scenario.h"

/* Bounds what any of the scenario's variants can reach with this seed; see bound.h.
 * `interrupt`, or NULL, ends it. FALSE with `error` set: G_IO_ERROR_CANCELLED where it
 * was interrupted, else why the arrivals cannot be read. */
gboolean bn_lower_bound (const BnScenario *scenario, guint64 seed, guint steps, BnInterrupt *interrupt, BnBound *ret,
                         GError **error);

#endif
