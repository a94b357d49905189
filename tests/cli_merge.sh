#!/bin/sh
# cli_merge.sh: shards of a sweep, and the one file that they become.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
cp "$BN_SRCDIR/traces/catalogue/paper.ini" catalogue.ini
cat >grid.ini <<'END'
[scenario]
seeds = 1 2
record = tasks
[servers]
count = 3
[workload]
catalogue = catalogue.ini
jobs = 100
[sweep]
scheduler = compass jit
workload.load = 0.4 0.6 0.8
END

# same NAME FILE: it says what the sweep made in one command says
same () {
  dump "$2" >"$tmp/dumped"
  holds "$1" cmp whole "$tmp/dumped"
  holds "$1: passes check" "$BINNACLE" check "$2"
}

expect one_command 0 "" "$BINNACLE" sweep grid.ini -q -o whole.db
dump whole.db >whole
for shard in 1 2 3 4; do
  expect "shard_$shard" 0 "" "$BINNACLE" sweep grid.ini -q -o part$shard.db --shard $shard/4
done
holds shards_have_every_fourth_unit [ "$(query part2.db "SELECT group_concat (unit || ':' || run_id, ' ') FROM planned
  JOIN runs USING (run_id)")" = "1:2 1:4 5:10 5:12" ]
expect merge 0 "binnacle: all units are in all.db; next: binnacle compare all.db" \
  "$BINNACLE" merge -o all.db part1.db part2.db part3.db part4.db
same merged_file_is_that_of_one_command all.db
expect order_and_doubles_do_not_matter 0 "" "$BINNACLE" merge -q -o all.db --replace part4.db part2.db part4.db part1.db \
  part3.db whole.db
same merged_file_is_the_same all.db
expect merged_file_is_complete 0 "binnacle: 12 of 12 runs were in all.db already
binnacle: 3 cells with 4 runs each in all.db; next: binnacle plot all.db" "$BINNACLE" sweep grid.ini -o all.db

expect shard_says_what_it_has 0 "binnacle: 4 of 4 runs were in part1.db already
binnacle: shard 1 of 4: 2 of 2 units in part1.db; next: binnacle merge -o ALL.db, with all shards" \
  "$BINNACLE" sweep grid.ini -o part1.db --shard 1/4

# ---- what is missing ----

expect shard_is_missing 1 "binnacle: shard 3 of 4 lacks 1 of its 1 units, first workload.load=0.6, seed 1
binnacle: 1 unit is missing in some.db; the sweep's command with -o some.db and without --shard does the rest" \
  "$BINNACLE" merge -o some.db part1.db part2.db part4.db
expect merged_file_is_completed 0 "" "$BINNACLE" sweep grid.ini -q -o some.db
same completed_file_is_the_same some.db
query --write part2.db "UPDATE runs SET state = 'running' WHERE run_id = 10"
expect unit_is_missing 1 "binnacle: shard 2 of 4 (part2.db) lacks 1 of its 2 units, first workload.load=0.8, seed 2
binnacle: 1 unit is missing in some.db; the sweep's command with -o some.db and without --shard does the rest" \
  "$BINNACLE" merge -o some.db part1.db part2.db part3.db part4.db --replace
holds whole_runs_of_it_are_there [ "$(query some.db "SELECT COUNT (*) FROM runs")" -eq 11 ]
expect shard_goes_on 0 "" "$BINNACLE" sweep grid.ini -q -o part2.db --shard 2/4
expect merge_again 0 "" "$BINNACLE" merge -q -o some.db part1.db part2.db part3.db part4.db --replace
same merged_again_is_the_same some.db

# ---- bad input ----

refuses no_output "binnacle: merge: -o is missing; name the file to make" "$BINNACLE" merge part1.db
refuses no_parts "binnacle: merge: too few arguments; usage: binnacle merge [OPTION…] PART.db…" "$BINNACLE" merge -o x.db
refuses output_is_there "binnacle: all.db: exists already; name another file, or give --replace" \
  "$BINNACLE" merge -o all.db part1.db
refuses output_is_a_part "binnacle: merge: -o part1.db is one of the parts; name another file" \
  "$BINNACLE" merge -o part1.db part1.db part2.db --replace
expect other_sweep 0 "" "$BINNACLE" sweep grid.ini -q -o other.db --seeds 3
refuses part_of_another_sweep "binnacle: other.db: is of another sweep than part1.db: only other.db has these runs of\
 workload.load=0.4, seed 1; make both with the same command and files, but for --shard and -o" \
  "$BINNACLE" merge -o x.db part1.db other.db
expect run 0 "" "$BINNACLE" run grid.ini -q -o run.db --set workload.load=0.5 --set workload.jobs=5
refuses part_of_no_sweep "binnacle: run.db: is not of a sweep; give the files that binnacle sweep --shard has made" \
  "$BINNACLE" merge -o x.db run.db
refuses part_that_is_no_results_file \
  "binnacle: grid.ini: not a results file; give one that binnacle run or compare has written" "$BINNACLE" merge -o x.db grid.ini
refuses part_that_is_missing \
  "binnacle: none.db: no such file; give a results file that binnacle run or compare has written" \
  "$BINNACLE" merge -o x.db part1.db none.db
query --write other.db "ALTER TABLE metrics ADD COLUMN colour TEXT"
refuses part_of_another_form \
  "binnacle: other.db: has other tables than this version of the program writes; make it anew" \
  "$BINNACLE" merge -o x.db part1.db other.db
holds nothing_was_made_of_bad_input [ "$(echo x.db*)" = "x.db*" ]
for shard in 0/4 5/4 2 a/b 1/2/3 1/0; do
  refuses "shard_$shard" "binnacle: sweep: --shard: give which of how many, as --shard 2/4" \
    "$BINNACLE" sweep grid.ini -o x.db --shard $shard
done
finish
