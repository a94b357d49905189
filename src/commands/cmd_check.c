/* cmd_check.c: binnacle check: does a results file follow the rules?
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "cli.h"
#include "output.h"
#include "reader.h"
#include "report.h"
#include "rules.h"

static const BnCliUsage usage = {
  .verb = "check",
  .arguments = "FILE",
  .summary = "Checks every run of a results file against numbered rules that must hold, and prints of each\n"
             "whether it passed, failed, or cannot be checked at the record level of the file. Exit\n"
             "status 1 and the rows at fault where one failed.",
  .examples = "  binnacle check results.db\n"
              "  binnacle check results.db --format json",
};

static const BnColumn columns[] = {
  { "rule", "rule", "", 0 },
  { "outcome", "outcome", "", 0 },
  { "faults", "faults", "", 0 },
  { "text", "what must hold", "", 0 },
};

static const char *const outcomes[] = {
  [BN_CHECK_PASSED] = "passed", [BN_CHECK_FAILED] = "failed", [BN_CHECK_NOT_CHECKABLE] = "not checkable",
};

static BnTable *
make_table (const GPtrArray *results)
{
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < results->len; i++)
    {
      const BnCheckResult *result = g_ptr_array_index (results, i);

      bn_table_integer (table, result->invariant->number);
      bn_table_text (table, outcomes[result->outcome]);
      bn_table_integer (table, result->n_faults);
      bn_table_text (table, result->invariant->rule);
    }
  return table;
}

static void
write_faults (const GPtrArray *results, FILE *file)
{
  for (guint i = 0; i < results->len; i++)
    {
      const BnCheckResult *result = g_ptr_array_index (results, i);

      if (result->outcome != BN_CHECK_FAILED)
        continue;
      fprintf (file, "\nrule %u: %s\n", result->invariant->number, result->invariant->rule);
      for (guint f = 0; f < result->faults->len; f++)
        fprintf (file, "  %s\n", (const char *) g_ptr_array_index (result->faults, f));
      if (result->n_faults > result->faults->len)
        fprintf (file, "  and %" PRId64 " more\n", (int64_t) (result->n_faults - result->faults->len));
    }
}

static gboolean
print (const GPtrArray *results, BnCliFormat format, GError **error)
{
  BnTable *table = make_table (results);
  BnOutput *out = bn_output_open (NULL, error);
  gboolean done = out != NULL && bn_table_print (table, format, bn_output_file (out), error);

  if (done && format == BN_FORMAT_TEXT)
    {
      write_faults (results, bn_output_file (out));
      fprintf (bn_output_file (out), "\n%u passed, %u failed, %u not checkable\n",
               bn_check_count (results, BN_CHECK_PASSED), bn_check_count (results, BN_CHECK_FAILED),
               bn_check_count (results, BN_CHECK_NOT_CHECKABLE));
    }
  bn_table_free (table);
  if (done)
    return bn_output_close (out, error);
  bn_output_abandon (out);
  return FALSE;
}

/* Says which runs were cut off: what is recorded of them is checked, and no more. */
static void
name_cut_runs (BnReader *reader)
{
  sqlite3_stmt *stmt = bn_reader_query (reader, "SELECT run_id FROM runs WHERE state = 'running'", 0, 0, NULL);

  while (stmt != NULL && bn_reader_step (reader, stmt, NULL))
    fprintf (stderr, "binnacle: run %d was cut off, or is still being written\n", sqlite3_column_int (stmt, 0));
  sqlite3_finalize (stmt);
}

/* Rules would hold for a file without runs, and say nothing. */
static gboolean
has_runs (BnReader *reader, GError **error)
{
  gint64 n;

  if (!bn_reader_int (reader, "SELECT count(*) FROM runs", 0, 0, 0, &n, error))
    return FALSE;
  if (n == 0)
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: holds no run; it was cut off at its start, make it again", bn_reader_path (reader));
  return n > 0;
}

static int
check (const char *path, BnCliFormat format, GError **error)
{
  BnReader *reader = bn_reader_open (path, error);
  GPtrArray *results;
  int exit = BN_EXIT_BAD_INPUT;

  if (reader == NULL)
    return exit;
  if (!has_runs (reader, error))
    {
      bn_reader_close (reader);
      return exit;
    }
  results = bn_check_database (bn_reader_db (reader), error);
  if (results == NULL)
    g_prefix_error (error, "%s: ", path);
  else
    {
      name_cut_runs (reader);
      if (print (results, format, error) || g_error_matches (*error, G_FILE_ERROR, G_FILE_ERROR_PIPE))
        exit = bn_check_count (results, BN_CHECK_FAILED) > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
      if (exit != BN_EXIT_BAD_INPUT)
        g_clear_error (error);
      g_ptr_array_unref (results);
    }
  bn_reader_close (reader);
  return exit;
}

int
bn_cmd_check (int argc, char **argv)
{
  GError *error = NULL;
  char *format_name = NULL;
  BnCliFormat format;
  int exit;
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "text, csv or json (default: text)", "FORMAT" },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &exit))
    return exit;
  exit = bn_cli_format (format_name, &format, &error) ? check (argv[1], format, &error) : BN_EXIT_BAD_INPUT;
  g_free (format_name);
  return error != NULL ? bn_cli_fail (error) : exit;
}
