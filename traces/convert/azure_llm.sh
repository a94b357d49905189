#!/bin/sh
# azure_llm.sh: arrivals from an Azure LLM inference trace.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
#   azure_llm.sh -o code.csv AzureLLMInferenceTrace_code.csv
#
# Without -o it writes to standard output; with it, it makes the file only if all
# is well.
#
# Reads TIMESTAMP,ContextTokens,GeneratedTokens with times such as
# 2023-11-16 18:17:03.9799600 (up to 7 digits of a second, an optional zone that
# is ignored). Writes arrival_ms,context_tokens,generated_tokens, arrival_ms being
# milliseconds since the first row with four decimals, exact to 100 ns. CRLF line
# ends and a missing last line end are accepted. Rows must be in order of time.
set -eu
LC_ALL=C
export LC_ALL

out=
if [ "${1-}" = -o ] && [ $# -ge 2 ]; then
  out=$2
  shift 2
fi
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
  echo "usage: azure_llm.sh [-o ARRIVALS.csv] FILE.csv" >&2
  exit 2
fi

write_arrivals () {
  awk -v file="$1" '
function fail(what) {
  printf "%s:%d: %s\n", file, NR, what > "/dev/stderr"
  failed = 1
  exit 1
}
# days since some fixed day of the Gregorian calendar
function day_number(year, month, day) {
  if (month <= 2) {
    year--
    month += 12
  }
  return 365 * year + int(year / 4) - int(year / 100) + int(year / 400) + int((153 * (month - 3) + 2) / 5) + day
}
BEGIN { FS = ","; OFS = "," }
{ sub(/\r$/, "") }
NR == 1 {
  sub(/^\357\273\277/, "")
  if ($1 != "TIMESTAMP")
    fail("the header does not begin with TIMESTAMP; give an Azure LLM inference trace")
  print "arrival_ms,context_tokens,generated_tokens"
  next
}
$0 == "" { next }
{
  if (NF != 3 || $1 !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9](\.[0-9]+)?([+-][0-9][0-9]:[0-9][0-9])?$/)
    fail("not a row of TIMESTAMP,ContextTokens,GeneratedTokens")
  day = day_number(substr($1, 1, 4) + 0, substr($1, 6, 2) + 0, substr($1, 9, 2) + 0)
  second = substr($1, 12, 2) * 3600 + substr($1, 15, 2) * 60 + substr($1, 18, 2)
  fraction = "0"
  if (substr($1, 20, 1) == ".") {
    fraction = substr($1, 21)
    sub(/[+-].*$/, "", fraction)
  }
  fraction = substr(fraction "0000000", 1, 7)
  if (n++ == 0) {
    first_day = day
    first_second = second
    first_fraction = fraction + 0
  }
  # units of 100 ns since the first row: whole numbers that a double holds exactly
  ticks = ((day - first_day) * 86400 + second - first_second) * 10000000 + fraction - first_fraction
  if (ticks < last)
    fail("earlier than the row before; sort the trace by time")
  last = ticks
  ms = int(ticks / 10000)
  printf "%.0f.%04d,%s,%s\n", ms, ticks - ms * 10000, $2, $3
}
END {
  if (!failed && n == 0) {
    printf "%s: holds no rows\n", file > "/dev/stderr"
    exit 1
  }
}' "$1"
}

if [ -z "$out" ]; then
  write_arrivals "$1"
else
  trap 'rm -f "$out.part"' EXIT
  write_arrivals "$1" > "$out.part"
  mv "$out.part" "$out"
fi
