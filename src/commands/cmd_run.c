/* cmd_run.c: binnacle run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "verb_run.h"

int
bn_cmd_run (int argc, char **argv)
{
  const BnCliUsage usage = {
    "run", "SCENARIO.ini",
    "Replays the scenario's workload through each of its schedulers, on exactly the same\n"
    "jobs, for each seed. Prints one row a run and writes every number to one SQLite file.\n"
    "A scenario is a file, or the name of one that comes with the program.",
    "  binnacle run paper -o paper.db\n"
    "  binnacle run traces/scenarios/paper.ini --scheduler 'compass,jit' --set workload.rate=3/s --seed 7\n"
    "  binnacle run traces/scenarios/paper.ini --record tasks -o paper.db && binnacle plot paper.db\n",
    NULL,
  };

  return bn_verb_run (&usage, FALSE, FALSE, argc, argv);
}
