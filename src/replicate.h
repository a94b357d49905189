/* replicate.h: an experiment with as many seeds as a precision asks for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_REPLICATE_H
#define BN_REPLICATE_H

#include "experiment.h"
#include "precision.h"

/* What the runs numbered [first_run, end_run) say, in order of number, those of one
 * scheduler together: an answer for each. Adds a line about each to `texts` (of char *),
 * which may be NULL. NULL with `error` set where the database cannot be read.
 * Returns: (transfer full): of BnPrecisionAnswer. */
GArray *bn_replicate_judge (sqlite3 *db, const BnPrecisionGoal *goal, gint64 first_run, gint64 end_run,
                            GPtrArray *texts, GError **error);

/* As bn_experiment_run, with the scenario's seeds and then more, in rounds, until the goal is
 * reached or will not be; then a remark about each scheduler says which. A run is numbered
 * by its scheduler and seed whatever the rounds were: there is room for max_seeds of each,
 * so numbers have gaps. *reached: for every scheduler. */
gboolean bn_replicate (const BnScenario *scenario, BnResults *results, const BnPrecisionGoal *goal,
                       const BnExperimentOptions *options, BnExperimentOutcome *outcome, gboolean *reached,
                       GError **error);

#endif
