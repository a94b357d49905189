#!/bin/sh
# trace_conversion.sh: public traces become arrivals, exactly.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

azure="$BN_SRCDIR/traces/convert/azure_llm.sh"
pods="$BN_SRCDIR/traces/convert/alibaba_pods.sh"

# same NAME: $tmp/out is $tmp/expected.
same () {
  if cmp -s "$tmp/out" "$tmp/expected"; then
    good "$1"
  else
    wrong "$1" "$(diff "$tmp/expected" "$tmp/out" | head -20)"
  fi
}

# CRLF, no last line end, the turn of a leap year's February, and 100 ns
printf '%s\r\n%s\r\n%s\r\n%s' 'TIMESTAMP,ContextTokens,GeneratedTokens' \
  '2024-02-29 23:59:59.9999999,5,6' '2024-03-01 00:00:00.0000001,7,8' '2025-03-01 00:00:00.5,9,10' > "$tmp/a.csv"
printf 'arrival_ms,context_tokens,generated_tokens\n0.0000,5,6\n0.0002,7,8\n31536000500.0001,9,10\n' > "$tmp/expected"
sh "$azure" "$tmp/a.csv" > "$tmp/out"
same azure_times_are_exact_to_100_ns_across_leap_days

printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,1,2\n' > "$tmp/a.csv"
printf 'arrival_ms,context_tokens,generated_tokens\n0.0000,1,2\n' > "$tmp/expected"
sh "$azure" "$tmp/a.csv" > "$tmp/out"
same azure_zones_and_six_digits_are_accepted

printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:01,1,2\n2024-05-10 00:00:00,1,2\n' > "$tmp/a.csv"
expect azure_rows_out_of_order 1 "$tmp/a.csv:3: earlier than the row before; sort the trace by time" sh "$azure" "$tmp/a.csv"
printf 'a,b\n1,2\n' > "$tmp/a.csv"
expect azure_needs_its_header 1 \
  "$tmp/a.csv:1: the header does not begin with TIMESTAMP; give an Azure LLM inference trace" sh "$azure" "$tmp/a.csv"
printf 'TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,2\n' > "$tmp/a.csv"
expect azure_needs_times 1 "$tmp/a.csv:2: not a row of TIMESTAMP,ContextTokens,GeneratedTokens" sh "$azure" "$tmp/a.csv"
printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n' > "$tmp/a.csv"
expect azure_needs_rows 1 "$tmp/a.csv: holds no rows" sh "$azure" "$tmp/a.csv"
expect azure_needs_a_file 2 "usage: azure_llm.sh [-o ARRIVALS.csv] FILE.csv" sh "$azure"

printf '%s\r\n%s\r\n%s\r\n%s\r\n%s' 'name,gpu_spec,creation_time,scheduled_time' \
  'p0,,12901761,' 'p1,V100|T4,100,100' 'p2,T40,427061,5' 'p3,T4,4000000,' > "$tmp/p.csv"
printf 'n,arrival_ms\n0,0\n1,426961000\n2,3999900000\n3,12901661000\n' > "$tmp/expected"
sh "$pods" "$tmp/p.csv" > "$tmp/out"
same pods_are_sorted_and_counted_from_the_first
printf 'n,arrival_ms\n0,0\n1,3999900000\n' > "$tmp/expected"
sh "$pods" "$tmp/p.csv" T4 > "$tmp/out"
same pods_of_one_gpu_are_kept
expect pods_of_no_gpu 1 "$tmp/p.csv: holds no pod that qualifies" sh "$pods" "$tmp/p.csv" H100
printf 'name,cpu_milli\np0,1\n' > "$tmp/p.csv"
expect pods_need_times 1 \
  "$tmp/p.csv:1: the header lacks creation_time or gpu_spec; give a pod list that has times" sh "$pods" "$tmp/p.csv"
printf 'n,arrival_ms\n0,0.0\n1,5\n' > "$tmp/p.csv"
expect pods_that_are_arrivals_already 1 \
  "$tmp/p.csv:1: holds arrivals already and needs no conversion; name it in workload.trace as it is" \
  sh "$pods" -o "$tmp/none.csv" "$tmp/p.csv"
expect azure_rows_that_are_none 1 "$tmp/a.csv: holds no rows" sh "$azure" -o "$tmp/none.csv" "$tmp/a.csv"
holds bad_input_leaves_no_output_file [ -z "$(ls "$tmp" | grep none)" ]

printf 'name,gpu_spec,creation_time\np0,,7\n' > "$tmp/p.csv"
printf 'TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:01,1,2\n' > "$tmp/a.csv"
expect pods_into_a_file 0 "" sh "$pods" -o "$tmp/pods.csv" "$tmp/p.csv"
expect azure_into_a_file 0 "" sh "$azure" -o "$tmp/azure.csv" "$tmp/a.csv"
holds files_hold_the_arrivals [ "$(cat "$tmp/pods.csv" "$tmp/azure.csv" | tr '\n' ' ')" = \
  "n,arrival_ms 0,0 arrival_ms,context_tokens,generated_tokens 0.0000,1,2 " ]

finish
