# latency-cdf.gp: how many jobs were done within which latency, by scheduler.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

width = 760.0
height = 430.0
bottom_room = 52.0
n_keys = |labels|
load scripts . "/common.gp"

set title "Latency of jobs, by scheduler"
set xlabel "latency [s]"
set ylabel "jobs done within it [%]"
set logscale x
set yrange [0:100]
set ytics 10
set mxtics 10

plot for [i = 1:|labels|] data using (column("series") == i ? column("latency_s") : NaN):(100 * column("fraction")) \
  with linespoints linetype i pointsize 0.7 pointnumber 8 title labels[i]
