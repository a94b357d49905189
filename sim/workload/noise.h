/* noise.h: by how much a task overruns its profile.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The factor of each task of each job, in order of creation and of task number, is
 * drawn from one stream of the run's seed, whatever a scheduler does. So whoever
 * reads the arrivals of a seed can draw the factors that its runs will meet.
 *
 * <stdint.h> only.
 */
#ifndef BN_NOISE_H
#define BN_NOISE_H

#include "rng.h"

/* The name of the stream. */
#define BN_NOISE_STREAM "runtimes"

typedef enum
{
  BN_NOISE_CONSTANT,     /* the factor is 1 */
  BN_NOISE_EXPONENTIAL,
  BN_NOISE_LOGNORMAL,
  BN_NOISE_GAMMA
} BnNoiseKind;

typedef struct BnNoise
{
  BnNoiseKind kind;
  double cv;      /* > 0 for LOGNORMAL and GAMMA                        */
  bool visible;   /* schedulers know the factor; otherwise the profile  */
} BnNoise;

/* The next task's true runtime / profile runtime, of mean 1. CONSTANT draws nothing. */
double bn_noise_draw (const BnNoise *noise, BnRng *rng);

#endif
