/* compared.c: the runs of a results file, as comparisons read them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "compared.h"

#include <math.h>
#include <string.h>

#include "sql.h"
#include "stability.h"
#include "within_run.h"

const BnComparedMetric bn_compared_metrics[BN_N_COMPARED] = {
  [BN_COMPARED_JOBS] = { "jobs_done", 1, TRUE, FALSE, FALSE, { "done", "done", "jobs", 1 } },
  [BN_COMPARED_LATENCY] = { "latency_mean", 1, FALSE, TRUE, FALSE, { "latency_mean", "latency", "ms", 1 } },
  [BN_COMPARED_P50] = { "latency_p50", 1, FALSE, FALSE, TRUE, { "latency_p50", "p50", "ms", 1 } },
  [BN_COMPARED_P95] = { "latency_p95", 1, FALSE, FALSE, TRUE, { "latency_p95", "p95", "ms", 1 } },
  [BN_COMPARED_P99] = { "latency_p99", 1, FALSE, TRUE, FALSE, { "latency_p99", "p99", "ms", 1 } },
  [BN_COMPARED_SLOWDOWN] = { "slowdown_mean", 1, FALSE, TRUE, FALSE, { "slowdown_mean", "slowdown", "", 2 } },
  [BN_COMPARED_SLOWDOWN_P99] = { "slowdown_p99", 1, FALSE, FALSE, FALSE, { "slowdown_p99", "p99", "", 2 } },
  [BN_COMPARED_HITS] = { "hit_rate", 100, FALSE, FALSE, FALSE, { "hit_rate", "hits", "%", 1 } },
  [BN_COMPARED_EXECUTING] = { "executing", 100, FALSE, FALSE, TRUE, { "executing", "exec", "%", 1 } },
  [BN_COMPARED_LOADING] = { "loading", 100, FALSE, FALSE, TRUE, { "loading", "loading", "%", 1 } },
  [BN_COMPARED_EVICTIONS]
  = { "evictions", 1, TRUE, FALSE, FALSE, { "evictions", "evictions", "", 1 | BN_NOT_IN_TEXT } },
  [BN_COMPARED_WORKERS]
  = { "workers_used", 1, TRUE, FALSE, FALSE, { "used", "used", "workers", 1 | BN_NOT_IN_TEXT } },
  [BN_COMPARED_ENERGY] = { "energy_per_job", 1, FALSE, FALSE, FALSE, { "energy", "energy", "J/job", 1 } },
};

static void
free_run (void *data)
{
  BnComparedRun *run = data;

  g_free (run->variant);
  g_free (run->seed);
  g_free (run->label);
  g_free (run);
}

static gboolean
read_metrics (sqlite3 *db, sqlite3_stmt *stmt, BnComparedRun *run, GError **error)
{
  for (guint i = 0; i < BN_N_COMPARED; i++)
    {
      sqlite3_bind_int64 (stmt, 1, run->run_id);
      sqlite3_bind_text (stmt, 2, bn_compared_metrics[i].metric, -1, SQLITE_STATIC);
      int rc = sqlite3_step (stmt);
      run->values[i] = rc == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL
                         ? sqlite3_column_double (stmt, 0) * bn_compared_metrics[i].scale
                         : NAN;
      sqlite3_reset (stmt);
      if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return bn_sql_fail (db, error);
    }
  return TRUE;
}

#define ENDED "SELECT run_id FROM runs WHERE state <> 'running'"

static const char runs_sql[] = "SELECT run_id, shown, seed, CASE state WHEN 'complete' THEN label ELSE state END,"
                               " bound_latency_ns / 1e6, bound_slowdown, yardstick, warmup_ns / 1e9 FROM v_runs"
                               " WHERE state <> 'running' ORDER BY run_id";

static double
real_or_nan (sqlite3_stmt *stmt, int column)
{
  return sqlite3_column_type (stmt, column) != SQLITE_NULL ? sqlite3_column_double (stmt, column) : NAN;
}

/* One for each run that has ended, in order; NULL with `error` set. */
static GPtrArray *
read_runs (sqlite3 *db, GError **error)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (free_run);
  sqlite3_stmt *runs = NULL, *metrics = NULL;
  gboolean well = TRUE;
  int rc = SQLITE_OK;

  if (sqlite3_prepare_v2 (db, runs_sql, -1, &runs, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (db, "SELECT value FROM metrics WHERE run_id = ?1 AND name = ?2 AND scope = ''", -1,
                             &metrics, NULL) != SQLITE_OK)
    well = bn_sql_fail (db, error);
  while (well && (rc = sqlite3_step (runs)) == SQLITE_ROW)
    {
      BnComparedRun *run = g_new0 (BnComparedRun, 1);

      run->run_id = sqlite3_column_int64 (runs, 0);
      run->variant = g_strdup ((const char *) sqlite3_column_text (runs, 1));
      run->seed = g_strdup ((const char *) sqlite3_column_text (runs, 2));
      run->label = g_strdup ((const char *) sqlite3_column_text (runs, 3));
      run->values[BN_COMPARED_BOUND_LATENCY] = real_or_nan (runs, 4);
      run->values[BN_COMPARED_BOUND_SLOWDOWN] = real_or_nan (runs, 5);
      run->values[BN_COMPARED_BATCH_95] = NAN;
      run->yardstick = sqlite3_column_int64 (runs, 6) != 0;
      run->warmup_s = sqlite3_column_double (runs, 7);
      g_ptr_array_add (all, run);
      well = read_metrics (db, metrics, run, error);
    }
  if (well && rc != SQLITE_DONE)
    well = bn_sql_fail (db, error);
  sqlite3_finalize (runs);
  sqlite3_finalize (metrics);
  if (well)
    return all;
  g_ptr_array_unref (all);
  return NULL;
}

/* ---- order ---- */

/* Where a run stands that is not by its number: the cell, the first run of its variant
 * anywhere, the run. */
static int
compare_runs (gconstpointer a, gconstpointer b, gpointer data)
{
  const BnComparedRun *x = *(const BnComparedRun *const *) a, *y = *(const BnComparedRun *const *) b;
  GHashTable *places = data;

  if (x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  guint p = GPOINTER_TO_UINT (g_hash_table_lookup (places, x->variant));
  guint q = GPOINTER_TO_UINT (g_hash_table_lookup (places, y->variant));
  return p != q ? (p < q ? -1 : 1) : (x->run_id > y->run_id) - (x->run_id < y->run_id);
}

static void
group_runs (BnCompared *compared, gboolean by_variant)
{
  GHashTable *places = g_hash_table_new (g_str_hash, g_str_equal);
  const BnCells *cells = compared->cells;

  g_assert (compared->runs->len == cells->runs->len);
  for (guint v = 0; v < cells->variants->len; v++)
    g_hash_table_insert (places, g_ptr_array_index (cells->variants, v), GUINT_TO_POINTER (v));
  for (guint r = 0; r < compared->runs->len; r++)
    ((BnComparedRun *) g_ptr_array_index (compared->runs, r))->cell = g_array_index (cells->runs, BnCellRun, r).cell;
  if (by_variant)
    g_ptr_array_sort_with_data (compared->runs, compare_runs, places);
  g_hash_table_unref (places);
}

static gboolean
read_batch_means (BnCompared *compared, sqlite3 *db, GError **error)
{
  for (guint r = 0; r < compared->runs->len; r++)
    {
      BnComparedRun *run = g_ptr_array_index (compared->runs, r);
      BnBatchMeans means;
      if (!bn_within_run_latency (db, run->run_id, &means, error))
        return FALSE;
      if (means.independent)
        run->values[BN_COMPARED_BATCH_95] = means.interval.half_width;
    }
  return TRUE;
}

BnCompared *
bn_compared_read (sqlite3 *db, gboolean by_variant, GError **error)
{
  GPtrArray *runs = read_runs (db, error);
  BnCells *cells = runs != NULL ? bn_cells_read (db, ENDED, error) : NULL;

  if (cells == NULL)
    {
      g_clear_pointer (&runs, g_ptr_array_unref);
      return NULL;
    }
  BnCompared *compared = g_new (BnCompared, 1);
  *compared = (BnCompared){ cells, runs };
  group_runs (compared, by_variant);
  if (!by_variant || bn_compared_most_seeds (compared) > 1 || read_batch_means (compared, db, error))
    return compared;
  bn_compared_free (compared);
  return NULL;
}

void
bn_compared_free (BnCompared *compared)
{
  if (compared == NULL)
    return;
  bn_cells_free (compared->cells);
  g_ptr_array_unref (compared->runs);
  g_free (compared);
}

const BnComparedRun *
bn_compared_run (const BnCompared *compared, guint i)
{
  return g_ptr_array_index (compared->runs, i);
}

guint
bn_compared_end_of_cell (const BnCompared *compared, guint first)
{
  guint end = first + 1;

  while (end < compared->runs->len && bn_compared_run (compared, end)->cell == bn_compared_run (compared, first)->cell)
    end++;
  return end;
}

guint
bn_compared_end_of_variant (const BnCompared *compared, guint first)
{
  guint end = first + 1, last = bn_compared_end_of_cell (compared, first);

  while (end < last
         && strcmp (bn_compared_run (compared, end)->variant, bn_compared_run (compared, first)->variant) == 0)
    end++;
  return end;
}

guint
bn_compared_most_seeds (const BnCompared *compared)
{
  guint most = 0;

  for (guint r = 0, end; r < compared->runs->len; r = end)
    {
      end = bn_compared_end_of_variant (compared, r);
      most = MAX (most, end - r);
    }
  return most;
}

guint
bn_compared_find_variant (const BnCompared *compared, guint first, guint end, const char *name)
{
  while (first < end && strcmp (bn_compared_run (compared, first)->variant, name) != 0)
    first++;
  return first;
}

/* ---- statistics ---- */

BnInterval
bn_compared_interval (const BnCompared *compared, guint first, guint end, guint i)
{
  g_autofree double *values = g_new (double, end - first);
  guint n = 0;

  for (guint r = first; r < end; r++)
    if (isfinite (bn_compared_run (compared, r)->values[i]))
      values[n++] = bn_compared_run (compared, r)->values[i];
  return bn_interval_of_mean (values, n, BN_CONFIDENCE);
}

BnInterval
bn_compared_ratio (const BnCompared *compared, guint first, guint end, guint i, guint other, guint other_end, guint j)
{
  g_autofree double *above = g_new (double, end - first), *below = g_new (double, end - first);
  guint n = 0;

  for (guint r = first; r < end; r++)
    {
      const BnComparedRun *run = bn_compared_run (compared, r), *pair = NULL;
      for (guint o = other; o < other_end && pair == NULL; o++)
        if (strcmp (bn_compared_run (compared, o)->seed, run->seed) == 0)
          pair = bn_compared_run (compared, o);
      if (pair == NULL || !isfinite (run->values[i]) || !isfinite (pair->values[j]))
        continue;
      above[n] = run->values[i];
      below[n++] = pair->values[j];
    }
  return bn_interval_of_ratio (above, below, n, BN_CONFIDENCE);
}

#define N_BADNESS 5

/* How bad a label is, below N_BADNESS; a state other than complete is worse than all. */
static guint
badness (const char *label)
{
  static const BnLabel order[] = { BN_LABEL_STABLE, BN_LABEL_UNKNOWN, BN_LABEL_BACKLOGGED, BN_LABEL_OVERLOADED };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (g_strcmp0 (label, bn_label_name (order[i])) == 0)
      return i;
  return G_N_ELEMENTS (order);
}

char *
bn_compared_label (const BnCompared *compared, guint first, guint end)
{
  guint counts[N_BADNESS] = { 0 };
  const char *names[N_BADNESS] = { NULL };
  guint best = 0;

  for (guint r = first; r < end; r++)
    {
      const char *label = bn_compared_run (compared, r)->label;
      guint b = badness (label);
      counts[b]++;
      names[b] = label;
      if (b == N_BADNESS - 1)
        return g_strdup (label);
      if (counts[b] > counts[best] || (counts[b] == counts[best] && b > best))
        best = b;
    }
  return counts[best] == end - first ? g_strdup (names[best])
                                     : g_strdup_printf ("%s %u of %u", names[best], counts[best], end - first);
}
