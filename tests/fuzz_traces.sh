#!/bin/sh
# fuzz_traces.sh: no bytes make the import of traces crash or say nothing.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Replays the corpus, whole and damaged. As a long test it damages more, and runs libFuzzer
# for a minute where the compiler has that.
. "$BN_SRCDIR/tests/lib.sh"
corpus=$BN_SRCDIR/tests/corpus/traces

rounds=100
[ "$BN_TEST_LONG" = 0 ] || rounds=20000
expect corpus_is_read_or_refused 0 "" "$BN_BUILDDIR/tests/fuzz_trace_replay" "$corpus" "$rounds"
holds the_whole_corpus_was_there grep -qx "$(find "$corpus" -type f | wc -l) files" "$tmp/out"
if [ "$BN_TEST_LONG" != 0 ] && [ -x "$BN_BUILDDIR/tests/fuzz_trace" ]; then
  mkdir "$tmp/found"
  holds a_minute_of_libfuzzer sh -c "cd '$tmp' && '$BN_BUILDDIR/tests/fuzz_trace' -max_total_time=60 -max_len=4096 \
    -timeout=10 found '$corpus'"
fi
finish
