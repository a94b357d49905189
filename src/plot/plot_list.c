/* plot_list.c: which pictures there are, and what each shows.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cli.h"
#include "plot.h"
#include "units.h"

/* Variants in the order of their first run: what colours and keys go by. `picked`
 * is what the runs drawn say of themselves. */
#define SERIES \
  "WITH picked AS (SELECT run_id, shown AS variant FROM v_runs JOIN drawn USING (run_id))," \
  " series AS (SELECT variant, ROW_NUMBER () OVER (ORDER BY MIN (run_id)) AS series, COUNT (*) AS n_runs" \
  "  FROM picked GROUP BY variant)"

static const char series_names_sql[]
  = "SELECT shown FROM v_runs JOIN drawn USING (run_id) GROUP BY shown ORDER BY MIN (run_id)";

/* The seeds of a variant count as one crowd of jobs. Curves begin at no job. */
static const char latency_sql[]
  = SERIES ", counts AS (SELECT variant, MIN (low) AS low, high, SUM (n) AS n"
           "  FROM histograms JOIN picked USING (run_id) WHERE metric = 'latency_ns' GROUP BY variant, high)"
           " SELECT series, variant, high / 1e9 AS latency_s,"
           "  CAST (SUM (n) OVER (PARTITION BY series ORDER BY high) AS REAL) / SUM (n) OVER (PARTITION BY series)"
           "  AS fraction"
           " FROM counts JOIN series USING (variant)"
           " UNION ALL SELECT series, variant, MIN (low) / 1e9, 0.0 FROM counts JOIN series USING (variant)"
           "  GROUP BY variant ORDER BY series, fraction, latency_s";

/* Workflows by first use, and, where there are several, all of them together last. */
#define GROUPS \
  " names AS (SELECT name, MIN (run_id * 1000000 + workflow) AS place FROM workflows JOIN drawn USING (run_id)" \
  "  GROUP BY name)," \
  " workflow_groups AS (SELECT name AS scope, name, ROW_NUMBER () OVER (ORDER BY place) AS grp FROM names" \
  "  UNION ALL SELECT '', 'all', COUNT (*) + 1 FROM names HAVING COUNT (*) > 1)"

static const char slowdown_sql[]
  = SERIES "," GROUPS " SELECT series, variant, grp AS \"group\", g.name AS workflow, AVG (mean) AS mean,"
           "  AVG (p50) AS p50, AVG (p99) AS p99"
           " FROM v_slowdown s JOIN drawn USING (run_id) JOIN series USING (variant)"
           " JOIN workflow_groups g ON g.scope = s.workflow"
           " WHERE mean IS NOT NULL GROUP BY series, grp ORDER BY series, grp";

static const char group_names_sql[] = "WITH" GROUPS " SELECT name FROM workflow_groups ORDER BY grp";

static const char gpu_time_sql[]
  = SERIES ", split AS (SELECT variant, AVG (hit_rate) AS hit_rate, AVG (executing) AS executing,"
           "  AVG (loading) AS loading, AVG (evicting) AS evicting, AVG (idle) AS idle"
           "  FROM v_gpu_split JOIN drawn USING (run_id) WHERE executing IS NOT NULL GROUP BY variant)"
           " SELECT series, variant, 100 * hit_rate AS hit_pct, 100 * executing AS executing_pct,"
           "  100 * loading AS loading_pct, 100 * evicting AS evicting_pct, 100 * idle AS idle_pct"
           " FROM split JOIN series USING (variant) ORDER BY series";

/* The windows of a variant's runs differ by powers of two, so the widest of them
 * hold the others whole. A run that has ended has no jobs in it. */
static const char backlog_sql[]
  = SERIES ", widest AS (SELECT variant, MAX (width_ns) AS width_ns FROM backlog JOIN picked USING (run_id)"
           "  GROUP BY variant),"
           " wide AS (SELECT variant, b.start_ns / w.width_ns AS bin, w.width_ns,"
           "  SUM (mean_jobs * b.width_ns) / w.width_ns AS jobs"
           "  FROM backlog b JOIN picked USING (run_id) JOIN widest w USING (variant) GROUP BY variant, bin)"
           " SELECT series, variant, (bin * width_ns + width_ns / 2) / 1e9 AS time_s, jobs / n_runs AS jobs"
           " FROM wide JOIN series USING (variant) ORDER BY series, time_s";

/* Jobs done in a run and in its simulation. `kind` job: x observed, y simulated latency. Else a curve: x is a
 * latency, y the share of jobs within it. */
#define PAIRS \
  "WITH pairs AS (SELECT s.run_id AS simulated, s.replay_of AS observed, o.variant FROM runs s" \
  "  JOIN drawn USING (run_id) JOIN runs o ON o.run_id = s.replay_of" \
  "  WHERE s.replay_of IN (SELECT run_id FROM drawn))," \
  " series AS (SELECT variant, ROW_NUMBER () OVER (ORDER BY MIN (observed)) AS series FROM pairs GROUP BY variant)"

static const char validation_sql[]
  = PAIRS ", both AS (SELECT series, variant, (a.end_ns - a.create_ns) / 1e9 AS observed_s,"
          "  (b.end_ns - b.create_ns) / 1e9 AS simulated_s FROM pairs JOIN series USING (variant)"
          "  JOIN jobs a ON a.run_id = observed AND a.state = 'done'"
          "  JOIN jobs b ON b.run_id = simulated AND b.job_id = a.job_id AND b.state = 'done')"
          " SELECT series, variant, 'job' AS kind, observed_s AS x, simulated_s AS y FROM both"
          " UNION ALL SELECT series, variant, 'observed', observed_s,"
          "  CUME_DIST () OVER (PARTITION BY series ORDER BY observed_s) FROM both"
          " UNION ALL SELECT series, variant, 'simulated', simulated_s,"
          "  CUME_DIST () OVER (PARTITION BY series ORDER BY simulated_s) FROM both"
          " ORDER BY 1, 3, 4, 5";

static const char pair_names_sql[] = PAIRS " SELECT variant FROM series ORDER BY series";

const BnPlot bn_plots[] = {
  {
    .name = "latency-cdf",
    .summary = "how many jobs were done within which latency, by scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .over_seeds = "jobs of all seeds together",
    .rows_sql = latency_sql,
    .arrays = { "labels" },
    .array_sql = { series_names_sql },
  },
  {
    .name = "slowdown",
    .summary = "latency / lower bound, by workflow and scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .over_seeds = "means over the seeds",
    .rows_sql = slowdown_sql,
    .arrays = { "labels", "groups" },
    .array_sql = { series_names_sql, group_names_sql },
  },
  {
    .name = "gpu-time",
    .summary = "where the GPUs' time went, and cache hits, by scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .over_seeds = "means over the seeds",
    .rows_sql = gpu_time_sql,
    .arrays = { "labels" },
    .array_sql = { series_names_sql },
  },
  {
    .name = "backlog",
    .summary = "jobs in the system over time, by scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .over_seeds = "lines are means over the seeds",
    .rows_sql = backlog_sql,
    .arrays = { "labels" },
    .array_sql = { series_names_sql },
  },
  {
    .name = "gantt",
    .summary = "what each worker executed, loaded and evicted when; a window of one run",
    .needs = BN_NEEDS_TASKS,
    .one_run = TRUE,
    .prepare = bn_plot_prepare_gantt,
  },
  {
    .name = "validation",
    .summary = "latency of each job observed and simulated, by scheduler; of replays",
    .needs = BN_NEEDS_JOBS,
    .of_replays = TRUE,
    .prepare = bn_plot_prepare_query,
    .over_seeds = "jobs of all seeds together",
    .rows_sql = validation_sql,
    .arrays = { "labels" },
    .array_sql = { pair_names_sql },
  },
  {
    .name = "gantt-both",
    .summary = "what each worker did in a run and in its simulation, one above the other; of replays",
    .needs = BN_NEEDS_TASKS,
    .one_run = TRUE,
    .of_replays = TRUE,
    .prepare = bn_plot_prepare_gantt_both,
  },
  {
    .name = "sweep",
    .summary = "a metric against a varied key, by scheduler; of a sweep",
    .needs = BN_NEEDS_SUMMARY,
    .of_cells = TRUE,
    .prepare = bn_plot_prepare_sweep,
    .over_seeds = "means over the seeds with 95 % intervals, geometric means over cells",
  },
  {
    .name = "bars",
    .summary = "each scheduler divided by one of them, over all cells of a sweep",
    .needs = BN_NEEDS_SUMMARY,
    .of_cells = TRUE,
    .prepare = bn_plot_prepare_bars,
    .over_seeds = "geometric means over the seeds, too",
  },
  {
    .name = "plan",
    .summary = "what keeps a promise against what is varied, by scheduler, with its band; of a plan",
    .needs = BN_NEEDS_SUMMARY,
    .of_cells = TRUE,
    .of_plans = TRUE,
    .prepare = bn_plot_prepare_plan,
    .over_seeds = "bands: undecided at one-sided 95 %",
  },
};

const guint bn_n_plots = G_N_ELEMENTS (bn_plots);

const char *const bn_plot_formats[] = { "svg", "png", "pdf", NULL };

const BnPlot *
bn_plot_find (const char *name, GError **error)
{
  const char *names[G_N_ELEMENTS (bn_plots) + 1] = { NULL };
  const char *near;
  char *all;

  for (guint i = 0; i < bn_n_plots; i++)
    {
      if (strcmp (bn_plots[i].name, name) == 0)
        return &bn_plots[i];
      names[i] = bn_plots[i].name;
    }
  near = bn_nearest_word (name, names);
  all = g_strjoinv (", ", (char **) names);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_USAGE, "plot: --only %s: no such picture; %s%s%s", name,
               near ? "did you mean " : "there are ", near ? near : all, near ? "?" : "");
  g_free (all);
  return NULL;
}
