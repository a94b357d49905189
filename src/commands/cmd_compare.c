/* cmd_compare.c: binnacle compare.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "verb_run.h"

int
bn_cmd_compare (int argc, char **argv)
{
  const BnCliUsage usage = {
    "compare", "SCENARIO.ini|RESULTS.db",
    "Runs the scenario as `binnacle run` does, or takes a results file as it is, and prints\n"
    "one row for each scheduler: means over its seeds with their 95 % intervals. Below them it\n"
    "says how far each is from the first (--base) on the same jobs, and what the numbers are good\n"
    "for (doc/statistics.md). CSV and JSON have every interval.\n"
    "A scenario is a file, or the name of one that comes with the program.",
    "  binnacle compare demo -o demo.db\n"
    "  binnacle compare demo.db --format csv\n"
    "  binnacle compare traces/scenarios/bursty.ini --seed 1..5 --set servers.count=8\n"
    "  binnacle compare demo --record summary --scheduler 'compass, jit' --precision 5% --base jit\n",
    NULL,
  };

  return bn_verb_run (&usage, TRUE, TRUE, argc, argv);
}
