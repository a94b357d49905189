#!/bin/sh
# cli_plot.sh: pictures and their rows, and what happens without gnuplot.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2317,SC2012
. "$BN_SRCDIR/tests/lib.sh"

db=$tmp/example.db
"$BN_BUILDDIR/tests/make_example_results" "$db" || exit 1

no_gnuplot () {
  PATH=$tmp/nothing "$@"
}

refuses without_gnuplot \
  "binnacle: gnuplot: not found; install it (Debian: apt-get install gnuplot-nox) and call this again" \
  no_gnuplot "$BINNACLE" plot "$db" -o "$tmp/none"
holds without_gnuplot_nothing_is_made [ ! -e "$tmp/none" ]

mkdir "$tmp/bin"
printf '#!/bin/sh\necho "  line 3: something is odd" >&2\nexit 1\n' >"$tmp/bin/gnuplot"
chmod +x "$tmp/bin/gnuplot"
bad_gnuplot () {
  PATH=$tmp/bin:$PATH "$@"
}
refuses gnuplot_that_fails \
  "binnacle: gnuplot failed on backlog.gp: line 3: something is odd" \
  bad_gnuplot "$BINNACLE" plot "$db" -o "$tmp/odd" --only backlog
holds gnuplot_that_fails_leaves_no_picture [ ! -e "$tmp/odd/backlog.svg" ]

printf '#!/bin/sh\n: >"%s/cut/backlog.svg.part"\n' "$tmp" >"$tmp/bin/gnuplot"
refuses picture_that_is_cut_off \
  "binnacle: $tmp/cut/backlog.svg: the picture was cut off; choose a place that has room with -o DIR" \
  bad_gnuplot "$BINNACLE" plot "$db" -o "$tmp/cut" --only backlog
holds picture_that_is_cut_off_is_removed [ ! -e "$tmp/cut/backlog.svg.part" ]

refuses folder_that_cannot_be_made \
  "binnacle: $db/x: cannot make this folder: Not a directory; choose another with -o DIR" \
  "$BINNACLE" plot "$db" -o "$db/x"

if ! command -v gnuplot >/dev/null; then
  echo "SKIP: gnuplot is not installed, so no picture was drawn"
  finish
fi

for format in svg png pdf; do
  expect "draws_$format" 0 "" "$BINNACLE" plot "$db" -o "$tmp/$format" --format "$format"
  for name in latency-cdf slowdown gpu-time backlog gantt; do
    printf '%s\n' "$tmp/$format/$name.$format" "$tmp/$format/$name.csv"
  done >"$tmp/expected"
  holds "names_every_$format" cmp "$tmp/expected" "$tmp/out"
  holds "leaves_nothing_else_with_$format" [ "$(ls -A "$tmp/$format" | wc -l)" -eq 10 ]
done

# expect_rows NAME: standard input is the CSV expected
expect_rows () {
  cat >"$tmp/expected"
  holds "rows_of_$1" diff "$tmp/expected" "$tmp/svg/$1.csv"
}

expect_rows latency-cdf <<'END'
series,variant,latency_s,fraction
1,compass[adjust=off],0.2,0.0
1,compass[adjust=off],0.2,0.333333333333333
1,compass[adjust=off],0.23,0.666666666666667
1,compass[adjust=off],0.33,1.0
2,hash,0.4,0.0
2,hash,0.401,1.0
END
expect_rows slowdown <<'END'
series,variant,group,workflow,mean,p50,p99
1,compass[adjust=off],2,pair,1.5,1.4,1.7
1,compass[adjust=off],3,all,1.5,1.5,1.7
END
expect_rows gpu-time <<'END'
series,variant,hit_pct,executing_pct,loading_pct,evicting_pct,idle_pct
1,compass[adjust=off],25.0,50.0,10.0,5.0,35.0
2,hash,,50.0,20.0,0.0,30.0
END
expect_rows backlog <<'END'
series,variant,time_s,jobs
1,compass[adjust=off],1.0,0.25
1,compass[adjust=off],3.0,0.5
2,hash,1.0,1.5
2,hash,3.0,3.0
END

expect window_of_the_timeline 0 "" "$BINNACLE" plot "$db" -o "$tmp/svg" --only gantt --window 1.04s..1.19s
expect_rows gantt <<'END'
series,kind,worker,start_s,end_s,low,high,job,workflow,task,model
1,evict,0,1.050000000,1.055000000,0.160,0.420,0,diamond,a,"B,""x"""
1,load,0,1.055000000,1.075000000,0.160,0.420,0,diamond,a,A
1,execute,0,1.075000000,1.175000000,-0.420,0.120,0,diamond,a,A
1,execute,0,1.175000000,1.300000000,-0.420,0.120,0,diamond,b,A
END

refuses run_without_tasks_has_no_timeline \
  "binnacle: $db: gantt: needs a run with --set scenario.record=tasks" \
  "$BINNACLE" plot "$db" -o "$tmp/svg" --only gantt --run 2
refuses window_in_which_nothing_happens \
  "binnacle: $db: gantt: nothing to draw" "$BINNACLE" plot "$db" -o "$tmp/svg" --only gantt --window 50s..60s
holds caption_tells_the_parameters grep -q 'Scenario by_hand: 4 jobs, arrivals uniform 1/s, offered load 0.50, 3 workers' \
  "$tmp/svg/latency-cdf.svg"

expect one_scheduler_alone 0 "" "$BINNACLE" plot "$db" -o "$tmp/some" --only backlog --scheduler hash
holds one_scheduler_alone_is_the_first_series [ "$(sed -n 2p "$tmp/some/backlog.csv")" = "1,hash,1.0,1.5" ]
expect scheduler_without_brackets_is_all_its_variants 0 "" \
  "$BINNACLE" plot "$db" -o "$tmp/some" --only backlog --scheduler compass
holds scheduler_without_brackets_draws_them grep -q '^1,compass\[adjust=off\],' "$tmp/some/backlog.csv"
expect list_of_schedulers 0 "" "$BINNACLE" plot "$db" -o "$tmp/some" --only backlog --scheduler 'hash, compass'
holds list_of_schedulers_draws_all cmp "$tmp/svg/backlog.csv" "$tmp/some/backlog.csv"
refuses scheduler_that_did_not_run \
  "binnacle: plot: --scheduler jit: no such run; there are compass[adjust=off], hash" \
  "$BINNACLE" plot "$db" -o "$tmp/none" --scheduler jit
holds scheduler_that_did_not_run_makes_nothing [ ! -e "$tmp/none" ]

# Two seeds, one workflow, a warm-up and one variant whose queue dwarfs the other's.
cat >"$tmp/own.ini" <<'END'
[model big]
size = 6GB
[model other]
size = 7GB
[workflow pair]
[task pair/a]
model = big
input = 1kB
output = 1kB
runtime = 100ms
[task pair/b]
model = other
after = a
input = 1kB
output = 1kB
runtime = 100ms
END
seeds=$tmp/seeds.db
expect two_seeds_to_draw 0 "" "$BINNACLE" run "$BN_SRCDIR/traces/scenarios/demo.ini" -q -o "$seeds" --seed 1..2 \
  --set "workload.catalogue=$tmp/own.ini" --set workload.rate=15/s --set workload.jobs=1500 --set scenario.warmup=1s \
  --scheduler 'compass, hash[model]'
expect draws_two_seeds 0 "" "$BINNACLE" plot "$seeds" -o "$tmp/two"
area=$("$BN_BUILDDIR/tests/query_results" "$seeds" \
  "SELECT SUM (mean_jobs * width_ns) / 2e9 FROM backlog JOIN runs USING (run_id) WHERE scheduler = 'compass'")
backlog_is_the_mean () {
  awk -F, -v area="$area" '$1 == 1 { if (!n++) width = 2 * $3; sum += $4 * width }
    END { exit !(n > 10 && sum > 0 && (sum - area) ^ 2 < (1e-6 * area) ^ 2) }' "$tmp/two/backlog.csv"
}
holds backlog_is_the_mean_over_seeds backlog_is_the_mean
holds backlog_has_one_line_a_variant [ -z "$(cut -d, -f 1-3 "$tmp/two/backlog.csv" | sort | uniq -d)" ]
holds backlog_says_that_it_is_the_mean grep -q 'lines are means over the seeds' "$tmp/two/backlog.svg"
holds backlog_of_very_different_queues_has_another_axis grep -q 'as log(1 + jobs)' "$tmp/two/backlog.svg"
holds caption_tells_warm_up_and_seeds grep -q 'warm-up 1s left out, seeds 1 2<' "$tmp/two/latency-cdf.svg"
holds one_workflow_has_no_panel_of_all [ "$(cut -d, -f 4 "$tmp/two/slowdown.csv" | sort -u | tr '\n' ' ')" = \
  "pair workflow " ]
timeline_has_load () {
  grep -q '^[12],load,' "$tmp/two/gantt.csv" && grep -q '>other<' "$tmp/two/gantt.svg"
}
holds timeline_of_one_workflow_shows_models_where_they_load timeline_has_load
expect crowded_timeline_warns 0 \
  "binnacle: gantt: 600 tasks a worker in the window are hard to read; choose a narrower one with --window FROM..TO" \
  "$BINNACLE" plot "$seeds" -o "$tmp/two" --only gantt --window 0..1h

"$BINNACLE" plot "$db" -o "$tmp/again" >/dev/null
for name in latency-cdf slowdown gpu-time backlog; do
  holds "same_bytes_again_$name" cmp "$tmp/svg/$name.svg" "$tmp/again/$name.svg"
done
finish
