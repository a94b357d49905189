/* example_results.c: a small results file written by hand.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "example_results.h"

#include <glib.h>
#include <sqlite3.h>

#include "schema_sql.h"

static const char runs[]
  = "INSERT INTO runs (run_id, run_key, scenario, scenario_text, scenario_sha256, trace_sha256, variant, scheduler,"
    " settings, seed, version, backend, record, warmup_ns, arrivals, rate_per_s, offered_load, n_workers, n_slots,"
    " state, n_jobs, n_done, n_refused, end_ns) VALUES"
    " (1, 'k1', 'by_hand', '', 'feedbeef00000000', '', 'compass[adjust=off]', 'compass', '', '7', '0', 'model',"
    "  'tasks', 0, 'uniform', 1, 0.5, 3, 3, 'complete', 4, 3, 1, 3.3e9),"
    " (2, 'k2', 'by_hand', '', 'feedbeef00000000', '', 'hash', 'hash', '', '7', '0', 'model',"
    "  'summary', 0, 'uniform', 1, 0.5, 3, 3, 'complete', 4, 3, 1, 4e9);"
    "INSERT INTO workers (run_id, worker, gpu_type, server, device, slots, memory_bytes) VALUES"
    " (1, 0, 0, 0, 0, 1, 100), (1, 1, 0, 1, 0, 1, 100), (1, 2, 0, 2, 0, 1, 100);"
    "INSERT INTO models VALUES (1, 0, 'A', 60, 'burn', '1'), (1, 1, 'B,\"x\"', 50, 'burn', '2');"
    "INSERT INTO workflows (run_id, workflow, name, n_tasks, lower_bound_ns) VALUES"
    " (1, 0, 'diamond', 4, 220e6), (1, 1, 'pair', 2, 140e6);"
    "INSERT INTO workflow_tasks VALUES"
    " (1, 0, 0, 'a', 0, 1, 2, 100e6, 100e6), (1, 0, 1, 'b', 0, 1, 2, 125e6, 125e6),"
    " (1, 0, 2, 'c', 1, 1, 2, 50e6, 50e6),"
    " (1, 0, 3, 'd', NULL, 1, 2, 10e6, 10e6), (1, 1, 0, 'x', NULL, 1, 2, 100e6, 100e6),"
    " (1, 1, 1, 'y', NULL, 1, 2, 40e6, 40e6);"
    "INSERT INTO workflow_edges VALUES (1, 0, 1, 0), (1, 0, 2, 0), (1, 0, 3, 1), (1, 0, 3, 2), (1, 1, 1, 0);";

static const char jobs[]
  = "INSERT INTO jobs VALUES"
    " (1, 0, 0, 1, 1000e6, 1010e6, 1330e6, 220e6, 1500e6, 'done', NULL, 4),"
    " (1, 1, 1, 0, 1500e6, 1500e6, 1500e6, 140e6, NULL, 'refused', 'no GPU fits', 0),"
    " (1, 2, 1, 0, 2000e6, 2000e6, 2200e6, 140e6, NULL, 'done', NULL, 2),"
    " (1, 3, 1, 0, 3000e6, 3000e6, 3230e6, 140e6, NULL, 'done', NULL, 2);"
    "INSERT INTO tasks (run_id, job_id, task, attempt, execution_id, state, worker, planned_worker, access, placed_ns,"
    " enqueue_ns, start_ns, evict_ns, fetch_ns, exec_ns, end_ns, estimate_ns, factor, moved_bytes, fetch_bytes,"
    " evict_bytes) VALUES"
    " (1, 0, 0, 0, 0, 'done', 0, 0, 'miss', 1010e6, 1020e6, 1050e6, 5e6, 20e6, 1075e6, 1175e6, 100e6, 1, 1, 60, 50),"
    " (1, 0, 1, 0, 1, 'done', 0, 0, 'hit', 1010e6, 1175e6, 1175e6, 0, 0, 1175e6, 1300e6, 125e6, 1, 0, 0, 0),"
    " (1, 0, 2, 0, 2, 'done', 2, 1, 'miss', 1175e6, 1200e6, 1210e6, 0, 30e6, 1240e6, 1290e6, 50e6, 1, 2, 50, 0),"
    " (1, 0, 3, 0, 3, 'done', 0, 0, 'none', 1010e6, 1320e6, 1320e6, 0, 0, 1320e6, 1330e6, 10e6, 1, 2, 0, 0),"
    " (1, 1, 0, 0, 9, 'cancelled', NULL, NULL, 'none', NULL, NULL, NULL, 0, 0, NULL, NULL, 0, 1, 0, 0, 0),"
    " (1, 1, 1, 0, 9, 'cancelled', NULL, NULL, 'none', NULL, NULL, NULL, 0, 0, NULL, NULL, 0, 1, 0, 0, 0),"
    " (1, 2, 0, 0, 9, 'done', 0, 0, 'none', 2000e6, 2000e6, 2000e6, 0, 0, 2000e6, 2100e6, 100e6, 1, 0, 0, 0),"
    " (1, 2, 1, 0, 9, 'done', 1, 1, 'none', 2150e6, 2160e6, 2160e6, 0, 0, 2160e6, 2200e6, 40e6, 1, 2, 0, 0),"
    " (1, 3, 0, 0, 9, 'done', 0, 0, 'none', 3000e6, 3000e6, 3000e6, 0, 0, 3000e6, 3100e6, 100e6, 1, 0, 0, 0),"
    " (1, 3, 1, 0, 9, 'done', 1, 1, 'none', 3180e6, 3190e6, 3190e6, 0, 0, 3190e6, 3230e6, 40e6, 1, 2, 0, 0);";

static const char events[]
  = "INSERT INTO decisions (run_id, job_id, task, decision, kind, observer, from_worker, worker, asked_ns, seen_ns,"
    " effect_ns, seen_wait_ns, true_wait_ns, row_age_ns, seen_cached, true_cached) VALUES"
    " (1, 0, 0, 0, 'plan', 1, NULL, 0, 1010e6, 1010e6, 1010e6, 12e6, 40e6, 10e6, 1, 0),"
    " (1, 0, 1, 1, 'plan', 1, NULL, 0, 1010e6, 1010e6, 1010e6, 12e6, 40e6, 10e6, 1, 0),"
    " (1, 0, 2, 2, 'plan', 1, NULL, 1, 1010e6, 1010e6, 1010e6, 0, 0, 0, 0, 0),"
    " (1, 0, 3, 3, 'plan', 1, NULL, 0, 1010e6, 1010e6, 1010e6, 12e6, 40e6, 10e6, NULL, NULL),"
    " (1, 0, 2, 4, 'place', 0, 1, 2, 1175e6, 1175e6, 1175e6, 3e6, 8e6, 10e6, 0, 0),"
    " (1, 2, 0, 5, 'plan', NULL, NULL, 0, 2000e6, 2000e6, 2000e6, NULL, NULL, NULL, NULL, NULL),"
    " (1, 2, 1, 6, 'place', NULL, NULL, 1, 2100e6, 2100e6, 2150e6, NULL, NULL, NULL, NULL, NULL),"
    " (1, 3, 0, 7, 'plan', 0, NULL, 0, 3000e6, 3000e6, 3000e6, NULL, NULL, NULL, NULL, NULL),"
    " (1, 3, 1, 8, 'pull', 1, NULL, 1, 3180e6, 3180e6, 3180e6, NULL, NULL, NULL, NULL, NULL);"
    "INSERT INTO transfers VALUES"
    " (1, 0, 0, -1, 0, NULL, 0, 1, 1010e6, 1020e6, 0),"
    " (1, 0, 2, 0, 1, 0, 1, 2, 1175e6, 1180e6, 1),"
    " (1, 0, 2, 0, 2, 0, 2, 2, 1175e6, 1200e6, 0),"
    " (1, 0, 3, 2, 3, 2, 0, 2, 1290e6, 1320e6, 0),"
    " (1, 2, 1, 0, 4, 0, 1, 2, 2150e6, 2160e6, 0),"
    " (1, 3, 1, 0, 5, 0, 1, 2, 3180e6, 3190e6, 0);"
    "INSERT INTO cache_events VALUES"
    " (1, 0, 0, 'preload', 1, 0, 0, 50, 50, 0, NULL, NULL, NULL),"
    " (1, 0, 1, 'evict', 1, 1050e6, 1055e6, 50, 0, 0, 0, 0, 1050e6),"
    " (1, 0, 2, 'load', 0, 1055e6, 1075e6, 60, 60, 0, 0, 0, NULL),"
    " (1, 2, 0, 'load', 1, 1210e6, 1240e6, 50, 50, 0, 0, 2, NULL);";

static const char summaries[]
  = "INSERT INTO workflows (run_id, workflow, name, n_tasks, lower_bound_ns) VALUES"
    " (2, 0, 'diamond', 4, 220e6), (2, 1, 'pair', 2, 140e6);"
    "INSERT INTO metrics VALUES"
    " (1, 'slowdown_mean', '', 1.5, '1'), (1, 'slowdown_p50', '', 1.5, '1'), (1, 'slowdown_p99', '', 1.7, '1'),"
    " (1, 'slowdown_mean', 'pair', 1.5, '1'), (1, 'slowdown_p50', 'pair', 1.4, '1'),"
    " (1, 'slowdown_p99', 'pair', 1.7, '1'), (1, 'hit_rate', '', 0.25, '1'), (1, 'executing', '', 0.5, '1'),"
    " (1, 'loading', '', 0.1, '1'), (1, 'evicting', '', 0.05, '1'), (1, 'idle', '', 0.35, '1'),"
    " (2, 'executing', '', 0.5, '1'), (2, 'loading', '', 0.2, '1'), (2, 'evicting', '', 0, '1'),"
    " (2, 'idle', '', 0.3, '1');"
    "INSERT INTO backlog (run_id, bin, start_ns, width_ns, mean_jobs, arrivals) VALUES"
    " (1, 0, 0, 2e9, 0.25, 2), (1, 1, 2e9, 2e9, 0.5, 2), (2, 0, 0, 2e9, 1.5, 2), (2, 1, 2e9, 2e9, 3, 2);"
    "INSERT INTO histograms (run_id, metric, workflow, low, high, n) VALUES"
    " (1, 'latency_ns', 1, 200e6, 200e6, 1), (1, 'latency_ns', 1, 230e6, 230e6, 1),"
    " (1, 'latency_ns', 0, 330e6, 330e6, 1), (2, 'latency_ns', 1, 400e6, 401e6, 2);";

void
example_results_write (const char *path)
{
  const char *const parts[] = { bn_schema_sql, runs, jobs, events, summaries };
  sqlite3 *db;
  char *message = NULL;

  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      sqlite3_exec (db, parts[i], NULL, NULL, &message);
      g_assert_cmpstr (message, ==, NULL);
    }
  sqlite3_close (db);
}
