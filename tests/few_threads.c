/* few_threads.c: a system that grants few threads.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "few_threads.h"

static gint n_left = G_MAXINT;

void
few_threads_set (gint n)
{
  g_atomic_int_set (&n_left, n);
}

void
few_threads_unset (void)
{
  g_atomic_int_set (&n_left, G_MAXINT);
}

GThread *
g_thread_try_new (const gchar *name, GThreadFunc work, gpointer data, GError **error)
{
  if (g_atomic_int_add (&n_left, -1) > 0)
    return g_thread_new (name, work, data);
  g_set_error_literal (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "as the test wants it");
  return NULL;
}
