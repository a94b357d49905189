#!/bin/sh
# sweep_resume.sh: a sweep is taken up again, whatever stopped it and whatever is asked
# for now; what the file says in the end is what one command makes.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2046,SC2086,SC2317
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
cp "$BN_SRCDIR/traces/catalogue/paper.ini" catalogue.ini
cat >grid.ini <<'END'
[scenario]
seeds = 1 2 3
[servers]
count = 3
[workload]
catalogue = catalogue.ini
jobs = 400
[sweep]
scheduler = compass hash[random]
workload.load = 0.4 0.8
END

sweep () {
  "$BINNACLE" sweep grid.ini -q "$@"
}

# same NAME FILE: it says what the sweep made in one command says, `check` passes, and
# nothing is beside it
same () {
  dump "$2" >"$tmp/dumped"
  holds "$1" cmp whole "$tmp/dumped"
  holds "$1: passes check" "$BINNACLE" check "$2"
  holds "$1: leaves nothing beside it" [ "$(echo "$2"*)" = "$2" ]
}

expect whole_sweep 0 "" sweep -o whole.db
dump whole.db >whole
holds whole_has_every_run [ "$(query whole.db 'SELECT COUNT (*) FROM runs')" -eq 12 ]
holds whole_is_not_empty [ "$(wc -l <whole)" -gt 1000 ]

# ---- what is there is kept ----

stamps () {
  query "$1" "SELECT run_id, started_at, wall_ns FROM runs"
}

stamps whole.db >before
expect nothing_is_run_twice 0 "binnacle: 12 of 12 runs were in whole.db already
binnacle: 2 cells with 6 runs each in whole.db; next: binnacle plot whole.db" "$BINNACLE" sweep grid.ini -o whole.db
stamps whole.db >after
holds runs_are_the_ones_that_were_there cmp before after
expect begun_anew_where_asked 0 "" sweep -o whole.db --replace
stamps whole.db >after
holds runs_are_other_ones sh -c '! cmp -s before after'
same begun_anew whole.db

expect few_seeds 0 "" sweep -o seeds.db --seeds 1
expect more_seeds 0 "binnacle: 4 of 12 runs were in seeds.db already
binnacle: 2 cells with 6 runs each in seeds.db; next: binnacle plot seeds.db" "$BINNACLE" sweep grid.ini -o seeds.db
same more_seeds_make_the_same_file seeds.db
expect few_values 0 "" sweep -o values.db --vary workload.load=0.8
expect more_values 0 "" sweep -o values.db
same more_values_make_the_same_file values.db
expect few_schedulers 0 "" sweep -o schedulers.db --vary 'scheduler=hash[random]'
expect more_schedulers 0 "binnacle: 6 of 12 runs were in schedulers.db already
binnacle: 2 cells with 6 runs each in schedulers.db; next: binnacle plot schedulers.db" \
  "$BINNACLE" sweep grid.ini -o schedulers.db
same more_schedulers_make_the_same_file schedulers.db
expect other_order 0 "" sweep -o order.db --vary 'workload.load=0.8,0.4' --seed '3 1 2'
expect usual_order 0 "" sweep -o order.db
same order_makes_the_same_file order.db

expect little_is_recorded 0 "" sweep -o record.db --seeds 1 --record summary
expect more_is_recorded 0 "binnacle: 2 cells with 2 runs each in record.db; next: binnacle plot record.db" \
  "$BINNACLE" sweep grid.ini -o record.db --seeds 1 --record tasks
holds tasks_are_recorded [ "$(query record.db 'SELECT COUNT (DISTINCT run_id) FROM tasks')" -eq 4 ]
expect less_would_do 0 "binnacle: 4 of 4 runs were in record.db already
binnacle: 2 cells with 2 runs each in record.db; next: binnacle plot record.db" \
  "$BINNACLE" sweep grid.ini -o record.db --seeds 1 --record jobs
query --write record.db "UPDATE runs SET state = 'running' WHERE run_id = 3"
expect run_that_was_cut_off_is_done_again 0 "binnacle: 3 of 4 runs were in record.db already
binnacle: 2 cells with 2 runs each in record.db; next: binnacle plot record.db" \
  "$BINNACLE" sweep grid.ini -o record.db --seeds 1 --record jobs
holds run_that_was_cut_off_is_complete [ "$(query record.db "SELECT COUNT (*) FROM runs WHERE state = 'complete'")" = 4 ]

# ---- files of something else ----

other="such as run 3 (compass; workload.load=0.4, seed 3); name another file with -o, or give --replace to begin anew"
dump seeds.db >before
refuses fewer_seeds "binnacle: seeds.db: holds 4 runs that this command does not make, $other" sweep -o seeds.db --seeds 2
dump seeds.db >after
holds file_that_is_refused_is_as_it_was cmp before after
expect results_of_a_run 0 "" "$BINNACLE" run grid.ini -q -o run.db --set workload.load=0.5 --scheduler jit
refuses file_of_another_verb "binnacle: run.db: holds 3 runs that this command does not make, such as run 1 (jit;\
 scenario grid, seed 1); name another file with -o, or give --replace to begin anew" sweep -o run.db
cp grid.ini no.db
refuses file_of_something_else "binnacle: no.db: exists and is not a results file; name another file" sweep -o no.db
query --write values.db "ALTER TABLE metrics ADD COLUMN colour TEXT"
refuses file_of_another_form "binnacle: values.db: has other tables than this version of the program writes; name\
 another file, or give --replace" sweep -o values.db

# ---- stopped ----

# runs_in FILE: how many are complete, 0 where there is no file
runs_in () {
  query "$1" "SELECT COUNT (*) FROM runs WHERE state = 'complete'" 2>/dev/null || echo 0
}

# stop FILE SIGNAL COUNT ARGUMENT...: sends the sweep a signal when so many runs are in
stop () {
  stop_file=$1
  stop_signal=$2
  stop_count=$3
  shift 3
  "$BINNACLE" sweep grid.ini -o "$stop_file" -q "$@" >/dev/null 2>"$tmp/stopped" &
  stop_pid=$!
  until [ -d "$stop_file.cells" ] && [ "$(runs_in "$stop_file")" -ge "$stop_count" ]; do
    kill -0 $stop_pid 2>/dev/null || break
  done
  kill "-$stop_signal" $stop_pid 2>/dev/null
  wait $stop_pid 2>/dev/null
}

# sound FILE: what a kill has left; a file without a run is nothing that could be checked
sound () {
  [ -e "$1" ] || return 0
  [ "$(query "$1" "PRAGMA integrity_check")" = ok ] || return 1
  [ "$(runs_in "$1")" -eq 0 ] || "$BINNACLE" check "$1"
}

# So many jobs that no sweep ends before it is stopped.
long="--set workload.jobs=10000 --record summary"
expect long_sweep 0 "" sweep -o long.db -j 2 $long
dump long.db >whole
hits=0
for count in 0 0 2 4 6; do
  stop killed.db KILL $count -j 2 $long
  [ ! -d killed.db.cells ] || hits=$((hits + 1))
  holds "killed_at_$count leaves a sound file" sound killed.db
done
holds sweeps_were_killed [ "$hits" -ge 3 ]
expect killed_sweep_goes_on 0 "" sweep -o killed.db -j 2 $long
same killed_sweep_makes_the_same_file killed.db

stop interrupted.db TERM 2 -j 2 $long
holds interrupted_sweep_says_what_is_there grep -q \
  '^binnacle: interrupted with [1-5] of 6 units in interrupted.db; the same command does the others$' "$tmp/stopped"
holds interrupted_sweep_passes_check "$BINNACLE" check interrupted.db
expect interrupted_sweep_goes_on 0 "" sweep -o interrupted.db $long
same interrupted_sweep_makes_the_same_file interrupted.db

# ---- somebody reads all the time ----

(while [ ! -e enough ]; do runs_in read.db; done) >counts &
reader=$!
for seeds in 1 2 3; do
  expect "$seeds seeds while somebody reads" 0 "" sweep -o read.db --seeds $seeds
done
touch enough
wait $reader
holds somebody_has_read grep -q 4 counts

# ---- two at once ----

# begin FILE ARGUMENT...: a sweep in the background, whose first unit has begun when this returns; its
# process is $first
begin () {
  begin_file=$1
  shift
  "$BINNACLE" sweep grid.ini -o "$begin_file" -q "$@" >/dev/null 2>"$tmp/begun" &
  first=$!
  until [ -e "$begin_file.cells/unit-1.db" ]; do
    kill -0 $first 2>/dev/null || break
  done
}

begin two.db --set workload.jobs=90000000
refuses second_command_is_refused \
  "binnacle: two.db: another command is writing it; wait until that has ended, or name another file" sweep -o two.db
refuses second_command_does_not_replace \
  "binnacle: two.db: another command is writing it; wait until that has ended, or name another file" sweep -o two.db --replace
kill -TERM $first
wait $first
holds interrupted_before_the_first_unit_makes_no_file [ "$? $(echo two.db*) $(cat begun)" = \
  "1 two.db* binnacle: interrupted before the first unit ended; no file was made" ]

# ---- a unit that crashes ----

if [ -e "/proc/$$/task/$$/children" ]; then
  begin crash.db $long
  kill -KILL $(cat "/proc/$first/task/$first/children")
  wait $first
  holds unit_that_crashes_is_named_and_the_others_go_on [ "$? $(cat begun)" = \
    "1 binnacle: workload.load=0.4, seed 1 failed: ended by signal 9 (Killed)
binnacle: 1 of 6 units failed; the others are in crash.db; the same command tries again" ]
  holds file_without_it_passes_check "$BINNACLE" check crash.db
  expect unit_that_crashed_is_tried_again 0 "" sweep -o crash.db $long
  same unit_that_crashed_is_there crash.db
else
  echo "SKIP: /proc does not tell children, so none was killed"
fi

# ---- full disk ----

# SIZE PROGRAM: what was done on a disk of so many kB is sound, and goes on with more room.
# shellcheck disable=SC2016  # for another shell
full='mount -t tmpfs -o size=$1k none disk || exit 3
"$2" sweep grid.ini -o disk/x.db -q >/dev/null 2>&1 && { echo "it had room"; exit 1; }
[ ! -e disk/x.db ] || "$2" check disk/x.db >/dev/null || { echo "not sound"; exit 1; }
mount -o remount,size=64m disk
"$2" sweep grid.ini -o disk/x.db -q >/dev/null || exit 1
[ "$(ls disk)" = x.db ] || { ls disk; exit 1; }
cp disk/x.db full.db'
mkdir disk
expect sweep_with_room 0 "" sweep -o room.db
dump room.db >whole
if unshare -rm sh -c 'mount -t tmpfs none disk' 2>/dev/null; then
  for size in 160 300 500 700 900; do
    holds "full_disk_of_${size}_kB" unshare -rm sh -c "$full" sh $size "$BINNACLE"
    same "full_disk_of_${size}_kB_then_more" full.db
    rm -f full.db
  done
else
  echo "SKIP: no name space of mounts, so no disk was filled"
fi
finish
