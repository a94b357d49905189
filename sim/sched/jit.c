/* jit.c: no plan: each task is placed when it becomes ready.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The worker where its last predecessor ended (for an entry task, the ingress)
 * chooses the worker of least finish. Source: the JIT baseline of the Compass
 * paper; exact rules in doc/cost-model.md.
 */
#include "ready.h"
#include "schedulers.h"

static const BnParamSpec params[] = { BN_PLACER_COMPASS_PARAMS };

const BnScheduler bn_sched_jit = {
  .struct_size = sizeof (BnScheduler),
  .name = "jit",
  .summary = "places each task when it is ready, with queues, transfers and caches",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (BnReadyState),
  .init = bn_ready_hook_init,
  .fini = bn_ready_hook_fini,
  .place = bn_ready_hook_place,
  .forward = bn_ready_hook_forward,
};
