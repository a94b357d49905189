/* sparrow.c: batch sampling and late binding.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Source: K. Ousterhout, P. Wendell, M. Zaharia, I. Stoica, "Sparrow: distributed,
 * low latency scheduling", SOSP 2013. Tasks of a job that become ready together
 * are one request of n. It puts ceil(ratio x n) reservations into the queues of
 * distinct workers (where there are fewer workers, the same number at each, and
 * the rest at distinct ones); a worker with a free slot whose queue has one at its head
 * asks, and the request's scheduler binds one of its tasks to it. No queue length
 * and no runtime is known to anybody.
 *
 * With `constrained`, each task samples workers that are known to hold its model,
 * as Sparrow does for tasks with preferred machines, and is filled up with random
 * ones; a worker that asks gets a task whose model it holds if there is one.
 * Only workers that can hold the largest model of a request are sampled.
 */
#include <stdlib.h>

#include "panic.h"
#include "schedulers.h"

enum
{
  PARAM_RATIO,
  PARAM_CONSTRAINED
};

static const BnParamSpec params[] = {
  { "ratio", "reservations for each task of a request", BN_PARAM_REAL, 1, 100, 2, NULL },
  { "constrained", "sample workers that hold the task's model first", BN_PARAM_BOOL, 0, 0, 1, NULL },
};

typedef struct Sparrow
{
  const BnCost *cost;
  BnRng rng;
  double ratio;
  bool constrained;
  uint32_t n_workers;
  uint64_t request;        /* number of the current one                */
  uint64_t *sampled;       /* [n_workers]: last request that sampled it */
  uint32_t *holders;       /* [n_workers] scratch                      */
} Sparrow;

static uint32_t
sparrow_init (void *state, const BnSchedSetup *setup)
{
  Sparrow *s = state;

  s->cost = setup->cost;
  s->rng = setup->rng;
  s->ratio = setup->params[PARAM_RATIO].real;
  s->constrained = setup->params[PARAM_CONSTRAINED].integer;
  s->n_workers = setup->platform->n_workers;
  s->sampled = calloc (s->n_workers, sizeof *s->sampled);
  s->holders = calloc (s->n_workers, sizeof *s->holders);
  BN_ASSERT (s->sampled && s->holders);
  return BN_SCHED_RESERVES | (s->constrained ? BN_SCHED_READS_CACHES : 0);
}

static void
sparrow_fini (void *state)
{
  Sparrow *s = state;

  free (s->sampled);
  free (s->holders);
}

/* The largest model of the request: who can hold it can hold them all. */
static int32_t
largest_model (const Sparrow *s, const BnPlaceCall *call)
{
  const BnCatalogue *catalogue = s->cost->catalogue;
  int32_t largest = BN_NONE;

  for (uint32_t i = 0; i < call->n_tasks; i++)
    {
      int32_t m = call->job->workflow->tasks[call->tasks[i]].model;
      if (m != BN_NONE
          && (largest == BN_NONE || catalogue->models[m].size_bytes > catalogue->models[largest].size_bytes))
        largest = m;
    }
  return largest;
}

static bool
take (Sparrow *s, const BnPlaceCall *call, uint32_t w)
{
  if (s->sampled[w] == s->request)
    return false;
  s->sampled[w] = s->request;
  call->host->reserve (call->host, w);
  return true;
}

/* Reserves at up to `wanted` random holders of the task's model that this request
 * has not sampled and that fit. Returns: how many. */
static uint32_t
sample_holders (Sparrow *s, const BnPlaceCall *call, uint32_t task, int32_t largest, uint32_t wanted)
{
  int32_t model = call->job->workflow->tasks[task].model;
  uint32_t n = 0, taken = 0;

  if (!s->constrained || model == BN_NONE)
    return 0;
  for (uint32_t k = 0; k < call->view->holder_words; k++)
    for (uint64_t word = call->view->holders[(uint64_t) model * call->view->holder_words + k]; word; word &= word - 1)
      {
        uint32_t w = 64 * k + (uint32_t) __builtin_ctzll (word);
        if (s->sampled[w] != s->request && bn_cost_fits (s->cost, (uint32_t) largest, w))
          s->holders[n++] = w;
      }
  while (taken < wanted && n > 0)
    {
      uint64_t i = bn_rng_below (&s->rng, n);
      taken += take (s, call, s->holders[i]);
      s->holders[i] = s->holders[--n];
    }
  return taken;
}

static void
sparrow_place (void *state, const BnPlaceCall *call)
{
  Sparrow *s = state;
  int32_t largest = largest_model (s, call);
  uint32_t n_fitting = bn_fitting_count (s->cost, largest);
  uint64_t wanted = (uint64_t) (s->ratio * call->n_tasks);

  wanted += (double) wanted < s->ratio * call->n_tasks;
  /* more than there are workers: each gets the quotient, the remainder is sampled */
  for (; wanted >= n_fitting; wanted -= n_fitting)
    for (uint32_t k = 0; k < n_fitting; k++)
      call->host->reserve (call->host, bn_fitting_worker (s->cost, largest, k));
  s->request++;
  for (uint32_t i = 0; i < call->n_tasks; i++)
    {
      /* its share of the reservations, so that they add up to `wanted` */
      uint32_t share = (uint32_t) (wanted * (i + 1) / call->n_tasks - wanted * i / call->n_tasks);
      share -= sample_holders (s, call, call->tasks[i], largest, share);
      for (; share > 0; share--)
        {
          /* distinct workers: fewer are wanted than fit */
          uint64_t k = bn_rng_below (&s->rng, n_fitting);
          while (!take (s, call, bn_fitting_worker (s->cost, largest, (uint32_t) k)))
            k = (k + 1) % n_fitting;
        }
    }
}

static void
sparrow_pull (void *state, const BnPullCall *call)
{
  const Sparrow *s = state;
  const BnTaskSpec *tasks = call->job->workflow->tasks;
  uint32_t chosen = call->tasks[0];

  for (uint32_t i = 0; i < call->n_tasks && s->constrained; i++)
    {
      int32_t model = tasks[call->tasks[i]].model;
      if (model != BN_NONE && bn_view_holds (call->view, call->worker, (uint32_t) model))
        {
          chosen = call->tasks[i];
          break;
        }
    }
  call->host->place (call->host, chosen, call->worker, 0);
}

const BnScheduler bn_sched_sparrow = {
  .struct_size = sizeof (BnScheduler),
  .name = "sparrow",
  .summary = "batch sampling with late binding: reservations in queues, tasks bound when a slot is free",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (Sparrow),
  .init = sparrow_init,
  .fini = sparrow_fini,
  .place = sparrow_place,
  .pull = sparrow_pull,
};
