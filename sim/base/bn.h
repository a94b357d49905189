/* bn.h: the ground every room stands on: time, sizes, indices.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * This header needs C standard headers and nothing else, because it is part of what a
 * scheduler outside this tree will compile against.
 *
 * Units are part of names: `_ns` is nanoseconds, `_bytes` is bytes (decimal:
 * 1 kB = 1000 bytes), `_bytes_per_s` is a rate, `_ppm` is millionths.
 */
#ifndef BN_BN_H
#define BN_BN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A point in simulated time, in nanoseconds since the start of the run, and a
 * difference of two such points. Both are signed, so that a difference is
 * always representable and a negative one is visible as the bug it is. */
typedef int64_t BnTime;
typedef int64_t BnDuration;

/* Later than every other time. Adding to it leaves it as it is. */
#define BN_TIME_NEVER INT64_MAX

#define BN_NS_PER_US INT64_C (1000)
#define BN_NS_PER_MS INT64_C (1000000)
#define BN_NS_PER_S INT64_C (1000000000)

/* "No worker", "no model", "no task": the only negative index. */
#define BN_NONE (-1)

/* A relative speed of 1, in millionths. */
#define BN_PPM_ONE INT64_C (1000000)

/* t + d, staying at BN_TIME_NEVER instead of wrapping. d must not be negative. */
static inline BnTime
bn_time_add (BnTime t, BnDuration d)
{
  return t > BN_TIME_NEVER - d ? BN_TIME_NEVER : t + d;
}

static inline BnTime
bn_time_max (BnTime a, BnTime b)
{
  return a > b ? a : b;
}

static inline BnTime
bn_time_min (BnTime a, BnTime b)
{
  return a < b ? a : b;
}

/* The one rounding rule of the project: a * b / c to the nearest integer,
 * halves up, for a, b >= 0 and c > 0, computed exactly in 128 bits and held at
 * BN_TIME_NEVER where it does not fit. Durations and rates go through here, so
 * no cost depends on floating point. */
static inline int64_t
bn_muldiv_round (int64_t a, int64_t b, int64_t c)
{
  __extension__ typedef unsigned __int128 u128;
  u128 q = ((u128) (uint64_t) a * (uint64_t) b + (uint64_t) c / 2) / (uint64_t) c;
  return q > (u128) INT64_MAX ? INT64_MAX : (int64_t) q;
}

/* x >= 0 to the nearest integer, halves up; held at BN_TIME_NEVER. For the few
 * quantities that are born as doubles (random factors, parsed decimals). */
static inline int64_t
bn_round_half_up (double x)
{
  return x >= 9223372036854774784.0 ? INT64_MAX : (int64_t) (x + 0.5);
}

#endif
