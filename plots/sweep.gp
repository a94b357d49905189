# sweep.gp: a metric against a varied key, one line a scheduler, one panel a cell of
# the other keys.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Also needs panels (array of their names, in the order of `panel`), heading, x_title,
# y_title, x_places (array of the values along x), is_ratio,
# y_is_log, x_is_words and, with these, x_words; bound_series: the series that no
# scheduler can be below, or 0; has_interval: low and high are the 95 % interval of y, a
# band along numbers, bars at words.

columns = |panels| == 1 ? 1 : |panels| == 2 || |panels| == 4 ? 2 : |panels| <= 9 ? 3 : 4
rows = ceil(1.0 * |panels| / columns)
panel_width = columns == 1 ? 680.0 : columns == 2 ? 380.0 : 290.0
panel_height = rows == 1 ? 300.0 : 215.0
left_room = 78.0
right_room = 24.0
top_room = 54.0
# Words along x that would run into each other stand aslant.
longest_word = 1
aslant = 0
if (x_is_words > 0) {
  do for [i = 1:|x_words|] { longest_word = strlen(x_words[i]) > longest_word ? strlen(x_words[i]) : longest_word }
  aslant = 6.2 * (longest_word + 1) * |x_words| > panel_width
}
gap_y = 50.0 + (aslant ? 3.4 * longest_word : 0)
bottom_room = aslant ? 50.0 + 3.4 * longest_word : 46.0
gap_x = 34.0
width = left_room + columns * panel_width + (columns - 1) * gap_x + right_room
height = top_room + rows * panel_height + (rows - 1) * gap_y + bottom_room + 40.0
n_keys = |labels| + (bound_series > 0 ? 1 : 0)
key_columns = 0
longest_label = 1
do for [i = 1:|labels|] { longest_label = strlen(labels[i]) > longest_label ? strlen(labels[i]) : longest_label }
key_columns = floor((width - 100.0) / (58.0 + 6.6 * longest_label))
key_columns = key_columns < 1 ? 1 : key_columns > n_keys ? n_keys : key_columns
load scripts . "/common.gp"

floor_y = caption_room + key_rows * row + bottom_room
left_of(c) = (left_room + c * (panel_width + gap_x)) / width
right_of(c) = (left_room + c * (panel_width + gap_x) + panel_width) / width
low_of(r) = (floor_y + (rows - 1 - r) * (panel_height + gap_y)) / height
high_of(r) = (floor_y + (rows - 1 - r) * (panel_height + gap_y) + panel_height) / height

# One range for all panels, so that they can be compared.
stats data using "x" nooutput
least_x = STATS_min
greatest_x = STATS_max
stats data using "y" nooutput
low = STATS_min
high = STATS_max
least_y = low
if (has_interval > 0) {
  stats data using "high" nooutput
  high = STATS_max > high ? STATS_max : high
  stats data using "low" nooutput
  low = STATS_min < low ? STATS_min : low
}
# An interval of a mean may reach below 0, where no logarithm is.
low = y_is_log > 0 && low < least_y / 2 ? least_y / 2 : low < 0 ? 0 : low
use_log = y_is_log > 0 || (low > 0 && high / low > 20)
if (use_log) {
  set logscale y
  low = low / 1.2
  high = high * 1.3
  set ytics (1)
  do for [e = -6:6] { set ytics add (10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e) }
} else {
  low = is_ratio > 0 && low > 0.5 ? 0.9 * low : 0
  high = 1.08 * high
}
if (is_ratio > 0) {
  low = low > 0.95 ? 0.95 : low
  high = high < 1.05 ? 1.05 : high
}
set yrange [low:high]
room = greatest_x > least_x ? 0.04 * (greatest_x - least_x) : 0.5
if (x_is_words > 0) { room = 0.4 }
left_x = least_x - room
right_x = greatest_x + room
wide = x_is_words == 0 && least_x > 0 && greatest_x / least_x >= 10
if (wide) {
  set logscale x
  left_x = least_x / 1.2
  right_x = greatest_x * 1.2
}
# Few places are marked as what they are, as far as there is room for their numbers.
from_left(x) = panel_width * (wide ? log(x / left_x) / log(right_x / left_x) : (x - left_x) / (right_x - left_x))
if (x_is_words == 0 && |x_places| <= 8) {
  set xtics ()
  taken = 0
  do for [i = 1:|x_places|] {
    half = 4.0 * strlen(x_places[i])
    is_free = from_left(real(x_places[i])) - half >= taken
    set xtics add ((is_free ? x_places[i] : "") real(x_places[i]))
    if (is_free) { taken = from_left(real(x_places[i])) + half }
  }
}
if (wide && |x_places| > 8) {
  set xtics (1)
  do for [e = -6:6] { set xtics add (10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e) }
}
set xrange [left_x:right_x]
if (x_is_words > 0) {
  set xtics ()
  do for [i = 1:|x_words|] { set xtics add (x_words[i] i) }
  if (aslant) { set xtics rotate by 30 right }
}

set label 3 heading at screen 0.5, (height - 20.0) / height center font ",11"
set label 4 y_title at screen 18.0 / width, (floor_y + (height - top_room)) / 2 / height center rotate by 90
set label 5 x_title at screen (left_room + (width - right_room)) / 2 / width, (floor_y - bottom_room + 8.0) / height center

set style fill transparent solid 0.15 noborder
of(p, i) = column("panel") == p && column("series") == i
x_of(p, i) = of(p, i) ? column("x") : NaN
band_low(p, i) = of(p, i) ? (column("low") < low ? low : column("low")) : NaN
band_high(p, i) = of(p, i) ? column("high") : NaN

set multiplot
do for [p = 1:|panels|] {
  r = (p - 1) / columns
  c = (p - 1) % columns
  set lmargin at screen left_of(c)
  set rmargin at screen right_of(c)
  set bmargin at screen low_of(r)
  set tmargin at screen high_of(r)
  set label 6 panels[p] at graph 0.5, graph 1 center offset 0, 0.6 font ",9"
  if (is_ratio > 0) {
    set arrow 1 from first left_x, first 1 to first right_x, first 1 nohead linecolor rgb "#404040" linewidth 0.8
  }
  if (x_is_words > 0) {
    plot for [i = 1:|labels|] data using (x_of(p, i)):"y":(band_low(p, i)):(band_high(p, i)) \
        with yerrorbars linetype i dashtype solid pointtype 0 notitle, \
      for [i = 1:|labels|] data using (x_of(p, i)):"y" with linespoints linetype i pointsize 0.8 title labels[i], \
      data using (x_of(p, bound_series)):"y" with lines linecolor rgb "#606060" linewidth 1.2 dashtype "-. " \
        title (bound_series > 0 ? "bound" : "")
  } else {
    plot for [i = 1:|labels|] data using (x_of(p, i)):(band_low(p, i)):(band_high(p, i)) \
        with filledcurves linetype i notitle, \
      for [i = 1:|labels|] data using (x_of(p, i)):"y" with linespoints linetype i pointsize 0.8 title labels[i], \
      data using (x_of(p, bound_series)):"y" with lines linecolor rgb "#606060" linewidth 1.2 dashtype "-. " \
        title (bound_series > 0 ? "bound" : "")
  }
  unset key
  unset label 1
  unset label 2
  unset label 3
  unset label 4
  unset label 5
}
unset multiplot
