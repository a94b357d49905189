# validation.gp: latencies of jobs that were observed, and of the same jobs simulated.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Left: a point a job, observed across and simulated upwards; on the line both are alike.
# Right: how many jobs were done within which latency, observed and simulated.

width = 960.0
height = 470.0
bottom_room = 52.0
n_keys = |labels| + 2
load scripts . "/common.gp"

is(k) = strcol("kind") eq k
stats data using (is("job") ? (column("x") < column("y") ? column("x") : column("y")) : NaN) nooutput
low = STATS_min > 0 ? STATS_min / 1.2 : 1e-4
stats data using (is("job") ? (column("x") > column("y") ? column("x") : column("y")) : NaN) nooutput
high = STATS_max > low ? 1.2 * STATS_max : 10 * low
floor_y = (caption_room + key_rows * row + bottom_room) / height
set label 3 "Latency of jobs, observed and simulated" at screen 0.5, (height - 16.0) / height center font ",11"

set multiplot
set logscale x
set xrange [low:high]
set bmargin at screen floor_y
set tmargin at screen (height - 44.0) / height

set lmargin at screen 80.0 / width
set rmargin at screen 470.0 / width
set logscale y
set yrange [low:high]
set xlabel "observed latency [s]"
set ylabel "simulated latency [s]"
plot for [i = 1:|labels|] data using (is("job") && column("series") == i ? column("x") : NaN):"y" \
    with points pointtype shapes[style_of(i)] pointsize 0.3 linecolor rgb colours[style_of(i)] notitle, \
  for [i = 1:|labels|] NaN with points pointtype shapes[style_of(i)] pointsize 0.8 \
    linecolor rgb colours[style_of(i)] title labels[i], \
  NaN with lines linewidth 1.6 dashtype 1 linecolor rgb "#404040" title "observed (right)", \
  NaN with lines linewidth 1.6 dashtype (6, 4) linecolor rgb "#404040" title "simulated (right)", \
  x with lines linewidth 0.8 dashtype 1 linecolor rgb "#404040" notitle
unset key
unset label 1
unset label 2
unset label 3

set lmargin at screen 550.0 / width
set rmargin at screen (width - 24.0) / width
unset logscale y
set yrange [0:100]
set ytics 20
set xlabel "latency [s]"
set ylabel "jobs done within it [%]"
plot for [i = 1:|labels|] data using (is("observed") && column("series") == i ? column("x") : NaN):(100 * column("y")) \
    with lines linewidth 1.6 dashtype 1 linecolor rgb colours[style_of(i)], \
  for [i = 1:|labels|] data using (is("simulated") && column("series") == i ? column("x") : NaN):(100 * column("y")) \
    with lines linewidth 1.6 dashtype (6, 4) linecolor rgb colours[style_of(i)]
unset multiplot
