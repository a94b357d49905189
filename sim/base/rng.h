/* rng.h: random streams, each with a name and nothing in common.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The generator is xoshiro256** (D. Blackman and S. Vigna, "Scrambled linear
 * pseudorandom number generators", ACM TOMS 47(4), 2021), its state filled by
 * SplitMix64 from a hash of (seed, name). So a stream depends on the run's seed
 * and its own name only: drawing more from one shifts no other, and every
 * scheduler meets the same arrivals. All results are the same on every machine:
 * the distributions use + - * / and sqrt, and the logarithm and exponential of
 * fmath.h.
 *
 * <stdint.h> only. Not thread-safe: one stream, one owner.
 */
#ifndef BN_RNG_H
#define BN_RNG_H

#include "bn.h"

typedef struct BnRng
{
  uint64_t s[4];
} BnRng;

/* Starts the stream `name` (any text) of `seed`. */
void bn_rng_init (BnRng *rng, uint64_t seed, const char *name);

uint64_t bn_rng_next (BnRng *rng);

/* Uniform on 0 .. n-1, without bias; n >= 1. (D. Lemire, "Fast random integer
 * generation in an interval", ACM TOMACS 29(1), 2019.) */
uint64_t bn_rng_below (BnRng *rng, uint64_t n);

/* Uniform on [0, 1), 53 bits. */
double bn_rng_uniform (BnRng *rng);

/* An index of 0 .. n-1, each as likely as its weight: cumulative[n] are the weights summed up, not falling, the last
 * above 0. O(log n). */
uint32_t bn_rng_weighted (BnRng *rng, const double *cumulative, uint32_t n);

/* Mean 1. */
double bn_rng_exponential (BnRng *rng);

/* Mean 0, standard deviation 1 (G. Marsaglia's polar method). */
double bn_rng_normal (BnRng *rng);

/* Gamma of mean 1 and coefficient of variation `cv` > 0: shape 1/cv^2, scale
 * cv^2 (G. Marsaglia and W. W. Tsang, ACM TOMS 26(3), 2000; shapes below 1 by
 * their boosting step). */
double bn_rng_gamma (BnRng *rng, double cv);

/* Log-normal of mean 1 and coefficient of variation `cv` > 0. */
double bn_rng_lognormal (BnRng *rng, double cv);

#endif
