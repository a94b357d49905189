/* plot_list.c: which pictures there are, and what each shows.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "cli.h"
#include "plot.h"
#include "units.h"

/* Variants in the order of their first run: what colours and keys go by. */
#define SERIES \
  "WITH series AS (SELECT variant, ROW_NUMBER () OVER (ORDER BY MIN (run_id)) AS series" \
  "  FROM runs WHERE ?1 = 0 OR run_id = ?1 GROUP BY variant),"

#define CHOSEN " (?1 = 0 OR run_id = ?1) "

static const char series_names_sql[]
  = "SELECT variant FROM runs WHERE ?1 = 0 OR run_id = ?1 GROUP BY variant ORDER BY MIN (run_id)";

/* The seeds of a variant count as one crowd of jobs. */
static const char latency_sql[]
  = SERIES " counts AS (SELECT variant, high, SUM (n) AS n FROM histograms JOIN runs USING (run_id)"
           "  WHERE metric = 'latency_ns' AND" CHOSEN "GROUP BY variant, high)"
           " SELECT series, variant, high / 1e9 AS latency_s,"
           "  CAST (SUM (n) OVER (PARTITION BY series ORDER BY high) AS REAL) / SUM (n) OVER (PARTITION BY series)"
           "  AS fraction"
           " FROM counts JOIN series USING (variant) ORDER BY series, high";

/* Workflows by first use, and all of them together last. */
#define GROUPS \
  " names AS (SELECT name, MIN (run_id * 1000000 + workflow) AS place FROM workflows WHERE" CHOSEN "GROUP BY name)," \
  " workflow_groups AS (SELECT name AS scope, name, ROW_NUMBER () OVER (ORDER BY place) AS grp FROM names" \
  "  UNION ALL SELECT '', 'all', COUNT (*) + 1 FROM names)"

static const char slowdown_sql[]
  = SERIES GROUPS " SELECT series, variant, grp AS \"group\", g.name AS workflow, AVG (mean) AS mean,"
                  "  AVG (p50) AS p50, AVG (p99) AS p99"
                  " FROM v_slowdown s JOIN series USING (variant) JOIN workflow_groups g ON g.scope = s.workflow"
                  " WHERE mean IS NOT NULL AND" CHOSEN "GROUP BY series, grp ORDER BY series, grp";

static const char group_names_sql[] = "WITH" GROUPS " SELECT name FROM workflow_groups ORDER BY grp";

static const char gpu_time_sql[]
  = SERIES " split AS (SELECT variant, AVG (hit_rate) AS hit_rate, AVG (executing) AS executing,"
           "  AVG (loading) AS loading, AVG (evicting) AS evicting, AVG (idle) AS idle"
           "  FROM v_gpu_split WHERE executing IS NOT NULL AND" CHOSEN "GROUP BY variant)"
           " SELECT series, variant, 100 * hit_rate AS hit_pct, 100 * executing AS executing_pct,"
           "  100 * loading AS loading_pct, 100 * evicting AS evicting_pct, 100 * idle AS idle_pct"
           " FROM split JOIN series USING (variant) ORDER BY series";

#define LINES \
  " lines AS (SELECT run_id, series, ROW_NUMBER () OVER (ORDER BY series, run_id) AS line" \
  "  FROM runs JOIN series USING (variant) WHERE" CHOSEN ")"

static const char backlog_sql[]
  = SERIES LINES " SELECT series, line, variant, seed, time_s, jobs FROM v_backlog JOIN lines USING (run_id)"
                 " ORDER BY line, time_s";

static const char line_series_sql[] = SERIES LINES " SELECT series FROM lines ORDER BY line";

const BnPlot bn_plots[] = {
  {
    .name = "latency-cdf",
    .summary = "how many jobs were done within which latency, by scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .rows_sql = latency_sql,
    .arrays = { "labels" },
    .array_sql = { series_names_sql },
  },
  {
    .name = "slowdown",
    .summary = "latency / lower bound, by workflow and scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .rows_sql = slowdown_sql,
    .arrays = { "labels", "groups" },
    .array_sql = { series_names_sql, group_names_sql },
  },
  {
    .name = "gpu-time",
    .summary = "where the GPUs' time went, and cache hits, by scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .rows_sql = gpu_time_sql,
    .arrays = { "labels" },
    .array_sql = { series_names_sql },
  },
  {
    .name = "backlog",
    .summary = "jobs in the system over time, by scheduler",
    .needs = BN_NEEDS_SUMMARY,
    .prepare = bn_plot_prepare_query,
    .rows_sql = backlog_sql,
    .arrays = { "labels", "line_series" },
    .array_sql = { series_names_sql, line_series_sql },
  },
  {
    .name = "gantt",
    .summary = "what each worker executed, loaded and evicted when; a window of one run",
    .needs = BN_NEEDS_TASKS,
    .one_run = TRUE,
    .prepare = bn_plot_prepare_gantt,
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
