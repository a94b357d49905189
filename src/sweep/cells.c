/* cells.c: the cells of a results file: the runs of one scenario each.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cells.h"

#include <math.h>
#include <string.h>

#include "sql.h"

/* Keys with more than one value among the runs chosen, or that some do not have. The
 * later a key first changes, the slower it does. A key that says what goes into the
 * file or how it is called makes no cell, nor does the backend, which the variant's
 * name tells. */
#define VARIED_SQL \
  "WITH chosen AS (%s), scenario AS (SELECT run_id, name, value FROM parameters JOIN chosen USING (run_id)" \
  "  WHERE source = 'scenario' AND name NOT IN ('scenario.name', 'scenario.record', 'scenario.seeds'," \
  "  'schedulers.compare', 'backend.name', 'backend.verify', 'backend.watchdog'))," \
  " first AS (SELECT name, value FROM scenario WHERE run_id = (SELECT MIN (run_id) FROM chosen))" \
  " SELECT n.name, (SELECT MIN (c.run_id) FROM chosen c LEFT JOIN scenario s ON s.run_id = c.run_id AND" \
  "   s.name = n.name WHERE s.value IS NOT (SELECT value FROM first f WHERE f.name = n.name)) AS changes" \
  " FROM (SELECT DISTINCT name FROM scenario) n WHERE changes IS NOT NULL ORDER BY changes DESC, n.name"

#define RUNS_SQL "SELECT run_id, shown, seed FROM v_runs WHERE run_id IN (%s) ORDER BY run_id"

static sqlite3_stmt *
prepare (sqlite3 *db, const char *format, const char *chosen, GError **error)
{
  char *sql = sqlite3_mprintf (format, chosen);
  sqlite3_stmt *stmt = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) != SQLITE_OK)
    bn_sql_fail (db, error);
  sqlite3_free (sql);
  return stmt;
}

static gboolean
read_keys (BnCells *cells, sqlite3 *db, const char *chosen, GError **error)
{
  sqlite3_stmt *stmt = prepare (db, VARIED_SQL, chosen, error);
  GPtrArray *keys = g_ptr_array_new ();
  int rc = SQLITE_ERROR;

  while (stmt != NULL && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    g_ptr_array_add (keys, g_strdup ((const char *) sqlite3_column_text (stmt, 0)));
  sqlite3_finalize (stmt);
  cells->n_keys = keys->len;
  g_ptr_array_add (keys, NULL);
  cells->keys = (char **) g_ptr_array_free (keys, FALSE);
  return rc == SQLITE_DONE || (stmt != NULL && bn_sql_fail (db, error));
}

/* The index of `text`, which is added where it is new. */
static guint
index_of (GPtrArray *texts, const char *text)
{
  for (guint i = 0; i < texts->len; i++)
    if (strcmp (g_ptr_array_index (texts, i), text) == 0)
      return i;
  g_ptr_array_add (texts, g_strdup (text));
  return texts->len - 1;
}

/* Values of the varied keys in run `run_id`; (transfer full). */
static char **
read_values (const BnCells *cells, sqlite3_stmt *stmt, gint64 run_id)
{
  char **values = g_new0 (char *, cells->n_keys + 1);

  for (guint k = 0; k < cells->n_keys; k++)
    {
      sqlite3_bind_int64 (stmt, 1, run_id);
      sqlite3_bind_text (stmt, 2, cells->keys[k], -1, SQLITE_STATIC);
      values[k] = g_strdup (sqlite3_step (stmt) == SQLITE_ROW ? (const char *) sqlite3_column_text (stmt, 0) : "");
      sqlite3_reset (stmt);
    }
  return values;
}

/* Behind the other runs of its cell; `last` [cells] is the last of each. */
static void
add_run (BnCells *cells, GArray *last, BnCellRun run)
{
  int number = (int) cells->runs->len;

  if (run.cell == cells->first->len)
    {
      g_array_append_val (cells->first, number);
      g_array_append_val (last, number);
    }
  else
    {
      int *before = &g_array_index (last, int, run.cell);
      g_array_index (cells->runs, BnCellRun, *before).next = number;
      *before = number;
    }
  g_array_append_val (cells->runs, run);
}

/* Takes `values`. */
static guint
cell_of (BnCells *cells, GHashTable *known, char **values)
{
  char *name = g_strjoinv ("\n", values);
  gpointer found;

  if (g_hash_table_lookup_extended (known, name, NULL, &found))
    {
      g_strfreev (values);
      g_free (name);
      return GPOINTER_TO_UINT (found);
    }
  g_hash_table_insert (known, name, GUINT_TO_POINTER (cells->values->len));
  g_ptr_array_add (cells->values, values);
  return cells->values->len - 1;
}

static gboolean
read_runs (BnCells *cells, sqlite3 *db, const char *chosen, GError **error)
{
  sqlite3_stmt *runs = prepare (db, RUNS_SQL, chosen, error);
  sqlite3_stmt *values = runs == NULL ? NULL
                                      : prepare (db, "SELECT value FROM parameters WHERE run_id = ?1 AND"
                                                     " source = 'scenario' AND name = ?2%s", "", error);
  GHashTable *known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray *last = g_array_new (FALSE, FALSE, sizeof (int));
  int rc = SQLITE_ERROR;

  while (values != NULL && (rc = sqlite3_step (runs)) == SQLITE_ROW)
    {
      BnCellRun run = { .run_id = sqlite3_column_int64 (runs, 0), .next = -1 };

      run.variant = index_of (cells->variants, (const char *) sqlite3_column_text (runs, 1));
      run.seed = index_of (cells->seeds, (const char *) sqlite3_column_text (runs, 2));
      run.cell = cell_of (cells, known, read_values (cells, values, run.run_id));
      add_run (cells, last, run);
    }
  gboolean ok = rc == SQLITE_DONE || (values != NULL && bn_sql_fail (db, error));
  g_hash_table_unref (known);
  g_array_unref (last);
  sqlite3_finalize (runs);
  sqlite3_finalize (values);
  return ok;
}

static void
free_values (void *values)
{
  g_strfreev (values);
}

BnCells *
bn_cells_read (sqlite3 *db, const char *chosen, GError **error)
{
  BnCells *cells = g_new0 (BnCells, 1);

  cells->values = g_ptr_array_new_with_free_func (free_values);
  cells->variants = g_ptr_array_new_with_free_func (g_free);
  cells->seeds = g_ptr_array_new_with_free_func (g_free);
  cells->runs = g_array_new (FALSE, FALSE, sizeof (BnCellRun));
  cells->first = g_array_new (FALSE, FALSE, sizeof (int));
  if (read_keys (cells, db, chosen, error) && read_runs (cells, db, chosen, error))
    return cells;
  bn_cells_free (cells);
  return NULL;
}

void
bn_cells_free (BnCells *cells)
{
  if (cells == NULL)
    return;
  g_strfreev (cells->keys);
  g_ptr_array_unref (cells->values);
  g_ptr_array_unref (cells->variants);
  g_ptr_array_unref (cells->seeds);
  g_array_unref (cells->runs);
  g_array_unref (cells->first);
  g_free (cells);
}

int
bn_cells_find_key (const BnCells *cells, const char *key)
{
  for (guint k = 0; k < cells->n_keys; k++)
    if (strcmp (cells->keys[k], key) == 0)
      return (int) k;
  return -1;
}

gboolean
bn_cells_follows (const BnCells *cells, guint key, const gboolean *by)
{
  for (guint i = 0; i < cells->values->len; i++)
    for (guint j = 0; j < i; j++)
      {
        char **a = g_ptr_array_index (cells->values, i), **b = g_ptr_array_index (cells->values, j);
        gboolean same = TRUE;
        for (guint k = 0; k < cells->n_keys && same; k++)
          same = !by[k] || strcmp (a[k], b[k]) == 0;
        if (same && strcmp (a[key], b[key]) != 0)
          return FALSE;
      }
  return TRUE;
}

double *
bn_cells_metric (const BnCells *cells, sqlite3 *db, const char *metric, GError **error)
{
  sqlite3_stmt *stmt = prepare (db, "SELECT value FROM metrics JOIN runs USING (run_id) WHERE run_id = ?1"
                                    " AND name = ?2 AND scope = '' AND state = 'complete'%s", "", error);
  double *values = g_new (double, cells->runs->len);
  int rc = SQLITE_DONE;

  for (guint i = 0; i < cells->runs->len && stmt != NULL && (rc == SQLITE_DONE || rc == SQLITE_ROW); i++)
    {
      sqlite3_bind_int64 (stmt, 1, g_array_index (cells->runs, BnCellRun, i).run_id);
      sqlite3_bind_text (stmt, 2, metric, -1, SQLITE_STATIC);
      rc = sqlite3_step (stmt);
      values[i] = rc == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL ? sqlite3_column_double (stmt, 0)
                                                                                    : NAN;
      sqlite3_reset (stmt);
    }
  gboolean ok = stmt != NULL && (rc == SQLITE_DONE || rc == SQLITE_ROW || bn_sql_fail (db, error));
  sqlite3_finalize (stmt);
  if (ok)
    return values;
  g_free (values);
  return NULL;
}

double
bn_cells_mean (const BnCells *cells, const double *metric, guint cell, guint variant, int seed)
{
  double sum = 0;
  guint n = 0;

  for (int i = g_array_index (cells->first, int, cell); i >= 0; i = g_array_index (cells->runs, BnCellRun, i).next)
    {
      const BnCellRun *run = &g_array_index (cells->runs, BnCellRun, i);
      if (run->variant == variant && (seed < 0 || run->seed == (guint) seed)
          && isfinite (metric[i]))
        {
          sum += metric[i];
          n++;
        }
    }
  return n > 0 ? sum / n : NAN;
}
