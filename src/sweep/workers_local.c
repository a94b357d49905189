/* workers_local.c: units in processes of this machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "workers.h"

/* A child that ends wakes the pool; this is for the clock on the terminal. */
#define TICK_NS (200 * 1000 * 1000)

typedef struct Local
{
  BnWorkers head;
  BnUnitProcess **processes;   /* [n] NULL: idle */
} Local;

static gboolean
start (BnWorkers *workers, guint worker, const BnUnit *unit, const char *todo, const char *path, GError **error)
{
  Local *local = (Local *) workers;

  local->processes[worker] = bn_unit_process_start (unit, todo, path, error);
  return local->processes[worker] != NULL;
}

static gboolean
poll_worker (BnWorkers *workers, guint worker, BnUnitState *ret, GError **error)
{
  (void) error;
  *ret = bn_unit_process_poll (((Local *) workers)->processes[worker]);
  return TRUE;
}

static char **
remarks (BnWorkers *workers, guint worker)
{
  return bn_unit_process_remarks (((Local *) workers)->processes[worker]);
}

static void
signal_worker (BnWorkers *workers, guint worker, int number)
{
  bn_unit_process_signal (((Local *) workers)->processes[worker], number);
}

static void
release (BnWorkers *workers, guint worker)
{
  g_clear_pointer (&((Local *) workers)->processes[worker], bn_unit_process_free);
}

static void
free_workers (BnWorkers *workers)
{
  Local *local = (Local *) workers;

  for (guint i = 0; i < workers->n; i++)
    bn_unit_process_free (local->processes[i]);
  g_free (local->processes);
  g_free (local);
}

BnWorkers *
bn_workers_local_new (guint n)
{
  static const BnWorkersClass class = { start, poll_worker, remarks, signal_worker, release, free_workers };
  Local *local = g_new0 (Local, 1);

  local->head = (BnWorkers) { &class, n, TICK_NS };
  local->processes = g_new0 (BnUnitProcess *, n);
  return &local->head;
}
