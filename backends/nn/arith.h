/* arith.h: arithmetic of single elements, for C and for CUDA.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What every backend computes alike, element by element: activations, signs of
 * gather and scatter, numbers drawn from counters. The functions use
 * + - * / on float and integers only, so that two compilers differ by rounding at
 * most (contraction to fused multiply-add), and loops over them vectorise.
 *
 * No libm, no branches that depend on data but a clamp.
 */
#ifndef BN_ARITH_H
#define BN_ARITH_H

#include <stdint.h>

#ifdef __CUDACC__
#define BN_DEVICE __host__ __device__
#else
#define BN_DEVICE
#endif

/* ---- activations ---- */

/* tanh by J. H. Lambert's continued fraction, to the seventh term, held at the value 1
 * that it meets at 4.97: off by less than 1e-4 everywhere. As it is the same
 * on every backend, that is as good as the exact one. */
BN_DEVICE static inline float
bn_nn_tanh (float x)
{
  float a = x < -4.97f ? -4.97f : x;

  a = a > 4.97f ? 4.97f : a;
  float s = a * a;
  float p = a * (135135.0f + s * (17325.0f + s * (378.0f + s)));
  float q = 135135.0f + s * (62370.0f + s * (3150.0f + s * 28.0f));
  return p / q;
}

BN_DEVICE static inline float
bn_nn_sigmoid (float x)
{
  return 0.5f + 0.5f * bn_nn_tanh (0.5f * x);
}

BN_DEVICE static inline float
bn_nn_relu (float x)
{
  return x > 0.0f ? x : 0.0f;
}

/* D. Hendrycks and K. Gimpel, "Gaussian error linear units", 2016: the tanh form. */
BN_DEVICE static inline float
bn_nn_gelu (float x)
{
  return 0.5f * x * (1.0f + bn_nn_tanh (0.7978845608f * (x + 0.044715f * x * x * x)));
}

/* ---- gather and scatter ---- */

/* 1 or -1, as a hash of i says (the first half of the finaliser of MurmurHash3). */
BN_DEVICE static inline float
bn_nn_sign (int64_t i)
{
  uint32_t x = (uint32_t) i * 0x9e3779b1u;

  x ^= x >> 16;
  x *= 0x85ebca6bu;
  return x >> 31 ? -1.0f : 1.0f;
}

/* Of place i where data is repeated: another one, so that summing up later what was repeated
 * does not undo it. */
BN_DEVICE static inline float
bn_nn_repeat_sign (int64_t i)
{
  return bn_nn_sign (~i);
}

/* ---- numbers from counters ----
 *
 * Every 64-bit word is the output function of SplitMix64 of key + counter * the golden gamma
 * (G. L. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014):
 * any number can be had without those before it. */

BN_DEVICE static inline uint64_t
bn_nn_mix (uint64_t x)
{
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

BN_DEVICE static inline uint64_t
bn_nn_word (uint64_t key, uint64_t counter)
{
  return bn_nn_mix (key + (counter + 1u) * 0x9e3779b97f4a7c15u);
}

/* One half of a word, uniform on [-1, 1), of 24 bits: exact in a float. */
BN_DEVICE static inline float
bn_nn_uniform (uint32_t half)
{
  return (float) ((int32_t) (half >> 8) - (1 << 23)) * (1.0f / (1 << 23));
}

/* Number i of the stream `key`: numbers 2 k and 2 k + 1 are the low and the high half of word k. */
BN_DEVICE static inline float
bn_nn_uniform_at (uint64_t key, int64_t i)
{
  uint64_t word = bn_nn_word (key, (uint64_t) i >> 1);

  return bn_nn_uniform ((uint32_t) (i & 1 ? word >> 32 : word));
}

/* The stream of a model's weights: weight i is mean + half_range * number i. */
BN_DEVICE static inline uint64_t
bn_nn_weights_key (uint64_t seed)
{
  return bn_nn_mix (seed + 0x77656967687473u); /* "weights" */
}

/* The stream of what the client sends for one task of a job: float i is number i times
 * sqrt (3), of variance 1. */
BN_DEVICE static inline uint64_t
bn_nn_client_key (uint64_t run_seed, int64_t job_id, uint32_t task)
{
  uint64_t key = bn_nn_mix (run_seed + 0x636c69656e74u); /* "client" */

  return bn_nn_mix (bn_nn_mix (key ^ (uint64_t) job_id) + task);
}

#define BN_NN_SQRT_3 1.7320508f

/* The two weights of place i in a digest: the low and the high half of word i of this stream. */
#define BN_NN_DIGEST_KEY 0x646967657374u /* "digest" */

#endif
