#!/bin/sh
# cli_studies.sh: shipped studies: every one is read, and the first cell of each runs; how
# run.sh makes them.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317,SC2012
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1

# ---- those that are shipped ----

first_cell () { # as --list prints it, of 20 jobs
  eval "\"\$BINNACLE\" run $(head -n 1 "$1") --set workload.jobs=20 --record summary --format csv -o cell.db --replace"
}

for study in "$BN_SRCDIR"/traces/studies/*.ini; do
  name=$(basename "$study" .ini)
  # what a study needs beside it may not be there
  absent=$(sed -n 's/^#needs //p' "$study" | while read -r file; do
    [ -e "$(dirname "$study")/$file" ] || echo "$file"
  done)
  [ -z "$absent" ] || continue
  expect "$name" 0 "" "$BINNACLE" sweep "$study" --list
  cp "$tmp/out" cells
  if first_cell cells >table.csv 2>said; then
    good "$name: its first cell runs"
  else
    wrong "$name: its first cell runs" "$(head -c 1000 said)"
  fi
  holds "$name: all of its runs end" \
    [ "$(query cell.db "SELECT COUNT (*) > 0 AND COUNT (*) = SUM (state = 'complete') FROM runs")" = 1 ]
  if grep -q '^\[plan\]' "$study"; then
    "$BINNACLE" plan "$study" -q --set workload.jobs=30 --vary workload.rate=2/s --scheduler compass --seeds 2 \
      -o plan.db --replace --format csv >table.csv 2>said
    holds "$name: is planned" [ "$(query plan.db 'SELECT COUNT (answer) FROM plans')" = 1 ]
  fi
done

# ---- how they are made ----

mkdir studies
cp "$BN_SRCDIR/traces/studies/run.sh" studies
cp "$BN_SRCDIR/traces/catalogue/paper.ini" .
cat >studies/question.ini <<'END'
#needs paper.csv
END
cat >studies/servers.ini <<'END'
[scenario]
[schedulers]
compare = jit, heft
[servers]
count = 1
[workload]
catalogue = ../paper.ini
jobs = 60
[sweep]
workload.rate = 1/s 2/s
[plan]
slo = p50(slowdown) <= 1.2
max = 4
seeds = 2
END
sh studies/run.sh -j 2 made >out 2>said
holds studies_with_a_promise_are_planned [ "$? $(query made/servers/servers.db 'SELECT COUNT (*) FROM plans')" = "0 4" ]
holds a_promise_that_cannot_be_kept_is_a_finding \
  [ "$(query made/servers/servers.db 'SELECT COUNT (answer) < 4 FROM plans')" = 1 ]
holds table_of_a_plan [ "$(wc -l <made/servers/table.csv)" -eq 5 ]
holds study_that_lacks_something_is_skipped grep -q '^question: skipped, as these are absent: paper.csv' said
holds study_that_lacks_something_makes_nothing [ ! -e made/question ]

finish
