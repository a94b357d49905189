/* progress.c: jobs done, rate and time left, ten times a second.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "progress.h"

#include <stdio.h>

#define PERIOD_US (G_USEC_PER_SEC / 10)
#define BAR_WIDTH 24

/* The clock is looked at once in so many jobs. */
#define JOBS_PER_LOOK 64

struct BnProgress
{
  BnProbe probe;
  char *title;
  gint64 n_jobs, n_ended;
  gint64 began_us, drawn_us;
};

static void
draw (BnProgress *p, gint64 now_us)
{
  double seconds = (double) (now_us - p->began_us) / G_USEC_PER_SEC;
  double rate = seconds > 0 ? (double) p->n_ended / seconds : 0;

  fprintf (stderr, "\r\033[K%s ", p->title);
  if (p->n_jobs > 0)
    {
      int full = (int) (BAR_WIDTH * MIN (p->n_ended, p->n_jobs) / p->n_jobs);
      fputc ('[', stderr);
      for (int i = 0; i < BAR_WIDTH; i++)
        fputc (i < full ? '#' : '.', stderr);
      fprintf (stderr, "] %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " jobs, %.0f/s", p->n_ended, p->n_jobs, rate);
      if (rate > 0)
        fprintf (stderr, ", %.0f s left", (double) (p->n_jobs - p->n_ended) / rate);
    }
  else
    fprintf (stderr, "%" G_GINT64_FORMAT " jobs, %.0f/s", p->n_ended, rate);
  fflush (stderr);
  p->drawn_us = now_us;
}

static void
job_ended (void *context, const BnJob *job G_GNUC_UNUSED, BnTime now G_GNUC_UNUSED)
{
  BnProgress *p = context;

  if (++p->n_ended % JOBS_PER_LOOK != 0)
    return;
  gint64 now_us = g_get_monotonic_time ();
  if (now_us - p->drawn_us >= PERIOD_US)
    draw (p, now_us);
}

BnProgress *
bn_progress_new (const char *title, gint64 n_jobs)
{
  BnProgress *p = g_new0 (BnProgress, 1);

  p->probe = (BnProbe){ .context = p, .job_ended = job_ended };
  p->title = g_strdup (title);
  p->n_jobs = n_jobs;
  p->began_us = g_get_monotonic_time ();
  draw (p, p->began_us);
  return p;
}

const BnProbe *
bn_progress_probe (BnProgress *progress)
{
  return &progress->probe;
}

void
bn_progress_free (BnProgress *progress)
{
  if (!progress)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  g_free (progress->title);
  g_free (progress);
}
