#!/bin/sh
# bootstrap_packages.sh: bootstrap installs what is missing, and only that.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
#
# It runs with a PATH of its own, in which apt-get, sudo and id are stand-ins that
# write down how they are called; nothing is installed.
# shellcheck disable=SC2317,SC2016
. "$BN_SRCDIR/tests/lib.sh"

mkdir "$tmp/tree" "$tmp/basic" "$tmp/tools"
cp "$BN_SRCDIR/bootstrap" "$tmp/tree/bootstrap"
for tool in sh cat dirname find grep mkdir nproc sed tr env; do
  ln -s "$(command -v $tool)" "$tmp/basic/$tool"
done

# stand_in FOLDER NAME LINE...: a program of these lines
stand_in () {
  file=$1/$2
  shift 2
  printf '#!/bin/sh\n' >"$file"
  printf '%s\n' "$@" >>"$file"
  chmod +x "$file"
}

stand_in "$tmp/basic" apt-get "echo \"apt-get \$*\" >>$tmp/calls" '[ "$1" = update ] || exit 100'
for tool in autoconf automake gcc make gnuplot pkg-config clang; do
  stand_in "$tmp/tools" $tool 'exit 0'
done
stand_in "$tmp/tools" autoreconf "echo autoreconf >>$tmp/calls" 'exit 1'

user () {
  stand_in "$tmp/basic" id "echo $1"
}

# run PATH ARGUMENTS...: bootstrap with this PATH
run () {
  path=$1
  shift
  : >"$tmp/calls"
  PATH=$path "$tmp/tree/bootstrap" "$@"
}

all="autoconf automake gcc libc6-dev make pkg-config libglib2.0-dev libsqlite3-dev libarchive-dev libjson-glib-dev libopenblas-dev gnuplot-nox"
install="apt-get update && apt-get install -y --no-install-recommends"
needs="bootstrap: packages are missing, and installing them needs root. Run this, then this command again:"

user 1000
expect prints_the_line_without_root_and_sudo 1 "$needs
  sudo sh -c '$install $all'" run "$tmp/basic" demo
holds does_not_call_apt_without_root [ ! -s "$tmp/calls" ]
expect check_needs_the_test_library 1 "$needs
  sudo sh -c '$install $all check'" run "$tmp/basic" check
expect extras_are_for_tests_only 1 "$needs
  sudo sh -c '$install $all check clang libclang-rt-14-dev libopenmpi-dev openmpi-bin slurmctld slurmd\
 slurm-client munge'" run "$tmp/basic" --extras --werror check

user 0
run "$tmp/basic" demo >"$tmp/out" 2>&1
printf '%s\n' "apt-get update -qq" "apt-get install -y -qq --no-install-recommends $all" >"$tmp/expected"
holds root_installs_what_is_missing cmp "$tmp/expected" "$tmp/calls"
holds names_what_it_installs grep -qx "bootstrap: installing $all" "$tmp/out"

user 1000
stand_in "$tmp/basic" sudo '[ "$1" != -n ] || exit 0' "echo sudo >>$tmp/calls" '"$@"'
run "$tmp/basic" build >"$tmp/out" 2>&1
printf '%s\n' sudo "apt-get update -qq" \
  sudo "apt-get install -y -qq --no-install-recommends ${all% gnuplot-nox}" >"$tmp/expected"
holds sudo_is_used_where_it_asks_nothing cmp "$tmp/expected" "$tmp/calls"
user 0

mv "$tmp/tools/gnuplot" "$tmp/gnuplot"
run "$tmp/basic:$tmp/tools" demo >"$tmp/out" 2>&1
printf '%s\n' "apt-get update -qq" "apt-get install -y -qq --no-install-recommends gnuplot-nox" >"$tmp/expected"
holds only_what_is_missing_is_installed cmp "$tmp/expected" "$tmp/calls"

mv "$tmp/gnuplot" "$tmp/tools/gnuplot"
run "$tmp/basic:$tmp/tools" demo >"$tmp/out" 2>&1
holds nothing_missing_calls_no_apt [ "$(cat "$tmp/calls")" = autoreconf ]

rm "$tmp/basic/apt-get"
expect without_apt_it_names_the_packages 1 \
  "bootstrap: these Debian packages, or what they hold, are missing and there is no apt-get: $all" \
  run "$tmp/basic" demo
expect unknown_word 1 "bootstrap: dmeo: not known; ./bootstrap --help tells more" run "$tmp/basic" dmeo
expect two_goals 1 "bootstrap: one of demo, check and build, not two; ./bootstrap --help tells more" \
  run "$tmp/basic" demo check
finish
