#!/bin/sh
# contract_matrix.sh: every scheduler on every shipped scenario keeps every rule.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# The variants come from the program's own lists, so that a new scheduler, a new
# choice of one or a new option is in the matrix from its first day. All variants
# of a cell are runs of one results file, with the whole cluster verified after
# each event, and true runtimes that differ from the profile.
# shellcheck disable=SC2317
. "$BN_SRCDIR/tests/lib.sh"

query="$BN_BUILDDIR/tests/query_results"
BN_DEBUG=check
export BN_DEBUG
cd "$tmp" || exit 1

# settings: from `name,parameter,values,default` lines, each `name` and
# `name parameter=value` that is not the default
settings () {
  awk -F, '
    NR == 1 { next }
    !seen[$1]++ { print $1 }
    $2 != "" {
      n = split ($3, values, index ($3, "..") ? "\\.\\." : "|")
      for (i = 1; i <= n; i++)
        if (values[i] != $4)
          print $1, $2 "=" values[i]
    }'
}

joined () {
  awk '{ printf "%s%s", comma, NF == 2 ? $1 "[" $2 "]" : $1; comma = "," }'
}

"$BINNACLE" list schedulers --format csv | settings >names
schedulers="$(joined <names),heft[cache,central],heft[cache,central,insertion],hash[random,central],\
compass[adjust=off,cache=off],compass[cache=off,load=off]"
n_schedulers=$(($(wc -l <names) + 5))
holds lists_name_the_schedulers [ "$n_schedulers" -ge 25 ]
holds lists_name_their_choices grep -qx "hash by=modulo" names

# cell NAME RUNS ARGUMENT...: the runs of one results file. All complete, every
# rule checkable and kept, every run on the same jobs.
cell () {
  cell_name=$1
  cell_runs=$2
  shift 2
  rm -f cell.db
  if ! "$BINNACLE" run "$@" --backend model --seed 1 --set workload.jobs=60 --set workload.noise=lognormal \
      --set workload.noise-cv=0.5 --record tasks -q -o cell.db >table 2>err; then
    wrong "$cell_name" "run: $(cat err)"
  elif ! "$BINNACLE" check cell.db >checked 2>err || ! grep -q "^[1-9][0-9]* passed, 0 failed, 0 not" checked; then
    wrong "$cell_name" "check: $(cat err)" "$(cat checked)"
  else
    complete=$("$query" cell.db "
      SELECT COUNT (*) FROM runs WHERE state = 'complete' AND n_done = n_jobs AND n_jobs >= 45")
    # jobs and tasks of which two runs tell different things, or that one lacks
    other=$("$query" cell.db "
      SELECT (SELECT COUNT (*) FROM (SELECT 1 FROM jobs GROUP BY job_id
                HAVING COUNT (*) <> $cell_runs OR COUNT (DISTINCT create_ns) > 1 OR COUNT (DISTINCT ingress) > 1
                       OR COUNT (DISTINCT workflow) > 1)),
             (SELECT COUNT (*) FROM (SELECT 1 FROM tasks GROUP BY job_id, task
                HAVING COUNT (*) <> $cell_runs OR COUNT (DISTINCT factor) > 1))")
    # and that this says something
    varied=$("$query" cell.db "
      SELECT (SELECT COUNT (DISTINCT create_ns) > 40 AND COUNT (DISTINCT ingress) > 1 FROM jobs),
             (SELECT COUNT (DISTINCT factor) > 100 FROM tasks),
             (SELECT COUNT (*) > 50 FROM
                (SELECT 1 FROM tasks GROUP BY job_id, task HAVING COUNT (DISTINCT start_ns) > 1))")
    if [ "$complete/$other/$varied" = "$cell_runs/0|0/1|1|1" ]; then
      good "$cell_name"
    else
      wrong "$cell_name" "$complete of $cell_runs runs are complete" \
        "jobs and tasks that differ: $other; arrivals, factors and starts vary: $varied"
    fi
  fi
}

n_scenarios=0
for scenario in "$BN_SRCDIR"/traces/scenarios/*.ini; do
  n_scenarios=$((n_scenarios + 1))
  scenario_name=$(basename "$scenario" .ini)
  for staleness in 0 delay:10ms interval:10ms; do
    cell "every_scheduler_on_${scenario_name}_rows_$staleness" "$n_schedulers" "$scenario" --scheduler "$schedulers" \
      --set options.load-staleness=$staleness --set options.cache-staleness=$staleness
  done
done
holds scenarios_are_there [ "$n_scenarios" -ge 6 ]

# every option with a scheduler that plans and with one whose workers pull; two
# slots a worker, so that tasks join loads
"$BINNACLE" list options --format csv >settings.csv
for scheduler in compass sparrow; do
  awk -F, -v name="$scheduler" -v OFS=, '
    NR == 1 { print "name", $0 }
    $2 ~ /\|/ { print name, $1, $2, $3 }
    $1 == "decision-cost" { print name, $1, "10us|5ms|measured", $3 }' settings.csv | settings >variants
  more="${scheduler}[queue=srpt,queue-ageing=50ms,evict=lru,prefetch=next,reserve=published,contention=fifo]"
  more="$more,${scheduler}[queue=slowdown,evict=fifo,evict-cost=free,prefetch=next,reserve=own]"
  more="$more,${scheduler}[overlap=bypass,proactive,evict=value]"
  holds "options_have_choices_for_$scheduler" [ "$(wc -l <variants)" -ge 13 ]
  for scenario_name in demo bursty; do
    cell "every_option_on_${scenario_name}_by_$scheduler" "$(($(wc -l <variants) + 3))" \
      "$BN_SRCDIR/traces/scenarios/$scenario_name.ini" --set servers.slots=2 --scheduler "$(joined <variants),$more"
  done
done

# pairwise: from `name,parameter,values,default` lines, variants in which every value of
# every parameter meets every value of every other; its last line says how many pairs
# there are and how many are missing
pairwise () {
  awk -F, '
    $3 ~ /\|/ {
      key[++n] = $2
      n_values[n] = split ($3, v, "|")
      for (i = 1; i <= n_values[n]; i++)
        value[n, i] = v[i]
      name = $1
    }
    function pair(a, i, b, j) { return a < b ? a SUBSEP i SUBSEP b SUBSEP j : b SUBSEP j SUBSEP a SUBSEP i }
    END {
      for (a = 1; a < n; a++)
        for (b = a + 1; b <= n; b++)
          for (i = 1; i <= n_values[a]; i++)
            for (j = 1; j <= n_values[b]; j++) {
              open[a, i, b, j] = 1
              left++
            }
      total = left
      while (left > 0 && rows < 1000) {
        split ("", chosen)
        for (a = 1; a < n && !(1 in started); a++)
          for (b = a + 1; b <= n && !(1 in started); b++)
            for (i = 1; i <= n_values[a] && !(1 in started); i++)
              for (j = 1; j <= n_values[b] && !(1 in started); j++)
                if ((a, i, b, j) in open) {
                  chosen[a] = i
                  chosen[b] = j
                  started[1]
                }
        delete started[1]
        for (a = 1; a <= n; a++) {
          if (a in chosen)
            continue
          best = 1
          most = -1
          for (i = 1; i <= n_values[a]; i++) {
            new = 0
            for (b in chosen)
              new += (pair(a, i, b, chosen[b]) in open)
            if (new > most) {
              most = new
              best = i
            }
          }
          chosen[a] = best
        }
        line = name "["
        for (a = 1; a <= n; a++) {
          line = line (a > 1 ? "," : "") key[a] "=" value[a, chosen[a]]
          for (b = a + 1; b <= n; b++)
            if ((a, chosen[a], b, chosen[b]) in open) {
              delete open[a, chosen[a], b, chosen[b]]
              left--
            }
        }
        print line "]"
        rows++
      }
      print total, left
    }'
}

# every pair of the parts that a scheduler can be put together from
for scheduler in late compass; do
  {
    "$BINNACLE" list schedulers --format csv | awk -F, -v name="$scheduler" '$1 == name'
    awk -F, -v name="$scheduler" -v OFS=, 'NR > 1 { print name, $1, $2, $3 }
      $1 == "decision-cost" { print name, $1, "0|10us|measured", $3 }' settings.csv
  } | pairwise >variants
  holds "every_pair_of_parts_is_there_for_$scheduler" \
    [ "$(tail -n 1 variants | awk '{ print ($1 > 500), $2 }')" = "1 0" ]
  sed '$d' variants >pairs
  for slots in 1 2; do
    cell "every_pair_of_parts_with_${slots}_slots_by_$scheduler" "$(wc -l <pairs)" \
      "$BN_SRCDIR/traces/scenarios/demo.ini" --set servers.slots=$slots --scheduler "$(paste -s -d , pairs)"
  done
done

# another seed is another workload
"$BINNACLE" run "$BN_SRCDIR/traces/scenarios/demo.ini" --seed "1 2" --scheduler jit,hash --set workload.jobs=60 \
  --set workload.noise=lognormal --set workload.noise-cv=0.5 --record tasks -q -o seeds.db >table 2>err
seeds=$("$query" seeds.db "SELECT (SELECT COUNT (*) FROM runs), (SELECT COUNT (DISTINCT create_ns) FROM jobs),
                                  (SELECT 2 * COUNT (DISTINCT factor) = COUNT (*) FROM tasks)")
holds another_seed_is_another_workload [ "$seeds" = "4|120|1" ]
finish
