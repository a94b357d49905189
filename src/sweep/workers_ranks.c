/* workers_ranks.c: units that other ranks run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Worker w is rank w + 1.
 */
#include <errno.h>
#include <stdio.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "mpi_ranks_private.h"
#include "workers.h"

/* Nothing wakes the pool when a message comes. */
#define TICK_NS (1000 * 1000)

typedef struct Rank
{
  char *path;           /* of what it leaves; NULL: idle */
  FILE *file;           /* under way                     */
  BnUnitState state;
  GPtrArray *remarks;   /* of char *                     */
} Rank;

typedef struct Remote
{
  BnWorkers head;
  BnRanks *ranks;
  Rank *rank;           /* [n] */
} Remote;

static gboolean
fail_to_write (const char *path, GError **error)
{
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT, "%s: cannot write: %s; choose a place that has room", path,
               g_strerror (errno));
  return FALSE;
}

static gboolean
start (BnWorkers *workers, guint worker, const BnUnit *unit, const char *todo, const char *path, GError **error)
{
  Remote *remote = (Remote *) workers;
  Rank *rank = &remote->rank[worker];
  g_autoptr (GBytes) bytes = bn_unit_to_bytes (unit, todo);

  rank->file = g_fopen (path, "wbe");
  if (rank->file == NULL)
    return fail_to_write (path, error);
  rank->path = g_strdup (path);
  rank->state = BN_UNIT_RUNNING;
  rank->remarks = g_ptr_array_new_with_free_func (g_free);
  bn_ranks_say (remote->ranks, worker + 1, BN_SAY_RUN, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return TRUE;
}

static gboolean
end_unit (Rank *rank, BnUnitState state, GError **error)
{
  int closed = fclose (rank->file);

  rank->file = NULL;
  rank->state = state;
  return closed == 0 || fail_to_write (rank->path, error);
}

/* What a rank says that has a unit. */
static gboolean
take (Rank *rank, const guint8 *bytes, gsize n, GError **error)
{
  switch ((BnSay) bytes[0])
    {
    case BN_SAY_RESULTS:
      return fwrite (bytes + 1, 1, n - 1, rank->file) == n - 1 || fail_to_write (rank->path, error);
    case BN_SAY_REMARK:
      {
        char *line = g_strndup ((const char *) bytes + 1, n - 1);
        g_ptr_array_add (rank->remarks, g_utf8_make_valid (line, -1));
        g_free (line);
        return TRUE;
      }
    case BN_SAY_STATE:
      return n < 2 || end_unit (rank, (BnUnitState) bytes[1], error);
    case BN_SAY_RUN:
    case BN_SAY_SIGNAL:
    case BN_SAY_END:
      return TRUE;
    }
  return TRUE;
}

static gboolean
poll_worker (BnWorkers *workers, guint worker, BnUnitState *ret, GError **error)
{
  Remote *remote = (Remote *) workers;
  GByteArray *message;
  guint from;
  gboolean ok = TRUE;

  while (ok && (message = remote->ranks->module->receive (&from)) != NULL)
    {
      if (from >= 1 && from <= workers->n && remote->rank[from - 1].file != NULL && message->len > 0)
        ok = take (&remote->rank[from - 1], message->data, message->len, error);
      g_byte_array_unref (message);
    }
  *ret = remote->rank[worker].state;
  return ok;
}

static char **
remarks (BnWorkers *workers, guint worker)
{
  GPtrArray *said = ((Remote *) workers)->rank[worker].remarks;
  char **lines = g_new0 (char *, said->len + 1);

  for (guint i = 0; i < said->len; i++)
    lines[i] = g_strdup (g_ptr_array_index (said, i));
  return lines;
}

/* mpirun gives its processes a second or two to end, so that nobody is waited for. */
static void
signal_worker (BnWorkers *workers, guint worker, int number)
{
  Remote *remote = (Remote *) workers;
  guint8 byte = (guint8) number;

  bn_ranks_say (remote->ranks, worker + 1, BN_SAY_SIGNAL, &byte, 1);
  remote->rank[worker].state = BN_UNIT_INTERRUPTED;
}

static void
release (BnWorkers *workers, guint worker)
{
  Rank *rank = &((Remote *) workers)->rank[worker];

  if (rank->file != NULL)
    fclose (rank->file);
  g_clear_pointer (&rank->remarks, g_ptr_array_unref);
  if (rank->path != NULL)
    g_unlink (rank->path);
  g_free (rank->path);
  *rank = (Rank) { 0 };
}

static void
free_workers (BnWorkers *workers)
{
  Remote *remote = (Remote *) workers;

  for (guint i = 0; i < workers->n; i++)
    release (workers, i);
  g_free (remote->rank);
  g_free (remote);
}

BnWorkers *
bn_workers_ranks_new (BnRanks *ranks)
{
  static const BnWorkersClass class = { start, poll_worker, remarks, signal_worker, release, free_workers };
  Remote *remote = g_new0 (Remote, 1);

  remote->head = (BnWorkers) { &class, ranks->count - 1, TICK_NS };
  remote->ranks = ranks;
  remote->rank = g_new0 (Rank, remote->head.n);
  return &remote->head;
}
