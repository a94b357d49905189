#!/bin/sh
# long_soak.sh: long runs stay small, and a run that is killed leaves a sound file.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# `make check` does little of it, `make check-long` a million jobs and 20 kills.
# shellcheck disable=SC2317
. "$BN_SRCDIR/tests/lib.sh"

query="$BN_BUILDDIR/tests/query_results"
demo="$BN_SRCDIR/traces/scenarios/demo.ini"
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
if [ "${BN_TEST_LONG:-0}" = 1 ]; then
  many_jobs=1000000
  kills=20
else
  many_jobs=200000
  kills=3
fi

# ---- memory ----

# peak JOBS VARIANT RATE: runs them, result in $db, kB in $kb
peak () {
  db=$1.db
  "$BN_BUILDDIR/tests/peak_memory" kb "$BINNACLE" run "$demo" --scheduler "$2" --set "workload.rate=$3" \
    --set "workload.jobs=$1" --record summary --replace -q -o "$db" >table && kb=$(cat kb)
}

stays_small () {
  peak 20000 "$2" "$3" || wrong "$1_a_few_jobs" "the run failed"
  few_kb=$kb
  peak $many_jobs "$2" "$3" || wrong "$1_many_jobs" "the run failed"
  state=$("$query" "$db" "SELECT state, label, n_done FROM runs")
  holds "$1_many_jobs_are_done_in_a_stable_run" [ "$state" = "complete|STABLE|$many_jobs" ]
  holds "$1_many_jobs_keep_every_rule" "$BINNACLE" check "$db"
  holds "$1_many_jobs_within_100_MB" [ "$kb" -gt 1000 -a "$kb" -le 100000 ]
  holds "$1_memory_does_not_grow_with_finished_jobs" [ "$kb" -le $((few_kb + 2000)) ]
}

stays_small compass compass 3.5/s
if [ "${BN_TEST_LONG:-0}" = 1 ]; then
  stays_small reserving "compass[queue=srpt,prefetch=next,reserve=published]" 3.5/s
  stays_small sparrow sparrow 3.5/s
  stays_small hash_random "hash[random]" 1.5/s
fi

# ---- kills ----

# Begins a run that would take hours; its process is $pid. A shell has its
# background jobs ignore SIGINT, a person's shell does not.
begin () {
  rm -f cut.db*
  env --default-signal=INT "$BINNACLE" run "$demo" --scheduler compass --set workload.jobs=1000000000 \
    --record tasks -q -o cut.db >out 2>err &
  pid=$!
}

# Waits until the file tells of tasks done.
wait_for_tasks () {
  while ! [ "$("$query" cut.db "SELECT COUNT (*) > 0 FROM (SELECT 1 FROM tasks LIMIT 1)" 2>query_err)" = 1 ]; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.02
  done
}

# A random time below $1 ms, at most 1000.
any_time_below () {
  sleep "0.$(od -An -N2 -tu2 /dev/urandom | awk -v below="$1" '{ printf "%03d", $1 % below }')"
}

# Sends signal $1 to the run, its status in $status.
end_with () {
  kill "-$1" "$pid"
  status=0
  wait "$pid" 2>wait_err || status=$?
  pid=
}

i=0
while [ $i -lt $kills ]; do
  i=$((i + 1))
  begin
  wait_for_tasks
  any_time_below 500
  end_with KILL
  # 128 + 9
  holds "kill_${i}_hit_a_run" [ "$status" -eq 137 ]
  expect "kill_${i}_leaves_a_sound_file" 0 "binnacle: run 1 was cut off, or is still being written" \
    "$BINNACLE" check cut.db
  holds "kill_${i}_nothing_is_wrong_in_it" grep -q "^[1-9][0-9]* passed, 0 failed, [0-9]* not checkable$" out
  left=$("$query" cut.db "SELECT state, (SELECT COUNT (*) > 0 FROM jobs) FROM runs")
  holds "kill_${i}_leaves_an_unfinished_run_with_jobs" [ "$left" = "running|1" ]
  expect "kill_${i}_what_is_there_can_be_read" 0 "" "$BINNACLE" export tasks cut.db -o tasks.csv
  n_tasks=$("$query" cut.db "SELECT COUNT (*) FROM tasks")
  holds "kill_${i}_every_task_can_be_read" [ "$(wc -l <tasks.csv)" -eq $((n_tasks + 1)) ]
done
expect a_killed_file_can_be_replaced 0 "" "$BINNACLE" run "$demo" --scheduler compass --set workload.jobs=50 \
  --replace -q -o cut.db
expect and_is_sound_again 0 "" "$BINNACLE" check cut.db

# at the very start: no file yet, or one that says what it is
i=0
while [ $i -lt $kills ]; do
  i=$((i + 1))
  begin
  any_time_below 80
  end_with KILL
  if [ ! -e cut.db ]; then
    good "early_kill_${i}_leaves_no_file"
    continue
  fi
  "$BINNACLE" check cut.db >out 2>err
  case $?/$(cat err) in
    "0/binnacle: run 1 was cut off, or is still being written" | \
      "2/binnacle: cut.db: holds no run; it was cut off at its start, make it again")
      good "early_kill_${i}_leaves_a_file_that_says_so" ;;
    *)
      wrong "early_kill_${i}_leaves_a_file_that_says_so" "$(cat err)" ;;
  esac
done

# ---- Ctrl-C ----

for signal in INT TERM; do
  begin
  wait_for_tasks
  end_with $signal
  holds "${signal}_ends_the_run_with_status_1" [ "$status" -eq 1 ]
  holds "${signal}_is_said" grep -qx "binnacle: interrupted after 1 run; what was done is in cut.db" err
  left=$("$query" cut.db "SELECT state, n_done > 0, n_jobs = n_done + n_unfinished,
                                 n_jobs = (SELECT COUNT (*) FROM jobs) FROM runs")
  holds "${signal}_leaves_a_run_marked_interrupted" [ "$left" = "interrupted|1|1|1" ]
  expect "${signal}_leaves_a_file_that_keeps_every_rule" 0 "" "$BINNACLE" check cut.db
  holds "${signal}_leaves_one_file" [ "$(echo cut.db*)" = cut.db ]
done
finish
