/* test_results.c: the results file: what is in it, and how it fails.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>
#include <glib/gstdio.h>

#include "played_results.h"
#include "played_run.h"
#include "reader.h"
#include "suite.h"

static guint
count_files (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

static BnResults *
in_memory (BnRecord record)
{
  BnResults *results = bn_results_create (":memory:", FALSE, NULL);
  BnRunInfo info = played_info (1, record);

  ck_assert_ptr_nonnull (results);
  play_into (results, &info);
  return results;
}

static void
expect_rows (sqlite3 *db, const char *table, int64_t n)
{
  char *sql = g_strdup_printf ("SELECT count (*) FROM %s", table);

  ck_assert_msg (query_int (db, sql) == n, "%s has %d rows, not %d", table, (int) query_int (db, sql), (int) n);
  g_free (sql);
}

static void
expect_text (sqlite3 *db, const char *sql, const char *expected)
{
  char *text = query_text (db, sql);

  ck_assert_msg (g_strcmp0 (text, expected) == 0, "%s: %s, not %s", sql, text, expected);
  g_free (text);
}

START_TEST (every_table_has_the_rows_of_the_record_level)
{
  static const struct
  {
    const char *table;
    int64_t rows[3];  /* summary, jobs, tasks */
  } tables[] = {
    { "runs", { 1, 1, 1 } },       { "parameters", { 4, 4, 4 } },     { "gpu_types", { 1, 1, 1 } },
    { "workers", { 2, 2, 2 } },    { "models", { 2, 2, 2 } },         { "workflows", { 2, 2, 2 } },
    { "workflow_tasks", { 3, 3, 3 } }, { "workflow_edges", { 1, 1, 1 } }, { "jobs", { 0, 4, 4 } },
    { "tasks", { 0, 0, 7 } },      { "decisions", { 0, 0, 6 } },      { "transfers", { 0, 0, 2 } },
    { "cache_events", { 0, 0, 4 } },
  };

  for (int record = BN_RECORD_SUMMARY; record <= BN_RECORD_TASKS; record++)
    {
      BnResults *results = in_memory ((BnRecord) record);
      for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
        expect_rows (bn_results_database (results), tables[i].table, tables[i].rows[record]);
      expect_rows (bn_results_database (results), "metrics", 53 + 2 * 21);
      ck_assert_int_gt (query_int (bn_results_database (results), "SELECT count (*) FROM backlog"), 500);
      ck_assert_int_eq (query_int (bn_results_database (results), "SELECT sum (n) FROM histograms"), 6);
      ck_assert (bn_results_close (results, NULL));
    }
}
END_TEST

START_TEST (columns_hold_what_their_names_say)
{
  BnResults *results = in_memory (BN_RECORD_TASKS);
  sqlite3 *db = bn_results_database (results);

  expect_text (db, "SELECT concat FROM (SELECT scenario||'|'||variant||'|'||scheduler||'|'||seed||'|'||version||'|'||"
                   "backend||'|'||record||'|'||arrivals||'|'||rate_per_s||'|'||offered_load||'|'||n_workers||'|'||"
                   "n_slots||'|'||state||'|'||label||'|'||end_ns||'|'||n_jobs||'|'||n_done||'|'||n_refused||'|'||"
                   "n_tasks_done||'|'||violations||'|'||wall_ns AS concat FROM runs)",
               "played|compass|compass|1|0.1|model|tasks|poisson|2.0|0.5|2|2|complete|UNKNOWN|62000000|4|3|1|5|0|"
               "12345");
  expect_text (db, "SELECT group_concat (source||'.'||name||'='||value) FROM parameters",
               "scenario.scenario.name=played,scenario.workload.rate=2/s,variant.queue=fifo,variant.threshold=1.5");
  expect_text (db, "SELECT name||'|'||server_group||'|'||n_workers||'|'||slots||'|'||memory_bytes||'|'||"
                   "speed_ppm||'|'||idle_watts||'|'||active_watts||'|'||price_per_hour FROM gpu_types",
               "T|all|2|1|8000000000|1000000|10.0|70.0|1.5");
  expect_text (db, "SELECT server||'|'||device||'|'||executing_ns||'|'||loading_ns||'|'||evicting_ns||'|'||"
                   "idle_ns||'|'||active_ns||'|'||tasks||'|'||loads||'|'||load_bytes||'|'||evictions||'|'"
                   "||evict_bytes||'|'||link_ns||'|'||energy_j FROM workers WHERE worker = 0",
               "0|0|40000000|10000000|1000000|11000000|40000000|3|2|10000000000|1|4000000000|11000000|3.02");
  expect_text (db, "SELECT workflow||'|'||ingress||'|'||create_ns||'|'||arrive_ns||'|'||end_ns||'|'||"
                   "lower_bound_ns||'|'||deadline_ns||'|'||state||'|'||tasks_done FROM jobs WHERE job_id = 2",
               "1|1|30000000|30000000|58000000|5000000|50000000|done|1");
  expect_text (db, "SELECT state||'|'||reason||'|'||(deadline_ns IS NULL) FROM jobs WHERE job_id = 3",
               "refused|model-exceeds-gpu|1");
  expect_text (db, "SELECT attempt||'|'||execution_id||'|'||state||'|'||worker||'|'||planned_worker||'|'||access||'|'"
                   "||placed_ns||'|'||enqueue_ns||'|'||start_ns||'|'||evict_ns||'|'||fetch_ns||'|'||exec_ns||'|'"
                   "||end_ns||'|'||estimate_ns||'|'||factor||'|'||moved_bytes||'|'||fetch_bytes||'|'||evict_bytes"
                   " FROM tasks WHERE job_id = 1 AND task = 1",
               "0|1048577|done|0|1|miss|35000000|35000000|35000000|1000000|6000000|42000000|62000000|20000000|1.0|0|"
               "6000000000|4000000000");
  expect_text (db, "SELECT state||'|'||(worker IS NULL)||(exec_ns IS NULL) FROM tasks WHERE job_id = 3 AND task = 0",
               "cancelled|11");
  expect_text (db, "SELECT kind||'|'||observer||'|'||from_worker||'|'||worker||'|'||asked_ns||'|'||effect_ns||'|'||"
                   "seen_wait_ns||'|'||row_age_ns||'|'||seen_cached FROM decisions WHERE job_id = 1 AND task = 1"
                   " ORDER BY decision DESC",
               "place|1|1|0|35000000|35000000|0|10000000|0");
  expect_text (db, "SELECT group_concat (pred||'|'||IFNULL (from_worker, 'client')||'|'||to_worker||'|'||bytes||'|'||"
                   "start_ns||'|'||end_ns||'|'||voided, ' ') FROM transfers",
               "0|0|1|100|25000000|27000000|0 -1|client|0|50|21000000|22000000|0");
  expect_text (db, "SELECT kind||'|'||model||'|'||start_ns||'|'||end_ns||'|'||bytes||'|'||resident_bytes||'|'"
                   "||prefetch||'|'||job_id||'|'||task||'|'||left_ns FROM cache_events"
                   " WHERE worker = 0 AND event = 1",
               "evict|0|35000000|36000000|4000000000|0|0|1|1|35000000");
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

START_TEST (views_show_the_run)
{
  BnResults *results = in_memory (BN_RECORD_TASKS);
  sqlite3 *db = bn_results_database (results);

  expect_rows (db, "v_latency", 3);
  expect_text (db, "SELECT latency_ns||'|'||in_time||'|'||counted FROM v_latency WHERE job_id = 2", "28000000|0|1");
  expect_rows (db, "v_latency_cdf", 3);
  expect_text (db, "SELECT max (fraction) FROM v_latency_cdf", "1.0");
  expect_text (db, "SELECT group_concat (workflow) FROM v_slowdown", ",pair,solo");
  expect_text (db, "SELECT p99 FROM v_slowdown WHERE workflow = 'solo'", "5.6");
  expect_text (db, "SELECT hit_rate FROM v_gpu_split", "0.25");
  ck_assert_int_eq (query_int (db, "SELECT executing + loading + evicting + idle = 1 FROM v_gpu_split"), 1);
  ck_assert_int_gt (query_int (db, "SELECT count (*) FROM v_backlog"), 500);
  expect_rows (db, "v_gantt", 9);
  expect_text (db, "SELECT group_concat (kind||model||((end_ns - start_ns) / 1000000), ' ') FROM"
                   " (SELECT * FROM v_gantt WHERE worker = 0 ORDER BY start_ns)",
               "loadA4 executeA10 executeA10 evictA1 loadB6 executeB20");
  expect_rows (db, "v_task_log", 5);
  expect_text (db, "SELECT workflow||'|'||task_id||'|'||task_model FROM v_task_log WHERE job_id = 2", "solo|s|none");
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

START_TEST (closing_leaves_one_file_that_is_sound)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL);
  BnResults *results = bn_results_create (path, FALSE, NULL);
  BnRunInfo one = played_info (1, BN_RECORD_TASKS), two = played_info (2, BN_RECORD_JOBS);
  sqlite3 *db;

  play_into (results, &one);
  play_into (results, &two);
  ck_assert (bn_results_close (results, NULL));
  ck_assert_uint_eq (count_files (folder), 1);
  ck_assert_int_eq (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  expect_text (db, "PRAGMA integrity_check", "ok");
  expect_text (db, "PRAGMA journal_mode", "delete");
  expect_rows (db, "runs", 2);
  sqlite3_close (db);
  g_free (path);
  remove_folder (folder);
}
END_TEST

/* Everything in the file that is not marked volatile, as one text. */
static char *
dump (const char *path)
{
  GString *text = g_string_new (NULL);
  sqlite3_stmt *tables, *rows;
  sqlite3 *db;

  ck_assert_int_eq (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", -1, &tables, NULL);
  while (sqlite3_step (tables) == SQLITE_ROW)
    {
      char *sql = g_strdup_printf ("SELECT * FROM %s", sqlite3_column_text (tables, 0));
      sqlite3_prepare_v2 (db, sql, -1, &rows, NULL);
      while (sqlite3_step (rows) == SQLITE_ROW)
        for (int c = 0; c < sqlite3_column_count (rows); c++)
          {
            const char *name = sqlite3_column_name (rows, c);
            if (strcmp (name, "host") != 0 && strcmp (name, "started_at") != 0 && strcmp (name, "wall_ns") != 0)
              g_string_append_printf (text, "%s=%s\n", name, sqlite3_column_text (rows, c));
          }
      sqlite3_finalize (rows);
      g_free (sql);
    }
  sqlite3_finalize (tables);
  sqlite3_close (db);
  return g_string_free (text, FALSE);
}

START_TEST (two_files_of_the_same_run_are_equal_but_for_volatile_columns)
{
  char *folder = make_folder (), *paths[2], *dumps[2];

  for (int i = 0; i < 2; i++)
    {
      BnRunInfo info = played_info (1, BN_RECORD_TASKS);
      BnResults *results;
      paths[i] = g_strdup_printf ("%s/%d.db", folder, i);
      results = bn_results_create (paths[i], FALSE, NULL);
      play_into (results, &info);
      ck_assert (bn_results_close (results, NULL));
      dumps[i] = dump (paths[i]);
    }
  ck_assert_uint_gt (strlen (dumps[0]), 10000);
  ck_assert_str_eq (dumps[0], dumps[1]);
  for (int i = 0; i < 2; i++)
    {
      g_free (paths[i]);
      g_free (dumps[i]);
    }
  remove_folder (folder);
}
END_TEST

START_TEST (volatile_columns_are_marked_in_the_schema)
{
  BnResults *results = in_memory (BN_RECORD_SUMMARY);
  char *schema = query_text (bn_results_database (results), "SELECT sql FROM sqlite_master WHERE name = 'runs'");
  char **lines = g_strsplit (schema, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    if (strstr (lines[i], "volatile") != NULL)
      {
        n++;
        ck_assert (strstr (lines[i], "host") != NULL || strstr (lines[i], "started_at") != NULL
                   || strstr (lines[i], "wall_ns") != NULL);
      }
  ck_assert_uint_eq (n, 3);
  g_strfreev (lines);
  g_free (schema);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

/* ---- files in the way ---- */

static void
expect_refusal (const char *path, gboolean replace, BnResultsError code, const char *words)
{
  GError *error = NULL;

  ck_assert_ptr_null (bn_results_create (path, replace, &error));
  ck_assert_msg (g_error_matches (error, BN_RESULTS_ERROR, code), "%s", error->message);
  ck_assert_msg (g_str_has_prefix (error->message, path), "%s", error->message);
  ck_assert_msg (strstr (error->message, words) != NULL, "%s", error->message);
  ck_assert_ptr_null (strchr (error->message, '\n'));
  g_error_free (error);
}

START_TEST (an_existing_file_is_kept_unless_it_is_to_be_replaced)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL), *text;
  BnRunInfo info = played_info (1, BN_RECORD_JOBS);
  BnResults *results = bn_results_create (path, FALSE, NULL);

  play_into (results, &info);
  ck_assert (bn_results_close (results, NULL));
  ck_assert (bn_reader_is_database (path));
  ck_assert (bn_reader_is_results_file (path));
  expect_refusal (path, FALSE, BN_RESULTS_ERROR_EXISTS, "exists already; name another file, or give --replace");
  results = bn_results_create (path, TRUE, NULL);
  ck_assert_ptr_nonnull (results);
  expect_rows (bn_results_database (results), "runs", 0);
  play_into (results, &info);
  ck_assert (bn_results_close (results, NULL));
  ck_assert_uint_eq (count_files (folder), 1);

  ck_assert (g_file_set_contents (path, "a letter", -1, NULL));
  ck_assert (!bn_reader_is_database (path));
  ck_assert (!bn_reader_is_results_file (folder));
  expect_refusal (path, TRUE, BN_RESULTS_ERROR_FOREIGN, "not a results file");
  ck_assert (g_file_get_contents (path, &text, NULL, NULL));
  ck_assert_str_eq (text, "a letter");
  g_free (text);
  expect_refusal (folder, TRUE, BN_RESULTS_ERROR_FOREIGN, "not a results file");
  g_free (path);
  remove_folder (folder);
}
END_TEST

START_TEST (a_stale_log_beside_a_replaced_file_is_not_read_into_the_new_one)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL);
  BnRunInfo info = played_info (1, BN_RECORD_TASKS);
  BnResults *results;
  sqlite3 *db;
  pid_t child = fork ();

  if (child == 0)
    {
      results = bn_results_create (path, FALSE, NULL);
      play_into (results, &info);
      _exit (0);
    }
  waitpid (child, NULL, 0);
  ck_assert_uint_ge (count_files (folder), 2);
  results = bn_results_create (path, TRUE, NULL);
  ck_assert_ptr_nonnull (results);
  ck_assert (bn_results_close (results, NULL));
  ck_assert_int_eq (sqlite3_open (path, &db), SQLITE_OK);
  expect_rows (db, "runs", 0);
  expect_text (db, "PRAGMA integrity_check", "ok");
  sqlite3_close (db);
  g_free (path);
  remove_folder (folder);
}
END_TEST

START_TEST (nothing_is_left_where_a_file_cannot_be_made)
{
  char *folder = make_folder (), *file = g_build_filename (folder, "file", NULL);
  char *below = g_build_filename (file, "r.db", NULL), *nowhere = g_build_filename (folder, "no", "r.db", NULL);

  ck_assert (g_file_set_contents (file, "x", -1, NULL));
  expect_refusal (below, FALSE, BN_RESULTS_ERROR_WRITE, "cannot write results");
  expect_refusal (nowhere, FALSE, BN_RESULTS_ERROR_WRITE, "No such file");
  ck_assert_uint_eq (count_files (folder), 1);
  g_free (file);
  g_free (below);
  g_free (nowhere);
  remove_folder (folder);
}
END_TEST

/* ---- failures while writing ---- */

static void
limit_files (rlim_t bytes)
{
  struct rlimit limit = { bytes, RLIM_INFINITY };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &limit);
}

START_TEST (no_room_for_the_schema_leaves_nothing)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL);

  limit_files (8192);
  expect_refusal (path, FALSE, BN_RESULTS_ERROR_WRITE, "cannot write results");
  limit_files (RLIM_INFINITY);
  ck_assert_uint_eq (count_files (folder), 0);
  g_free (path);
  remove_folder (folder);
}
END_TEST

static void
count_call (void *data)
{
  ++*(int *) data;
}

/* Runs until something fails; the runs before it are complete. */
static int64_t
fill_the_disk (BnResults *results, BnMetrics *metrics, int64_t first_run, int64_t n_runs)
{
  BnRunTotals totals = { .status = BN_RUN_INTERRUPTED, .end_ns = PLAYED_END_MS * BN_NS_PER_MS };
  BnRunEnd end = { .totals = &totals, .metrics = metrics };

  for (int64_t run = first_run; run < first_run + n_runs; run++)
    {
      BnRunInfo info = played_info (run, BN_RECORD_TASKS);
      const BnProbe *writer = bn_results_begin_run (results, &info, NULL);

      if (writer == NULL)
        return run;
      play_run (writer, 1);
      if (!bn_results_end_run (results, &end, NULL))
        return run;
    }
  return -1;
}

static void
run_out_of_room (int64_t runs_before, gboolean kept)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL);
  BnMetricsConfig config = { &played_platform, &played_catalogue, 0, 0, FALSE, FALSE };
  BnMetrics *metrics = bn_metrics_new (&config);
  BnResults *results = bn_results_create (path, FALSE, NULL);
  GError *error = NULL;
  int calls = 0;

  play_run (bn_metrics_probe (metrics), 1);
  ck_assert_int_eq (fill_the_disk (results, metrics, 1, runs_before), -1);
  bn_results_on_failure (results, count_call, &calls);
  limit_files (40960);
  ck_assert_int_ge (fill_the_disk (results, metrics, runs_before + 1, 2000), 0);
  limit_files (RLIM_INFINITY);
  ck_assert (bn_results_failed (results));
  ck_assert_int_eq (calls, 1);
  ck_assert (!bn_results_close (results, &error));
  ck_assert_msg (strstr (error->message, "cannot write results") != NULL, "%s", error->message);
  ck_assert_ptr_null (strchr (error->message, '\n'));
  g_error_free (error);
  ck_assert_uint_eq (count_files (folder), kept ? 1 : 0);
  if (kept)
    {
      sqlite3 *db;
      ck_assert_int_eq (sqlite3_open (path, &db), SQLITE_OK);
      expect_text (db, "PRAGMA integrity_check", "ok");
      ck_assert_int_ge (query_int (db, "SELECT count (*) FROM runs WHERE state = 'interrupted'"), runs_before);
      sqlite3_close (db);
    }
  bn_metrics_free (metrics);
  g_free (path);
  remove_folder (folder);
}

START_TEST (a_full_disk_in_the_first_run_is_one_error_and_leaves_no_file)
{
  run_out_of_room (0, FALSE);
}
END_TEST

START_TEST (a_full_disk_later_keeps_the_runs_that_were_complete)
{
  run_out_of_room (3, TRUE);
}
END_TEST

START_TEST (a_killed_program_leaves_a_sound_file_that_says_running)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL);
  sqlite3 *db;
  pid_t child = fork ();

  if (child == 0)
    {
      BnResults *results = bn_results_create (path, FALSE, NULL);
      BnRunInfo one = played_info (1, BN_RECORD_TASKS), two = played_info (2, BN_RECORD_TASKS);

      play_into (results, &one);
      play_run (bn_results_begin_run (results, &two, NULL), 1);
      kill (getpid (), SIGKILL);
    }
  waitpid (child, NULL, 0);
  ck_assert_int_eq (sqlite3_open (path, &db), SQLITE_OK);
  expect_text (db, "PRAGMA integrity_check", "ok");
  expect_text (db, "SELECT group_concat (state) FROM runs", "complete,running");
  expect_text (db, "SELECT count (*) FROM tasks WHERE run_id = 1", "7");
  sqlite3_close (db);
  g_free (path);
  remove_folder (folder);
}
END_TEST

START_TEST (abandoning_removes_a_file_without_a_complete_run_only)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL);
  BnRunInfo info = played_info (1, BN_RECORD_JOBS);
  BnResults *results = bn_results_create (path, FALSE, NULL);

  ck_assert_ptr_nonnull (bn_results_begin_run (results, &info, NULL));
  bn_results_abandon (results);
  ck_assert_uint_eq (count_files (folder), 0);
  results = bn_results_create (path, FALSE, NULL);
  play_into (results, &info);
  bn_results_abandon (results);
  ck_assert_uint_eq (count_files (folder), 1);
  g_free (path);
  remove_folder (folder);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("results");
  TCase *tc = tcase_create ("results");

  tcase_add_test (tc, every_table_has_the_rows_of_the_record_level);
  tcase_add_test (tc, columns_hold_what_their_names_say);
  tcase_add_test (tc, views_show_the_run);
  tcase_add_test (tc, closing_leaves_one_file_that_is_sound);
  tcase_add_test (tc, two_files_of_the_same_run_are_equal_but_for_volatile_columns);
  tcase_add_test (tc, volatile_columns_are_marked_in_the_schema);
  tcase_add_test (tc, an_existing_file_is_kept_unless_it_is_to_be_replaced);
  tcase_add_test (tc, a_stale_log_beside_a_replaced_file_is_not_read_into_the_new_one);
  tcase_add_test (tc, nothing_is_left_where_a_file_cannot_be_made);
  tcase_add_test (tc, no_room_for_the_schema_leaves_nothing);
  tcase_add_test (tc, a_full_disk_in_the_first_run_is_one_error_and_leaves_no_file);
  tcase_add_test (tc, a_full_disk_later_keeps_the_runs_that_were_complete);
  tcase_add_test (tc, a_killed_program_leaves_a_sound_file_that_says_running);
  tcase_add_test (tc, abandoning_removes_a_file_without_a_complete_run_only);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
