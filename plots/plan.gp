# plan.gp: what keeps a promise against what is varied: one curve a scheduler with the
# band in which it is undecided, the work alone below them; and what it costs.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Also needs heading, x_title, y_title, has_cost (a second panel, below), and x_is_words:
# nothing is varied, and schedulers stand side by side. The work alone is the series after
# the last of labels.

panel_width = 640.0
panel_height = has_cost > 0 ? 230.0 : 300.0
rows = has_cost > 0 ? 2 : 1
left_room = 78.0
right_room = 24.0
top_room = 44.0
gap_y = 26.0
bottom_room = x_is_words > 0 ? 30.0 : 46.0
width = left_room + panel_width + right_room
height = top_room + rows * panel_height + (rows - 1) * gap_y + bottom_room + 40.0
n_keys = |labels| + 1
longest_label = 10
do for [i = 1:|labels|] { longest_label = strlen(labels[i]) > longest_label ? strlen(labels[i]) : longest_label }
key_columns = floor((width - 100.0) / (58.0 + 6.6 * longest_label))
key_columns = key_columns < 1 ? 1 : key_columns > n_keys ? n_keys : key_columns
load scripts . "/common.gp"

floor_y = caption_room + key_rows * row + bottom_room
low_of(p) = (floor_y + (rows - p) * (panel_height + gap_y)) / height
high_of(p) = (floor_y + (rows - p) * (panel_height + gap_y) + panel_height) / height
set lmargin at screen left_room / width
set rmargin at screen (left_room + panel_width) / width

stats data using "x" nooutput
room = STATS_max > STATS_min ? 0.04 * (STATS_max - STATS_min) : 0.5
room = x_is_words > 0 ? 0.6 : room
set xrange [STATS_min - room:STATS_max + room]
if (x_is_words > 0) { unset xtics }
set offsets 0, 0, graph 0.06, 0
set yrange [0:*]
set style fill transparent solid 0.18 noborder

set label 3 heading at screen 0.5, (height - 20.0) / height center font ",11"
set label 4 y_title at screen 18.0 / width, (low_of(1) + high_of(1)) / 2 center rotate by 90
set label 5 x_title at screen (left_room + panel_width / 2) / width, (floor_y - bottom_room + 8.0) / height center
if (has_cost > 0) {
  set label 6 "cost per hour" at screen 18.0 / width, (low_of(2) + high_of(2)) / 2 center rotate by 90
}

work = |labels| + 1
is_of(p, i) = column("panel") == p && column("series") == i
at(p, i) = is_of(p, i) ? column("x") : NaN

set multiplot
do for [p = 1:rows] {
  set bmargin at screen low_of(p)
  set tmargin at screen high_of(p)
  if (p < rows) { set format x "" } else { set format x "%g" }
  if (x_is_words > 0) {
    plot for [i = 1:|labels|] data using (at(p, i)):"y":"low":"high" with yerrorbars linetype i dashtype solid \
      pointsize 1.0 title labels[i], \
      data using (at(p, work) - 0.3):"y":(0.6):(0) with vectors nohead linecolor rgb "#606060" linewidth 1.4 \
      dashtype "-. " title (p == 1 ? "work alone" : "")
  } else {
    plot for [i = 1:|labels|] data using (at(p, i)):"low":"high" with filledcurves linetype i notitle, \
      for [i = 1:|labels|] data using (at(p, i)):"y" with linespoints linetype i pointsize 0.8 title labels[i], \
      data using (at(p, work)):"y" with lines linecolor rgb "#606060" linewidth 1.4 dashtype "-. " \
      title (p == 1 ? "work alone" : "")
  }
  unset key
  do for [l = 1:6] { unset label l }
}
unset multiplot
