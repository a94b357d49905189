/* cmd_export.c: binnacle export: a run for other programs.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cli.h"
#include "export.h"
#include "output.h"
#include "reader.h"
#include "units.h"

const BnExportForm bn_export_forms[] = {
  { "tasks", BN_NEEDS_TASKS, bn_export_tasks },
  { "jobs", BN_NEEDS_JOBS, bn_export_jobs },
  { "perfetto", BN_NEEDS_TASKS, bn_export_perfetto },
};

const guint bn_n_export_forms = G_N_ELEMENTS (bn_export_forms);

static const BnCliUsage usage = {
  .verb = "export",
  .arguments = "tasks|jobs|perfetto FILE",
  .summary = "Writes one run of a results file for other programs.\n\n"
             "  tasks     CSV, one row a task: where it ran and its times in nanoseconds\n"
             "  jobs      CSV, one row a job\n"
             "  perfetto  a timeline in JSON for ui.perfetto.dev or chrome://tracing",
  .examples = "  binnacle export tasks results.db --run 2 -o tasks.csv\n"
              "  binnacle export perfetto results.db --run 1 -o timeline.json",
};

static const BnExportForm *
find_form (const char *name, GError **error)
{
  const char *names[G_N_ELEMENTS (bn_export_forms) + 1] = { NULL };
  const char *near;

  for (size_t i = 0; i < G_N_ELEMENTS (bn_export_forms); i++)
    {
      if (strcmp (bn_export_forms[i].name, name) == 0)
        return &bn_export_forms[i];
      names[i] = bn_export_forms[i].name;
    }
  near = bn_nearest_word (name, names);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "export: %s: no such form; %s%s%s", name,
               near ? "did you mean " : "use tasks, jobs or perfetto", near ? near : "", near ? "?" : "");
  return NULL;
}

/* Writing over the file that is read would lose it. TRUE with `error` set. */
static gboolean
is_same_file (const char *path, const char *out_path, GError **error)
{
  if (out_path == NULL || !bn_reader_is_same_file (path, out_path))
    return FALSE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT,
               "%s: is the results file that is read; name another file with -o", out_path);
  return TRUE;
}

static gboolean
export (const char *form_name, const char *path, gint64 run, const char *out_path, GError **error)
{
  const BnExportForm *form = find_form (form_name, error);
  BnReader *reader = form == NULL ? NULL : bn_reader_open (path, error);
  BnOutput *out = NULL;
  gboolean done = FALSE;

  if (reader != NULL && bn_reader_choose_run (reader, run, form->needs, &run, error))
    out = is_same_file (path, out_path, error) ? NULL : bn_output_open (out_path, error);
  if (out != NULL && form->write (reader, run, bn_output_file (out), error))
    done = bn_output_close (out, error);
  else
    bn_output_abandon (out);
  bn_reader_close (reader);
  return done;
}

int
bn_cmd_export (int argc, char **argv)
{
  GError *error = NULL;
  gint64 run = 0;
  char *out_path = NULL;
  gboolean done;
  int exit;
  const GOptionEntry entries[] = {
    { "run", 'r', 0, G_OPTION_ARG_INT64, &run, "Which run (default: the only one)", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &out_path, "Write to FILE (default: standard output)", "FILE" },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 2, 2, &argc, &argv, &exit))
    return exit;
  done = export (argv[1], argv[2], run, out_path, &error);
  g_free (out_path);
  return done ? BN_EXIT_OK : bn_cli_fail (error);
}
