/* late.c: places each task as late as can be, by what its worker's order puts before it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * No plan: a task is placed when it is ready, with information that is one row old
 * instead of one job old. FT counts only what goes before the task in the queue's
 * order, a miss is penalised (it costs everybody), and any worker near the least will
 * do, so that decisions made close together spread. The parts that are not placement
 * are options that any scheduler takes; the setting `late` of the list of settings
 * has all of them. Source: ours; measured in doc/studies/beyond.md.
 */
#include "ready.h"
#include "schedulers.h"

#define LATE_PARAMS BN_PLACER_PARAMS (1, 5e6, BN_FT_ORDER, 0.15, 1, 3, 0.5)

static const BnParamSpec params[] = { LATE_PARAMS };

BnReady *
bn_ready_new_late (const BnSchedSetup *setup)
{
  BnPlacerRules rules = { .cache_aware = true };
  BnParamValue values[BN_PLACER_N_PARAMS];

  for (uint32_t i = 0; i < BN_PLACER_N_PARAMS; i++)
    if (params[i].kind == BN_PARAM_REAL)
      values[i].real = params[i].default_value;
    else
      values[i].integer = (int64_t) params[i].default_value;
  bn_placer_read_rules (&rules, values);
  return bn_ready_new (setup, &rules);
}

const BnScheduler bn_sched_late = {
  .struct_size = sizeof (BnScheduler),
  .name = "late",
  .summary = "places each task when it is ready, behind what its worker's order puts before it",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (BnReadyState),
  .init = bn_ready_hook_init,
  .fini = bn_ready_hook_fini,
  .place = bn_ready_hook_place,
  .forward = bn_ready_hook_forward,
};
