/* run_length.c: how long a run must be for its load.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "run_length.h"

#include <math.h>

double
bn_run_length_needed (double load, double n_servers, double relaxations)
{
  double rest = 1 - sqrt (load);

  return load < 1 ? relaxations * (load / (rest * rest) + load * n_servers) : INFINITY;
}
