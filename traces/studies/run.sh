#!/bin/sh
# run.sh: runs studies into a folder: results, table, pictures and ratios of each.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
#   sh traces/studies/run.sh [-j N] OUT [STUDY.ini …]
#
# Without names: every study beside this script. A study is a sweep file; with a section
# [plan] it is one for `binnacle plan`. Its comment lines say what is made of the results:
#   #plot NAME OPTIONS      binnacle plot OPTIONS, as OUT/STUDY/NAME.svg
#   #ratios NAME OPTIONS    binnacle metrics OPTIONS, as OUT/STUDY/NAME.csv
#   #needs FILE             skipped where this file, relative to the study, is absent
# The program is $BINNACLE, else the binnacle of the path. A study whose results are
# there already is not run again; remove its folder to do so. One that was stopped goes on.
set -euf

program=${BINNACLE:-binnacle}
here=$(dirname "$0")
jobs=1
if [ "${1:-}" = -j ]; then
  jobs=${2:?-j needs a number}
  shift 2
fi
out=${1:?usage: run.sh [-j N] OUT [STUDY.ini …]}
shift
if [ $# -eq 0 ]; then
  set +f
  set -- "$here"/*.ini
  set -f
fi

status=0
for study; do
  name=$(basename "$study" .ini)
  dir=$out/$name
  absent=$(sed -n 's/^#needs //p' "$study" | while read -r file; do
    [ -e "$(dirname "$study")/$file" ] || printf ' %s' "$file"
  done)
  if [ -n "$absent" ]; then
    echo "$name: skipped, as these are absent:$absent (the study says where they come from)" >&2
    continue
  fi
  mkdir -p "$dir"
  # what was stopped goes on: the table comes last
  if [ ! -e "$dir/table.csv" ]; then
    echo "$name: running" >&2
    verb=sweep
    ! grep -q '^\[plan\]' "$study" || verb=plan
    # 1: it worked, and some runs are unfinished or some cells failed, as was said; that
    # a promise cannot be kept is a finding
    said=0
    "$program" $verb "$study" -j "$jobs" -o "$dir/$name.db" --format csv >"$dir/table.csv.part" 2>"$dir/said" || said=$?
    cat "$dir/said" >&2
    stopped=no
    ! grep -q '^binnacle: interrupted' "$dir/said" || stopped=yes
    rm -f "$dir/said"
    if [ "$said" -gt 1 ] || [ $stopped = yes ]; then
      rm -f "$dir/table.csv.part"
      exit "$said"
    fi
    [ "$verb" = plan ] || status=$((status > said ? status : said))
    mv "$dir/table.csv.part" "$dir/table.csv"
  fi
  sed -n 's/^#plot //p' "$study" | while read -r picture options; do
    # shellcheck disable=SC2086
    "$program" plot "$dir/$name.db" -o "$dir" $options --name "$picture"
  done
  sed -n 's/^#ratios //p' "$study" | while read -r table options; do
    # shellcheck disable=SC2086
    "$program" metrics "$dir/$name.db" $options --format csv >"$dir/$table.csv"
  done
done
exit "$status"
