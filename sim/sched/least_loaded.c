/* least_loaded.c: the worker that is free first, of all or of two.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Both place a task when it is ready, from the queues in the published table
 * alone, blind to caches and transfers. `po2` looks at two distinct random
 * workers (M. Mitzenmacher, "The power of two choices in randomized load
 * balancing", IEEE TPDS 12(10), 2001). Ties: the lowest worker number.
 */
#include "schedulers.h"

typedef struct LeastLoaded
{
  const BnCost *cost;
  BnRng rng;
} LeastLoaded;

static uint32_t
least_loaded_init (void *state, const BnSchedSetup *setup)
{
  *(LeastLoaded *) state = (LeastLoaded){ setup->cost, setup->rng };
  return BN_SCHED_READS_LOADS;
}

static void
least_loaded_place (void *state, const BnPlaceCall *call)
{
  const LeastLoaded *l = state;
  uint32_t t = call->tasks[0], best = 0;
  int32_t model = call->job->workflow->tasks[t].model;
  uint32_t n = bn_fitting_count (l->cost, model);
  BnTime best_ns = BN_TIME_NEVER;

  for (uint32_t k = 0; k < n && best_ns > call->now; k++)
    {
      uint32_t w = bn_fitting_worker (l->cost, model, k);
      BnTime free_ns = bn_view_free_at (call->view, w, call->now);
      if (free_ns < best_ns)
        {
          best = w;
          best_ns = free_ns;
        }
    }
  call->host->place (call->host, t, best, 0);
}

static void
po2_place (void *state, const BnPlaceCall *call)
{
  LeastLoaded *l = state;
  uint32_t t = call->tasks[0];
  int32_t model = call->job->workflow->tasks[t].model;
  uint32_t n = bn_fitting_count (l->cost, model);
  uint64_t first = bn_rng_below (&l->rng, n), second = first;

  if (n > 1)
    second = (first + 1 + bn_rng_below (&l->rng, n - 1)) % n;
  uint32_t a = bn_fitting_worker (l->cost, model, (uint32_t) (first < second ? first : second));
  uint32_t b = bn_fitting_worker (l->cost, model, (uint32_t) (first < second ? second : first));
  bool take_b = bn_view_free_at (call->view, b, call->now) < bn_view_free_at (call->view, a, call->now);
  call->host->place (call->host, t, take_b ? b : a, 0);
}

const BnScheduler bn_sched_least_loaded = {
  .struct_size = sizeof (BnScheduler),
  .name = "least-loaded",
  .summary = "the worker whose queue ends first, when the task is ready",
  .state_bytes = sizeof (LeastLoaded),
  .init = least_loaded_init,
  .place = least_loaded_place,
};

const BnScheduler bn_sched_po2 = {
  .struct_size = sizeof (BnScheduler),
  .name = "po2",
  .summary = "the less loaded of two random workers, when the task is ready",
  .state_bytes = sizeof (LeastLoaded),
  .init = least_loaded_init,
  .place = po2_place,
};
