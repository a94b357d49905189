/* interrupt.c: a thread that is told of signals.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* What a shell reports for a program that a signal ended. */
#define EXIT_BY_SIGNAL 128

/* To a person whose tasks are really executed. */
#define DRAINING "\nbinnacle: no more jobs; what has arrived comes to its end (once more: stop now)\n"
#define STOPPING "\nbinnacle: stopping when what executes has ended (once more: give up everything)\n"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* What the handler writes the number to: it is given nothing else. Libraries start threads before main does
 * anything, so that a mask cannot keep signals from all of them. */
static int handler_fd = -1;

struct BnInterrupt
{
  pthread_mutex_t mutex;
  BnRun *run;
  guint n_came;
  gboolean drained;  /* a signal came while tasks were really executed: then the third one ends the program */
  int pipe[2];
  GThread *thread;
  struct sigaction before[G_N_ELEMENTS (signals)];
};

void
bn_interrupt_signals (sigset_t *ret)
{
  sigemptyset (ret);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaddset (ret, signals[i]);
}

static void
tell_thread (int number)
{
  int saved = errno;
  guint8 byte = (guint8) number;

  while (write (handler_fd, &byte, 1) < 0 && errno == EINTR)
    ;
  errno = saved;
}

static gpointer
wait_for_signals (gpointer data)
{
  BnInterrupt *interrupt = data;
  guint8 number;

  for (;;)
    {
      gssize n = read (interrupt->pipe[0], &number, 1);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || number == 0)
        return NULL;
      pthread_mutex_lock (&interrupt->mutex);
      guint n_came = ++interrupt->n_came;
      gboolean drains = interrupt->run && bn_run_drains (interrupt->run);
      interrupt->drained |= drains;
      if (n_came > (interrupt->drained ? 2 : 1))
        _exit (EXIT_BY_SIGNAL + number);
      if (interrupt->run)
        bn_run_interrupt (interrupt->run);
      pthread_mutex_unlock (&interrupt->mutex);
      if (drains)
        fputs (n_came == 1 ? DRAINING : STOPPING, stderr);
    }
}

BnInterrupt *
bn_interrupt_new (void)
{
  BnInterrupt *interrupt = g_new0 (BnInterrupt, 1);
  struct sigaction action = { .sa_handler = tell_thread, .sa_flags = SA_RESTART };
  GError *error = NULL;

  g_assert (handler_fd < 0);
  if (!g_unix_open_pipe (interrupt->pipe, FD_CLOEXEC, &error))
    g_error ("no pipe for signals: %s", error->message);
  pthread_mutex_init (&interrupt->mutex, NULL);
  handler_fd = interrupt->pipe[1];
  interrupt->thread = g_thread_new ("signals", wait_for_signals, interrupt);
  sigemptyset (&action.sa_mask);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      sigaction (signals[i], NULL, &interrupt->before[i]);
      /* a shell has its background jobs ignore some */
      if (interrupt->before[i].sa_handler != SIG_IGN)
        sigaction (signals[i], &action, NULL);
    }
  return interrupt;
}

void
bn_interrupt_watch (BnInterrupt *interrupt, BnRun *run)
{
  pthread_mutex_lock (&interrupt->mutex);
  interrupt->run = run;
  for (guint i = 0; run && i < interrupt->n_came; i++)
    bn_run_interrupt (run);
  pthread_mutex_unlock (&interrupt->mutex);
}

gboolean
bn_interrupt_came (BnInterrupt *interrupt)
{
  pthread_mutex_lock (&interrupt->mutex);
  gboolean came = interrupt->n_came > 0;
  pthread_mutex_unlock (&interrupt->mutex);
  return came;
}

void
bn_interrupt_free (BnInterrupt *interrupt)
{
  if (!interrupt)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &interrupt->before[i], NULL);
  tell_thread (0);
  g_thread_join (interrupt->thread);
  handler_fd = -1;
  close (interrupt->pipe[0]);
  close (interrupt->pipe[1]);
  pthread_mutex_destroy (&interrupt->mutex);
  g_free (interrupt);
}
