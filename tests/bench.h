/* bench.h: what benchmarks share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_BENCH_H
#define BN_BENCH_H

#include <stdio.h>
#include <stdlib.h>

#include <glib/gstdio.h>

static inline int
bn_bench_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Least first: values[n / 2] is the median, values[n - 1] the greatest. */
static inline void
bn_bench_sort (double *values, size_t n)
{
  qsort (values, n, sizeof *values, bn_bench_compare);
}

/* A line of JSON: median, least and greatest of rates[n], which are sorted. */
static inline void
bn_bench_print_rates (const char *bench, const char *name, const char *unit, double *rates, size_t n)
{
  bn_bench_sort (rates, n);
  printf ("{\"bench\": \"%s\", \"case\": \"%s\", \"%s_per_s_median\": %.0f, \"min\": %.0f, \"max\": %.0f}\n", bench, name,
          unit, rates[n / 2], rates[0], rates[n - 1]);
  fflush (stdout);
}

#define BN_BENCH_REPETITIONS 5

/* A file of a case is written by `write`, and read so often by `read`, which returns a rate: a line for it. The file is
 * in the page cache. */
static inline void
bn_bench_file (const char *bench, const char *name, const char *unit, void (*write) (const void *c, const char *path),
               double (*read) (const void *c, const char *path), const void *c)
{
  g_autofree char *directory = g_dir_make_tmp ("bn-bench-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "file", NULL);
  double rates[BN_BENCH_REPETITIONS];

  write (c, path);
  for (int r = 0; r < BN_BENCH_REPETITIONS; r++)
    rates[r] = read (c, path);
  bn_bench_print_rates (bench, name, unit, rates, BN_BENCH_REPETITIONS);
  g_unlink (path);
  g_rmdir (directory);
}

#endif
