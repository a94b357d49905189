#!/bin/sh
# slurm_sweep.sh: a sweep as a job array of a real Slurm: one node, this machine, from
# Debian's packages, with a configuration and a key of its own.
# Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2154,SC2317
. "$BN_SRCDIR/tests/lib.sh"

for program in munged slurmctld slurmd sbatch; do
  command -v $program >/dev/null || skip "$program is not installed (Debian: slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd starts jobs as their users, which only root can"

cd "$tmp" || exit 1
chmod 755 "$tmp"
SLURM_CONF=$tmp/slurm.conf
export SLURM_CONF BINNACLE
node=$(hostname -s)
# Two ports that nobody has: above those that the kernel gives away.
port=$((61000 + $$ % 2000 * 2))

head -c 1024 /dev/urandom >munge.key
chmod 400 munge.key
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$tmp/munge.socket
CredType=cred/munge
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/slurmctld.log
SlurmdLogFile=$tmp/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
mkdir state spool

# Ends what was started here, whatever happens.
stop_slurm () {
  for pid in $daemons; do
    kill "$pid" 2>/dev/null
  done
  for pid in $daemons; do
    wait "$pid" 2>/dev/null
  done
  rm -rf "$tmp"
}
daemons=
trap stop_slurm EXIT

munged --foreground --key-file="$tmp/munge.key" --socket="$tmp/munge.socket" --pid-file="$tmp/munge.pid" \
  --log-file="$tmp/munge.log" --seed-file="$tmp/munge.seed" --force >munged.out 2>&1 &
daemons=$!
slurmctld -D >slurmctld.out 2>&1 &
daemons="$! $daemons"
slurmd -D >slurmd.out 2>&1 &
daemons="$! $daemons"

# It is up when its node says so; what keeps it from that is the machine's.
tries=0
until [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; do
  tries=$((tries + 1))
  [ $tries -le 100 ] || skip "Slurm does not start here: $(cat slurmctld.log slurmd.log munged.out 2>/dev/null |
    grep -i -E 'error|fatal' | head -n 3 | tr '\n' ';')"
  sleep 0.2
done

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
expect one_machine 0 "" "$BINNACLE" sweep grid.ini -q -o whole.db

id=$(sbatch --parsable --array=1-4 --output=shard-%a.out "$BN_SRCDIR/doc/sweep.sbatch" grid.ini grid)
# --wait ends with the job's exit status.
holds merge_after_the_array_ends_well sbatch --wait --dependency="afterany:$id" --output=merge.out \
  --wrap "'$BINNACLE' merge -o grid.db grid.part*.db"
holds every_shard_has_a_file [ "$(echo grid.part*.db)" = "grid.part1.db grid.part2.db grid.part3.db grid.part4.db" ]
dump whole.db >whole
dump grid.db >merged
holds array_makes_the_file_of_one_machine cmp whole merged
holds merged_file_passes_check "$BINNACLE" check grid.db
holds shards_say_nothing_but_their_tables [ "$(cat shard-?.out | grep -c '^binnacle:')" -eq 0 ]
holds shards_print_their_tables [ "$(cat shard-?.out | grep -c '^variant,\|,variant,')" -eq 4 ]
finish
