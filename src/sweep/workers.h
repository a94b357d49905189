/* workers.h: who runs the units of a pool: processes of this machine, or other ranks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each worker, numbered from 0, has one unit at a time: it is started, polled until it has
 * ended, then asked what it left, then released.
 */
#ifndef BN_WORKERS_H
#define BN_WORKERS_H

#include "mpi_ranks.h"
#include "unit_process.h"

typedef struct BnWorkers BnWorkers;

typedef struct BnWorkersClass
{
  /* What the unit leaves is to be the file `path` once it has ended. */
  gboolean (*start) (BnWorkers *workers, guint worker, const BnUnit *unit, const char *todo, const char *path,
                     GError **error);
  /* FALSE with `error` set where nobody can go on. */
  gboolean (*poll) (BnWorkers *workers, guint worker, BnUnitState *ret, GError **error);
  char **(*remarks) (BnWorkers *workers, guint worker);
  void (*signal) (BnWorkers *workers, guint worker, int number);
  void (*release) (BnWorkers *workers, guint worker);
  /* Gives up what is under way. */
  void (*free) (BnWorkers *workers);
} BnWorkersClass;

/* The head of every kind. */
struct BnWorkers
{
  const BnWorkersClass *class;
  guint n;
  gint64 tick_ns;    /* how long to sleep at most before polling again, unless a child ends */
};

/* workers_local.c: a process for each unit, `n` of them at a time. */
BnWorkers *bn_workers_local_new (guint n);

/* workers_ranks.c: every rank but 0. `ranks` is borrowed. */
BnWorkers *bn_workers_ranks_new (BnRanks *ranks);

#endif
