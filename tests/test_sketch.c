/* test_sketch.c: the streaming quantile sketch against sorted values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include <check.h>
#include <glib.h>

#include "rng.h"
#include "sketch.h"
#include "suite.h"
#include "tally.h"

START_TEST (rank_is_the_nearest_one_above)
{
  ck_assert_int_eq (bn_quantile_rank (1, 500000), 1);
  ck_assert_int_eq (bn_quantile_rank (4, 500000), 2);
  ck_assert_int_eq (bn_quantile_rank (5, 500000), 3);
  ck_assert_int_eq (bn_quantile_rank (100, 990000), 99);
  ck_assert_int_eq (bn_quantile_rank (101, 990000), 100);
  ck_assert_int_eq (bn_quantile_rank (7, 1000000), 7);
  ck_assert_int_eq (bn_quantile_rank (7, 0), 1);
  ck_assert_int_eq (bn_quantile_rank (INT64_MAX, 1000000), INT64_MAX);
}
END_TEST

START_TEST (values_below_256_are_exact)
{
  BnSketch s;

  bn_sketch_init (&s);
  for (int64_t v = 0; v < 256; v++)
    bn_sketch_add (&s, v);
  for (int64_t k = 1; k <= 256; k++)
    ck_assert_int_eq (bn_sketch_quantile (&s, k * 1000000 / 256), bn_quantile_rank (256, k * 1000000 / 256) - 1);
  bn_sketch_clear (&s);
}
END_TEST

START_TEST (buckets_tile_the_integers_without_gap_or_overlap)
{
  BnSketch s;
  BnSketchBucket b, last = { -1, -1, 0 };
  uint32_t at = 0, n = 0;

  bn_sketch_init (&s);
  for (int64_t v = 0; v < 256; v++)
    bn_sketch_add (&s, v);
  for (int bit = 8; bit < 63; bit++)
    for (int64_t step = 256; step < 512; step++)
      bn_sketch_add (&s, step << (bit - 8));
  while (bn_sketch_next (&s, &at, &b))
    {
      ck_assert_int_eq (b.low, last.high + 1);
      ck_assert_int_ge (b.high, b.low);
      ck_assert_int_le ((b.high - b.low) * 256, b.low);
      ck_assert_int_gt (b.n, 0);
      last = b;
      n++;
    }
  ck_assert_int_eq (last.high, INT64_MAX);
  ck_assert_uint_eq (n, BN_SKETCH_OCTAVES * BN_SKETCH_STEPS);
  bn_sketch_clear (&s);
}
END_TEST

START_TEST (quantiles_are_within_a_512th_of_the_sorted_value)
{
  static const int64_t ppm[] = { 0, 1000, 250000, 500000, 900000, 990000, 999000, 1000000 };
  int64_t values[5000];
  BnSketch s;
  BnRng rng;

  bn_rng_init (&rng, 7, "sketch");
  for (int round = 0; round < 20; round++)
    {
      gsize n = 1 + bn_rng_below (&rng, G_N_ELEMENTS (values));
      int64_t unused[BN_N_QUANTILES];

      bn_sketch_init (&s);
      for (gsize i = 0; i < n; i++)
        {
          values[i] = (int64_t) (bn_rng_next (&rng) >> (1 + bn_rng_below (&rng, 62)));
          bn_sketch_add (&s, values[i]);
        }
      bn_exact_quantiles (values, n, unused);
      for (gsize q = 0; q < G_N_ELEMENTS (ppm); q++)
        {
          int64_t exact = values[bn_quantile_rank ((int64_t) n, ppm[q]) - 1];
          int64_t guess = bn_sketch_quantile (&s, ppm[q]);
          ck_assert_int_le (llabs (guess - exact), exact / 512 + 1);
        }
      ck_assert_int_eq (bn_sketch_quantile (&s, 1000000), values[n - 1]);
      bn_sketch_clear (&s);
    }
}
END_TEST

START_TEST (merging_is_the_same_as_adding_everything)
{
  BnSketch all, parts[2];
  BnSketchBucket x, y;
  uint32_t at_x = 0, at_y = 0, n = 0;
  BnRng rng;

  bn_rng_init (&rng, 11, "merge");
  bn_sketch_init (&all);
  bn_sketch_init (&parts[0]);
  bn_sketch_init (&parts[1]);
  for (int i = 0; i < 3000; i++)
    {
      int64_t v = (int64_t) bn_rng_below (&rng, 1u << (10 + i % 20));
      bn_sketch_add (&all, v);
      bn_sketch_add (&parts[i % 3 == 0], v);
    }
  bn_sketch_merge (&parts[0], &parts[1]);
  ck_assert_int_eq (parts[0].n, all.n);
  ck_assert_int_eq (parts[0].min, all.min);
  ck_assert_int_eq (parts[0].max, all.max);
  while (bn_sketch_next (&all, &at_x, &x))
    {
      ck_assert_int_eq (bn_sketch_next (&parts[0], &at_y, &y), 1);
      ck_assert_int_eq (x.low, y.low);
      ck_assert_int_eq (x.n, y.n);
      n++;
    }
  ck_assert_int_eq (bn_sketch_next (&parts[0], &at_y, &y), 0);
  ck_assert_uint_gt (n, 100);
  bn_sketch_clear (&all);
  bn_sketch_clear (&parts[0]);
  bn_sketch_clear (&parts[1]);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sketch");
  TCase *tc = tcase_create ("sketch");

  tcase_add_test (tc, rank_is_the_nearest_one_above);
  tcase_add_test (tc, values_below_256_are_exact);
  tcase_add_test (tc, buckets_tile_the_integers_without_gap_or_overlap);
  tcase_add_test (tc, quantiles_are_within_a_512th_of_the_sorted_value);
  tcase_add_test (tc, merging_is_the_same_as_adding_everything);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
