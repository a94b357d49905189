/* wall.h: the wall clock of one run, and what wakes its loop.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A run on a real backend sleeps until one of three things: its next timer, an
 * operation that a backend's thread has completed, a poke. All are one GSource on a
 * GMainContext of its own: a timerfd, which unlike a poll timeout counts nanoseconds, and
 * an eventfd. Nothing polls.
 *
 * Knows of operations only that they can be put in a line.
 */
#ifndef BN_WALL_H
#define BN_WALL_H

#include <glib.h>

#include "backend.h"

typedef struct BnWall BnWall;

/* NULL with `error` set where the system gives no timerfd or eventfd. The clock stands at 0. */
BnWall *bn_wall_new (GError **error);
void bn_wall_free (BnWall *wall);

/* Time 0 is now. Call before other threads read the clock. */
void bn_wall_start (BnWall *wall);

/* CLOCK_MONOTONIC since the start; 0 before. Any thread. */
BnTime bn_wall_now (const BnWall *wall);

/* CPU time of the calling thread, CLOCK_THREAD_CPUTIME_ID: about 0.3 us a call. */
BnDuration bn_wall_thread_cpu (void);

/* Puts a completed operation in line, stamps it with the clock and wakes the loop. Any thread. */
void bn_wall_push (BnWall *wall, BnOp *op);

/* Takes all that were put in line, as a list through `next` in that order, or NULL. */
BnOp *bn_wall_take (BnWall *wall);

/* Wakes the loop for no reason of its own. Any thread, and signal handlers. */
void bn_wall_poke (BnWall *wall);

/* Sleeps until something is in line, somebody pokes or has poked since the last wait, or the
 * clock has reached `until_ns` (BN_TIME_NEVER: no timer). */
void bn_wall_wait (BnWall *wall, BnTime until_ns);

#endif
