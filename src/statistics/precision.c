/* precision.c: how many seeds it takes until a mean is known well enough.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "precision.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "distribution.h"
#include "interval.h"
#include "ratios.h"
#include "units.h"

/* A prediction above this says no more than that it is out of reach. */
#define MOST_SEEDS 1e9

/* How sure it must be that max_seeds are too few before they are not run. */
#define GIVING_UP 0.95

gboolean
bn_precision_parse (const char *text, BnPrecisionGoal *goal, GError **error)
{
  const char *colon = strchr (text, ':');
  g_autofree char *number = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  gsize length = strlen (number);
  double percent = 0;
  gboolean ok = length > 1 && number[length - 1] == '%';

  if (ok)
    {
      number[length - 1] = '\0';
      ok = bn_parse_real (number, &percent, NULL) && percent > 0 && percent < 100;
    }
  if (!ok)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                   "--precision %s: give percent of the mean, above 0 and below 100, as 2%% or 2%%:latency_p99", text);
      return FALSE;
    }
  if (colon != NULL && !bn_ratio_check_metric ("--precision", colon + 1, error))
    return FALSE;
  g_free (goal->metric);
  goal->metric = g_strdup (colon != NULL ? colon + 1 : "latency_mean");
  goal->relative = percent / 100;
  return TRUE;
}

void
bn_precision_clear (BnPrecisionGoal *goal)
{
  g_clear_pointer (&goal->metric, g_free);
}

/* The least number of seeds above n with which the interval is narrow enough, if the
 * deviation stays what n seeds say: gamma is `target` times a half-width of one deviation. */
static double
seeds_needed (guint n, double deviation, double target)
{
  double z = bn_normal_quantile (0.5 + BN_CONFIDENCE / 2), ratio = deviation / target;
  double needed = fmax (n + 1.0, floor (z * z * ratio * ratio));

  if (needed >= MOST_SEEDS)
    return MOST_SEEDS;
  /* Student's t is a little above z: a step or two */
  while (bn_student_quantile (0.5 + BN_CONFIDENCE / 2, needed - 1) * ratio > sqrt (needed))
    needed++;
  return needed;
}

/* The one-sided lower limit of what n values of this deviation come from: the chi-squared
 * point by E. B. Wilson and M. M. Hilferty (PNAS 17(12), 1931), to a percent from 9 degrees
 * of freedom on. */
static double
least_deviation (guint n, double deviation)
{
  double part = 2.0 / (9.0 * (n - 1)), root = 1 - part + bn_normal_quantile (GIVING_UP) * sqrt (part);

  return deviation / sqrt (root * root * root);
}

/* What comes after n seeds that were not enough. */
static void
look_ahead (const BnPrecisionGoal *goal, guint n, double deviation, double target, BnPrecisionAnswer *answer)
{
  double needed = seeds_needed (n, deviation, target);

  answer->n_seeds = needed;
  answer->state = BN_PRECISION_TOO_MANY;
  if (n >= goal->max_seeds
      || (needed > goal->max_seeds && seeds_needed (n, least_deviation (n, deviation), target) > goal->max_seeds))
    return;
  answer->state = BN_PRECISION_MORE;
  answer->n_seeds = fmin (fmin (needed, 2.0 * n), goal->max_seeds);
}

BnPrecisionAnswer
bn_precision_judge (const BnPrecisionGoal *goal, const BnPrecisionSample *sample)
{
  guint n = sample->n_runs;
  BnInterval interval = bn_interval_of_mean (sample->values, sample->n_values, BN_CONFIDENCE);
  double mean = fabs (interval.mean), target = goal->relative / (1 + goal->relative) * mean;
  BnPrecisionAnswer answer = { BN_PRECISION_MORE, 0, mean > 0 ? interval.half_width / mean : NAN };

  if (n < BN_PRECISION_LEAST_SEEDS)
    answer.n_seeds = BN_PRECISION_LEAST_SEEDS;
  else if (2 * sample->n_unstable >= n)
    answer.state = BN_PRECISION_NOT_STABLE;
  else if (sample->n_values < n || (mean == 0 && interval.half_width > 0))
    answer.state = BN_PRECISION_UNDEFINED;
  else if (interval.half_width <= target)
    answer.state = BN_PRECISION_REACHED;
  else
    {
      double t = bn_student_quantile (0.5 + BN_CONFIDENCE / 2, n - 1);
      look_ahead (goal, n, interval.half_width / t * sqrt (n), target, &answer);
    }
  return answer;
}

guint
bn_precision_next (const BnPrecisionAnswer *answers, guint n_answers)
{
  double next = 0;

  for (guint i = 0; i < n_answers; i++)
    if (answers[i].state == BN_PRECISION_MORE)
      next = fmax (next, answers[i].n_seeds);
  return (guint) next;
}

static char *
so_far (const BnPrecisionSample *sample, const BnPrecisionAnswer *answer)
{
  const char *seeds = sample->n_runs == 1 ? "seed" : "seeds";

  if (!isfinite (answer->relative))
    return g_strdup_printf ("after %u %s", sample->n_runs, seeds);
  return g_strdup_printf ("within %.3g %% of its mean after %u %s", 100 * answer->relative, sample->n_runs, seeds);
}

char *
bn_precision_text (const BnPrecisionGoal *goal, const char *variant, const BnPrecisionSample *sample,
                   const BnPrecisionAnswer *answer)
{
  g_autofree char *state = so_far (sample, answer);

  switch (answer->state)
    {
    case BN_PRECISION_TOO_MANY:
      if (answer->n_seeds < MOST_SEEDS)
        return g_strdup_printf ("%s: %s %s; %.3g %% would take about %.0f, and --max-seeds is %u", variant,
                                goal->metric, state, 100 * goal->relative, answer->n_seeds, goal->max_seeds);
      return g_strdup_printf ("%s: %s %s; %.3g %% is out of reach", variant, goal->metric, state, 100 * goal->relative);
    case BN_PRECISION_NOT_STABLE:
      return g_strdup_printf ("%s: %u of %u runs are not STABLE: what their %s would settle at is not known, "
                              "however many seeds", variant, sample->n_unstable, sample->n_runs, goal->metric);
    case BN_PRECISION_UNDEFINED:
      return g_strdup_printf ("%s: %s has no value in some runs, or is 0, %s", variant, goal->metric, state);
    case BN_PRECISION_REACHED:
    case BN_PRECISION_MORE:
      break;
    }
  return g_strdup_printf ("%s: %s %s", variant, goal->metric, state);
}

guint64 *
bn_precision_seeds (const guint64 *given, guint n_given, guint n)
{
  guint64 *seeds = g_new (guint64, n), greatest = 0;

  g_assert (n >= n_given);
  for (guint i = 0; i < n_given; i++)
    {
      seeds[i] = given[i];
      greatest = MAX (greatest, given[i]);
    }
  for (guint i = n_given; i < n; i++)
    seeds[i] = ++greatest;
  return seeds;
}

gboolean
bn_precision_read_options (const char *text, gint max_seeds, BnPrecisionGoal *goal, GError **error)
{
  const char *wrong = max_seeds != G_MININT && text == NULL ? "goes with --precision; give it, too"
                      : max_seeds != G_MININT && (max_seeds < (gint) BN_PRECISION_LEAST_SEEDS || max_seeds > 10000)
                        ? "give 10 to 10000, as --max-seeds 200"
                        : NULL;

  if (wrong != NULL)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--max-seeds %d: %s", max_seeds, wrong);
      return FALSE;
    }
  goal->max_seeds = max_seeds != G_MININT ? (guint) max_seeds : BN_PRECISION_MAX_SEEDS;
  return text == NULL || bn_precision_parse (text, goal, error);
}
