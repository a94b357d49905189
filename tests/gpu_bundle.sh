#!/bin/sh
# gpu_bundle.sh: tests/gpu/run without a GPU, on the fake driver, and from a bundle elsewhere.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
. "$BN_SRCDIR/tests/lib.sh"
[ -f "$BN_BUILDDIR/tests/libfakecuda.so" ] || skip "the library Check is missing, so nothing that this needs was built"
[ -f "$BN_BUILDDIR/binnacle-cuda.so" ] || skip "there was no nvcc, so there is nothing to put into a bundle"

# says NAME STATUS TEXT COMMAND...: ends with this status, and a line of its output begins with this text.
says () {
  says_name=$1
  says_status=$2
  says_text=$3
  shift 3
  status=0
  "$@" >"$tmp/out" 2>&1 </dev/null || status=$?
  if [ "$status" -eq "$says_status" ] && grep -q "^$says_text" "$tmp/out"; then
    good "$says_name"
  else
    wrong "$says_name" "status $status instead of $says_status, or no line '$says_text'" "$(head -c 3000 "$tmp/out")"
  fi
}

says "without a driver it is skipped with the reason" 77 "SKIP: no driver: /nowhere/libcuda.so.1 cannot be opened" \
  env BINNACLE_CUDA_DRIVER=/nowhere/libcuda.so.1 "$BN_SRCDIR/tests/gpu/run"
says "without a device, too" 77 "SKIP: no device: " \
  env BINNACLE_CUDA_DRIVER="$BN_BUILDDIR/tests/libfakecuda.so" FAKE_CUDA_DEVICES=0 "$BN_SRCDIR/tests/gpu/run"
says "and with a driver that is too old" 77 "SKIP: driver too old: it supports CUDA 1.0, " \
  env BINNACLE_CUDA_DRIVER="$BN_BUILDDIR/tests/libfakecuda.so" FAKE_CUDA_VERSION=1000 "$BN_SRCDIR/tests/gpu/run"

holds "a bundle can be made" "$BN_SRCDIR/tests/gpu/bundle" "$tmp/bundle.tar.gz"
if [ "$(wc -c <"$tmp/bundle.tar.gz")" -lt 60000000 ]; then
  good "it has less than 60 MB"
else
  wrong "it has less than 60 MB" "$(ls -l "$tmp/bundle.tar.gz")"
fi
mkdir "$tmp/elsewhere"
tar -C "$tmp/elsewhere" -xf "$tmp/bundle.tar.gz"
run=$tmp/elsewhere/binnacle-gpu/run
says "elsewhere, with nothing around it, it is skipped without a driver" 77 "SKIP: no driver: " \
  env -i PATH=/usr/bin:/bin BINNACLE_CUDA_DRIVER=/nowhere/libcuda.so.1 "$run"
says "elsewhere, with nothing around it, it runs on a driver that is there" 0 "ok measurements" \
  env -i PATH=/usr/bin:/bin BINNACLE_CUDA_DRIVER="$BN_BUILDDIR/tests/libfakecuda.so" BINNACLE_CUBLAS=no \
  BN_GPU_SMALL=1 "$run"
cp "$tmp/out" "$tmp/ran"
for line in "on Fake 0" "ok the contract of every backend" "ok a whole run" "ok the rules" \
  "not run: no compute-sanitizer" "    each more launch"; do
  holds "it says '$line'" grep -q "^$line" "$tmp/ran"
done
says "what fails on the device fails the script" 1 "not ok the contract" \
  env -i PATH=/usr/bin:/bin BINNACLE_CUDA_DRIVER="$BN_BUILDDIR/tests/libfakecuda.so" BINNACLE_CUBLAS=no \
  BN_GPU_SMALL=1 FAKE_CUDA_FAIL_KERNEL=20 "$run"
finish
