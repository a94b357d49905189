/* random_scenario.h: random workloads, clusters and variants, each by its number.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A random DAG or several, a random cluster of one to three kinds of GPU with memory
 * down to one model and one slot or several, runtimes with and without noise, a random
 * scheduler with random settings, and random options. At most 30 jobs.
 */
#ifndef RANDOM_SCENARIO_H
#define RANDOM_SCENARIO_H

#include "scenario.h"

typedef struct RandomScenario
{
  BnScenario scenario;  /* without what only a file has */
  BnVariant *variant;
  uint64_t seed;
} RandomScenario;

/* The same for the same number. */
void random_scenario_make (RandomScenario *triple, uint64_t number);
void random_scenario_clear (RandomScenario *triple);

#endif
