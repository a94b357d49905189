# backlog.gp: jobs in the system over time, by scheduler; one line a scheduler.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

width = 760.0
height = 430.0
bottom_room = 52.0
n_keys = |labels|
load scripts . "/common.gp"

set title "Jobs in the system over time, by scheduler"
set xlabel "simulated time [s]"
set ylabel "jobs in the system [jobs]"
set xrange [0:*]

# Where one scheduler's queue would flatten all others, the axis is that of
# log(1 + jobs).
highest = 0.0
lowest = 1e300
do for [i = 1:|labels|] {
  STATS_max = NaN
  stats data using (column("series") == i ? column("jobs") : NaN) nooutput
  if (STATS_max == STATS_max) {
    highest = STATS_max > highest ? STATS_max : highest
    lowest = STATS_max < lowest ? STATS_max : lowest
  }
}
if (highest > 20 * lowest) {
  set nonlinear y via log10(1 + y) inverse 10 ** y - 1
  set yrange [0:1.3 * highest]
  set ylabel "jobs in the system [jobs], as log(1 + jobs)"
  set ytics (0)
  do for [e = 0:9] { set ytics add (10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e) }
} else {
  set yrange [0:*]
}

plot for [i = 1:|labels|] data using (column("series") == i ? column("time_s") : NaN):"jobs" \
  with linespoints linetype i pointsize 0.7 pointnumber 7 title labels[i]
