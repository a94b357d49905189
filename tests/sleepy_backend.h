/* sleepy_backend.h: a backend on the wall clock that does nothing but take its time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Threads sleep as long as the cost model says and complete. For tests of the
 * run's loop: what backends compute is tested elsewhere. One run at a time.
 */
#ifndef BN_TEST_SLEEPY_BACKEND_H
#define BN_TEST_SLEEPY_BACKEND_H

#include "backend.h"

typedef struct SleepyScript
{
  uint32_t mute_run;        /* the n-th execution, from 1, hangs until it is woken; 0: none does   */
  uint32_t fail_load;       /* the n-th load fails; 0: none                                       */
  uint32_t mute_load;       /* the n-th load is never answered; 0: all are                        */
  BnDuration pace_ns;       /* transfers complete at once, to be heard of so long after the start */
} SleepyScript;

/* For the runs that follow, borrowed. */
void sleepy_backend_set (const SleepyScript *script);

/* Since the last set. */
uint32_t sleepy_backend_loads (void);
uint32_t sleepy_backend_jobs_over (void);
bool sleepy_backend_was_abandoned (void);

/* The execution that hangs goes on, and the threads of the backend, which was abandoned, work off what they have
 * begun, with all that a backend may use. Waits until the last one has ended, for a minute at most. Returns:
 * whether it has. */
bool sleepy_backend_wake_and_wait (void);

extern const BnBackend sleepy_backend;

#endif
