/* sweep_pool.c: runs the cells of a sweep, several at a time, into one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sweep_pool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "sweep_cell.h"

/* How long it sleeps at most before it looks at the clock. */
#define TICK_NS (200 * 1000 * 1000)
#define BAR_WIDTH 24

typedef struct Pool
{
  const BnSweepPool *options;
  const BnSweep *sweep;
  BnResults *results;
  char *folder;            /* of the cells' results files  */
  GPtrArray *running;      /* of BnSweepCell               */
  guint next;              /* cell to start                */
  gint64 began_us;
  BnSweepOutcome *outcome;
} Pool;

static void
free_cell (void *cell)
{
  bn_sweep_cell_free (cell);
}

/* ---- the line on the terminal ---- */

static void
draw (const Pool *p)
{
  guint n = bn_sweep_n_cells (p->sweep), ended = p->outcome->n_done + p->outcome->n_failed;
  double seconds = (double) (g_get_monotonic_time () - p->began_us) / G_USEC_PER_SEC;

  if (!p->options->progress)
    return;
  fputs ("\r\033[K[", stderr);
  for (guint i = 0; i < BAR_WIDTH; i++)
    fputc (i < BAR_WIDTH * (guint64) ended / n ? '#' : '.', stderr);
  fprintf (stderr, "] %u of %u cells, %u failed", ended, n, p->outcome->n_failed);
  if (ended > 0)
    fprintf (stderr, ", %.0f s left", seconds / ended * (n - ended));
  fflush (stderr);
}

static void
wipe (const Pool *p)
{
  if (p->options->progress)
    fputs ("\r\033[K", stderr);
}

/* ---- cells ---- */

static void
print_remarks (const Pool *p, BnSweepCell *cell, gboolean failed)
{
  guint number = bn_sweep_cell_number (cell);
  g_autofree char *name = bn_sweep_cell_name (p->sweep, number);
  g_auto (GStrv) remarks = bn_sweep_cell_remarks (cell);

  wipe (p);
  for (char **remark = remarks; *remark != NULL; remark++)
    fprintf (stderr, "binnacle: cell %u (%s)%s: %s\n", number + 1, name, failed ? " failed" : "", *remark);
  if (failed && *remarks == NULL)
    fprintf (stderr, "binnacle: cell %u (%s) failed\n", number + 1, name);
}

static gboolean
take_in (Pool *p, BnSweepCell *cell, BnCellState state, GError **error)
{
  switch (state)
    {
    case BN_CELL_RUNNING:
      break;
    case BN_CELL_DONE:
    case BN_CELL_DONE_FOUND:
      print_remarks (p, cell, FALSE);
      if (!bn_results_absorb (p->results, bn_sweep_cell_path (cell), error))
        return FALSE;
      p->outcome->n_done++;
      p->outcome->n_found += state == BN_CELL_DONE_FOUND;
      break;
    case BN_CELL_INTERRUPTED:
      p->outcome->interrupted = TRUE;
      break;
    case BN_CELL_FAILED:
      if (p->outcome->interrupted)
        break;
      print_remarks (p, cell, TRUE);
      p->outcome->n_failed++;
      break;
    }
  return TRUE;
}

/* Takes in every cell that has ended. */
static gboolean
reap (Pool *p, GError **error)
{
  for (guint i = 0; i < p->running->len;)
    {
      BnSweepCell *cell = g_ptr_array_index (p->running, i);
      BnCellState state = bn_sweep_cell_poll (cell);

      if (state == BN_CELL_RUNNING)
        {
          i++;
          continue;
        }
      if (!take_in (p, cell, state, error))
        return FALSE;
      g_ptr_array_remove_index (p->running, i);
      draw (p);
    }
  return TRUE;
}

static gboolean
start (Pool *p, GError **error)
{
  while (!p->outcome->interrupted && p->next < bn_sweep_n_cells (p->sweep)
         && p->running->len < p->options->n_processes)
    {
      g_autofree char *name = g_strdup_printf ("cell-%u.db", p->next + 1);
      g_autofree char *path = g_build_filename (p->folder, name, NULL);
      BnSweepCell *cell = bn_sweep_cell_start (p->sweep, p->next, path, error);

      if (cell == NULL)
        return FALSE;
      p->next++;
      g_ptr_array_add (p->running, cell);
    }
  return TRUE;
}

/* The first signal lets the cells end at the next event, the second does not wait. */
static void
handle_signal (Pool *p, int number)
{
  for (guint i = 0; i < p->running->len; i++)
    bn_sweep_cell_signal (g_ptr_array_index (p->running, i), p->outcome->interrupted ? SIGKILL : number);
  p->outcome->interrupted = TRUE;
}

static gboolean
run_all (Pool *p, const sigset_t *signals, GError **error)
{
  const struct timespec tick = { 0, TICK_NS };

  draw (p);
  do
    {
      if (!start (p, error))
        return FALSE;
      int number = p->running->len > 0 ? sigtimedwait (signals, NULL, &tick) : -1;
      if (number > 0 && number != SIGCHLD)
        handle_signal (p, number);
      if (!reap (p, error))
        return FALSE;
    }
  while (p->running->len > 0 || (!p->outcome->interrupted && p->next < bn_sweep_n_cells (p->sweep)));
  return TRUE;
}

/* A folder beside the results file: on the same disk, and seen by whoever looks why
 * it is full. Returns: (transfer full). */
static char *
make_folder (const char *path, GError **error)
{
  char *folder = g_strconcat (path, ".cells-XXXXXX", NULL);

  if (g_mkdtemp (folder) != NULL)
    return folder;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT,
               "%s: cannot make a folder beside it: %s; name a file in a folder that can be written and has room",
               path, g_strerror (errno));
  g_free (folder);
  return NULL;
}

gboolean
bn_sweep_pool_run (const BnSweepPool *options, const BnSweep *sweep, BnResults *results, const char *path,
                   BnSweepOutcome *outcome, GError **error)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };
  const struct sigaction usual = { .sa_handler = SIG_DFL };
  struct sigaction inherited;
  sigset_t signals, before;

  *outcome = (BnSweepOutcome) { 0 };
  Pool p = { .options = options, .sweep = sweep, .results = results, .outcome = outcome,
             .began_us = g_get_monotonic_time (), .folder = make_folder (path, error) };
  if (p.folder == NULL)
    return FALSE;
  sigemptyset (&signals);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigaddset (&signals, numbers[i]);
  sigprocmask (SIG_BLOCK, &signals, &before);
  /* where whoever started this program ignores it, nobody could wait for a child */
  sigaction (SIGCHLD, &usual, &inherited);
  p.running = g_ptr_array_new_with_free_func (free_cell);
  gboolean ok = run_all (&p, &signals, error);
  g_ptr_array_unref (p.running);
  wipe (&p);
  g_rmdir (p.folder);
  g_free (p.folder);
  sigaction (SIGCHLD, &inherited, NULL);
  sigprocmask (SIG_SETMASK, &before, NULL);
  return ok;
}
