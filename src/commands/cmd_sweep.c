/* cmd_sweep.c: binnacle sweep: a scenario for every combination of values.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "comparison.h"
#include "mpi_command.h"
#include "pool.h"
#include "sweep_precision.h"

#define MAX_SHARDS 100000
#define NOT_GIVEN G_MININT

static const BnCliUsage usage = {
  .verb = "sweep",
  .arguments = "SCENARIO.ini",
  .summary = "Runs the scenario once for every combination of the values that its section [sweep]\n"
             "and --vary give, each with all schedulers and seeds, into one results file. Prints a\n"
             "row for each combination and scheduler. doc/sweep.md has the format.\n\n"
             "A file that is there already is completed: what it has of this sweep is kept, whatever\n"
             "stopped it, also where there are now more seeds, values or schedulers. Under mpirun the\n"
             "other ranks run the units; --shard divides a sweep among commands.",
  .examples = "  binnacle sweep demo --vary workload.load=0.5..0.9:5 --vary servers.count=5,10 --seeds 3 -j 2\n"
              "  binnacle sweep demo --vary 'servers.count,workload.jobs = 5:1000 20:4000' -o sizes.db\n"
              "  binnacle plot sizes.db --only sweep --y slowdown_p99 --log\n"
              "  binnacle sweep demo --vary scheduler=compass,jit,'compass[adjust=off]' --seeds 10 -j 0\n"
              "  binnacle sweep beyond-grid -j 4 -o grid.db   (48 cells, 720 runs)\n"
              "  binnacle sweep beyond-grid --shard 2/8 -o part2.db   (then: binnacle merge)\n"
              "  mpirun -n 64 binnacle sweep beyond-grid -o grid.db",
};

typedef struct Options
{
  char *output, *seed_list, *format;
  char **vary;
  BnCliKeys keys;
  char *shard_text, *precision, *base;
  gint max_seeds;                /* or NOT_GIVEN */
  BnPrecisionGoal goal;          /* of precision; metric NULL without */
  gint n_seeds, n_processes;
  guint shard, n_shards;         /* from 1; 1 of 1: all */
  gboolean list, replace, quiet;
  guint n_given;                 /* seeds, before --precision adds some */
  gboolean interrupted;          /* set when it has run, as is */
  gboolean reached;              /* the precision               */
  BnRanks *ranks;                /* borrowed; NULL: alone */
} Options;

static void
options_clear (Options *o)
{
  g_free (o->output);
  g_free (o->seed_list);
  g_free (o->format);
  g_free (o->shard_text);
  g_free (o->precision);
  g_free (o->base);
  bn_precision_clear (&o->goal);
  g_strfreev (o->vary);
  bn_cli_keys_clear (&o->keys);
}

/* "2/4" */
static gboolean
read_shard (Options *o)
{
  g_auto (GStrv) parts = g_strsplit (o->shard_text, "/", -1);
  guint64 shard, n;

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, 1, MAX_SHARDS, &shard, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, MAX_SHARDS, &n, NULL) || shard > n)
    return FALSE;
  o->shard = (guint) shard;
  o->n_shards = (guint) n;
  return TRUE;
}

static gboolean
check_options (Options *o, GError **error)
{
  gboolean counted = o->n_seeds != NOT_GIVEN;
  const char *wrong = counted && (o->n_seeds < 1 || o->n_seeds > 10000) ? "--seeds: give 1 to 10000, as --seeds 3"
                      : counted && o->seed_list != NULL ? "--seeds and --seed at once; give one of them"
                      : o->n_processes < 0 || o->n_processes > BN_POOL_MAX_PROCESSES
                        ? "-j: give 1 to 4096, as -j 4, or 0 for all processors"
                      : o->shard_text != NULL && !read_shard (o)
                        ? "--shard: give which of how many, as --shard 2/4"
                      : o->n_shards > 1 && o->precision != NULL
                        ? "--precision: which seeds it takes depends on all shards; leave --shard out"
                        : NULL;

  if (wrong == NULL)
    return bn_precision_read_options (o->precision, o->max_seeds, &o->goal, error);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "sweep: %s", wrong);
  return FALSE;
}

/* What it came to, in a line. */
static int
report (const BnSweep *sweep, const BnPoolOutcome *outcome, guint n_units, const char *output, gboolean quiet,
        gboolean by_precision)
{
  guint n_there = outcome->n_kept + outcome->n_done, n_cells = bn_sweep_n_cells (sweep);

  if (n_there == 0)
    {
      fprintf (stderr, "binnacle: %s; no file was made\n",
               outcome->interrupted ? "interrupted before the first unit ended" : "no unit ended");
      return outcome->interrupted ? BN_EXIT_FOUND : BN_EXIT_BAD_INPUT;
    }
  if (outcome->interrupted)
    fprintf (stderr, "binnacle: interrupted with %u of %s%u units in %s; the same command does the others\n", n_there,
             by_precision ? "up to " : "", n_units, output);
  else if (outcome->n_failed > 0)
    fprintf (stderr, "binnacle: %u of %u units failed; the others are in %s; the same command tries again\n",
             outcome->n_failed, n_units, output);
  else if (!quiet && by_precision)
    fprintf (stderr, "binnacle: %u cell%s, %u seeds in all, in %s; next: binnacle plot %s\n", n_cells,
             n_cells == 1 ? "" : "s", n_there, output, output);
  else if (!quiet)
    fprintf (stderr, "binnacle: %u cell%s with %u run%s each in %s; next: binnacle plot %s\n", n_cells,
             n_cells == 1 ? "" : "s", bn_sweep_n_runs (sweep), bn_sweep_n_runs (sweep) == 1 ? "" : "s", output, output);
  return outcome->interrupted || outcome->n_failed > 0 || outcome->n_found > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
}

/* The same of one shard, which is of use only with the others. */
static int
report_shard (const BnPoolOutcome *outcome, const Options *o, guint n_units, const char *output)
{
  guint n_there = outcome->n_kept + outcome->n_done;

  if (n_there < n_units || !o->quiet)
    fprintf (stderr, "binnacle: shard %u of %u: %u of %u units in %s; next: %s\n", o->shard, o->n_shards, n_there,
             n_units, output, n_there < n_units ? "the same command" : "binnacle merge -o ALL.db, with all shards");
  return n_there < n_units || outcome->n_found > 0 ? BN_EXIT_FOUND : BN_EXIT_OK;
}

/* The units of this shard, in order. Returns: (transfer container), units borrowed. */
static GPtrArray *
own_units (const GPtrArray *all, const Options *o)
{
  GPtrArray *own = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    if (i % o->n_shards == o->shard - 1)
      g_ptr_array_add (own, g_ptr_array_index (all, i));
  return own;
}

/* As many seeds as --precision takes, and what is to be said of it. */
static gboolean
run_rounds (BnPool *pool, const BnSweep *sweep, const GPtrArray *units, Options *o, BnPoolOutcome *outcome,
            GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = bn_sweep_replicate (pool, sweep, units, o->n_given, &o->goal, outcome, &o->reached, texts, error);

  for (guint i = 0; i < texts->len; i++)
    fprintf (stderr, "binnacle: %s\n", (const char *) g_ptr_array_index (texts, i));
  return ok;
}

static gboolean
run_units (BnPool *pool, const BnSweep *sweep, const GPtrArray *all, const GPtrArray *own, Options *o,
           BnPoolOutcome *outcome, GError **error)
{
  if (!bn_pool_plan (pool, (BnUnit **) all->pdata, all->len, o->n_shards, error))
    return FALSE;
  for (char **remark = bn_sweep_remarks (sweep); *remark != NULL; remark++)
    fprintf (stderr, "binnacle: %s\n", *remark);
  return o->goal.metric != NULL ? run_rounds (pool, sweep, all, o, outcome, error)
                                : bn_pool_run (pool, (BnUnit **) own->pdata, own->len, outcome, error);
}

static int
run_sweep (const BnSweep *sweep, Options *o, const char *output, BnCliFormat format)
{
  GError *error = NULL;
  BnPoolOptions options = { .n_processes = (guint) o->n_processes, .replace = o->replace,
                            .progress = !o->quiet && isatty (STDERR_FILENO), .ranks = o->ranks };
  BnPoolOutcome outcome = { 0 };
  g_autoptr (GPtrArray) all = bn_sweep_units (sweep);
  g_autoptr (GPtrArray) own = own_units (all, o);

  bn_ranks_block_signals ();
  BnPool *pool = bn_pool_new (output, &options, &error);
  if (pool == NULL)
    return bn_cli_fail (error);
  gboolean ok = run_units (pool, sweep, all, own, o, &outcome, &error);
  guint n_there = outcome.n_kept + outcome.n_done;
  o->interrupted = outcome.interrupted;
  if (ok && outcome.n_kept_runs > 0 && !o->quiet)
    fprintf (stderr, "binnacle: %u of %u runs were in %s already\n", outcome.n_kept_runs,
             own->len * (bn_sweep_n_runs (sweep) / bn_sweep_n_seeds (sweep)), output);
  ok = ok && (n_there == 0
              || bn_comparison_print (bn_results_database (bn_pool_results (pool)), TRUE, o->base, format, &error));
  ok = bn_pool_close (pool, ok ? &error : NULL) && ok;
  if (!ok)
    return bn_cli_fail (error);
  if (o->n_shards > 1 && n_there > 0)
    return report_shard (&outcome, o, own->len, output);
  int status = report (sweep, &outcome, own->len, output, o->quiet, o->goal.metric != NULL);
  return status == BN_EXIT_OK && !o->reached ? BN_EXIT_FOUND : status;
}

/* A line for each cell, as `binnacle run` takes it. */
static int
print_cells (const BnSweep *sweep)
{
  GString *text = g_string_new (NULL);

  for (guint cell = 0; cell < bn_sweep_n_cells (sweep); cell++)
    {
      g_autofree char *arguments = bn_sweep_cell_arguments (sweep, cell);
      g_string_append_printf (text, "%s\n", arguments);
    }
  int status = bn_cli_print (text->str);
  g_string_free (text, TRUE);
  return status;
}

/* All cells have the same schedulers. */
static gboolean
check_base (const BnSweep *sweep, const char *base, GError **error)
{
  BnScenario *scenario = bn_sweep_scenario (sweep, 0, error);
  gboolean ok = scenario != NULL && bn_comparison_check_base (scenario, base, error);

  bn_scenario_free (scenario);
  return ok;
}

static int
sweep_scenario (const char *name, Options *o, BnCliFormat format)
{
  GError *error = NULL;
  g_autofree char *seeds = o->n_seeds > 0 ? g_strdup_printf ("1..%d", o->n_seeds) : g_strdup (o->seed_list);
  BnCliKeys keys = o->keys;
  keys.seeds = seeds;
  g_auto (GStrv) overrides = bn_cli_overrides (&keys);
  g_autofree char *path = bn_cli_scenario_file (name, &error);
  BnSweep *sweep = path == NULL ? NULL
                                : bn_sweep_read (path, (const char *const *) o->vary,
                                                 (const char *const *) overrides, &error);

  if (sweep != NULL && bn_sweep_is_real (sweep) && (o->n_processes != 1 || o->ranks != NULL))
    {
      g_set_error (&error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                   "sweep: %s: units that really execute would disturb each other; leave it out",
                   o->ranks != NULL ? "mpirun" : "-j");
      g_clear_pointer (&sweep, bn_sweep_free);
    }
  if (sweep != NULL && !check_base (sweep, o->base, &error))
    g_clear_pointer (&sweep, bn_sweep_free);
  if (sweep == NULL)
    return bn_cli_fail (error);
  o->n_given = bn_sweep_n_seeds (sweep);
  if (o->goal.metric != NULL)
    bn_sweep_make_room (sweep, o->goal.max_seeds);
  g_autofree char *output = o->output != NULL ? g_strdup (o->output) : bn_cli_default_output (path);
  int status = o->list ? print_cells (sweep) : run_sweep (sweep, o, output, format);
  bn_sweep_free (sweep);
  return status;
}

static int
run_verb (int argc, char **argv, BnRanks *ranks, gboolean *interrupted)
{
  Options o = { .n_seeds = NOT_GIVEN, .max_seeds = NOT_GIVEN, .n_processes = 1, .shard = 1, .n_shards = 1, .ranks = ranks,
                .reached = TRUE };
  GError *error = NULL;
  BnCliFormat format;
  int status;
  const GOptionEntry entries[] = {
    { "vary", 'v', 0, G_OPTION_ARG_STRING_ARRAY, &o.vary, "run it with each of these values; may be repeated",
      "SECTION.KEY=VALUES" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &o.keys.set, "override a key in all cells; may be repeated",
      "SECTION.KEY=VALUE" },
    { "scheduler", 0, 0, G_OPTION_ARG_STRING, &o.keys.schedulers, "compare these instead, as name or name[key=value,...]",
      "LIST" },
    { "seeds", 0, 0, G_OPTION_ARG_INT, &o.n_seeds, "use the seeds 1 to N instead", "N" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &o.seed_list, "use these seeds instead, as 1 2 3 or 1..10", "SEEDS" },
    { "record", 0, 0, G_OPTION_ARG_STRING, &o.keys.record, "how much to keep: summary, jobs or tasks", "LEVEL" },
    BN_CLI_BACKEND_ENTRIES (o.keys),
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &o.n_processes, "so many units at a time (default: 1; 0: one a processor)",
      "N" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &o.shard_text,
      "run only every n-th unit, from the i-th; binnacle merge joins them", "I/N" },
    { "precision", 0, 0, G_OPTION_ARG_STRING, &o.precision,
      "add seeds until the 95 % interval of METRIC (latency_mean) is so narrow", "PERCENT%[:METRIC]" },
    { "max-seeds", 0, 0, G_OPTION_ARG_INT, &o.max_seeds, "no more seeds than this for --precision (default: 100)", "N" },
    { "list", 0, 0, G_OPTION_ARG_NONE, &o.list, "print what `binnacle run` takes for each cell, and run none", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output,
      "the database to make, or to complete (default: NAME.db here, of NAME.ini)", "FILE" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o.replace, "begin an existing results file anew", NULL },
    { "base", 0, 0, G_OPTION_ARG_STRING, &o.base, "the scheduler that others are compared with (default: the first)",
      "SCHEDULER" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "of the table: text, csv or json", "FORMAT" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &o.quiet, "no progress line and no closing line", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };

  if (!bn_cli_parse (&usage, entries, 1, 1, &argc, &argv, &status))
    ;
  else if (!bn_cli_format (o.format, &format, &error) || !check_options (&o, &error))
    status = bn_cli_fail (error);
  else
    status = sweep_scenario (argv[1], &o, format);
  *interrupted = o.interrupted;
  options_clear (&o);
  return status;
}

int
bn_cmd_sweep (int argc, char **argv)
{
  return bn_ranks_command (argc, argv, run_verb);
}
