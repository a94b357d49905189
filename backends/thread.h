/* thread.h: threads of backends, of which a system does not grant any number.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_THREAD_H
#define BN_THREAD_H

#include <stdint.h>

#include <glib.h>

/* What the calling thread wants of the system that runs it: to be run soon after it wakes up, as one
 * that works for microseconds and sleeps. A slice of 100 us in place of some milliseconds, where Linux
 * knows of slices (6.12 and later): without, it may wait for a busy processor until the next tick.
 * Returns: the slice before, to be given to bn_thread_set_slice by a thread that does other things later. */
uint64_t bn_thread_be_prompt (void);
void bn_thread_set_slice (uint64_t slice_ns);

/* Returns: the thread, to be joined or unreferenced, or NULL with `error` set: there are no more. */
GThread *bn_thread_start (const char *name, GThreadFunc work, gpointer data, GError **error);

#endif
