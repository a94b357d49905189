/* cmd_explain.c: binnacle explain: why one job took as long as it did.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "bn.h"
#include "cli.h"
#include "explain.h"
#include "output.h"

static const BnCliUsage explain_usage = {
  .verb = "explain",
  .arguments = "FILE --job N | FILE --slowest [N]",
  .summary = "Says why one job took as long as it did: its critical path, split into transfer,\n"
             "decide, queue, evict, load and run, whose sum is the latency; what it waited behind\n"
             "in queues; and every decision about its tasks, with what the decider saw, how old\n"
             "that was and what was true. Needs a run with record = tasks. Exit status 1: the job\n"
             "did not get done.",
  .examples = "  binnacle explain results.db --job 17\n"
              "  binnacle explain results.db --run 2 --slowest\n"
              "  binnacle explain results.db --run 2 --slowest 3",
};

typedef struct Question
{
  gint64 run;
  gint64 job;      /* BN_NONE: the slowest   */
  gint64 slowest;  /* so many; 0: not asked  */
} Question;

static gboolean
parse_slowest (const char *name G_GNUC_UNUSED, const char *value, gpointer data, GError **error)
{
  Question *question = data;
  guint64 n = 1;

  if (value != NULL && !g_ascii_string_to_unsigned (value, 10, 1, 1000000, &n, NULL))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--slowest %s: not a number from 1 on; write FILE --slowest, or FILE --slowest 3", value);
      return FALSE;
    }
  question->slowest = (gint64) n;
  return TRUE;
}

/* Returns: (transfer full) (element-type gint64), or NULL with `error` set. */
static GArray *
jobs_asked_about (BnReader *reader, const Question *question, GError **error)
{
  GArray *jobs;

  if (question->job == BN_NONE)
    return bn_explain_slowest (reader, question->run, question->slowest, error);
  jobs = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (jobs, question->job);
  return jobs;
}

static gboolean
explain_jobs (BnReader *reader, gint64 run, const GArray *jobs, FILE *file, gboolean *all_done, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < jobs->len; i++)
    {
      BnExplanation *explanation = bn_explain_read (reader, run, g_array_index (jobs, gint64, i), error);

      if (explanation == NULL)
        return FALSE;
      if (strcmp (explanation->state, "done") != 0)
        *all_done = FALSE;
      if (i > 0)
        putc ('\n', file);
      ok = bn_explain_print (explanation, file, error);
      bn_explanation_free (explanation);
    }
  return ok;
}

static gboolean
explain (const char *path, Question *question, gboolean *all_done, GError **error)
{
  BnReader *reader = bn_reader_open (path, error);
  GArray *jobs = NULL;
  BnOutput *out = NULL;
  gboolean done = FALSE;

  if (reader != NULL && bn_reader_choose_run (reader, question->run, BN_NEEDS_TASKS, &question->run, error))
    jobs = jobs_asked_about (reader, question, error);
  if (jobs != NULL)
    out = bn_output_open (NULL, error);
  if (out != NULL && explain_jobs (reader, question->run, jobs, bn_output_file (out), all_done, error))
    done = bn_output_close (out, error);
  else
    bn_output_abandon (out);
  g_clear_pointer (&jobs, g_array_unref);
  bn_reader_close (reader);
  return done;
}

int
bn_cmd_explain (int argc, char **argv)
{
  static const char none_given[] = "explain: no job given; add --job N, counted from 0, or --slowest";
  GError *error = NULL;
  Question question = { .job = BN_NONE };
  BnCliUsage usage = explain_usage;
  gboolean all_done = TRUE;
  gint64 job = BN_NONE;
  int exit;
  const GOptionEntry entries[] = {
    { "job", 'j', 0, G_OPTION_ARG_INT64, &job, "Which job, counted from 0", "N" },
    { "run", 'r', 0, G_OPTION_ARG_INT64, &question.run, "Which run (default: the only one)", "N" },
    { "slowest", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer) parse_slowest,
      "The job that took longest, or the N that did", "N" },
    { 0 },
  };

  usage.data = &question;
  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &exit))
    return exit;
  question.job = job;
  if (job < 0 && question.slowest == 0)
    g_set_error_literal (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, none_given);
  else if (job >= 0 && question.slowest > 0)
    g_set_error_literal (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                         "explain: --job and --slowest at once; give one of them");
  if (error != NULL || !explain (argv[1], &question, &all_done, &error))
    return bn_cli_fail (error);
  return all_done ? BN_EXIT_OK : BN_EXIT_FOUND;
}
