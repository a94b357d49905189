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

#include "cells.h"
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

/* Indices into measured. */
enum
{
  MEAN_LATENCY = 1,
  MEAN_SLOWDOWN = 5,
  LAST_SLOWDOWN = 6
};

/* What is known to be the least possible, beside what was measured. */
typedef enum
{
  BOUND_LATENCY,
  BOUND_SLOWDOWN,
  N_BOUNDS
} Bound;

#define FIRST_COLUMNS \
  { "done", "done", "jobs", 1 }, \
  { "latency_mean", "latency", "ms", 1 }

#define OTHER_COLUMNS \
  { "latency_p50", "p50", "ms", 1 }, \
  { "latency_p95", "p95", "ms", 1 }, \
  { "latency_p99", "p99", "ms", 1 }, \
  { "slowdown_mean", "slowdown", "", 2 }, \
  { "slowdown_p99", "p99", "", 2 }, \
  { "gap", "gap", "", 2 }, \
  { "hit_rate", "hits", "%", 1 }, \
  { "executing", "exec", "%", 1 }, \
  { "loading", "loading", "%", 1 }, \
  { "evictions", "evictions", "", 1 | BN_NOT_IN_TEXT }, \
  { "used", "used", "workers", 1 | BN_NOT_IN_TEXT }, \
  { "energy", "energy", "J/job", 1 }, \
  { "label", "label", "", 0 }, \
  { "note", "note", "", 0 }

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
  gint64 run_id;
  guint cell;                 /* index into BnCells.values */
  char *variant, *seed, *label;
  double values[N_MEASURED];  /* NAN: undefined */
  gboolean yardstick;         /* it knew what no real scheduler could */
  double bounds[N_BOUNDS];    /* NAN: unknown; ms, and a plain number */
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

#define ENDED "SELECT run_id FROM runs WHERE state <> 'running'"

static const char runs_sql[] = "SELECT run_id, shown, seed, CASE state WHEN 'complete' THEN label ELSE state END,"
                               " bound_latency_ns / 1e6, bound_slowdown, yardstick FROM v_runs WHERE state <> 'running'"
                               " ORDER BY run_id";

/* One Row for each run that has ended, in order; NULL with `error` set. */
static GPtrArray *
read_runs (sqlite3 *db, GError **error)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (free_row);
  sqlite3_stmt *runs = NULL, *metrics = NULL;
  gboolean well = TRUE;
  int rc = SQLITE_OK;

  if (sqlite3_prepare_v2 (db, runs_sql, -1, &runs, NULL) != SQLITE_OK
      || sqlite3_prepare_v2 (db, "SELECT value FROM metrics WHERE run_id = ?1 AND name = ?2 AND scope = ''", -1,
                             &metrics, NULL) != SQLITE_OK)
    well = bn_sql_fail (db, error);
  while (well && (rc = sqlite3_step (runs)) == SQLITE_ROW)
    {
      Row *row = g_new0 (Row, 1);

      row->run_id = sqlite3_column_int64 (runs, 0);
      row->variant = g_strdup ((const char *) sqlite3_column_text (runs, 1));
      row->seed = g_strdup ((const char *) sqlite3_column_text (runs, 2));
      row->label = g_strdup ((const char *) sqlite3_column_text (runs, 3));
      for (int b = 0; b < N_BOUNDS; b++)
        {
          bool known = sqlite3_column_type (runs, 4 + b) != SQLITE_NULL;
          row->bounds[b] = known ? sqlite3_column_double (runs, 4 + b) : NAN;
        }
      row->yardstick = sqlite3_column_int64 (runs, 4 + N_BOUNDS) != 0;
      g_ptr_array_add (rows, row);
      well = read_metrics (db, metrics, row->run_id, row, error);
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

/* How far the mean slowdown is from the least possible. */
static void
add_gap (BnTable *table, double mean_slowdown, double bound)
{
  bn_table_real (table, bound > 0 ? mean_slowdown / bound : NAN);
}

static void
add_note (BnTable *table, const Row *row)
{
  if (row->yardstick)
    bn_table_text (table, "yardstick");
  else
    bn_table_missing (table);
}

static void
add_run (BnTable *table, const Row *row)
{
  bn_table_text (table, row->variant);
  bn_table_text (table, row->seed);
  for (guint i = 0; i < N_MEASURED; i++)
    {
      add_value (table, i, row->values[i], TRUE);
      if (i == LAST_SLOWDOWN)
        add_gap (table, row->values[MEAN_SLOWDOWN], row->bounds[BOUND_SLOWDOWN]);
    }
  bn_table_text (table, row->label);
  add_note (table, row);
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

/* Value i of a row; beyond those measured, a bound. */
static double
value_of (const Row *row, guint i)
{
  return i < N_MEASURED ? row->values[i] : row->bounds[i - N_MEASURED];
}

/* Over the rows [first, end) where it is defined. */
static void
mean_of (const GPtrArray *rows, guint first, guint end, guint i, double *mean, double *half_width)
{
  double sum = 0, squares = 0;
  guint n = 0;

  for (guint r = first; r < end; r++)
    {
      double value = value_of (g_ptr_array_index (rows, r), i);
      if (!isfinite (value))
        continue;
      sum += value;
      n++;
    }
  *mean = n > 0 ? sum / n : NAN;
  for (guint r = first; r < end; r++)
    {
      double value = value_of (g_ptr_array_index (rows, r), i);
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
      if (i == LAST_SLOWDOWN)
        {
          double slowdown, bound;
          mean_of (rows, first, end, MEAN_SLOWDOWN, &slowdown, &half_width);
          mean_of (rows, first, end, N_MEASURED + BOUND_SLOWDOWN, &bound, &half_width);
          add_gap (table, slowdown, bound);
        }
    }
  bn_table_text (table, label);
  add_note (table, one);
}

/* Of rows that are in order of cell and variant. */
static guint
end_of_variant (const GPtrArray *rows, guint first)
{
  const Row *one = g_ptr_array_index (rows, first);
  guint end = first + 1;

  for (; end < rows->len; end++)
    {
      const Row *other = g_ptr_array_index (rows, end);
      if (other->cell != one->cell || strcmp (other->variant, one->variant) != 0)
        break;
    }
  return end;
}

/* ---- cells, where runs are of several scenarios ---- */

/* Where a row stands that is not by its run's number: the cell, the first run of its
 * variant there, the run. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const Row *x = *(const Row *const *) a, *y = *(const Row *const *) b;
  GHashTable *places = data;

  if (x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  guint p = GPOINTER_TO_UINT (g_hash_table_lookup (places, x->variant));
  guint q = GPOINTER_TO_UINT (g_hash_table_lookup (places, y->variant));
  return p != q ? (p < q ? -1 : 1) : (x->run_id > y->run_id) - (x->run_id < y->run_id);
}

/* Gives each row its cell; then rows of a cell and variant stand together. */
static void
group_rows (GPtrArray *rows, const BnCells *cells, gboolean by_variant)
{
  GHashTable *places = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert (rows->len == cells->runs->len);
  for (guint v = 0; v < cells->variants->len; v++)
    g_hash_table_insert (places, g_ptr_array_index (cells->variants, v), GUINT_TO_POINTER (v));
  for (guint r = 0; r < rows->len; r++)
    ((Row *) g_ptr_array_index (rows, r))->cell = g_array_index (cells->runs, BnCellRun, r).cell;
  if (by_variant)
    g_ptr_array_sort_with_data (rows, compare_rows, places);
  g_hash_table_unref (places);
}

/* A table with a column for each varied key before the others. */
static BnTable *
new_table (const BnCells *cells, const BnColumn *columns, guint n_columns)
{
  BnColumn *all = g_new0 (BnColumn, cells->n_keys + n_columns);

  for (guint k = 0; k < cells->n_keys; k++)
    all[k] = (BnColumn) { cells->keys[k], strrchr (cells->keys[k], '.') + 1, "", 0 };
  memcpy (all + cells->n_keys, columns, n_columns * sizeof *columns);
  BnTable *table = bn_table_new (all, cells->n_keys + n_columns);
  g_free (all);
  return table;
}

static void
add_cell (BnTable *table, const BnCells *cells, const Row *row)
{
  char **values = g_ptr_array_index (cells->values, row->cell);

  for (guint k = 0; k < cells->n_keys; k++)
    bn_table_text (table, values[k]);
}

/* ---- the least possible ---- */

/* The row `bound`: of `rows`, one for each seed. */
static void
add_bound (BnTable *table, const BnCells *cells, const GPtrArray *rows, guint first, guint end,
           gboolean mean_over_seeds)
{
  const Row *one = g_ptr_array_index (rows, first);
  double latency, slowdown, half_width;

  mean_of (rows, first, end, N_MEASURED + BOUND_SLOWDOWN, &slowdown, &half_width);
  mean_of (rows, first, end, N_MEASURED + BOUND_LATENCY, &latency, &half_width);
  add_cell (table, cells, one);
  bn_table_text (table, "bound");
  if (mean_over_seeds)
    bn_table_integer (table, end - first);
  else
    bn_table_text (table, one->seed);
  for (guint i = 0; i < N_MEASURED; i++)
    {
      bn_table_real (table, i == MEAN_LATENCY ? latency : i == MEAN_SLOWDOWN ? slowdown : NAN);
      if (i == MEAN_LATENCY && mean_over_seeds)
        bn_table_real (table, half_width);
      if (i == LAST_SLOWDOWN)
        bn_table_missing (table);
    }
  bn_table_missing (table); /* label */
  bn_table_missing (table); /* note */
}

/* Of the rows [first, end), of one cell: a row for each seed whose bound is known, in
 * order. Returns: (transfer container). */
static GPtrArray *
bounded_rows (const GPtrArray *rows, guint first, guint end)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint r = first; r < end; r++)
    {
      const Row *row = g_ptr_array_index (rows, r);
      gboolean is_new = isfinite (row->bounds[BOUND_LATENCY]);
      for (guint i = 0; i < found->len && is_new; i++)
        is_new = strcmp (((const Row *) g_ptr_array_index (found, i))->seed, row->seed) != 0;
      if (is_new)
        g_ptr_array_add (found, (gpointer) row);
    }
  return found;
}

/* Below the rows [first, end), of one cell. */
static void
add_bounds (BnTable *table, const BnCells *cells, const GPtrArray *rows, guint first, guint end,
            gboolean mean_over_seeds)
{
  GPtrArray *bounded = bounded_rows (rows, first, end);

  if (mean_over_seeds && bounded->len > 0)
    add_bound (table, cells, bounded, 0, bounded->len, TRUE);
  for (guint i = 0; i < bounded->len && !mean_over_seeds; i++)
    add_bound (table, cells, bounded, i, i + 1, FALSE);
  g_ptr_array_unref (bounded);
}

BnTable *
bn_comparison_table (sqlite3 *db, gboolean mean_over_seeds, GError **error)
{
  GPtrArray *rows = read_runs (db, error);
  BnCells *cells = rows != NULL ? bn_cells_read (db, ENDED, error) : NULL;
  BnTable *table = NULL;

  if (cells != NULL)
    {
      group_rows (rows, cells, mean_over_seeds);
      table = mean_over_seeds ? new_table (cells, mean_columns, G_N_ELEMENTS (mean_columns))
                              : new_table (cells, run_columns, G_N_ELEMENTS (run_columns));
      for (guint r = 0, end, cell = 0; r < rows->len; r = end)
        {
          end = mean_over_seeds ? end_of_variant (rows, r) : r + 1;
          add_cell (table, cells, g_ptr_array_index (rows, r));
          if (mean_over_seeds)
            add_mean (table, rows, r, end);
          else
            add_run (table, g_ptr_array_index (rows, r));
          if (end < rows->len && ((const Row *) g_ptr_array_index (rows, end))->cell
                                   == ((const Row *) g_ptr_array_index (rows, r))->cell)
            continue;
          add_bounds (table, cells, rows, cell, end, mean_over_seeds);
          cell = end;
        }
    }
  bn_cells_free (cells);
  g_clear_pointer (&rows, g_ptr_array_unref);
  return table;
}

gboolean
bn_comparison_print (sqlite3 *db, gboolean mean_over_seeds, BnCliFormat format, GError **error)
{
  BnTable *table = bn_comparison_table (db, mean_over_seeds, error);
  GError *failure = NULL;
  gboolean ok = table && (bn_table_print (table, format, stdout, &failure)
                          || g_error_matches (failure, G_FILE_ERROR, G_FILE_ERROR_PIPE));

  g_clear_pointer (&table, bn_table_free);
  if (ok)
    g_clear_error (&failure);
  else if (failure)
    g_propagate_error (error, failure);
  return ok;
}
