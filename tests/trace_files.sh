#!/bin/sh
# trace_files.sh: public traces, unchanged, are read with the rows and sums that their publishers' files have.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# The files are data of others that is not shipped here: BN_TRACES names their folder; by default
# they are looked for beside the checkout.
. "$BN_SRCDIR/tests/lib.sh"

traces=${BN_TRACES:-$BN_SRCDIR/../shared/traces}
[ -d "$traces" ] || skip "no public traces in $traces; BN_TRACES=DIR names another folder"

# fact FILE FACT COLUMN VALUE: of the last `look`
fact () {
  there=$(awk -F, -v fact="$2" -v column="$3" '$1 == fact && $2 == column { print $3 }' "$tmp/facts")
  if awk -v a="$there" -v b="$4" 'BEGIN { d = a - b; exit !(a != "" && (d < 0 ? -d : d) <= 1e-12 * (b < 0 ? -b : b)) }'
  then
    good "$1: $2${3:+ of $3} is $4"
  else
    wrong "$1: $2${3:+ of $3} is $4" "is $there"
  fi
}

# Lines of FILE OPTIONS, then indented FACT COLUMN VALUE (column - for none).
while read -r first second third rest; do
  case $first in
    '' | '#'*) ;;
    file)
      file=$second
      # shellcheck disable=SC2086 # options are words
      expect "$file" 0 "" "$BINNACLE" trace info "$traces/$file" --table csv $third $rest
      cp "$tmp/out" "$tmp/facts" ;;
    *) fact "$file" "$first" "${second#-}" "$third" ;;
  esac
done <<'END'
file azure-llm-2023/AzureLLMInferenceTrace_code.csv
  arrivals - 8819
  span - 3435.948056
  ties - 0
  sum ContextTokens 18059974
  min ContextTokens 3
  max ContextTokens 7437
  sum GeneratedTokens 245896
  min GeneratedTokens 6
  max GeneratedTokens 1899
file vidur-processed/splitwise_code.csv
  arrivals - 8819
  last - 3435.948056
  sum arrived_at 13327267.954592
  sum num_prefill_tokens 18059974
  sum num_decode_tokens 245896
file mooncake-fast25/conversation_trace.head4000.jsonl
  arrivals - 4000
  first - 0
  last - 1301.999
  sum input_length 53249359
  sum output_length 1388321
file azure-functions-2021/Azure2021_200.csv
  arrivals - 199
  first - 0.0014909
  last - 1200.014798054
  sum end_timestamp 107793.73972415924
  sum duration 10599.17
  sum_of_durations - 10599.17
file alibaba-gpu-v2023/openb_pod_list_default.csv
  arrivals - 8152
  first - 0
  last - 12901761
  ties - 199
  sum cpu_milli 85436012
  sum memory_mib 303546211
  sum num_gpu 7433
  sum gpu_milli 5717800
  sum creation_time 94122763871
  numbers scheduled_time 7255
  empty scheduled_time 897
  empty gpu_spec 8152
  durations - 7255
file alibaba-gpu-v2023/openb_pod_list_gpuspec33.head2500.csv
  arrivals - 2500
  last - 10934159
  sum cpu_milli 23655928
  sum num_gpu 2269
  empty gpu_spec 1820
file elasticflow-philly/philly_103959.csv
  arrivals - 876
  last - 7910536
  ties - 51
  sum submit_time 3554454214
  sum duration 49556598
  sum num_gpu 1899
  max num_gpu 4
file gavel-philly/msr-seed0-2869ce.trace
  arrivals - 533
  first - 0
  last - 8141054
  sum total_steps 1339392653
  sum num_gpu 5425
file gavel-philly/physical_cluster-max_min_fairness.trace
  arrivals - 96
  last - 46317
  sum total_steps 18166806
  sum num_gpu 169
file opendc-samples/trace.swf
  arrivals - 5
  first - 0
  last - 310541
  sum run 94836
  sum procs 757
file opendc-samples/trace.gwf --sort
  arrivals - 70
  sum SubmitTime 2682
  sum RunTime 693
file opendc-samples/azure-v1-vmtable.csv.gz --sort
  arrivals - 10
  texts category 10
END

# windows FILE ROWS IDLE SUM: so many windows, so many of them without requests; arrivals are within four
# standard deviations of the sum of the rates times 600 s.
windows () {
  windows_file=servegen/$1-trace.csv
  expect "$windows_file" 0 "" "$BINNACLE" trace info "$traces/$windows_file" --table csv
  cp "$tmp/out" "$tmp/facts"
  fact "$windows_file" read "" "$2"
  fact "$windows_file" skipped "windows without requests" "$3"
  arrivals=$(awk -F, '$1 == "arrivals" { print $3 }' "$tmp/facts")
  holds "$windows_file: $arrivals arrivals follow the rates" awk -F, -v n="$arrivals" -v sum="$4" '
    { mean += 600 * $2; variance += 600 * $2 * $3 * $3 }
    END { off = n - 600 * sum; exit !(NR > 0 && (mean - 600 * sum) ^ 2 < 1e-12 && off * off <= 16 * variance) }' \
    "$traces/$windows_file"
}

windows reason-deepseek-r1/chunk-0 144 118 8.21
windows reason-deepseek-r1/chunk-1 144 34 18.025
windows reason-deepseek-r1/chunk-2 144 143 0.52
windows reason-deepseek-r1/chunk-3 144 131 154.0816666666667
windows reason-deepseek-r1/chunk-4 144 143 0.615
windows language-m-large/chunk-106 2016 2014 12.6183333333333
windows multimodal-mm-image/chunk-9 144 126 6.8316666666667
windows multimodal-mm-image/chunk-16 144 142 1.1216666666667

# names FILE TEXT: it holds no arrivals, and is called what it is.
names () {
  refuses "$1" "binnacle: $traces/$1: $2" "$BINNACLE" trace info "$traces/$1"
}

names alibaba-gpu-v2020/job_1_norm.csv \
  "holds no arrivals: 3000 mini-batch times of one job of the Alibaba GPU trace of 2020"
names alibaba-gpu-v2020/pai_machine_spec.tar.gz "holds no arrivals: 1897 machines of the Alibaba GPU trace of 2020"
names alibaba-gpu-v2023/openb_node_list_all_node.csv "holds no arrivals: 1523 machines of the Alibaba GPU trace of 2023"
names alibaba-gpu-v2023/openb_pod_list_multigpu50.head1000.csv \
  "holds no arrivals: 1000 pods of the Alibaba GPU trace of 2023 without their times"
names azure-functions-2021/dag_structure.csv \
  "holds no arrivals: 5 points of distributions of the width, depth and size of function DAGs"
names opendc-samples/bitbrains.head500.csv "holds no arrivals: 500 samples of one virtual machine's usage (Bitbrains)"
names sarathi-sharegpt-lengths/sharegpt_8k_filtered_stats_llama2_tokenizer.head3000.csv \
  "holds no arrivals: 3000 lengths of requests without their times"
names vidur-processed/arxiv_summarization_stats_llama2_tokenizer_filtered_v2.head3000.csv \
  "holds no arrivals: 3000 lengths of requests without their times"
for lengths in language-m-large/chunk-106 multimodal-mm-image/chunk-9 multimodal-mm-image/chunk-16 \
  reason-deepseek-r1/chunk-2; do
  names "servegen/$lengths-dataset.json" "holds distributions of lengths of one ServeGen client and no arrivals"
done
names pegasus-dax/genome.dax "is XML and no arrival trace; binnacle workflow reads workflows"
names dslab-dax/inspiral-100.xml "is XML and no arrival trace; binnacle workflow reads workflows"
names opendc-samples/wfformat-trace.json "is one object in JSON and no arrival trace; binnacle workflow reads workflows"
names hyperflow-montage/workflow.json "is one object in JSON and no arrival trace; binnacle workflow reads workflows"

# One trace in two forms, and what a conversion writes, are the same arrivals.
azure=$traces/azure-llm-2023/AzureLLMInferenceTrace_code.csv
convert () {
  "$BINNACLE" trace convert "$@" 2>"$tmp/err" | sed 1d | cut -d, -f1,3-
}
convert "$azure" | awk -F, -v OFS=, '{ print $1, $3, $4 }' >"$tmp/azure"
convert "$traces/vidur-processed/splitwise_code.csv" | awk -F, -v OFS=, '{ print $1, $3, $4 }' >"$tmp/vidur"
holds twins_are_equal cmp "$tmp/azure" "$tmp/vidur"
holds twins_have_all_rows [ "$(wc -l <"$tmp/azure")" -eq 8819 ]
"$BINNACLE" trace convert "$azure" -o "$tmp/once.csv" 2>"$tmp/err"
"$BINNACLE" trace convert "$tmp/once.csv" -o "$tmp/twice.csv" 2>"$tmp/err"
holds a_conversion_converts_to_itself cmp "$tmp/once.csv" "$tmp/twice.csv"
finish
