#!/bin/sh
# replay.sh: the jobs that a run has written out, replayed, give the run back.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"

# Runtimes are random and loads contend, so that little must differ to differ much.
play () {
  play_db=$1
  shift
  "$BINNACLE" run "$BN_SRCDIR/traces/scenarios/mixed.ini" --record tasks --seed 7 --set workload.jobs=300 \
    --set options.contention=fifo --scheduler 'compass, jit, sparrow' -q -o "$play_db" "$@" >"$tmp/table"
}

holds records play "$tmp/recorded.db"
holds writes_its_jobs "$BINNACLE" export jobs "$tmp/recorded.db" --run 1 -o "$tmp/jobs.csv"
holds there_are_jobs [ "$(wc -l <"$tmp/jobs.csv")" -eq 301 ]
holds replays play "$tmp/replayed.db" --set workload.arrivals=trace --set "workload.trace=$tmp/jobs.csv" \
  --set workload.time-column=create_ns --set workload.time-unit=ns --set workload.workflow-column=workflow \
  --set workload.ingress-column=ingress
for run in 1 2 3; do
  "$BINNACLE" export tasks "$tmp/recorded.db" --run $run >"$tmp/recorded.csv"
  "$BINNACLE" export tasks "$tmp/replayed.db" --run $run >"$tmp/replayed.csv"
  holds "run_$run: there are tasks" [ "$(wc -l <"$tmp/recorded.csv")" -gt 900 ]
  holds "run_$run: is given back to the byte" cmp "$tmp/recorded.csv" "$tmp/replayed.csv"
done
finish
