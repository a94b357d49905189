#!/bin/sh
# exec.sh: schedulers in other processes: the example, what they are told, and those that misbehave.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
child=$BN_BUILDDIR/tests/exec_child
{
  printf '[schedulers]\ncompare = jit\n'
  four_gpus
} >s.ini
tasks_of () {
  query "$1" "SELECT job_id, task, worker, placed_ns, enqueue_ns, start_ns, exec_ns, end_ns, access FROM tasks
    WHERE run_id = $2 ORDER BY job_id, task"
}

# ---- the example ----

if command -v python3 >/dev/null; then
  holds example_is_short [ "$(wc -l <"$BN_SRCDIR/doc/examples/modulo.py")" -le 40 ]
  expect example_runs 0 "" "$BINNACLE" run s.ini -q -o modulo.db --scheduler \
    "exec:python3 $BN_SRCDIR/doc/examples/modulo.py, hash[modulo]"
  tasks_of modulo.db 1 >ours
  tasks_of modulo.db 2 >theirs
  holds every_task_is_where_and_when_hash_has_it cmp ours theirs
  expect example_keeps_the_rules 0 "" "$BINNACLE" check modulo.db
  sed 's/^\[servers\]/[servers small]\nmemory = 5GB\n[servers large]/' s.ini >small.ini
  expect example_runs_on_unlike_workers 0 "" "$BINNACLE" run small.ini -q -o unlike.db --scheduler \
    "exec:python3 $BN_SRCDIR/doc/examples/modulo.py, hash[modulo]"
  tasks_of unlike.db 1 >ours
  tasks_of unlike.db 2 >theirs
  holds there_as_well cmp ours theirs
else
  echo "# no python3 here: the example was not run"
fi

# ---- what it is told ----

expect echo_runs 0 "" "$BINNACLE" run s.ini -q -o echo.db --scheduler "heard: exec:$child echo"
holds hello_first sh -c 'head -1 heard | grep -qx "{\"type\":\"hello\",\"protocol\":1,\"seed\":[0-9]*,\"parameters\":{}}"'
holds then_the_cluster sh -c 'sed -n 2p heard | grep -q "^{\"type\":\"cluster\",\"gpu_types\":\[{\"name\":"'
holds four_workers [ "$(sed -n 2p heard | grep -o '"gpu_type":0,"server":[0-3]' | wc -l)" = 4 ]
holds then_nothing_but_tasks [ "$(sed 1,2d heard | grep -cv '^{"type":"place","now_ns":[0-9]*,"observer":[0-3],"job":')" = 0 ]
holds one_question_a_task [ "$(sed 1,2d heard | wc -l)" = "$(query echo.db "SELECT COUNT (*) FROM tasks")" ]
"$BINNACLE" run s.ini -q -o cost.db --scheduler "exec:$child zero[decision-cost=1ms]" >out 2>err
holds what_it_does_not_want_costs_nothing [ "$(query cost.db "SELECT MIN (placed_ns - create_ns) FROM tasks JOIN jobs
  USING (run_id, job_id) WHERE task = 0")" -lt 2000000 ]
holds workers_of_a_job_are_told [ "$(sed -n 3p heard | grep -c '"placed":\[null')" = 1 ]
holds rows_are_told_as_they_change [ "$(sed 1,2d heard | grep -c '"rows":\[{"worker":0,"queued_ns":')" -gt 10 ]
holds caches_too grep -q '"models":\[[0-9]' heard
holds nobody_is_told_the_same_twice [ "$(sed -n 3p heard | grep -c '"rows":\[\]')" = 1 ]
holds labelled [ "$(query echo.db "SELECT variant || ' ' || (scheduler LIKE 'exec:%') FROM runs")" = "heard 1" ]
expect echo_again 0 "" "$BINNACLE" run s.ini -q -o again.db --scheduler "heard: exec:$child echo"
dump echo.db >first
dump again.db >second
holds the_same_answers_make_the_same_bytes cmp first second
expect in_a_sweep_each_has_its_own 0 "" "$BINNACLE" sweep s.ini --vary servers.count=3,4 --scheduler "exec:$child zero" \
  -q -o sweep.db -j 2
expect rules_hold 0 "" "$BINNACLE" check sweep.db
expect slow_is_no_fault 0 "" "$BINNACLE" run s.ini -q -o slow.db --scheduler "exec:$child slow 7"

# ---- parameters of its own ----

expect parameters 0 "" "$BINNACLE" run s.ini -q -o parameters.db \
  --scheduler "exec:$child echo[param.beta=x=1,queue=srpt,param.alpha= a \"b\" c ,timeout=2s]"
holds parameters_are_told_by_name [ "$(sed -n 's/.*"parameters"://p' heard)" = '{"alpha":"a \"b\" c","beta":"x=1"}}' ]
holds they_are_part_of_the_name [ "$(query parameters.db "SELECT variant FROM runs")" = \
  "exec:$child echo[timeout=2s,queue=srpt,param.alpha=a \"b\" c,param.beta=x=1]" ]
holds and_are_recorded [ "$(query parameters.db "SELECT value FROM parameters WHERE source = 'variant' AND
  name GLOB 'param.*' ORDER BY name" | tr '\n' ';')" = 'a "b" c;x=1;' ]
set_to="binnacle: --set 'schedulers.compare=exec:true"
"$BINNACLE" run s.ini -o never.db --scheduler 'exec:true[timeuot=2s]' >out 2>err
holds what_is_mistyped_is_no_parameter grep -q "'timeuot' is not a setting of exec:true (did you mean 'timeout'?); it takes\
 timeout, .*clairvoyant, and what is its own as param.NAME=VALUE$" err
"$BINNACLE" run s.ini -o never.db --scheduler 'jit[param.a=1]' >out 2>err
holds only_programs_have_parameters grep -q "'param.a' is not a setting of jit; it takes .*clairvoyant$" err
refuses a_parameter_needs_a_value "${set_to}[param.alpha]': schedulers.compare: 'param.alpha' cannot be told to the program;\
 write param.NAME=VALUE, the name of letters, digits, - _ and ., the value in one line" \
  "$BINNACLE" run s.ini -o never.db --scheduler 'exec:true[param.alpha]'
refuses a_parameter_is_set_once "${set_to}[param.a=1,param.b=2,param.a=3]': schedulers.compare: 'param.a=3' is set twice; set it\
 once" "$BINNACLE" run s.ini -o never.db --scheduler 'exec:true[param.a=1,param.b=2,param.a=3]'

# ---- notices ----

expect one_that_listens 0 "" "$BINNACLE" run s.ini -q -o hears.db --scheduler "case: exec:$child hears"
query hears.db "SELECT '{\"type\":\"task-finished\",\"now_ns\":' || end_ns || ',\"observer\":' || worker || ',\"job\":' ||
  job_id || ',\"workflow\":' || workflow || ',\"task\":' || task || ',\"worker\":' || worker || ',\"took_ns\":' ||
  (end_ns - exec_ns) || '}' FROM tasks JOIN (SELECT job_id, workflow FROM jobs) USING (job_id)" | sort >ended
grep '"task-finished"' heard | sort >told
holds each_task_is_heard_of cmp ended told
query hears.db "SELECT '{\"type\":\"job-ended\",\"now_ns\":' || (end_ns + iif (ingress = 0, 0, latency_ns)) ||
  ',\"observer\":' || ingress || ',\"job\":' || job_id || ',\"workflow\":' || workflow ||
  ',\"outcome\":\"done\",\"took_ns\":' || (end_ns - create_ns) || '}' FROM jobs JOIN networks USING (run_id)" | sort >ended
grep '"job-ended"' heard | sort >told
holds each_job_at_its_ingress cmp ended told
holds in_order_of_time sh -c 'sed -n "s/.*\"now_ns\":\([0-9]*\).*/\1/p" heard | sort -nc'
expect one_that_does_not 0 "" "$BINNACLE" run s.ini -q -o zero.db --scheduler "case: exec:$child zero"
tasks_of hears.db 1 >ours
tasks_of zero.db 1 >theirs
holds to_listen_changes_nothing cmp ours theirs
wonders="exec:$child wonders"
expect unknown_notices 2 "binnacle: $wonders: says hello with an unknown word in \"notices\"; there are job-ended,\
 task-finished, worker-down: {\"protocol\":1,\"hooks\":[\"plan\"],\"flags\":[],\"notices\":[\"job-began\"]}" \
  "$BINNACLE" run s.ini -q -o never.db --scheduler "$wonders"
# notices that nobody reads, of one job, and of more than a pipe holds: all questions are answered
for jobs in 1 900; do
  "$BINNACLE" run s.ini -q -o leaves$jobs.db --set workload.jobs=$jobs --set workload.load=500 --record summary \
    --scheduler "exec:$child leaves ${jobs}[timeout=300ms]" >out 2>err
  holds nobody_waits_for_one_that_leaves_at_$jobs [ "$(query leaves$jobs.db "SELECT state || ' ' || n_done FROM runs")" = \
    "complete $jobs" ]
done
"$BINNACLE" run s.ini -q -o leaves.db --scheduler "exec:$child leaves 5[timeout=300ms]" >out 2>err
holds unless_it_is_asked_again grep -q "leaves 5: does not answer within its timeout" err

# ---- those that misbehave: the run is failed, says why, and what was before is there ----

# fails NAME MESSAGE ARGUMENTS...
fails () {
  fails_name=$1
  fails_says=$2
  shift 2
  fails_text="exec:$child $*"
  status=0
  "$BINNACLE" run s.ini -q -o "$fails_name.db" --scheduler "jit, $fails_text${fails_options:-}" >out 2>err || status=$?
  if [ $status -eq 2 ] && grep -qF "binnacle: $fails_text: $fails_says" err; then
    good "$fails_name"
  else
    wrong "$fails_name" "status $status" "$(cat err)"
  fi
  holds "$fails_name: its_run_is_failed" [ "$(query "$fails_name.db" "SELECT state FROM runs ORDER BY run_id" |
    tr '\n' ' ')" = "complete failed " ]
  holds "$fails_name: nothing_else_is_wrong" "$BINNACLE" check "$fails_name.db"
}
fails dies "has ended with status 3; it said: then: out of ideas" dies 5
fails dies_at_once "has ended with status 3; it said: then: out of ideas" dies 1
fails_options='[timeout=300ms]'
fails silent "does not answer within its timeout" silent 3
fails_options=
fails babbles "says more than it was asked: {\"place\":[]}" babbles 4
fails lies "answers with a placement that is not [task, worker] or [task, worker, priority]: {\"place\":[[0,\"one\"]]}" lies 2
fails foreign "answers with what is no JSON" foreign 2
fails other_task "places task 77, which was not asked about: {\"place\":[[77,0]]}" other 2
fails long "says a line of more than 1048576 bytes: xxxxx" long 2

# What a child has started itself ends with it, also where the child has ended before.
cat >parent.sh <<'END'
#!/bin/sh
sleep 1000 >/dev/null 2>&1 </dev/null &
echo $! >grandchild
exit 4
END
chmod +x parent.sh
expect a_parent_ends 2 "binnacle: exec:./parent.sh: has ended with status 4" \
  "$BINNACLE" run s.ini -q -o parent.db --scheduler exec:./parent.sh
holds its_child_is_ended_too sh -c 'for i in 1 2 3 4 5 6 7 8 9; do
  kill -0 "$(cat grandchild)" 2>/dev/null || exit 0
  grep -q ") Z" "/proc/$(cat grandchild)/stat" && exit 0
  sleep 0.1
done
exit 1'
says_bytes="exec:printf '\\\\377\\\\n'"
"$BINNACLE" run s.ini -q -o none.db --replace --scheduler "$says_bytes" >out 2>err
holds bytes_become_text sh -c '[ "$(wc -l <err)" = 1 ] && iconv -f UTF-8 -t UTF-8 err >again'

holds program_of_this_folder_needs_a_slash sh -c '"$BINNACLE" run s.ini --scheduler exec:nothing -q -o never.db 2>&1 |
  grep -q "; a file of a folder is named with a slash, as ./mine.py"'
expect no_such_program 2 "binnacle: exec:./nothing: cannot be started: Failed to execute child process “./nothing” (No\
 such file or directory)" "$BINNACLE" run s.ini -q -o none.db --scheduler exec:./nothing
says_hello="exec:sh -c 'echo hello; cat'"
"$BINNACLE" run s.ini -q -o none.db --replace --scheduler "$says_hello" >out 2>err
holds no_hello grep -q "^binnacle: $says_hello: answers with what is no JSON (.*): hello$" err
expect ends_before_hello 2 "binnacle: exec:true: has ended with status 0" \
  "$BINNACLE" run s.ini -q -o none.db --replace --scheduler exec:true
refuses no_command "binnacle: --set 'schedulers.compare=exec:': schedulers.compare: 'exec:' is no command: Text was empty\
 (or contained only whitespace); write exec:./mine.py, say" "$BINNACLE" run s.ini -o never.db --scheduler exec:
"$BINNACLE" sweep s.ini --vary workload.jobs=3,30 --scheduler "exec:$child dies 9" -q -o kept.db >out 2>err
holds in_a_sweep_only_its_cell_fails [ "$(query kept.db "SELECT n_jobs FROM runs")" = 3 ]
holds and_is_named grep -q 'workload.jobs=30, seed 1 failed: .*has ended with status 3' err

# A child that neither reads nor ends is ended with the program.
"$BINNACLE" run s.ini -q -o deaf.db --scheduler "exec:$child deaf[timeout=300ms]" >out 2>err
sleep 1
holds no_child_is_left sh -c "! pgrep -f '$child dea[f]'"

finish
