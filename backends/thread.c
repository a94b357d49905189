/* thread.c: threads of backends, of which a system does not grant any number.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "thread.h"

#include <gio/gio.h>

GThread *
bn_thread_start (const char *name, GThreadFunc work, gpointer data, GError **error)
{
  g_autoptr (GError) refusal = NULL;
  GThread *thread = g_thread_try_new (name, work, data, &refusal);

  if (!thread)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                 "there are no more threads: %s; fewer servers or slots need fewer, and ulimit -u and ulimit -v say "
                 "what is granted",
                 refusal->message);
  return thread;
}
