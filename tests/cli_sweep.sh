#!/bin/sh
# cli_sweep.sh: grids of scenarios: cells, what is the same for any number of
# processes, cells that fail, tables and ratios, bad input.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317,SC2012
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
cp "$BN_SRCDIR/traces/catalogue/paper.ini" catalogue.ini
cat >grid.ini <<'END'
[scenario]
seeds = 1 2
warmup-share = 0.1
[servers]
count = 3
[schedulers]
compare = compass, hash[random]
[workload]
catalogue = catalogue.ini
[sweep]
servers.count, workload.jobs = 2:40 4:80
workload.load = 0.4 0.8
END

# ---- cells ----

expect grid 0 "" "$BINNACLE" sweep grid.ini -o grid.db -q --format csv
cp "$tmp/out" table.csv
expect grid_passes_check 0 "" "$BINNACLE" check grid.db
query grid.db "SELECT run_id, n_workers, n_jobs, round (offered_load, 9), variant, seed FROM runs" >runs
cat >expected <<'END'
1|2|40|0.4|compass|1
2|2|40|0.4|compass|2
3|2|40|0.4|hash[random]|1
4|2|40|0.4|hash[random]|2
5|2|40|0.8|compass|1
6|2|40|0.8|compass|2
7|2|40|0.8|hash[random]|1
8|2|40|0.8|hash[random]|2
9|4|80|0.4|compass|1
10|4|80|0.4|compass|2
11|4|80|0.4|hash[random]|1
12|4|80|0.4|hash[random]|2
13|4|80|0.8|compass|1
14|4|80|0.8|compass|2
15|4|80|0.8|hash[random]|1
16|4|80|0.8|hash[random]|2
END
holds runs_are_numbered_by_cell_scheduler_and_seed diff expected runs
holds warm_up_is_a_share_of_each_cells_jobs [ "$(query grid.db \
  "SELECT DISTINCT n_jobs, value FROM runs JOIN metrics USING (run_id) WHERE name = 'jobs' AND scope = ''" \
  | sort | tr '\n' ' ')" = "40|36.0 80|72.0 " ]
cut -d, -f 1-5 table.csv >rows
cat >expected <<'END'
servers.count,workload.jobs,workload.load,variant,seeds
2,40,0.4,compass,2
2,40,0.4,hash[random],2
2,40,0.4,bound,2
2,40,0.8,compass,2
2,40,0.8,hash[random],2
2,40,0.8,bound,2
4,80,0.4,compass,2
4,80,0.4,hash[random],2
4,80,0.4,bound,2
4,80,0.8,compass,2
4,80,0.8,hash[random],2
4,80,0.8,bound,2
END
holds table_has_a_row_for_each_cell_and_scheduler diff expected rows
expect table_can_be_printed_again 0 "" "$BINNACLE" compare grid.db --format csv
holds table_printed_again_is_the_same cmp table.csv "$tmp/out"

# A cell is the scenario that --set makes.
expect one_cell_by_hand 0 "" "$BINNACLE" run grid.ini -q -o cell.db --set servers.count=4 --set workload.jobs=80 \
  --set workload.load=0.8
all="SELECT name, scope, value FROM metrics JOIN runs USING (run_id) WHERE variant = 'compass' AND seed = '2'"
query cell.db "$all ORDER BY 1, 2" >by_hand
query grid.db "$all AND run_id = 14 ORDER BY 1, 2" >in_grid
holds cell_is_the_run_that_set_makes cmp by_hand in_grid
holds cell_is_not_empty [ "$(wc -l <in_grid)" -gt 50 ]

dump grid.db >one
for n in 2 5; do
  expect "grid_with_${n}_processes" 0 "" "$BINNACLE" sweep grid.ini -o "grid$n.db" -q -j $n --format csv
  holds "table_with_${n}_processes" cmp table.csv "$tmp/out"
  dump "grid$n.db" >other
  holds "results_with_${n}_processes_are_the_same" cmp one other
done
# Whoever starts it may ignore the ends of children, and so would it.
if env --ignore-signal=CHLD true 2>/dev/null; then
  expect grid_where_ends_of_children_are_ignored 0 "" env --ignore-signal=CHLD "$BINNACLE" sweep grid.ini \
    -o ignored.db -q --format csv
  holds table_where_ends_of_children_are_ignored cmp table.csv "$tmp/out"
fi
holds grid_leaves_nothing_beside_it [ -z "$(ls -d ./*.cells 2>/dev/null)" ]

expect vary_takes_the_place_of_an_axis 0 "" "$BINNACLE" sweep grid.ini -o vary.db -q --seeds 1 \
  --vary workload.load=0.3..0.5:3 --vary servers.memory=14GB,16GB --scheduler jit
holds vary_makes_these_cells [ "$(query vary.db "SELECT group_concat (DISTINCT value) FROM parameters
  WHERE name = 'workload.load'") $(query vary.db 'SELECT COUNT (*) FROM runs')" = "0.3,0.4,0.5 12" ]
expect nothing_varied_is_one_cell 0 "" "$BINNACLE" sweep "$BN_SRCDIR/traces/scenarios/demo.ini" -q -o demo.db \
  --set workload.jobs=5 --scheduler jit
holds run_of_a_sweep_file_says_so sh -c \
  "'$BINNACLE' run grid.ini -o run.db --set workload.jobs=3 2>&1 >/dev/null | grep -q '^binnacle: grid.ini:10: .sweep. '"

expect list_of_cells 0 "" "$BINNACLE" sweep grid.ini --list --set workload.mix=translation
holds list_has_every_cell [ "$(wc -l <"$tmp/out") $(tail -n 1 "$tmp/out")" = "4 'grid.ini' --set\
 'workload.mix=translation' --set 'servers.count=4' --set 'workload.jobs=80' --set 'workload.load=0.8'" ]
expect shipped_study_by_name 0 "" env BINNACLE_DATA_DIR="$BN_SRCDIR" "$BINNACLE" sweep beyond-grid --list

# ---- ratios ----

expect ratios 0 "" "$BINNACLE" metrics grid.db --ratio-to compass --metric slowdown_mean --format csv
cp "$tmp/out" ratios
by_hand=$(query grid.db "WITH s AS (SELECT scenario_sha256 AS cell, seed, variant, value FROM metrics JOIN runs USING
  (run_id) WHERE name = 'slowdown_mean' AND scope = '')
  SELECT printf ('%.9f', exp (AVG (ln (h.value / c.value)))) FROM s h JOIN s c USING (cell, seed)
  WHERE h.variant = 'hash[random]' AND c.variant = 'compass'")
holds ratio_is_the_geometric_mean_over_cells_and_seeds [ "$by_hand" = \
  "$(awk -F, '$1 == "hash[random]" { printf "%.9f", $4 }' ratios)" ]
holds ratio_to_itself_is_one grep -q '^compass,slowdown_mean,4,1,1,1,1,1,1,1$' ratios
expect ratios_of_some_cells 0 "" "$BINNACLE" metrics grid.db --ratio-to compass --where workload.load=0.40 \
  --metric slowdown_mean --format csv
holds where_reads_values_as_scenarios_do grep -q '^hash\[random\],slowdown_mean,2,' "$tmp/out"
expect ratios_of_no_cell 0 "" "$BINNACLE" metrics grid.db --ratio-to compass --stable-only 0.5 --metric slowdown_mean \
  --format csv
holds ratio_of_no_cell_is_missing grep -q '^hash\[random\],slowdown_mean,0,,,,,,,$' "$tmp/out"

# ---- pictures and studies ----

if command -v gnuplot >/dev/null; then
  expect pictures_of_a_sweep 0 "" "$BINNACLE" plot grid.db -o pictures
  holds pictures_of_a_sweep_are_these [ "$(tr '\n' ' ' <"$tmp/out")" = \
    "pictures/sweep.svg pictures/sweep.csv pictures/bars.svg pictures/bars.csv " ]
  holds caption_tells_what_is_shared grep -q 'Scenario grid: 40 to 80 jobs, arrivals poisson, 2 to 4 workers, warm-up of' \
    pictures/sweep.svg
  awk -F, 'NR == 1 { for (c = 1; $c != "slowdown_mean"; c++); } NR > 1 && $4 != "bound" {
    print $2 "|" $3 "|" $4 "|" $c }' table.csv | sort >expected
  awk -F, 'NR > 1 && $3 != "bound" { split ($9, of, " "); print of[2] == 2 ? 40 : 80, $4, $3, $5 }' pictures/sweep.csv |
    sed 's/ /|/g' | sort >drawn
  close () { # both have the same rows, and values to 9 digits
    paste -d '|' expected drawn | awk -F '|' '{ n++; bad += $1 != $5 || $2 != $6 || $3 != $7 || ($4 / $8 - 1) ^ 2 > 1e-16 }
      END { exit !(n == 8 && bad == 0) }'
  }
  holds sweep_draws_the_means_of_the_table close
  awk -F, 'NR == 1 { for (c = 1; $c != "slowdown_mean_95"; c++); } NR > 1 && $4 != "bound" {
    print $2 "|" $3 "|" $4 "|" $c }' table.csv | sort >expected
  awk -F, 'NR > 1 && $3 != "bound" { split ($9, of, " ")
    half = (($6 + $7) / 2 / $5 - 1) ^ 2 < 1e-16 ? sprintf ("%.12g", ($7 - $6) / 2) : "no centre"
    print (of[2] == 2 ? 40 : 80) "|" $4 "|" $3 "|" half }' pictures/sweep.csv | sort >drawn
  holds sweep_draws_the_intervals_of_the_table close
  holds sweep_draws_the_bound [ "$(awk -F, '$3 == "bound"' pictures/sweep.csv | wc -l)" -eq 4 ]
  expect picture_against_another_key 0 "" "$BINNACLE" plot grid.db -o pictures --only sweep --name servers \
    --x servers.count --by workload.load --y slowdown_p99 --ratio-to compass --log
  holds ratio_to_itself_is_drawn_as_one [ "$(awk -F, '$3 == "compass" && $5 == 1' pictures/servers.csv | wc -l)" -eq 4 ]
  expect picture_over_cells 0 "" "$BINNACLE" plot grid.db -o pictures --only sweep --name over \
    --x servers.count --by '' --ratio-to compass
  expect ratios_over_the_same_cells 0 "" "$BINNACLE" metrics grid.db --ratio-to compass --where servers.count=4 \
    --metric slowdown_mean --format csv
  holds ratios_over_cells_are_drawn grep -q '^1,2,hash.random.,4,[0-9.]*,[0-9.]*,[0-9.]*,2,' pictures/over.csv
  holds interval_over_cells_is_that_of_ratios [ "$(sed -n 's/^1,2,hash.random.,4,//p' pictures/over.csv | tr , '\n' |
    sed -n '1,3s/^\(........\).*/\1/p')" = "$(sed -n 's/^hash.random.,slowdown_mean,2,//p' "$tmp/out" | tr , '\n' |
    sed -n '1,3s/^\(........\).*/\1/p')" ]
  expect picture_over_cells_of_means 0 "" "$BINNACLE" plot grid.db -o pictures --only sweep --name means \
    --x servers.count --by '' --y latency_mean
  awk -F, 'NR > 1 && $3 != "bound" { n++; good += $6 < $5 && $5 < $7 && $8 == 2 } END { print n, good }' \
    pictures/means.csv >held
  holds interval_of_means_over_cells_holds_them [ "$(cat held)" = "4 4" ]
  for staleness in interval:0,interval:20ms 20ms,interval:20ms; do
    "$BINNACLE" sweep grid.ini -o rows.db -q --replace --seeds 1 --scheduler jit \
      --vary options.load-staleness=$staleness --vary servers.count,workload.jobs=2:40 --vary workload.load=0.4 >/dev/null
    "$BINNACLE" plot rows.db -o pictures --only sweep --name rows --y row_updates >/dev/null
    awk -F, 'NR > 1 { print $4 }' pictures/rows.csv
  done >places
  holds intervals_are_numbers_and_beside_delays_words [ "$(tr '\n' ' ' <places)" = "0 20 1 2 " ]
  expect bars_of_some_metrics 0 "" "$BINNACLE" plot grid.db -o pictures --only bars --y slowdown_mean --ratio-to compass
  holds bars_are_the_ratios [ "$(sed -n 's/^1,slowdown_mean,1,hash.random.,\([0-9.]\{8\}\).*/\1/p' pictures/bars.csv)" = \
    "$(sed -n 's/^hash.random.,slowdown_mean,4,\([0-9.]\{8\}\).*/\1/p' ratios)" ]
  expect cell_has_the_other_pictures 0 "" "$BINNACLE" plot grid.db -o pictures --only slowdown \
    --where servers.count=4 --where workload.load=0.8
  refuses picture_of_one_scenario "binnacle: plot: slowdown is of one scenario, and there are several; choose with --where\
 KEY=VALUE, of servers.count, workload.jobs, workload.load" "$BINNACLE" plot grid.db -o pictures --only slowdown
  refuses key_that_does_not_vary "binnacle: plot: --x workload.rate: does not vary; what varies is servers.count,\
 workload.jobs, workload.load" "$BINNACLE" plot grid.db -o pictures --only sweep --x workload.rate
  refuses sweep_of_one_cell "binnacle: demo.db: sweep: nothing varies between its runs; binnacle sweep makes files\
 in which something does" "$BINNACLE" plot demo.db -o pictures --only sweep
  mkdir studies && cp "$BN_SRCDIR/traces/studies/run.sh" studies
  { printf '#plot mine --only sweep --y latency_mean\n#ratios all --ratio-to compass\n'; sed 's#= catalogue#= ../catalogue#' grid.ini; } \
    >studies/own.ini
  expect studies_are_run_into_a_folder 0 "own: running
binnacle: 4 cells with 4 runs each in studied/own/own.db; next: binnacle plot studied/own/own.db" sh studies/run.sh -j 2 studied
  holds studies_make_these [ "$(ls studied/own | tr '\n' ' ')" = "all.csv mine.csv mine.svg own.db table.csv " ]
else
  echo "SKIP: gnuplot is not installed, so no picture was drawn"
fi

# ---- cells that fail ----

late="job 4 would come after 146 years; set fewer jobs, an until or a higher rate"
printf '[scenario]\n[servers]\n[workload]\ncatalogue = catalogue.ini\narrivals = uniform\njobs = 3\n' >fail.ini
printf '[sweep]\nworkload.rate = 1/s 1e-9/s 2/s\n' >>fail.ini
expect cell_that_fails_is_named_and_the_others_go_on 1 \
  "binnacle: workload.rate=1e-9/s, seed 1 failed: $late
binnacle: 1 of 3 units failed; the others are in fail.db; the same command tries again" "$BINNACLE" sweep fail.ini -o fail.db --set workload.jobs=20
query fail.db "SELECT run_id, rate_per_s FROM runs" >"$tmp/out"
holds cell_that_failed_is_left_out [ "$(tr '\n' ' ' <"$tmp/out")" = "1|1.0 3|2.0 " ]
expect no_cell_that_ends 2 "binnacle: workload.rate=1e-9/s, seed 1 failed: $late
binnacle: no unit ended; no file was made" "$BINNACLE" sweep fail.ini -o none.db --vary workload.rate=1e-9/s --set workload.jobs=20
holds no_cell_that_ends_makes_no_file [ ! -e none.db ]

# Descriptor 3 is closed for the reader only when the last process that has it is gone.
killed () {
  "$BINNACLE" sweep grid.ini -o killed.db -q -j 2 --set workload.mix=translation --vary workload.load=0.4,0.8 \
    --vary servers.count,workload.jobs=2:90000000,4:90000000 3>&1 >/dev/null 2>&1 &
  until [ -n "$(ls killed.db.cells/unit-2.db 2>/dev/null)" ]; do
    kill -0 $! || return
  done
  kill -KILL $!
  echo killed
}
holds no_process_outlives_a_killed_sweep [ "$(killed 2>/dev/null | { timeout 60 cat || echo and others; })" = killed ]
rm -rf killed.db*

# Some of these sizes have room for a part of a file only.
disk='mount -t tmpfs -o size=$1k none disk || exit 3
"$2" sweep grid.ini -o disk/x.db -q >/dev/null 2>&1
[ $? -eq 2 ] && [ -z "$(ls -A disk)" ]'
mkdir disk
if unshare -rm sh -c 'mount -t tmpfs none disk' 2>/dev/null; then
  for size in 100 160 200 260 280; do
    holds "full_disk_of_${size}_kB_leaves_nothing" unshare -rm sh -c "$disk" sh $size "$BINNACLE"
  done
else
  echo "SKIP: no name space of mounts, so no disk was filled"
fi

# ---- bad input ----

# bad NAME STDERR ARGUMENTS...: sweep refuses these, and makes nothing
bad () {
  bad_name=$1
  bad_error=$2
  shift 2
  refuses "$bad_name" "binnacle: $bad_error" "$BINNACLE" sweep "$@" -o x.db
  holds "$bad_name: makes nothing" [ -z "$(ls -d x.db* 2>/dev/null)" ]
}

sed 's/4:80/0:80/' grid.ini >range.ini
upwards="is an empty range or a very long one; write FIRST..LAST or FIRST..LAST:COUNT, upwards"
bad value_out_of_range "--vary 'servers.count=5,0': servers.count: there is no server; give 1 or more, of one group at least (cell 2:\
 servers.count=0, workload.load=0.5)" "$BN_SRCDIR/traces/scenarios/demo.ini" --vary servers.count=5,0 \
  --vary workload.load=0.5
bad value_out_of_range_in_the_file "range.ini:11: servers.count: there is no server; give 1 or more, of one group at least (cell 3:\
 servers.count=0, workload.jobs=80, workload.load=0.4)" range.ini
bad unknown_key "--vary 'servers.cuont=5': 'cuont' is not a key of [servers] (did you mean 'count'?); it knows count,\
 devices, gpu, memory, speed, slots, pcie, pcie-latency, idle-watts, active-watts, price (cell 1: servers.count=2,\
 workload.jobs=40, workload.load=0.4, servers.cuont=5)" grid.ini --vary servers.cuont=5
bad no_key "--vary '=5': names no key; write workload.load = 0.5 0.7, say" grid.ini --vary =5
bad no_equals_sign "--vary 'workload.load': is not section.key=values, such as workload.load=0.5,0.7" \
  grid.ini --vary workload.load
bad no_value "--vary 'workload.load=': workload.load: has no value; write 5 10 20 or 1..10:4" \
  grid.ini --vary workload.load=
bad range_downwards "--vary 'workload.load=5..1': '5..1' $upwards" grid.ini --vary workload.load=5..1
bad range_of_nothing "--vary 'workload.load=1..5:0': '1..5:0' $upwards" grid.ini --vary workload.load=1..5:0
bad set_of_a_varied_key "--set workload.load: is varied; give other values with --vary" grid.ini --set workload.load=1
same="is the same scenario as cell 1"
advice="give each value once, and vary no two keys of which one takes the place of the other"
bad value_given_twice "grid.ini: cell 2 (servers.count=2, workload.jobs=40, workload.load=0.50) $same\
 (servers.count=2, workload.jobs=40, workload.load=0.5); $advice" grid.ini --vary workload.load=0.5,0.50
bad rate_in_the_place_of_load "grid.ini: cell 2 (servers.count=2, workload.jobs=40, workload.load=0.8,\
 workload.rate=2/s) $same (servers.count=2, workload.jobs=40, workload.load=0.4, workload.rate=2/s); $advice" \
  grid.ini --vary workload.rate=2/s
bad key_of_two_axes "--vary 'servers.count=5': another line varies one of these keys, too; vary each key once" \
  grid.ini --vary servers.count=5
bad seeds_as_an_axis "--vary 'scenario.seeds=1,2': scenario.seeds cannot be varied: every cell runs all seeds; give them\
 with scenario.seeds or --seed" grid.ini --vary scenario.seeds=1,2
bad zero_seeds "sweep: --seeds: give 1 to 10000, as --seeds 3" grid.ini --seeds 0
bad no_process "sweep: -j: give 1 to 4096, as -j 4, or 0 for all processors" grid.ini -j -1
sed 's/2:40 4:80/2:40 4/' grid.ini >few.ini
bad too_few_values "few.ini:11: '4' is not 2 values for the keys that change together; write them as 5:10000" few.ini
sed 's/^count = 3/count = 3\n[network]\nlatency = 1/' grid.ini >wrong.ini
bad scenario_that_is_no_good "wrong.ini:7: network.latency: '1' has no unit: a duration needs one of the units ns us ms\
 s min h, for example 10ms (cell 1: servers.count=2, workload.jobs=40, workload.load=0.4)" wrong.ini
sed 's/^catalogue/rate = 2\/s\ncatalogue/' grid.ini >both.ini
bad load_and_rate "both.ini:13: workload.load: workload.rate is given, too; remove one of the two (cell 1:\
 servers.count=2, workload.jobs=40, workload.load=0.4)" both.ini
refuses where_that_no_run_has "binnacle: --where workload.load=3: no run has it; workload.load is 0.4, 0.8" \
  "$BINNACLE" metrics grid.db --ratio-to compass --where workload.load=3
refuses ratio_to_nobody "binnacle: --ratio-to jit: no such run; there are compass, hash[random]" \
  "$BINNACLE" metrics grid.db --ratio-to jit
refuses ratio_of_an_unknown_metric "binnacle: --metric slowdown_men: no such metric; did you mean slowdown_mean?" \
  "$BINNACLE" metrics grid.db --ratio-to compass --metric slowdown_men
refuses where_without_a_ratio \
  "binnacle: metrics: --where, --metric and --stable-only go with --ratio-to; give it, too" \
  "$BINNACLE" metrics grid.db --where workload.load=0.4
# ---- numbers below the least that means something ----

refuses seeds_below_one "binnacle: sweep: --seeds: give 1 to 10000, as --seeds 3" "$BINNACLE" sweep grid.ini --seeds -1 -o never.db
refuses no_seeds_to_add "binnacle: --max-seeds 0: give 10 to 10000, as --max-seeds 200" \
  "$BINNACLE" sweep grid.ini --precision 5% --max-seeds 0 -o never.db

# ---- a file that is being written is not replaced ----

"$BINNACLE" sweep grid.ini -o held.db -q --vary servers.count,workload.jobs=2:90000000,4:90000000 >held.out 2>&1 &
held=$!
n=0
while [ ! -e held.db ] && [ $n -lt 200 ]; do
  sleep 0.05
  n=$((n + 1))
done
status=0
"$BINNACLE" run grid.ini --set workload.jobs=20 -o held.db --replace -q >out 2>err || status=$?
holds it_is_refused [ $status -eq 2 ]
holds it_is_said_who_has_it grep -q 'held.db: .*another' err
kill -INT $held
sleep 0.2
kill -TERM $held 2>/dev/null
wait $held

finish
