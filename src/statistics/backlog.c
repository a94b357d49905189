/* backlog.c: how many jobs are in the system, over time, in bounded memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "backlog.h"

#include <string.h>

#include <glib.h>

void
bn_backlog_init (BnBacklog *backlog)
{
  memset (backlog, 0, sizeof *backlog);
  backlog->width_ns = BN_NS_PER_US;
  backlog->bin_end_ns = backlog->width_ns;
}

/* Twice the width, half the bins. */
static void
halve (BnBacklog *b)
{
  for (uint32_t i = 0; i < BN_BACKLOG_BINS / 2; i++)
    {
      b->bins[i] = b->bins[2 * i] + b->bins[2 * i + 1];
      b->arrivals[i] = b->arrivals[2 * i] + b->arrivals[2 * i + 1];
    }
  b->width_ns *= 2;
  b->bin = BN_BACKLOG_BINS / 2;
}

/* The bin that reaches the end of the clock is never closed. */
static void
close_bins (BnBacklog *b, BnTime now)
{
  while (now >= b->bin_end_ns && b->bin_end_ns != BN_TIME_NEVER)
    {
      b->bins[b->bin] = b->area + (BnJobTime) b->n_live * (b->bin_end_ns - b->last_ns);
      b->area = 0;
      b->last_ns = b->bin_end_ns;
      if (++b->bin == BN_BACKLOG_BINS)
        halve (b);
      b->arrivals[b->bin] = 0;
      b->bin_end_ns = bn_time_add (b->bin_end_ns, b->width_ns);
    }
}

void
bn_backlog_finish (BnBacklog *backlog, BnTime now)
{
  g_assert (now >= backlog->last_ns);
  if (now >= backlog->bin_end_ns)
    close_bins (backlog, now);
  backlog->area += (BnJobTime) backlog->n_live * (now - backlog->last_ns);
  backlog->last_ns = now;
}

void
bn_backlog_change (BnBacklog *backlog, BnTime now, int change)
{
  bn_backlog_finish (backlog, now);
  backlog->n_live += change;
  if (change < 0)
    return;
  backlog->arrivals[backlog->bin] += change;
  if (backlog->n_live > backlog->peak)
    backlog->peak = backlog->n_live;
}

uint32_t
bn_backlog_n_bins (const BnBacklog *backlog)
{
  return backlog->bin;
}

double
bn_backlog_mean (const BnBacklog *backlog, uint32_t bin)
{
  g_assert (bin < backlog->bin);
  return (double) backlog->bins[bin] / (double) backlog->width_ns;
}

/* Bins *first .. *end - 1 lie within [from, to]. */
static void
bins_between (const BnBacklog *b, BnTime from_ns, BnTime to_ns, int64_t *first, int64_t *end)
{
  *first = (from_ns + b->width_ns - 1) / b->width_ns;
  *end = MIN (to_ns / b->width_ns, (int64_t) b->bin);
}

int64_t
bn_backlog_arrivals_between (const BnBacklog *backlog, BnTime from_ns, BnTime to_ns)
{
  int64_t first, end, sum = 0;

  bins_between (backlog, from_ns, to_ns, &first, &end);
  for (int64_t i = first; i < end; i++)
    sum += backlog->arrivals[i];
  return sum;
}

double
bn_backlog_mean_between (const BnBacklog *backlog, BnTime from_ns, BnTime to_ns)
{
  int64_t first, end;
  BnJobTime sum = 0;

  bins_between (backlog, from_ns, to_ns, &first, &end);
  if (end <= first)
    return -1;
  for (int64_t i = first; i < end; i++)
    sum += backlog->bins[i];
  return (double) sum / ((double) (end - first) * (double) backlog->width_ns);
}
