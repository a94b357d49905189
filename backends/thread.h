/* thread.h: threads of backends, of which a system does not grant any number.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_THREAD_H
#define BN_THREAD_H

#include <glib.h>

/* Returns: the thread, to be joined or unreferenced, or NULL with `error` set: there are no more. */
GThread *bn_thread_start (const char *name, GThreadFunc work, gpointer data, GError **error);

#endif
