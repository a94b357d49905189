/* test_report.c: tables look as they should, in text, CSV and JSON.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "comparison.h"
#include "comparison_notes.h"
#include "difference.h"
#include "played_results.h"
#include "report.h"
#include "suite.h"

static const BnColumn columns[] = {
  { "variant", "scheduler", "", 0 },
  { "jobs", "jobs", "", 0 },
  { "latency_mean", "latency mean", "ms", 2 },
  { "throughput", "rate", "jobs/s", 1 },
  { "hit_rate", "hits", "%", 1 },
  { "label", "state", "", 0 },
};

static BnTable *
example (void)
{
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));

  bn_table_text (table, "compass");
  bn_table_integer (table, 1000);
  bn_table_real (table, 1365.125);
  bn_table_real (table, 2);
  bn_table_real (table, 99.05);
  bn_table_text (table, "STABLE");
  bn_table_text (table, "a, \"b\"");
  bn_table_integer (table, -7);
  bn_table_real (table, 0.1);
  bn_table_missing (table);
  bn_table_real (table, NAN);
  bn_table_text (table, "OVERLOADED");
  return table;
}

/* What is printed of `table`, which is freed. */
static char *
printed (BnTable *table, BnCliFormat format)
{
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream (&text, &length);

  ck_assert (bn_table_print (table, format, file, NULL));
  fclose (file);
  bn_table_free (table);
  return text;
}

static void
expect (BnTable *table, BnCliFormat format, const char *expected)
{
  char *text = printed (table, format);

  ck_assert_str_eq (text, expected);
  free (text);
}

START_TEST (text_is_aligned_with_units_below_the_titles)
{
  expect (example (), BN_FORMAT_TEXT,
          "scheduler  jobs  latency mean    rate  hits  state\n"
          "                           ms  jobs/s     %\n"
          "compass    1000       1365.12     2.0  99.0  STABLE\n"
          "a, \"b\"       -7          0.10       -     -  OVERLOADED\n");
}
END_TEST

START_TEST (csv_has_units_in_its_header_and_every_digit)
{
  expect (example (), BN_FORMAT_CSV,
          "variant,jobs,latency_mean_ms,throughput_jobs_per_s,hit_rate_pct,label\n"
          "compass,1000,1365.125,2,99.05,STABLE\n"
          "\"a, \"\"b\"\"\",-7,0.1,,,OVERLOADED\n");
}
END_TEST

START_TEST (json_is_an_array_of_objects_with_null_for_missing)
{
  expect (example (), BN_FORMAT_JSON,
          "[\n"
          "  {\"variant\": \"compass\", \"jobs\": 1000, \"latency_mean_ms\": 1365.125, \"throughput_jobs_per_s\": 2,"
          " \"hit_rate_pct\": 99.05, \"label\": \"STABLE\"},\n"
          "  {\"variant\": \"a, \\\"b\\\"\", \"jobs\": -7, \"latency_mean_ms\": 0.1, \"throughput_jobs_per_s\": null,"
          " \"hit_rate_pct\": null, \"label\": \"OVERLOADED\"}\n"
          "]\n");
}
END_TEST

START_TEST (a_table_without_rows_is_still_a_table)
{
  expect (bn_table_new (columns, 2), BN_FORMAT_TEXT, "scheduler  jobs\n");
  expect (bn_table_new (columns, 2), BN_FORMAT_CSV, "variant,jobs\n");
  expect (bn_table_new (columns, 2), BN_FORMAT_JSON, "[]\n");
}
END_TEST

START_TEST (wide_letters_and_control_characters_keep_the_columns_straight)
{
  static const BnColumn two[] = { { "a", "a", "", 0 }, { "b", "b", "", 0 } };
  BnTable *table = bn_table_new (two, 2);

  bn_table_text (table, "\xe8\x88\xb9");
  bn_table_text (table, "x");
  bn_table_text (table, "n\xc3\xa9" "e\nz");
  bn_table_text (table, "y");
  expect (table, BN_FORMAT_TEXT, "a      b\n\xe8\x88\xb9     x\nn\xc3\xa9" "e?z  y\n");
}
END_TEST

START_TEST (numbers_do_not_depend_on_size)
{
  static const BnColumn one[] = { { "x", "x", "", 3 } };
  BnTable *table = bn_table_new (one, 1);

  bn_table_real (table, 1e300);
  bn_table_real (table, 5e-324);
  bn_table_real (table, 1.0 / 3);
  bn_table_real (table, -0.0005);
  bn_table_integer (table, INT64_MIN);
  bn_table_real (table, INFINITY);
  expect (table, BN_FORMAT_CSV, "x\n1e+300\n4.94065645841247e-324\n0.333333333333333"
                                "3\n-0.0005\n-9223372036854775808\n\n");
}
END_TEST

START_TEST (a_full_disk_is_an_error)
{
  FILE *full = fopen ("/dev/full", "w");
  GError *error = NULL;
  BnTable *table = example ();

  if (full == NULL)
    {
      bn_table_free (table);
      return;
    }
  ck_assert (!bn_table_print (table, BN_FORMAT_TEXT, full, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "cannot write the table"));
  g_error_free (error);
  fclose (full);
  bn_table_free (table);
}
END_TEST

/* ---- the comparison ---- */

static BnResults *
four_runs (void)
{
  BnResults *results = bn_results_create (":memory:", FALSE, NULL);

  for (int64_t run = 1; run <= 4; run++)
    {
      BnRunInfo info = played_info (run, BN_RECORD_SUMMARY);
      play_into (results, &info);
    }
  return results;
}

START_TEST (comparison_has_a_row_for_each_run)
{
  BnResults *results = four_runs ();
  char *text = printed (bn_comparison_table (bn_results_database (results), FALSE, NULL, NULL), BN_FORMAT_CSV);
  char **lines = g_strsplit (text, "\n", -1);

  ck_assert_str_eq (lines[0], "variant,seed,done_jobs,latency_mean_ms,latency_p50_ms,latency_p95_ms,latency_p99_ms,"
                              "slowdown_mean,slowdown_p99,gap,hit_rate_pct,executing_pct,loading_pct,evictions,"
                              "used_workers,energy_J_per_job,label,note");
  ck_assert_uint_eq (g_strv_length (lines), 6);
  ck_assert (g_str_has_prefix (lines[1], "compass,1,3,37.66666"));
  ck_assert (g_str_has_prefix (lines[2], "hash[random],2,3,37.66666"));
  ck_assert (g_str_has_suffix (lines[1], ",25,52.41935483870967,12.903225806451612,1,2,1.7133333333333336,UNKNOWN,"));
  g_strfreev (lines);
  free (text);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

/* Field `key` of row `row`, from 1, of a CSV without quotes. Returns: (transfer full). */
static char *
field (const char *csv, guint row, const char *key)
{
  char **lines = g_strsplit (csv, "\n", -1), **keys = g_strsplit (lines[0], ",", -1);
  ck_assert_uint_lt (row, g_strv_length (lines));
  char **values = g_strsplit (lines[row], ",", -1);
  guint column = 0;

  while (keys[column] != NULL && strcmp (keys[column], key) != 0)
    column++;
  ck_assert_msg (keys[column] != NULL, "no column %s", key);
  char *value = g_strdup (values[column]);
  g_strfreev (lines);
  g_strfreev (keys);
  g_strfreev (values);
  return value;
}

static guint
n_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* A field is this text; or, where `value` is not NAN, close to it. */
static void
assert_field (const char *csv, guint row, const char *key, const char *text, double value)
{
  char *found = field (csv, row, key);

  if (isnan (value))
    ck_assert_msg (strcmp (found, text) == 0, "%s of row %u is %s", key, row, found);
  else
    ck_assert_msg (fabs (g_ascii_strtod (found, NULL) - value) <= 1e-6 * fabs (value), "%s of row %u is %s", key, row,
                   found);
  g_free (found);
}

/* The half-width of two values d apart is this times d / 2. */
#define T_1 12.7062047362

START_TEST (means_over_seeds_come_with_their_interval_and_the_commonest_label)
{
  BnResults *results = four_runs ();
  sqlite3 *db = bn_results_database (results);

  sqlite3_exec (db, "UPDATE metrics SET value = CASE run_id WHEN 1 THEN 10 ELSE 14 END WHERE name = 'latency_mean'"
                    " AND scope = '' AND run_id IN (1, 3); UPDATE runs SET label = 'STABLE' WHERE run_id = 1;"
                    "UPDATE runs SET label = 'BACKLOGGED' WHERE run_id = 3;"
                    "UPDATE runs SET state = 'stuck' WHERE run_id = 2;"
                    "UPDATE runs SET state = 'running' WHERE run_id = 4", NULL, NULL, NULL);
  char *text = printed (bn_comparison_table (db, TRUE, NULL, NULL), BN_FORMAT_CSV);
  assert_field (text, 1, "variant", "compass", NAN);
  assert_field (text, 1, "seeds", "2", NAN);
  assert_field (text, 1, "done_jobs", "3", NAN);
  assert_field (text, 1, "latency_mean_ms", "12", NAN);
  assert_field (text, 1, "latency_mean_95_ms", NULL, T_1 * 2);
  assert_field (text, 1, "latency_p99_95_ms", "0", NAN);
  assert_field (text, 1, "label", "BACKLOGGED 1 of 2", NAN);
  assert_field (text, 2, "variant", "hash[random]", NAN);
  assert_field (text, 2, "seeds", "1", NAN);
  assert_field (text, 2, "latency_mean_95_ms", "", NAN);
  assert_field (text, 2, "label", "stuck", NAN);
  ck_assert_uint_eq (n_lines (text), 3);
  free (text);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

START_TEST (what_no_scheduler_can_better_stands_below_with_the_gap_to_it)
{
  BnResults *results = four_runs ();
  sqlite3 *db = bn_results_database (results);

  /* slowdowns of compass 3 and 5 over bounds of 1 and 3 with seeds 1 and 3: 4 / 2, rests 1 and -1 */
  sqlite3_exec (db, "UPDATE metrics SET value = CASE run_id WHEN 1 THEN 3 ELSE 5 END WHERE name = 'slowdown_mean'"
                    " AND scope = '' AND run_id IN (1, 3); UPDATE runs SET seed = '1' WHERE run_id = 2;"
                    "UPDATE runs SET bound_jobs = 3, bound_latency_ns = 7500000, bound_slowdown = 1"
                    " WHERE run_id IN (1, 2);"
                    "UPDATE runs SET bound_jobs = 3, bound_latency_ns = 12500000, bound_slowdown = 3"
                    " WHERE run_id = 3; DELETE FROM runs WHERE run_id = 4; DELETE FROM metrics WHERE run_id = 4",
                NULL, NULL, NULL);
  char *text = printed (bn_comparison_table (db, FALSE, NULL, NULL), BN_FORMAT_CSV);
  char **lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 7);
  ck_assert_msg (strstr (lines[3], ",5,") && strstr (lines[3], ",1.6666666666666667,"), "%s", lines[3]);
  ck_assert_str_eq (lines[4], "bound,1,,7.5,,,,1,,,,,,,,,,");
  ck_assert_str_eq (lines[5], "bound,3,,12.5,,,,3,,,,,,,,,,");
  g_strfreev (lines);
  free (text);
  text = printed (bn_comparison_table (db, TRUE, NULL, NULL), BN_FORMAT_CSV);
  assert_field (text, 1, "slowdown_mean", "4", NAN);
  assert_field (text, 1, "gap", "2", NAN);
  assert_field (text, 1, "gap_95", NULL, T_1 / 2);
  assert_field (text, 3, "variant", "bound", NAN);
  assert_field (text, 3, "seeds", "2", NAN);
  assert_field (text, 3, "latency_mean_ms", "10", NAN);
  assert_field (text, 3, "latency_mean_95_ms", NULL, T_1 * 2.5);
  assert_field (text, 3, "slowdown_mean", "2", NAN);
  assert_field (text, 3, "latency_p99_ms", "", NAN);
  free (text);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

/* compass 10 and 20 with seeds 1 and 2, hash 5 and 11: 16 / 30, rests -1/3 and 1/3 */
static sqlite3 *
make_pairs (BnResults *results)
{
  sqlite3 *db = bn_results_database (results);

  sqlite3_exec (db, "UPDATE runs SET seed = (run_id + 1) / 2, label = 'STABLE';"
                    "UPDATE metrics SET value = CASE run_id WHEN 1 THEN 10 WHEN 2 THEN 5 WHEN 3 THEN 20 ELSE 11 END"
                    " WHERE name = 'latency_mean' AND scope = ''", NULL, NULL, NULL);
  return db;
}

START_TEST (differences_are_those_of_pairs)
{
  BnResults *results = four_runs ();
  sqlite3 *db = make_pairs (results);
  GError *error = NULL;

  char *text = printed (bn_comparison_table (db, TRUE, NULL, NULL), BN_FORMAT_CSV);
  assert_field (text, 1, "latency_mean_vs_base_pct", "", NAN);
  assert_field (text, 2, "variant", "hash[random]", NAN);
  assert_field (text, 2, "latency_mean_vs_base_pct", NULL, 100 * (16.0 / 30 - 1));
  assert_field (text, 2, "latency_mean_vs_base_95_pct", NULL, 100 * T_1 / 3 / 15);
  free (text);
  text = printed (bn_comparison_table (db, TRUE, "hash[random]", NULL), BN_FORMAT_CSV);
  assert_field (text, 1, "base", "hash[random]", NAN);
  assert_field (text, 1, "latency_mean_vs_base_pct", NULL, 100 * (30.0 / 16 - 1));
  assert_field (text, 2, "latency_mean_vs_base_pct", "", NAN);
  free (text);
  ck_assert_ptr_null (bn_comparison_table (db, TRUE, "jit", &error));
  ck_assert_str_eq (error->message, "--base jit: no such run; there are compass, hash[random]");
  g_error_free (error);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

START_TEST (lines_say_who_is_below_whom_and_what_is_not_significant)
{
  BnResults *results = four_runs ();
  sqlite3 *db = make_pairs (results);
  GString *lines = g_string_new (NULL);

  BnCompared *compared = bn_compared_read (db, TRUE, NULL);
  bn_difference_lines (compared, 0, 4, "compass", lines);
  ck_assert_str_eq (lines->str,
                    "Against compass, on the same jobs (n.s.: not significant, the interval holds 0):\n"
                    "  hash[random]  latency 46.7 % ± 28.2 % below, p99 0.0 % ± 0.0 % above (n.s.), slowdown 0.0 % ± "
                    "0.0 % above (n.s.)\n");
  bn_compared_free (compared);
  /* of seed 2 alone, and one of two runs is no longer stable */
  sqlite3_exec (db, "UPDATE runs SET seed = '7' WHERE run_id = 2; UPDATE runs SET label = 'OVERLOADED'"
                    " WHERE run_id = 4", NULL, NULL, NULL);
  g_string_truncate (lines, 0);
  compared = bn_compared_read (db, TRUE, NULL);
  bn_difference_lines (compared, 0, 4, "compass", lines);
  ck_assert_ptr_nonnull (strstr (lines->str, "  hash[random]  latency 45.0 % below, "));
  ck_assert_ptr_nonnull (strstr (lines->str, " [OVERLOADED 1 of 2]\n"));
  /* nobody to differ from */
  g_string_truncate (lines, 0);
  bn_difference_lines (compared, 0, 2, "hash[random]", lines);
  ck_assert_str_eq (lines->str, "");
  bn_compared_free (compared);
  g_string_free (lines, TRUE);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

/* What stands below a table, after `sql` has changed four runs of 3 jobs each. */
static char *
notes_after (const char *sql)
{
  BnResults *results = four_runs ();
  sqlite3 *db = bn_results_database (results);
  GString *text = g_string_new (NULL);

  ck_assert_int_eq (sqlite3_exec (db, sql, NULL, NULL, NULL), SQLITE_OK);
  BnCompared *compared = bn_compared_read (db, TRUE, NULL);
  ck_assert (bn_comparison_notes (compared, db, text, NULL));
  bn_compared_free (compared);
  ck_assert (bn_results_close (results, NULL));
  return g_string_free (text, FALSE);
}

static void
assert_note (const char *sql, const char *expected)
{
  char *notes = notes_after (sql);

  ck_assert_msg (*expected != '\0' ? strstr (notes, expected) != NULL : *notes == '\0', "%s", notes);
  g_free (notes);
}

/* Windows of 1 s each up to the last arrival: 20 of ten jobs, then a level of about one. */
#define BEGINNING \
  "UPDATE runs SET last_arrival_ns = 200000000000, offered_load = NULL; DELETE FROM backlog;" \
  "WITH RECURSIVE bins (bin) AS (SELECT 0 UNION ALL SELECT bin + 1 FROM bins WHERE bin < 210)" \
  "INSERT INTO backlog SELECT 1, bin, bin * 1000000000, 1000000000," \
  " CASE WHEN bin < 20 THEN 10 ELSE 1 + bin % 7 * 0.1 END, 1 FROM bins;"

START_TEST (a_beginning_that_is_not_level_is_said_unless_it_is_left_out)
{
  assert_note (BEGINNING, "Warm-up: with compass, seed 1, the backlog is level from 20 s on (MSER-5); the warm-up is 0 s.\n");
  assert_note (BEGINNING "UPDATE runs SET warmup_ns = 20000000000", "");
}
END_TEST

/* 64 jobs of run 1 with latencies of 1 and 3 ms in turn, so batches of 2 all have mean 2. */
#define JOBS \
  "DELETE FROM runs WHERE run_id > 1; DELETE FROM metrics WHERE run_id > 1; DELETE FROM jobs;" \
  "WITH RECURSIVE ids (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM ids WHERE id < 63)" \
  "INSERT INTO jobs (run_id, job_id, workflow, create_ns, end_ns, lower_bound_ns, state, tasks_done)" \
  " SELECT 1, id, 0, id * 1000000, id * 1000000 + %s, 1, 'done', 1 FROM ids"

static void
assert_batch (const char *latency, const char *text, double value)
{
  BnResults *results = four_runs ();
  char *sql = g_strdup_printf (JOBS, latency);

  ck_assert_int_eq (sqlite3_exec (bn_results_database (results), sql, NULL, NULL, NULL), SQLITE_OK);
  char *csv = printed (bn_comparison_table (bn_results_database (results), TRUE, NULL, NULL), BN_FORMAT_CSV);
  assert_field (csv, 1, "latency_mean_batch_95_ms", text, value);
  free (csv);
  g_free (sql);
  ck_assert (bn_results_close (results, NULL));
}

START_TEST (one_seed_has_an_interval_by_batch_means_where_batches_do_not_hang_together)
{
  assert_batch ("1000000 + id % 2 * 2000000", "0", NAN);
  /* batches 1 and 3 in turn: deviation sqrt (32 / 31), t(31) = 2.0395134 */
  assert_batch ("1000000 + id / 2 % 2 * 2000000", NULL, 2.0395134 * sqrt (32.0 / 31 / 32));
  assert_batch ("id * 1000000", "", NAN);
}
END_TEST

#define NO_LOAD "UPDATE runs SET offered_load = NULL; "

START_TEST (notes_say_what_the_numbers_are_good_for)
{
  assert_note (NO_LOAD, "");
  assert_note (NO_LOAD "DELETE FROM runs WHERE run_id > 2", "One seed: no interval over seeds; --seed 1..10 gives one.\n");
  assert_note (NO_LOAD "UPDATE runs SET arrivals = 'trace'", "For this trace only: ");
  assert_note (NO_LOAD "UPDATE runs SET arrivals = 'trace', trace_block = 12",
               "Arrivals: the trace, resampled for each seed in blocks of 12 on average.\n");
  assert_note (NO_LOAD "UPDATE runs SET arrivals = 'trace', trace_block = 10 + run_id",
               "resampled for each seed in blocks of 11 to 14 on average.\n");
  /* 60 x (0.25 / 0.25 + 0.25 x 2 slots) = 90 */
  assert_note ("UPDATE runs SET offered_load = 0.25, n_slots = 2",
               "Short: 4 jobs at load 0.25; a steady state over seeds needs 90 or more (doc/statistics.md).\n");
  assert_note ("UPDATE runs SET offered_load = 0.25, n_slots = 2; UPDATE metrics SET value = 90 WHERE name = 'jobs'"
               " AND run_id > 1", " So are 1 of 4 runs.\n");
  assert_note ("UPDATE runs SET offered_load = 0.25, n_slots = 2; UPDATE metrics SET value = 90 WHERE name = 'jobs'",
               "");
  assert_note (NO_LOAD "UPDATE runs SET label = 'OVERLOADED' WHERE run_id IN (1, 3)",
               "Not in equilibrium: 1 of 2 rows; their means are of how long the runs were.\n");
  /* 750 x 1.5, to two digits */
  assert_note ("UPDATE runs SET offered_load = 0.25, n_slots = 2; DELETE FROM runs WHERE run_id > 2",
               "an interval within a run needs 1200 or more");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("report");
  TCase *tc = tcase_create ("report");

  tcase_add_test (tc, text_is_aligned_with_units_below_the_titles);
  tcase_add_test (tc, csv_has_units_in_its_header_and_every_digit);
  tcase_add_test (tc, json_is_an_array_of_objects_with_null_for_missing);
  tcase_add_test (tc, a_table_without_rows_is_still_a_table);
  tcase_add_test (tc, wide_letters_and_control_characters_keep_the_columns_straight);
  tcase_add_test (tc, numbers_do_not_depend_on_size);
  tcase_add_test (tc, a_full_disk_is_an_error);
  tcase_add_test (tc, comparison_has_a_row_for_each_run);
  tcase_add_test (tc, means_over_seeds_come_with_their_interval_and_the_commonest_label);
  tcase_add_test (tc, what_no_scheduler_can_better_stands_below_with_the_gap_to_it);
  tcase_add_test (tc, differences_are_those_of_pairs);
  tcase_add_test (tc, lines_say_who_is_below_whom_and_what_is_not_significant);
  tcase_add_test (tc, notes_say_what_the_numbers_are_good_for);
  tcase_add_test (tc, a_beginning_that_is_not_level_is_said_unless_it_is_left_out);
  tcase_add_test (tc, one_seed_has_an_interval_by_batch_means_where_batches_do_not_hang_together);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
