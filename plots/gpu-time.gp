# gpu-time.gp: where the GPUs' time went, and how often models were there, by scheduler.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0

longest_name = 8
do for [i = 1:|labels|] { longest_name = strlen(labels[i]) > longest_name ? strlen(labels[i]) : longest_name }
name_room = 7.4 * longest_name + 30
width = name_room + 730.0
height = 170.0 + 26.0 * |labels|
bottom_room = 52.0
n_keys = 4
key_columns = 4
load scripts . "/common.gp"

set yrange [|labels| + 0.6:0.4]
do for [i = 1:|labels|] { set label 100 + i labels[i] at graph 0, first i right offset -0.8, 0 font ",9" }
set format y ""
set ytics scale 0 1
set grid noytics
set xrange [0:100]
set key maxrows 1
half = 0.32
loaded(x) = column("executing_pct") + column("loading_pct")
bar_1 = "(0):'series':(0):'executing_pct':(column('series') - half):(column('series') + half)"
bar_2 = "(0):'series':'executing_pct':(loaded(0)):(column('series') - half):(column('series') + half)"
bar_3 = "(0):'series':(loaded(0)):(100 - column('idle_pct')):(column('series') - half):(column('series') + half)"
bar_4 = "(0):'series':(100 - column('idle_pct')):(100):(column('series') - half):(column('series') + half)"
bar_hits = "(0):'series':(0):'hit_pct':(column('series') - half):(column('series') + half)"

set multiplot
set lmargin at screen name_room / width
set rmargin at screen (name_room + 400) / width
set title "Slot time of the GPUs"
set xlabel "share of slot time [%]"
set xtics 20
frame = "border linecolor rgb grey"
plot \
  data using @bar_1 with boxxyerror linetype 1 linecolor rgb colours[1] fillstyle solid 0.8 @frame \
    title "executing", \
  data using @bar_2 with boxxyerror linetype 1 linecolor rgb colours[2] fillstyle pattern 4 @frame \
    title "loading a model", \
  data using @bar_3 with boxxyerror linetype 1 linecolor rgb "black" fillstyle solid 1.0 @frame \
    title "evicting a model", \
  data using @bar_4 with boxxyerror linetype 1 linecolor rgb light fillstyle empty @frame title "idle"

unset label
unset key
unset title
unset xlabel
unset xtics
unset border
set grid noxtics
set lmargin at screen (name_room + 410) / width
set rmargin at screen (name_room + 560) / width
set xrange [0:3]
shares = "executing loading evicting"
do for [k = 1:3] { set label k word(shares, k) at first k - 0.05, graph 1 right offset 0, 0.7 font ",8" }
plot for [k = 1:3] data using (k - 0.05):"series":(sprintf("%.1f %%", column(word(shares, k) . "_pct"))) \
  with labels right font ",8"

unset label
set border 3
set xtics nomirror out scale 0.6
set grid xtics
set xrange [0:100]
set lmargin at screen (name_room + 580) / width
set rmargin at screen (width - 24) / width
set title "Cache hits"
set xlabel "share of accesses [%]"
set xtics 50
plot data using @bar_hits with boxxyerror linetype 1 linecolor rgb colours[3] fillstyle solid 0.4 @frame, \
  data using (column("hit_pct") > 70 ? 4 : column("hit_pct") + 3):"series":(sprintf("%.1f", column("hit_pct"))) \
    with labels left font ",8"
unset multiplot
