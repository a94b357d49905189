/* test_windows.c: the hand-worked run over time, in windows of 20 ms.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "played_results.h"
#include "suite.h"
#include "windows.h"

#define MS BN_NS_PER_MS

/* The table of run 1 at this record level, as CSV; or the error's text. */
static char *
windows (BnRecord record, BnDuration width_ns)
{
  char *folder = make_folder (), *path = g_build_filename (folder, "r.db", NULL), *text = NULL;
  BnRunInfo info = played_info (1, record);
  BnResults *results = bn_results_create (path, FALSE, NULL);
  GError *error = NULL;
  BnReader *reader;
  BnTable *table;
  size_t length;

  play_into (results, &info);
  ck_assert (bn_results_close (results, NULL));
  reader = bn_reader_open (path, NULL);
  ck_assert_ptr_nonnull (reader);
  table = bn_windows_table (reader, 1, width_ns, &error);
  if (table != NULL)
    {
      FILE *file = open_memstream (&text, &length);
      ck_assert (bn_table_print (table, BN_FORMAT_CSV, file, NULL));
      fclose (file);
      bn_table_free (table);
    }
  else
    {
      text = strdup (error->message);
      g_error_free (error);
    }
  bn_reader_close (reader);
  g_free (path);
  remove_folder (folder);
  return text;
}

#define HEADER \
  "start_s,end_s,created_jobs,done_jobs,throughput_jobs_per_s,latency_mean_ms,latency_p50_ms,latency_p99_ms," \
  "backlog_mean_jobs,hit_rate_pct\n"

START_TEST (windows_are_as_worked_out_by_hand)
{
  char *text = windows (BN_RECORD_TASKS, 20 * MS);

  ck_assert_str_eq (text, HEADER "0,0.02,1,0,0,,,,0.5,0\n"
                                 "0.02,0.04,2,0,0,,,,2.5,33.333333333333336\n"
                                 "0.04,0.06,1,2,100,35.5,28,43,2.6,\n"
                                 "0.06,0.062,0,1,,42,42,42,1,\n");
  free (text);
}
END_TEST

START_TEST (without_tasks_there_is_no_hit_rate)
{
  char *text = windows (BN_RECORD_JOBS, 40 * MS);

  ck_assert_str_eq (text, HEADER "0,0.04,3,0,0,,,,1.5,\n"
                                 "0.04,0.062,1,3,136.36363636363637,37.666666666666664,42,43,2.4545454545454546,\n");
  free (text);
}
END_TEST

START_TEST (one_window_can_hold_the_whole_run)
{
  char *text = windows (BN_RECORD_JOBS, 62 * MS), *longer = windows (BN_RECORD_JOBS, BN_TIME_NEVER);

  ck_assert_ptr_nonnull (strstr (text, "\n0,0.062,4,3,48.38709677419355,"));
  ck_assert_str_eq (text, longer);
  free (text);
  free (longer);
}
END_TEST

START_TEST (too_many_windows_are_refused)
{
  char *text = windows (BN_RECORD_JOBS, 1);

  ck_assert_str_eq (text, "--by: 62000000 windows, and more than 1000000 are of no use; give a longer time");
  free (text);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("windows");
  TCase *tc = tcase_create ("windows");

  tcase_add_test (tc, windows_are_as_worked_out_by_hand);
  tcase_add_test (tc, without_tasks_there_is_no_hit_rate);
  tcase_add_test (tc, one_window_can_hold_the_whole_run);
  tcase_add_test (tc, too_many_windows_are_refused);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
