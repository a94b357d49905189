/* scenario_warmup.c: the warm-up of a run, where it is a share of the jobs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Metrics know a warm-up as a time. A share of the jobs becomes one by reading the
 * run's own arrivals as far as the first job that counts.
 */
#include "scenario.h"

#include <math.h>

static gboolean
creation_of (const BnScenario *scenario, uint64_t seed, int64_t number, BnTime *ret, GError **error)
{
  BnArrivalsConfig config = scenario->arrivals;
  BnJobSpec spec = { 0 };  /* of no job: all count */
  BnArrivalsStatus status = BN_ARRIVALS_JOB;

  config.seed = seed;
  BnArrivals *arrivals = bn_arrivals_new (&config, scenario->catalogue, error);
  if (arrivals == NULL)
    return FALSE;
  for (int64_t i = 0; i <= number && status == BN_ARRIVALS_JOB; i++)
    status = bn_arrivals_next (arrivals, &spec, error);
  bn_arrivals_free (arrivals);
  if (status == BN_ARRIVALS_ERROR)
    return FALSE;
  *ret = spec.create_ns;
  return TRUE;
}

gboolean
bn_scenario_warmup (const BnScenario *scenario, uint64_t seed, BnDuration *ret, GError **error)
{
  const BnArrivalsConfig *a = &scenario->arrivals;
  double share = scenario->warmup_share;
  gboolean traced = a->kind == BN_ARRIVALS_TRACE;

  *ret = scenario->warmup_ns;
  if (share <= 0)
    return TRUE;
  if (!traced && a->until_ns != BN_TIME_NEVER)
    {
      *ret = (BnDuration) (share * (double) a->until_ns);
      return TRUE;
    }
  int64_t n_jobs = traced ? scenario->trace.n_rows : a->max_jobs;
  return creation_of (scenario, seed, (int64_t) ceil (share * (double) n_jobs), ret, error);
}
