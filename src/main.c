/* main.c: the program's entry: finds the verb and runs it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "units.h"

typedef struct Verb
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
} Verb;

static const Verb verbs[] = {
  { "run", bn_cmd_run, "replay a scenario through its schedulers, a row for each run" },
  { "compare", bn_cmd_compare, "the same, a row for each scheduler, means over seeds" },
  { "sweep", bn_cmd_sweep, "the same for a grid of values of its keys, in one results file" },
  { "merge", bn_cmd_merge, "join the files that shards of one sweep have made" },
  { "plan", bn_cmd_plan, "say how many servers keep a promise, with what certainty" },
  { "bound", bn_cmd_bound, "say how good any scheduler can be on a scenario's jobs" },
  { "calibrate", bn_cmd_calibrate, "measure what a real backend takes on this machine" },
  { "replay", bn_cmd_replay, "simulate a recorded run, and say how far off the simulation is" },
  { "validate", bn_cmd_validate, "hold the model against real runs: how far off, and do schedulers keep their order" },
  { "metrics", bn_cmd_metrics, "print the metrics of a results file, whole or over time" },
  { "plot", bn_cmd_plot, "draw the pictures of a results file" },
  { "explain", bn_cmd_explain, "say why one job took as long as it did" },
  { "export", bn_cmd_export, "write tasks, jobs or a timeline for other programs" },
  { "workflow", bn_cmd_workflow, "describe workflow files of other programs, make catalogues of them" },
  { "check", bn_cmd_check, "check a results file against the rules that must hold in any" },
  { "trace", bn_cmd_trace, "say what an arrival trace is like, convert it, or make one" },
  { "list", bn_cmd_list, "list schedulers, parameters, scenario keys, metrics, formats" },
};

static int
print_help (void)
{
  GString *text = g_string_new (NULL);
  int status;

  g_string_append (text, "Usage: binnacle VERB [OPTION…]\n\n"
                         "Replays ML workloads through schedulers on a modelled GPU cluster and compares them.\n\n"
                         "Verbs:\n");
  for (size_t i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_string_append_printf (text, "  %-10s%s\n", verbs[i].name, verbs[i].summary);
  g_string_append (text, "\n"
                         "  binnacle VERB --help tells more of each; binnacle --version prints the version.\n\n"
                         "Exit status: 0 all is well, 1 something was found (unfinished jobs, a failed check),\n"
                         "2 it could not be done and one line says why.\n\n"
                         "Examples:\n"
                         "  binnacle compare demo.ini -o results.db\n"
                         "  binnacle plot results.db -o pictures\n");
  status = bn_cli_print (text->str);
  g_string_free (text, TRUE);
  return status;
}

static int
unknown_verb (const char *word)
{
  const char *names[G_N_ELEMENTS (verbs) + 1] = { NULL };
  const char *near;

  for (size_t i = 0; i < G_N_ELEMENTS (verbs); i++)
    names[i] = verbs[i].name;
  near = bn_nearest_word (word, names);
  if (near != NULL)
    fprintf (stderr, "binnacle: %s: no such verb; did you mean %s?\n", word, near);
  else
    fprintf (stderr, "binnacle: %s: no such verb; binnacle --help lists them\n", word);
  return BN_EXIT_BAD_INPUT;
}

int
main (int argc, char **argv)
{
  bn_cli_init ();
  g_set_prgname ("binnacle");

  if (argc < 2)
    {
      fputs ("binnacle: no verb given; binnacle --help lists them\n", stderr);
      return BN_EXIT_BAD_INPUT;
    }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0 || strcmp (argv[1], "help") == 0)
    return print_help ();
  if (strcmp (argv[1], "--version") == 0)
    return bn_cli_print (PACKAGE_STRING "\n");
  for (size_t i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[1], verbs[i].name) == 0)
      return verbs[i].run (argc - 1, argv + 1);
  return unknown_verb (argv[1]);
}
