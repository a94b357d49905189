#!/bin/sh
# alibaba_pods.sh: arrivals from the pod list of the Alibaba GPU trace of 2023.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
#   alibaba_pods.sh -o pods.csv openb_pod_list_default.csv
#   alibaba_pods.sh -o t4.csv openb_pod_list_gpuspec33.csv T4
#
# Without -o it writes to standard output; with it, it makes the file only if all
# is well.
#
# Takes the column creation_time (whole seconds; rows need not be in order) and
# writes n,arrival_ms, milliseconds since the first pod kept. With a GPU name only
# pods whose gpu_spec lists it are kept. CRLF line ends and a missing last line end
# are accepted.
set -eu
LC_ALL=C
export LC_ALL

out=
if [ "${1-}" = -o ] && [ $# -ge 2 ]; then
  out=$2
  shift 2
fi
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ ! -f "$1" ]; then
  echo "usage: alibaba_pods.sh [-o ARRIVALS.csv] FILE.csv [GPU]" >&2
  exit 2
fi

# In a pipeline the last command's status counts, so the rows go through a variable.
seconds=$(awk -v file="$1" -v gpu="${2-}" '
function fail(what) {
  printf "%s:%d: %s\n", file, NR, what > "/dev/stderr"
  exit 1
}
BEGIN { FS = "," }
{ sub(/\r$/, "") }
NR == 1 {
  sub(/^\357\273\277/, "")
  for (i = 1; i <= NF; i++)
    column[$i] = i
  if ("arrival_ms" in column)
    fail("holds arrivals already and needs no conversion; name it in workload.trace as it is")
  if (!("creation_time" in column) || !("gpu_spec" in column))
    fail("the header lacks creation_time or gpu_spec; give a pod list that has times")
  width = NF
  next
}
$0 == "" { next }
{
  if (NF != width || $column["creation_time"] !~ /^[0-9]+$/)
    fail("not a row with a creation_time in whole seconds")
  if (gpu == "" || index("|" $column["gpu_spec"] "|", "|" gpu "|") > 0)
    print $column["creation_time"]
}' "$1")

if [ -z "$seconds" ]; then
  echo "$1: holds no pod that qualifies" >&2
  exit 1
fi

write_arrivals () {
  printf '%s\n' "$seconds" | sort -n | awk '
BEGIN { print "n,arrival_ms" }
NR == 1 { first = $1 }
{ printf "%d,%.0f\n", NR - 1, ($1 - first) * 1000 }'
}

if [ -z "$out" ]; then
  write_arrivals
else
  trap 'rm -f "$out.part"' EXIT
  write_arrivals > "$out.part"
  mv "$out.part" "$out"
fi
