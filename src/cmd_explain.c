/* cmd_explain.c: binnacle explain: why one job took as long as it did.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "bn.h"
#include "cli.h"
#include "explain.h"
#include "output.h"

static const BnCliUsage usage = {
  .verb = "explain",
  .arguments = "FILE --job N",
  .summary = "Says why one job took as long as it did: its critical path, split into transfer,\n"
             "decide, queue, evict, load and run, whose sum is the latency; and every decision\n"
             "about its tasks, with what the decider saw, how old that was and what was true.\n"
             "Needs a run with record = tasks. Exit status 1: the job did not get done.",
  .examples = "  binnacle explain results.db --job 17\n"
              "  binnacle explain results.db --run 2 --job 0",
};

static gboolean
explain (const char *path, gint64 run, gint64 job, gboolean *job_done, GError **error)
{
  BnReader *reader = bn_reader_open (path, error);
  BnExplanation *explanation = NULL;
  BnOutput *out = NULL;
  gboolean done = FALSE;

  if (reader != NULL && bn_reader_choose_run (reader, run, BN_NEEDS_TASKS, &run, error))
    explanation = bn_explain_read (reader, run, job, error);
  if (explanation != NULL)
    {
      *job_done = strcmp (explanation->state, "done") == 0;
      out = bn_output_open (NULL, error);
    }
  if (out != NULL && bn_explain_print (explanation, bn_output_file (out), error))
    done = bn_output_close (out, error);
  else
    bn_output_abandon (out);
  bn_explanation_free (explanation);
  bn_reader_close (reader);
  return done;
}

int
bn_cmd_explain (int argc, char **argv)
{
  GError *error = NULL;
  gint64 run = 0, job = BN_NONE;
  gboolean job_done = FALSE;
  int exit;
  const GOptionEntry entries[] = {
    { "job", 'j', 0, G_OPTION_ARG_INT64, &job, "Which job, counted from 0", "N" },
    { "run", 'r', 0, G_OPTION_ARG_INT64, &run, "Which run (default: the only one)", "N" },
    { 0 },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &exit))
    return exit;
  if (job < 0)
    g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "explain: no job given; add --job N, counted from 0");
  if (error != NULL || !explain (argv[1], run, job, &job_done, &error))
    return bn_cli_fail (error);
  return job_done ? BN_EXIT_OK : BN_EXIT_FOUND;
}
