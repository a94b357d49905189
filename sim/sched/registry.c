/* registry.c: every scheduler, one line each.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "registry.h"

#include "schedulers.h"

const BnScheduler *const bn_schedulers[] = {
  &bn_sched_compass,
  &bn_sched_jit,
  &bn_sched_late,
  &bn_sched_heft,
  &bn_sched_hash,
  &bn_sched_random,
  &bn_sched_round_robin,
  &bn_sched_least_loaded,
  &bn_sched_po2,
  &bn_sched_sparrow,
  &bn_sched_pull,
  NULL,
};
