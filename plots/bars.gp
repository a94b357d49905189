# bars.gp: each scheduler divided by one of them, a bar for each metric.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# labels are the metrics. Also needs variants (array of names, in the order of
# `place`), heading and n_seeds. Bars begin at 1: to the left is less.

longest_name = 8
do for [i = 1:|variants|] { longest_name = strlen(variants[i]) > longest_name ? strlen(variants[i]) : longest_name }
name_room = 6.8 * longest_name + 30
width = name_room + 560.0 < 760.0 ? 760.0 : name_room + 560.0
step = |labels| == 1 ? 24.0 : 10.0 + 16.0 * |labels|
height = 150.0 + step * |variants|
bottom_room = 52.0
n_keys = |labels| + (n_seeds > 1 ? 1 : 0)
key_columns = 2
load scripts . "/common.gp"

stats data using "ratio" nooutput
low = STATS_min
high = STATS_max
if (n_seeds > 1) {
  stats data using "seed_least" nooutput
  low = STATS_min < low ? STATS_min : low
  stats data using "seed_greatest" nooutput
  high = STATS_max > high ? STATS_max : high
}
low = low > 0.9 ? 0.9 : low
high = high < 1.1 ? 1.1 : high
if (high / low > 8) {
  set logscale x
  set xtics (1)
  do for [e = -6:6] { set xtics add (10.0 ** e, 2 * 10.0 ** e, 5 * 10.0 ** e) }
  room = (high / low) ** 0.12
  set xrange [low / room:high * room]
  beside(x) = x * (high / low) ** 0.012
} else {
  room = 0.13 * (high - low)
  set xrange [low - room < 0 ? 0 : low - room:high + room]
  beside(x) = x + 0.012 * (high - low)
}
set title heading
set xlabel "ratio (1: no difference)"
set yrange [|variants| + 0.55:0.45]
do for [i = 1:|variants|] { set label 100 + i variants[i] at graph 0, first i right offset -0.8, 0 font ",9" }
set format y ""
set ytics scale 0 1
set grid noytics
set lmargin at screen name_room / width
set key at screen 40.0 / width, (caption_room + key_rows * row) / height left top vertical maxrows key_rows
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead linecolor rgb "#404040" linewidth 0.8 front

thick = 0.8 / |labels|
middle(m) = column("place") + (m - (|labels| + 1) / 2.0) * thick
of(m) = column("metric_number") == m
end_of(x) = n_seeds > 1 && column("seed_greatest") > column("ratio") ? column("seed_greatest") : column("ratio")
array density[4] = [0.75, 0.35, 0.55, 0.2]

plot for [m = 1:|labels|] data \
    using (of(m) ? 1 : NaN):(middle(m)):(1):"ratio":(middle(m) - 0.42 * thick):(middle(m) + 0.42 * thick) \
    with boxxyerror linetype 1 linewidth 0.6 linecolor rgb colours[m] fillstyle solid density[m] \
    border linecolor rgb "#404040" title labels[m], \
  for [m = 1:|labels|] data using (of(m) && n_seeds > 1 ? column("ratio") : NaN):(middle(m)):"seed_least":"seed_greatest" \
    with xerrorbars linetype 1 linewidth 1 linecolor rgb "black" pointtype 0 \
    title m == 1 && n_seeds > 1 ? "one seed alone, least to greatest" : "", \
  for [m = 1:|labels|] data using (of(m) ? beside(end_of(0) < 1 ? 1 : end_of(0)) : NaN):(middle(m)) \
    :(sprintf("%.2f", column("ratio"))) with labels left font ",8" notitle
