/* hash.c: placement that looks at nothing.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * worker = hash of (job, task); or uniformly random for each task, which is what
 * the public Compass simulator calls Hash; or one home for each model (that
 * worker saturates when one model's load exceeds one worker, at any number of
 * servers); or (job + task) mod workers, as in the reference logs. Only workers
 * that can hold the model count.
 */
#include "schedulers.h"

typedef enum
{
  BY_TASK,
  BY_RANDOM,
  BY_MODEL,
  BY_MODULO
} HashBy;

enum
{
  PARAM_BY,
  PARAM_CENTRAL
};

static const char *const by_choices[] = { "task", "random", "model", "modulo", NULL };

static const BnParamSpec params[] = {
  { "by", "what decides: hash of job and task, chance, hash of the model, (job + task) mod workers", BN_PARAM_CHOICE,
    0, 0, BY_TASK, by_choices },
  { "central", "one scheduler places every job: its messages travel over the network", BN_PARAM_BOOL, 0, 0, 0, NULL },
};

typedef struct Hash
{
  const BnCost *cost;
  HashBy by;
  BnRng rng;
} Hash;

static uint32_t
hash_init (void *state, const BnSchedSetup *setup)
{
  Hash *h = state;

  h->cost = setup->cost;
  h->by = (HashBy) setup->params[PARAM_BY].integer;
  h->rng = setup->rng;
  return setup->params[PARAM_CENTRAL].integer ? BN_SCHED_CENTRAL : 0;
}

/* The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every input bit
 * reaches every output bit. */
static uint64_t
mix (uint64_t x)
{
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* FNV-1a (Fowler, Noll, Vo) of a name: the home of a model does not depend on
 * what else is in the catalogue. */
static uint64_t
hash_name (const char *name)
{
  uint64_t h = UINT64_C (0xcbf29ce484222325);

  for (; *name; name++)
    h = (h ^ (uint8_t) *name) * UINT64_C (0x100000001b3);
  return mix (h);
}

static void
hash_plan (void *state, const BnPlanCall *call)
{
  Hash *h = state;
  const BnWorkflow *wf = call->job->workflow;
  uint64_t job = (uint64_t) call->job->id;

  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      int32_t model = wf->tasks[t].model;
      uint32_t n = bn_fitting_count (h->cost, model);
      uint64_t k;
      switch (h->by)
        {
        case BY_RANDOM:
          k = bn_rng_below (&h->rng, n);
          break;
        case BY_MODULO:
          k = (job + t) % n;
          break;
        case BY_MODEL:
          if (model != BN_NONE)
            {
              k = hash_name (h->cost->catalogue->models[model].name) % n;
              break;
            }
          /* a task without a model has no home: it goes by job and task */
          __attribute__ ((fallthrough));
        case BY_TASK:
        default:
          k = mix (mix (job + 1) + t) % n;
          break;
        }
      call->host->place (call->host, t, bn_fitting_worker (h->cost, model, (uint32_t) k), 0);
    }
}

const BnScheduler bn_sched_hash = {
  .struct_size = sizeof (BnScheduler),
  .name = "hash",
  .summary = "a hash of job and task (or chance, or a home for each model); looks at nothing",
  .params = params,
  .n_params = sizeof params / sizeof params[0],
  .state_bytes = sizeof (Hash),
  .init = hash_init,
  .plan = hash_plan,
};
