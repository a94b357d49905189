/* real_times.c: what a run on the wall clock costs its loop, and what disturbs it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "real_times.h"

void
bn_real_times_init (BnRealTimes *times)
{
  *times = (BnRealTimes) { .last = { .decide_ns = -1 }, .last_job = BN_NONE };
  bn_sketch_init (&times->loop_cpu);
  bn_sketch_init (&times->completions);
  bn_sketch_init (&times->timers);
  bn_sketch_init (&times->decisions);
}

void
bn_real_times_clear (BnRealTimes *times)
{
  bn_sketch_clear (&times->loop_cpu);
  bn_sketch_clear (&times->completions);
  bn_sketch_clear (&times->timers);
  bn_sketch_clear (&times->decisions);
}

void
bn_real_times_job_ended (BnRealTimes *times, const BnJob *job)
{
  for (uint32_t t = 0; t < job->workflow->n_tasks; t++)
    if (job->tasks[t].state == BN_TASK_DONE)
      bn_sketch_add (&times->loop_cpu, job->tasks[t].loop_cpu_ns);
}

/* An operation may end when the loop has looked at the clock and not yet for operations: it is heard
 * of before it ended, as it were. */
void
bn_real_times_woken (BnRealTimes *times, bool completion, BnDuration delay_ns)
{
  BnDuration counted_ns = MAX (delay_ns, 0);

  bn_sketch_add (completion ? &times->completions : &times->timers, counted_ns);
  if (completion)
    times->completions_ns += counted_ns;
}

static bool
is_of_last_call (const BnRealTimes *times, const BnDecision *d)
{
  const BnDecision *last = &times->last;

  return d->kind == last->kind && d->observer == last->observer && d->asked_ns == last->asked_ns
         && d->seen_ns == last->seen_ns && d->decide_ns == last->decide_ns
         && (d->kind == BN_DECIDED_REVIEW || d->job->id == times->last_job);
}

void
bn_real_times_decided (BnRealTimes *times, const BnDecision *decision)
{
  if (decision->decide_ns < 0 || is_of_last_call (times, decision))
    return;
  times->last = *decision;
  times->last_job = decision->job->id;
  bn_sketch_add (&times->decisions, decision->decide_ns);
}

static void
set_span (BnSpanTally *ret, const BnSketch *sketch)
{
  ret->n = sketch->n;
  for (guint q = 0; q < BN_N_QUANTILES && sketch->n > 0; q++)
    ret->q_ns[q] = bn_sketch_quantile (sketch, bn_quantile_ppm[q]);
}

void
bn_real_times_sum (const BnRealTimes *times, const BnRunTotals *totals, BnRealTally *ret)
{
  *ret = (BnRealTally) { .n_failures = totals->n_failures, .n_workers_lost = totals->n_workers_lost,
                         .loop_cpu_ns = totals->loop_cpu_ns, .n_tasks_done = totals->n_tasks_done, .steal = -1,
                         .n_verified = -1 };
  set_span (&ret->loop_cpu, &times->loop_cpu);
  set_span (&ret->completions, &times->completions);
  ret->completions_ns = times->completions_ns;
  set_span (&ret->timers, &times->timers);
  set_span (&ret->decisions, &times->decisions);
}
