/* sketch.h: quantiles of a stream of integers in bounded memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A histogram with logarithmic buckets. Values below 256 have a bucket each;
 * above, every power of two is cut into 256 buckets of equal width, so a bucket
 * is at most 1/256 of its least value wide. A quantile is answered with the
 * middle of its bucket, held within the least and greatest value seen: at most
 * 1/512 off, whatever the distribution. Counting is exact and does not depend on
 * the order of values; two sketches can be merged without loss.
 *
 * Memory: 2 kB for each power of two that occurs, at most 112 kB.
 */
#ifndef BN_SKETCH_H
#define BN_SKETCH_H

#include <stdint.h>

#define BN_SKETCH_OCTAVES 56
#define BN_SKETCH_STEPS 256

typedef struct BnSketch
{
  int64_t n;
  int64_t min, max;                      /* of the values, valid for n > 0     */
  int64_t *octaves[BN_SKETCH_OCTAVES];   /* [BN_SKETCH_STEPS] counts, or NULL:
                                            no value there yet                 */
} BnSketch;

typedef struct BnSketchBucket
{
  int64_t low, high;  /* least and greatest value that it holds */
  int64_t n;
} BnSketchBucket;

void bn_sketch_init (BnSketch *sketch);
void bn_sketch_clear (BnSketch *sketch);

/* value >= 0. O(1). */
void bn_sketch_add (BnSketch *sketch, int64_t value);
void bn_sketch_merge (BnSketch *sketch, const BnSketch *other);

/* The value of nearest rank: the k-th least, k = ceil (n * ppm / 1000000), at
 * least the first; ppm = 1000000 is the maximum, exactly. n must be > 0. */
int64_t bn_sketch_quantile (const BnSketch *sketch, int64_t ppm);

/* Walks the buckets that hold anything, by rising value: start with *at = 0; FALSE
 * (0) when there are no more. */
int bn_sketch_next (const BnSketch *sketch, uint32_t *at, BnSketchBucket *bucket);

/* The rank that a quantile stands for, from 1 to n. */
int64_t bn_quantile_rank (int64_t n, int64_t ppm);

#endif
