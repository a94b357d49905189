# backlog.gp: jobs in the system over time, by scheduler; one line a run.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Also needs line_series: array, for each line its series. CSV column `line`
# numbers the lines.

width = 760.0
height = 430.0
bottom_room = 52.0
n_keys = |labels|
load scripts . "/common.gp"

set title "Jobs in the system over time, by scheduler"
set xlabel "simulated time [s]"
set ylabel "jobs in the system [jobs]"
set yrange [0:*]
set xrange [0:*]

plot for [l = 1:|line_series|] data using (column("line") == l ? column("time_s") : NaN):"jobs" \
  with linespoints linetype line_series[l] linewidth (|line_series| > |labels| ? 0.9 : 1.6) \
  pointsize 0.7 pointnumber 7 \
  title (l == 1 || line_series[l] != line_series[l > 1 ? l - 1 : 1] ? labels[line_series[l]] : "")
