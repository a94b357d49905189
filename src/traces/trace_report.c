/* trace_report.c: what an arrival trace is like, for a person or for another program.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_report.h"

#include <math.h>

#include "units.h"

/* Of the drawing, in characters. */
#define DRAWING_COLUMNS 64
#define DRAWING_ROWS 6

char *
bn_trace_report_counts (const BnTraceImport *import, int64_t n_arrivals)
{
  const GArray *losses = bn_trace_import_losses (import);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%" G_GINT64_FORMAT " rows read, %" G_GINT64_FORMAT " arrivals",
                          bn_trace_import_n_read (import), n_arrivals);
  for (guint i = 0; i < losses->len; i++)
    {
      const BnImportLoss *loss = &g_array_index (losses, BnImportLoss, i);
      g_string_append_printf (text, "; %" G_GINT64_FORMAT " %s: %s (first in line %u)", loss->n_rows,
                              loss->refused ? "refused" : "skipped",
                              loss->message != NULL ? loss->message : loss->reason, loss->first_line);
    }
  if (bn_trace_import_unread (import) != NULL)
    {
      g_autofree char *quoted = bn_quote (bn_trace_import_unread (import));
      g_string_append_printf (text, "; not read: %s, behind the first file of the archive", quoted);
    }
  return g_string_free (text, FALSE);
}

static double
seconds (BnTime ns)
{
  return (double) ns / BN_NS_PER_S;
}

static void
print_numbers (GString *text, const BnTraceProfile *p)
{
  g_autofree char *span = bn_format_duration (p->last_ns - p->first_ns);

  g_string_append_printf (text, "\n  first arrival  %.6f s\n  last arrival   %.6f s\n  span           %s\n",
                          seconds (p->first_ns), seconds (p->last_ns), span);
  if (p->last_ns > p->first_ns)
    g_string_append_printf (text, "  rate           %.6g/s\n", bn_trace_profile_rate_per_s (p));
  if (!isnan (bn_trace_profile_cv (p)))
    g_string_append_printf (text, "  gaps           coefficient of variation %.4f (1: Poisson)\n", bn_trace_profile_cv (p));
  double peak_1s = bn_trace_profile_peak (p, p->peak_1s, 1), peak_60s = bn_trace_profile_peak (p, p->peak_60s, 60);
  if (!isnan (peak_1s))
    g_string_append_printf (text, "  peak / mean    %.2f in windows of 1 s", peak_1s);
  if (!isnan (peak_60s))
    g_string_append_printf (text, ", %.2f of 60 s", peak_60s);
  if (!isnan (peak_1s))
    g_string_append_c (text, '\n');
  g_string_append_printf (text, "  ties           %" G_GINT64_FORMAT " rows of the time of the row before (%.1f %%)\n",
                          p->n_ties, 100 * (double) p->n_ties / (double) p->n_rows);
  if (p->n_durations > 0)
    g_string_append_printf (text, "  durations      known of %" G_GINT64_FORMAT " rows, mean %.6g s\n", p->n_durations,
                            p->sum_duration_s / (double) p->n_durations);
}

/* Rows for each column of the drawing: windows, two together while there are too many. */
static guint
drawing_heights (const BnTraceProfile *p, int64_t *heights, BnDuration *width_ns)
{
  guint n = (guint) ((p->last_ns - p->first_ns) / p->window_ns) + 1, each = n > DRAWING_COLUMNS ? 2 : 1;

  for (guint i = 0; i < DRAWING_COLUMNS; i++)
    heights[i] = 0;
  for (guint i = 0; i < n; i++)
    heights[i / each] += p->windows[i];
  *width_ns = p->window_ns * each;
  return (n + each - 1) / each;
}

static void
draw_rate (GString *text, const BnTraceProfile *p)
{
  /* from nothing to a full character, in eighths */
  static const char *const eighths[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
  int64_t heights[DRAWING_COLUMNS], highest = 1;
  BnDuration width_ns;
  guint n = drawing_heights (p, heights, &width_ns);

  for (guint i = 0; i < n; i++)
    highest = MAX (highest, heights[i]);
  g_autofree char *width = bn_format_duration (width_ns);
  g_string_append_printf (text, "\n  arrivals over time, each column %s, the highest %.6g/s\n", width,
                          (double) highest / seconds (width_ns));
  for (int row = DRAWING_ROWS - 1; row >= 0; row--)
    {
      g_string_append (text, "  |");
      for (guint i = 0; i < n; i++)
        {
          /* any arrival at all shows */
          int64_t filled = (heights[i] * DRAWING_ROWS * 8 + highest - 1) / highest;
          g_string_append (text, eighths[CLAMP (filled - 8 * row, 0, 8)]);
        }
      g_string_append_c (text, '\n');
    }
  g_string_append (text, "  +");
  for (guint i = 0; i < n; i++)
    g_string_append_c (text, '-');
  g_string_append_c (text, '\n');
}

static const BnColumn column_columns[] = {
  { "column", "column", "", 0 }, { "numbers", "numbers", "", 0 }, { "texts", "texts", "", 0 },
  { "empty", "empty", "", 0 },   { "min", "min", "", 3 },         { "max", "max", "", 3 },
  { "mean", "mean", "", 3 },     { "sum", "sum", "", 3 },
};

static gboolean
print_columns (const BnTraceImport *import, const BnTraceProfile *p, GError **error)
{
  BnTable *table = bn_table_new (column_columns, G_N_ELEMENTS (column_columns));

  for (guint i = 0; i < p->n_columns; i++)
    {
      const BnProfileColumn *c = &p->columns[i];
      double none = c->n_numbers > 0 ? 0 : NAN;
      bn_table_text (table, bn_trace_import_columns (import)[i]);
      bn_table_integer (table, c->n_numbers);
      bn_table_integer (table, c->n_texts);
      bn_table_integer (table, c->n_empty);
      bn_table_real (table, c->min + none);
      bn_table_real (table, c->max + none);
      bn_table_real (table, c->sum / (double) MAX (c->n_numbers, 1) + none);
      bn_table_real (table, c->sum + none);
    }
  gboolean ok = bn_table_print (table, BN_FORMAT_TEXT, stdout, error);
  bn_table_free (table);
  return ok;
}

static gboolean
print_text (const BnTraceImport *import, const BnTraceProfile *p, const char *path, GError **error)
{
  const BnTraceFormat *format = bn_trace_import_format (import);
  g_autofree char *counts = bn_trace_report_counts (import, p->n_rows);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: %s%s%s\n%s\n", path, format->name, format->summary != NULL ? ", " : "",
                          format->summary != NULL ? format->summary : "", counts);
  print_numbers (text, p);
  draw_rate (text, p);
  g_string_append_c (text, '\n');
  gboolean ok = bn_cli_print (text->str) == BN_EXIT_OK && print_columns (import, p, error);
  g_string_free (text, TRUE);
  return ok;
}

static const BnColumn fact_columns[] = {
  { "fact", "fact", "", 0 },
  { "column", "column", "", 0 },
  { "value", "value", "", 6 },
  { "unit", "unit", "", 0 },
};

static void
add_fact (BnTable *table, const char *fact, const char *column, double value, const char *unit)
{
  bn_table_text (table, fact);
  bn_table_text (table, column);
  bn_table_real (table, value);
  bn_table_text (table, unit);
}

static void
add_column_facts (BnTable *table, const char *name, const BnProfileColumn *c)
{
  add_fact (table, "numbers", name, (double) c->n_numbers, "rows");
  add_fact (table, "texts", name, (double) c->n_texts, "rows");
  add_fact (table, "empty", name, (double) c->n_empty, "rows");
  if (c->n_numbers == 0)
    return;
  add_fact (table, "min", name, c->min, "");
  add_fact (table, "max", name, c->max, "");
  add_fact (table, "sum", name, c->sum, "");
}

gboolean
bn_trace_report_print (const BnTraceImport *import, const BnTraceProfile *profile, const char *path,
                       BnCliFormat format, GError **error)
{
  const BnTraceProfile *p = profile;
  const GArray *losses = bn_trace_import_losses (import);

  if (format == BN_FORMAT_TEXT)
    return print_text (import, p, path, error);
  BnTable *table = bn_table_new (fact_columns, G_N_ELEMENTS (fact_columns));
  add_fact (table, "read", NULL, (double) bn_trace_import_n_read (import), "rows");
  add_fact (table, "arrivals", NULL, (double) p->n_rows, "rows");
  for (guint i = 0; i < losses->len; i++)
    {
      const BnImportLoss *loss = &g_array_index (losses, BnImportLoss, i);
      add_fact (table, loss->refused ? "refused" : "skipped", loss->reason, (double) loss->n_rows, "rows");
    }
  add_fact (table, "first", NULL, seconds (p->first_ns), "s");
  add_fact (table, "last", NULL, seconds (p->last_ns), "s");
  add_fact (table, "span", NULL, seconds (p->last_ns - p->first_ns), "s");
  add_fact (table, "rate", NULL, bn_trace_profile_rate_per_s (p), "/s");
  add_fact (table, "cv_of_gaps", NULL, bn_trace_profile_cv (p), "");
  add_fact (table, "peak_over_mean_1s", NULL, bn_trace_profile_peak (p, p->peak_1s, 1), "");
  add_fact (table, "peak_over_mean_60s", NULL, bn_trace_profile_peak (p, p->peak_60s, 60), "");
  add_fact (table, "ties", NULL, (double) p->n_ties, "rows");
  add_fact (table, "durations", NULL, (double) p->n_durations, "rows");
  if (p->n_durations > 0)
    add_fact (table, "sum_of_durations", NULL, p->sum_duration_s, "s");
  for (guint i = 0; i < p->n_columns; i++)
    add_column_facts (table, bn_trace_import_columns (import)[i], &p->columns[i]);
  gboolean ok = bn_table_print (table, format, stdout, error);
  bn_table_free (table);
  return ok;
}
