/* wall.c: the wall clock of one run, and what wakes its loop.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "wall.h"

#include <errno.h>
#include <gio/gio.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct WakeSource
{
  GSource source;
  gpointer timer_tag, event_tag;
  int timer_fd, event_fd;
  gboolean has_fired;      /* the timer, since it was set */
} WakeSource;

struct BnWall
{
  BnTime zero_ns;          /* CLOCK_MONOTONIC at the start; 0 before */
  GMainContext *context;
  WakeSource *source;
  pthread_mutex_t mutex;   /* not GMutex, which thread sanitizers do not see */
  BnOp *first, *last;      /* in line; guarded by mutex              */
  BnTime armed_ns;         /* what the timer is set to               */
};

static BnTime
read_clock (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (BnTime) t.tv_sec * BN_NS_PER_S + t.tv_nsec;
}

static void
empty (int fd)
{
  uint64_t count;

  /* a count that is 0 already is no error: both descriptors do not block */
  while (read (fd, &count, sizeof count) < 0 && errno == EINTR)
    ;
}

static gboolean
is_awake (GSource *base)
{
  WakeSource *source = (WakeSource *) base;

  return g_source_query_unix_fd (base, source->timer_tag) != 0 || g_source_query_unix_fd (base, source->event_tag) != 0;
}

static gboolean
wake (GSource *base, GSourceFunc callback, gpointer data)
{
  WakeSource *source = (WakeSource *) base;

  (void) callback;
  (void) data;
  if (g_source_query_unix_fd (base, source->timer_tag) != 0)
    {
      empty (source->timer_fd);
      source->has_fired = TRUE;
    }
  if (g_source_query_unix_fd (base, source->event_tag) != 0)
    empty (source->event_fd);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs wake_functions = { .check = is_awake, .dispatch = wake };

BnWall *
bn_wall_new (GError **error)
{
  int timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  int event_fd = eventfd (0, EFD_NONBLOCK | EFD_CLOEXEC);

  if (timer_fd < 0 || event_fd < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno),
                   "no timer for real execution: %s; raise the limit of open files (ulimit -n)", g_strerror (errno));
      if (timer_fd >= 0)
        close (timer_fd);
      if (event_fd >= 0)
        close (event_fd);
      return NULL;
    }
  BnWall *wall = g_new0 (BnWall, 1);
  pthread_mutex_init (&wall->mutex, NULL);
  wall->armed_ns = BN_TIME_NEVER;
  wall->context = g_main_context_new ();
  wall->source = (WakeSource *) g_source_new (&wake_functions, sizeof (WakeSource));
  wall->source->timer_fd = timer_fd;
  wall->source->event_fd = event_fd;
  wall->source->timer_tag = g_source_add_unix_fd (&wall->source->source, timer_fd, G_IO_IN);
  wall->source->event_tag = g_source_add_unix_fd (&wall->source->source, event_fd, G_IO_IN);
  g_source_attach (&wall->source->source, wall->context);
  return wall;
}

void
bn_wall_free (BnWall *wall)
{
  if (!wall)
    return;
  close (wall->source->timer_fd);
  close (wall->source->event_fd);
  g_source_destroy (&wall->source->source);
  g_source_unref (&wall->source->source);
  g_main_context_unref (wall->context);
  pthread_mutex_destroy (&wall->mutex);
  g_free (wall);
}

void
bn_wall_start (BnWall *wall)
{
  wall->zero_ns = read_clock (CLOCK_MONOTONIC);
}

BnTime
bn_wall_now (const BnWall *wall)
{
  return wall->zero_ns == 0 ? 0 : read_clock (CLOCK_MONOTONIC) - wall->zero_ns;
}

BnDuration
bn_wall_thread_cpu (void)
{
  return read_clock (CLOCK_THREAD_CPUTIME_ID);
}

void
bn_wall_poke (BnWall *wall)
{
  const uint64_t one = 1;

  /* it fails only where the count is at its limit, and then the loop wakes anyhow */
  while (write (wall->source->event_fd, &one, sizeof one) < 0 && errno == EINTR)
    ;
}

void
bn_wall_push (BnWall *wall, BnOp *op)
{
  op->next = NULL;
  pthread_mutex_lock (&wall->mutex);
  op->completed_ns = bn_wall_now (wall);
  bool was_empty = !wall->first;
  if (was_empty)
    wall->first = op;
  else
    wall->last->next = op;
  wall->last = op;
  pthread_mutex_unlock (&wall->mutex);
  if (was_empty)
    bn_wall_poke (wall);
}

BnOp *
bn_wall_take (BnWall *wall)
{
  pthread_mutex_lock (&wall->mutex);
  BnOp *first = wall->first;
  wall->first = wall->last = NULL;
  pthread_mutex_unlock (&wall->mutex);
  return first;
}

void
bn_wall_wait (BnWall *wall, BnTime until_ns)
{
  BnTime at_ns = until_ns == BN_TIME_NEVER ? BN_TIME_NEVER : bn_time_add (wall->zero_ns, until_ns);

  if (at_ns != wall->armed_ns || wall->source->has_fired)
    {
      struct itimerspec timer = { 0 };
      if (at_ns != BN_TIME_NEVER)
        timer.it_value = (struct timespec){ at_ns / BN_NS_PER_S, at_ns % BN_NS_PER_S };
      timerfd_settime (wall->source->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
      wall->armed_ns = at_ns;
      wall->source->has_fired = FALSE;
    }
  g_main_context_iteration (wall->context, TRUE);
}
