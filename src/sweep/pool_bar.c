/* pool_bar.c: a line on the terminal: how many units have ended, and how long it will take.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "pool_bar.h"

#include <stdio.h>

#define BAR_WIDTH 24

struct BnPoolBar
{
  guint n, n_kept;
  gboolean visible;
  gint64 began_us;
};

BnPoolBar *
bn_pool_bar_new (guint n, guint n_kept, gboolean visible)
{
  BnPoolBar *bar = g_new0 (BnPoolBar, 1);

  *bar = (BnPoolBar) { n, n_kept, visible, g_get_monotonic_time () };
  return bar;
}

static void
print_time (double seconds)
{
  guint s = (guint) (seconds + 0.5);

  if (s < 120)
    fprintf (stderr, ", %u s left", s);
  else if (s < 7200)
    fprintf (stderr, ", %u min left", (s + 30) / 60);
  else
    fprintf (stderr, ", %.1f h left", seconds / 3600);
}

void
bn_pool_bar_draw (BnPoolBar *bar, guint n_done, guint n_failed)
{
  guint ended = n_done + n_failed, all = bar->n + bar->n_kept;
  double seconds = (double) (g_get_monotonic_time () - bar->began_us) / G_USEC_PER_SEC;

  if (!bar->visible || all == 0)
    return;
  fputs ("\r\033[K[", stderr);
  for (guint i = 0; i < BAR_WIDTH; i++)
    fputc (i < BAR_WIDTH * (guint64) (ended + bar->n_kept) / all ? '#' : '.', stderr);
  fprintf (stderr, "] %u of %u units, %u failed", bar->n_kept + n_done, all, n_failed);
  if (ended > 0)
    print_time (seconds / ended * (bar->n - ended));
  fflush (stderr);
}

void
bn_pool_bar_wipe (BnPoolBar *bar)
{
  if (bar->visible)
    fputs ("\r\033[K", stderr);
}

void
bn_pool_bar_free (BnPoolBar *bar)
{
  bn_pool_bar_wipe (bar);
  g_free (bar);
}
