/* bound.c: from a stream of jobs to bounds on means.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"

#include "bound_prices.h"
#include "fast_machine.h"

/* Weights of jobs: what is summed up. */
typedef enum
{
  OF_LATENCY,   /* in ns         */
  OF_SLOWDOWN,  /* in millionths */
  N_MEASURES
} Measure;

/* A slowdown is measured in whole millionths, up to half of one below the truth. */
#define SLOWDOWN_ROUNDING 0.5

typedef struct Summer
{
  const BnBoundConfig *config;
  BnMachineTypes *types;
  BnBoundBlock block;
  BnRng rng;               /* of steps */
  double *weights;         /* [capacity_weights] */
  uint32_t capacity_weights;
  double sums[N_MEASURES][BN_N_BOUNDS], best[N_MEASURES];
  double most[N_MEASURES][BN_N_BOUNDS];  /* what the kind that was best gave, over blocks */
  int64_t n[N_MEASURES];
} Summer;

const char *
bn_bound_kind_name (BnBoundKind kind)
{
  static const char *const names[] = {
    [BN_BOUND_PER_JOB] = "per-job", [BN_BOUND_RELAXATION] = "relaxation", [BN_BOUND_PRICES] = "prices",
  };

  return names[kind];
}

/* The job's part of the bound job by job, a whole number: as metrics round it. */
static double
alone (const BnBoundJob *job, Measure measure)
{
  if (measure == OF_LATENCY)
    return (double) job->latency_ns;
  return (double) bn_muldiv_round (job->latency_ns, BN_PPM_ONE, job->lower_bound_ns);
}

/* Weights of the block's jobs. Returns: how many count. */
static uint32_t
weigh (Summer *s, Measure measure, double *ret_alone)
{
  uint32_t n = 0;

  *ret_alone = 0;
  for (uint32_t j = 0; j < s->block.n_jobs; j++)
    {
      const BnBoundJob *job = &s->block.jobs[j];
      bool counts = measure == OF_LATENCY || job->lower_bound_ns > 0;
      s->weights[j] = !counts ? 0 : measure == OF_LATENCY ? 1 : (double) BN_PPM_ONE / (double) job->lower_bound_ns;
      if (!counts)
        continue;
      n++;
      *ret_alone += alone (job, measure);
    }
  return n;
}

static void
bound_block (Summer *s, BnFastMachine *machine, Measure measure)
{
  double value[BN_N_BOUNDS];
  uint32_t n = weigh (s, measure, &value[BN_BOUND_PER_JOB]);
  GArray *stretches = g_array_new (FALSE, FALSE, sizeof (BnStretch));
  BnBoundKind kind = BN_BOUND_PER_JOB;

  if (n > 0)
    {
      double rounding = measure == OF_SLOWDOWN ? n * SLOWDOWN_ROUNDING : 0, typical = 0;
      for (uint32_t j = 0; j < s->block.n_jobs; j++)
        typical += (double) s->block.jobs[j].latency_ns / s->block.n_jobs;
      value[BN_BOUND_RELAXATION]
        = bn_fast_machine_bound (machine, s->weights, s->config->steps, &s->rng, stretches) - rounding;
      typical *= MAX (1, value[BN_BOUND_RELAXATION] / value[BN_BOUND_PER_JOB]);
      value[BN_BOUND_PRICES] = bn_bound_by_prices (&s->block, s->types, s->weights, stretches, typical,
                                                   s->config->steps) - rounding;
      for (BnBoundKind k = 0; k < BN_N_BOUNDS; k++)
        {
          s->sums[measure][k] += value[k];
          kind = value[k] > value[kind] ? k : kind;
        }
      s->best[measure] += value[kind];
      s->most[measure][kind] += value[kind];
      s->n[measure] += n;
    }
  g_array_unref (stretches);
}

static void
finish_block (Summer *s)
{
  if (s->block.n_jobs == 0)
    return;
  if (s->capacity_weights < s->block.n_jobs)
    {
      s->capacity_weights = s->block.capacity_jobs;
      s->weights = g_renew (double, s->weights, s->capacity_weights);
    }
  BnFastMachine *machine = bn_fast_machine_new (&s->block, s->types);
  for (Measure m = 0; m < N_MEASURES; m++)
    bound_block (s, machine, m);
  bn_fast_machine_free (machine);
  bn_bound_block_reset (&s->block);
}

/* GPU time of a job, each task on its best type. */
static double
gpu_time_ns (const BnMachineTypes *types, const BnWorkflow *wf, const double *factors)
{
  double sum = 0;

  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      BnDuration least = BN_TIME_NEVER;
      for (uint32_t i = types->first[wf->first_task + t]; i < types->first[wf->first_task + t + 1]; i++)
        least = bn_time_min (least, types->ways[i].runtime_ns);
      sum += least == BN_TIME_NEVER ? 0 : (double) least * factors[t];
    }
  return sum;
}

/* The mean in whole parts of which `parts` are 1. */
static double
mean_of (double sum, int64_t n, double parts)
{
  return (double) (int64_t) (MAX (sum, 0) / (double) n) / parts;
}

static BnBoundValue
value_of (const Summer *s, Measure measure, double parts)
{
  BnBoundValue v = { .n_jobs = s->n[measure] };

  if (v.n_jobs == 0)
    return v;
  for (BnBoundKind k = 0; k < BN_N_BOUNDS; k++)
    {
      v.mean[k] = mean_of (s->sums[measure][k], v.n_jobs, parts);
      v.kind = s->most[measure][k] > s->most[measure][v.kind] ? k : v.kind;
    }
  v.best = mean_of (s->best[measure], v.n_jobs, parts);
  return v;
}

static gboolean
is_stopped (const BnBoundConfig *config, GError **error)
{
  if (!config->stopped || !config->stopped (config->stopped_data))
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted");
  return TRUE;
}

static BnArrivalsStatus
read_jobs (Summer *s, BnArrivals *arrivals, BnBound *ret, GError **error)
{
  const BnBoundConfig *c = s->config;
  const BnCatalogue *catalogue = c->cost->catalogue;
  BnArrivalsStatus status;
  BnJobSpec spec;
  BnTime first_ns = 0, last_ns = 0;
  double work_ns = 0;
  uint32_t max_tasks = 1;
  BnNoiseSource noise;

  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    max_tasks = MAX (max_tasks, catalogue->workflows[f].n_tasks);
  double *factors = g_new (double, max_tasks);
  bn_noise_open (&noise, &c->noise, catalogue->n_tasks, c->seed);
  while ((status = bn_arrivals_next (arrivals, &spec, error)) == BN_ARRIVALS_JOB)
    {
      const BnWorkflow *wf = &catalogue->workflows[spec.workflow];
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        factors[t] = bn_noise_next (&noise, wf->first_task + t) * bn_job_spec_factor (&spec);
      first_ns = ret->n_jobs == 0 ? spec.create_ns : first_ns;
      last_ns = spec.create_ns;
      ret->n_jobs++;
      work_ns += gpu_time_ns (s->types, wf, factors);
      if (!s->types->runnable[spec.workflow])
        continue;
      ret->n_runnable++;
      if (spec.create_ns < c->warmup_ns)
        continue;
      if (bn_bound_block_is_full (&s->block, spec.create_ns))
        {
          if (is_stopped (c, error))
            {
              bn_noise_close (&noise);
              g_free (factors);
              return BN_ARRIVALS_ERROR;
            }
          finish_block (s);
        }
      bn_bound_block_add (&s->block, c->cost, s->types, wf, spec.create_ns, factors);
    }
  finish_block (s);
  if (last_ns > first_ns)
    ret->slots_needed = work_ns / (double) ret->n_jobs * (double) (ret->n_jobs - 1) / (double) (last_ns - first_ns);
  bn_noise_close (&noise);
  g_free (factors);
  return status;
}

gboolean
bn_bound_compute (const BnBoundConfig *config, BnBound *ret, GError **error)
{
  BnArrivalsConfig arrivals_config = *config->arrivals;
  Summer s = { .config = config };

  *ret = (BnBound){ 0 };
  arrivals_config.seed = config->seed;
  arrivals_config.n_workers = config->cost->platform->n_workers;
  BnArrivals *arrivals = bn_arrivals_new (&arrivals_config, config->cost->catalogue, error);
  if (!arrivals)
    return FALSE;
  bn_rng_init (&s.rng, config->seed, "bound");
  s.types = bn_machine_types_new (config->cost, config->arrivals->weights, config->preloaded);
  BnArrivalsStatus status = read_jobs (&s, arrivals, ret, error);
  ret->latency_ns = value_of (&s, OF_LATENCY, 1);
  ret->slowdown = value_of (&s, OF_SLOWDOWN, (double) BN_PPM_ONE);
  bn_arrivals_free (arrivals);
  bn_machine_types_free (s.types);
  bn_bound_block_clear (&s.block);
  g_free (s.weights);
  return status == BN_ARRIVALS_END;
}
