#!/bin/sh
# readme_table.sh: the table in the README, and what stands below it, is what the program prints.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

# The first block of indented and empty lines in which one begins with "scheduler ".
awk '/^    / { block = block empty substr($0, 5) "\n"; empty = ""; found = found || /^    scheduler /; next }
  /^$/ && found { empty = empty "\n"; next }
  found { exit } { block = ""; empty = "" } END { printf "%s", block }' "$BN_SRCDIR/README.md" >"$tmp/expected"
holds readme_has_a_table [ "$(wc -l <"$tmp/expected")" -ge 8 ]

expect comparison_of_the_demo 0 "" "$BINNACLE" compare "$BN_SRCDIR/traces/scenarios/demo.ini" -q -o "$tmp/demo.db"
sed 's/ *$//' "$tmp/out" >"$tmp/table"
holds table_is_what_the_program_prints diff "$tmp/expected" "$tmp/table"
finish
