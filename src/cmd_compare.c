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
    "one row for each scheduler: means over its seeds, with the 95 % interval of the mean\n"
    "latency.\n"
    "A scenario is a file, or the name of one that comes with the program.",
    "  binnacle compare demo -o demo.db\n"
    "  binnacle compare demo.db --format csv\n"
    "  binnacle compare traces/scenarios/bursty.ini --seed 1..5 --set servers.count=8\n",
    NULL,
  };

  return bn_verb_run (&usage, TRUE, TRUE, argc, argv);
}
