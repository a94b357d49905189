/* verb_run.h: what the verbs `run` and `compare` have in common.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_VERB_RUN_H
#define BN_VERB_RUN_H

#include "cli.h"

/* Reads options and a scenario, runs it into a database, prints the comparison:
 * one row a run, or one a variant with `mean_over_seeds`. `compare` also takes a
 * results database and then only prints. Returns the exit status. */
int bn_verb_run (const BnCliUsage *usage, gboolean mean_over_seeds, gboolean takes_results, int argc, char **argv);

#endif
