#!/bin/sh
# cli_scenario.sh: a scenario by its path, or by its name among those that come with the program.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

BINNACLE_DATA_DIR=$(cd "$BN_SRCDIR" && pwd)
export BINNACLE_DATA_DIR
mkdir "$tmp/elsewhere" && cd "$tmp/elsewhere" || exit 1
short="--set workload.jobs=3 --set schedulers.compare=jit -q --replace"

# runs NAME SCENARIO DATABASE: three jobs of that scenario are done, in that database.
runs () {
  # shellcheck disable=SC2086
  expect "$1" 0 "" "$BINNACLE" run "$2" $short
  if [ -f "$3" ]; then good "$1_makes_$3"; else wrong "$1_makes_$3" "$(ls)"; fi
  rm -f "$3"
}

runs shipped_scenario_by_name demo demo.db
runs shipped_scenario_by_file_name paper.ini paper.db
runs shipped_scenario_by_its_path_in_the_data_folder traces/scenarios/bursty.ini bursty.db

sed 's/^jobs = .*/jobs = nonsense/; s#\.\./catalogue#'"$BINNACLE_DATA_DIR"'/traces/catalogue#' \
  "$BINNACLE_DATA_DIR/traces/scenarios/demo.ini" >demo.ini
"$BINNACLE" run demo.ini 2>"$tmp/err" >/dev/null
if grep -q '^binnacle: demo.ini:[0-9]*: .*nonsense' "$tmp/err"; then
  good own_file_goes_before_a_shipped_one
else
  wrong own_file_goes_before_a_shipped_one "$(cat "$tmp/err")"
fi

printf '[servers]\ncount = 2\n[schedulers]\ncompare = all\n' >own.ini
runs own_scenario_without_a_catalogue_has_the_shipped_one own.ini own.db

refuses neither_file_nor_shipped_scenario \
  "binnacle: none.ini: no such file, and no scenario of that name in $BINNACLE_DATA_DIR/traces/scenarios; name a\
 scenario file" "$BINNACLE" run none.ini
refuses absolute_path_is_looked_for_nowhere_else \
  "binnacle: /none/demo.ini: no such file, and no scenario of that name in $BINNACLE_DATA_DIR/traces/scenarios; name a\
 scenario file" "$BINNACLE" run /none/demo.ini

# ---- the bound ----

for option in "" --no-bound; do
  # shellcheck disable=SC2086
  "$BINNACLE" run demo --set workload.jobs=20 --scheduler jit --record summary -q --format csv $option \
    -o "bound$option.db" >"bound$option.csv" 2>err
done
holds a_run_ends_with_the_bound [ "$(grep -c '^bound,' bound.csv) $(grep -c '^jit,' bound.csv)" = "1 1" ]
holds the_bound_can_be_left_out [ "$(grep -c '^bound,' bound--no-bound.csv) $(grep -c '^jit,' bound--no-bound.csv)" = "0 1" ]

finish
