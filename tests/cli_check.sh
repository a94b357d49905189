#!/bin/sh
# cli_check.sh: binnacle check and binnacle metrics on good, bad and broken files.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
make_again="cannot read it: database disk image is malformed; make it again if it is damaged"
for record in summary jobs tasks; do
  expect "run_at_$record" 0 "" "$BINNACLE" run "$BN_SRCDIR/traces/scenarios/paper.ini" --scheduler compass,jit \
    --set workload.jobs=200 --record $record -q -o $record.db
done

# ---- check ----
passes () {
  expect "check_passes_at_$1" 0 "" "$BINNACLE" check "$1.db"
  holds "check_counts_at_$1" grep -qx "$2 passed, 0 failed, $3 not checkable" out
}
passes summary 17 26
passes jobs 23 20
passes tasks 43 0

expect csv_has_a_row_a_rule 0 "" "$BINNACLE" check tasks.db --format csv
holds csv_has_every_rule sh -c 'test "$(wc -l <out)" -eq 44'
holds csv_header_names_columns grep -qx "rule,outcome,faults,text" out

# a file without worker times breaks rules 5 and 7, and says in which rows
"$BN_BUILDDIR/tests/make_example_results" example.db
expect a_failed_rule_is_status_1 1 "" "$BINNACLE" check example.db
holds a_failed_rule_is_named grep -q "^rule 5: " out
holds its_rows_are_shown grep -q "^  run 1: " out

head -c 20000 tasks.db >short.db
refuses truncated_file "binnacle: short.db: $make_again" "$BINNACLE" check short.db
cp tasks.db holed.db
size=$(wc -c <holed.db)
dd if=/dev/zero of=holed.db bs=4096 seek=$((size / 8192)) count=4 conv=notrunc 2>/dev/null
refuses damaged_page "binnacle: holed.db: pages are damaged or missing; make the file again" "$BINNACLE" check holed.db
echo "no database" >letter.db
refuses foreign_file \
  "binnacle: letter.db: not a results file; give one that binnacle run or compare has written" \
  "$BINNACLE" check letter.db
refuses missing_file \
  "binnacle: none.db: no such file; give a results file that binnacle run or compare has written" \
  "$BINNACLE" check none.db

# ---- metrics ----
expect metrics_of_every_run 0 "" "$BINNACLE" metrics summary.db --format csv
holds metrics_header grep -qx "run,variant,seed,metric,workflow,value,unit" out
holds metrics_of_both_runs sh -c 'grep -c ",latency_mean,,.*,ms$" out | grep -qx 2'
holds metrics_by_workflow grep -q "^2,jit,.*,slowdown_p99,translation,[0-9.]*,1$" out

expect windows 0 "" "$BINNACLE" metrics tasks.db --run 1 --by time=10s --format csv
holds windows_hold_every_job sh -c "awk -F, 'NR > 1 { c += \$3; d += \$4 } END { exit c != 200 || d != 200 }' out"
holds windows_have_hit_rates sh -c "awk -F, 'NR == 2 { exit !(\$10 > 0) }' out"
expect windows_without_tasks 0 "" "$BINNACLE" metrics jobs.db --run 1 --by time=10s --format csv
holds no_hit_rate_without_tasks sh -c "awk -F, 'NR > 1 && \$10 != \"\" { exit 1 }' out"

refuses windows_of_a_summary \
  "binnacle: summary.db: run 1 has no jobs recorded; run it again with --set scenario.record=jobs" \
  "$BINNACLE" metrics summary.db --run 1 --by time=1s
refuses by_something_else "binnacle: --by: 1s: not known; give time= and a duration, as time=1s" \
  "$BINNACLE" metrics tasks.db --by 1s
refuses windows_of_no_length "binnacle: --by: windows of no length; give a time as time=1s" \
  "$BINNACLE" metrics tasks.db --by time=0s

# ---- a file whose pages are gone wherever they are: one line, never a crash ----
pages=$((size / 4096))
page=1
while [ $page -lt $pages ]; do
  cp tasks.db holed.db
  dd if=/dev/zero of=holed.db bs=4096 seek=$page count=1 conv=notrunc 2>/dev/null
  for verb in compare check metrics; do
    status=0
    "$BINNACLE" $verb holed.db >out 2>err || status=$?
    if [ $status -gt 2 ] || { [ $status -eq 2 ] && [ "$(wc -l <err)" -ne 1 ]; }; then
      wrong "page_${page}_gone_in_$verb" "status $status" "$(cat err)"
    fi
  done
  page=$((page + 1 + pages / 12))
done
good no_missing_page_crashes_a_verb

# ---- export never writes over what it reads ----
cp tasks.db same.db
ln same.db other_name.db
for target in same.db ./same.db other_name.db; do
  refuses "export_onto_its_input_as_$target" \
    "binnacle: $target: is the results file that is read; name another file with -o" \
    "$BINNACLE" export jobs same.db --run 1 -o $target
done
holds the_input_is_as_it_was cmp tasks.db same.db
refuses no_such_format "$("$BINNACLE" check tasks.db --format xml 2>&1)" "$BINNACLE" metrics tasks.db --format xml
if [ -w /dev/full ]; then
  expect check_into_a_full_disk 2 "binnacle: cannot write the table: No space left on device" \
    sh -c '"$1" check tasks.db >/dev/full' sh "$BINNACLE"
fi
finish
