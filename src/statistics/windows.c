/* windows.c: a run over time, in windows of one width.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "windows.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "tally.h"

static const BnColumn columns[] = {
  { "start", "from", "s", 3 },
  { "end", "to", "s", 3 },
  { "created", "created", "jobs", 0 },
  { "done", "done", "jobs", 0 },
  { "throughput", "throughput", "jobs/s", 3 },
  { "latency_mean", "latency mean", "ms", 1 },
  { "latency_p50", "p50", "ms", 1 },
  { "latency_p99", "p99", "ms", 1 },
  { "backlog_mean", "backlog", "jobs", 2 },
  { "hit_rate", "hits", "%", 2 },
};

typedef struct Window
{
  int64_t n_created, n_done;
  int64_t part_ns;           /* of jobs that are there for a part of it         */
  int64_t n_whole;           /* jobs there throughout, as a change from the last */
  int64_t n_hits, n_accesses;
  GArray *latencies;         /* of int64_t; NULL: none                          */
} Window;

typedef struct Windows
{
  Window *windows;
  gint64 n;
  BnDuration width_ns;
  BnTime end_ns;
} Windows;

/* A job is in the system from `from` to `to`. */
static void
add_stay (Windows *w, BnTime from, BnTime to)
{
  gint64 first = from / w->width_ns, last = MIN (to / w->width_ns, w->n - 1);

  if (first == last)
    {
      w->windows[first].part_ns += to - from;
      return;
    }
  w->windows[first].part_ns += (first + 1) * w->width_ns - from;
  w->windows[last].part_ns += to - last * w->width_ns;
  w->windows[first + 1].n_whole++;
  w->windows[last].n_whole--;
}

static gboolean
read_jobs (Windows *w, BnReader *reader, gint64 run_id, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, "SELECT create_ns, end_ns, state = 'done' FROM jobs WHERE run_id = ?1"
                                                " AND create_ns >= 0 AND IFNULL (end_ns, create_ns) >= create_ns",
                                        run_id, 0, error);

  if (stmt == NULL)
    return FALSE;
  while (bn_reader_step (reader, stmt, &failure))
    {
      BnTime create_ns = MIN (sqlite3_column_int64 (stmt, 0), w->end_ns);
      gboolean ended = sqlite3_column_type (stmt, 1) != SQLITE_NULL;
      BnTime end_ns = ended ? MIN (sqlite3_column_int64 (stmt, 1), w->end_ns) : w->end_ns;
      Window *window = &w->windows[MIN (end_ns / w->width_ns, w->n - 1)];
      int64_t latency_ns = end_ns - create_ns;

      w->windows[MIN (create_ns / w->width_ns, w->n - 1)].n_created++;
      add_stay (w, create_ns, end_ns);
      if (!sqlite3_column_int (stmt, 2))
        continue;
      window->n_done++;
      if (window->latencies == NULL)
        window->latencies = g_array_new (FALSE, FALSE, sizeof (int64_t));
      g_array_append_val (window->latencies, latency_ns);
    }
  sqlite3_finalize (stmt);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static gboolean
read_tasks (Windows *w, BnReader *reader, gint64 run_id, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader,
    "SELECT start_ns / ?2, sum (access = 'hit'), count (*) FROM tasks"
    " WHERE run_id = ?1 AND access <> 'none' AND start_ns >= 0 GROUP BY 1", run_id, w->width_ns, error);

  if (stmt == NULL)
    return FALSE;
  while (bn_reader_step (reader, stmt, &failure))
    {
      Window *window = &w->windows[MIN (sqlite3_column_int64 (stmt, 0), w->n - 1)];

      window->n_hits += sqlite3_column_int64 (stmt, 1);
      window->n_accesses += sqlite3_column_int64 (stmt, 2);
    }
  sqlite3_finalize (stmt);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static void
add_latency (BnTable *table, const Window *window)
{
  int64_t quantiles[BN_N_QUANTILES];
  BnSum sum = 0;

  if (window->latencies == NULL)
    {
      for (guint i = 0; i < 3; i++)
        bn_table_missing (table);
      return;
    }
  for (guint i = 0; i < window->latencies->len; i++)
    sum += g_array_index (window->latencies, int64_t, i);
  bn_exact_quantiles ((int64_t *) (void *) window->latencies->data, window->latencies->len, quantiles);
  bn_table_real (table, (double) sum / ((double) window->latencies->len * 1e6));
  bn_table_real (table, (double) quantiles[BN_P50] / 1e6);
  bn_table_real (table, (double) quantiles[BN_P99] / 1e6);
}

static BnTable *
make_table (const Windows *w)
{
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));
  int64_t whole = 0;

  for (gint64 i = 0; i < w->n; i++)
    {
      const Window *window = &w->windows[i];
      BnTime from_ns = i * w->width_ns;
      BnTime to_ns = w->end_ns - from_ns < w->width_ns ? w->end_ns : from_ns + w->width_ns;
      double length_ns = (double) (to_ns - from_ns);
      gboolean is_stump = w->n > 1 && to_ns - from_ns < w->width_ns / 2;

      whole += window->n_whole;
      bn_table_real (table, (double) from_ns / 1e9);
      bn_table_real (table, (double) to_ns / 1e9);
      bn_table_integer (table, window->n_created);
      bn_table_integer (table, window->n_done);
      bn_table_real (table, length_ns > 0 && !is_stump ? (double) window->n_done / (length_ns / 1e9) : NAN);
      add_latency (table, window);
      bn_table_real (table, length_ns > 0 ? (double) window->part_ns / length_ns + (double) whole : NAN);
      bn_table_real (table, window->n_accesses > 0 ? 100.0 * (double) window->n_hits / (double) window->n_accesses
                                                   : NAN);
    }
  return table;
}

BnTable *
bn_windows_table (BnReader *reader, gint64 run_id, BnDuration width_ns, GError **error)
{
  Windows w = { .width_ns = width_ns };
  BnTable *table = NULL;
  gint64 end_ns;

  g_assert (width_ns > 0);
  if (!bn_reader_int (reader, "SELECT IFNULL (end_ns, (SELECT max (max (create_ns, IFNULL (end_ns, 0))) FROM jobs"
                              " WHERE run_id = ?1)) FROM runs WHERE run_id = ?1", run_id, 0, 0, &end_ns, error))
    return NULL;
  w.end_ns = MAX (end_ns, 0);
  w.n = w.end_ns / width_ns + (w.end_ns % width_ns > 0 || w.end_ns == 0);
  if (w.n > BN_WINDOWS_MAX)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                   "--by: %" G_GINT64_FORMAT " windows, and more than %d are of no use; give a longer time", w.n,
                   BN_WINDOWS_MAX);
      return NULL;
    }
  w.windows = g_new0 (Window, (gsize) w.n);
  if (read_jobs (&w, reader, run_id, error) && read_tasks (&w, reader, run_id, error))
    table = make_table (&w);
  for (gint64 i = 0; i < w.n; i++)
    g_clear_pointer (&w.windows[i].latencies, g_array_unref);
  g_free (w.windows);
  return table;
}
