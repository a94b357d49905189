/* plan_verdict.c: is a promise kept, as far as some replications can tell?
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_verdict.h"

#include <math.h>

#include "interval.h"

#define ERROR_LEVEL 0.05

/* How often a stable run is labelled BACKLOGGED or OVERLOADED: doc/metrics.md. */
#define FALSE_ALARMS 0.05

const char *
bn_verdict_name (BnVerdict verdict)
{
  static const char *const names[] = { "broken", "undecided", "kept" };

  return names[verdict];
}

BnPlanStages
bn_plan_stages (guint first, guint last)
{
  BnPlanStages stages = { 0 };

  g_assert (first >= 2 && first <= last && last <= G_MAXUINT / 2);
  for (guint seeds = first; seeds < last; seeds *= 2)
    stages.seeds[stages.n++] = seeds;
  stages.seeds[stages.n++] = last;
  return stages;
}

guint
bn_plan_next_stage (const BnPlanStages *stages, guint n_seeds)
{
  for (guint i = 0; i < stages->n; i++)
    if (stages->seeds[i] > n_seeds)
      return stages->seeds[i];
  return 0;
}

/* P (X >= x) of X binomial with k trials of FALSE_ALARMS: 1 less the terms below x. */
static double
chance_of_alarms (guint k, guint x)
{
  double term = 1, sum = 0;

  for (guint i = 0; i < k; i++)
    term *= 1 - FALSE_ALARMS;
  for (guint i = 0; i < x; i++)
    {
      sum += term;
      term *= (double) (k - i) / (i + 1) * (FALSE_ALARMS / (1 - FALSE_ALARMS));
    }
  return MAX (1 - sum, 0);
}

/* On the right side by `room`, or right at a limit that may be reached. */
static gboolean
is_within (const BnPlanLimit *limit, double room)
{
  return limit->strict ? room > 0 : room >= 0;
}

/* So many times as many seeds would put the limit at the end of the interval. */
static double
seeds_needed (double distance, double half_width, guint k)
{
  double ratio = half_width / distance;

  return distance > 0 ? ceil (k * ratio * ratio) : INFINITY;
}

/* What is left of one promise's judgement. */
typedef struct Found
{
  gboolean within, kept, broken;
} Found;

/* One promise; a one-sided bound at 1 - x is the end of the two-sided interval at 1 - 2x. */
static Found
judge_one (const BnPlanLimit *limit, const double *values, guint k, double level, double shared, BnPlanEstimate *e)
{
  BnInterval keeps = bn_interval_of_mean (values, k, 1 - 2 * level);
  BnInterval breaks = bn_interval_of_mean (values, k, 1 - 2 * shared);
  double room = limit->at_least ? keeps.mean - limit->limit : limit->limit - keeps.mean;
  gboolean within = is_within (limit, room);

  *e = (BnPlanEstimate) { keeps.mean, keeps.low, keeps.high,
                          seeds_needed (ABS (room), within ? keeps.half_width : breaks.half_width, k) };
  return (Found) { within, within && room >= keeps.half_width, !within && -room >= breaks.half_width };
}

BnPlanJudgement
bn_plan_judge (const BnPlanLimit *limits, guint n_limits, const BnReplication *runs, guint k, guint n_looks,
               BnPlanEstimate *estimates)
{
  BnPlanJudgement result = { 0 };
  double level = ERROR_LEVEL / n_looks, shared = level / (n_limits + 1), to_keep = 0, to_break = INFINITY;
  gboolean kept = TRUE, broken = FALSE, looks_kept = TRUE;
  g_autofree double *values = g_new (double, k);

  g_assert (k >= 2 && n_limits >= 1);
  for (guint i = 0; i < k; i++)
    {
      result.n_unstable += runs[i].unstable;
      result.n_lost += runs[i].lost;
    }
  for (guint l = 0; l < n_limits; l++)
    {
      for (guint i = 0; i < k; i++)
        values[i] = runs[i].values[l];
      Found found = judge_one (&limits[l], values, k, level, shared, &estimates[l]);
      looks_kept = looks_kept && found.within;
      kept = kept && found.kept;
      broken = broken || found.broken;
      if (found.within)
        to_keep = MAX (to_keep, estimates[l].seeds_needed);
      else
        to_break = MIN (to_break, estimates[l].seeds_needed);
    }
  double chance = chance_of_alarms (k, result.n_unstable);
  kept = kept && chance > FALSE_ALARMS;
  broken = broken || result.n_lost > 0 || chance <= shared;
  result.outcome.verdict = broken ? BN_VERDICT_BROKEN : kept ? BN_VERDICT_KEPT : BN_VERDICT_UNDECIDED;
  result.outcome.looks_kept = looks_kept && !broken;
  if (result.outcome.verdict == BN_VERDICT_UNDECIDED)
    result.seeds_needed = MAX (looks_kept ? to_keep : to_break, k + 1);
  return result;
}
