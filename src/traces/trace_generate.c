/* trace_generate.c: binnacle trace generate: arrivals, and workflows, that nobody has recorded.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "trace_generate.h"

#include <stdarg.h>
#include <string.h>

#include <glib/gstdio.h>

#include "cli.h"
#include "made_trace.h"
#include "output.h"
#include "random_catalogue.h"
#include "units.h"

static const BnCliUsage usage = {
  .verb = "trace generate",
  .arguments = "[KEY=VALUE…]",
  .summary = "Makes an arrival trace: the jobs that a run of the scenario would create with these keys\n"
             "of its section [workload] and this seed. KEY is one of `binnacle list keys`; section.KEY\n"
             "gives others, as servers.count=8 for workload.load. Of jobs and until the one that is given\n"
             "takes the place of the other. A file is written with its making beside it, in FILE.txt.\n\n"
             "With --dag it makes workflows, too: random DAGs, written to --catalogue. A QUANTITY is one\n"
             "value (300ms), a range of which each power of ten is as likely as any other (10ms..2s), or a\n"
             "mean with a coefficient of variation (300ms:cv=0.5). doc/traces.md has more.",
  .examples = "  binnacle trace generate arrivals=gamma cv=3 rate=5/s jobs=10000 'mix=zipf(1.1)' -o jobs.csv\n"
              "  binnacle trace generate load=0.8 until=1h --scenario paper --seed 7 -o jobs.csv\n"
              "  binnacle trace generate --dag layered --workflows 100 --tasks 30 --width 6 --catalogue flows.ini \\\n"
              "    load=0.7 'mix=zipf(1)' jobs=5000 -o jobs.csv\n",
};

typedef struct Request
{
  char *scenario, *output, *catalogue;
  gint64 seed;
  gboolean ingress;
  BnRandomOptions random;
  char *command;              /* all of it, as a shell takes it            */
  GArray *settings;           /* of BnScenarioSetting, what they point to: */
  GStringChunk *strings;
} Request;

static gboolean
fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, what);
  return FALSE;
}

/* ---- keys ---- */

static void
add_setting (Request *r, const char *name, const char *value, const char *place)
{
  BnScenarioSetting setting = { .name = g_string_chunk_insert (r->strings, name),
                                .value = g_string_chunk_insert (r->strings, value),
                                .place = { g_string_chunk_insert (r->strings, place), 0 },
                                .override = TRUE };

  g_array_append_val (r->settings, setting);
}

/* Keys that say how long tasks take, which no arrival does. */
static gboolean
is_of_runtimes (const char *name)
{
  static const char *const keys[] = { "workload.noise", "workload.noise-cv", "workload.noise-visible",
                                      "workload.profile-error", NULL };

  return g_strv_contains (keys, name);
}

static gboolean
add_key (Request *r, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *quoted = bn_quote (text);

  if (equals == NULL || equals == text || strpbrk (text, "\n\r") != NULL || !g_utf8_validate (text, -1, NULL))
    return fail (error, "%s: is not KEY=VALUE, such as rate=4/s; binnacle list keys has the keys", quoted);
  g_autofree char *key = g_strstrip (g_strndup (text, (gsize) (equals - text)));
  g_autofree char *name = strchr (key, '.') != NULL ? g_strdup (key) : g_strconcat ("workload.", key, NULL);
  if (is_of_runtimes (name))
    return fail (error, "%s: is of runtimes, which a trace of arrivals does not have; give it to the run", quoted);
  if (strcmp (key, "seed") == 0 || strcmp (name, "scenario.seeds") == 0)
    return fail (error, "%s: give the seed as --seed N", quoted);
  add_setting (r, name, equals + 1, text);
  return TRUE;
}

static gboolean
is_given (const Request *r, const char *name)
{
  for (guint i = 0; i < r->settings->len; i++)
    if (strcmp (g_array_index (r->settings, BnScenarioSetting, i).name, name) == 0)
      return TRUE;
  return FALSE;
}

/* Of the two limits the one that was given takes the place of the scenario's other one. */
static void
settle_limits (Request *r)
{
  gboolean jobs = is_given (r, "workload.jobs"), until = is_given (r, "workload.until");

  if (jobs != until)
    add_setting (r, jobs ? "workload.until" : "workload.jobs", "0", jobs ? "jobs" : "until");
}

/* Whether it is the file of the trace, or the one beside it that says how it was made, by whatever path. */
static gboolean
is_of_output (const char *catalogue, const char *output)
{
  if (output == NULL)
    return FALSE;
  g_autofree char *beside = g_strconcat (output, ".txt", NULL);
  g_autofree char *trace = g_canonicalize_filename (output, NULL), *making = g_canonicalize_filename (beside, NULL);
  g_autofree char *other = g_canonicalize_filename (catalogue, NULL);

  return strcmp (other, trace) == 0 || strcmp (other, making) == 0;
}

/* Workflows and where they go belong together. */
static gboolean
check_catalogue (const Request *r, GError **error)
{
  const char *dag = r->random.dag, *catalogue = r->catalogue;

  if (dag == NULL && bn_random_options_given (&r->random))
    return fail (error, "--workflows, --tasks and what else says how workflows are need --dag, as --dag layered");
  if (dag == NULL)
    return catalogue == NULL
           || fail (error, "--catalogue %s: is where --dag writes workflows; one that is there is named by "
                    "catalogue=FILE", catalogue);
  if (catalogue == NULL)
    return fail (error, "--dag %s: add --catalogue FILE, where the workflows go", dag);
  if (strpbrk (catalogue, " \t\n\r") != NULL)
    return fail (error, "--catalogue '%s': scenarios name catalogues between blanks; give a name without", catalogue);
  if (strcmp (catalogue, "-") == 0)
    return fail (error, "--catalogue -: scenarios read catalogues from files; give the name of one");
  if (is_of_output (catalogue, r->output))
    return fail (error, "--catalogue and --output: %s would hold the trace alone; name two files", catalogue);
  if (g_file_test (catalogue, G_FILE_TEST_EXISTS))
    return fail (error, "--catalogue %s: exists already; name another file", catalogue);
  return !is_given (r, "workload.catalogue") || fail (error, "catalogue: --dag makes it; leave this key out");
}

static gboolean
read_request (Request *r, char **keys, GError **error)
{
  g_autofree char *seed = g_strdup_printf ("%" G_GINT64_FORMAT, r->seed);

  if (r->seed < 0)
    return fail (error, "--seed %s: a seed is 0 or more", seed);
  add_setting (r, "scenario.seeds", seed, "--seed");
  for (char **key = keys; *key != NULL; key++)
    if (!add_key (r, *key, error))
      return FALSE;
  if (!check_catalogue (r, error))
    return FALSE;
  if (r->catalogue != NULL)
    add_setting (r, "workload.catalogue", r->catalogue, "--catalogue");
  settle_limits (r);
  return TRUE;
}

/* ---- files ---- */

static gboolean
write_catalogue (const Request *r, GError **error)
{
  g_autofree char *text = bn_random_catalogue (&r->random, (uint64_t) r->seed, r->command, error);

  return text != NULL && bn_output_write (r->catalogue, text, error);
}

/* The command that runs what was made. Keys of other sections and those that say what jobs are come with it.
 * Returns: (transfer full). */
static char *
next_command (const Request *r, const BnScenario *scenario)
{
  static const char *const of_jobs[] = { "workload.catalogue", "workload.scale", "workload.profile", NULL };
  g_autofree char *name = bn_cli_word (r->scenario);
  g_autofree char *overrides = bn_made_trace_overrides (scenario, (uint64_t) r->seed, r->ingress, r->output);
  GString *text = g_string_new ("binnacle compare ");

  g_string_append (text, name);
  for (guint i = 0; i < r->settings->len; i++)
    {
      const BnScenarioSetting *s = &g_array_index (r->settings, BnScenarioSetting, i);
      if (strcmp (s->name, "scenario.seeds") == 0
          || (g_str_has_prefix (s->name, "workload.") && !g_strv_contains (of_jobs, s->name)))
        continue;
      g_autofree char *set = g_strdup_printf ("%s=%s", s->name, s->value), *word = bn_cli_word (set);
      g_string_append_printf (text, " --set %s", word);
    }
  g_string_append (text, overrides);
  return g_string_free (text, FALSE);
}

/* How the trace was made, beside it: a CSV has no place for it. */
static gboolean
write_making (const Request *r, const BnScenario *scenario, const char *counts, const char *next, GError **error)
{
  g_autofree char *path = g_strconcat (r->output, ".txt", NULL), *base = g_path_get_basename (r->output);
  g_auto (GStrv) lines = g_strsplit (scenario->text, "\n", -1);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s: %s\nmade by: %s\nnext: %s\nversion: %s\n\n", base, counts, r->command, next,
                          PACKAGE_VERSION);
  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, "workload."))
      g_string_append_printf (text, "%s\n", *line);
  gboolean ok = bn_output_write (path, text->str, error);
  g_string_free (text, TRUE);
  return ok;
}

static gboolean
make_trace (const Request *r, const BnScenario *scenario, GError **error)
{
  BnMadeTrace made;

  if (!bn_made_trace_write (scenario, (uint64_t) r->seed, r->ingress, r->output, &made, error))
    return FALSE;
  g_autofree char *counts = bn_made_trace_counts (&made);
  g_printerr ("binnacle: trace: %s\nbinnacle: made by: %s\n", counts, r->command);
  if (r->output == NULL || !g_file_test (r->output, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  g_autofree char *next = next_command (r, scenario);
  g_printerr ("binnacle: next: %s\n", next);
  return write_making (r, scenario, counts, next, error);
}

/* A catalogue whose keys are wrong goes again: nobody else made it. */
static gboolean
generate (const Request *r, GError **error)
{
  g_autofree char *path = bn_cli_scenario_file (r->scenario, error);

  if (path == NULL || (r->catalogue != NULL && !write_catalogue (r, error)))
    return FALSE;
  BnScenario *scenario = bn_scenario_read_with (path, NULL, (const BnScenarioSetting *) (void *) r->settings->data,
                                                r->settings->len, error);
  for (char **remark = scenario != NULL ? scenario->remarks : NULL; remark != NULL && *remark != NULL; remark++)
    g_printerr ("binnacle: %s\n", *remark);
  gboolean ok = scenario != NULL && make_trace (r, scenario, error);
  if (!ok && r->catalogue != NULL)
    g_unlink (r->catalogue);
  bn_scenario_free (scenario);
  return ok;
}

/* ---- the verb ---- */

/* On one line, whatever the arguments are: it stands in a comment. Returns: (transfer full). */
static char *
command_line (int argc, char **argv)
{
  g_autoptr (GString) text = g_string_new ("binnacle trace");

  for (int i = 0; i < argc; i++)
    {
      g_autofree char *word = bn_cli_word (argv[i]);
      g_string_append_printf (text, " %s", word);
    }
  return g_strdelimit (g_utf8_make_valid (text->str, -1), "\n\r", ' ');
}

static void
clear (Request *r)
{
  g_free (r->scenario);
  g_free (r->output);
  g_free (r->catalogue);
  g_free (r->command);
  g_array_unref (r->settings);
  g_string_chunk_free (r->strings);
  bn_random_options_clear (&r->random);
}

int
bn_trace_generate (int argc, char **argv)
{
  GError *error = NULL;
  int exit;
  Request r = { .seed = 1, .random = BN_RANDOM_OPTIONS_INIT };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &r.output, "write the trace there (default: standard output)", "FILE" },
    { "scenario", 0, 0, G_OPTION_ARG_FILENAME, &r.scenario, "whose keys are replaced (default: demo)", "SCENARIO" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &r.seed, "of all that is drawn (default: 1)", "N" },
    { "ingress", 0, 0, G_OPTION_ARG_NONE, &r.ingress, "add a column of ingress workers", NULL },
    { "catalogue", 0, 0, G_OPTION_ARG_FILENAME, &r.catalogue, "write the workflows of --dag to FILE", "FILE" },
    BN_RANDOM_ENTRIES (r.random),
    { 0 },
  };

  r.command = command_line (argc, argv);
  r.settings = g_array_new (FALSE, FALSE, sizeof (BnScenarioSetting));
  r.strings = g_string_chunk_new (256);
  if (bn_cli_parse (&usage, entries, 0, G_MAXINT, &argc, &argv, &exit))
    {
      if (r.scenario == NULL)
        r.scenario = g_strdup ("demo");
      if (read_request (&r, argv + 1, &error) && generate (&r, &error))
        exit = BN_EXIT_OK;
      else
        exit = bn_cli_fail (error);
    }
  clear (&r);
  return exit;
}
