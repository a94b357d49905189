# slowdown.gp: how much longer than alone jobs took, by workflow and scheduler.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Also needs groups: array of the names of workflows, in the order of `group`.

width = 110.0 + |groups| * (30.0 + 12.0 * |labels|)
width = width < 760.0 ? 760.0 : width
height = 430.0
bottom_room = 62.0
n_keys = |labels|
load scripts . "/common.gp"

set title "Slowdown of jobs, by workflow and scheduler"
set xlabel "workflow (mark: median; bar: up to the 99th percentile)" offset 0, -1.1
set ylabel "slowdown [latency / lower bound]"
set logscale y
stats data using "p99" nooutput
top = STATS_max > 1.5 ? 1.15 * STATS_max : 1.5
stats data using "p50" nooutput
low = STATS_min
# Below 1 only where a runtime's noise made jobs faster than their profile.
set yrange [low < 1 ? low / 1.15 : 1:top]
set ytics (1)
do for [e = -9:9] { set ytics add (2 * 10.0 ** e, 5 * 10.0 ** e, 10 * 10.0 ** e) }
set xrange [0.5:|groups| + 0.5]
unset xtics
do for [g = 1:|groups|] {
  set label 100 + g groups[g] at first g, graph 0 center offset 0, -1 font ",9"
  if (g > 1) {
    set arrow g from first g - 0.5, graph 0 to first g - 0.5, graph 1 nohead linecolor rgb grey linewidth 0.5
  }
}
step = 0.84 / |labels|
set errorbars 0

plot for [i = 1:|labels|] data \
  using (column("series") == i ? column("group") + (i - (|labels| + 1) / 2.0) * step : NaN):"p50":"p50":"p99" \
  with yerrorbars linetype i dashtype 1 linewidth 2.2 pointsize 0.8 notitle, \
  for [i = 1:|labels|] keyentry with points linetype i linewidth 2.2 pointsize 0.8 title labels[i]
