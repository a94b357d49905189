#!/bin/sh
# mpi_sweep.sh: a sweep whose units other ranks run, under a real mpirun.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2013,SC2317
. "$BN_SRCDIR/tests/lib.sh"

cd "$tmp" || exit 1
cp "$BN_SRCDIR/traces/catalogue/paper.ini" catalogue.ini
cat >grid.ini <<'END'
[scenario]
seeds = 1 2 3
[servers]
count = 3
[workload]
catalogue = catalogue.ini
jobs = 200
[sweep]
scheduler = compass jit
workload.load = 0.4 0.8
END

# ---- without MPI ----

# As mpirun would start it, where the module is not.
mkdir modules
refuses first_rank_says_that_the_module_is_missing "binnacle: started with 3 ranks, but MPI cannot be used: module not found\
 at $tmp/modules/binnacle-mpi.so; BINNACLE_MODULE_DIR can name its folder; configure with --with-mpi, or start it without\
 mpirun" env BINNACLE_MODULE_DIR="$tmp/modules" OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 \
  "$BINNACLE" sweep grid.ini -o x.db
refuses other_ranks_say_nothing "" env BINNACLE_MODULE_DIR="$tmp/modules" OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=1 \
  "$BINNACLE" sweep grid.ini -o x.db
echo nothing >modules/binnacle-mpi.so
refuses module_that_is_none "binnacle: started with 3 ranks, but MPI cannot be used: module $tmp/modules/binnacle-mpi.so is\
 no shared object of this kind of machine; configure with --with-mpi, or start it without mpirun" env BINNACLE_MODULE_DIR="$tmp/modules" \
  OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 "$BINNACLE" sweep grid.ini -o x.db
holds nothing_was_made [ "$(echo x.db*)" = "x.db*" ]
expect one_rank_needs_no_module 0 "" env BINNACLE_MODULE_DIR="$tmp/modules" OMPI_COMM_WORLD_SIZE=1 \
  OMPI_COMM_WORLD_RANK=0 "$BINNACLE" sweep grid.ini -q -o whole.db

# ---- with MPI ----

[ -e "$BINNACLE_MODULE_DIR/binnacle-mpi.so" ] || {
  [ "$bad" -eq 0 ] || finish
  skip "the module was not built: Open MPI was not found"
}
command -v mpirun >/dev/null || skip "mpirun is not installed (Debian: openmpi-bin)"
# A container's only user may be root, and a machine have less than 3 processors.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

ranks () {
  mpirun -n 3 --oversubscribe "$BINNACLE" sweep "$@"
}

if ! mpirun -n 2 --oversubscribe true >mpirun.out 2>&1; then
  skip "mpirun cannot start anything here: $(head -n 3 mpirun.out | tr '\n' ' ')"
fi
dump whole.db >whole

# same NAME FILE: it says what the sweep made in one process says
same () {
  dump "$2" >"$tmp/dumped"
  holds "$1" cmp whole "$tmp/dumped"
  holds "$1: passes check" "$BINNACLE" check "$2"
  holds "$1: leaves nothing beside it" [ "$(echo "$2"*)" = "$2" ]
}

expect sweep_over_ranks 0 "binnacle: 2 cells with 6 runs each in ranks.db; next: binnacle plot ranks.db" \
  ranks grid.ini -o ranks.db --format csv
cp out table
holds table_is_printed_once [ "$(grep -c '^workload.load,variant' table)" -eq 1 ]
same ranks_make_the_same_file ranks.db
expect few_seeds 0 "" ranks grid.ini -q -o more.db --seeds 1
expect ranks_do_what_is_missing 0 "binnacle: 4 of 12 runs were in more.db already
binnacle: 2 cells with 6 runs each in more.db; next: binnacle plot more.db" ranks grid.ini -o more.db
same more_seeds_make_the_same_file more.db

# What is wrong is said once, and mpirun ends.
status=0
ranks grid.ini -o x.db --vary servers.cuont=3 >out 2>err || status=$?
holds bad_input_is_said_once [ "$status $(grep -c "'cuont' is not a key of" err)" = "2 1" ]
holds bad_input_makes_nothing [ "$(echo x.db*)" = "x.db*" ]

# A unit that fails is told with its reason.
printf '[scenario]\n[servers]\n[workload]\ncatalogue = catalogue.ini\narrivals = uniform\njobs = 20\n' >fail.ini
printf '[sweep]\nworkload.rate = 1/s 1e-9/s 2/s\n' >>fail.ini
status=0
ranks fail.ini -q -o fail.db >out 2>err || status=$?
holds unit_that_fails_is_named_and_the_others_go_on [ "$status $(grep '^binnacle:' err)" = "1 binnacle: workload.rate=1e-9/s,\
 seed 1 failed: job 4 would come after 146 years; set fewer jobs, an until or a higher rate
binnacle: 1 of 3 units failed; the others are in fail.db; the same command tries again" ]
holds others_are_there [ "$(query fail.db "SELECT group_concat (run_id, ' ') FROM runs")" = "1 3" ]

# Of a unit that crashes only that is lost, not its rank.
if [ -e "/proc/$$/task/$$/children" ]; then
  mpirun -n 2 --oversubscribe "$BINNACLE" sweep grid.ini -q -o crash.db --set workload.jobs=20000 --record summary \
    >/dev/null 2>err &
  mpirun=$!
  unit=
  while [ -z "$unit" ] && kill -0 $mpirun 2>/dev/null; do
    for rank in $(cat /proc/$mpirun/task/*/children 2>/dev/null); do
      unit=$(cat "/proc/$rank/task/$rank/children" 2>/dev/null)
      [ -z "$unit" ] || break
    done
  done
  # shellcheck disable=SC2086  # one word a process
  kill -KILL $unit
  wait $mpirun
  holds unit_that_crashes_is_named [ "$? $(grep '^binnacle:' err)" = \
    "1 binnacle: workload.load=0.4, seed 1 failed: ended by signal 9 (Killed)
binnacle: 1 of 6 units failed; the others are in crash.db; the same command tries again" ]
else
  echo "SKIP: /proc does not tell children, so none was killed"
fi

# What was done before mpirun is ended is kept.
ranks grid.ini -q -o stopped.db --set workload.jobs=20000 --record summary >/dev/null 2>stopped.err &
mpirun=$!
until [ "$(query stopped.db 'SELECT COUNT (*) FROM runs' 2>/dev/null || echo 0)" -ge 2 ]; do
  kill -0 $mpirun 2>/dev/null || break
done
kill -TERM $mpirun
wait $mpirun 2>/dev/null
holds stopped_sweep_passes_check "$BINNACLE" check stopped.db
"$BINNACLE" sweep grid.ini -q -o long.db --set workload.jobs=20000 --record summary >/dev/null
dump long.db >whole
expect stopped_sweep_goes_on 0 "" ranks grid.ini -q -o stopped.db --set workload.jobs=20000 --record summary
same stopped_sweep_makes_the_same_file stopped.db
finish
