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
  char *text = printed (bn_comparison_table (bn_results_database (results), FALSE, NULL), BN_FORMAT_CSV);
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

START_TEST (means_over_seeds_come_with_their_interval_and_the_commonest_label)
{
  BnResults *results = four_runs ();
  sqlite3 *db = bn_results_database (results);
  char *text, **lines;

  /* compass: 10 and 14: mean 12, deviation 2 sqrt 2, half-width 12.706 * 2 */
  sqlite3_exec (db, "UPDATE metrics SET value = CASE run_id WHEN 1 THEN 10 ELSE 14 END WHERE name = 'latency_mean'"
                    " AND scope = '' AND run_id IN (1, 3); UPDATE runs SET label = 'STABLE' WHERE run_id = 1;"
                    "UPDATE runs SET label = 'BACKLOGGED' WHERE run_id = 3;"
                    "UPDATE runs SET state = 'stuck' WHERE run_id = 2;"
                    "UPDATE runs SET state = 'running' WHERE run_id = 4", NULL, NULL, NULL);
  text = printed (bn_comparison_table (db, TRUE, NULL), BN_FORMAT_CSV);
  lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 4);
  ck_assert_msg (g_str_has_prefix (lines[1], "compass,2,3,12,25.412,"), "%s", lines[1]);
  ck_assert_msg (g_str_has_suffix (lines[1], ",BACKLOGGED 1 of 2,"), "%s", lines[1]);
  ck_assert_msg (g_str_has_prefix (lines[2], "hash[random],1,3,37.666666666666664,,"), "%s", lines[2]);
  ck_assert_msg (g_str_has_suffix (lines[2], ",stuck,"), "%s", lines[2]);
  g_strfreev (lines);
  free (text);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

START_TEST (what_no_scheduler_can_better_stands_below_with_the_gap_to_it)
{
  BnResults *results = four_runs ();
  sqlite3 *db = bn_results_database (results);
  char *text, **lines;

  /* slowdowns of compass 3 and 5 over bounds of 1 and 3 with seeds 1 and 3: 4 / 2 */
  sqlite3_exec (db, "UPDATE metrics SET value = CASE run_id WHEN 1 THEN 3 ELSE 5 END WHERE name = 'slowdown_mean'"
                    " AND scope = '' AND run_id IN (1, 3); UPDATE runs SET seed = '1' WHERE run_id = 2;"
                    "UPDATE runs SET bound_jobs = 3, bound_latency_ns = 7500000, bound_slowdown = 1"
                    " WHERE run_id IN (1, 2);"
                    "UPDATE runs SET bound_jobs = 3, bound_latency_ns = 12500000, bound_slowdown = 3"
                    " WHERE run_id = 3; DELETE FROM runs WHERE run_id = 4; DELETE FROM metrics WHERE run_id = 4",
                NULL, NULL, NULL);
  text = printed (bn_comparison_table (db, FALSE, NULL), BN_FORMAT_CSV);
  lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 7);
  ck_assert_msg (strstr (lines[3], ",5,") && strstr (lines[3], ",1.6666666666666667,"), "%s", lines[3]);
  ck_assert_str_eq (lines[4], "bound,1,,7.5,,,,1,,,,,,,,,,");
  ck_assert_str_eq (lines[5], "bound,3,,12.5,,,,3,,,,,,,,,,");
  g_strfreev (lines);
  free (text);
  text = printed (bn_comparison_table (db, TRUE, NULL), BN_FORMAT_CSV);
  lines = g_strsplit (text, "\n", -1);
  ck_assert_uint_eq (g_strv_length (lines), 5);
  char **cells = g_strsplit (lines[1], ",", -1);
  ck_assert_str_eq (cells[8], "4");  /* slowdown */
  ck_assert_str_eq (cells[10], "2"); /* gap      */
  g_strfreev (cells);
  /* 7.5 and 12.5: half-width 12.706 * 2.5 */
  ck_assert_msg (g_str_has_prefix (lines[3], "bound,2,,10,31.765,,,,2,,,"), "%s", lines[3]);
  g_strfreev (lines);
  free (text);
  ck_assert (bn_results_close (results, NULL));
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
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
