#!/bin/sh
# cuda_run.sh: whole runs of the program with --backend cuda on the fake driver, faults included: every
# rule of results holds, and what failed is told.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
[ -f "$BN_BUILDDIR/tests/libfakecuda.so" ] || skip "the library Check is missing, so nothing that this needs was built"
[ -f "$BN_BUILDDIR/binnacle-cuda.so" ] || skip "there was no nvcc, so the module was not built"
BINNACLE_CUDA_DRIVER=$BN_BUILDDIR/tests/libfakecuda.so
BINNACLE_CUBLAS=no
FAKE_CUDA_DEVICES=2
export BINNACLE_CUDA_DRIVER BINNACLE_CUBLAS FAKE_CUDA_DEVICES

# run NAME [VARIABLE=VALUE...]: a verified run, and the rules of its results.
run () {
  run_name=$1
  shift
  holds "$run_name ends" env "$@" "$BINNACLE" run "$BN_SRCDIR/tests/gpu/scenario.ini" --scale 0.001x --quiet \
    --no-bound --scheduler compass --set workload.jobs=30 --set workload.rate=200/s -o "$tmp/$run_name.db"
  holds "$run_name keeps every rule" "$BINNACLE" check "$tmp/$run_name.db"
}

# is NAME VALUE SQL
is () {
  value=$(query "$tmp/$1.db" "$3")
  if [ "$value" = "$2" ]; then
    good "$1: $3"
  else
    wrong "$1: $3" "$value instead of $2"
  fi
}

run healthy
is healthy 30 "SELECT count(*) FROM jobs WHERE state = 'done'"
is healthy 0 "SELECT count(*) FROM failures"

# One copy and one launch: both are tried again.
run a_failed_copy FAKE_CUDA_FAIL_COPY=9 FAKE_CUDA_ERROR=1
is a_failed_copy 30 "SELECT count(*) FROM jobs WHERE state = 'done'"
is a_failed_copy 1 "SELECT count(*) FROM failures WHERE reason LIKE '%CUDA_ERROR_INVALID_VALUE%'"

run a_failed_launch FAKE_CUDA_FAIL_LAUNCH=99 FAKE_CUDA_ERROR=701
is a_failed_launch 30 "SELECT count(*) FROM jobs WHERE state = 'done'"
is a_failed_launch 1 "SELECT count(*) FROM failures WHERE reason LIKE '%CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES%'"

# A device: its workers go, and who needed what only they had. The other one goes on.
run a_lost_gpu FAKE_CUDA_FAIL_KERNEL=200 FAKE_CUDA_ERROR=700
is a_lost_gpu 1 "SELECT count(*) > 0 FROM failures WHERE reason LIKE '%CUDA_ERROR_ILLEGAL_ADDRESS%'"
is a_lost_gpu 1 "SELECT count(*) > 5 FROM jobs WHERE state = 'done'"
is a_lost_gpu 0 "SELECT count(*) FROM jobs WHERE state NOT IN ('done', 'failed')"

run slow_streams FAKE_CUDA_DELAY_US=100
is slow_streams 30 "SELECT count(*) FROM jobs WHERE state = 'done'"
finish
