#!/bin/sh
# cli_help.sh: help, version, lists and data files.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

expect help 0 "" "$BINNACLE" --help
sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$tmp/out" >"$tmp/verbs"
holds help_names_the_verbs [ "$(wc -l <"$tmp/verbs")" -ge 9 ]
expect version 0 "" "$BINNACLE" --version
holds version_is_one_line grep -q '^binnacle [0-9]*\.[0-9]*\.[0-9]*$' "$tmp/out"

while read -r verb; do
  expect "help_of_$verb" 0 "" "$BINNACLE" "$verb" --help
  sed -n '/^Examples:/,$p' "$tmp/out" >"$tmp/examples"
  holds "help_of_$verb: has an example" grep -q "^  binnacle $verb " "$tmp/examples"
  holds "help_of_$verb: is at most 118 wide" sh -c "! grep -n '.\{119\}' '$tmp/out'"
  holds "man_page_has_$verb" grep -q "^\.BI $verb" "$BN_SRCDIR/doc/binnacle.1"
done <"$tmp/verbs"

expect topics 0 "" "$BINNACLE" list --format csv
sed 1d "$tmp/out" | cut -d, -f1 >"$tmp/topics"
holds there_are_topics [ "$(wc -l <"$tmp/topics")" -ge 9 ]
while read -r topic; do
  expect "list_$topic" 0 "" "$BINNACLE" list "$topic"
  holds "list_$topic: has rows" [ "$(wc -l <"$tmp/out")" -ge 2 ]
  expect "list_${topic}_csv" 0 "" "$BINNACLE" list "$topic" --format csv
  rows=$(($(wc -l <"$tmp/out") - 1))
  expect "list_${topic}_json" 0 "" "$BINNACLE" list "$topic" --format json
  holds "list_$topic: as many rows in JSON as in CSV" [ "$(grep -c '^ *{' "$tmp/out")" -eq "$rows" ]
done <"$tmp/topics"

"$BINNACLE" list schedulers --format csv >"$tmp/schedulers"
for name in compass jit heft hash random round-robin least-loaded po2 sparrow; do
  holds "lists_$name" grep -q "^$name," "$tmp/schedulers"
done

cp -r "$BN_SRCDIR/plots" "$tmp/plots"
"$BN_BUILDDIR/tests/make_example_results" "$tmp/example.db" || exit 1
refuses data_folder_without_scripts \
  "binnacle: $tmp/none/plots/backlog.gp: no such file; install Binnacle again, or name the folder that holds\
 plots/backlog.gp in BINNACLE_DATA_DIR" \
  env BINNACLE_DATA_DIR="$tmp/none" "$BINNACLE" plot "$tmp/example.db" -o "$tmp/p" --only backlog
expect data_folder_of_ones_own 0 "" \
  env BINNACLE_DATA_DIR="$tmp" "$BINNACLE" plot "$tmp/example.db" -o "$tmp/p" --only backlog
finish
