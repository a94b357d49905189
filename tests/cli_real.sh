#!/bin/sh
# cli_real.sh: a scenario really executed on the cpu backend, verified, replayed, calibrated, validated and drawn.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
BINNACLE_DATA_DIR=$(cd "$BN_SRCDIR" && pwd)
export BINNACLE_DATA_DIR
cd "$tmp" || exit 1

# Small, and at a load that any machine keeps up with.
small="--scale 0.0002x --set workload.jobs=12 --set workload.rate=60/s"

# shellcheck disable=SC2086
expect really_runs_and_verifies 0 "binnacle: compass, seed 1: 47 tasks verified, 0 wrong
binnacle: hash, seed 1: 47 tasks verified, 0 wrong" \
  "$BINNACLE" run cpu-demo $small --scheduler compass,hash --verify -q -o real.db
cp out table
holds a_real_run_is_labelled grep -q '^compass (cpu) ' table
holds it_keeps_all_rules "$BINNACLE" check real.db
holds it_records_tasks_unasked [ "$(query real.db "SELECT DISTINCT record FROM runs")" = tasks ]
holds every_task_has_its_digest [ "$(query real.db "SELECT COUNT (*) = SUM (digest_a IS NOT NULL) FROM tasks")" = 1 ]
holds its_loop_is_measured [ "$(query real.db "SELECT COUNT (*) FROM metrics WHERE name = 'loop_cpu_p99' AND value > 0")" = 2 ]
holds decisions_take_time [ "$(query real.db "SELECT MIN (decide_ns) >= 0 FROM decisions")" = 1 ]
holds nothing_is_proved_of_it [ "$(query real.db "SELECT COUNT (bound_jobs) FROM runs")" = 0 ]
holds workers_compute_the_same \
  [ "$(query real.db "SELECT COUNT (*) FROM tasks a JOIN tasks b ON b.run_id = 2 AND b.job_id = a.job_id AND
       b.task = a.task WHERE a.run_id = 1 AND abs (a.digest_a - b.digest_a) > 1e-3")" = 0 ]

expect is_replayed 0 "" "$BINNACLE" replay real.db --run 1 -o both.db
holds the_replay_has_the_same_jobs \
  [ "$(query both.db "SELECT COUNT (*) FROM jobs a JOIN jobs b USING (job_id, create_ns, workflow, ingress)
       WHERE a.run_id = 1 AND b.run_id = 2")" = 12 ]
holds the_replay_keeps_all_rules "$BINNACLE" check both.db
"$BINNACLE" compare both.db >table
holds a_mixed_file_labels_the_real_run grep -q '^compass (cpu) ' table
holds a_mixed_file_labels_the_simulated_run grep -q '^compass replayed (model) ' table
expect placements_are_replayed 0 "" "$BINNACLE" replay real.db --run 2 --placements --format csv
holds they_are_alike grep -q '^placed alike,%,,100,,$' out

# shellcheck disable=SC2086
expect is_calibrated 0 "" "$BINNACLE" calibrate --backend cpu --scale 0.0002x --repeats 2 -o p.ini
holds loads_are_fitted grep -q '^load  *[0-9]' out
holds tasks_are_measured grep -q '^translation/0 ' out
holds speeds_are_measured grep -q '^speed with 2 at once ' out
cat >unequal.ini <<EOF
[schedulers]
compare = compass
[servers large]
count = 1
gpu = thread
memory = 14GB
[servers small]
count = 1
gpu = thread
memory = 3GB
[backend]
name = cpu
[workload]
catalogue = $BINNACLE_DATA_DIR/traces/catalogue/paper.ini
scale = 0.0002x
rate = 60/s
jobs = 12
EOF
expect unequal_servers_are_calibrated 0 "" "$BINNACLE" calibrate unequal.ini --backend cpu --repeats 1 -o unequal.profile
holds on_those_with_room_for_every_model [ "$(grep -c '^speed with' out)" = 0 ]
# shellcheck disable=SC2086
expect a_profile_serves_a_simulation 0 "" "$BINNACLE" run cpu-demo $small --backend model --profile p.ini \
  --scheduler compass --no-bound -q -o model.db
holds it_takes_the_measured_loads \
  [ "$(query model.db "SELECT COUNT (*) FROM runs WHERE profile LIKE '%[task translation/0]%'")" = 1 ]
# shellcheck disable=SC2086
refuses a_profile_of_another_scale \
  "binnacle: p.ini: was measured at scale 0.0002x and the scenario has 0.005x; calibrate at the same scale" \
  "$BINNACLE" run cpu-demo --profile p.ini -q

"$BINNACLE" validate cpu-demo --scale 0.0002x --rounds 1000 -o none.db >out 2>err &
validation=$!
while kill -0 $validation && ! grep -q calibrates err; do
  sleep 0.05
done
kill -TERM $validation
wait $validation
holds an_interrupt_ends_a_calibration [ $? = 1 ]
holds it_says_what_was_made [ "$(tail -n 1 err)" = "binnacle: interrupted before the first run; no file was made" ]
holds it_leaves_no_file [ ! -e none.db ]

refuses a_profile_of_another_backend \
  "binnacle: p.ini: was measured of backend cpu and the run is on backend cuda; calibrate that one" \
  "$BINNACLE" run cpu-demo --backend cuda --scale 0.0002x --profile p.ini -q
"$BINNACLE" validate cpu-demo --scale 0.0002x --set workload.jobs=12 --set workload.load=0.02 --scheduler compass,hash \
  --repeats 2 --rounds 1 -q -o v.db >out 2>err
status=$?
found=$(awk '/ (missed|undefined) *$/ { found = 1 } /^order by/ && $5 != $16 { found = 1 }
             END { print found + 0 }' out)
holds its_status_is_what_was_found [ $status = "$found" ]
holds errors_are_told grep -q '^compass  *mean latency ' out
holds the_order_is_told grep -q '^order by mean latency: [0-9] of 1 pairs ' out
holds the_validation_keeps_all_rules "$BINNACLE" check v.db
holds every_real_run_has_its_replay [ "$(query v.db "SELECT COUNT (*) FROM runs s JOIN runs o ON o.run_id = s.replay_of
  WHERE o.backend = 'cpu' AND s.backend = 'model'")" = 4 ]
if command -v gnuplot >/dev/null; then
  expect pictures_are_drawn 0 "" "$BINNACLE" plot v.db -o pictures
  for name in validation gantt-both; do
    holds "draws $name" grep -q '</svg>' pictures/$name.svg
  done
  holds the_picture_has_both_sides grep -q ',observed,' pictures/validation.csv
  refuses no_replay_no_picture \
    "binnacle: real.db: validation: no run of it is the replay of another; binnacle replay and validate make such" \
    "$BINNACLE" plot real.db --only validation
fi

"$BINNACLE" list backends >backends
holds a_backend_that_can_be_used_is_told grep -qx "  usable here" backends
holds each_device_has_a_line grep -Eqx "  device: [^,]*[(][0-9.]*[a-zA-Z]*[)]" backends
refuses unknown_backend "binnacle: --set 'backend.name=quantum': name: 'quantum' is not one of $("$BINNACLE" list backends --format csv |
  sed 1d | cut -d, -f1 | paste -s -d'|')" "$BINNACLE" run cpu-demo --backend quantum
refuses nothing_to_verify_in_a_simulation "binnacle: $BINNACLE_DATA_DIR/traces/scenarios/demo.ini: backend.verify: backend\
 model computes nothing that could be verified; take another, or leave it off" "$BINNACLE" run demo --verify
refuses cells_side_by_side \
  "binnacle: sweep: -j: units that really execute would disturb each other; leave it out" \
  "$BINNACLE" sweep cpu-demo --vary servers.count=1,2 -j 2
refuses calibration_of_the_model \
  "binnacle: calibrate: backend model takes as long as it is told; give one that really executes" \
  "$BINNACLE" calibrate --backend model -o x.ini
refuses a_profile_is_not_replaced_unasked "binnacle: p.ini: exists already; name another file, or give --replace" \
  "$BINNACLE" calibrate --backend cpu -o p.ini
cp real.db other.db
echo "[servers]" >other.ini
for name in other.db other.ini; do
  refuses "$name: only a profile is replaced" "binnacle: $name: exists and is not a profile; name another file" \
    "$BINNACLE" calibrate --backend cpu -o $name --replace
done
holds what_is_no_profile_stays cmp real.db other.db
refuses a_folder_that_is_not_there "binnacle: none/p.ini: cannot write: No such file or directory; choose a place that can\
 be written and has room" "$BINNACLE" calibrate --backend cpu -o none/p.ini
expect an_old_profile_is_replaced 0 "" "$BINNACLE" calibrate --backend cpu --scale 0.0002x --repeats 1 -o p.ini --replace
refuses calibration_without_a_file "binnacle: calibrate: give the profile to write with -o FILE" \
  "$BINNACLE" calibrate --backend cpu
refuses validation_of_several_seeds \
  "binnacle: validate: repeats are of the same jobs, and the scenario has 2 seeds; give one, as --seed 4" \
  "$BINNACLE" validate cpu-demo --set scenario.seeds=4,7 -q -o x.db
refuses validation_of_the_model \
  "binnacle: validate: backend model is the simulation itself; give one that really executes, as --backend cpu" \
  "$BINNACLE" validate demo -q -o x.db
refuses validation_in_memory "binnacle: validate: -o: it reads back what it writes; name a file" \
  "$BINNACLE" validate cpu-demo -q -o :memory:
refuses validation_of_equal_schedulers \
  "binnacle: validate: a and b are the same scheduler with the same settings; leave one out" \
  "$BINNACLE" validate cpu-demo -q -o x.db --scheduler "a: hash, compass, b: hash"
refuses validation_with_a_profile "binnacle: validate: workload.profile: it measures one itself; leave it out" \
  "$BINNACLE" validate cpu-demo --scale 0.0002x --set workload.profile="$tmp/p.ini" -q -o x.db
mkdir x.profile.ini
refuses validation_without_a_place_for_its_profile \
  "binnacle: x.profile.ini: cannot write: Is a directory; choose a place that can be written and has room" \
  "$BINNACLE" validate cpu-demo -q -o x.db
echo "[servers]" >y.profile.ini
refuses validation_over_what_is_no_profile \
  "binnacle: y.profile.ini: exists and is not a profile; name another file" \
  "$BINNACLE" validate cpu-demo -q -o y.db --replace
refuses validation_over_a_profile_unasked \
  "binnacle: v.profile.ini: exists already; name another file, or give --replace" \
  "$BINNACLE" validate cpu-demo -q -o v.db
holds a_refused_validation_leaves_no_file [ ! -e x.db ]
cp v.db before.db
refuses the_model_is_no_reality \
  "binnacle: validate: backend model is the simulation itself; give one that really executes, as --backend cpu" \
  "$BINNACLE" validate cpu-demo --backend model -q -o v.db --replace
holds a_refused_validation_replaces_nothing cmp v.db before.db
finish
