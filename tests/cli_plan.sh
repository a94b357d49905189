#!/bin/sh
# cli_plan.sh: plans: what they find, what they leave in the file, that they go on where
# they were stopped, bad input.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317,SC2012
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
cp "$BN_SRCDIR/traces/catalogue/paper.ini" catalogue.ini
cat >s.ini <<'END'
[scenario]
name = a plan
[servers]
count = 3
price = 0.35
[schedulers]
compare = jit, hash[random]
[workload]
catalogue = catalogue.ini
rate = 2/s
jobs = 120
[plan]
slo = p95(latency) <= 5s, mean(slowdown) <= 4
seeds = 3..12
END

# says NAME FILE TEXT SQL: the rows, on one line
says () {
  holds "$1" [ "$(query "$2" "$4" | tr '\n' ' ' | sed 's/ $//')" = "$3" ]
}

# ---- what is found ----

expect plan 0 "binnacle: the least servers.count that keeps p95(latency) <= 5s and mean(slowdown) <= 4, over seeds,\
 each bound at one-sided 95 %
binnacle: runs in plan.db; next: binnacle plot plan.db" sh -c "'$BINNACLE' plan s.ini --vary\
 workload.rate=2/s,4/s -o plan.db --format text 2>said; sed 's/^binnacle: [0-9]* runs/binnacle: runs/' said >&2"
cp "$tmp/out" table.txt
holds plan_has_a_row_for_each_scheduler_and_load [ "$(tail -n +3 table.txt | awk '{ print $1, $2 }' | tr '\n' ' ')" = \
  "jit 2/s hash[random] 2/s jit 4/s hash[random] 4/s " ]
expect plan_passes_check 0 "" "$BINNACLE" check plan.db
expect plan_can_be_compared 0 "" "$BINNACLE" compare plan.db
expect plan_can_be_printed_again 0 "" "$BINNACLE" plan plan.db -q
holds plan_printed_again_is_the_same cmp table.txt "$tmp/out"
for format in csv json; do
  expect "plan_as_$format" 0 "" "$BINNACLE" plan plan.db --format $format
  cp "$tmp/out" "table.$format"
done
holds csv_has_these_columns [ "$(head -n 1 table.csv)" = "variant,workload.rate,rate_jobs_per_s,key,work,answer,\
answer_text,answer_cost_per_hour,low,low_text,low_cost_per_hour,high,high_text,high_cost_per_hour,seeds,latency_p95_ms,\
latency_p95_low_ms,latency_p95_high_ms,slowdown_mean,slowdown_mean_low,slowdown_mean_high,seeds_needed,note" ]
holds json_has_a_row_for_each [ "$(grep -c '"variant"' table.json)" -eq 4 ]

# Every answer follows from the points, and they from the runs.
says band_is_what_the_verdicts_say plan.db "" "SELECT plan FROM plans p WHERE
  (SELECT verdict FROM plan_points o WHERE o.plan = p.plan AND value = high) <> 'kept'
  OR EXISTS (SELECT 1 FROM plan_points o WHERE o.plan = p.plan AND value > high AND verdict <> 'kept')
  OR EXISTS (SELECT 1 FROM plan_points o WHERE o.plan = p.plan AND value < low AND verdict <> 'broken')
  OR NOT (low <= answer AND answer <= high AND work < low)
  OR NOT EXISTS (SELECT 1 FROM plan_points o WHERE o.plan = p.plan AND value = answer - 1 UNION SELECT 1 WHERE
    answer - 1 <= work)
  OR NOT EXISTS (SELECT 1 FROM plan_points o WHERE o.plan = p.plan AND value = answer + 1)"
says mean_is_that_of_the_runs plan.db "" "SELECT plan, point FROM plan_estimates e JOIN plan_promises
  USING (promise) WHERE abs (mean - (SELECT AVG (value) FROM plan_runs r JOIN metrics m ON m.run_id = r.run_id AND
  m.name = metric AND scope = '' WHERE r.plan = e.plan AND r.point = e.point)) > 1e-9 * mean"
says runs_of_a_point_are_its_number_scheduler_and_seeds plan.db "" "SELECT 1 FROM plan_runs JOIN plan_points
  USING (plan, point) JOIN plans USING (plan) JOIN runs USING (run_id) JOIN parameters v ON v.run_id = runs.run_id
  AND v.name = 'servers.count' WHERE v.value <> value_text OR runs.variant <> plans.variant OR seeds <> (SELECT
  COUNT (*) FROM plan_runs o WHERE o.plan = plan_points.plan AND o.point = plan_points.point)
  OR CAST (seed AS INTEGER) > seeds"
says runs_are_all_of_some_point plan.db 0 "SELECT COUNT (*) FROM runs WHERE run_id NOT IN (SELECT run_id FROM
  plan_runs)"
says cost_is_that_of_the_servers plan.db 0 "SELECT SUM (abs (answer_cost - 0.35 * answer) > 1e-9) FROM plans"
says work_is_rate_times_work_of_a_job plan.db 0 "SELECT COUNT (*) FROM plans JOIN plan_runs USING (plan) JOIN runs
  USING (run_id) WHERE abs (offered_load * n_slots - work) > 1e-9 * work"

# ---- the same, however it came about ----

dump plan.db >whole
holds whole_is_not_empty [ "$(wc -l <whole)" -gt 1000 ]
for n in 2 5; do
  expect "plan_with_${n}_processes" 0 "" "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s -o "plan$n.db" -q -j $n
  dump "plan$n.db" >other
  holds "plan_with_${n}_processes_is_the_same" cmp whole other
done
stamps="SELECT MAX (started_at) || SUM (wall_ns) FROM runs"
# a plan's rounds are run by the ranks of MPI as a sweep is (mpi_sweep.sh)
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
if [ -e "${BINNACLE_MODULE_DIR-}/binnacle-mpi.so" ] && mpirun -n 2 --oversubscribe true >/dev/null 2>&1; then
  expect plan_over_ranks 0 "" mpirun -n 3 --oversubscribe "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s \
    -o ranks.db -q
  dump ranks.db >other
  holds plan_over_ranks_is_the_same cmp whole other
fi
started=$(query plan.db "$stamps")
expect plan_again_runs_nothing 0 "" "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s -o plan.db -q
says runs_are_the_ones_that_were_there plan.db "$started" "$stamps"
dump plan.db >other
holds plan_again_is_the_same cmp whole other

complete_in () {
  query "$1" "SELECT COUNT (*) FROM runs WHERE state = 'complete'" 2>/dev/null || echo 0
}

# stop FILE SIGNAL COUNT: sends a plan a signal when so many runs are in the file
stop () {
  "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s -o "$1" -q -j 2 >/dev/null 2>"$tmp/stopped" &
  until [ -d "$1.cells" ] && [ "$(complete_in "$1")" -ge "$3" ]; do
    kill -0 $! 2>/dev/null || break
  done
  kill "-$2" $! 2>/dev/null
  wait $! 2>/dev/null
}

for count in 1 30 100; do
  stop killed.db KILL $count
  expect "plan_killed_after_${count}_runs_passes_check" 0 "" "$BINNACLE" check killed.db
done
expect plan_goes_on_after_a_kill 0 "" "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s -o killed.db -q
dump killed.db >other
holds plan_that_was_killed_is_the_same cmp whole other
stop stopped.db TERM 5
holds interrupted_says_how_to_go_on [ "$(cat stopped)" = \
  "binnacle: interrupted; the same command goes on, with the runs that are in stopped.db" ]
expect interrupted_holds_no_plan 2 "binnacle: stopped.db: holds no plan; binnacle plan SCENARIO.ini --slo\
 'p99(latency) <= 1.5s' makes one" "$BINNACLE" plan stopped.db
expect plan_goes_on 0 "" "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s -o stopped.db -q
dump stopped.db >other
holds plan_that_went_on_is_the_same cmp whole other

# Another question of the same file keeps its runs.
before=$(query plan.db "SELECT COUNT (*) FROM runs")
expect another_question 0 "" "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s --slo 'p95(latency) <= 6s' \
  -o plan.db -q
holds another_question_keeps_the_runs [ "$(query plan.db "SELECT COUNT (*) FROM runs")" -ge "$before" ]
says another_question_is_what_the_file_answers plan.db "p95(latency) <= 6s" "SELECT promised FROM plan_promises"
expect another_question_passes_check 0 "" "$BINNACLE" check plan.db
expect first_question_again 0 "" "$BINNACLE" plan s.ini --vary workload.rate=2/s,4/s -o plan.db -q
holds answers_are_the_same [ "$(query plan.db "SELECT plan, answer, low, high, seeds_needed FROM plans")" = \
  "$(query killed.db "SELECT plan, answer, low, high, seeds_needed FROM plans")" ]

# ---- Erlang, load, mixes ----

cat >customers.ini <<'END'
[workflow customer]
[task customer/a]
input = 0
output = 0
runtime = 100ms
END
cat >erlang.ini <<'END'
[scenario]
warmup-share = 0.1
[servers]
count = 1
[schedulers]
compare = least-loaded
[options]
load-staleness = 0
[network]
latency = 0
small-limit = 1B
[workload]
catalogue = customers.ini
rate = 42/s
noise = exponential
noise-visible = on
jobs = 3000
END
# 4.2 erlangs: on five 2.09 mean runtimes in the system, on six 1.25
for key in count slots; do
  expect "erlang_over_$key" 0 "" "$BINNACLE" plan erlang.ini --over servers.$key --slo 'mean(latency) <= 160ms' -o \
    "erlang-$key.db" -q
  says "erlang_over_${key}_is_six" "erlang-$key.db" "6.0|6.0|6.0|4.2" \
    "SELECT answer, low, high, round (work, 9) FROM plans"
done
expect erlang_solved_for_the_rate 0 "" "$BINNACLE" plan erlang.ini --solve rate --set servers.slots=6 --precision 5% \
  --slo 'mean(latency) <= 125ms' -o rate.db -q
says erlang_load_is_4_2 rate.db 1 "SELECT low < 42 * 1.02 AND high > 42 * 0.98 AND high / low < 1.3 FROM plans"

cat >mix.ini <<'END'
[schedulers]
compare = jit
[servers small]
count = 2
memory = 40GB
price = 0.5
[servers large]
count = 2
memory = 40GB
speed = 2x
[workload]
catalogue = catalogue.ini
rate = 3/s
jobs = 60
END
expect mix 0 "" "$BINNACLE" plan mix.ini --slo 'p95(latency) <= 3s' --gpu small --gpu large:0.9/h --seeds 3..6 \
  -o mix.db -q
says mix_is_cheapest_of_those_tried mix.db 1 "SELECT (SELECT MIN (value) FROM plan_points WHERE verdict = 'kept') =
  answer AND low <= answer FROM plans"
says mix_has_its_prices mix.db "large|0.9 small|0.5" "SELECT DISTINCT name, price_per_hour FROM gpu_types ORDER BY 1"
says mix_costs_2_30 mix.db "2.3|small=1 large=2" "SELECT answer, answer_text FROM plans"
# brute force: of the mixes that cost less none is kept, by 3 seeds or by 6: t (0.975, 2) and t (0.975, 5)
expect cheaper_mixes 0 "" "$BINNACLE" sweep mix.ini -o brute.db -q --seeds 6 \
  --vary 'servers.small.count, servers.large.count = 1:0 2:0 3:0 4:0 0:1 1:1 2:1 0:2'
bounds="(SELECT AVG (m.value) + t * sqrt ((AVG (m.value * m.value) - AVG (m.value) * AVG (m.value)) / (k - 1)) AS bound
  FROM (SELECT 3 AS k, 4.302653 AS t UNION SELECT 6, 2.570582) JOIN runs ON CAST (seed AS INTEGER) <= k
  JOIN metrics m ON m.run_id = runs.run_id AND m.name = 'latency_p95' AND scope = '' GROUP BY scenario_sha256, k)"
says all_cheaper_mixes_are_there brute.db 16 "SELECT COUNT (*) FROM $bounds"
says no_cheaper_mix_is_kept brute.db 0 "SELECT COUNT (*) FROM $bounds WHERE bound <= 3000"

# ---- nothing suffices ----

expect nothing_suffices 1 "" "$BINNACLE" plan s.ini --slo 'p95(latency) <= 2s' --max 40 --scheduler 'hash[random]' \
  -o none.db -q
holds nothing_suffices_says_why grep -q 'p95(latency) is [0-9.]* ms at 40' "$tmp/out"
expect work_alone_is_more 1 "" "$BINNACLE" plan s.ini --set workload.rate=20/s --max 10 -o more.db -q
holds work_alone_is_more_says_so grep -q 'the work alone takes 19.9, more than 10' "$tmp/out"

# ---- a run that fails ----

printf '[servers]\n[workload]\ncatalogue = catalogue.ini\narrivals = uniform\njobs = 20\n' >fail.ini
late="job 4 would come after 146 years; set fewer jobs, an until or a higher rate"
expect search_that_fails_is_given_up_and_the_others_go_on 1 \
  "binnacle: compass, workload.rate=1e-9/s, servers.count=1, seed 1 failed: $late
binnacle: compass, workload.rate=1e-9/s, servers.count=1, seed 2 failed: $late" "$BINNACLE" plan fail.ini \
  --slo 'mean(latency) <= 1min' --vary workload.rate=0.1/s,1e-9/s --seeds 2 -o fail.db -q
says search_that_failed_says_so fail.db "1.0| |given up: a run failed" "SELECT answer, note FROM plans"

# ---- pictures ----

if command -v gnuplot >/dev/null; then
  expect picture 0 "" "$BINNACLE" plot plan.db -o pictures
  holds picture_of_a_plan_is_the_plan [ "$(tr '\n' ' ' <"$tmp/out")" = "pictures/plan.svg pictures/plan.csv " ]
  holds picture_has_what_was_found [ "$(sed -n '2p' pictures/plan.csv)" = \
    "1,1,jit,2,$(query plan.db "SELECT printf ('%d,%d,%d', answer, low, high) FROM plans WHERE plan = 1")" ]
  expect picture_of_a_mix 0 "" "$BINNACLE" plot mix.db -o pictures
  expect picture_of_a_rate 0 "" "$BINNACLE" plot rate.db -o pictures
  refuses picture_of_no_plan "binnacle: brute.db: plan: holds no plan; binnacle plan makes files with one" \
    "$BINNACLE" plot brute.db -o pictures --only plan
fi

# ---- bad input ----

# bad NAME STDERR ARGUMENTS...: plan refuses these, and makes nothing
bad () {
  bad_name=$1
  bad_error=$2
  shift 2
  refuses "$bad_name" "binnacle: $bad_error" "$BINNACLE" plan "$@" -o x.db
  holds "$bad_name: makes nothing" [ -z "$(ls -d x.db* 2>/dev/null)" ]
}

sed 's/^slo = .*/slo = p95(slowdown) <= 0.5/' s.ini >wrong.ini
sed '/^slo/d' s.ini >none.ini
sed 's/^seeds/sedes/' s.ini >key.ini
sed 's/^rate.*/load = 0.7/' s.ini >load.ini
seeds="is no number of seeds; write 5..40: 5 at first, and up to 40 where it is undecided; at least 2, as one says\
 nothing about certainty"
bad unknown_metric "--slo 'hit_rat >= 1': 'hit_rat' is not a metric (did you mean 'hit_rate'?); write p50, p95, p99,\
 max or mean of (latency) or (slowdown), deadline_miss or a name of binnacle list metrics" s.ini --slo 'hit_rat >= 1'
bad impossible_promise "--slo 'p99(latency) <= 1ms': p99(latency) <= 1ms: no number of servers can keep this: it is\
 at least 282.6 ms, even if every job is alone on idle servers (doc/bounds.md)" s.ini --slo 'p99(latency) <= 1ms'
bad promise_in_the_file "wrong.ini:13: p95(slowdown) <= 0.5: no number of servers can keep this: it is at least 1, even if every\
 job is alone on idle servers (doc/bounds.md)" wrong.ini
bad no_promise "none.ini: there is no promise to keep; give one with --slo 'p99(latency) <= 1.5s', or as slo = … in\
 the section [plan]" none.ini
bad unknown_key "key.ini:14: 'sedes' is not a key of [plan] (did you mean 'seeds'?); it knows slo, over, solve, gpu,\
 max, precision, seeds" key.ini
bad zero_seeds "--seeds '0': '0' $seeds" s.ini --seeds 0
bad one_seed "--seeds '1': '1' $seeds" s.ini --seeds 1
bad seeds_downwards "--seeds '9..3': '9..3' $seeds" s.ini --seeds 9..3
bad empty_range "--vary 'workload.rate=5..1': '5..1' is an empty range or a very long one; write FIRST..LAST or\
 FIRST..LAST:COUNT, upwards" s.ini --vary workload.rate=5..1
bad zero_servers "--max '0': '0' is no greatest number; write 1 to 1000000" s.ini --max 0
bad key_that_is_not_counted "--over 'servers.memory': servers.memory is not a number of servers; write servers.count,\
 servers.devices, servers.slots, or servers.NAME.count of one group" s.ini --over servers.memory
bad key_that_is_varied "servers.count is what is searched for; do not vary it" s.ini --vary servers.count=1,2
bad load_that_follows_the_servers "the load does not fall when there is more of servers.count: workload.load makes\
 jobs come as fast as the servers are; give workload.rate instead" load.ini
bad two_wishes "--solve 'rate': over, solve and gpu each say what to look for; give one of them" s.ini --solve rate \
  --over servers.count
bad group_without_a_price "--gpu 'large': large has no price; write large:0.35/h" mix.ini --slo 'p95(latency) <= 4s' \
  --gpu large
bad unknown_group "--gpu 'tiny:1': there is no server group 'tiny'; there are small, large" mix.ini --slo\
 'p95(latency) <= 4s' --gpu tiny:1
bad real_backend "s.ini: a plan simulates clusters that are not there; leave the backend at model" s.ini \
  --set backend.name=cpu
refuses results_file_of_something_else "binnacle: $tmp/brute.db: holds runs that no plan has made; name another file\
 with -o, or give --replace to begin anew" "$BINNACLE" plan s.ini -o brute.db -q
refuses question_to_a_results_file "binnacle: plan: plan.db holds what was found, which is printed again as it is; to\
 ask something else give the scenario, and this file with -o: it keeps its runs" "$BINNACLE" plan plan.db \
  --slo 'hit_rate >= 1'
expect metric_without_a_value 2 "binnacle: erlang.ini: hit_rate has no value in run 1 (least-loaded, seed 1); promise\
 something that every run measures" "$BINNACLE" plan erlang.ini --slo 'hit_rate >= 90%' -o undefined.db -q

finish
