/* flaky_backend.h: a real backend with random faults, for soaks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Every operation that a fault does not meet is the real backend's. One run at a time.
 */
#ifndef BN_TEST_FLAKY_BACKEND_H
#define BN_TEST_FLAKY_BACKEND_H

#include "backend.h"

typedef struct FlakyScript
{
  const BnBackend *inner;
  uint64_t seed;
  double p_failed, p_no_memory;  /* of each operation, of each load               */
  uint32_t lose_after;           /* operations, then the device of worker 0 is lost; 0: never */
} FlakyScript;

/* For the runs that follow, borrowed. */
void flaky_backend_set (const FlakyScript *script);

/* Operations that failed since the last set. */
uint32_t flaky_backend_failures (void);

extern const BnBackend flaky_backend;

#endif
