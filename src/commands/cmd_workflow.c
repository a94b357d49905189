/* cmd_workflow.c: binnacle workflow: other people's workflow files, described and made into catalogues.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "flow_formats.h"
#include "flow_text.h"
#include "units.h"

static const BnCliUsage usage = {
  .verb = "workflow",
  .arguments = "info|convert FILE",
  .summary = "Reads a workflow of another program: what is in it, or a catalogue to run. Formats are\n"
             "told by their content: Pegasus DAX, WfCommons WfFormat, HyperFlow, Graphviz DOT; plain,\n"
             "compressed or in an archive (tar, zip); FILE may be - for standard input.\n"
             "doc/workflows.md has what is read of each, and by which rules what a file does not\n"
             "state is filled.",
  .examples = "  binnacle workflow info montage.json\n"
              "  binnacle workflow info genome.dax --runtime 20s --dot | dot -Tsvg > genome.svg\n"
              "  binnacle workflow convert genome.dax --runtime 20s --size 5MB -o genome.ini\n"
              "  binnacle compare demo --set workload.catalogue=genome.ini --set workload.load=0.5",
};

typedef struct Options
{
  char *format, *name, *runtime, *size, *model, *model_size, *scale, *output;
  gboolean dot;
  BnFlowRules rules;
} Options;

static void
options_clear (Options *o)
{
  g_free (o->format);
  g_free (o->name);
  g_free (o->runtime);
  g_free (o->size);
  g_free (o->model);
  g_free (o->model_size);
  g_free (o->scale);
  g_free (o->output);
}

/* What the options say of what the file does not. */
static gboolean
read_rules (Options *o, GError **error)
{
  o->rules = (BnFlowRules) { .runtime_ns = -1, .size_bytes = -1, .scale = 1, .model = o->model, .model_bytes = -1 };
  if (o->runtime != NULL && !bn_parse_duration (o->runtime, &o->rules.runtime_ns, error))
    return bn_input_prefix (error, (BnPlace) { 0 }, "--runtime");
  if (o->size != NULL && !bn_parse_size (o->size, &o->rules.size_bytes, error))
    return bn_input_prefix (error, (BnPlace) { 0 }, "--size");
  if (o->model_size != NULL && !bn_parse_size (o->model_size, &o->rules.model_bytes, error))
    return bn_input_prefix (error, (BnPlace) { 0 }, "--model-size");
  if (o->scale != NULL
      && (!bn_parse_real (o->scale, &o->rules.scale, error) || o->rules.scale <= 0 || o->rules.scale > 1e6))
    {
      g_clear_error (error);
      return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                            "--scale-time %s: give a number above 0, as 0.01", o->scale);
    }
  if ((o->model != NULL) != (o->model_size != NULL))
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "--model and --model-size: give both, as --model shared --model-size 2GB, or neither");
  if (o->model != NULL && strcmp (o->model, "shared") != 0 && strcmp (o->model, "by-name") != 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "--model %s: give shared (one for all tasks) or by-name (one for each name)", o->model);
  return TRUE;
}

static int
write_text (const char *text, const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (path == NULL)
    return bn_cli_print (text);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT, "%s: exists already; name another file", path);
  else if (!g_file_set_contents (path, text, -1, &reason))
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_OUTPUT, "%s: cannot write: %s", path, reason->message);
  else
    return BN_EXIT_OK;
  return BN_EXIT_BAD_INPUT;
}

static int
work (const char *what, const char *path, const Options *o, GError **error)
{
  const char *format;
  BnFlow *flow = bn_flow_read (path, o->format, &format, error);

  if (flow != NULL && o->name != NULL)
    bn_flow_set_name (flow, o->name);
  if (flow != NULL && o->rules.scale != 1)
    bn_flow_scale (flow, o->rules.scale);
  g_autofree char *text = flow == NULL ? NULL
                          : strcmp (what, "convert") == 0 ? bn_flow_catalogue (flow, path, format, &o->rules, error)
                          : o->dot                        ? bn_flow_dot_text (flow, &o->rules)
                                                          : bn_flow_description (flow, format, &o->rules);
  int status = text != NULL ? write_text (text, o->output, error) : BN_EXIT_BAD_INPUT;

  bn_flow_free (flow);
  return status;
}

int
bn_cmd_workflow (int argc, char **argv)
{
  Options o = { 0 };
  GError *error = NULL;
  int status;
  const GOptionEntry entries[] = {
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the file, instead of what it looks like", "NAME" },
    { "name", 0, 0, G_OPTION_ARG_STRING, &o.name, "of the workflow, instead of the one that it states", "NAME" },
    { "runtime", 0, 0, G_OPTION_ARG_STRING, &o.runtime, "of tasks for which the file states none", "TIME" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &o.size, "of files for which it states none", "SIZE" },
    { "scale-time", 0, 0, G_OPTION_ARG_STRING, &o.scale, "multiply the runtimes that it states", "X" },
    { "model", 0, 0, G_OPTION_ARG_STRING, &o.model, "give tasks models: shared (one), or by-name (of tasks)", "RULE" },
    { "model-size", 0, 0, G_OPTION_ARG_STRING, &o.model_size, "of each of these", "SIZE" },
    { "dot", 0, 0, G_OPTION_ARG_NONE, &o.dot, "info: the DAG in Graphviz's language", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "write there and not to standard output", "FILE" },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (bn_cli_parse (&usage, entries, 2, 2, &argc, &argv, &status))
    {
      if (strcmp (argv[1], "info") != 0 && strcmp (argv[1], "convert") != 0)
        g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "workflow %s: there are info and convert", argv[1]);
      else if (read_rules (&o, &error))
        status = work (argv[1], argv[2], &o, &error);
      if (error != NULL)
        status = bn_cli_fail (error);
    }
  options_clear (&o);
  return status;
}
