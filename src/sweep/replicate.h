/* replicate.h: an experiment with as many seeds as a precision asks for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_REPLICATE_H
#define BN_REPLICATE_H

#include "experiment.h"
#include "precision.h"

/* Runs of one scenario: those of one scheduler together, each with numbers for `room` seeds. */
typedef struct BnReplications
{
  gint64 first_run;      /* number of the first scheduler's with the first seed */
  guint n_schedulers, room;
  guint n_seeds;         /* that have been asked for; runs of others do not count, though a file that
                            was left half done may have some */
} BnReplications;

/* What they say: an answer for each scheduler. Adds a line about each to `texts` (of char *),
 * which may be NULL. NULL with `error` set where the database cannot be read.
 * Returns: (transfer full): of BnPrecisionAnswer. */
GArray *bn_replicate_judge (sqlite3 *db, const BnPrecisionGoal *goal, const BnReplications *of, GPtrArray *texts,
                            GError **error);

/* As bn_experiment_run, with the scenario's seeds and then more, in rounds, until the goal is
 * reached or will not be; then a remark about each scheduler says which. A run is numbered
 * by its scheduler and seed whatever the rounds were: there is room for max_seeds of each,
 * so numbers have gaps. *reached: for every scheduler. */
gboolean bn_replicate (const BnScenario *scenario, BnResults *results, const BnPrecisionGoal *goal,
                       const BnExperimentOptions *options, BnExperimentOutcome *outcome, gboolean *reached,
                       GError **error);

#endif
