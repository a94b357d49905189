/* pool.c: runs units, several at a time, into one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "interrupt.h"
#include "pool_asked.h"
#include "pool_bar.h"
#include "work_folder.h"
#include "workers.h"

#define IDLE G_MAXUINT

struct BnPool
{
  BnPoolOptions options;
  BnWorkFolder *folder;
  BnResults *results;
  BnWorkers *workers;
  BnPoolAsked *asked;     /* what the runs of units are known by */
};

/* One call of run. */
typedef struct Call
{
  BnPool *pool;
  BnUnit *const *units;
  char **todo;            /* [n_units] bn_unit_run's; NULL: nothing is missing */
  guint n_units;
  guint next;             /* unit to start                                     */
  guint *busy;            /* [workers] unit under way, or IDLE                 */
  guint n_busy;
  BnPoolBar *bar;
  BnPoolOutcome *outcome;
} Call;

/* ---- opening and closing ---- */

static BnResults *
open_results (const char *path, const BnWorkFolder *folder, gboolean replace, GError **error)
{
  GStatBuf st;

  return replace || g_lstat (path, &st) != 0
           ? bn_results_create_by_way_of (path, bn_work_folder_path (folder), replace, error)
           : bn_results_extend (path, error);
}

BnPool *
bn_pool_new (const char *path, const BnPoolOptions *options, GError **error)
{
  BnPool *pool = g_new0 (BnPool, 1);

  pool->options = *options;
  pool->folder = bn_work_folder_new (path, error);
  pool->results = pool->folder != NULL ? open_results (path, pool->folder, options->replace, error) : NULL;
  if (pool->results == NULL)
    {
      bn_work_folder_free (pool->folder);
      g_free (pool);
      return NULL;
    }
  pool->workers = options->ranks != NULL
                    ? bn_workers_ranks_new (options->ranks)
                    : bn_workers_local_new (options->n_processes > 0 ? options->n_processes : g_get_num_processors ());
  pool->asked = bn_pool_asked_new ();
  return pool;
}

BnResults *
bn_pool_results (BnPool *pool)
{
  return pool->results;
}

gboolean
bn_pool_close (BnPool *pool, GError **error)
{
  gboolean ok = TRUE;

  pool->workers->class->free (pool->workers);
  if (bn_results_is_empty (pool->results))
    bn_results_abandon (pool->results);
  else
    ok = bn_results_close (pool->results, error);
  bn_work_folder_free (pool->folder);
  bn_pool_asked_free (pool->asked);
  g_free (pool);
  return ok;
}

gboolean
bn_pool_plan (BnPool *pool, BnUnit *const *units, guint n_units, guint n_shards, GError **error)
{
  g_autoptr (GArray) runs = bn_pool_asked_runs (pool->asked, units, n_units, n_shards, error);

  return runs != NULL
         && bn_results_plan (pool->results, &g_array_index (runs, BnAskedRun, 0), runs->len, error);
}

/* ---- units ---- */

static void
print_remarks (const Call *call, guint worker, gboolean failed)
{
  const BnUnit *unit = call->units[call->busy[worker]];
  BnWorkers *workers = call->pool->workers;
  g_auto (GStrv) remarks = workers->class->remarks (workers, worker);

  bn_pool_bar_wipe (call->bar);
  for (char **remark = remarks; *remark != NULL; remark++)
    fprintf (stderr, "binnacle: %s%s: %s\n", unit->name, failed ? " failed" : "", *remark);
  if (failed && *remarks == NULL)
    fprintf (stderr, "binnacle: %s failed\n", unit->name);
}

static char *
path_of (const Call *call, guint unit)
{
  g_autofree char *name = g_strdup_printf ("unit-%u.db", unit + 1);

  return g_build_filename (bn_work_folder_path (call->pool->folder), name, NULL);
}

static gboolean
absorb (Call *call, guint worker, BnUnitState state, GError **error)
{
  g_autofree char *path = path_of (call, call->busy[worker]);
  GError *failure = NULL;

  if (bn_results_absorb (call->pool->results, path, &failure))
    {
      call->outcome->n_done++;
      call->outcome->n_found += state == BN_UNIT_DONE_FOUND;
      return TRUE;
    }
  if (!g_error_matches (failure, BN_RESULTS_ERROR, BN_RESULTS_ERROR_OTHER_RUNS))
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  bn_pool_bar_wipe (call->bar);
  fprintf (stderr, "binnacle: %s failed: %s\n", call->units[call->busy[worker]]->name, failure->message);
  g_error_free (failure);
  call->outcome->n_failed++;
  return TRUE;
}

static gboolean
take_in (Call *call, guint worker, BnUnitState state, GError **error)
{
  switch (state)
    {
    case BN_UNIT_RUNNING:
      break;
    case BN_UNIT_DONE:
    case BN_UNIT_DONE_FOUND:
      print_remarks (call, worker, FALSE);
      return absorb (call, worker, state, error);
    case BN_UNIT_INTERRUPTED:
      call->outcome->interrupted = TRUE;
      break;
    case BN_UNIT_FAILED:
      if (call->outcome->interrupted)
        break;
      print_remarks (call, worker, TRUE);
      call->outcome->n_failed++;
      break;
    }
  return TRUE;
}

/* Takes in every unit that has ended. */
static gboolean
reap (Call *call, GError **error)
{
  BnWorkers *workers = call->pool->workers;

  for (guint w = 0; w < workers->n; w++)
    {
      BnUnitState state = BN_UNIT_RUNNING;

      if (call->busy[w] == IDLE)
        continue;
      if (!workers->class->poll (workers, w, &state, error))
        return FALSE;
      if (state == BN_UNIT_RUNNING)
        continue;
      gboolean ok = take_in (call, w, state, error);
      workers->class->release (workers, w);
      call->busy[w] = IDLE;
      call->n_busy--;
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_next (Call *call)
{
  while (call->next < call->n_units && call->todo[call->next] == NULL)
    call->next++;
  return !call->outcome->interrupted && call->next < call->n_units;
}

static gboolean
start (Call *call, GError **error)
{
  BnWorkers *workers = call->pool->workers;

  for (guint w = 0; w < workers->n; w++)
    {
      if (call->busy[w] != IDLE || !find_next (call))
        continue;
      g_autofree char *path = path_of (call, call->next);
      if (!workers->class->start (workers, w, call->units[call->next], call->todo[call->next], path, error))
        return FALSE;
      call->busy[w] = call->next++;
      call->n_busy++;
    }
  return TRUE;
}

/* The first signal lets units end at the next event, the second does not wait. */
static void
handle_signal (Call *call, int number)
{
  BnWorkers *workers = call->pool->workers;

  for (guint w = 0; w < workers->n; w++)
    if (call->busy[w] != IDLE)
      workers->class->signal (workers, w, call->outcome->interrupted ? SIGKILL : number);
  call->outcome->interrupted = TRUE;
}

static gboolean
run_all (Call *call, const sigset_t *signals, GError **error)
{
  const struct timespec tick = { 0, call->pool->workers->tick_ns };

  do
    {
      if (!start (call, error))
        return FALSE;
      bn_pool_bar_draw (call->bar, call->outcome->n_done, call->outcome->n_failed);
      int number = call->n_busy > 0 ? sigtimedwait (signals, NULL, &tick) : -1;
      if (number > 0 && number != SIGCHLD)
        handle_signal (call, number);
      if (!reap (call, error))
        return FALSE;
    }
  while (call->n_busy > 0 || find_next (call));
  return TRUE;
}

/* Takes signals while units run. */
static gboolean
run_with_signals (Call *call, GError **error)
{
  const struct sigaction usual = { .sa_handler = SIG_DFL };
  struct sigaction inherited;
  sigset_t signals, before;

  bn_interrupt_signals (&signals);
  sigaddset (&signals, SIGCHLD);
  sigprocmask (SIG_BLOCK, &signals, &before);
  /* where whoever started this program ignores it, nobody could wait for a child */
  sigaction (SIGCHLD, &usual, &inherited);
  gboolean ok = run_all (call, &signals, error);
  for (guint w = 0; w < call->pool->workers->n; w++)
    if (call->busy[w] != IDLE)
      call->pool->workers->class->release (call->pool->workers, w);
  sigaction (SIGCHLD, &inherited, NULL);
  sigprocmask (SIG_SETMASK, &before, NULL);
  return ok;
}

/* What of each unit is missing. */
static gboolean
find_missing (Call *call, GError **error)
{
  BnPool *pool = call->pool;
  g_autoptr (GArray) runs = bn_pool_asked_runs (pool->asked, call->units, call->n_units, 1, error);

  if (runs == NULL
      || !bn_results_keep (pool->results, &g_array_index (runs, BnAskedRun, 0), runs->len, error))
    return FALSE;
  for (guint i = 0; i < runs->len;)
    {
      guint unit = (guint) g_array_index (runs, BnAskedRun, i).unit;
      GString *todo = g_string_new (NULL);

      for (; i < runs->len && g_array_index (runs, BnAskedRun, i).unit == unit; i++)
        {
          g_string_append_c (todo, g_array_index (runs, BnAskedRun, i).there ? '0' : '1');
          call->outcome->n_kept_runs += g_array_index (runs, BnAskedRun, i).there;
        }
      gboolean missing = strchr (todo->str, '1') != NULL;
      call->todo[unit] = g_string_free (todo, !missing);
      call->outcome->n_kept += !missing;
    }
  return TRUE;
}

gboolean
bn_pool_run (BnPool *pool, BnUnit *const *units, guint n_units, BnPoolOutcome *outcome, GError **error)
{
  Call call = { .pool = pool, .units = units, .n_units = n_units, .todo = g_new0 (char *, n_units + 1),
                .busy = g_new (guint, pool->workers->n), .outcome = outcome };

  *outcome = (BnPoolOutcome) { 0 };
  for (guint w = 0; w < pool->workers->n; w++)
    call.busy[w] = IDLE;
  gboolean ok = find_missing (&call, error);
  if (ok)
    {
      call.bar = bn_pool_bar_new (n_units - outcome->n_kept, outcome->n_kept, pool->options.progress);
      ok = run_with_signals (&call, error);
      bn_pool_bar_free (call.bar);
    }
  for (guint u = 0; u < n_units; u++)
    g_free (call.todo[u]);
  g_free (call.todo);
  g_free (call.busy);
  return ok;
}
