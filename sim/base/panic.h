/* panic.h: what a broken promise of our own looks like.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * BN_ASSERT guards what can only be false through a defect of this program. A
 * failed one ends the process with the place, the condition and, where a run is
 * under way on this thread, its simulated time, event, seed and the command that
 * repeats it. Wrong input is never an assertion: that is a GError.
 */
#ifndef BN_PANIC_H
#define BN_PANIC_H

#include <stdint.h>

#include "bn.h"

/* What a run keeps up to date for the case that something breaks. */
typedef struct BnPanicContext
{
  BnTime now_ns;
  uint64_t event;           /* number of the event being handled */
  uint64_t seed;
  const char *scheduler;
  const char *repeat_command;  /* or NULL */
} BnPanicContext;

/* Sets this thread's context (borrowed until replaced) and returns the one that
 * was there, to be put back. The only state in the libraries that is not in an
 * object: a failing assertion has no argument to find it by. */
const BnPanicContext *bn_panic_enter (const BnPanicContext *context);

_Noreturn void bn_panic (const char *file, int line, const char *function, const char *condition);

#define BN_ASSERT(condition)                                                                                        \
  do                                                                                                                \
    {                                                                                                               \
      if (__builtin_expect (!(condition), 0))                                                                       \
        bn_panic (__FILE__, __LINE__, __func__, #condition);                                                        \
    }                                                                                                               \
  while (0)

#endif
