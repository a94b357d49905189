/* bench.h: what benchmarks share.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_BENCH_H
#define BN_BENCH_H

#include <stdlib.h>

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

#endif
