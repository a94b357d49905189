/* ranks.c: places in order of size, for what must not heed a few huge values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"

#include <stdlib.h>

#include <glib.h>

typedef struct Placed
{
  double value;
  uint64_t at;
} Placed;

static int
compare_values (gconstpointer a, gconstpointer b)
{
  double x = ((const Placed *) a)->value, y = ((const Placed *) b)->value;

  return (x > y) - (x < y);
}

void
bn_ranks (const double *x, uint64_t n, double *ranks)
{
  Placed *sorted = g_new (Placed, n);

  for (uint64_t i = 0; i < n; i++)
    sorted[i] = (Placed){ x[i], i };
  qsort (sorted, n, sizeof *sorted, compare_values);
  for (uint64_t i = 0, end; i < n; i = end)
    {
      for (end = i + 1; end < n && sorted[end].value == sorted[i].value;)
        end++;
      /* places i + 1 to end; who of them stands where does not matter */
      for (uint64_t k = i; k < end; k++)
        ranks[sorted[k].at] = ((double) i + 1 + (double) end) / 2;
    }
  g_free (sorted);
}
