/* noise.c: by how much a task overruns its profile.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "noise.h"

#include <glib.h>

#include "fmath.h"

void
bn_noise_open (BnNoiseSource *source, const BnNoise *noise, uint32_t n_tasks, uint64_t seed)
{
  *source = (BnNoiseSource){ .noise = *noise };
  bn_rng_init (&source->rng, seed, "runtimes");
  if (!(noise->profile_error > 1))
    return;
  double log_e = bn_log (noise->profile_error);
  /* of e^u for u uniform in [-log_e, log_e] */
  double mean = (noise->profile_error - 1 / noise->profile_error) / (2 * log_e);
  BnRng rng;

  bn_rng_init (&rng, seed, "profiles");
  source->errors = g_new (double, n_tasks);
  for (uint32_t t = 0; t < n_tasks; t++)
    source->errors[t] = bn_exp (log_e * (2 * bn_rng_uniform (&rng) - 1)) / mean;
}

void
bn_noise_close (BnNoiseSource *source)
{
  g_free (source->errors);
  source->errors = NULL;
}

static double
draw (BnNoiseSource *source, uint32_t task)
{
  const double *task_cv = source->noise.task_cv;

  if (task_cv)
    return task_cv[task] > 0 ? bn_rng_lognormal (&source->rng, task_cv[task]) : 1.0;
  switch (source->noise.kind)
    {
    case BN_NOISE_EXPONENTIAL:
      return bn_rng_exponential (&source->rng);
    case BN_NOISE_LOGNORMAL:
      return bn_rng_lognormal (&source->rng, source->noise.cv);
    case BN_NOISE_GAMMA:
      return bn_rng_gamma (&source->rng, source->noise.cv);
    case BN_NOISE_CONSTANT:
      break;
    }
  return 1.0;
}

double
bn_noise_next (BnNoiseSource *source, uint32_t task)
{
  double factor = draw (source, task);

  return source->errors ? factor * source->errors[task] : factor;
}
