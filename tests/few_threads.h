/* few_threads.h: a system that grants few threads.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * In a program that is linked with it, g_thread_try_new is its own, which takes the place of GLib's.
 */
#ifndef BN_TEST_FEW_THREADS_H
#define BN_TEST_FEW_THREADS_H

#include <glib.h>

/* Of the calls that follow, the first n get a thread. */
void few_threads_set (gint n);

/* Again as many as are asked for. */
void few_threads_unset (void);

#endif
