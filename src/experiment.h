/* experiment.h: every variant of a scenario, on every seed, into one database.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each run has the same jobs for every variant, is measured and checked in
 * memory, and is written as its record level says. With the first complete run of a
 * seed comes what no scheduler can better on its jobs. Runs are in (variant, seed)
 * order; the first error ends the experiment.
 */
#ifndef BN_EXPERIMENT_H
#define BN_EXPERIMENT_H

#include <glib.h>

#include "interrupt.h"
#include "results.h"
#include "scenario.h"

typedef struct BnExperimentOptions
{
  gboolean progress;             /* a bar on standard error                        */
  gboolean debug_check;          /* verify the whole cluster after every event     */
  const char *repeat_arguments;  /* scenario and options, to print how to repeat a run */
  BnInterrupt *interrupt;        /* borrowed: what stops it                        */
  gint64 runs_before;            /* numbers of runs begin after this one           */
  gint64 variant_step;           /* from a variant's first run to the next one's; 0: the number of seeds */
  const char *todo;              /* [n_variants] '1': run it; NULL: all            */
  gboolean no_bound;             /* do not work out what no scheduler can better   */
  gint64 replay_of;              /* run of the same file that is repeated; 0: none */
  const void *scheduler_user;    /* BnRunConfig.scheduler_user                     */
  const char *costs;             /* results file with the costs of decisions to take, where they would be measured;
                                    NULL: measure them                             */
  gint64 costs_run;              /* run of it; 0: the one that is the same         */
} BnExperimentOptions;

/* What there is to say beside the results. */
typedef struct BnExperimentOutcome
{
  gint64 n_runs;                 /* that ended                                     */
  gint64 n_unfinished;           /* jobs                                           */
  gint64 n_violations;           /* of invariants checked in memory                */
  gboolean interrupted;
  GPtrArray *remarks;            /* (element-type utf8): lines for standard error  */
} BnExperimentOutcome;

/* FALSE with `error` set where a run could not be made or written; what was
 * written before stays. *outcome is filled in either case; clear it. */
gboolean bn_experiment_run (const BnScenario *scenario, BnResults *results, const BnExperimentOptions *options,
                            BnExperimentOutcome *outcome, GError **error);

void bn_experiment_outcome_clear (BnExperimentOutcome *outcome);

#endif
