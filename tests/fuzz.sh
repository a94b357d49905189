#!/bin/sh
# fuzz.sh: no bytes make a reader of traces, workflows or a scheduler's answers crash or say nothing.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Replays the corpora, whole and damaged. As a long test it damages more, and runs libFuzzer
# for a minute on each reader where the compiler has that.
. "$BN_SRCDIR/tests/lib.sh"

# fuzz TARGET CORPUS
fuzz () {
  corpus=$BN_SRCDIR/tests/corpus/$2
  rounds=100
  [ "$BN_TEST_LONG" = 0 ] || rounds=20000
  expect "$1: the corpus is read or refused" 0 "" "$BN_BUILDDIR/tests/$1_replay" "$corpus" "$rounds"
  holds "$1: the whole corpus was there" grep -qx "$(find "$corpus" -type f | wc -l) files" "$tmp/out"
  [ "$BN_TEST_LONG" != 0 ] && [ -x "$BN_BUILDDIR/tests/$1" ] || return 0
  for reader in $("$BN_BUILDDIR/tests/$1_replay" --readers); do
    mkdir "$tmp/$reader"
    holds "$1: a minute of libFuzzer on $reader" sh -c "cd '$tmp' && '$BN_BUILDDIR/tests/$1' --only '$reader' \
      -max_total_time=60 -max_len=4096 -timeout=10 '$reader' '$corpus'"
  done
}

fuzz fuzz_trace traces
fuzz fuzz_flow flows
fuzz fuzz_exec exec
finish
