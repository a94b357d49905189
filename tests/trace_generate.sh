#!/bin/sh
# trace_generate.sh: made traces bring the jobs that a scenario with the same keys creates, and made workflows run.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1

# made NAME ARGUMENT...: makes NAME.csv; what it says of it goes to NAME.err.
made () {
  made_name=$1
  shift
  if "$BINNACLE" trace generate "$@" -o "$made_name.csv" 2>"$made_name.err"; then
    good "makes_$made_name"
  else
    wrong "makes_$made_name" "$(cat "$made_name.err")"
  fi
}

# next_of NAME [ARGUMENT...]: runs the command that it names, with more arguments.
next_of () {
  next_name=$1
  shift
  next_command=$(sed -n 's/^binnacle: next: binnacle //p' "$next_name.err")
  eval "\"\$BINNACLE\" $next_command \"\$@\""
}

jobs_in () {
  query "$1.db" "SELECT job_id, name, create_ns, ingress FROM jobs JOIN workflows USING (run_id, workflow) ORDER BY job_id"
}

# ---- the same jobs as a run ----

# same NAME KEY=VALUE...: a run of demo with these keys and one of the trace made by them have the same jobs.
same () {
  same_name=$1
  shift
  made "$same_name" --seed 7 "$@"
  next_of "$same_name" -q --scheduler hash --record jobs -o "$same_name.db" >/dev/null 2>&1
  for same_key; do
    set -- "$@" --set "workload.$same_key"
    shift
  done
  "$BINNACLE" run demo -q --seed 7 --scheduler hash --record jobs "$@" -o direct.db >/dev/null 2>&1
  jobs_in "$same_name" >by_trace
  jobs_in direct >by_process
  holds "same_jobs_$same_name" cmp by_trace by_process
  holds "as_many_rows_$same_name" [ "$(wc -l <by_trace)" -eq $(($(wc -l <"$same_name.csv") - 1)) ]
  rm direct.db
}

same poisson
same uniform arrivals=uniform rate=90/min jobs=40
same gamma arrivals=gamma cv=4 jobs=500 mix=translation:3,img_to_sound:1
same onoff arrivals=onoff on=3s off=20s load=0.5 jobs=3000 'mix=zipf(1.1)'
same correlated arrivals=correlated cv=2 autocorrelation=0.1 autocorr-decay=0.7 jobs=500
same diurnal rate-shape=diurnal shape-period=1min shape-amplitude=0.9 jobs=300
same spikes arrivals=gamma rate-shape=spike spike-at=5s spike-length=2s spike-every=20s jobs=300
same faster speed=2.5 jobs=100
same until until=20s jobs=0
awk 'BEGIN { print "arrival_ms,size"; for (i = 0; i < 90; i++) printf "%d.25,%d\n", i * i * 7, i * 37 % 900 }' >public.csv
same rows arrivals=trace trace=public.csv workflow-column=size 'workflow-map=<=300:translation,*:img_to_sound' time-scale=0.1
same resampled arrivals=trace trace=public.csv trace-resample=blocks load=0.3

# what a trace brings of runtimes and ingress comes with it
made told arrivals=trace trace=public.csv 'runtime-factor=0.5 + 0.001 * size' --ingress --seed 3
holds told_columns [ "$(head -1 told.csv)" = arrival_ms,workflow,ingress,runtime_factor ]
next_of told -q --scheduler hash --record tasks -o told.db >/dev/null 2>&1
query told.db "SELECT DISTINCT job_id, round (factor * 1e9), ingress FROM tasks JOIN jobs USING (run_id, job_id) ORDER BY 1" >there
awk -F, 'NR > 1 { printf "%d|%.1f|%d\n", NR - 2, $4 * 1e9, $3 }' told.csv >expected
holds told_factors_and_ingresses cmp there expected

# ---- the file ----

"$BINNACLE" trace generate jobs=200 >one 2>one.err
"$BINNACLE" trace generate jobs=200 --seed 1 >again 2>/dev/null
"$BINNACLE" trace generate jobs=200 --seed 2 >other 2>/dev/null
holds same_seed_same_bytes cmp one again
holds other_seed_other_times sh -c "! cmp -s one other"
holds times_are_to_the_nanosecond sh -c "sed 1d one | grep -c '^[0-9]*\.[0-9]\{6\},[A-Za-z_]*$' | grep -qx 200"
holds it_says_how_it_was_made [ "$(sed 1d one.err)" = "binnacle: made by: binnacle trace generate jobs=200" ]
expect it_is_read 0 "" "$BINNACLE" trace info one
holds it_is_of_format_binnacle grep -qw binnacle out
holds all_rows_are_read grep -qw 200 out
"$BINNACLE" trace convert one 2>/dev/null | cut -d, -f1,3 >converted
holds conversion_keeps_it cmp one converted
holds making_is_beside_it grep -qx 'made by: binnacle trace generate --seed 7 arrivals=uniform rate=90/min jobs=40 -o uniform.csv' \
  uniform.csv.txt
holds keys_are_beside_it grep -qx 'workload.rate = 1.5/s' uniform.csv.txt
made wider load=0.5 servers.count=8 jobs=3
holds keys_of_the_cluster_go_with_it grep -q -- ' --set servers.count=8 ' wider.err
made 'a b:c' jobs=3
holds odd_names_run next_of 'a b:c' -q --scheduler hash -o odd.db
rm -f ./*.db

# ---- limits ----

count () {
  "$BINNACLE" trace generate "$@" 2>/dev/null | sed 1d | wc -l
}
holds jobs_end_it [ "$(count jobs=7)" -eq 7 ]
holds one_job_is_enough [ "$(count jobs=1)" -eq 1 ]
holds until_takes_the_place_of_jobs [ "$(count arrivals=uniform rate=100/s until=50s)" -eq 4999 ]
holds both_count [ "$(count arrivals=uniform rate=100/s until=50s jobs=9)" -eq 9 ]
for jobs in 1000 300000; do
  "$BN_BUILDDIR/tests/peak_memory" kb "$BINNACLE" trace generate jobs=$jobs >/dev/null 2>&1
  mv kb kb.$jobs
done
holds memory_is_flat [ $(($(cat kb.300000) - $(cat kb.1000))) -lt 1000 ]

# the i-th of four workflows comes with probability i^-1.1 / sum: 16.3 is exceeded once in 1000 times
"$BINNACLE" trace generate jobs=20000 'mix=zipf(1.1)' 2>/dev/null | awk -F, -v order="$(sed -n 's/^\[workflow \(.*\)\]/\1/p' \
  "$BN_SRCDIR/traces/catalogue/paper.ini" | paste -sd' ')" 'NR > 1 { n[$2]++ } END { k = split(order, names, " ")
  for (i = 1; i <= k; i++) sum += i ^ -1.1
  for (i = 1; i <= k; i++) { e = 20000 * i ^ -1.1 / sum; chi += (n[names[i]] - e) ^ 2 / e }
  print k, (chi < 16.3), (n[names[1]] > n[names[4]]) }' >zipf
holds workflows_are_as_popular_as_zipf_says [ "$(cat zipf)" = "4 1 1" ]

# ---- workflows ----

for shape in layered fork-join chain tree 'tree --in'; do
  name=$(echo "$shape" | tr -d ' ')
  # shellcheck disable=SC2086
  made "$name" --dag $shape --tasks 7 --workflows 4 --catalogue "$name.ini" load=0.6 jobs=12
  holds "catalogue_says_how_it_was_made_$name" grep -qx "# Made by: binnacle trace generate --dag $shape --tasks 7\
 --workflows 4 --catalogue $name.ini load=0.6 jobs=12 -o $name.csv" "$name.ini"
  holds "tasks_are_as_many_as_asked_for_$name" [ "$(grep -c '^\[task ' "$name.ini")" -eq 28 ]
  next_of "$name" -q --set schedulers.compare=all -o "$name.db" >/dev/null 2>&1
  holds "all_schedulers_are_sound_$name" "$BINNACLE" check "$name.db"
done
holds one_level_is_wide [ "$("$BINNACLE" trace generate --dag layered --depth 1 --width 3 --workflows 1 --catalogue flat.ini \
  jobs=1 2>/dev/null | wc -l) $(grep -c '^after' flat.ini)" = "2 0" ]
made single --dag layered --tasks 1 --workflows 1 --models 0 --catalogue single.ini jobs=2 \
  --runtime 3ms --output-size 5kB
holds single_task [ "$(sed 1d single.ini | paste -sd' ')" = \
  " [workflow w1]  [task w1/1] model = none input = 5kB output = 5kB runtime = 3ms" ]
made popular --dag chain --tasks 200 --workflows 100 --models 5 --model-popularity 2 --model-size 1GB:cv=0.1 \
  --catalogue popular.ini jobs=20 rate=0.1/s 'mix=zipf(1)'
holds models_are_as_popular_as_asked_for [ "$(grep '^model = ' popular.ini | sort | uniq -c | awk '{ n[substr($4, 2)] = $1 } END { for (i = 1; i <= 5; i++) s += i ^ -2
  for (i = 1; i <= 5; i++) { e = 20000 * i ^ -2 / s; chi += (n[i] - e) ^ 2 / e }; print (chi < 18.5) }')" = 1 ]
next_of popular -q --set schedulers.compare=all -o popular.db >/dev/null 2>&1
holds hundred_workflows_are_sound "$BINNACLE" check popular.db
made large --dag layered --tasks 1000 --width 50 --workflows 2 --edges 0.05 --catalogue large.ini jobs=3 load=0.6
next_of large -q --set schedulers.compare=all -o large.db >/dev/null 2>&1
holds thousand_tasks_are_sound "$BINNACLE" check large.db
rm -f ./*.db

flows () {
  rm -f f.ini
  "$BINNACLE" trace generate --dag layered --tasks 20 --workflows 6 --catalogue f.ini jobs=1 "$@" >/dev/null 2>&1
  sed 1d f.ini
}
flows >one
flows >again
flows --seed 2 >other
flows --runtime 1s >runtimes
flows --workflows 9 | head -n "$(wc -l <one)" >nine
holds same_seed_same_workflows cmp one again
holds other_seed_other_workflows sh -c "! cmp -s one other"
holds runtimes_are_drawn_apart sh -c "sed 's/^runtime = .*/runtime = 1s/' one | cmp - runtimes"
holds more_workflows_begin_alike cmp one nine

# ---- what is refused ----

# refused NAME MESSAGE ARGUMENT...: and leaves no file.
refused () {
  refused_name=$1
  refused_message=$2
  shift 2
  rm -f f.ini x.csv x.csv.txt
  refuses "$refused_name" "binnacle: $refused_message" "$BINNACLE" trace generate "$@"
  holds "$refused_name: leaves nothing" [ -z "$(ls f.ini* x.csv* 2>/dev/null)" ]
}
dag="--catalogue f.ini -o x.csv --dag"
refused bad_value "rate=x: rate: 'x' is not a frequency: it must begin with a decimal number, for example 2/s" rate=x -o x.csv
refused values_that_do_not_fit "jobs=0: workload.jobs: arrivals would never end; set jobs = 1000, say, or until = 10min" \
  jobs=0 -o x.csv
refused no_key "'rate': is not KEY=VALUE, such as rate=4/s; binnacle list keys has the keys" rate
refused seed_as_a_key "'seed=3': give the seed as --seed N" seed=3
refused negative_seed "--seed -1: a seed is 0 or more" --seed -1
refused runtimes "'noise=gamma': is of runtimes, which a trace of arrivals does not have; give it to the run" noise=gamma
refused no_job "no job comes before the time where jobs end; set a later until or a higher rate" until=1us -o x.csv
refused trace_without_a_file "$BN_SRCDIR/traces/scenarios/demo.ini: workload.trace: names no file; give the CSV of the arrivals" \
  arrivals=trace
refused no_law "mix=zipf(x): workload.mix: 'zipf(x)' is no law of popularity; write zipf(S) alone, with S from 0 to 10, as\
 zipf(1.1)" 'mix=zipf(x)'
refused no_shape "--workflows, --tasks and what else says how workflows are need --dag, as --dag layered" --tasks 5
refused catalogue_alone "--catalogue f.ini: is where --dag writes workflows; one that is there is named by catalogue=FILE" \
  --catalogue f.ini
refused shape_alone "--dag chain: add --catalogue FILE, where the workflows go" --dag chain
refused blank_in_a_catalogue "--catalogue 'f g': scenarios name catalogues between blanks; give a name without" \
  --dag chain --catalogue 'f g'
# shellcheck disable=SC2086
{
  refused unknown_shape "--dag layerd: give layered, fork-join, chain or tree (did you mean 'layered'?)" $dag layerd
  refused sizes_that_do_not_fit "60 tasks do not fit: a layered DAG of depth 10, width 5 has 14 to 50" \
    $dag layered --tasks 60 --width 5 --depth 10
  refused no_tasks "--tasks 0: give a number from 1 to 1048576" $dag chain --tasks 0
  refused too_wide "--width 100001: give a number from 1 to 100000" $dag layered --width 100001
  refused edges_are_a_share "--edges: give a number from 0 to 1" $dag layered --edges 2
  refused tree_only "--in: is for --dag tree" $dag chain --in
  refused unary_tree "--arity 1: give a number from 2 to 100000" $dag tree --arity 1
  refused no_unit "--runtime: '3' has no unit: a duration needs one of the units ns us ms s min h, for example 10ms" \
    $dag chain --runtime 3
  refused range_that_falls "--runtime: '2s..1s': a range begins above 0 and runs upwards" $dag chain --runtime 2s..1s
  refused model_of_no_gpu "f.ini:4: model 'm1' (20GB) is larger than every GPU (14GB) and used by [task w1/1]; give a\
 server group more memory" $dag chain --model-size 20GB
  refused catalogue_too_large "a catalogue of 64 MiB, the most, holds 7 of the 1000 workflows; ask for fewer, or for fewer\
 tasks and edges" $dag chain --workflows 1000 --tasks 100000
  refused workflow_of_another_catalogue "mix=translation: workload.mix: 'translation' is not a workflow of the catalogue;\
 write WORKFLOW:WEIGHT" $dag chain mix=translation
  refused catalogue_twice "catalogue: --dag makes it; leave this key out" $dag chain catalogue=single.ini
}
refused one_file_by_two_paths "--catalogue and --output: ./f.ini would hold the trace alone; name two files" \
  --dag chain --catalogue ./f.ini -o f.ini
refused the_file_beside_it "--catalogue and --output: f.csv.txt would hold the trace alone; name two files" \
  --dag chain --catalogue f.csv.txt -o f.csv
refused no_catalogue_on_standard_output \
  "--catalogue -: scenarios read catalogues from files; give the name of one" --dag chain --catalogue -
refused one_file_for_both "--catalogue and --output: f.ini would hold the trace alone; name two files" \
  --dag chain --catalogue f.ini -o f.ini
refuses catalogue_is_not_overwritten "binnacle: --catalogue single.ini: exists already; name another file" \
  "$BINNACLE" trace generate --dag chain --catalogue single.ini
place="choose a place that can be written and has room"
refuses full_disk "binnacle: /dev/full: cannot write: No space left on device; $place" \
  "$BINNACLE" trace generate jobs=100000 -o /dev/full
refuses full_disk_for_workflows "binnacle: /dev/full: cannot write: No space left on device; $place" \
  sh -c 'rm -f f.ini; "$BINNACLE" trace generate --dag chain --catalogue f.ini -o /dev/full'
holds workflows_go_with_their_trace [ ! -e f.ini ]
refuses closed_standard_output "binnacle: standard output: cannot write: Bad file descriptor; $place" \
  sh -c '"$BINNACLE" trace generate jobs=9 >&-'
holds a_reader_may_leave sh -c '"$BINNACLE" trace generate jobs=300000 2>err | head -1 >/dev/null; [ ! -s err ]'
finish
