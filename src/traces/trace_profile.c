/* trace_profile.c: what an arrival trace is like: its rate, how bursty it is, its columns.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_profile.h"

#include <math.h>

BnTraceProfile *
bn_trace_profile_new (guint n_columns)
{
  BnTraceProfile *p = g_new0 (BnTraceProfile, 1);

  p->window_ns = BN_NS_PER_MS;
  p->n_columns = n_columns;
  p->columns = g_new0 (BnProfileColumn, n_columns);
  return p;
}

void
bn_trace_profile_free (BnTraceProfile *profile)
{
  if (profile == NULL)
    return;
  g_free (profile->columns);
  g_free (profile);
}

/* One row more in the window of its time, which ends the one before if it is another. */
static void
count_peak (BnDuration before_ns, BnDuration now_ns, BnDuration window_ns, int64_t *in, int64_t *peak)
{
  if (before_ns / window_ns != now_ns / window_ns)
    *in = 0;
  *peak = MAX (*peak, ++*in);
}

static void
count_window (BnTraceProfile *p, BnDuration now_ns)
{
  while (now_ns / p->window_ns >= BN_PROFILE_WINDOWS)
    {
      for (int i = 0; i < BN_PROFILE_WINDOWS / 2; i++)
        p->windows[i] = p->windows[2 * i] + p->windows[2 * i + 1];
      for (int i = BN_PROFILE_WINDOWS / 2; i < BN_PROFILE_WINDOWS; i++)
        p->windows[i] = 0;
      p->window_ns *= 2;
    }
  p->windows[now_ns / p->window_ns]++;
}

static void
count_column (BnProfileColumn *c, const char *text)
{
  double value;

  if (*text == '\0')
    c->n_empty++;
  else if (!bn_scan_real (text, &value))
    c->n_texts++;
  else
    {
      c->min = c->n_numbers == 0 ? value : MIN (c->min, value);
      c->max = c->n_numbers == 0 ? value : MAX (c->max, value);
      c->sum += value;
      c->n_numbers++;
    }
}

void
bn_trace_profile_add (BnTraceProfile *profile, const BnImportRow *row)
{
  BnTraceProfile *p = profile;

  if (p->n_rows++ == 0)
    p->first_ns = p->last_ns = row->time_ns;
  else
    {
      double gap_s = (double) (row->time_ns - p->last_ns) / BN_NS_PER_S;
      double off = gap_s - p->mean_gap_s;
      p->n_ties += row->time_ns == p->last_ns;
      p->mean_gap_s += off / (double) (p->n_rows - 1);
      p->m2_gap += off * (gap_s - p->mean_gap_s);
    }
  BnDuration before_ns = p->last_ns - p->first_ns, now_ns = row->time_ns - p->first_ns;
  count_peak (before_ns, now_ns, BN_NS_PER_S, &p->in_1s, &p->peak_1s);
  count_peak (before_ns, now_ns, 60 * BN_NS_PER_S, &p->in_60s, &p->peak_60s);
  count_window (p, now_ns);
  p->last_ns = row->time_ns;
  if (row->duration_ns >= 0)
    {
      p->n_durations++;
      p->sum_duration_s += (double) row->duration_ns / BN_NS_PER_S;
    }
  for (guint i = 0; i < p->n_columns; i++)
    count_column (&p->columns[i], row->fields[i]);
}

double
bn_trace_profile_rate_per_s (const BnTraceProfile *profile)
{
  double span_s = (double) (profile->last_ns - profile->first_ns) / BN_NS_PER_S;

  return span_s > 0 ? (double) (profile->n_rows - 1) / span_s : NAN;
}

double
bn_trace_profile_cv (const BnTraceProfile *profile)
{
  if (profile->n_rows < 3 || profile->mean_gap_s <= 0)
    return NAN;
  return sqrt (profile->m2_gap / (double) (profile->n_rows - 2)) / profile->mean_gap_s;
}

double
bn_trace_profile_peak (const BnTraceProfile *profile, int64_t peak, double window_s)
{
  double span_s = (double) (profile->last_ns - profile->first_ns) / BN_NS_PER_S;

  return span_s >= window_s ? (double) peak / window_s / bn_trace_profile_rate_per_s (profile) : NAN;
}
