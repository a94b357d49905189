#!/bin/sh
# summary_counts.sh: the last line of `./bootstrap check` tells the truth.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

mkdir "$tmp/src" "$tmp/build" "$tmp/build/tests"
cp "$BN_SRCDIR/tests/summary" "$tmp/src/summary"
echo "may_skip: it needs what is not there" >"$tmp/src/allowed-skips"

# ran NAME RESULT: a test of that result; its log is standard input
ran () {
  cat >"$tmp/build/tests/$1.log"
  echo ":global-test-result: $2" >"$tmp/build/tests/$1.trs"
}

summary () {
  (CI=$1; export CI; "$tmp/src/summary" "$tmp/build" "$2")
}

# ends NAME STATUS LAST_LINE CI MAKE_STATUS
ends () {
  status=0
  summary "$4" "$5" >"$tmp/out" 2>&1 || status=$?
  holds "$1: status $2" [ "$status" -eq "$2" ]
  holds "$1: $3" [ "$(tail -n 1 "$tmp/out")" = "$3" ]
}

ends nothing_ran_is_a_failure 1 "0 passed, 0 failed, 0 skipped" false 0

printf 'Running suite(s): a\n100%%: Checks: 12, Failures: 0, Errors: 0\n' | ran unit PASS
printf 'ok one\nok two\n' | ran script PASS
: | ran plain PASS
ends single_cases_are_counted 0 "15 passed, 0 failed, 0 skipped" true 0
ends tests_that_do_not_build_are_a_failure 1 "15 passed, 1 failed, 0 skipped" false 2

echo "SKIP: no GPU" | ran may_skip SKIP
ends allowed_skip_passes_in_ci 0 "15 passed, 0 failed, 1 skipped" true 0
holds reason_of_a_skip_is_printed grep -qx 'SKIPPED: may_skip: no GPU' "$tmp/out"
printf 'ok one\nSKIP: no gnuplot\n' | ran partly PASS
ends skip_passes_elsewhere 0 "16 passed, 0 failed, 2 skipped" false 0
ends other_skip_fails_in_ci 1 "16 passed, 0 failed, 2 skipped" true 0
rm "$tmp/build/tests/partly."*

printf '75%%: Checks: 4, Failures: 1, Errors: 0\nx.c:5:F:core:it_works:0: no\n' | ran unit FAIL
printf 'ok one\nnot ok two\n' | ran script FAIL
echo "Segmentation fault" | ran plain FAIL
ends failures_are_counted_singly 1 "4 passed, 3 failed, 1 skipped" false 2
holds failure_is_shown grep -q 'x.c:5:F:core:it_works:0: no' "$tmp/out"
printf 'ok one\n' | ran script FAIL
ends program_that_fails_after_good_cases_fails 1 "4 passed, 3 failed, 1 skipped" false 2
finish
