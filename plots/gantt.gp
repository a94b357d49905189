# gantt.gp: what every worker did when, for a window of one run.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# labels are what the colours of tasks stand for, the workflows or, of a single
# one, its models. Tasks execute in the upper part of a worker's row;
# its loads and evictions stand in the lower part. Also needs n_workers, n_lanes
# (most tasks of a worker at once), from_s, to_s and heading. With n_parts = 2 the rows of
# another run follow below, under part_names, an array of two.

if (!exists("n_parts")) { n_parts = 1 }
n_rows = n_parts * (n_workers + 1) - 1

width = 960.0
row_px = n_rows <= 12 ? 12.0 + 24.0 * n_lanes : n_rows <= 40 ? 20.0 : 800.0 / n_rows
height = 120.0 + row_px * n_rows
bottom_room = 52.0
n_keys = |labels| + 2
load scripts . "/common.gp"

set title heading . " (numbers: jobs)"
set xlabel "time [s]"
set ylabel "worker"
set xrange [from_s:to_s]
set yrange [n_rows - 0.5:-0.5]
every = n_workers <= 24 ? 1 : n_workers <= 60 ? 5 : ceil(n_workers / 100.0) * 10
# A worker's number stands beside the middle of the part in which tasks execute.
set ytics scale 0 ()
do for [p = 0:n_parts - 1] {
  do for [w = 0:n_workers - 1:every] { set ytics add (sprintf("%d", w) p * (n_workers + 1) + w - 0.15) }
}
if (n_parts > 1) {
  set title heading . ": " . part_names[1] . " above, " . part_names[2] . " below"
}
set grid noytics
do for [w = 1:n_rows - 1] {
  set arrow w from graph 0, first w - 0.5 to graph 1, first w - 0.5 nohead linecolor rgb light linewidth 0.5
}
is(k) = strcol("kind") eq k
text_room = (to_s - from_s) * 0.024
left_s(x) = column("start_s") > from_s ? column("start_s") : from_s
right_s(x) = column("end_s") < to_s ? column("end_s") : to_s
has_room(x) = right_s(0) - left_s(0) > text_room && (column("high") - column("low")) * row_px >= 10

# The lighter a colour is by itself, the less of it: grey values stay apart.
array density[8] = [0.85, 0.75, 0.6, 0.35, 0.25, 0.9, 0.45, 0.7]

plot for [i = 1:|labels|] data \
  using (is("execute") && column("series") == i ? 0 : NaN):"low":"start_s":"end_s":"low":"high" with boxxyerror \
    linetype 1 linewidth 0.6 linecolor rgb colours[style_of(i)] \
    fillstyle solid density[style_of(i)] border linecolor rgb "#404040" title labels[i], \
  data using (is("load") ? 0 : NaN):"low":"start_s":"end_s":"low":"high" with boxxyerror linetype 1 linewidth 0.6 \
    linecolor rgb "#404040" fillstyle pattern 4 border linecolor rgb "#404040" title "load of a model", \
  data using (is("evict") ? 0 : NaN):"low":"start_s":"end_s":"low":"high" with boxxyerror linetype 1 linewidth 0.6 \
    linecolor rgb "black" fillstyle solid 1.0 border linecolor rgb "black" title "eviction of a model", \
  data using (is("execute") && has_room(0) \
    ? (left_s(0) + right_s(0)) / 2 : NaN) \
    :((column("low") + column("high")) / 2):(strcol("job")) \
    with labels font ",7" notitle
