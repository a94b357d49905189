/* interrupt.c: a thread that waits for signals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* How long the thread sleeps before it looks whether it should end. */
#define POLL_NS (10 * 1000 * 1000)

/* What a shell reports for a program that a signal ended. */
#define EXIT_BY_SIGNAL 128

/* To a person whose tasks are really executed. */
#define DRAINING "\nbinnacle: no more jobs; what has arrived comes to its end (once more: stop now)\n"
#define STOPPING "\nbinnacle: stopping when what executes has ended (once more: give up everything)\n"

struct BnInterrupt
{
  GMutex mutex;
  BnRun *run;
  guint n_came;
  gint stop;
  GThread *thread;
  sigset_t signals, before;
};

static gpointer
wait_for_signals (gpointer data)
{
  BnInterrupt *interrupt = data;
  struct timespec timeout = { 0, POLL_NS };

  while (!g_atomic_int_get (&interrupt->stop))
    {
      int number = sigtimedwait (&interrupt->signals, NULL, &timeout);
      if (number < 0)
        continue;
      g_mutex_lock (&interrupt->mutex);
      interrupt->n_came++;
      gboolean drains = interrupt->run && bn_run_drains (interrupt->run);
      if (interrupt->n_came > (drains ? 2 : 1))
        _exit (EXIT_BY_SIGNAL + number);
      if (interrupt->run)
        bn_run_interrupt (interrupt->run);
      g_mutex_unlock (&interrupt->mutex);
      if (drains)
        fputs (interrupt->n_came == 1 ? DRAINING : STOPPING, stderr);
    }
  return NULL;
}

BnInterrupt *
bn_interrupt_new (void)
{
  BnInterrupt *interrupt = g_new0 (BnInterrupt, 1);

  g_mutex_init (&interrupt->mutex);
  sigemptyset (&interrupt->signals);
  sigaddset (&interrupt->signals, SIGINT);
  sigaddset (&interrupt->signals, SIGTERM);
  sigaddset (&interrupt->signals, SIGHUP);
  sigaddset (&interrupt->signals, SIGQUIT);
  pthread_sigmask (SIG_BLOCK, &interrupt->signals, &interrupt->before);
  interrupt->thread = g_thread_new ("signals", wait_for_signals, interrupt);
  return interrupt;
}

void
bn_interrupt_watch (BnInterrupt *interrupt, BnRun *run)
{
  g_mutex_lock (&interrupt->mutex);
  interrupt->run = run;
  for (guint i = 0; run && i < interrupt->n_came; i++)
    bn_run_interrupt (run);
  g_mutex_unlock (&interrupt->mutex);
}

gboolean
bn_interrupt_came (BnInterrupt *interrupt)
{
  g_mutex_lock (&interrupt->mutex);
  gboolean came = interrupt->n_came > 0;
  g_mutex_unlock (&interrupt->mutex);
  return came;
}

void
bn_interrupt_free (BnInterrupt *interrupt)
{
  if (!interrupt)
    return;
  g_atomic_int_set (&interrupt->stop, 1);
  g_thread_join (interrupt->thread);
  pthread_sigmask (SIG_SETMASK, &interrupt->before, NULL);
  g_mutex_clear (&interrupt->mutex);
  g_free (interrupt);
}
