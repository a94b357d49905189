/* mm1.c: the queue whose answer is known: M/M/1 from an empty system.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "mm1.h"

#include <glib.h>

#include "rng.h"
#include "world.h"

#define SERVICE_NS (100 * BN_NS_PER_MS)

double
mm1_mean (double load)
{
  return 1 / (1 - load);
}

void
mm1_times (double load, uint64_t seed, double *times, uint64_t n)
{
  BnRng arrivals, services;
  double waits = 0;

  bn_rng_init (&arrivals, seed, "arrivals");
  bn_rng_init (&services, seed, "services");
  for (uint64_t i = 0; i < n; i++)
    {
      times[i] = waits + bn_rng_exponential (&services);
      double gap = bn_rng_exponential (&arrivals) / load;
      waits = MAX (times[i] - gap, 0);
    }
}

typedef struct Customers
{
  double *times, *from_its_jobs;
  int64_t n;
  BnTime free_ns;   /* when the server has served all before */
} Customers;

/* First come, first served: jobs end in the order in which they came. */
static void
job_ended (void *context, const BnJob *job, BnTime now)
{
  Customers *c = context;
  const BnTask *task = &job->tasks[0];

  g_assert (job->id == c->n);
  c->times[c->n] = (double) (now - job->create_ns) / SERVICE_NS;
  c->free_ns = bn_time_max (c->free_ns, job->create_ns) + bn_round_half_up (task->factor * SERVICE_NS);
  if (c->from_its_jobs != NULL)
    {
      c->times[c->n] = (double) (now - job->create_ns);
      c->from_its_jobs[c->n] = (double) (c->free_ns - job->create_ns);
    }
  c->n++;
}

void
mm1_run (double load, uint64_t seed, double *times, double *from_its_jobs, uint64_t n)
{
  Customers customers = { .times = times, .from_its_jobs = from_its_jobs };
  BnProbe probe = { .context = &customers, .job_ended = job_ended };
  World *w = world_queue (SERVICE_NS, 1, load, (BnNoise){ BN_NOISE_EXPONENTIAL, 1, false, 1, NULL });

  world_serve (w, (int64_t) n, seed, &probe);
  world_free (w);
}
