#!/bin/sh
# run_bad_input.sh: scenarios, options and traces that are no good, each with its
# message, and nothing left behind.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317,SC2012
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
mkdir made
cp "$BN_SRCDIR/traces/catalogue/paper.ini" catalogue.ini
cat >good.ini <<'END'
[scenario]
record = tasks
[servers]
count = 3
memory = 14GB
[schedulers]
compare = compass, jit
[workload]
catalogue = catalogue.ini
arrivals = poisson
rate = 2/s
jobs = 300
END
expect good_scenario 0 "" "$BINNACLE" run good.ini -o made/good.db -q
rm -f made/good.db

# bad NAME STDERR ARGUMENTS...: run refuses these, and makes nothing
bad () {
  bad_name=$1
  bad_error=$2
  shift 2
  refuses "$bad_name" "binnacle: $bad_error" "$BINNACLE" run "$@" -o made/x.db
  holds "$bad_name: leaves nothing" [ -z "$(ls -A made)" ]
  rm -rf made
  mkdir made
}

export BINNACLE_DATA_DIR=/none
bad missing_scenario "none.ini: no such file, and no scenario of that name in /none/traces/scenarios; name a scenario file" \
  none.ini
bad folder_as_scenario ".: cannot be read: Is a directory; name a readable file" .
: >empty.ini
bad empty_scenario "empty.ini: has no servers; add a section [servers] with count = 5, say" empty.ini
printf '\001\002\377\376\n' >junk.ini
bad binary_scenario "junk.ini:1: the line is not UTF-8 text; save the file as UTF-8" junk.ini
head -c 100000000 /dev/zero | tr '\0' x >long.ini
bad line_of_100_MB "long.ini:1: the line is longer than 1 MiB; is this a key file?" long.ini
rm long.ini

bad unknown_key "--set 'servers.cuont=3': 'cuont' is not a key of [servers] (did you mean 'count'?); it knows count,\
 devices, gpu, memory, speed, slots, pcie, pcie-latency, idle-watts, active-watts, price" \
  good.ini --set servers.cuont=3
bad override_without_a_value "--set 'nonsense': is not section.key=value, such as workload.rate=4/s" \
  good.ini --set nonsense
bad size_without_a_unit "--set 'servers.memory=14': memory: '14' has no unit: a size needs one of the units B kB MB GB\
 TB KiB MiB GiB TiB, for example 14GB" good.ini --set servers.memory=14
bad negative_size "--set 'servers.memory=-1GB': memory: '-1GB' is negative: a size must not be, for example 14GB" \
  good.ini --set servers.memory=-1GB
bad rate_that_is_not_a_number "--set 'workload.rate=nan/s': rate: 'nan/s' is not a frequency: it must begin with a\
 decimal number, for example 2/s" good.ini --set workload.rate=nan/s
bad unknown_scheduler "--set 'schedulers.compare=compas': schedulers.compare: 'compas' is not a scheduler (did you mean\
 'compass'?); there are compass, jit, late, heft, hash, random, round-robin, least-loaded, po2, sparrow, pull,\
 late-min, late-overlap" \
  good.ini --scheduler compas
bad model_larger_than_every_gpu "catalogue.ini:10: model 'OPT' (5.72GB) is larger than every GPU (1GB) and used by\
 [task translation/0]; give a server group more memory" good.ini --set servers.memory=1GB

trace () {
  trace_name=$1
  trace_error=$2
  bad "$trace_name" "$trace_error" good.ini --set workload.arrivals=trace --set workload.trace=t.csv \
    --set workload.time-column=time --set workload.time-unit=ms
}

trace missing_trace "t.csv: cannot be opened: No such file or directory; check the path"
printf 'time,workflow\n' >t.csv
trace empty_trace "t.csv: holds no arrivals, only a header; name a trace with at least one row"
printf 'time\n5\n3\n' >t.csv
trace unsorted_trace "t.csv:3: time: is earlier than the row before; sort the trace by time"
printf 'time\n5\nnan\n' >t.csv
trace trace_with_nan "t.csv:3: time: 'nan' is not a plain decimal number, for example 1.5"
{ printf 'time\n5\n'; head -c 100000000 /dev/zero | tr '\0' 1; } >t.csv
trace trace_with_a_line_of_100_MB "t.csv:3: the line is longer than 1 MiB; is this a CSV file?"
rm t.csv

bad run_that_ends_before_its_first_job \
  "no job comes before the time where jobs end; set a later until or a higher rate" good.ini --set workload.until=1ns
bad jobs_beyond_the_clock \
  "job 4 would come after 146 years; set fewer jobs, an until or a higher rate" good.ini --set workload.rate=1e-9/s \
  --set workload.arrivals=uniform -q
bad load_that_takes_years "--set 'servers.pcie=1B/s': servers.pcie: loading model OPT (5.72GB) would take more than a\
 day; check pcie, pcie-latency and that size" good.ini --set servers.pcie=1B/s

room="name a file in a folder that can be written and has room"
refuses results_below_a_file \
  "binnacle: good.ini/x.db: cannot write results: Not a directory; $room" "$BINNACLE" run good.ini -o good.ini/x.db
refuses results_in_no_folder \
  "binnacle: none/x.db: cannot write results: No such file or directory; $room" "$BINNACLE" run good.ini -o none/x.db
echo mine >made/other
refuses results_over_a_foreign_file "binnacle: made/other: exists and is not a results file; name another file" \
  "$BINNACLE" run good.ini -o made/other --replace
holds foreign_file_is_untouched [ "$(cat made/other)" = mine ]
rm made/other

for when in 20 40 200; do
  status=0
  (ulimit -f $when; exec "$BINNACLE" run good.ini -o made/x.db -q) >"$tmp/out" 2>"$tmp/err" || status=$?
  holds "full_disk_after_$when: status 2" [ $status -eq 2 ]
  holds "full_disk_after_$when: one line says so" \
    [ "$(cat "$tmp/err")" = "binnacle: made/x.db: cannot write results: disk I/O error; $room" ]
done
holds full_disk_leaves_no_half_file [ -z "$(ls -A made)" ]

full () {
  "$@" >/dev/full
}
refuses table_that_cannot_be_printed "binnacle: cannot write the table: No space left on device" \
  full "$BINNACLE" run good.ini -o made/y.db -q
finish
