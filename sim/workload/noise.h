/* noise.h: by how much a task overruns its profile.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The factor of each task of each job, in order of creation and of task number, is
 * drawn from one stream of the run's seed, whatever a scheduler does. So whoever
 * reads the arrivals of a seed can draw the factors that its runs will meet. What is
 * wrong with a profile itself is a factor of the task in the catalogue, the same in
 * every job, from a stream of its own.
 *
 * <stdint.h> only.
 */
#ifndef BN_NOISE_H
#define BN_NOISE_H

#include "rng.h"

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
  double profile_error; /* >= 1: every profile is wrong by a factor between this and
                     one over it, uniform in the logarithm, of mean 1 over all */
  const double *task_cv; /* [n_tasks] of the catalogue, borrowed, or NULL: lognormal factors with each
                     task's own cv, instead of `kind`; 0: none */
} BnNoise;

/* The factors of one run. */
typedef struct BnNoiseSource
{
  BnNoise noise;
  BnRng rng;
  double *errors;  /* [n_tasks] of the catalogue's tasks, or NULL where profiles are right */
} BnNoiseSource;

/* `n_tasks`: of the catalogue. */
void bn_noise_open (BnNoiseSource *source, const BnNoise *noise, uint32_t n_tasks, uint64_t seed);
void bn_noise_close (BnNoiseSource *source);

/* True runtime / profile runtime of the next task, which is number `task` of the
 * catalogue. Mean 1 over jobs, or over the catalogue where profiles are wrong. */
double bn_noise_next (BnNoiseSource *source, uint32_t task);

#endif
