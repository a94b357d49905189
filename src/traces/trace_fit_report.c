/* trace_fit_report.c: a process that is like a trace, and how like it is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trace_fit_report.h"

#include <math.h>

#include "scenario_keys.h"
#include "trace_report.h"
#include "units.h"

/* What is near enough beside BN_FIT_ERRORS standard errors, of the value that was measured. */
#define NEAR 0.05

/* The same for shares of ties, absolute. */
#define NEAR_TIES 0.01

/* Less of them are remarked on. */
#define MANY_GAPS 1000

/* ---- lines of [workload] ---- */

static char *
kind_setting (BnArrivalsKind kind)
{
  return g_strdup_printf ("arrivals = %s", bn_scenario_key (BN_KEY_WORKLOAD_ARRIVALS).choices[kind]);
}

static char *
setting (const char *key, double value, const char *unit)
{
  g_autofree char *number = bn_format_real (value);

  return g_strdup_printf ("%s = %s%s", key, number, unit);
}

/* Those that the process heeds, NULL-terminated. Returns: (transfer full). */
static char **
settings_of (const BnArrivalsConfig *process)
{
  GPtrArray *lines = g_ptr_array_new ();
  gboolean correlated = process->kind == BN_ARRIVALS_CORRELATED;

  g_ptr_array_add (lines, kind_setting (process->kind));
  g_ptr_array_add (lines, setting ("rate", process->rate_per_s, "/s"));
  if (correlated || process->kind == BN_ARRIVALS_GAMMA)
    g_ptr_array_add (lines, setting ("cv", process->cv, ""));
  if (correlated)
    {
      g_ptr_array_add (lines, setting ("autocorrelation", process->autocorrelation, ""));
      g_ptr_array_add (lines, setting ("autocorr-decay", process->autocorr_decay, ""));
    }
  g_ptr_array_add (lines, NULL);
  return (char **) g_ptr_array_free (lines, FALSE);
}

/* ---- the table ---- */

static const BnColumn columns[] = {
  { "figure", "figure", "", 0 },
  { "measured", "measured", "", 5 },
  { "standard_error", "±", "", 5 },
  { "process", "process", "", 5 },
  { "matched", "matched", "", 0 },
};

/* The process's own figure is an estimate, too; what it does not have is not held against it. */
static gboolean
is_matched (BnFigure measured, BnFigure process, double near)
{
  if (!isfinite (measured.value) || !isfinite (process.value))
    return TRUE;
  double error = sqrt (measured.error * measured.error + process.error * process.error);

  return fabs (measured.value - process.value) <= fmax (BN_FIT_ERRORS * error, near);
}

/* How near is near enough whatever the errors are. */
static double
near_cv (const BnFitFigures *trace)
{
  return fmax (NEAR * trace->cv.value, BN_FIT_UNIFORM_CV);
}

static void
add_figure (BnTable *table, const char *name, BnFigure measured, BnFigure process, double near)
{
  if (!isfinite (measured.value))
    return;
  bn_table_text (table, name);
  bn_table_real (table, measured.value);
  bn_table_real (table, measured.error);
  bn_table_real (table, process.value);
  if (isfinite (process.value))
    bn_table_text (table, is_matched (measured, process, near) ? "yes" : "no");
  else
    bn_table_missing (table);
}

/* For a person in the unit that leaves at least 1, if there is one. */
static void
add_rate (BnTable *table, BnFigure measured, BnFigure process, BnCliFormat format)
{
  static const struct
  {
    const char *name;
    double per_s;
  } units[] = { { "rate /s", 1 }, { "rate /min", 60 }, { "rate /h", 3600 } };
  guint i = 0;

  while (format == BN_FORMAT_TEXT && i + 1 < G_N_ELEMENTS (units) && measured.value * units[i].per_s < 1)
    i++;
  double per_s = units[i].per_s, value = measured.value * per_s;
  add_figure (table, units[i].name, (BnFigure) { value, measured.error * per_s },
              (BnFigure) { process.value * per_s, process.error * per_s }, NEAR * value);
}

static BnTable *
make_table (const BnFitFigures *trace, const BnFitFigures *generated, BnCliFormat format)
{
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *window = bn_format_duration (trace->window_ns);
  g_autofree char *of_counts = g_strdup_printf ("cv of counts in %s", window);

  add_rate (table, trace->rate_per_s, generated->rate_per_s, format);
  add_figure (table, "cv of gaps", trace->cv, generated->cv, near_cv (trace));
  add_figure (table, "ties", trace->ties, generated->ties, NEAR_TIES);
  for (uint32_t i = 0; i < BN_FIT_LAGS; i++)
    {
      g_autofree char *name = g_strdup_printf ("autocorrelation at %u", bn_fit_lags[i]);
      add_figure (table, name, trace->at[i], generated->at[i], BN_FIT_CORRELATION);
    }
  add_figure (table, of_counts, trace->counts_cv, generated->counts_cv, NEAR * trace->counts_cv.value);
  return table;
}

/* ---- what is not matched ---- */

static void
append_lags (GString *text, const BnArrivalsConfig *process, const BnFitFigures *trace, const BnFitFigures *generated)
{
  gsize before = text->len;

  for (uint32_t i = 0; i < BN_FIT_LAGS; i++)
    if (!is_matched (trace->at[i], generated->at[i], BN_FIT_CORRELATION))
      g_string_append_printf (text, "%s%u", text->len == before ? "  - autocorrelation at lag " : ", ", bn_fit_lags[i]);
  if (text->len == before)
    return;
  g_string_append (text, process->kind == BN_ARRIVALS_CORRELATED ? ": the trace's memory does not fade by one factor\n"
                                                                 : ": the process has no memory\n");
}

static void
append_counts (GString *text, const BnFitFigures *trace, const BnFitFigures *generated)
{
  double measured = trace->counts_cv.value, process = generated->counts_cv.value;

  if (is_matched (trace->counts_cv, generated->counts_cv, NEAR * measured))
    return;
  g_string_append_printf (text, "  - counts vary %s over time than the process's: %s\n",
                          measured > process ? "more" : "less",
                          measured > process ? "the rate changes (see trace info, and rate-shape), or memory is longer"
                                             : "busy and quiet times even out");
}

static char *
what_is_not_matched (const BnArrivalsConfig *process, const BnFitFigures *trace, const BnFitFigures *generated)
{
  GString *text = g_string_new (NULL);

  if (!is_matched (trace->rate_per_s, generated->rate_per_s, NEAR * trace->rate_per_s.value))
    g_string_append (text, "  - the rate\n");
  if (!is_matched (trace->cv, generated->cv, near_cv (trace)))
    g_string_append (text, "  - the variation of the gaps\n");
  if (!is_matched (trace->ties, generated->ties, NEAR_TIES))
    g_string_append_printf (text, "  - ties: %.1f %% of the arrivals come at the time of the one before, and %.1f %% of"
                            " the process's\n", 100 * trace->ties.value, 100 * generated->ties.value);
  append_lags (text, process, trace, generated);
  append_counts (text, trace, generated);
  return g_string_free (text, FALSE);
}

static char *
what_was_known (const BnFitFigures *trace)
{
  int64_t n_gaps = trace->n_arrivals - 1;

  if (n_gaps >= MANY_GAPS)
    return g_strdup ("");
  return g_strdup_printf ("\n  few arrivals: of %" G_GINT64_FORMAT " gaps an autocorrelation is known to ±%.2g, and"
                          " the cv to ±%.2g\n", n_gaps,
                          fmax (trace->at[0].error, 1 / sqrt ((double) n_gaps)), trace->cv.error);
}

/* ---- all ---- */

static gboolean
print_text (const BnTraceImport *import, int64_t n_arrivals, const char *path, char **settings, const char *unmatched,
            const char *known, const BnTable *table, GError **error)
{
  const BnTraceFormat *format = bn_trace_import_format (import);
  g_autofree char *counts = bn_trace_report_counts (import, n_arrivals);
  g_autofree char *lines = g_strjoinv ("\n", settings);
  g_autofree char *head = g_strdup_printf ("%s: %s\n%s\n\n[workload]\n%s\n\n", path, format->name, counts, lines);
  g_autofree char *tail = *unmatched == '\0' ? g_strdup ("\n  all of these are matched\n")
                                             : g_strdup_printf ("\n  not matched:\n%s", unmatched);
  g_autofree char *all = g_strconcat (tail, known, NULL);

  return bn_cli_print (head) == BN_EXIT_OK && bn_table_print (table, BN_FORMAT_TEXT, stdout, error)
         && bn_cli_print (all) == BN_EXIT_OK;
}

/* For programs: the settings are rows, too. */
static void
add_settings (BnTable *table, char **settings)
{
  for (; *settings != NULL; settings++)
    {
      bn_table_text (table, *settings);
      for (guint i = 1; i < G_N_ELEMENTS (columns); i++)
        bn_table_missing (table);
    }
}

gboolean
bn_trace_fit_print (const BnTraceImport *import, const char *path, const BnArrivalsConfig *process,
                    const BnFitFigures *trace, const BnFitFigures *generated, BnCliFormat format, GError **error)
{
  BnTable *table = make_table (trace, generated, format);
  g_auto (GStrv) settings = settings_of (process);
  g_autofree char *unmatched = what_is_not_matched (process, trace, generated);
  g_autofree char *known = what_was_known (trace);
  gboolean ok;

  if (format == BN_FORMAT_TEXT)
    ok = print_text (import, trace->n_arrivals, path, settings, unmatched, known, table, error);
  else
    {
      add_settings (table, settings);
      ok = bn_table_print (table, format, stdout, error);
    }
  bn_table_free (table);
  return ok;
}
