/* plan_verdict.c: is a promise kept, as far as some replications can tell?
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_verdict.h"

#include <math.h>

#include "distribution.h"

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

/* Mean and standard error of one promise's values. */
static void
summarise (const BnReplication *runs, guint k, guint limit, double *mean, double *error)
{
  double sum = 0, square = 0;

  for (guint i = 0; i < k; i++)
    sum += runs[i].values[limit];
  *mean = sum / k;
  for (guint i = 0; i < k; i++)
    {
      double d = runs[i].values[limit] - *mean;
      square += d * d;
    }
  *error = sqrt (square / (k - 1) / k);
}

/* On the right side by `room`, or right at a limit that may be reached. */
static gboolean
is_within (const BnPlanLimit *limit, double room)
{
  return limit->strict ? room > 0 : room >= 0;
}

/* So many times as many seeds would put the limit as many standard errors away as a
 * verdict takes. */
static double
seeds_needed (double distance, double error, double t, guint k)
{
  double ratio = t * error / distance;

  return distance > 0 ? ceil (k * ratio * ratio) : INFINITY;
}

BnPlanJudgement
bn_plan_judge (const BnPlanLimit *limits, guint n_limits, const BnReplication *runs, guint k, guint n_looks,
               BnPlanEstimate *estimates)
{
  BnPlanJudgement result = { 0 };
  double level = ERROR_LEVEL / n_looks, shared = level / (n_limits + 1), chance;
  double t_kept = bn_student_quantile (1 - level, k - 1), t_broken = bn_student_quantile (1 - shared, k - 1);
  gboolean kept = TRUE, broken = FALSE, looks_kept = TRUE;
  double to_keep = 0, to_break = INFINITY;

  g_assert (k >= 2 && n_limits >= 1);
  for (guint i = 0; i < k; i++)
    {
      result.n_unstable += runs[i].unstable;
      result.n_lost += runs[i].lost;
    }
  for (guint l = 0; l < n_limits; l++)
    {
      BnPlanEstimate *e = &estimates[l];
      double error, room;
      gboolean within;

      summarise (runs, k, l, &e->mean, &error);
      e->low = e->mean - t_kept * error;
      e->high = e->mean + t_kept * error;
      room = limits[l].at_least ? e->mean - limits[l].limit : limits[l].limit - e->mean;
      within = is_within (&limits[l], room);
      e->seeds_needed = seeds_needed (ABS (room), error, within ? t_kept : t_broken, k);
      looks_kept = looks_kept && within;
      kept = kept && within && room >= t_kept * error;
      broken = broken || (!within && -room >= t_broken * error);
      if (within)
        to_keep = MAX (to_keep, e->seeds_needed);
      else
        to_break = MIN (to_break, e->seeds_needed);
    }
  chance = chance_of_alarms (k, result.n_unstable);
  kept = kept && chance > FALSE_ALARMS;
  broken = broken || result.n_lost > 0 || chance <= shared;
  result.outcome.verdict = broken ? BN_VERDICT_BROKEN : kept ? BN_VERDICT_KEPT : BN_VERDICT_UNDECIDED;
  result.outcome.looks_kept = looks_kept && !broken;
  if (result.outcome.verdict == BN_VERDICT_UNDECIDED)
    result.seeds_needed = MAX (looks_kept ? to_keep : to_break, k + 1);
  return result;
}
