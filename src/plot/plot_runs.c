/* plot_runs.c: which runs of a results file are drawn.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * They stand in the temporary table `drawn`, which every query of a picture joins.
 */
#include "cli.h"
#include "plot.h"
#include "variant.h"
#include "where.h"

static gboolean
execute (BnReader *reader, const char *sql, gint64 run, const char *name, gint64 *n_changes, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, run, 0, error);

  if (stmt == NULL)
    return FALSE;
  if (name != NULL)
    sqlite3_bind_text (stmt, 2, name, -1, SQLITE_STATIC);
  bn_reader_step (reader, stmt, &failure);
  sqlite3_finalize (stmt);
  *n_changes = sqlite3_changes (bn_reader_db (reader));
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* `name` stands for no run; the error lists what does. Returns: FALSE. */
static gboolean
fail_unknown (BnReader *reader, gint64 run, const char *name, GError **error)
{
  static const char known_sql[]
    = "SELECT shown FROM v_runs WHERE ?1 = 0 OR run_id = ?1 GROUP BY shown ORDER BY MIN (run_id)";
  GString *known = g_string_new (NULL);
  sqlite3_stmt *stmt = bn_reader_query (reader, known_sql, run, 0, NULL);

  while (stmt != NULL && bn_reader_step (reader, stmt, NULL))
    g_string_append_printf (known, "%s%s", known->len > 0 ? ", " : "", (const char *) sqlite3_column_text (stmt, 0));
  sqlite3_finalize (stmt);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: --scheduler %s: no such run; there are %s", name,
               known->str);
  g_string_free (known, TRUE);
  return FALSE;
}

gboolean
bn_plot_choose_runs (BnReader *reader, gint64 run, const char *schedulers, GError **error)
{
  static const char make_sql[] = "CREATE TEMP TABLE drawn (run_id INTEGER PRIMARY KEY)";
  static const char all_sql[] = "INSERT INTO drawn SELECT run_id FROM runs WHERE ?1 = 0 OR run_id = ?1";
  static const char exact_sql[]
    = "INSERT OR IGNORE INTO drawn SELECT run_id FROM v_runs WHERE (?1 = 0 OR run_id = ?1)"
      " AND ?2 IN (variant, shown)";
  static const char kin_sql[]
    = "INSERT OR IGNORE INTO drawn SELECT run_id FROM runs WHERE (?1 = 0 OR run_id = ?1) AND scheduler = ?2";
  gint64 n;
  gboolean ok = execute (reader, "PRAGMA temp_store = MEMORY", 0, NULL, &n, error)
                && execute (reader, make_sql, 0, NULL, &n, error);

  if (schedulers == NULL)
    return ok && execute (reader, all_sql, run, NULL, &n, error);
  g_auto (GStrv) names = bn_variant_split (schedulers);
  for (guint i = 0; ok && names[i] != NULL; i++)
    {
      ok = execute (reader, exact_sql, run, names[i], &n, error)
           && (n > 0 || execute (reader, kin_sql, run, names[i], &n, error))
           && (n > 0 || fail_unknown (reader, run, names[i], error));
    }
  if (ok && names[0] == NULL)
    ok = fail_unknown (reader, run, "''", error);
  return ok;
}

gboolean
bn_plot_narrow_runs (BnReader *reader, const char *const *conditions, GError **error)
{
  gint64 n;
  g_autofree char *query = bn_where_query (bn_reader_db (reader), conditions, error);
  g_autofree char *sql = g_strdup_printf ("DELETE FROM drawn WHERE run_id NOT IN (%s)", query);

  if (query == NULL || !execute (reader, sql, 0, NULL, &n, error)
      || !bn_reader_int (reader, "SELECT COUNT (*) FROM drawn", 0, 0, 0, &n, error))
    return FALSE;
  if (n == 0)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "plot: no run is left; choose others with --scheduler, --run or --where");
  return n > 0;
}
