#!/bin/sh
# cli_replay.sh: a simulated run replayed from its results file alone gives itself back; files that
# cannot be replayed are refused.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1

# Everything that a replay could lose: groups, slots, stated runtimes, deadlines, a mix, preloads, noise.
cat >c.ini <<EOF
[model a]
size = 3GB
runtime@a10 = 33ms
layers = lstm
weights-seed = 5
[model b]
size = 6GB
[workflow x]
deadline = 3x
[task x/first]
model = a
input = 1kB
output = 2MB
runtime = 50ms
[task x/second]
model = b
after = first
input = 0
output = 1B
runtime = 70ms
[workflow y]
deadline = 0.25s
[task y/9]
input = 1B
output = 1B
runtime = 30ms
EOF
cat >s.ini <<EOF
[servers a]
count = 2
devices = 2
gpu = a10
[servers b]
speed = 2x
slots = 2
[workload]
catalogue = c.ini
mix = x:3 y:1
rate = 40/s
jobs = 80
noise = lognormal
noise-cv = 0.5
profile-error = 1.5
[scenario]
record = tasks
seeds = 7
preload = a@0 b@*
warmup = 50ms
[schedulers]
compare = compass, sparrow, pull, mine: late[overlap=bypass,proactive=on]
EOF
holds records "$BINNACLE" run s.ini -q -o s.db
rm c.ini s.ini

# differ COLUMNS TABLE DATABASE: rows of the two runs that are not the same.
differ () {
  query "$3" "SELECT COUNT (*) FROM (SELECT $1 FROM $2 WHERE run_id = 1 EXCEPT SELECT $1 FROM $2 WHERE run_id = 2)"
}

for run in 1 2 3 4; do
  expect "run_$run: replays" 0 "" "$BINNACLE" replay s.db --run $run -o "r$run.db"
  holds "run_$run: has tasks" [ "$(query "r$run.db" "SELECT COUNT (*) FROM tasks WHERE run_id = 2")" -gt 100 ]
  for table in "tasks:job_id, task, worker, planned_worker, access, start_ns, exec_ns, end_ns, factor" \
    "jobs:job_id, workflow, ingress, create_ns, arrive_ns, end_ns, lower_bound_ns, deadline_ns, state" \
    "cache_events:worker, kind, model, start_ns, end_ns" "models:name, size_bytes, layers, weights_seed" \
    "metrics:name, scope, value" "gpu_types:gpu_type, name, server_group, memory_bytes, slots, speed_ppm"; do
    holds "run_$run: gives ${table%%:*} back" [ "$(differ "${table#*:}" "${table%%:*}" "r$run.db")" = 0 ]
  done
  holds "run_$run: says whose jobs it has" \
    [ "$(query "r$run.db" "SELECT replay_of FROM runs ORDER BY run_id" | tr '\n' ' ')" = " 1 " ]
  holds "run_$run: keeps all rules" "$BINNACLE" check "r$run.db"
done
expect with_its_placements 0 "" "$BINNACLE" replay s.db --run 1 --placements --format csv
holds are_all_alike grep -q '^placed alike,%,,100,,$' out
holds its_latency_is_the_same grep -Eq '^mean latency,ms,([0-9.]+),\1,0,%$' out

cp s.db failed.db
query --write failed.db "UPDATE jobs SET state = 'failed' WHERE run_id = 1 AND job_id IN (3, 4)"
expect jobs_done_on_one_side_only_are_told 0 \
  "binnacle: the two are not of the same jobs: 78 were done as observed, 80 as simulated, 78 of them in both" \
  "$BINNACLE" replay failed.db --run 1

expect messages_and_waits_are_not_placements 0 "binnacle: pull as placed: not repeated with the placements: waits in\
 the pool; times differ by that" "$BINNACLE" replay s.db --run 3 --placements
expect nor_are_late_bindings 0 "binnacle: sparrow as placed: not repeated with the placements: messages between\
 workers; times differ by that" "$BINNACLE" replay s.db --run 2 --placements
"$BINNACLE" run demo --record tasks --set workload.jobs=20 --no-bound -q -o cost.db \
  --scheduler "slow: compass[decision-cost=1ms],far: hash[central]" >/dev/null
expect nor_is_the_time_of_decisions 0 "binnacle: slow as placed: not repeated with the placements: the time of\
 decisions; times differ by that" "$BINNACLE" replay cost.db --run 1 --placements
expect nor_is_a_far_observer 0 "binnacle: far as placed: not repeated with the placements: messages between workers;\
 times differ by that" "$BINNACLE" replay cost.db --run 2 --placements

"$BINNACLE" run demo --set workload.jobs=5 --scheduler jit --record jobs -q -o jobs.db >/dev/null
refuses tasks_are_needed \
  "binnacle: jobs.db: run 1 has no tasks recorded; run it again with --set scenario.record=tasks" \
  "$BINNACLE" replay jobs.db
refuses a_run_must_be_chosen "binnacle: s.db: holds 4 runs; choose one with --run N: 1 compass seed 7, 2 sparrow seed 7,\
 3 pull seed 7, 4 mine seed 7" "$BINNACLE" replay s.db
refuses a_run_must_be_there "binnacle: s.db: has no run 9; it holds 1 compass seed 7, 2 sparrow seed 7, 3 pull seed 7,\
 4 mine seed 7" "$BINNACLE" replay s.db --run 9
refuses a_file_must_be_there \
  "binnacle: none.db: no such file; give a results file that binnacle run or compare has written" \
  "$BINNACLE" replay none.db
echo "[profile]" >p.ini
refuses a_bad_profile "binnacle: p.ini:1: [profile] lacks the key 'backend'; make the profile with binnacle calibrate" \
  "$BINNACLE" replay s.db --run 1 --profile p.ini
refuses results_are_not_replaced_unasked "binnacle: r1.db: exists already; name another file, or give --replace" \
  "$BINNACLE" replay s.db --run 1 -o r1.db
cp s.db kept.db
ln kept.db linked.db
for name in kept linked; do
  refuses "$name: the file that is replayed is not replaced" \
    "binnacle: replay: $name.db is the file that is replayed; write the results into another" \
    "$BINNACLE" replay kept.db --run 1 -o "$name.db" --replace
done
holds what_is_replayed_is_as_it_was cmp s.db kept.db

# damage NAME SQL MESSAGE: a copy in which something is missing is refused.
damage () {
  cp s.db damaged.db
  "$BN_BUILDDIR/tests/query_results" --write damaged.db "$2"
  refuses "$1" "binnacle: damaged.db: $3" "$BINNACLE" replay damaged.db --run 1
}
cp r1.db before.db
"$BN_BUILDDIR/tests/query_results" --write kept.db "DELETE FROM networks"
for output in r1 new; do
  refuses "$output: not made by a replay that cannot be" \
    "binnacle: kept.db: run 1 does not say what cluster it had; make the file again" \
    "$BINNACLE" replay kept.db --run 1 -o "$output.db" --replace
done
holds what_was_there_stays cmp r1.db before.db
holds nothing_new_is_there [ ! -e new.db ]

damage without_its_network "DELETE FROM networks" "run 1 does not say what cluster it had; make the file again"
damage without_a_server_s_rate "UPDATE gpu_types SET pcie_bytes_per_s = 0" \
  "run 1 does not say what cluster it had; make the file again"
for change in "slots = 0" "slots = 1025" "slots = 4294967297" "memory_bytes = 0" "speed_ppm = 0" \
  "pcie_latency_ns = -1" "idle_watts = -1" "active_watts = 1e308" "price_per_hour = -1"; do
  damage "of_a_gpu: $change" "UPDATE gpu_types SET $change" \
    "run 1 does not say what cluster it had; make the file again"
done
for change in "latency_ns = -1" "bytes_per_s = 0" "small_limit_bytes = -1" "ramp_limit_bytes = 1000001"; do
  damage "of_the_network: $change" "UPDATE networks SET $change" \
    "run 1 does not say what cluster it had; make the file again"
done
for change in "device = 4294967295" "device = 5" "server = 5"; do
  damage "of_a_worker: $change" "UPDATE workers SET $change WHERE worker = 1" \
    "run 1 does not say what cluster it had; make the file again"
done
for change in "models SET size_bytes = -1" "models SET size_bytes = 0" "models SET model = model + 10" \
  "model_runtimes SET runtime_ns = -1" "workflows SET deadline_ns = -1" "workflow_tasks SET input_bytes = -1" \
  "workflow_tasks SET output_bytes = -1" "workflow_tasks SET work_ns = -1" "workflow_tasks SET runtime_ns = -1"; do
  damage "of_the_catalogue: $change" "UPDATE $change" \
    "run 1 does not say what models and workflows it had; make the file again"
done
for change in "ingress = 4294967297" "ingress = -4" "ingress = 99" "workflow = 4294967296" "workflow = 77" \
  "create_ns = 9223372036854775807"; do
  damage "of_the_last_job: $change" "UPDATE jobs SET $change WHERE job_id = 79" \
    "run 1 does not hold its jobs from the first one on, in order; check the file with binnacle check"
done
for change in "tasks SET worker = -5" "tasks SET worker = -1" "tasks SET worker = 6" "tasks SET worker = 4294967297" \
  "tasks SET task = 9 WHERE task = 0" "cache_events SET model = -1 WHERE kind = 'preload'" \
  "cache_events SET worker = 77 WHERE kind = 'preload' AND worker = 1"; do
  damage "of_places: $change" "UPDATE $change" "run 1 has tasks or models where there are none; make the file again"
done
for change in "seed = 'abc'" "warmup_ns = -1"; do
  damage "of_the_run: $change" "UPDATE runs SET $change" \
    "run 1 does not say what seed and warm-up it had; make the file again"
done
damage stopped_before_its_end "UPDATE runs SET state = 'interrupted', n_unfinished = 3" \
  "run 1 was stopped with 3 jobs unfinished, which a simulation would finish: the two cannot be compared; run it again\
 to its end"
damage without_a_job "DELETE FROM jobs WHERE job_id = 3" \
  "run 1 does not hold its jobs from the first one on, in order; check the file with binnacle check"
damage of_an_unknown_scheduler "UPDATE runs SET scheduler = 'compas'" \
  "run 1: 'compas' is not a scheduler (did you mean 'compass'?); there are compass, jit, late, heft, hash, random,\
 round-robin, least-loaded, po2, sparrow, pull, late-min, late-overlap"
damage without_workflows "DELETE FROM workflows; DELETE FROM workflow_tasks" \
  "holds no workflow; add a section [workflow NAME]"
finish
