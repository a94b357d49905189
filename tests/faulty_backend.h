/* faulty_backend.h: the model backend with faults, for tests of what a run does about them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * On the virtual clock, so outcomes are exact. One run at a time.
 */
#ifndef BN_TEST_FAULTY_BACKEND_H
#define BN_TEST_FAULTY_BACKEND_H

#include "backend.h"

/* Operations of a kind, counted from 1 as they are started on one worker (or with BN_NONE on any),
 * complete with `status` from number `first` on, `n` times, `after_ns` after their start. */
typedef struct Fault
{
  BnOpKind kind;
  int32_t worker;
  uint32_t first, n;
  BnOpStatus status;
  BnDuration after_ns;
} Fault;

/* The faults of the runs that follow, borrowed. */
void faulty_backend_set (const Fault *faults, uint32_t n);

/* How often a model was dropped, and how many jobs were over, since the last set. */
uint32_t faulty_backend_drops (void);
uint32_t faulty_backend_jobs_over (void);

extern const BnBackend faulty_backend;

#endif
