#!/bin/sh
# decision_costs.sh: decisions that cost what they take: recorded, and the same run again from what was recorded.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

BINNACLE_DATA_DIR=$(cd "$BN_SRCDIR" && pwd)
export BINNACLE_DATA_DIR
cd "$tmp" || exit 1
child=$BN_BUILDDIR/tests/exec_child
four_gpus >s.ini
printf 'noise = lognormal\nnoise-cv = 0.5\n' >>s.ini
timed="exec:$child echo[decision-cost=measured], hash[decision-cost=measured], compass[decision-cost=measured],\
late[redecide,steal,decision-cost=measured], sparrow[decision-cost=measured]"
run () {
  "$BINNACLE" run s.ini -q "$@"
}

# ---- what is recorded ----

expect thinking_takes_time 0 "$measured" run -o costs.db --scheduler "$timed"
expect rules_hold 0 "" "$BINNACLE" check costs.db
holds each_question_has_its_cost [ "$(query costs.db "SELECT COUNT (*) FROM runs r WHERE n_decisions =
  (SELECT COUNT (*) FROM decision_costs c WHERE c.run_id = r.run_id)")" = 5 ]
holds and_none_of_another_process_is_free [ "$(query costs.db "SELECT MIN (cost_ns) > 0 FROM decision_costs
  WHERE run_id = 1")" = 1 ]
expect one_that_is_slow_once 0 "$measured" run -o late.db --scheduler "exec:$child slow 7[decision-cost=measured]"
holds decides_late_by_that [ "$(query late.db "SELECT MAX (effect_ns - seen_ns) >= 50000000 FROM decisions")" = 1 ]
expect a_constant_is_no_measurement 0 "" run -o constant.db --scheduler "hash[decision-cost=1ms]"
holds and_nothing_is_recorded [ "$(query constant.db "SELECT COUNT (*) FROM decision_costs")" = 0 ]
expect a_pool_has_no_costs 0 "binnacle: pull[decision-cost=measured]: decision-cost has no effect, as its decisions cost no time
$measured" run -o pool.db --scheduler "pull[decision-cost=measured]"
expect nor_are_they_missed 0 "" "$BINNACLE" check pool.db
"$BINNACLE" run cpu-demo -q --scale 0.0002x --set workload.jobs=3 --set workload.rate=60/s -o real.db \
  --scheduler "hash[decision-cost=measured]" >out 2>err
holds in_a_real_run_time_passes_anyway grep -qx "binnacle: decision-cost = measured has no effect, as decisions of a real run\
 take their time anyway" err
expect and_nothing_is_recorded_either 0 "" "$BINNACLE" check real.db

# ---- the same again ----

expect the_same_again 0 "$measured" run -o repeated.db --costs costs.db --scheduler "$timed"
dump costs.db >first
dump repeated.db >second
holds is_the_same_to_the_byte cmp first second
expect at_any_record_level 0 "$measured" run --record summary -o summary.db --costs repeated.db --scheduler "$timed"
expect and_from_there 0 "$measured" run -o third.db --costs summary.db --scheduler "$timed"
dump third.db >second
holds is_the_same_to_the_byte_too cmp first second
expect one_scheduler_alone 0 "$measured" run -o alone.db --costs costs.db --scheduler "compass[decision-cost=measured]"
times_of () {
  query "$1" "SELECT job_id, task, worker, placed_ns, enqueue_ns, start_ns, end_ns FROM tasks WHERE run_id = $2 ORDER BY 1, 2"
}
times_of costs.db 3 >first
times_of alone.db 1 >second
holds is_found_by_what_it_is cmp first second
expect replay 0 "" "$BINNACLE" replay costs.db --run 3 -o replayed.db
times_of replayed.db 2 >second
holds replays_as_it_was cmp first second
expect with_placements_its_decisions_are_free 0 "binnacle: compass[decision-cost=measured] as placed: not repeated with the\
 placements: the time of decisions; times differ by that" "$BINNACLE" replay costs.db --run 3 --placements
"$BINNACLE" sweep s.ini --vary servers.count=3,4 --scheduler "$timed" -q -o sweep.db -j 2 >out 2>err
holds a_sweep_says_so_once [ "$(cat err)" = "$measured" ]
expect a_cell_of_a_sweep_again 0 "$measured" run --set servers.count=3 -o cell.db --costs sweep.db --scheduler "$timed"
times_of sweep.db 3 >first
times_of cell.db 3 >second
holds as_it_was cmp first second

# ---- what is not the recorded run is an error that says where ----

# again SQL: with costs as they are after it. What is said about it is in err.
again () {
  cp costs.db changed.db
  query --write changed.db "$1"
  run -o again.db --replace --costs changed.db --scheduler "hash[decision-cost=measured]" 2>&1 | grep -vxF "$measured" >err
}
anew="; the scheduler or the program is not what it was: measure costs anew"
again "DELETE FROM decision_costs WHERE run_id = 2 AND question >= 40"
holds one_question_more [ "$(cat err)" = "binnacle: changed.db: run 2: costs of 40 questions were measured, and here is one\
 more, about job 40$anew" ]
again "INSERT INTO decision_costs VALUES (2, 60, 59, 1)"
holds one_question_less [ "$(cat err)" = "binnacle: changed.db: run 2: the run is over after 60 questions, and costs of more\
 were measured$anew" ]
again "UPDATE decision_costs SET job_id = 9 WHERE run_id = 2 AND question = 5"
holds another_question [ "$(cat err)" = "binnacle: changed.db: run 2: question 5 is about job 5 here, and was about job 9 when\
 its cost was measured$anew" ]
none="binnacle: changed.db: holds no run of hash[decision-cost=measured] with seed 1 on this scenario that has come to its end\
 with the costs of its decisions measured; give the file of such a run"
again "UPDATE runs SET state = 'running' WHERE run_id = 2"
holds a_run_that_was_cut_off [ "$(cat err)" = "$none" ]
again "DROP TABLE decision_costs"
holds a_file_of_before_there_were_any [ "$(cat err)" = "$none" ]
query --write constant.db "DROP TABLE decision_costs"
expect such_a_file_is_sound 0 "" "$BINNACLE" check constant.db
refuses costs_that_nobody_needs "binnacle: --costs costs.db: no scheduler here has decision-cost = measured" \
  run -o never.db --costs costs.db --scheduler jit
cp costs.db own.db
refuses costs_of_the_file_to_be_made "binnacle: --costs: own.db is the file to be made; name another one with -o" \
  run -o own.db --replace --costs own.db --scheduler "$timed"
holds it_is_as_it_was cmp costs.db own.db
refuses costs_of_runs_that_are_done "binnacle: compare: costs.db holds runs that are done, --costs cannot change them; give the\
 scenario to run it again" "$BINNACLE" compare costs.db --costs costs.db

# ---- a program that is killed leaves a sound file ----

"$BINNACLE" run s.ini -q -o killed.db --set workload.jobs=1000000 --record summary --no-bound \
  --scheduler "exec:$child rows[decision-cost=measured]" >out 2>err &
killed=$!
tries=0
until [ "$(query killed.db "SELECT COUNT (*) > 0 FROM decision_costs" 2>/dev/null)" = 1 ] || [ $tries -ge 300 ]; do
  tries=$((tries + 1))
  sleep 0.2
done
kill -9 $killed
wait $killed 2>/dev/null
holds what_is_left_is_sound "$BINNACLE" check killed.db
holds and_was_cut_off [ "$(query killed.db "SELECT state || ' ' || (SELECT COUNT (*) > 0 FROM decision_costs) FROM runs")" = \
  "running 1" ]

finish
