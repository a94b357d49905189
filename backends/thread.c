/* thread.c: threads of backends, of which a system does not grant any number.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "thread.h"

#include <gio/gio.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bn.h"

/* The least that Linux gives. */
#define SLICE_NS (100 * BN_NS_PER_US)

/* As the system call takes it; the C library has none. */
typedef struct SchedAttr
{
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns, deadline_ns, period_ns;  /* of an ordinary thread: its slice, and nothing */
} SchedAttr;

void
bn_thread_set_slice (uint64_t slice_ns)
{
  SchedAttr attr = { .size = sizeof attr };

  if (syscall (SYS_sched_getattr, 0, &attr, sizeof attr, 0) != 0 || attr.policy != SCHED_OTHER)
    return;
  attr.runtime_ns = slice_ns;
  /* where it is refused, ends are heard of later, and nothing else */
  syscall (SYS_sched_setattr, 0, &attr, 0);
}

uint64_t
bn_thread_be_prompt (void)
{
  SchedAttr attr = { .size = sizeof attr };

  if (syscall (SYS_sched_getattr, 0, &attr, sizeof attr, 0) != 0)
    return 0;
  bn_thread_set_slice (SLICE_NS);
  return attr.runtime_ns;
}

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
