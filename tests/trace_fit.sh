#!/bin/sh
# trace_fit.sh: traces are fitted by a process whose lines a scenario takes, and what is not matched is said.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1

# fits NAME OPTION...: of the file t, into fitted
fits () {
  fits_name=$1
  shift
  expect "$fits_name" 0 "" "$BINNACLE" trace fit t "$@"
  cp out fitted
}

# says NAME LINE: a whole line of fitted, but for blanks at its ends
says () {
  if sed 's/^ *//; s/ *$//' fitted | grep -qxF -e "$2"; then
    good "$1"
  else
    wrong "$1" "has no line: $2" "$(cat fitted)"
  fi
}

# every 250 ms
awk 'BEGIN { print "t"; for (i = 1; i <= 2000; i++) print i * 250 }' >t
fits constant_gaps --map time=t:ms
says constant_gaps_are_uniform 'arrivals = uniform'
says constant_gaps_have_their_rate 'rate = 4/s'
says constant_gaps_are_matched 'all of these are matched'

# and with a jitter of a millisecond
awk 'BEGIN { print "t"; for (i = 1; i <= 2000; i++) print i * 250 + i % 3 % 2 }' >t
fits nearly_constant_gaps --map time=t:ms
says nearly_constant_gaps_are_uniform 'arrivals = uniform'
says nearly_constant_gaps_are_matched 'all of these are matched'

# pairs of short and of long gaps, without order otherwise: the times of a linear congruential generator
awk 'BEGIN { print "t"; x = 1
  for (i = 0; i < 3000; i++) {
    x = (x * 16807) % 2147483647
    gap = x % 2 ? 0.1 : 1.9
    t += gap; print t; t += gap; print t
  } }' >t
fits pairs_of_gaps --map time=t:s
says pairs_hang_together 'arrivals = correlated'
says pairs_have_one_lag '- autocorrelation at lag 2, 5: the trace'"'"'s memory does not fade by one factor'

# what is printed is taken by a scenario as it is
{
  printf '[scenario]\nname = fitted\n[servers]\ncount = 2\n'
  sed -n '/^\[workload\]/,/^$/p' fitted
  printf 'jobs = 200\ncatalogue = %s/traces/catalogue/paper.ini\n' "$BN_SRCDIR"
} >s.ini
expect a_scenario_takes_what_is_printed 0 "" "$BINNACLE" run s.ini -q -o s.db
holds the_run_has_that_process [ "$(query s.db 'SELECT arrivals FROM runs')" = correlated ]

# csv and json: every figure, and the settings
"$BINNACLE" trace fit t --map time=t:s --table csv >a.csv
"$BINNACLE" trace fit t --map time=t:s --table csv >b.csv
holds it_is_the_same_each_time cmp a.csv b.csv
holds csv_has_a_header grep -qx 'figure,measured,standard_error,process,matched' a.csv
holds csv_has_settings grep -qx 'arrivals = correlated,,,,' a.csv
"$BINNACLE" trace fit t --map time=t:s --table csv --seed 2 >b.csv
holds another_seed_measures_other_arrivals sh -c '! cmp -s a.csv b.csv'
"$BINNACLE" trace fit t --map time=t:s --table json >a.json
holds json_has_settings grep -q '"figure": *"arrivals = correlated", *"measured": *null' a.json

# a daily shape is not in any of these processes
awk 'BEGIN { print "t"; x = 1; pi = 3.14159265358979
  while (n < 20000) {
    x = (x * 16807) % 2147483647
    t -= log (x / 2147483647) / (1 + 0.2 * sin (2 * pi * t / 5000)); printf "%.6f\n", t; n++
  } }' >t
fits a_rate_that_changes --map time=t:s
says counts_are_not_matched "- counts vary more over time than the process's: the rate changes (see trace info, and\
 rate-shape), or memory is longer"

# options of any import
fits a_limited_trace --map time=t:s --limit 500
says few_arrivals_are_said 'few arrivals: of 499 gaps an autocorrelation is known to ±0.045, and the cv to ±0.049'
holds rows_are_counted grep -q '^[0-9]* rows read, 500 arrivals' fitted

printf 't\n1\n2\n' >t
refuses two_arrivals \
  'binnacle: t: gives less than three arrivals; a process is fitted to three or better to a thousand' \
  "$BINNACLE" trace fit t --map time=t:s
printf 't\n7\n7\n7\n' >t
refuses all_at_one_time 'binnacle: t: gives 3 arrivals at one time, which no process does; give more of the trace' \
  "$BINNACLE" trace fit t --map time=t:s
printf 't\n3\n1\n2\n' >t
refuses unsorted_rows \
  'binnacle: t:3: comes before the row before it; have rows put in order (--sort, or trace-sort = on)' \
  "$BINNACLE" trace fit t --map time=t:s
fits sorted_rows --map time=t:s --sort
says sorted_rows_are_uniform 'arrivals = uniform'
says three_rows_are_few 'few arrivals: of 2 gaps an autocorrelation is known to ±0.71, and the cv to ±0'
: >t
refuses empty_file 'binnacle: t: is empty; is the download complete?' "$BINNACLE" trace fit t
refuses output_is_for_convert 'binnacle: trace: --output is for convert; info and fit print' \
  "$BINNACLE" trace fit t -o x
refuses table_of_another_format "$("$BINNACLE" trace info t --table xml 2>&1 | sed 's/info/fit/')" \
  "$BINNACLE" trace fit t --table xml

# near NAME KEY VALUE TOLERANCE: what fitted has for a key of [workload]
near () {
  there=$(sed -n "s/^$2 = \\([-0-9.e]*\\).*/\\1/p" fitted)
  if awk -v a="$there" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(a != "" && d < t && d > -t) }'; then
    good "$1"
  else
    wrong "$1" "$2 is $there, not $3 within $4" "$(cat fitted)"
  fi
}

# what was made with a memory is given back
"$BINNACLE" trace generate arrivals=correlated cv=2 autocorrelation=0.2 autocorr-decay=0.95 rate=5/s jobs=50000 >t 2>made
fits made_with_a_memory
says made_with_a_memory_is_so 'arrivals = correlated'
near made_rate rate 5 0.4
near made_cv cv 2 0.1
near made_autocorrelation autocorrelation 0.2 0.03
near made_decay autocorr-decay 0.95 0.02
says made_with_a_memory_is_matched 'all of these are matched'

# public traces, where they are
traces=${BN_TRACES:-$BN_SRCDIR/../shared/traces}
if [ -d "$traces" ]; then
  cp "$traces/azure-llm-2023/AzureLLMInferenceTrace_code.csv" t
  fits azure_llm
  says azure_llm_is_bursty 'arrivals = gamma'
  says azure_llm_has_its_variation 'cv = 13.15'
  says azure_llm_has_no_ties \
    "- ties: 0.0 % of the arrivals come at the time of the one before, and 86.3 % of the process's"
  cp "$traces/alibaba-gpu-v2023/openb_pod_list_default.csv" t
  fits alibaba_pods
  says alibaba_pods_hang_together 'arrivals = correlated'
  says alibaba_pods_hang_together_by_so_much 'autocorrelation = 0.483'
else
  echo "SKIP: no public traces in $traces; BN_TRACES=DIR names another folder"
fi

# Memory does not grow with the trace.
memory_of () {
  awk -v n="$1" 'BEGIN { print "t"; for (i = 1; i <= n; i++) print i + i % 7 / 8 }' >rows.csv
  "$BN_BUILDDIR/tests/peak_memory" kb "$BINNACLE" trace fit rows.csv --map time=t:s >/dev/null
  cat kb
}
few=$(memory_of 5000)
many=$(memory_of 500000)
holds "memory_is_flat ($few kB, $many kB)" [ "$many" -le $((few + 1024)) ]
finish
