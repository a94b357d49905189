/* cmd_trace.c: binnacle trace: what public arrival traces are like, and as CSV.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cli.h"
#include "output.h"
#include "textout.h"
#include "trace_fit_report.h"
#include "trace_generate.h"
#include "trace_import.h"
#include "trace_report.h"
#include "units.h"

static const BnCliUsage usage = {
  .verb = "trace",
  .arguments = "info|convert|fit FILE",
  .summary = "Reads an arrival trace of any known format (`binnacle list traces`), plain, compressed or\n"
             "in an archive (tar, zip); FILE may be - for standard input. The format is told from the content.\n\n"
             "  info     rows, span, rate, burstiness, ties, columns, and a drawing of the rate over time\n"
             "  convert  CSV with arrival_ms, duration_ms where durations are known, and all columns\n"
             "  fit      the simplest process like it, as lines for [workload], and how like it is\n"
             "  generate  no FILE: arrivals that nobody has recorded; see binnacle trace generate --help\n\n"
             "All but generate end with what became of the rows: read, skipped and refused. Limits and changes\n"
             "of time are made in the order of the options below. doc/traces.md has more.",
  .examples = "  binnacle trace info AzureLLMInferenceTrace_code.csv\n"
              "  binnacle trace convert trace.swf.gz --sort --limit 10000 -o jobs.csv\n"
              "  binnacle trace fit AzureLLMInferenceTrace_code.csv\n"
              "  binnacle trace info mine.csv --map time=submitted:date,duration=seconds:s",
};

typedef struct Request
{
  char *format, *map, *from, *to, *shift, *output, *table;
  double sample, scale_time, scale_rate;
  gint64 limit, seed;
  gboolean sort, keep_going, from_zero;
} Request;

static gboolean
fail_usage (GError **error, const char *what)
{
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "trace: %s", what);
  return FALSE;
}

/* A duration where one is given. */
static gboolean
parse_time (const char *option, const char *text, BnDuration *ret, GError **error)
{
  if (text == NULL || bn_parse_duration (text, ret, error))
    return TRUE;
  g_prefix_error (error, "trace: %s: ", option);
  return FALSE;
}

static gboolean
make_options (const Request *r, BnImportOptions *o, GError **error)
{
  *o = BN_IMPORT_ALL;
  o->format = r->format;
  o->map = r->map;
  o->sort = r->sort;
  o->keep_going = r->keep_going;
  o->from_zero = r->from_zero;
  o->sample = r->sample;
  o->seed = (uint64_t) r->seed;
  if (!(r->sample > 0 && r->sample <= 1))
    return fail_usage (error, "--sample: give a share above 0 and at most 1");
  if (!(r->scale_time >= 1e-9 && r->scale_time <= 1e9) || !(r->scale_rate >= 1e-9 && r->scale_rate <= 1e9))
    return fail_usage (error, "--scale-time and --scale-rate: give a factor from 1e-9 to 1e9");
  if (r->limit < 1)
    return fail_usage (error, "--limit: give a number of rows, 1 or more");
  o->time_scale = r->scale_time / r->scale_rate;
  o->limit = r->limit;
  return parse_time ("--from", r->from, &o->from_ns, error) && parse_time ("--to", r->to, &o->to_ns, error)
         && parse_time ("--shift", r->shift, &o->shift_ns, error);
}

static gboolean
print_info (BnTraceImport *import, const char *path, const Request *r, GError **error)
{
  BnTraceProfile *profile = bn_trace_profile_new (g_strv_length ((char **) bn_trace_import_columns (import)));
  BnCliFormat format;
  BnImportRow row;
  BnRowStatus status = BN_ROW_ERROR;

  if (bn_cli_format (r->table, &format, error))
    while ((status = bn_trace_import_next (import, &row, error)) == BN_ROW)
      bn_trace_profile_add (profile, &row);
  gboolean ok = status == BN_ROW_END && bn_trace_report_print (import, profile, path, format, error);
  bn_trace_profile_free (profile);
  return ok;
}

static gboolean
print_fit (BnTraceImport *import, const char *path, const Request *r, GError **error)
{
  BnTraceFit *fit = bn_trace_fit_new ();
  BnArrivalsConfig process;
  BnCliFormat format;
  BnImportRow row;
  BnRowStatus status = BN_ROW_ERROR;

  if (bn_cli_format (r->table, &format, error))
    while ((status = bn_trace_import_next (import, &row, error)) == BN_ROW)
      bn_trace_fit_add (fit, row.time_ns);
  BnFitFigures figures = bn_trace_fit_figures (fit);
  gboolean ok = status == BN_ROW_END
                && (bn_trace_fit_choose (&figures, &process, error) || bn_input_prefix (error, (BnPlace) { 0 }, path));
  if (ok)
    {
      BnFitFigures generated = bn_trace_fit_of_process (&process, &figures, (uint64_t) r->seed);
      ok = bn_trace_fit_print (import, path, &process, &figures, &generated, format, error);
    }
  bn_trace_fit_free (fit);
  return ok;
}

/* Whether a column stands beside arrival_ms and duration_ms; those of an earlier conversion do not. */
static gboolean
is_kept (const char *column)
{
  return strcmp (column, "arrival_ms") != 0 && strcmp (column, "duration_ms") != 0;
}

static void
write_header (FILE *file, const BnTraceImport *import)
{
  fputs ("arrival_ms,duration_ms", file);
  for (const char *const *name = bn_trace_import_columns (import); *name != NULL; name++)
    if (is_kept (*name))
      {
        putc (',', file);
        bn_write_csv (file, *name);
      }
  putc ('\n', file);
}

static void
write_row (FILE *file, const BnTraceImport *import, const BnImportRow *row)
{
  const char *const *names = bn_trace_import_columns (import);

  bn_write_exact_ms (file, row->time_ns);
  putc (',', file);
  if (row->duration_ns >= 0)
    bn_write_exact_ms (file, row->duration_ns);
  for (guint i = 0; names[i] != NULL; i++)
    if (is_kept (names[i]))
      {
        putc (',', file);
        bn_write_csv (file, row->fields[i]);
      }
  putc ('\n', file);
}

static gboolean
convert (BnTraceImport *import, const Request *r, GError **error)
{
  BnOutput *out = bn_output_open (r->output, error);
  BnImportRow row;
  BnRowStatus status;
  int64_t n_rows = 0;

  if (out == NULL)
    return FALSE;
  write_header (bn_output_file (out), import);
  for (; (status = bn_trace_import_next (import, &row, error)) == BN_ROW; n_rows++)
    write_row (bn_output_file (out), import, &row);
  if (status != BN_ROW_END)
    {
      bn_output_abandon (out);
      return FALSE;
    }
  if (!bn_output_close (out, error))
    return FALSE;
  g_autofree char *counts = bn_trace_report_counts (import, n_rows);
  g_printerr ("binnacle: trace: %s\n", counts);
  return TRUE;
}

static gboolean
run (const char *what, const char *path, const Request *r, GError **error)
{
  BnImportOptions options;
  gboolean is_info = strcmp (what, "info") == 0, is_fit = strcmp (what, "fit") == 0;

  if (!is_info && !is_fit && strcmp (what, "convert") != 0)
    {
      g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                   "trace: %s: not known; use info, convert, fit or generate", what);
      return FALSE;
    }
  if ((is_info || is_fit) && r->output != NULL)
    return fail_usage (error, "--output is for convert; info and fit print");
  BnTraceImport *import = make_options (r, &options, error) ? bn_trace_import_open (path, &options, error) : NULL;
  gboolean ok = import != NULL && (is_info  ? print_info (import, path, r, error)
                                    : is_fit ? print_fit (import, path, r, error)
                                             : convert (import, r, error));
  bn_trace_import_close (import);
  return ok;
}

int
bn_cmd_trace (int argc, char **argv)
{
  GError *error = NULL;
  int exit;
  Request r = { .sample = 1, .scale_time = 1, .scale_rate = 1, .limit = INT64_MAX, .seed = 1 };
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &r.format, "what the file is (default: by its content)", "NAME" },
    { "map", 'm', 0, G_OPTION_ARG_STRING, &r.map, "what is where in any other table, as time=COLUMN:UNIT", "MAP" },
    { "sort", 0, 0, G_OPTION_ARG_NONE, &r.sort, "put rows in order of time, in bounded memory", NULL },
    { "keep-going", 0, 0, G_OPTION_ARG_NONE, &r.keep_going, "count malformed rows instead of ending there", NULL },
    { "from", 0, 0, G_OPTION_ARG_STRING, &r.from, "leave rows before this time out, as 10min", "TIME" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &r.to, "leave rows from this time on out", "TIME" },
    { "sample", 0, 0, G_OPTION_ARG_DOUBLE, &r.sample, "keep each row with this probability", "SHARE" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &r.seed, "of --sample, and of what fit generates (default: 1)", "N" },
    { "scale-time", 0, 0, G_OPTION_ARG_DOUBLE, &r.scale_time, "multiply times by this", "X" },
    { "scale-rate", 0, 0, G_OPTION_ARG_DOUBLE, &r.scale_rate, "divide times by this", "X" },
    { "from-zero", 0, 0, G_OPTION_ARG_NONE, &r.from_zero, "let the first row that is kept come at 0", NULL },
    { "shift", 0, 0, G_OPTION_ARG_STRING, &r.shift, "add this to all times", "TIME" },
    { "limit", 0, 0, G_OPTION_ARG_INT64, &r.limit, "keep so many rows at most", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &r.output, "convert: write to FILE (default: standard output)", "FILE" },
    { "table", 0, 0, G_OPTION_ARG_STRING, &r.table, "info, fit: text, csv or json (default: text)", "FORMAT" },
    { 0 },
  };

  if (argc > 1 && strcmp (argv[1], "generate") == 0)
    return bn_trace_generate (argc - 1, argv + 1);
  if (!bn_cli_parse (&usage, entries, 2, 2, &argc, &argv, &exit))
    return exit;
  exit = run (argv[1], argv[2], &r, &error) ? BN_EXIT_OK : bn_cli_fail (error);
  g_free (r.format);
  g_free (r.map);
  g_free (r.from);
  g_free (r.to);
  g_free (r.shift);
  g_free (r.output);
  g_free (r.table);
  return exit;
}
