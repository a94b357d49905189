/* interrupt.h: Ctrl-C ends a run cleanly, one more the program at once.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * While one exists, and one can at a time, SIGINT, SIGTERM, SIGHUP and SIGQUIT, unless they
 * are ignored, are handed to a thread, which interrupts the run being watched. Where tasks
 * are really executed the first signal lets what has arrived come to its end, the second
 * stops the run, the third ends the program; else the second does.
 */
#ifndef BN_INTERRUPT_H
#define BN_INTERRUPT_H

#include <glib.h>
#include <signal.h>

#include "run.h"

typedef struct BnInterrupt BnInterrupt;

/* SIGINT, SIGTERM, SIGHUP and SIGQUIT. */
void bn_interrupt_signals (sigset_t *ret);

BnInterrupt *bn_interrupt_new (void);

/* The run to interrupt from now on, or NULL: none. A signal that came before
 * interrupts it at once. */
void bn_interrupt_watch (BnInterrupt *interrupt, BnRun *run);

/* Whether a signal has come. */
gboolean bn_interrupt_came (BnInterrupt *interrupt);

void bn_interrupt_free (BnInterrupt *interrupt);

#endif
