/* precision.h: how many seeds it takes until a mean is known well enough.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Seeds are added in rounds, until the half-width of the 95 % interval of each scheduler's
 * mean is within gamma = relative / (1 + relative) of the mean found, so that it is within
 * `relative` of the mean that it is about; never on less than 10 seeds. (A. M. Law,
 * "Simulation Modeling and Analysis", 5th ed., 2015, 9.4.1, the relative-error procedure;
 * Y. S. Chow and H. Robbins, Ann. Math. Stat. 36(2), 1965, that its coverage tends to what
 * it says as intervals get narrow.) Whoever stops when an interval happens to be narrow
 * covers less than 95 %: hence gamma, 10 seeds, and few looks, each round being what the
 * variance so far asks for, at most twice as many seeds as there are. What is left of the
 * loss is measured in tests/test_precision.c.
 *
 * Pure functions: what comes next follows from the values so far, so that a study that was
 * interrupted goes the same way again.
 */
#ifndef BN_PRECISION_H
#define BN_PRECISION_H

#include <glib.h>

#define BN_PRECISION_LEAST_SEEDS 10u
#define BN_PRECISION_MAX_SEEDS 100u   /* unless said otherwise */

typedef struct BnPrecisionGoal
{
  double relative;       /* 0.02: 2 %                                           */
  char *metric;          /* name of a metric; owned                             */
  guint max_seeds;       /* no more than these, >= BN_PRECISION_LEAST_SEEDS     */
} BnPrecisionGoal;

/* Reads "2%" or "2%:latency_p99"; without a metric it is latency_mean. max_seeds is left as
 * it is. FALSE with `error` set, beginning with --precision. Clear the goal. */
gboolean bn_precision_parse (const char *text, BnPrecisionGoal *goal, GError **error);
void bn_precision_clear (BnPrecisionGoal *goal);

/* What --precision (NULL: not given) and --max-seeds (G_MININT: not given) say together; goal->metric stays
 * NULL without --precision. FALSE with `error` set. */
gboolean bn_precision_read_options (const char *text, gint max_seeds, BnPrecisionGoal *goal, GError **error);

typedef enum
{
  BN_PRECISION_REACHED,
  BN_PRECISION_MORE,       /* with n_seeds seeds it may be                                    */
  BN_PRECISION_TOO_MANY,   /* about n_seeds seeds would do, and max_seeds have been run or are too few
                              with 95 % certainty                                               */
  BN_PRECISION_NOT_STABLE, /* half of the runs or more are not in equilibrium: their mean is of
                              how long they ran                                                */
  BN_PRECISION_UNDEFINED   /* some runs have no value, or the mean is 0                        */
} BnPrecisionState;

/* What is known of one scheduler in one cell. */
typedef struct BnPrecisionSample
{
  const double *values;  /* [n_values] of the runs that have one                */
  guint n_values, n_runs;
  guint n_unstable;      /* runs BACKLOGGED, OVERLOADED or not complete         */
} BnPrecisionSample;

typedef struct BnPrecisionAnswer
{
  BnPrecisionState state;
  double n_seeds;        /* MORE, TOO_MANY: in all                              */
  double relative;       /* half-width / mean so far; NAN: not known            */
} BnPrecisionAnswer;

BnPrecisionAnswer bn_precision_judge (const BnPrecisionGoal *goal, const BnPrecisionSample *sample);

/* Seeds that a cell with these answers, one a scheduler, should have next, the same for
 * all; 0: no more would help. */
guint bn_precision_next (const BnPrecisionAnswer *answers, guint n_answers);

/* "compass: latency_mean within 1.7 % of its mean after 34 seeds", or why not.
 * Returns: (transfer full). */
char *bn_precision_text (const BnPrecisionGoal *goal, const char *variant, const BnPrecisionSample *sample,
                         const BnPrecisionAnswer *answer);

/* `n` seeds, n >= n_given: those given, then what follows the greatest of them.
 * Returns: (transfer full). */
guint64 *bn_precision_seeds (const guint64 *given, guint n_given, guint n);

#endif
