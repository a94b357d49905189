/* pool.h: runs units, several at a time, into one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Runs that the file holds already are kept and get the numbers that they should have;
 * units that lack one are run, each in a process of its own or, under mpirun, by another
 * rank, and taken in as they end, in one transaction each. So the file is sound whatever is
 * killed, at most what is under way is lost, and the same units once more do only what is
 * missing. What the file says does not depend on how many run at a time.
 *
 * While a pool is open, a folder FILE.cells beside the file holds the results under way and
 * a lock: a second pool on one file is refused. What a killed one left is removed by the
 * next.
 */
#ifndef BN_POOL_H
#define BN_POOL_H

#include "mpi_ranks.h"
#include "unit.h"

/* The most processes at a time that a command may ask for. */
#define BN_POOL_MAX_PROCESSES 4096

typedef struct BnPool BnPool;

typedef struct BnPoolOptions
{
  guint n_processes;   /* at a time; 0: as many as there are processors                       */
  gboolean replace;    /* a results file that is there: begin anew, instead of going on        */
  gboolean progress;   /* a line on standard error                                            */
  BnRanks *ranks;      /* borrowed: who runs the units instead of processes here; NULL: nobody */
} BnPoolOptions;

typedef struct BnPoolOutcome
{
  guint n_kept;          /* units that were there already        */
  guint n_kept_runs;     /* runs that were, also of other units  */
  guint n_done;          /* run, and taken in                    */
  guint n_failed;        /* left out, and named on standard error */
  guint n_found;         /* of those done: with something bad in them (unfinished jobs, violations) */
  gboolean interrupted;  /* by a signal                          */
} BnPoolOutcome;

/* Opens the results file `path`, or makes one, for this pool alone. NULL with `error` set:
 * it is no results file or of another form, another pool has it, it cannot be written.
 * Returns: (transfer full). */
BnPool *bn_pool_new (const char *path, const BnPoolOptions *options, GError **error);

/* Where the results are, to be read and, between two calls of run, written to. Returns:
 * (transfer none). */
BnResults *bn_pool_results (BnPool *pool);

/* States the whole of what the file is to hold, in the table `planned`; with `n_shards` > 1
 * unit u belongs to shard u % n_shards + 1. To be called before the first run, by whoever
 * knows all units beforehand. FALSE with `error` set where the file holds runs of anything
 * else, and nothing changed. Reads the scenario of each series of units of one world. */
gboolean bn_pool_plan (BnPool *pool, BnUnit *const *units, guint n_units, guint n_shards, GError **error);

/* Runs what is missing of these units. To be called as often as there are more of them;
 * numbers of runs in one call must differ. A run of the file that is in none of these units
 * but has a number of theirs is given a number beyond all others. A run counts as there if
 * it is complete or stuck and recorded at least as its scenario asks.
 *
 * Remarks of a unit, and why one failed, go to standard error with its name. SIGINT,
 * SIGTERM, SIGHUP and SIGQUIT end it with what was done so far, a second one without
 * waiting for what is under way; before a pool is opened they should be blocked. FALSE with
 * `error` set where the results file cannot be written or no process be started. *outcome
 * is filled in either case, and counts this call alone. */
gboolean bn_pool_run (BnPool *pool, BnUnit *const *units, guint n_units, BnPoolOutcome *outcome, GError **error);

/* Leaves one file and nothing beside it, and frees the pool in any case. A file that was
 * made here and has no run in it is removed. FALSE with `error` set. */
gboolean bn_pool_close (BnPool *pool, GError **error);

#endif
