/* plan_table.c: the table that a plan ends with.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_table.h"

#include <string.h>

#include "sql.h"

/* Columns of `plans` that a table shows after what is varied. */
static const char plans_sql[]
  = "SELECT p.variant, p.settings, p.kind, p.key, p.rate_per_s, p.work, p.answer, p.answer_text, p.low, p.low_text,"
    " p.high, p.high_text, p.answer_cost, p.low_cost, p.high_cost, o.seeds, p.seeds_needed, p.note, p.plan, p.point"
    " FROM plans p LEFT JOIN plan_points o USING (plan, point) ORDER BY p.plan";

enum
{
  VARIANT,
  SETTINGS,
  KIND,
  KEY,
  RATE,
  WORK,
  ANSWER,
  ANSWER_TEXT,
  LOW,
  LOW_TEXT,
  HIGH,
  HIGH_TEXT,
  ANSWER_COST,
  LOW_COST,
  HIGH_COST,
  SEEDS,
  SEEDS_NEEDED,
  NOTE,
  PLAN,
  POINT
};

typedef enum
{
  COUNT,
  SOLVE,
  MIX
} Kind;

/* A column of the table; a title of NULL: not in text. */
typedef struct Spec
{
  int column;
  const char *key, *unit;
  const char *titles[3];     /* of each Kind; "" stands for what is looked for */
  guint decimals;
} Spec;

static const Spec specs[] = {
  { RATE, "rate", "jobs/s", { NULL, NULL, NULL }, 2 },
  { KEY, "key", "", { NULL, NULL, NULL }, 0 },
  { WORK, "work", "", { "work", "work", NULL }, 2 },
  { ANSWER, "answer", "", { "", "", NULL }, 2 },
  { ANSWER_TEXT, "answer_text", "", { NULL, NULL, "cheapest mix" }, 0 },
  { ANSWER_COST, "answer_cost_per_hour", "", { "cost/h", "cost/h", "cost/h" }, 2 },
  { LOW, "low", "", { "N_lo", "kept to", NULL }, 2 },
  { LOW_TEXT, "low_text", "", { NULL, NULL, "undecided from" }, 0 },
  { LOW_COST, "low_cost_per_hour", "", { NULL, NULL, "cost/h" }, 2 },
  { HIGH, "high", "", { "N_hi", "broken from", NULL }, 2 },
  { HIGH_TEXT, "high_text", "", { NULL, NULL, NULL }, 0 },
  { HIGH_COST, "high_cost_per_hour", "", { NULL, NULL, NULL }, 2 },
  { SEEDS, "seeds", "", { "seeds", "seeds", "seeds" }, 0 },
};

static const Spec last_specs[] = {
  { SEEDS_NEEDED, "seeds_needed", "", { "to decide", "to decide", "to decide" }, 0 },
  { NOTE, "note", "", { "note", "note", "note" }, 0 },
};

/* A promise, and where what was seen of it is shown. */
typedef struct Promise
{
  gint64 number;
  char *name, *unit;
  char *key;                 /* `latency_p99` */
} Promise;

typedef struct Layout
{
  Kind kind;
  char *looked_for;
  char **varied;             /* keys, NULL-terminated       */
  GArray *promises;          /* of Promise, one for a name  */
  GArray *columns;           /* of BnColumn                 */
} Layout;

static gint64
count (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = NULL;
  gint64 n = 0;

  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step (stmt) == SQLITE_ROW)
    n = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  return n;
}

gboolean
bn_plan_table_is_there (sqlite3 *db)
{
  return count (db, "SELECT COUNT (*) FROM sqlite_schema WHERE name = 'plans'") > 0
         && count (db, "SELECT COUNT (*) FROM plans") > 0;
}

/* ---- columns ---- */

char **
bn_plan_table_settings (const char *settings, gboolean values)
{
  g_auto (GStrv) lines = g_strsplit (settings, "\n", -1);
  GPtrArray *parts = g_ptr_array_new ();

  for (char **line = lines; *line != NULL; line++)
    {
      const char *sign = strstr (*line, " = ");
      if (sign != NULL)
        g_ptr_array_add (parts, values ? g_strdup (sign + 3) : g_strndup (*line, (gsize) (sign - *line)));
    }
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (parts, FALSE);
}

static const char *
text_of (sqlite3_stmt *stmt, int column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);

  return text != NULL ? text : "";
}

/* One for each name: two promises of one metric are seen alike. */
static gboolean
read_promises (sqlite3 *db, Layout *l, GError **error)
{
  static const char sql[] = "SELECT MIN (promise), name, unit, CASE WHEN instr (name, '(') > 0 THEN metric ELSE name"
                            " END FROM plan_promises GROUP BY name ORDER BY 1";
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);

  while (rc == SQLITE_OK || rc == SQLITE_ROW)
    if ((rc = sqlite3_step (stmt)) == SQLITE_ROW)
      {
        Promise promise = { sqlite3_column_int64 (stmt, 0), g_strdup (text_of (stmt, 1)), g_strdup (text_of (stmt, 2)),
                            g_strdup (text_of (stmt, 3)) };
        g_array_append_val (l->promises, promise);
      }
  sqlite3_finalize (stmt);
  return rc == SQLITE_DONE || bn_sql_fail (db, error);
}

static void
add_column (Layout *l, const char *key, const char *title, const char *unit, guint decimals)
{
  BnColumn column = { key, title != NULL ? title : key, unit, title != NULL ? decimals : decimals | BN_NOT_IN_TEXT };

  g_array_append_val (l->columns, column);
}

static void
add_specs (Layout *l, const Spec *list, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const char *title = list[i].titles[l->kind];
      add_column (l, list[i].key, title != NULL && *title == '\0' ? l->looked_for : title, list[i].unit,
                  list[i].decimals);
    }
}

static void
lay_out (Layout *l, GStringChunk *texts)
{
  add_column (l, "variant", "scheduler", "", 0);
  for (char **key = l->varied; *key != NULL; key++)
    add_column (l, *key, *key, "", 0);
  add_specs (l, specs, G_N_ELEMENTS (specs));
  for (guint i = 0; i < l->promises->len; i++)
    {
      const Promise *p = &g_array_index (l->promises, Promise, i);
      g_autofree char *low = g_strconcat (p->key, "_low", NULL), *high = g_strconcat (p->key, "_high", NULL);
      const char *unit = strcmp (p->unit, "1") == 0 ? "" : p->unit;
      add_column (l, p->key, p->name, unit, *unit == '\0' ? 3 : 1);
      add_column (l, g_string_chunk_insert (texts, low), NULL, unit, 3);
      add_column (l, g_string_chunk_insert (texts, high), NULL, unit, 3);
    }
  add_specs (l, last_specs, G_N_ELEMENTS (last_specs));
}

static void
layout_clear (Layout *l)
{
  for (guint i = 0; i < l->promises->len; i++)
    {
      g_free (g_array_index (l->promises, Promise, i).name);
      g_free (g_array_index (l->promises, Promise, i).unit);
      g_free (g_array_index (l->promises, Promise, i).key);
    }
  g_array_unref (l->promises);
  g_array_unref (l->columns);
  g_strfreev (l->varied);
  g_free (l->looked_for);
}

/* ---- rows ---- */

static void
add_cell (BnTable *table, const Layout *l, sqlite3_stmt *stmt, int column)
{
  gboolean whole = l->kind == COUNT && (column == ANSWER || column == LOW || column == HIGH);

  if (sqlite3_column_type (stmt, column) == SQLITE_NULL)
    bn_table_missing (table);
  else if (sqlite3_column_type (stmt, column) == SQLITE_TEXT)
    bn_table_text (table, text_of (stmt, column));
  else if (whole || sqlite3_column_type (stmt, column) == SQLITE_INTEGER)
    bn_table_integer (table, sqlite3_column_int64 (stmt, column));
  else
    bn_table_real (table, sqlite3_column_double (stmt, column));
}

static void
add_estimate (BnTable *table, sqlite3_stmt *estimate, sqlite3_stmt *row, gint64 promise)
{
  sqlite3_bind_value (estimate, 1, sqlite3_column_value (row, PLAN));
  sqlite3_bind_value (estimate, 2, sqlite3_column_value (row, POINT));
  bn_sql_int (estimate, 3, promise);
  gboolean there = sqlite3_step (estimate) == SQLITE_ROW;
  for (int i = 0; i < 3; i++)
    if (there)
      bn_table_real (table, sqlite3_column_double (estimate, i));
    else
      bn_table_missing (table);
  sqlite3_reset (estimate);
}

static void
add_row (BnTable *table, const Layout *l, sqlite3_stmt *row, sqlite3_stmt *estimate)
{
  g_auto (GStrv) values = bn_plan_table_settings (text_of (row, SETTINGS), TRUE);

  bn_table_text (table, text_of (row, VARIANT));
  for (guint i = 0; l->varied[i] != NULL; i++)
    bn_table_text (table, values[i]);
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    add_cell (table, l, row, specs[i].column);
  for (guint i = 0; i < l->promises->len; i++)
    add_estimate (table, estimate, row, g_array_index (l->promises, Promise, i).number);
  for (guint i = 0; i < G_N_ELEMENTS (last_specs); i++)
    add_cell (table, l, row, last_specs[i].column);
}

/* What is in the first row is the same in all. */
static gboolean
begin (sqlite3 *db, sqlite3_stmt *row, Layout *l, GError **error)
{
  const char *kind = text_of (row, KIND);

  l->kind = strcmp (kind, "count") == 0 ? COUNT : strcmp (kind, "rate") == 0 ? SOLVE : MIX;
  l->looked_for = g_strdup (text_of (row, KEY));
  l->varied = bn_plan_table_settings (text_of (row, SETTINGS), FALSE);
  return read_promises (db, l, error);
}

static BnTable *
fill (sqlite3 *db, sqlite3_stmt *row, sqlite3_stmt *estimate, Layout *l, GError **error)
{
  GStringChunk *texts = g_string_chunk_new (256);
  BnTable *table = NULL;
  int rc = sqlite3_step (row);

  if (rc == SQLITE_ROW && begin (db, row, l, error))
    {
      lay_out (l, texts);
      table = bn_table_new ((const BnColumn *) (void *) l->columns->data, l->columns->len);
      for (; rc == SQLITE_ROW; rc = sqlite3_step (row))
        add_row (table, l, row, estimate);
    }
  g_string_chunk_free (texts);
  if (rc != SQLITE_DONE && (error == NULL || *error == NULL))
    bn_sql_fail (db, error);
  if (rc == SQLITE_DONE)
    return table;
  g_clear_pointer (&table, bn_table_free);
  return NULL;
}

BnTable *
bn_plan_table (sqlite3 *db, GError **error)
{
  static const char estimate_sql[] = "SELECT mean, low, high FROM plan_estimates WHERE plan = ?1 AND point = ?2"
                                     " AND promise = ?3";
  Layout l = { .promises = g_array_new (FALSE, FALSE, sizeof (Promise)),
               .columns = g_array_new (FALSE, FALSE, sizeof (BnColumn)) };
  sqlite3_stmt *row = NULL, *estimate = NULL;
  BnTable *table = NULL;

  if (sqlite3_prepare_v2 (db, plans_sql, -1, &row, NULL) == SQLITE_OK
      && sqlite3_prepare_v2 (db, estimate_sql, -1, &estimate, NULL) == SQLITE_OK)
    table = fill (db, row, estimate, &l, error);
  else
    bn_sql_fail (db, error);
  sqlite3_finalize (row);
  sqlite3_finalize (estimate);
  layout_clear (&l);
  return table;
}

/* The first column of the first row, or NULL. Returns: (transfer full). */
static char *
read_text (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *stmt = NULL;
  char *title = NULL;

  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step (stmt) == SQLITE_ROW)
    title = g_strdup (text_of (stmt, 0));
  sqlite3_finalize (stmt);
  return title;
}

#define PROMISES_SQL \
  "(SELECT group_concat (promised, ' and ') FROM (SELECT promised FROM plan_promises ORDER BY promise))"

char *
bn_plan_table_promises (sqlite3 *db)
{
  return read_text (db, "SELECT " PROMISES_SQL);
}

char *
bn_plan_table_title (sqlite3 *db)
{
  return read_text (db, "SELECT CASE kind WHEN 'count' THEN 'the least ' || key WHEN 'rate' THEN 'the greatest ' || key"
                        " ELSE 'the cheapest mix' END || ' that keeps ' || " PROMISES_SQL " FROM plans WHERE plan = 1");
}

gboolean
bn_plan_table_print (sqlite3 *db, BnCliFormat format, GError **error)
{
  BnTable *table = bn_plan_table (db, error);
  GError *failure = NULL;
  gboolean ok = table != NULL && (bn_table_print (table, format, stdout, &failure)
                                  || g_error_matches (failure, G_FILE_ERROR, G_FILE_ERROR_PIPE));

  g_clear_pointer (&table, bn_table_free);
  if (ok)
    g_clear_error (&failure);
  else if (failure != NULL)
    g_propagate_error (error, failure);
  return ok;
}
