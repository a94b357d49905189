/* ready.h: places a task when it is ready, and looks again when it has come.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What jit and late share, and what the run uses to decide again for schedulers that
 * do not say how. The worker where the last predecessor ended (for an entry task the
 * ingress) chooses the worker of least cost (placer.h).
 */
#ifndef BN_READY_H
#define BN_READY_H

#include "placer.h"

typedef struct BnReady BnReady;

BnReady *bn_ready_new (const BnSchedSetup *setup, const BnPlacerRules *rules);
void bn_ready_free (BnReady *ready);

/* With the rules that `late` has by default. */
BnReady *bn_ready_new_late (const BnSchedSetup *setup);

void bn_ready_forward (BnReady *ready, const BnForwardCall *call);

/* The traits that its rules need. */
uint32_t bn_ready_traits (const BnReady *ready);

/* A scheduler that is nothing but this: its state, and its hooks. Its parameters are
 * the placer's and no others. */
typedef struct BnReadyState
{
  BnReady *ready;
} BnReadyState;

uint32_t bn_ready_hook_init (void *state, const BnSchedSetup *setup);
void bn_ready_hook_fini (void *state);
void bn_ready_hook_place (void *state, const BnPlaceCall *call);
void bn_ready_hook_forward (void *state, const BnForwardCall *call);

/* For the hook `forward` of a scheduler that has a placer of its own. */
void bn_placer_forward (BnPlacer *placer, const BnForwardCall *call);

#endif
