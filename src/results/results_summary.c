/* results_summary.c: what the file says of a run before it starts and after it ended.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "results_private.h"

#include "sql.h"

static const char *const record_names[] = {
  [BN_RECORD_SUMMARY] = "summary", [BN_RECORD_JOBS] = "jobs", [BN_RECORD_TASKS] = "tasks",
};

static const char *const state_names[] = {
  [BN_RUN_COMPLETE] = "complete", [BN_RUN_STUCK] = "stuck", [BN_RUN_INTERRUPTED] = "interrupted",
  [BN_RUN_FAILED] = "failed",
};

static const char *const arrivals_names[] = {
  [BN_ARRIVALS_POISSON] = "poisson", [BN_ARRIVALS_UNIFORM] = "uniform", [BN_ARRIVALS_GAMMA] = "gamma",
  [BN_ARRIVALS_CORRELATED] = "correlated",
  [BN_ARRIVALS_ONOFF] = "onoff", [BN_ARRIVALS_TRACE] = "trace", [BN_ARRIVALS_LIST] = "recorded",
};

void
bn_run_info_from_scenario (BnRunInfo *info, const BnScenario *scenario, const BnVariant *variant,
                           const char *text, const char *settings, uint64_t seed)
{
  const BnTraceSummary *trace = &scenario->trace;
  gboolean traced = scenario->arrivals.kind == BN_ARRIVALS_TRACE;

  info->scenario = scenario->name;
  info->scenario_text = text;
  info->scenario_sha256 = scenario->sha256;
  info->trace_sha256 = trace->sha256;
  info->variant = variant->name;
  info->scheduler = variant->scheduler->name;
  info->settings = settings;
  info->seed = seed;
  info->version = PACKAGE_VERSION;
  info->backend = scenario->backend->name;
  info->real = bn_scenario_is_real (scenario);
  info->has_digests = scenario->backend_settings.verify;
  info->profile = scenario->profile ? scenario->profile->text : NULL;
  info->record = scenario->record;
  info->warmup_ns = scenario->warmup_ns;
  info->arrivals = arrivals_names[scenario->arrivals.kind];
  info->rate_per_s = traced ? 0 : scenario->arrivals.rate_per_s;
  info->offered_load = scenario->offered_load;
  info->trace_block = scenario->arrivals.trace_block;
}

char *
bn_run_info_key (const BnRunInfo *info)
{
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) info->seed);
  const char *parts[] = { info->version, info->scenario_sha256, info->trace_sha256, info->variant, info->scheduler,
                          info->settings, seed };
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], (gssize) strlen (parts[i]) + 1);
  return g_strdup (g_checksum_get_string (sum));
}

/* Prepares `sql` with ?1 = run_id; NULL once there is an error. */
static sqlite3_stmt *
prepare (BnResults *results, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  if (results->error == NULL
      && bn_results_note (results, sqlite3_prepare_v2 (results->db, sql, -1, &stmt, NULL)))
    bn_sql_int (stmt, 1, results->run_id);
  return stmt;
}

static sqlite3_stmt *
prepare_insert (BnResults *results, const char *table)
{
  sqlite3_stmt *stmt = NULL;

  if (results->error == NULL && bn_results_note (results, bn_sql_prepare_insert (results->db, table, &stmt)))
    bn_sql_int (stmt, 1, results->run_id);
  return stmt;
}

static void
put (BnResults *results, sqlite3_stmt *stmt)
{
  bn_results_note (results, bn_sql_put (stmt));
}

/* ---- before ---- */

/* Lines `name = value`, blanks around `=` or not. */
static void
put_parameters (BnResults *results, const char *source, const char *text)
{
  sqlite3_stmt *stmt = prepare (results, "INSERT OR REPLACE INTO parameters VALUES (?1, ?2, ?3, ?4)");
  char **lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL && results->error == NULL; i++)
    {
      char *equals = strchr (lines[i], '=');

      if (equals == NULL)
        continue;
      *equals = '\0';
      bn_sql_text (stmt, 2, source);
      bn_sql_text (stmt, 3, g_strstrip (lines[i]));
      bn_sql_text (stmt, 4, g_strstrip (equals + 1));
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
  g_strfreev (lines);
}

void
bn_results_put_run (BnResults *results, const BnRunInfo *info)
{
  sqlite3_stmt *stmt = prepare (results,
    "INSERT INTO runs (run_id, run_key, scenario, scenario_text, scenario_sha256, trace_sha256, variant, scheduler,"
    " settings, seed, version, backend, record, warmup_ns, arrivals, rate_per_s, offered_load, state, host,"
    " started_at, profile, replay_of, trace_block) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,"
    " ?17,'running',?18,?19,?20,?21,?22)");
  char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) info->seed);
  char *key = bn_run_info_key (info);
  GDateTime *now = g_date_time_new_now_utc ();
  char *started_at = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  const char *texts[] = { key, info->scenario, info->scenario_text, info->scenario_sha256, info->trace_sha256,
                          info->variant, info->scheduler, info->settings, seed, info->version, info->backend,
                          record_names[info->record] };

  if (stmt != NULL)
    {
      int c = 2;

      for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        bn_sql_text (stmt, c++, texts[i]);
      bn_sql_int (stmt, c++, info->warmup_ns);
      bn_sql_text (stmt, c++, info->arrivals);
      bn_sql_positive (stmt, c++, info->rate_per_s);
      bn_sql_positive (stmt, c++, info->offered_load);
      bn_sql_text (stmt, c++, g_get_host_name ());
      bn_sql_text (stmt, c++, started_at);
      bn_sql_text (stmt, c++, info->profile);
      bn_sql_index (stmt, c++, info->replay_of > 0 ? info->replay_of : BN_NONE);
      bn_sql_positive (stmt, c++, info->trace_block);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
  put_parameters (results, "scenario", info->scenario_text);
  put_parameters (results, "variant", info->settings);
  g_free (seed);
  g_free (key);
  g_free (started_at);
  g_date_time_unref (now);
}

/* ---- after ---- */

static void
put_bound (BnResults *results, const BnBound *bound)
{
  sqlite3_stmt *stmt = prepare (results,
    "UPDATE runs SET bound_jobs = ?2, bound_latency_ns = ?3, bound_latency_kind = ?4, bound_slowdown = ?5,"
    " bound_slowdown_kind = ?6 WHERE run_id = ?1");

  if (stmt == NULL)
    return;
  bn_sql_int (stmt, 2, bound->latency_ns.n_jobs);
  if (bound->latency_ns.n_jobs > 0)
    {
      bn_sql_int (stmt, 3, (int64_t) bound->latency_ns.best);
      bn_sql_text (stmt, 4, bn_bound_kind_name (bound->latency_ns.kind));
    }
  if (bound->slowdown.n_jobs > 0)
    {
      sqlite3_bind_double (stmt, 5, bound->slowdown.best);
      bn_sql_text (stmt, 6, bn_bound_kind_name (bound->slowdown.kind));
    }
  put (results, stmt);
  sqlite3_finalize (stmt);
}

static void
put_totals (BnResults *results, const BnRunEnd *end)
{
  const BnRunTotals *t = end->totals;
  const int64_t numbers[] = { t->end_ns, t->last_arrival_ns, t->n_jobs, t->n_done, t->n_refused, t->n_failed,
                              t->n_dropped, t->n_unfinished, t->n_tasks_done, t->n_events, t->n_decisions,
                              t->n_messages, t->row_updates, t->peak_live_jobs, end->violations, end->wall_ns,
                              t->n_forwarded, t->n_stolen, t->row_bytes, t->yardstick, t->n_failures,
                              t->n_workers_lost };
  sqlite3_stmt *stmt = prepare (results,
    "UPDATE runs SET state = ?2, message = ?3, label = ?4, end_ns = ?5, last_arrival_ns = ?6, n_jobs = ?7,"
    " n_done = ?8, n_refused = ?9, n_failed = ?10, n_dropped = ?11, n_unfinished = ?12, n_tasks_done = ?13,"
    " n_events = ?14, n_decisions = ?15, n_messages = ?16, row_updates = ?17, peak_live_jobs = ?18,"
    " violations = ?19, wall_ns = ?20, n_forwarded = ?21, n_stolen = ?22, row_bytes = ?23, yardstick = ?24,"
    " n_failures = ?25, n_workers_lost = ?26, n_verified = ?27,"
    " n_workers = (SELECT count (*) FROM workers WHERE run_id = ?1),"
    " n_slots = (SELECT sum (slots) FROM workers WHERE run_id = ?1) WHERE run_id = ?1");

  if (stmt == NULL)
    return;
  bn_sql_text (stmt, 2, state_names[t->status]);
  bn_sql_text (stmt, 3, end->message);
  bn_sql_text (stmt, 4, bn_label_name (bn_metrics_label (end->metrics)));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    bn_sql_int (stmt, 5 + (int) i, numbers[i]);
  bn_sql_index (stmt, 27, results->has_digests ? end->n_verified : BN_NONE);
  put (results, stmt);
  sqlite3_finalize (stmt);
}

static void
put_workers (BnResults *results, const BnWorkerTimes *workers)
{
  sqlite3_stmt *stmt = prepare (results,
    "UPDATE workers SET executing_ns = ?3, loading_ns = ?4, evicting_ns = ?5, idle_ns = ?6, active_ns = ?7,"
    " tasks = ?8, loads = ?9, load_bytes = ?10, evictions = ?11, evict_bytes = ?12, link_ns = ?13, energy_j = ?14"
    " WHERE run_id = ?1 AND worker = ?2");

  for (uint32_t i = 0; i < results->platform->n_workers && results->error == NULL; i++)
    {
      const BnWorkerTimes *w = &workers[i];
      const int64_t numbers[] = { i, w->executing_ns, w->loading_ns, w->evicting_ns, w->idle_ns, w->active_ns,
                                  w->n_tasks, w->n_loads, w->load_bytes, w->n_evictions, w->evict_bytes,
                                  w->link_ns };

      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        bn_sql_int (stmt, 2 + (int) k, numbers[k]);
      sqlite3_bind_double (stmt, 14, w->energy_j);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
}

static void
put_metrics (BnResults *results, const BnMetrics *metrics)
{
  sqlite3_stmt *stmt = prepare_insert (results, "metrics");
  GArray *values = bn_metrics_values (metrics);

  for (guint i = 0; i < values->len && results->error == NULL; i++)
    {
      const BnMetric *m = &g_array_index (values, BnMetric, i);

      bn_sql_text (stmt, 2, bn_metric_infos[m->info].name);
      bn_sql_text (stmt, 3, m->workflow < 0 ? "" : results->catalogue->workflows[m->workflow].name);
      if (m->defined)
        sqlite3_bind_double (stmt, 4, m->value);
      else
        sqlite3_bind_null (stmt, 4);
      bn_sql_text (stmt, 5, bn_metric_infos[m->info].unit);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
  g_array_unref (values);
}

static void
put_backlog (BnResults *results, const BnBacklog *backlog)
{
  sqlite3_stmt *stmt = prepare_insert (results, "backlog");

  for (uint32_t i = 0; i < bn_backlog_n_bins (backlog) && results->error == NULL; i++)
    {
      bn_sql_int (stmt, 2, i);
      bn_sql_int (stmt, 3, i * backlog->width_ns);
      bn_sql_int (stmt, 4, backlog->width_ns);
      sqlite3_bind_double (stmt, 5, bn_backlog_mean (backlog, i));
      bn_sql_int (stmt, 6, backlog->arrivals[i]);
      put (results, stmt);
    }
  sqlite3_finalize (stmt);
}

static void
put_histogram (BnResults *results, sqlite3_stmt *stmt, const char *metric, uint32_t workflow, const BnSketch *sketch)
{
  BnSketchBucket bucket;
  uint32_t at = 0;

  bn_sql_text (stmt, 2, metric);
  bn_sql_int (stmt, 3, workflow);
  while (results->error == NULL && bn_sketch_next (sketch, &at, &bucket))
    {
      bn_sql_int (stmt, 4, bucket.low);
      bn_sql_int (stmt, 5, bucket.high);
      bn_sql_int (stmt, 6, bucket.n);
      put (results, stmt);
    }
}

void
bn_results_put_end (BnResults *results, const BnRunEnd *end)
{
  sqlite3_stmt *stmt;

  g_assert (results->platform != NULL);
  put_totals (results, end);
  if (end->bound != NULL)
    put_bound (results, end->bound);
  put_workers (results, bn_metrics_workers (end->metrics));
  put_metrics (results, end->metrics);
  put_backlog (results, bn_metrics_backlog (end->metrics));
  stmt = prepare_insert (results, "histograms");
  for (uint32_t i = 0; i < results->catalogue->n_workflows && stmt != NULL; i++)
    {
      put_histogram (results, stmt, "latency_ns", i, bn_metrics_latency_ns (end->metrics, i));
      put_histogram (results, stmt, "slowdown_ppm", i, bn_metrics_slowdown_ppm (end->metrics, i));
    }
  sqlite3_finalize (stmt);
}
