#!/bin/sh
# cli_output.sh: output that cannot be written, and what is left of it.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# Nothing here relies on permissions, which root does not feel: places that cannot
# be written are a file as a folder, /dev/full and a limit on the size of files.
# shellcheck disable=SC2317,SC2012
. "$BN_SRCDIR/tests/lib.sh"

db=$tmp/example.db
"$BN_BUILDDIR/tests/make_example_results" "$db" || exit 1
mkdir "$tmp/out.d"
place="choose a place that can be written and has room"

full () {
  "$@" >/dev/full
}

closed () {
  "$@" >&-
}

limited () {
  (ulimit -f 1; "$@")
}

refuses full_standard_output \
  "binnacle: standard output: cannot write: No space left on device; $place" full "$BINNACLE" export tasks "$db" --run 1
refuses full_standard_output_of_help \
  "binnacle: standard output: cannot write: No space left on device; $place" full "$BINNACLE" --help
refuses closed_standard_output \
  "binnacle: standard output: cannot write: Bad file descriptor; $place" closed "$BINNACLE" export tasks "$db" --run 1
refuses full_device_as_file \
  "binnacle: /dev/full: cannot write: No space left on device; $place" \
  "$BINNACLE" export tasks "$db" --run 1 -o /dev/full
refuses file_as_folder \
  "binnacle: $db/x.csv: cannot write: Not a directory; $place" "$BINNACLE" export tasks "$db" --run 1 -o "$db/x.csv"
refuses folder_as_file \
  "binnacle: $tmp/out.d: cannot write: Is a directory; $place" "$BINNACLE" export tasks "$db" --run 1 -o "$tmp/out.d"
refuses folder_that_is_not_there \
  "binnacle: $tmp/none/x.csv: cannot write: No such file or directory; $place" \
  "$BINNACLE" export tasks "$db" --run 1 -o "$tmp/none/x.csv"

refuses disk_that_fills_up \
  "binnacle: $tmp/out.d/t.json: cannot write: File too large; $place" \
  limited "$BINNACLE" export perfetto "$db" --run 1 -o "$tmp/out.d/t.json"
holds disk_that_fills_up_leaves_nothing [ -z "$(ls -A "$tmp/out.d")" ]

echo before >"$tmp/out.d/kept.json"
limited "$BINNACLE" export perfetto "$db" --run 1 -o "$tmp/out.d/kept.json" 2>/dev/null
holds failed_write_keeps_the_old_file [ "$(cat "$tmp/out.d/kept.json")" = before ]
holds failed_write_leaves_no_other_file [ "$(ls -A "$tmp/out.d")" = kept.json ]

expect whole_file 0 "" "$BINNACLE" export tasks "$db" --run 1 -o "$tmp/out.d/kept.json"
"$BINNACLE" export tasks "$db" --run 1 >"$tmp/direct.csv"
holds file_and_standard_output_are_the_same cmp "$tmp/direct.csv" "$tmp/out.d/kept.json"
"$BINNACLE" export tasks "$db" --run 1 -o - >"$tmp/dash.csv"
holds a_dash_is_standard_output cmp "$tmp/direct.csv" "$tmp/dash.csv"

"$BINNACLE" export tasks "$db" --run 1 -o /dev/stdout 2>/dev/null | cat >"$tmp/pipe.csv"
holds a_pipe_is_written_in_place cmp "$tmp/direct.csv" "$tmp/pipe.csv"

broken=$({ sleep 1; "$BINNACLE" export perfetto "$db" --run 1; } 2>&1 >/dev/null | cat)
holds nothing_is_said_where_all_is_well [ -z "$broken" ]
said=$({ { sleep 1; "$BINNACLE" export tasks "$db" --run 1; echo "status $?" >&2; } | :; } 2>&1)
holds reader_that_left_is_no_message [ "$said" = "status 0" ]
said=$({ { sleep 1; "$BINNACLE" check "$db"; echo "status $?" >&2; } | :; } 2>&1)
"$BINNACLE" check "$db" >"$tmp/checked" 2>&1
holds check_says_what_it_found_to_a_reader_that_left [ "$said" = "status $?" ]
said=$({ { sleep 1; "$BINNACLE" run "$BN_SRCDIR/traces/scenarios/demo.ini" --set workload.jobs=3 -q -o "$tmp/left.db"
  echo "status $?" >&2; } | :; } 2>&1)
holds reader_that_left_does_not_cost_the_results [ "$said" = "status 0" ]
holds results_without_a_reader_are_whole "$BINNACLE" check "$tmp/left.db"
finish
