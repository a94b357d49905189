#!/bin/sh
# cli_statistics.sh: intervals, differences, precision and resampled traces, on the command line.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
cat >small.ini <<'END'
[scenario]
record = summary
seeds = 1 2 3
[schedulers]
compare = compass, late
[servers]
count = 3
memory = 14GB
[workload]
load = 0.5
jobs = 150
END
sed "s#^load#catalogue = $BN_SRCDIR/traces/catalogue/paper.ini\nload#" small.ini >s.ini

# ---- the table and what stands below it ----

expect comparison 0 "" "$BINNACLE" compare s.ini -q -o three.db
holds means_have_intervals grep -q '^scheduler .* latency  ± 95 %' out
holds difference_is_said grep -q '^  late  *latency [0-9.]* % ± [0-9.]* % below' out
holds short_runs_are_said grep -q '^Short: 150 jobs at load 0.50; a steady state over seeds needs [0-9]* or more' out
expect base 0 "" "$BINNACLE" compare three.db --base late
holds base_is_compared_with grep -q '^Against late, on the same jobs' out
holds other_is_above grep -q '^  compass  *latency [0-9.]* % ± [0-9.]* % above' out
expect csv 0 "" "$BINNACLE" compare three.db --format csv
holds csv_is_the_table_alone [ "$(wc -l <out)" -eq 4 ]
for column in latency_mean_95_ms latency_p99_95_ms hit_rate_95_pct gap_95 latency_mean_vs_base_pct \
  slowdown_mean_vs_base_95_pct; do
  holds "csv_has_$column" sh -c "head -1 out | tr , '\n' | grep -qx $column"
done
by_hand=$(query three.db "SELECT printf ('%.9f', 100 * (SUM (l.value) / SUM (c.value) - 1)) FROM metrics c
  JOIN runs a ON a.run_id = c.run_id JOIN runs b ON b.seed = a.seed AND b.variant = 'late'
  JOIN metrics l ON l.run_id = b.run_id AND l.name = c.name AND l.scope = '' WHERE a.variant = 'compass'
  AND c.name = 'latency_mean' AND c.scope = ''")
holds difference_is_that_of_the_means [ "$(awk -F, 'NR == 1 { for (c = 1; $c != "latency_mean_vs_base_pct"; c++); }
  $1 == "late" { printf "%.9f", $c }' out)" = "$by_hand" ]
expect one_seed 0 "" "$BINNACLE" compare s.ini -q -o one.db --seed 1
holds one_seed_has_no_interval grep -q '^One seed: no interval over seeds' out
holds one_seed_has_no_difference sh -c '! grep -q Against out'
expect one_seed_in_batches 0 "" "$BINNACLE" compare s.ini -q -o batches.db --seed 1 --record jobs \
  --set workload.jobs=2000
holds one_run_has_batches grep -q '± batch' out
expect cells 0 "" "$BINNACLE" sweep s.ini --vary servers.count=3,4 -q -o cells.db
holds cells_have_a_column_of_differences grep -q ' vs base  ± 95 %' out
holds cells_name_the_base grep -qx 'vs base: mean latency against compass, on the same jobs' out

expect cells_to_another_base 0 "" "$BINNACLE" sweep s.ini --vary servers.count=3,4 --base late -q -o cells.db
holds cells_name_that_base grep -qx 'vs base: mean latency against late, on the same jobs' out
refuses base_that_is_not_swept "binnacle: --base jit: not among the schedulers to run; there are compass, late" \
  "$BINNACLE" sweep s.ini --base jit -o never.db
refuses base_of_results_that_is_not_there "binnacle: --base jit: no such run; there are compass, late" \
  "$BINNACLE" compare three.db --base jit
refuses base_that_is_not_run "binnacle: --base jit: not among the schedulers to run; there are compass, late" \
  "$BINNACLE" compare s.ini -o never.db --base jit
holds nothing_was_made_for_it [ ! -e never.db ]

# ---- precision ----

# Standard error is what the table of the file says of itself.
said_by () {
  "$BINNACLE" compare "$1" --format csv | awk -F, 'NR == 1 { for (c = 1; $c != "latency_mean_ms"; c++); }
    NR > 1 && $1 != "bound" { printf "binnacle: %s: latency_mean within %.3g %% of its mean after %d seeds\n",
      $1, 100 * $(c + 1) / $c, $2 }'
}
"$BINNACLE" compare s.ini -q -o precise.db --precision 12% >out 2>err
holds precision_is_reached [ $? -eq 0 ]
said_by precise.db >expected
holds precision_is_said_of_each diff expected err
holds precision_is_what_was_asked_for sh -c "! sed 's/.* within \([0-9.]*\) .*/\1/' err | awk '\$1 > 12 / 1.12' | grep ."
seeds=$(query precise.db "SELECT MAX (CAST (seed AS INTEGER)) FROM runs")
holds there_were_rounds [ "$seeds" -gt 10 ]
holds numbers_leave_room_for_all_seeds [ "$(query precise.db "SELECT run_id FROM runs WHERE variant = 'late' AND seed = '1'")" = 101 ]
expect precise_results_pass 0 "" "$BINNACLE" check precise.db --format csv
expect plain 0 "" "$BINNACLE" compare s.ini -q -o plain.db --seed "1..$seeds"
same="SELECT r.variant, r.seed, m.name, m.value FROM runs r JOIN metrics m USING (run_id) ORDER BY 1, 2, 3, m.scope"
query precise.db "$same" >precise.txt
query plain.db "$same" >plain.txt
holds runs_are_those_of_the_same_seeds cmp precise.txt plain.txt
"$BINNACLE" run s.ini -q -o many.db --precision 0.1% --scheduler compass >out 2>err
holds too_many_is_a_finding [ $? -eq 1 ]
holds too_many_are_predicted grep -q '0.1 % would take about [0-9]*, and --max-seeds is 100$' err
holds nothing_is_run_in_vain [ "$(query many.db 'SELECT COUNT (*) FROM runs')" -eq 10 ]
"$BINNACLE" run s.ini -q -o over.db --precision 5% --scheduler compass --set workload.load=1.5 >/dev/null 2>err
holds overload_is_given_up grep -q '^binnacle: compass: 10 of 10 runs are not STABLE: ' err

refuses precision_without_percent \
  "binnacle: --precision 2: give percent of the mean, above 0 and below 100, as 2% or 2%:latency_p99" \
  "$BINNACLE" compare s.ini --precision 2
refuses precision_of_no_metric "binnacle: --precision latency_maen: no such metric; did you mean latency_mean?" \
  "$BINNACLE" compare s.ini --precision 2%:latency_maen
refuses seeds_without_precision "binnacle: --max-seeds 50: goes with --precision; give it, too" \
  "$BINNACLE" compare s.ini --max-seeds 50
refuses too_few_seeds "binnacle: --max-seeds 5: give 10 to 10000, as --max-seeds 200" \
  "$BINNACLE" compare s.ini --max-seeds 5 --precision 2%

# In a sweep each cell gets the seeds that it needs, the same whatever was there before.
sweep_precisely () {
  "$BINNACLE" sweep s.ini --vary servers.count=3,5 --precision 15% --max-seeds 40 "$@" >out 2>err
}
sweep_precisely -q -o cells-once.db -j 2
holds sweep_reaches_it [ $? -eq 0 ]
holds sweep_says_it_of_each_cell [ "$(grep -c '^binnacle: servers.count=[35]: [a-z]*: latency_mean within' err)" = 4 ]
holds cells_need_different_seeds [ "$(query cells-once.db "SELECT COUNT (DISTINCT n) FROM (SELECT COUNT (*) AS n
  FROM runs WHERE variant = 'compass' GROUP BY n_workers)")" = 2 ]
expect first_round_alone 0 "" "$BINNACLE" sweep s.ini --vary servers.count=3,5 --seeds 10 -q -o cells-twice.db
sweep_precisely -q -o cells-twice.db
sweep_precisely -o cells-twice.db
holds sweep_again_runs_nothing grep -q "$(query cells-once.db 'SELECT COUNT (*) FROM runs') of .* runs were in" err
dump cells-once.db >expected
dump cells-twice.db >actual
holds sweep_goes_on_as_it_would_have_gone diff expected actual
expect precise_sweep_is_sound 0 "" "$BINNACLE" check cells-once.db
refuses precision_of_a_shard "binnacle: sweep: --precision: which seeds it takes depends on all shards; leave --shard out" \
  "$BINNACLE" sweep s.ini --precision 5% --shard 1/2 -o never.db

# ---- traces ----

{ echo t; awk 'BEGIN { for (i = 0; i < 60; i++) { t += i % 12 < 6 ? 100 : 1900; print t } }'; } >t.csv
sed 's/^load.*/arrivals = trace\ntrace = t.csv\ntime-column = t/; s/^jobs.*//' s.ini >trace.ini
expect fixed_trace 0 "" "$BINNACLE" compare trace.ini -q -o fixed.db
holds fixed_trace_is_said grep -q '^For this trace only: ' out
expect resampled_trace 0 "" "$BINNACLE" compare trace.ini -q -o blocks.db --set workload.trace-resample=blocks \
  --set workload.trace-block=6
holds resampled_trace_is_said grep -qx 'Arrivals: the trace, resampled for each seed in blocks of 6 on average.' out
holds block_is_in_the_results [ "$(query blocks.db 'SELECT DISTINCT trace_block FROM runs')" = 6.0 ]
holds seeds_have_arrivals_of_their_own [ "$(query fixed.db 'SELECT COUNT (DISTINCT last_arrival_ns) FROM runs')$(
  query blocks.db 'SELECT COUNT (DISTINCT last_arrival_ns) FROM runs')" = 13 ]
expect resampled_results_pass 0 "" "$BINNACLE" check blocks.db --format csv
finish
