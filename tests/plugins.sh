#!/bin/sh
# plugins.sh: schedulers from shared objects: the example, one that is as the program's own, and those that misbehave.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || skip "there is no C compiler here"
cd "$tmp" || exit 1
include=$BN_SRCDIR/sim/sched

# build NAME SOURCE FLAGS...
build () {
  build_name=$1
  build_source=$2
  shift 2
  $cc -std=c99 -Wall -Wextra -Werror -pedantic -shared -fPIC -I"$include" "$@" -o "$build_name.so" "$build_source"
}

four_gpus >s.ini

# ---- the header stands alone ----

printf '#include <binnacle/scheduler.h>\n' >alone.c
cp alone.c alone.cc
holds header_alone_as_c99 $cc -std=c99 -Wall -Wextra -Werror -pedantic -I"$include" -c alone.c -o alone.o
holds header_alone_as_c11 $cc -std=c11 -Wall -Wextra -Werror -pedantic -I"$include" -c alone.c -o alone.o
if command -v c++ >/dev/null; then
  holds header_alone_as_cxx c++ -std=c++11 -Wall -Wextra -Werror -pedantic -I"$include" -c alone.cc -o alone.o
fi

# ---- the example ----

holds example_builds build warm "$BN_SRCDIR/doc/examples/warm.c"
expect example_runs 0 "" "$BINNACLE" run s.ini --plugin ./warm.so --scheduler 'warm, warm[spread=2], jit' -q -o warm.db
expect example_keeps_the_rules 0 "" "$BINNACLE" check warm.db
holds example_does_all_jobs [ "$(query warm.db "SELECT SUM (n_done) FROM runs")" = 180 ]
holds plugin_is_recorded [ "$(query warm.db "SELECT COUNT (*) FROM parameters WHERE name = 'schedulers.plugins'
  AND value = './warm.so'")" = 3 ]
holds its_parameter_is_recorded [ "$(query warm.db "SELECT value FROM parameters WHERE run_id = 2 AND source = 'variant'
  AND name = 'spread'")" = 2 ]
if command -v python3 >/dev/null; then
  expect example_in_python_runs 0 "" "$BINNACLE" run s.ini --plugin ./warm.so -q -o both.db --scheduler \
    "warm[spread=2], exec:python3 $BN_SRCDIR/doc/examples/warm.py[param.spread=2]"
  for run in 1 2; do
    query both.db "SELECT job_id, task, worker, placed_ns, start_ns, end_ns FROM tasks WHERE run_id = $run
      ORDER BY job_id, task" >tasks$run
  done
  holds example_in_python_has_tasks [ -s tasks1 ]
  holds example_in_python_decides_the_same cmp tasks1 tasks2
else
  echo "# no python3 here: the example in Python was not run"
fi
refuses its_parameters_have_ranges \
  "binnacle: --set 'schedulers.compare=warm[spread=101]': schedulers.compare: spread: '101' is out of range; it may be\
 0..100" \
  "$BINNACLE" run s.ini --plugin ./warm.so --scheduler 'warm[spread=101]' -o never.db
holds without_it_the_name_is_unknown sh -c '"$BINNACLE" run s.ini --scheduler warm -o never.db 2>&1 |
  grep -q "is not a scheduler; there are compass, "'
holds with_it_the_name_is_known_to_hints sh -c '"$BINNACLE" run s.ini --plugin ./warm.so --scheduler warn -o never.db \
  2>&1 | grep -q "did you mean .*warm"'
printf '[schedulers]\nplugins = warm.so\ncompare = warm\n' >>s.ini
mkdir elsewhere
expect a_scenario_names_it_beside_itself 0 "" sh -c 'cd elsewhere && "$BINNACLE" run ../s.ini -q -o warm.db'
expect its_sweep 0 "" "$BINNACLE" sweep s.ini --vary servers.count=3,4 -q -o sweep.db -j 2
expect its_plan 0 "" "$BINNACLE" plan s.ini --set workload.rate=2/s --slo 'p50(slowdown) <= 9' --seeds 3..6 -q -o plan.db
sed -i '/^plugins/d; /^compare/d' s.ini

# ---- one that is as the program's own ----

build modulo "$BN_SRCDIR/tests/plugin_cases.c" -DCASE_MODULO
expect as_hash_modulo 0 "" "$BINNACLE" run s.ini --plugin ./modulo.so --scheduler 'case, hash[modulo]' -q -o modulo.db
tasks_of () {
  query modulo.db "SELECT job_id, task, worker, placed_ns, enqueue_ns, start_ns, exec_ns, end_ns, access FROM tasks
    WHERE run_id = $1 ORDER BY job_id, task"
}
tasks_of 1 >ours
tasks_of 2 >theirs
holds every_task_is_where_and_when_hash_has_it cmp ours theirs

# ---- what it hears ----

build hears "$BN_SRCDIR/tests/plugin_cases.c" -DCASE_HEARS
expect one_that_listens 0 "" "$BINNACLE" run s.ini --plugin ./hears.so --scheduler case -q -o hears.db
query hears.db "SELECT 'task ' || job_id || '.' || task || ' ' || worker || ' ' || end_ns || ' ' || (end_ns - exec_ns)
  FROM tasks ORDER BY 1" >ended
grep ^task heard | sort >told
holds each_task_is_heard_of_where_it_ran cmp ended told
query hears.db "SELECT 'job ' || job_id || ' ' || ingress || ' ' || (end_ns + iif (ingress = 0, 0, latency_ns)) || ' ' ||
  (end_ns - create_ns) FROM jobs JOIN networks USING (run_id) ORDER BY 1" >ended
grep ^job heard | sort >told
holds each_job_at_its_ingress_a_message_later cmp ended told
build old "$BN_SRCDIR/tests/plugin_cases.c" -DCASE_OLD
expect one_of_before_there_were_notices 0 "" "$BINNACLE" run s.ini --plugin ./old.so --scheduler case -q -o old.db
query hears.db "SELECT job_id, task, worker, start_ns, end_ns FROM tasks ORDER BY 1, 2" >ours
query old.db "SELECT job_id, task, worker, start_ns, end_ns FROM tasks ORDER BY 1, 2" >theirs
holds to_listen_changes_nothing cmp ours theirs

# ---- decisions that cost what they take ----

expect its_thinking_takes_time 0 "$measured" "$BINNACLE" run s.ini --plugin ./warm.so -q -o costs.db \
  --scheduler 'warm[decision-cost=measured]'
expect measured_costs_keep_the_rules 0 "" "$BINNACLE" check costs.db
expect the_same_again 0 "$measured" "$BINNACLE" run s.ini --plugin ./warm.so -q -o again.db --costs costs.db \
  --scheduler 'warm[decision-cost=measured]'
dump costs.db >first
dump again.db >second
holds costs_that_were_measured_make_the_same_bytes cmp first second

# ---- those that misbehave ----

misbehave () {
  build "$1" "$BN_SRCDIR/tests/plugin_cases.c" "-D$2"
}
misbehave unknown CASE_UNKNOWN_WORKER
"$BINNACLE" run s.ini --plugin ./unknown.so --scheduler case -q -o unknown.db >out 2>err
holds an_unknown_worker_refuses_the_job [ "$(query unknown.db "SELECT DISTINCT state || ': ' || reason FROM jobs")" = "refused: bad-worker" ]
misbehave silent CASE_SILENT
"$BINNACLE" run s.ini --plugin ./silent.so --scheduler case -q -o silent.db >out 2>err
holds silence_refuses_the_job [ "$(query silent.db "SELECT DISTINCT state FROM jobs")" = refused ]
misbehave one CASE_ONE_WORKER
expect all_on_one_worker 0 "" "$BINNACLE" run s.ini --plugin ./one.so --scheduler case -q -o one.db
holds all_of_them_there [ "$(query one.db "SELECT COUNT (DISTINCT worker) || ' ' || MAX (worker) FROM tasks")" = "1 0" ]
sed 's/^\[servers\]/[servers small]\nmemory = 5GB\n[servers large]/' s.ini >small.ini
"$BINNACLE" run small.ini --plugin ./one.so --scheduler case -q -o small.db >out 2>err
holds jobs_are_refused_where_memory_is_too_small [ "$(query small.db "SELECT group_concat (DISTINCT reason) FROM jobs
  WHERE state <> 'done'")" = model-exceeds-gpu ]
holds others_are_done [ "$(query small.db "SELECT COUNT (*) > 0 FROM jobs WHERE state = 'done'")" = 1 ]
for file in unknown silent one small; do
  expect "rules_hold_of_$file" 0 "" "$BINNACLE" check $file.db
done
misbehave adjusts CASE_ADJUSTS
expect a_word_on_another_task 0 "" "$BINNACLE" run s.ini --plugin ./adjusts.so --scheduler case -q -o adjusts.db
holds is_passed_over [ "$(query adjusts.db "SELECT DISTINCT worker FROM tasks ORDER BY 1" | tr '\n' ' ')" = "0 2 " ]
misbehave curious CASE_CURIOUS
expect what_is_not_there_is_0 0 "" "$BINNACLE" run s.ini --plugin ./curious.so --scheduler case -q -o curious.db

misbehave aborts CASE_ABORTS
status=0
"$BINNACLE" run s.ini --plugin ./aborts.so --scheduler 'jit, case' -q -o aborts.db >out 2>err || status=$?
holds one_that_aborts_ends_the_program [ $status -ge 128 ]
holds what_was_before_is_there [ "$(query aborts.db "SELECT state FROM runs WHERE scheduler = 'jit'")" = complete ]
"$BINNACLE" sweep s.ini --plugin ./aborts.so --scheduler case --vary workload.jobs=4,20 -q -o kept.db >out 2>err
holds in_a_sweep_only_its_cell_fails [ "$(query kept.db "SELECT n_done FROM runs")" = 4 ]
holds and_is_named grep -q 'workload.jobs=20, seed 1 failed: .*signal' err

interface () {
  misbehave "$1" "$2"
  refuses "$1" "binnacle: ./$1.so: $3" "$BINNACLE" run s.ini --plugin "./$1.so" --scheduler case -o never.db
}
interface other_abi CASE_OTHER_ABI \
  "is a plug-in of interface 7 and this program has 1; build it with the header of this program"
interface short_table CASE_SHORT "has a table that is too short; build it with the header of this program"
interface taken_name CASE_TAKEN "its scheduler's name, jit, is taken; give it another one"
interface bad_name CASE_NAME "has a name that is not of letters, digits, - and _"
interface no_hooks CASE_NOTHING "has neither plan nor place, and so places nothing"
interface default_beyond CASE_DEFAULT "has a parameter whose default is not one of its values"
interface range_upside_down CASE_RANGE "has a parameter whose default is not one of its values"
interface parameter_twice CASE_TWICE "has two parameters of one name"
interface parameter_of_all CASE_OPTION "its parameter queue is an option of every scheduler; give it another name"
interface vast_state CASE_STATE "wants a state of more than 1 GiB"
interface no_symbol CASE_NO_SYMBOL \
  "is no plug-in of this program: it lacks binnacle_scheduler; see binnacle/scheduler.h"
refuses a_file_that_is_not_there "binnacle: ./nothing.so: cannot read this plug-in: Failed to open file “./nothing.so”:\
 No such file or directory" "$BINNACLE" run s.ini --plugin ./nothing.so -o never.db
head -c 3000 warm.so >cut.so
holds a_cut_file_is_refused sh -c '"$BINNACLE" run s.ini --plugin ./cut.so -o never.db 2>&1 | grep -q "cut.so"'
printf 'no library\n' >text.so
holds a_text_is_refused sh -c '"$BINNACLE" run s.ini --plugin ./text.so -o never.db 2>&1 | grep -q "text.so: .*; build it"'
holds nothing_was_made [ ! -e never.db ]

finish
