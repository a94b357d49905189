#!/bin/sh
# cli_errors.sh: wrong command lines and wrong files, each with its message.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

db=$tmp/example.db
"$BN_BUILDDIR/tests/make_example_results" "$db" || exit 1
echo "not a database, but long enough to have a head" >"$tmp/text"
head -c 5000 "$db" >"$tmp/cut.db"
: >"$tmp/empty"
write="give one that binnacle run or compare has written"

refuses no_verb \
  "binnacle: no verb given; binnacle --help lists them" "$BINNACLE"
refuses unknown_verb_near_a_known_one \
  "binnacle: exprot: no such verb; did you mean export?" "$BINNACLE" exprot
refuses unknown_verb \
  "binnacle: zzzzzzzzz: no such verb; binnacle --help lists them" "$BINNACLE" zzzzzzzzz
refuses unknown_option \
  "binnacle: export: Unknown option --nonsense; see binnacle export --help" "$BINNACLE" export --nonsense
refuses option_without_its_value \
  "binnacle: export: Missing argument for --run; see binnacle export --help" "$BINNACLE" export tasks "$db" --run
refuses too_few_arguments \
  "binnacle: export: too few arguments; usage: binnacle export [OPTION…] tasks|jobs|perfetto FILE" "$BINNACLE" export
refuses too_many_arguments \
  "binnacle: explain: too many arguments; usage: binnacle explain [OPTION…] FILE --job N | FILE --slowest [N]" \
  "$BINNACLE" explain a b --job 1

refuses missing_file \
  "binnacle: $tmp/none.db: no such file; give a results file that binnacle run or compare has written" \
  "$BINNACLE" export tasks "$tmp/none.db"
refuses folder_as_file \
  "binnacle: $tmp: a folder, not a results file; $write" "$BINNACLE" export tasks "$tmp"
refuses foreign_file \
  "binnacle: $tmp/text: not a results file; $write" "$BINNACLE" explain "$tmp/text" --job 1
refuses empty_file \
  "binnacle: $tmp/empty: not a results file; $write" "$BINNACLE" plot "$tmp/empty" -o "$tmp/none"
refuses truncated_file \
  "binnacle: $tmp/cut.db: cannot read it: database disk image is malformed; make it again if it is damaged" \
  "$BINNACLE" export tasks "$tmp/cut.db"

runs="1 compass[adjust=off] seed 7, 2 hash seed 7"
refuses several_runs \
  "binnacle: $db: holds 2 runs; choose one with --run N: $runs" "$BINNACLE" export tasks "$db"
refuses run_that_is_not_there \
  "binnacle: $db: has no run 3; it holds $runs" "$BINNACLE" export tasks "$db" --run 3
refuses tasks_that_were_not_recorded \
  "binnacle: $db: run 2 has no tasks recorded; run it again with --set scenario.record=tasks" \
  "$BINNACLE" export tasks "$db" --run 2
refuses unknown_form \
  "binnacle: export: taks: no such form; did you mean tasks?" "$BINNACLE" export taks "$db"

refuses explain_without_a_job \
  "binnacle: explain: no job given; add --job N, counted from 0, or --slowest" "$BINNACLE" explain "$db" --run 1
refuses explain_with_two_wishes \
  "binnacle: explain: --job and --slowest at once; give one of them" \
  "$BINNACLE" explain "$db" --run 1 --job 0 --slowest
refuses explain_of_a_number_that_is_none \
  "binnacle: explain: --slowest x: not a number from 1 on; write FILE --slowest, or FILE --slowest 3; see binnacle\
 explain --help" "$BINNACLE" explain "$db" --run 1 --slowest x
refuses job_that_is_not_there \
  "binnacle: $db: run 1 has no job 99; its 4 jobs are numbered from 0" "$BINNACLE" explain "$db" --run 1 --job 99
expect job_that_was_not_done_is_a_finding 1 "" "$BINNACLE" explain "$db" --run 1 --job 1

refuses unknown_picture \
  "binnacle: plot: --only gannt: no such picture; did you mean gantt?" "$BINNACLE" plot "$db" --only gannt
refuses unknown_picture_format \
  "binnacle: plot: --format gif: no such format; use svg, png or pdf" "$BINNACLE" plot "$db" --format gif
refuses window_without_an_end \
  "binnacle: plot: --window: 10s is not FROM..TO, as 10s..20s" "$BINNACLE" plot "$db" --window 10s
refuses window_that_ends_before_it_begins \
  "binnacle: plot: --window: 20s..10s ends before it begins; write FROM..TO, as 10s..20s" \
  "$BINNACLE" plot "$db" --window 20s..10s

refuses unknown_topic \
  "binnacle: list: schedulrs: no such topic; did you mean schedulers?" "$BINNACLE" list schedulrs
refuses unknown_table_format \
  "binnacle: --format xml: no such format; use text, csv or json" "$BINNACLE" list metrics --format xml
finish
