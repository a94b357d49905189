#!/bin/sh
# same_bytes.sh: every compiler, optimisation and processor gives the same numbers.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# The program is compiled anew without optimisation and with clang; the copy with
# sanitizers is there already. The scenarios draw on every random distribution.
# shellcheck disable=SC2012,SC2317,SC2046
. "$BN_SRCDIR/tests/lib.sh"

cat >"$tmp/scenario.ini" <<END
[scenario]
record = tasks
seeds = 7
[servers]
count = 4
memory = 14GB
slots = 2
[schedulers]
compare = compass, compass[queue=srpt,prefetch=next], jit[queue=slowdown,contention=fifo],\
 heft[central,insertion,decision-cost=10us], hash, hash[random], random[evict=lru], least-loaded, po2, sparrow,\
 late[steal-poll=1ms,decision-cost=1ms], late-overlap[contention=fifo], pull[overlap=order,proactive],\
 sparrow[steal,overlap=bypass,queue=key[h=4]], late-overlap[clairvoyant],\
 compass[ft=classes,ties=random,redecide,steal,reserve=published,load-staleness=interval:3ms]
[workload]
catalogue = $BN_SRCDIR/traces/catalogue/paper.ini
arrivals = poisson
load = 0.95
jobs = 150
noise = lognormal
noise-cv = 0.7
profile-error = 2
END

# numbers FILE PROGRAM: everything that a run gives
numbers () {
  numbers_file=$1
  shift
  : >"$numbers_file"
  for set in arrivals=poisson arrivals=uniform arrivals=gamma arrivals=correlated arrivals=onoff\
    noise=exponential noise=gamma rate-shape=diurnal rate-shape=spike; do
    rm -f "$tmp/x.db"
    "$@" run "$tmp/scenario.ini" -q --format csv --set "workload.$set" --set workload.cv=1.7 --set workload.on=3s \
      --set workload.off=2s --set workload.shape-period=1min -o "$tmp/x.db" >>"$numbers_file" || return 1
    for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
      "$@" export tasks "$tmp/x.db" --run $run >>"$numbers_file" || return 1
    done
    "$@" metrics "$tmp/x.db" --format csv >>"$numbers_file" || return 1
    "$@" bound "$tmp/scenario.ini" --format csv --set "workload.$set" --set workload.cv=1.7 --set workload.on=3s \
      --set workload.off=2s --set workload.shape-period=1min >>"$numbers_file" || return 1
  done
  # what is made of runs: intervals over seeds, within a run, and of resampled traces
  for options in "--precision 40% --max-seeds 20" "--seed 1 --record jobs --set workload.jobs=1000" \
    "--seed 1..3 --set workload.arrivals=trace --set workload.trace=$BN_SRCDIR/traces/arrivals/sample.csv\
 --set workload.trace-resample=blocks"; do
    rm -f "$tmp/x.db"
    # shellcheck disable=SC2086  # a list of options
    "$@" compare "$tmp/scenario.ini" -q --format csv --scheduler 'compass, late' -o "$tmp/x.db" $options \
      >>"$numbers_file" 2>>"$numbers_file" || [ $? -eq 1 ] || return 1
    "$@" metrics "$tmp/x.db" --ratio-to compass --format csv >>"$numbers_file" || return 1
  done
  for dag in layered fork-join tree; do
    rm -f "$tmp/flows.ini"
    "$@" trace generate --scenario "$tmp/scenario.ini" --dag $dag --workflows 20 --runtime 1s:cv=0.7 \
      --catalogue "$tmp/flows.ini" 'mix=zipf(1.1)' >>"$numbers_file" 2>>"$numbers_file" || return 1
    cat "$tmp/flows.ini" >>"$numbers_file"
  done
}

# same NAME PROGRAM...: its numbers are those of the program as built
same () {
  same_name=$1
  shift
  if numbers "$tmp/other" "$@" 2>"$tmp/err"; then
    holds "same_bytes_$same_name" cmp "$tmp/as-built" "$tmp/other"
  else
    wrong "same_bytes_$same_name" "$(cat "$tmp/err")"
  fi
}

# compile PROGRAM COMPILER FLAG...
compile () {
  compile_out=$1
  compiler=$2
  shift 2
  rooms=""
  for room in src src/calibration src/commands src/explain src/plan src/plot src/replay src/results src/scenario \
              src/schedulers src/statistics src/sweep src/traces \
              backends backends/nn backends/cpu sim/base sim/stat sim/platform sim/workload sim/workload/flows \
              sim/workload/readers sim/cost sim/bound sim/view sim/sched sim/cluster sim/engine; do
    rooms="$rooms -I$BN_SRCDIR/$room"
  done
  # shellcheck disable=SC2086,SC2046  # lists of flags
  $compiler -std=gnu11 -w -ffp-contract=off "$@" $rooms -I"$BN_BUILDDIR" -I"$BN_BUILDDIR/src/results" \
    -DBN_PKGDATADIR='""' -DBN_PKGLIBDIR='""' -DBN_BUILDDIR='""' -DBN_SRCDIR='""' -o "$compile_out" \
    "$BN_SRCDIR"/src/*.c "$BN_SRCDIR"/src/[!m]*/*.c "$BN_SRCDIR"/backends/*.c "$BN_SRCDIR"/backends/nn/*.c \
    "$BN_SRCDIR"/backends/cpu/*.c "$BN_SRCDIR"/sim/*/*.c \
    "$BN_SRCDIR"/sim/workload/*/*.c $(pkg-config --cflags --libs gio-2.0 gmodule-2.0 sqlite3 json-glib-1.0 libarchive) -lm
}

if ! numbers "$tmp/as-built" "$BINNACLE" 2>"$tmp/err"; then
  wrong as_built "$(cat "$tmp/err")"
  finish
fi
holds there_are_numbers [ "$(wc -l <"$tmp/as-built")" -gt 10000 ]

same again "$BINNACLE"
same without_fma_and_avx2 env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2 "$BINNACLE"
same without_long_vectors env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL "$BINNACLE"
same in_another_locale env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Tokyo "$BINNACLE"

if [ -x "$BN_BUILDDIR/tests/binnacle-sanitized" ]; then
  same sanitized "$BN_BUILDDIR/tests/binnacle-sanitized"
else
  echo "SKIP: the compiler cannot link sanitizers"
fi
if command -v gcc >/dev/null; then
  holds compiles_with_gcc_O0 compile "$tmp/gcc" gcc -O0
  same gcc_O0 "$tmp/gcc"
else
  echo "SKIP: gcc is not installed"
fi
if command -v clang >/dev/null; then
  holds compiles_with_clang_O2 compile "$tmp/clang" clang -O2
  same clang_O2 "$tmp/clang"
else
  echo "SKIP: clang is not installed"
fi
finish
