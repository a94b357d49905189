/* trace_profile.h: what an arrival trace is like: its rate, how bursty it is, its columns.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Fed row by row, in order of time. Memory does not grow with the trace: what is drawn over
 * time has windows that double when it grows longer.
 */
#ifndef BN_TRACE_PROFILE_H
#define BN_TRACE_PROFILE_H

#include "trace_import.h"

/* Windows of the rate over time: between half of them and all are in use. */
#define BN_PROFILE_WINDOWS 128

typedef struct BnProfileColumn
{
  int64_t n_numbers, n_texts, n_empty;  /* rows */
  double min, max, sum;                 /* of numbers */
} BnProfileColumn;

typedef struct BnTraceProfile
{
  int64_t n_rows;
  BnTime first_ns, last_ns;
  int64_t n_ties;             /* rows of the same time as the one before */
  double mean_gap_s, m2_gap;  /* mean, and sum of squared distances from it, of gaps */
  int64_t n_durations;        /* rows whose duration is known */
  double sum_duration_s;
  int64_t peak_1s, peak_60s;  /* most rows in a window of that length, counted from the first row */
  int64_t in_1s, in_60s;      /* rows in the present window */
  BnDuration window_ns;       /* of the following */
  int64_t windows[BN_PROFILE_WINDOWS];  /* rows, counted from the first row */
  guint n_columns;
  BnProfileColumn *columns;
} BnTraceProfile;

BnTraceProfile *bn_trace_profile_new (guint n_columns);
void bn_trace_profile_free (BnTraceProfile *profile);
void bn_trace_profile_add (BnTraceProfile *profile, const BnImportRow *row);

/* Each NaN where it is not defined. */
double bn_trace_profile_rate_per_s (const BnTraceProfile *profile);  /* (rows - 1) / span   */
double bn_trace_profile_cv (const BnTraceProfile *profile);          /* of gaps, n - 1      */
/* Over the mean rate; of a span of a window and more. */
double bn_trace_profile_peak (const BnTraceProfile *profile, int64_t peak, double window_s);

#endif
