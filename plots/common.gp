# common.gp: size, fonts, colours and layout that every picture shares.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# binnacle plot sets before this is read:
#   data      CSV file to read            output    picture to write
#   format    svg | png | pdf             scripts   folder of this file
#   caption   what was run                source    program and scenario, exactly
#   labels    array of names, in the order of the CSV's column `series` (1, 2, …)
# A script sets width, height and bottom_room [px] (height without the key, which
# is added) and n_keys, the entries of the key, and may set key_columns; then it
# loads this file.

set datafile separator ","
set encoding utf8

# The key stands below the plot, the caption below the key; both have fixed room,
# so that nothing overlaps however many names there are.
longest = 1
do for [i = 1:|labels|] { longest = strlen(labels[i]) > longest ? strlen(labels[i]) : longest }
if (!exists("key_columns")) { key_columns = longest <= 22 ? 3 : longest <= 46 ? 2 : 1 }
key_rows = ceil(1.0 * n_keys / key_columns)
row = 16.0
caption_room = 40.0
height = height + key_rows * row
if (format eq "svg") {
  set terminal svg size width, height dynamic noenhanced font "Sans,12" background rgb "white"
}
if (format eq "png") {
  set terminal pngcairo size 2 * width, 2 * height noenhanced font "Sans,9" fontscale 2 linewidth 2 pointscale 2
}
if (format eq "pdf") {
  set terminal pdfcairo size width / 96.0, height / 96.0 noenhanced font "Sans,9" fontscale 0.75 \
    linewidth 1.1 dashlength 2.2
}
set output output

# Okabe and Ito's colours, which people with any colour vision tell apart, each
# with its own dash and point shape, so that they also differ in black and white.
array colours[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#B8A900"]
array shapes[16] = [7, 5, 9, 11, 13, 4, 6, 12, 6, 4, 8, 10, 12, 5, 7, 13]
set dashtype 2 (12, 4)
set dashtype 3 (3, 3)
set dashtype 4 (12, 4, 3, 4)
set dashtype 5 (6, 3)
set dashtype 6 (18, 4)
set dashtype 7 (12, 4, 3, 3, 3, 4)
set dashtype 8 (18, 4, 6, 4)
grey = "#808080"
light = "#D9D9D9"

# The ninth to sixteenth have the same colours with other shapes and dashes.
style_of(i) = (i - 1) % 8 + 1
dash_of(i) = i <= 8 ? style_of(i) : style_of(i + 4)
do for [i = 1:64] {
  set linetype i linecolor rgb colours[style_of(i)] dashtype dash_of(i) \
    pointtype shapes[(i - 1) % 16 + 1] linewidth (i <= 8 ? 1.6 : 1.1)
}

set border 3 linewidth 0.8
set tics nomirror out scale 0.6
# without the blank that the default puts before a number
set format xy "%g"
set grid linecolor rgb light linetype 1 dashtype solid linewidth 0.5
set key at screen 80.0 / width, (caption_room + key_rows * row) / height left top vertical maxrows key_rows \
  Left reverse samplen 4 spacing 1.0 height 0 width 0 font ",9"
set label 1 caption at screen 12.0 / width, 25.0 / height left font ",8" textcolor rgb "#404040"
set label 2 source at screen 12.0 / width, 11.0 / height left font ",8" textcolor rgb "#404040"
set bmargin at screen (caption_room + key_rows * row + bottom_room) / height
set lmargin at screen 80.0 / width
set rmargin at screen (width - 24.0) / width
set tmargin at screen (height - 40.0) / height
