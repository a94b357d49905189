/* plot_caption.c: what stands below every picture.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "plot.h"
#include "units.h"

/* Facts that all runs drawn share; NULL where they differ. */
#define SHARED(column) "CASE COUNT (DISTINCT " column ") WHEN 1 THEN MIN (" column ") END,"
static const char caption_sql[]
  = "SELECT MIN (scenario), " SHARED ("arrivals") SHARED ("rate_per_s") SHARED ("offered_load") " MIN (n_workers),"
    " MIN (n_jobs), MAX (n_jobs), COUNT (DISTINCT seed), MIN (version), MIN (scenario_sha256),"
    " COUNT (DISTINCT scenario_sha256), SUM (state <> 'complete'), MIN (warmup_ns), MAX (warmup_ns),"
    " MAX (n_workers), GROUP_CONCAT (DISTINCT backend)"
    " FROM runs JOIN drawn USING (run_id) WHERE ?1 = 0 OR run_id = ?1";

static const char seeds_sql[]
  = "SELECT seed FROM runs JOIN drawn USING (run_id) WHERE ?1 = 0 OR run_id = ?1 GROUP BY seed ORDER BY MIN (run_id)";

/* So many seeds are named, more are counted. */
#define MAX_SEEDS 8

static void
append_seeds (BnReader *reader, gint64 run, gint64 n, GString *text)
{
  sqlite3_stmt *stmt;

  if (n > MAX_SEEDS)
    {
      g_string_append_printf (text, ", %" G_GINT64_FORMAT " seeds", n);
      return;
    }
  stmt = bn_reader_query (reader, seeds_sql, run, 0, NULL);
  g_string_append (text, n == 1 ? ", seed" : ", seeds");
  while (stmt != NULL && bn_reader_step (reader, stmt, NULL))
    g_string_append_printf (text, " %s", (const char *) sqlite3_column_text (stmt, 0));
  sqlite3_finalize (stmt);
}

static void
append_real (GString *text, const char *before, const char *format, double value, const char *after)
{
  char number[64];

  if (value <= 0)
    return;
  g_ascii_formatd (number, sizeof number, format, value);
  g_string_append_printf (text, "%s%s%s", before, number, after);
}

static void
append_range (GString *text, const char *before, gint64 least, gint64 most, const char *after)
{
  g_string_append_printf (text, "%s%" G_GINT64_FORMAT, before, least);
  if (most > least)
    g_string_append_printf (text, " to %" G_GINT64_FORMAT, most);
  g_string_append_printf (text, " %s", after);
}

static void
append_warmup (GString *text, gint64 least_ns, gint64 most_ns)
{
  if (most_ns > least_ns)
    append_real (text, ", warm-up of up to ", "%.3g", (double) most_ns / BN_NS_PER_S, "s left out");
  else if (most_ns > 0)
    append_real (text, ", warm-up ", "%.3g", (double) most_ns / BN_NS_PER_S, "s left out");
}

/* "executed on cpu", "executed on cpu and simulated"; nothing of simulations alone. */
static void
append_backends (const char *list, GString *text)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  gboolean simulated = g_strv_contains ((const char *const *) names, "model");
  const char *before = ", executed on ";

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], "model") != 0)
      {
        g_string_append_printf (text, "%s%s", before, names[i]);
        before = " and ";
      }
  if (simulated && names[1] != NULL)
    g_string_append (text, " and simulated");
}

static void
describe (BnReader *reader, gint64 run, const char *over_seeds, sqlite3_stmt *stmt, GString *caption, GString *source)
{
  gint64 least = sqlite3_column_int64 (stmt, 5), most = sqlite3_column_int64 (stmt, 6);

  g_string_append_printf (caption, "Scenario %s:", (const char *) sqlite3_column_text (stmt, 0));
  append_range (caption, " ", least, most, "jobs");
  if (sqlite3_column_type (stmt, 1) != SQLITE_NULL)
    g_string_append_printf (caption, ", arrivals %s", (const char *) sqlite3_column_text (stmt, 1));
  append_real (caption, " ", "%.4g", sqlite3_column_double (stmt, 2), "/s");
  append_real (caption, ", offered load ", "%.2f", sqlite3_column_double (stmt, 3), "");
  append_range (caption, ", ", sqlite3_column_int64 (stmt, 4), sqlite3_column_int64 (stmt, 14), "workers");
  append_warmup (caption, sqlite3_column_int64 (stmt, 12), sqlite3_column_int64 (stmt, 13));
  append_seeds (reader, run, sqlite3_column_int64 (stmt, 7), caption);
  append_backends ((const char *) sqlite3_column_text (stmt, 15), caption);

  g_string_append_printf (source, "binnacle %s", (const char *) sqlite3_column_text (stmt, 8));
  if (sqlite3_column_int64 (stmt, 10) == 1)
    g_string_append_printf (source, ", scenario %.16s", (const char *) sqlite3_column_text (stmt, 9));
  if (sqlite3_column_int64 (stmt, 7) > 1 && over_seeds != NULL)
    g_string_append_printf (source, "; %s", over_seeds);
  if (sqlite3_column_int64 (stmt, 11) > 0)
    g_string_append_printf (source, "; %" G_GINT64_FORMAT " of the runs did not complete",
                            (gint64) sqlite3_column_int64 (stmt, 11));
}

gboolean
bn_plot_set_caption (BnReader *reader, gint64 run, const char *over_seeds, BnGnuplot *gnuplot, GError **error)
{
  GError *failure = NULL;
  GString *caption = g_string_new (NULL), *source = g_string_new (NULL);
  sqlite3_stmt *stmt = bn_reader_query (reader, caption_sql, run, 0, &failure);

  if (stmt != NULL && bn_reader_step (reader, stmt, &failure))
    describe (reader, run, over_seeds, stmt, caption, source);
  sqlite3_finalize (stmt);
  bn_gnuplot_set_text (gnuplot, "caption", caption->str);
  bn_gnuplot_set_text (gnuplot, "source", source->str);
  g_string_free (caption, TRUE);
  g_string_free (source, TRUE);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
