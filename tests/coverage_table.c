/* coverage_table.c: how often 95 % intervals hold the answer, by load and length.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Makes the table in doc/statistics.md: M/M/1 from an empty system, by Lindley's
 * recursion, which the engine is held to in tests/test_coverage.c. Columns: coverage in
 * percent of batch means of one run, of Student's interval over 10 runs, and of that without
 * each run's first tenth; in percent of the truth, how far the mean of a run is off on
 * average, and the half-width over 10 runs.
 *
 *   make tests/coverage_table && tests/coverage_table [REPLICATIONS [LOAD]]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "batch_means.h"
#include "mm1.h"

#define SEEDS 10

typedef struct Tally
{
  int n, batch, over_seeds, warmed_up;
  double sum;          /* of means, over the truth                 */
  double half_width;   /* of intervals over seeds, over the truth  */
} Tally;

static gboolean
holds (const BnInterval *interval, double truth)
{
  return interval->low <= truth && truth <= interval->high;
}

static void
measure (double load, uint64_t length, int n_replications)
{
  g_autofree double *times = g_new (double, length);
  double truth = mm1_mean (load), whole[SEEDS], rest[SEEDS];
  Tally t = { .n = n_replications };

  for (int k = 0; k < n_replications; k++)
    {
      mm1_times (load, (uint64_t) k + 1, times, length);
      BnInterval batch = bn_batch_means (times, length, BN_CONFIDENCE).interval;
      t.batch += holds (&batch, truth);
      whole[k % SEEDS] = bn_interval_of_mean (times, (uint32_t) length, BN_CONFIDENCE).mean;
      rest[k % SEEDS] = bn_interval_of_mean (times + length / 10, (uint32_t) (length - length / 10), BN_CONFIDENCE).mean;
      t.sum += whole[k % SEEDS] / truth;
      if (k % SEEDS != SEEDS - 1)
        continue;
      BnInterval all = bn_interval_of_mean (whole, SEEDS, BN_CONFIDENCE);
      BnInterval warmed_up = bn_interval_of_mean (rest, SEEDS, BN_CONFIDENCE);
      t.over_seeds += holds (&all, truth);
      t.warmed_up += holds (&warmed_up, truth);
      t.half_width += all.half_width / truth;
    }
  int n_groups = t.n / SEEDS;
  printf ("%.1f %8" G_GUINT64_FORMAT " %12.1f %12.1f %13.1f %8.2f %10.2f\n", load, length, 100.0 * t.batch / t.n,
          100.0 * t.over_seeds / n_groups, 100.0 * t.warmed_up / n_groups, 100 * (t.sum / t.n - 1),
          100 * t.half_width / n_groups);
}

int
main (int argc, char **argv)
{
  static const double loads[] = { 0.5, 0.7, 0.9 };
  static const uint64_t lengths[] = { 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000 };
  int n_replications = argc > 1 ? atoi (argv[1]) : 10000;

  printf ("load   length  batch means     10 seeds  without 1/10      off      width\n");
  for (unsigned i = 0; i < G_N_ELEMENTS (loads); i++)
    for (unsigned j = 0; j < G_N_ELEMENTS (lengths) && (argc < 3 || loads[i] == g_ascii_strtod (argv[2], NULL)); j++)
      measure (loads[i], lengths[j], n_replications);
  return 0;
}
