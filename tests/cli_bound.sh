#!/bin/sh
# cli_bound.sh: the bound of a scenario, and beside every comparison.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1

# One worker, tasks of 1 ms every 2 ms: nobody waits, and every scheduler is at the bound.
cat >lone.ini <<'END'
[scenario]
seeds = 7 8
[schedulers]
compare = jit, hash
[servers]
count = 1
[network]
small-limit = 0
[workload]
catalogue = bare.ini
arrivals = uniform
rate = 500/s
jobs = 100
END
cat >bare.ini <<'END'
[workflow bare]
[task bare/0]
input = 0
output = 0
runtime = 1ms
END

expect bound 0 "" "$BINNACLE" bound lone.ini --format csv
cat >expected <<'END'
seed,jobs,bound_latency_ms,bound_latency_kind,bound_slowdown,bound_slowdown_kind,work_slots,slots
7,100,1.002,per-job,1.002,per-job,0.5,1
8,100,1.002,per-job,1.002,per-job,0.5,1
END
holds bound_is_the_closed_form diff expected out
expect bound_of_one_seed 0 "" "$BINNACLE" bound lone.ini --seed 9 --steps 0
holds one_row_and_units sh -c "[ \$(wc -l <out) -eq 3 ] && sed -n 2p out | grep -q 'ms.*slots'"
refuses negative_steps "binnacle: bound: --steps -1: give a number from 0 to 100000" \
  "$BINNACLE" bound lone.ini --steps -1
refuses no_scenario \
  "binnacle: bound: too few arguments; usage: binnacle bound [OPTION…] SCENARIO.ini" "$BINNACLE" bound
refuses bad_key \
  "binnacle: --set 'workload.rate=0/s': rate: '0/s' is out of range; it may be 1e-09/s to 1000000000/s" \
  "$BINNACLE" bound lone.ini --set workload.rate=0/s

expect run 0 "" "$BINNACLE" run lone.ini -q -o lone.db --format csv
cut -d, -f1,2,4,8,10 out >columns
cat >expected <<'END'
variant,seed,latency_mean_ms,slowdown_mean,gap
jit,7,1.002,1.002,1
jit,8,1.002,1.002,1
hash,7,1.002,1.002,1
hash,8,1.002,1.002,1
bound,7,1.002,1.002,
bound,8,1.002,1.002,
END
holds run_ends_with_the_bound_of_each_seed diff expected columns
expect compare 0 "" "$BINNACLE" compare lone.db
holds compare_ends_with_one_bound sh -c "[ \$(grep -c '^bound ' out) -eq 1 ] && sed '/^\$/,\$d' out | tail -1 | grep -q '^bound  *2 '"
holds the_file_has_it [ "$("$BN_BUILDDIR/tests/query_results" lone.db \
  "SELECT DISTINCT bound_jobs, bound_latency_ns, bound_latency_kind, bound_slowdown_kind FROM runs")" \
  = "100|1002000|per-job|per-job" ]
holds rules_hold "$BINNACLE" check lone.db
finish
