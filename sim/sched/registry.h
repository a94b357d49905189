/* registry.h: every scheduler, one line each.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_SCHED_REGISTRY_H
#define BN_SCHED_REGISTRY_H

#include "scheduler.h"

/* NULL-terminated, in the order in which lists print them. */
extern const BnScheduler *const bn_schedulers[];

#endif
