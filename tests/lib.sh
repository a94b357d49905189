# lib.sh: what shell tests share; read with `. "$BN_SRCDIR/tests/lib.sh"`.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Gives $tmp, a folder that is removed at the end, and the commands below. Each
# case prints `ok NAME` or `not ok NAME` with what was wrong; `finish` ends the
# test. The program is $BINNACLE.
# shellcheck shell=sh disable=SC2317

set -u
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cases=0
bad=0

good () {
  cases=$((cases + 1))
  echo "ok $1"
}

wrong () {
  cases=$((cases + 1))
  bad=$((bad + 1))
  name=$1
  shift
  echo "not ok $name"
  for line; do
    echo "$line" | sed 's/^/    /'
  done
}

skip () {
  echo "SKIP: $*"
  exit 77
}

# expect NAME STATUS STDERR COMMAND...: the command ends with this status, and
# standard error is exactly this text. Its output is left in $tmp/out.
expect () {
  expect_name=$1
  expect_status=$2
  expect_error=$3
  shift 3
  status=0
  "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
  if [ "$status" -ne "$expect_status" ]; then
    wrong "$expect_name" "status $status instead of $expect_status" "$(cat "$tmp/err")"
  elif [ "$(cat "$tmp/err")" != "$expect_error" ]; then
    wrong "$expect_name" "said     $(cat "$tmp/err")" "expected $expect_error"
  else
    good "$expect_name"
  fi
}

# refuses NAME STDERR COMMAND...: as expect, with status 2 and nothing printed.
refuses () {
  refuses_name=$1
  refuses_error=$2
  shift 2
  expect "$refuses_name" 2 "$refuses_error" "$@"
  if [ -s "$tmp/out" ]; then
    wrong "$refuses_name: prints nothing" "$(head -c 300 "$tmp/out")"
  fi
}

# holds NAME COMMAND...: the command succeeds.
holds () {
  holds_name=$1
  shift
  if "$@" >"$tmp/holds" 2>&1; then
    good "$holds_name"
  else
    wrong "$holds_name" "failed: $*" "$(head -c 1000 "$tmp/holds")"
  fi
}

# query FILE SQL: rows, columns between bars.
query () {
  "$BN_BUILDDIR/tests/query_results" "$@"
}

# dump FILE: all that a results file holds but for columns marked volatile, by number.
dump () {
  dump_volatile=$(sed -n "s/^  \\([a-z_]*\\) .*volatile:.*/'\\1'/p" "$BN_SRCDIR/src/results/schema.sql" | paste -sd ,)
  query "$1" "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name" | while read -r dump_table; do
    echo "$dump_table"
    query "$1" "SELECT $(query "$1" "SELECT group_concat (name) FROM pragma_table_info ('$dump_table')
      WHERE name NOT IN ($dump_volatile)") FROM $dump_table ORDER BY 1"
  done
}

finish () {
  [ "$cases" -gt 0 ] || wrong "there are cases"
  [ "$bad" -eq 0 ]
  exit
}

# four_gpus: a scenario for schedulers of one's own, without them; its section [workload] is the last.
four_gpus () {
  cat <<END
[scenario]
record = tasks
[servers]
count = 4
memory = 14GB
[workload]
catalogue = $BN_SRCDIR/traces/catalogue/paper.ini
load = 0.6
jobs = 60
END
}

# What is said of runs whose decisions cost what they are measured to take.
# shellcheck disable=SC2034  # for tests
measured="binnacle: decision-cost = measured: a run again without --costs FILE measures other costs and has other times"
