/* noise.c: by how much a task overruns its profile.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "noise.h"

double
bn_noise_draw (const BnNoise *noise, BnRng *rng)
{
  switch (noise->kind)
    {
    case BN_NOISE_EXPONENTIAL:
      return bn_rng_exponential (rng);
    case BN_NOISE_LOGNORMAL:
      return bn_rng_lognormal (rng, noise->cv);
    case BN_NOISE_GAMMA:
      return bn_rng_gamma (rng, noise->cv);
    case BN_NOISE_CONSTANT:
      break;
    }
  return 1.0;
}
