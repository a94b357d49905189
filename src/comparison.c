/* comparison.c: the table that a comparison ends with.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Everything is read from the database, so that a table printed later is the one
 * that was printed first.
 */
#include "comparison.h"

#include <math.h>
#include <string.h>

#include "sql.h"
#include "stability.h"

/* Columns that are metrics, between the names and the label. */
static const struct
{
  const char *metric;
  double scale;
  gboolean whole;   /* an integer in one run */
} measured[] = {
  { "jobs_done", 1, TRUE },
  { "latency_mean", 1, FALSE },
  { "latency_p50", 1, FALSE },
  { "latency_p95", 1, FALSE },
  { "latency_p99", 1, FALSE },
  { "slowdown_mean", 1, FALSE },
  { "slowdown_p99", 1, FALSE },
  { "hit_rate", 100, FALSE },
  { "executing", 100, FALSE },
  { "loading", 100, FALSE },
  { "evictions", 1, TRUE },
  { "workers_used", 1, TRUE },
  { "energy_per_job", 1, FALSE },
};
#define N_MEASURED G_N_ELEMENTS (measured)

enum
{
  MEAN_LATENCY = 1  /* index into measured */
};

#define FIRST_COLUMNS \
  { "done", "done", "jobs", 1 }, \
  { "latency_mean", "latency", "ms", 1 }

#define OTHER_COLUMNS \
  { "latency_p50", "p50", "ms", 1 }, \
  { "latency_p95", "p95", "ms", 1 }, \
  { "latency_p99", "p99", "ms", 1 }, \
  { "slowdown_mean", "slowdown", "", 2 }, \
  { "slowdown_p99", "p99", "", 2 }, \
  { "hit_rate", "hits", "%", 1 }, \
  { "executing", "exec", "%", 1 }, \
  { "loading", "load", "%", 1 }, \
  { "evictions", "evictions", "", 1 | BN_NOT_IN_TEXT }, \
  { "used", "used", "workers", 1 | BN_NOT_IN_TEXT }, \
  { "energy", "energy", "J/job", 1 }, \
  { "label", "label", "", 0 }

static const BnColumn run_columns[] = {
  { "variant", "scheduler", "", 0 },
  { "seed", "seed", "", 0 },
  FIRST_COLUMNS,
  OTHER_COLUMNS,
};

static const BnColumn mean_columns[] = {
  { "variant", "scheduler", "", 0 },
  { "seeds", "seeds", "", 0 },
  FIRST_COLUMNS,
  { "latency_mean_95", "± 95 %", "ms", 1 },
  OTHER_COLUMNS,
};

typedef struct Row
{
  char *variant, *seed, *label;
  double values[N_MEASURED];  /* NAN: undefined */
} Row;

static void
free_row (void *data)
{
  Row *row = data;

  g_free (row->variant);
  g_free (row->seed);
  g_free (row->label);
  g_free (row);
}

static gboolean
read_metrics (sqlite3 *db, sqlite3_stmt *stmt, gint64 run_id, Row *row, GError **error)
{
  for (guint i = 0; i < N_MEASURED; i++)
    {
      int rc;

      sqlite3_bind_int64 (stmt, 1, run_id);
      sqlite3_bind_text (stmt, 2, measured[i].metric, -1, SQLITE_STATIC);
      rc = sqlite3_step (stmt);
      row->values[i] = rc == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL
                         ? sqlite3_column_double (stmt, 0) * measured[i].scale
                         : NAN;
      sqlite3_reset (stmt);
      if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        return bn_sql_fail (db, error);
    }
  return TRUE;
}

#define ENDED_RUNS \
  "SELECT run_id, variant, seed, CASE state WHEN 'complete' THEN label ELSE state END" \
  " FROM runs WHERE state <> 'running' ORDER BY "

/* One Row for each run that has ended, in order, or first by the first run of their
 * variant; NULL with `error` set. */
static GPtrArray *
read_runs (sqlite3 *db, gboolean by_variant, GError **error)
{
  const char *sql = by_variant ? ENDED_RUNS "min (run_id) OVER (PARTITION BY variant), run_id" : ENDED_RUNS "run_id";
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);
  sqlite3_stmt *runs = NULL, *metrics = NULL;
  gboolean well = TRUE;
  int rc = SQLITE_OK;

  if (sqlite3_prepare_v2 (db, sql, -1, &runs, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (db, "SELECT value FROM metrics WHERE run_id = ?1 AND name = ?2 AND scope = ''", -1,
                             &metrics, NULL) != SQLITE_OK)
    well = bn_sql_fail (db, error);
  while (well && (rc = sqlite3_step (runs)) == SQLITE_ROW)
    {
      Row *row = g_new0 (Row, 1);

      row->variant = g_strdup ((const char *) sqlite3_column_text (runs, 1));
      row->seed = g_strdup ((const char *) sqlite3_column_text (runs, 2));
      row->label = g_strdup ((const char *) sqlite3_column_text (runs, 3));
      g_ptr_array_add (rows, row);
      well = read_metrics (db, metrics, sqlite3_column_int64 (runs, 0), row, error);
    }
  if (well && rc != SQLITE_DONE)
    well = bn_sql_fail (db, error);
  sqlite3_finalize (runs);
  sqlite3_finalize (metrics);
  if (well)
    return rows;
  g_ptr_array_unref (rows);
  return NULL;
}

static void
add_value (BnTable *table, guint i, double value, gboolean one_run)
{
  if (one_run && measured[i].whole && isfinite (value))
    bn_table_integer (table, (gint64) value);
  else
    bn_table_real (table, value);
}

static void
add_run (BnTable *table, const Row *row)
{
  bn_table_text (table, row->variant);
  bn_table_text (table, row->seed);
  for (guint i = 0; i < N_MEASURED; i++)
    add_value (table, i, row->values[i], TRUE);
  bn_table_text (table, row->label);
}

/* ---- means over seeds ---- */

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

/* What most of the rows [first, end) are called, of equally many the worse, and by
 * how many: one run in twenty is misjudged, so the worst of many says nothing. A
 * run that did not complete counts more than all. Returns: (transfer full). */
static char *
common_label (const GPtrArray *rows, guint first, guint end)
{
  guint counts[N_BADNESS] = { 0 };
  const char *names[N_BADNESS] = { NULL };
  guint best = 0;

  for (guint r = first; r < end; r++)
    {
      const char *label = ((const Row *) g_ptr_array_index (rows, r))->label;
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

/* Over the rows [first, end) where it is defined. */
static void
mean_of (const GPtrArray *rows, guint first, guint end, guint i, double *mean, double *half_width)
{
  double sum = 0, squares = 0;
  guint n = 0;

  for (guint r = first; r < end; r++)
    {
      double value = ((const Row *) g_ptr_array_index (rows, r))->values[i];
      if (!isfinite (value))
        continue;
      sum += value;
      n++;
    }
  *mean = n > 0 ? sum / n : NAN;
  for (guint r = first; r < end; r++)
    {
      double value = ((const Row *) g_ptr_array_index (rows, r))->values[i];
      if (isfinite (value))
        squares += (value - *mean) * (value - *mean);
    }
  *half_width = n > 1 ? bn_student_t (n - 1) * sqrt (squares / (n - 1) / n) : NAN;
}

/* The rows [first, end) are those of one variant. */
static void
add_mean (BnTable *table, const GPtrArray *rows, guint first, guint end)
{
  const Row *one = g_ptr_array_index (rows, first);
  g_autofree char *label = common_label (rows, first, end);
  double mean, half_width;

  bn_table_text (table, one->variant);
  bn_table_integer (table, end - first);
  for (guint i = 0; i < N_MEASURED; i++)
    {
      mean_of (rows, first, end, i, &mean, &half_width);
      add_value (table, i, mean, end - first == 1);
      if (i == MEAN_LATENCY)
        bn_table_real (table, half_width);
    }
  bn_table_text (table, label);
}

/* Of rows that are in order of variant. */
static guint
end_of_variant (const GPtrArray *rows, guint first)
{
  const char *variant = ((const Row *) g_ptr_array_index (rows, first))->variant;
  guint end = first + 1;

  while (end < rows->len && strcmp (((const Row *) g_ptr_array_index (rows, end))->variant, variant) == 0)
    end++;
  return end;
}

BnTable *
bn_comparison_table (sqlite3 *db, gboolean mean_over_seeds, GError **error)
{
  GPtrArray *rows = read_runs (db, mean_over_seeds, error);
  BnTable *table;

  if (rows == NULL)
    return NULL;
  table = mean_over_seeds ? bn_table_new (mean_columns, G_N_ELEMENTS (mean_columns))
                          : bn_table_new (run_columns, G_N_ELEMENTS (run_columns));
  for (guint r = 0; r < rows->len && !mean_over_seeds; r++)
    add_run (table, g_ptr_array_index (rows, r));
  for (guint r = 0, end; r < rows->len && mean_over_seeds; r = end)
    {
      end = end_of_variant (rows, r);
      add_mean (table, rows, r, end);
    }
  g_ptr_array_unref (rows);
  return table;
}
