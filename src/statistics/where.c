/* where.c: which runs of a results file are meant, by the values of their keys.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "where.h"

#include <string.h>

#include "cli.h"
#include "scenario_keys.h"
#include "sql.h"

/* The value in the words of the results. Returns: (transfer full). */
static char *
canonical (const char *name, const char *text)
{
  const char *last = strrchr (name, '.');
  g_autofree char *section = g_strndup (name, strcspn (name, "."));
  int number = last != NULL ? bn_scenario_find_key (section, last + 1) : -1;
  BnScenarioValue value;
  char *result;

  if (number < 0)
    return g_strdup (text);
  BnScenarioKey key = bn_scenario_key ((uint32_t) number);
  if (key.kind == BN_KEY_OPTION || !bn_scenario_key_parse (&key, text, &value, &result, NULL))
    return g_strdup (text);
  return result;
}

static void
append (GString *query, const char *format, const char *text)
{
  char *part = sqlite3_mprintf (format, text);

  g_string_append (query, part);
  sqlite3_free (part);
}

static gboolean
fail_unknown (sqlite3 *db, const char *condition, const char *name, GError **error)
{
  GString *values = g_string_new (NULL);
  sqlite3_stmt *stmt = NULL;

  if (sqlite3_prepare_v2 (db, "SELECT value FROM parameters WHERE source = 'scenario' AND name = ?1 GROUP BY value"
                              " ORDER BY MIN (run_id)", -1, &stmt, NULL) == SQLITE_OK)
    {
      sqlite3_bind_text (stmt, 1, name, -1, SQLITE_STATIC);
      while (sqlite3_step (stmt) == SQLITE_ROW)
        g_string_append_printf (values, "%s%s", values->len > 0 ? ", " : "",
                                (const char *) sqlite3_column_text (stmt, 0));
    }
  sqlite3_finalize (stmt);
  if (values->len > 0)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "--where %s: no run has it; %s is %s", condition, name,
                 values->str);
  else
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                 "--where %s: no run has such a key; write section.key=value, as workload.load=0.7", condition);
  g_string_free (values, TRUE);
  return FALSE;
}

static gboolean
finds_some (sqlite3 *db, const char *query)
{
  sqlite3_stmt *stmt = NULL;
  gboolean found = sqlite3_prepare_v2 (db, query, -1, &stmt, NULL) == SQLITE_OK && sqlite3_step (stmt) == SQLITE_ROW;

  sqlite3_finalize (stmt);
  return found;
}

static gboolean
add_condition (GString *query, sqlite3 *db, const char *condition, GError **error)
{
  g_autofree char *name = g_strndup (condition, strcspn (condition, "="));
  const char *equals = strchr (condition, '=');
  g_auto (GStrv) values = g_strsplit (equals != NULL ? equals + 1 : "", ",", -1);

  g_strstrip (name);
  append (query, " AND run_id IN (SELECT run_id FROM parameters WHERE source = 'scenario' AND name = %Q"
                 " AND value IN (", name);
  for (guint i = 0; values[i] != NULL; i++)
    {
      g_autofree char *value = canonical (name, g_strstrip (values[i]));
      append (query, i > 0 ? ", %Q" : "%Q", value);
    }
  g_string_append (query, "))");
  return finds_some (db, query->str) || fail_unknown (db, condition, name, error);
}

char *
bn_where_query (sqlite3 *db, const char *const *conditions, GError **error)
{
  GString *query = g_string_new ("SELECT run_id FROM runs WHERE state <> 'running'");
  gboolean ok = TRUE;

  for (; ok && conditions != NULL && *conditions != NULL; conditions++)
    ok = add_condition (query, db, *conditions, error);
  return g_string_free (query, !ok);
}
