/* sketch.c: quantiles of a stream of integers in bounded memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Octave 0 holds the values below 256, octave o >= 1 those from 2^(o+7) to
 * 2^(o+8) - 1, in steps of 2^(o-1).
 */
#include "sketch.h"

#include <string.h>

#include <glib.h>

static inline uint32_t
octave_of (int64_t value)
{
  return value < BN_SKETCH_STEPS ? 0 : 56 - (uint32_t) __builtin_clzll ((uint64_t) value);
}

static inline uint32_t
step_of (int64_t value, uint32_t octave)
{
  return octave == 0 ? (uint32_t) value : (uint32_t) (value >> (octave - 1)) - BN_SKETCH_STEPS;
}

static void
set_bucket (BnSketchBucket *bucket, uint32_t octave, uint32_t step, int64_t n)
{
  uint32_t shift = octave == 0 ? 0 : octave - 1;
  int64_t first = octave == 0 ? step : (int64_t) BN_SKETCH_STEPS + step;

  bucket->low = first << shift;
  bucket->high = bucket->low + ((INT64_C (1) << shift) - 1);
  bucket->n = n;
}

void
bn_sketch_init (BnSketch *sketch)
{
  memset (sketch, 0, sizeof *sketch);
}

void
bn_sketch_clear (BnSketch *sketch)
{
  for (uint32_t o = 0; o < BN_SKETCH_OCTAVES; o++)
    g_free (sketch->octaves[o]);
  bn_sketch_init (sketch);
}

static int64_t *
octave_counts (BnSketch *sketch, uint32_t octave)
{
  if (G_UNLIKELY (sketch->octaves[octave] == NULL))
    sketch->octaves[octave] = g_new0 (int64_t, BN_SKETCH_STEPS);
  return sketch->octaves[octave];
}

void
bn_sketch_add (BnSketch *sketch, int64_t value)
{
  g_assert (value >= 0);
  uint32_t octave = octave_of (value);

  octave_counts (sketch, octave)[step_of (value, octave)]++;
  if (sketch->n == 0 || value < sketch->min)
    sketch->min = value;
  if (sketch->n == 0 || value > sketch->max)
    sketch->max = value;
  sketch->n++;
}

void
bn_sketch_merge (BnSketch *sketch, const BnSketch *other)
{
  if (other->n == 0)
    return;
  sketch->min = sketch->n == 0 ? other->min : MIN (sketch->min, other->min);
  sketch->max = sketch->n == 0 ? other->max : MAX (sketch->max, other->max);
  sketch->n += other->n;
  for (uint32_t o = 0; o < BN_SKETCH_OCTAVES; o++)
    if (other->octaves[o] != NULL)
      {
        int64_t *counts = octave_counts (sketch, o);
        for (uint32_t s = 0; s < BN_SKETCH_STEPS; s++)
          counts[s] += other->octaves[o][s];
      }
}

int64_t
bn_quantile_rank (int64_t n, int64_t ppm)
{
  __extension__ typedef __int128 wide;
  int64_t rank = (int64_t) (((wide) n * ppm + 999999) / 1000000);

  return CLAMP (rank, 1, n);
}

int
bn_sketch_next (const BnSketch *sketch, uint32_t *at, BnSketchBucket *bucket)
{
  for (; *at < BN_SKETCH_OCTAVES * BN_SKETCH_STEPS; ++*at)
    {
      uint32_t octave = *at / BN_SKETCH_STEPS, step = *at % BN_SKETCH_STEPS;

      if (sketch->octaves[octave] == NULL)
        {
          *at += BN_SKETCH_STEPS - 1;
          continue;
        }
      if (sketch->octaves[octave][step] == 0)
        continue;
      set_bucket (bucket, octave, step, sketch->octaves[octave][step]);
      ++*at;
      return 1;
    }
  return 0;
}

int64_t
bn_sketch_quantile (const BnSketch *sketch, int64_t ppm)
{
  int64_t rank = bn_quantile_rank (sketch->n, ppm), seen = 0;
  BnSketchBucket bucket = { 0, 0, 0 };
  uint32_t at = 0;

  g_assert (sketch->n > 0);
  if (rank == sketch->n)
    return sketch->max;
  if (rank == 1)
    return sketch->min;
  while (seen < rank && bn_sketch_next (sketch, &at, &bucket))
    seen += bucket.n;
  g_assert (seen >= rank);
  return CLAMP (bucket.low + (bucket.high - bucket.low) / 2, sketch->min, sketch->max);
}
