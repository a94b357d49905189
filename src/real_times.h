/* real_times.h: what a run on the wall clock costs its loop, and what disturbs it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For metrics.c, which is told first.
 */
#ifndef BN_REAL_TIMES_H
#define BN_REAL_TIMES_H

#include "probe.h"
#include "sketch.h"
#include "tally.h"

typedef struct BnRealTimes
{
  BnSketch loop_cpu, completions, timers, decisions;  /* ns */
  BnDuration completions_ns;
  BnDecision last;            /* that was counted; its job may be gone: see last_job */
  int64_t last_job;
} BnRealTimes;

void bn_real_times_init (BnRealTimes *times);
void bn_real_times_clear (BnRealTimes *times);

/* Probes' hooks. */
void bn_real_times_job_ended (BnRealTimes *times, const BnJob *job);
void bn_real_times_woken (BnRealTimes *times, bool completion, BnDuration delay_ns);
/* Counts calls of hooks: answers of one call, of a review about several jobs, follow each other and took
 * it equally long, to the nanosecond; so do two calls of one instant hardly ever, and then one is left out.
 * Calls without an answer that took effect are not told of. */
void bn_real_times_decided (BnRealTimes *times, const BnDecision *decision);

/* Fills what can be known from the run; steal and n_verified stay unknown. */
void bn_real_times_sum (const BnRealTimes *times, const BnRunTotals *totals, BnRealTally *ret);

#endif
