#!/bin/sh
# trace_scenario.sh: scenarios replay public traces, and rules say what each row becomes.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
cd "$tmp" || exit 1

awk 'BEGIN {
  print "TIMESTAMP,ContextTokens,GeneratedTokens"
  for (i = 0; i < 120; i++)
    printf "2023-11-16 18:%02d:%02d.%07d,%d,%d\r\n", 17 + int(i / 40), i % 40 + 3, i * 7919, i * 61 % 4000, i % 50
}' >azure.csv
awk -F, 'NR == 1 { print "arrived_at,num_prefill_tokens,num_decode_tokens"; next }
{ t = substr($1, 15, 2) * 60 + substr($1, 18); if (NR == 2) first = t; sub(/\r/, "")
  printf "%.7f,%d,%d\n", t - first, $2, $3 }' azure.csv >vidur.csv
gzip -c vidur.csv >vidur.gz
{ head -1 vidur.csv; sed 1d vidur.csv | sort -r; } >unsorted.csv
"$BINNACLE" trace convert azure.csv -o converted.csv 2>/dev/null
gzip -c converted.csv >converted.gz
mkfifo pipe

# jobs_of NAME TRACE [SETTING...]: the jobs of a run go to NAME.
jobs_of () {
  jobs_name=$1
  jobs_trace=$2
  shift 2
  for setting; do
    set -- "$@" --set "$setting"
    shift
  done
  expect "runs_$jobs_name" 0 "binnacle: 1 run in $jobs_name.db; next: binnacle plot $jobs_name.db" \
    "$BINNACLE" run demo --scheduler compass --set workload.arrivals=trace --set "workload.trace=$jobs_trace" \
    --set scenario.record=jobs "$@" -o "$jobs_name.db"
  query "$jobs_name.db" "SELECT job_id, name, create_ns, end_ns
    FROM jobs JOIN workflows USING (run_id, workflow) ORDER BY job_id" >"$jobs_name"
}

jobs_of named azure-llm:azure.csv
jobs_of detected azure.csv
jobs_of twin vidur.csv
jobs_of packed vidur.gz
jobs_of sorted unsorted.csv workload.trace-sort=on
jobs_of mapped vidur.csv workload.trace-map=time=arrived_at:s
jobs_of converted_trace converted.csv
jobs_of converted_packed converted.gz
holds all_rows_become_jobs [ "$(wc -l <named)" -eq 120 ]
for other in detected twin packed sorted mapped converted_trace converted_packed; do
  holds "${other}_has_the_same_jobs" cmp named "$other"
done
holds a_pipe_is_refused_and_not_waited_for [ "$(timeout 30 "$BINNACLE" run demo --set workload.arrivals=trace \
  --set workload.trace=azure-llm:pipe -o none.db 2>&1)" = \
  "binnacle: pipe: is not a regular file, and is read more than once; write it to a file first" ]
holds the_digest_is_of_the_file [ "$(query packed.db 'SELECT trace_sha256 FROM runs')" = "$(sha256sum vidur.gz | cut -d' ' -f1)" ]
holds the_rule_is_recorded sh -c "\"$BN_BUILDDIR/tests/query_results\" sorted.db 'SELECT scenario_text FROM runs' |
  grep -qx 'workload.trace-sort = on'"

# what is left out is said
printf 't\n-1\n1\n\n2\n' >early.csv
printf 't\n3\n' >behind.csv
tar -cf early.tar early.csv behind.csv
expect what_is_left_out_is_said 0 "binnacle: trace: rows that are no arrivals are left out: 1, the first in line 2, before time 0;\
 binnacle trace info counts them
binnacle: trace: only the first file of the archive is read; unpack it to name another
binnacle: 1 run in early.db; next: binnacle plot early.db" "$BINNACLE" run demo --scheduler compass \
  --set workload.arrivals=trace --set workload.trace=csv:early.tar --set workload.trace-map=time=t:s -o early.db

rules='<=1000:img_to_sound, <= 2500 : question_answer, *:translation'
jobs_of by_size azure.csv workload.workflow-column=ContextTokens "workload.workflow-map=$rules"
awk -F, 'NR > 1 { print $2 <= 1000 ? "img_to_sound" : $2 <= 2500 ? "question_answer" : "translation" }' azure.csv >expected
cut -d'|' -f2 by_size >there
holds sizes_choose_the_workflow cmp expected there
jobs_of by_value azure.csv workload.workflow-column=GeneratedTokens \
  'workload.workflow-map=0:img_to_sound,49:question_answer,*:ImageObjDetect'
awk -F, 'NR > 1 { sub(/\r/, "", $3)
  print $3 == "0" ? "img_to_sound" : $3 == "49" ? "question_answer" : "ImageObjDetect" }' azure.csv >expected
cut -d'|' -f2 by_value >there
holds values_choose_the_workflow cmp expected there

# Runtimes follow the columns, times the noise there is; the load counts them; and whatever a run says about itself holds.
jobs_of by_tokens azure.csv scenario.record=tasks "workload.runtime-factor=0.5 + 0.001 * ContextTokens - 0.002 * GeneratedTokens"
query by_tokens.db "SELECT DISTINCT job_id, round (factor * 1e9) FROM tasks ORDER BY job_id" >there
awk -F, 'NR > 1 { printf "%d|%.1f\n", NR - 2, (0.5 + 0.001 * $2 - 0.002 * $3) * 1e9 }' azure.csv >expected
holds runtimes_follow_the_columns cmp expected there
holds a_run_by_rule_is_sound "$BINNACLE" check by_tokens.db
mean=$(awk -F, 'NR > 1 { sum += 0.5 + 0.001 * $2 - 0.002 * $3 } END { printf "%.9f", sum / (NR - 1) }' azure.csv)
holds the_load_counts_them [ "$(query by_tokens.db "ATTACH 'detected.db' AS plain;
  SELECT abs (a.offered_load / b.offered_load / $mean - 1) < 1e-9 FROM main.runs a, plain.runs b")" = 1 ]
refuses a_run_by_rule_is_not_replayed "binnacle: by_tokens.db: run 1 has runtimes by\
 workload.runtime-factor, which a replay does not know; give a run without" "$BINNACLE" replay by_tokens.db

# refused NAME MESSAGE SETTING...: the scenario does not load.
refused () {
  refused_name=$1
  refused_message=$2
  shift 2
  for setting; do
    set -- "$@" --set "$setting"
    shift
  done
  refuses "$refused_name" "binnacle: $refused_message" "$BINNACLE" run demo --set workload.arrivals=trace "$@"
}

refused unknown_format "--set 'workload.trace=azure-lm:azure.csv': workload.trace: 'azure-lm' is not a format of traces\
 (did you mean 'azure-llm'?); binnacle list traces has them all" workload.trace=azure-lm:azure.csv
refused not_sorted 'unsorted.csv:3: comes before the row before it; have rows put in order (--sort, or trace-sort = on)' \
  workload.trace=unsorted.csv
refused no_rule "azure.csv:3: '61' fits no rule of workflow-map; add one for it, or *:WORKFLOW for the rest" \
  workload.trace=azure.csv workload.workflow-column=ContextTokens workload.workflow-map=0:translation
refused rule_without_a_column "--set 'workload.workflow-map=*:translation': workload.workflow-map: needs the column that\
 it reads; set workflow-column" workload.trace=azure.csv 'workload.workflow-map=*:translation'
refused rule_of_no_workflow "--set 'workload.workflow-map=*:qna': workload.workflow-map: 'qna': is not a workflow of the\
 catalogue; write PATTERN:WORKFLOW, as *:translation" workload.trace=azure.csv workload.workflow-column=ContextTokens \
  'workload.workflow-map=*:qna'
refused no_such_column "azure.csv:1: there is no column 'ContextToken' (did you mean 'ContextTokens'?); there are\
 'TIMESTAMP, ContextTokens, GeneratedTokens'" workload.trace=azure.csv workload.workflow-column=ContextToken
refused factor_below_nothing "azure.csv:2: runtime-factor is 0; it may be 1e-6 to 100" workload.trace=azure.csv \
  'workload.runtime-factor=0 - 0.01 * ContextTokens'
refused factor_of_no_column "azure.csv:1: there is no column 'ContextToken' (did you mean 'ContextTokens'?);\
 there are 'TIMESTAMP, ContextTokens, GeneratedTokens'" workload.trace=azure.csv 'workload.runtime-factor=1 + ContextToken'
refused factor_that_is_no_sum "--set 'workload.runtime-factor=x * y': workload.runtime-factor: 'x' is no term; write a sum\
 such as 0.2 + 0.0004 * ContextTokens" workload.trace=azure.csv 'workload.runtime-factor=x * y'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n' >lfs.csv
refused git_lfs_pointer 'lfs.csv: is a Git LFS pointer and not the data; fetch that with git lfs pull' \
  workload.trace=lfs.csv
printf 'num_prefill_tokens,num_decode_tokens\n1,2\n3,4\n' >lengths.csv
refused no_times 'lengths.csv: holds no arrivals: 2 lengths of requests without their times' workload.trace=lengths.csv
finish
