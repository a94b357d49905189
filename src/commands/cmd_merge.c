/* cmd_merge.c: binnacle merge: the shards of a sweep become one results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "merge.h"
#include "work_folder.h"

static const BnCliUsage usage = {
  .verb = "merge",
  .arguments = "PART.db…",
  .summary = "Joins the files that binnacle sweep --shard has made of one sweep. The result is the\n"
             "file that the sweep makes in one, but for dates, names of machines and durations. What\n"
             "is missing is named, and binnacle sweep -o FILE without --shard completes the file.",
  .examples = "  binnacle merge -o grid.db part1.db part2.db part3.db part4.db\n"
              "  binnacle merge -o grid.db part*.db --replace",
};

/* A part that is replaced before it is read would be lost. */
static gboolean
check_output (const char *output, char **parts, GError **error)
{
  GStatBuf out, part;

  if (g_stat (output, &out) != 0)
    return TRUE;
  for (; *parts != NULL; parts++)
    if (g_stat (*parts, &part) == 0 && part.st_dev == out.st_dev && part.st_ino == out.st_ino)
      {
        g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                     "merge: -o %s is one of the parts; name another file", output);
        return FALSE;
      }
  return TRUE;
}

static void
print_gap (const BnMergeGap *gap)
{
  g_autofree char *of = gap->n_shards > 1 ? g_strdup_printf ("shard %u of %u", gap->shard, gap->n_shards)
                                          : g_strdup ("the sweep");
  g_autofree char *in = gap->path != NULL ? g_strdup_printf (" (%s)", gap->path) : g_strdup ("");

  fprintf (stderr, "binnacle: %s%s lacks %u of its %u units, first %s\n", of, in, gap->n_missing, gap->n_units,
           gap->first);
}

/* Says what is missing. Returns: how many units. */
static guint
print_gaps (const GPtrArray *gaps)
{
  guint n_missing = 0;

  for (guint i = 0; i < gaps->len; i++)
    {
      const BnMergeGap *gap = g_ptr_array_index (gaps, i);
      print_gap (gap);
      n_missing += gap->n_missing;
    }
  return n_missing;
}

/* Into a file of its own, which takes the output's name when it is whole. */
static gboolean
merge_in_folder (const char *output, char **parts, guint *n_missing, GError **error)
{
  BnWorkFolder *folder = bn_work_folder_new (output, error);
  g_autofree char *path = folder != NULL ? g_build_filename (bn_work_folder_path (folder), "merged.db", NULL) : NULL;
  BnResults *results = folder != NULL ? bn_results_create (path, FALSE, error) : NULL;
  g_autoptr (GPtrArray) gaps = NULL;
  gboolean ok = results != NULL && bn_merge (results, (const char *const *) parts, &gaps, error);

  if (ok)
    ok = bn_results_close (results, error);
  else if (results != NULL)
    bn_results_abandon (results);
  if (ok && !bn_results_rename (path, output, error))
    ok = FALSE;
  bn_work_folder_free (folder);
  *n_missing = ok ? print_gaps (gaps) : 0;
  return ok;
}

static int
merge (const char *output, char **parts, gboolean replace, gboolean quiet)
{
  GError *error = NULL;
  guint n_missing;

  if (!check_output (output, parts, &error) || !bn_results_may_create (output, replace, &error)
      || !merge_in_folder (output, parts, &n_missing, &error))
    return bn_cli_fail (error);
  if (n_missing > 0)
    fprintf (stderr, "binnacle: %u unit%s missing in %s; the sweep's command with -o %s and without --shard does"
             " the rest\n", n_missing, n_missing == 1 ? " is" : "s are", output, output);
  else if (!quiet)
    fprintf (stderr, "binnacle: all units are in %s; next: binnacle compare %s\n", output, output);
  return n_missing > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
}

int
bn_cmd_merge (int argc, char **argv)
{
  g_autofree char *output = NULL;
  gboolean replace = FALSE, quiet = FALSE;
  int status;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "the database to make", "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &replace, "replace an existing results file", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "no closing line", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (!bn_cli_parse (&usage, entries, 1, G_MAXINT, &argc, &argv, &status))
    return status;
  if (output == NULL)
    {
      GError *error = g_error_new (BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "merge: -o is missing; name the file to make");
      return bn_cli_fail (error);
    }
  return merge (output, &argv[1], replace, quiet);
}
