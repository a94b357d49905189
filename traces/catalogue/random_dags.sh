#!/bin/sh
# random_dags.sh: a catalogue of random workflows over many models, for studies.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
#   sh random_dags.sh [WORKFLOWS [MODELS [SEED]]] > zipf50.ini
#
# Models are of 0.3 to 4 GB, small ones more often (sizes are uniform in their
# logarithm). A workflow has 1 to 8 tasks in layers of 1 to 3; each task needs one or
# two of the layer before it and runs for 20 to 600 ms (uniform in the logarithm) on a
# model drawn by Zipf's law (weight 1/k for model k), one task in ten on none. The same
# arguments give the same bytes everywhere: the generator is x -> 16807 x mod (2^31 - 1)
# in exact doubles, and logarithms are avoided by doubling.
set -eu
LC_ALL=C
export LC_ALL

awk -v workflows="${1:-50}" -v models="${2:-200}" -v seed="${3:-1}" '
  function below(n) { x = (x * 16807) % 2147483647; return x % n }
  # from `low` up by `doublings` doublings, linear between powers of two
  function spread(low, doublings,    v, k) {
    v = low
    for (k = below(doublings); k > 0; k--)
      v *= 2
    return v + int(v * below(1000) / 1000)
  }
  function zipf(    u, k) {
    u = below(1000000) / 1000000 * total
    for (k = 1; k < models && u >= weight[k]; k++)
      u -= weight[k]
    return k
  }
  BEGIN {
    x = seed * 7919 % 2147483646 + 1
    for (k = 1; k <= models; k++) {
      weight[k] = 1 / k
      total += weight[k]
    }
    printf "# %d random workflows over %d models: made by random_dags.sh %d %d %d.\n", workflows, models, workflows, models, seed
    print "# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0"
    for (k = 1; k <= models; k++)
      printf "\n[model m%03d]\nsize = %dMB\n", k, spread(300, 4) * 5 / 6
    for (f = 1; f <= workflows; f++) {
      printf "\n[workflow w%02d]\n", f
      n = 1 + below(8)
      first = 0
      last = -1
      for (t = 0; t < n; ) {
        width = 1 + below(3)
        if (width > n - t)
          width = n - t
        for (i = 0; i < width; i++)
          task(f, t + i)
        first = t
        t += width
        last = t - 1
      }
    }
  }
  function task(f, t,    a, b) {
    printf "\n[task w%02d/%d]\n", f, t
    if (below(10) > 0)
      printf "model = m%03d\n", zipf()
    if (last >= first) {
      a = first + below(last - first + 1)
      b = first + below(last - first + 1)
      printf "after = %s\n", a == b ? a : (a < b ? a " " b : b " " a)
    }
    printf "input = %dkB\noutput = %dkB\nruntime = %dms\n", 1 + below(100), 1 + below(1000), spread(20, 5) * 15 / 16
  }
' </dev/null
