/* test_trace_import.c: numbers and dates of traces, sorting, memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

#include "rng.h"
#include "row_sorter.h"
#include "suite.h"
#include "trace_import.h"

static void
assert_time (const char *text, BnDuration unit_ns, BnTime expected)
{
  BnTime ns = -7;

  ck_assert_msg (bn_scan_time (text, unit_ns, &ns), "%s", text);
  ck_assert_int_eq (ns, expected);
}

START_TEST (times_are_exact)
{
  assert_time ("0", BN_NS_PER_S, 0);
  assert_time ("3435.948056", BN_NS_PER_S, INT64_C (3435948056000));
  assert_time ("0.0000000005", BN_NS_PER_S, 1);
  assert_time ("0.00000000049999999999999999999", BN_NS_PER_S, 0);
  assert_time ("352430.000000", BN_NS_PER_S, INT64_C (352430000000000));
  assert_time ("2700000000000", BN_NS_PER_US, INT64_C (2700000000000000));
  assert_time ("-1.5", BN_NS_PER_S, INT64_C (-1500000000));
  assert_time ("1e3", BN_NS_PER_MS, BN_NS_PER_S);
  assert_time (".5", BN_NS_PER_S, BN_NS_PER_S / 2);
  assert_time ("9223372036854775807", 1, INT64_MAX);
}
END_TEST

START_TEST (what_is_no_time_is_refused)
{
  static const char *const bad[]
      = { "", "-", ".", "x", "1x", "1 2", "0x10", "nan", "inf", "99999999999", "--1", "1.2.3" };
  BnTime ns;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    ck_assert_msg (!bn_scan_time (bad[i], BN_NS_PER_S, &ns), "%s", bad[i]);
}
END_TEST

static void
assert_date (const char *text, BnTime expected)
{
  BnTime ns = -7;

  ck_assert_msg (bn_scan_date (text, &ns), "%s", text);
  ck_assert_int_eq (ns, expected);
}

START_TEST (dates_are_exact)
{
  assert_date ("1970-01-01 00:00:00", 0);
  assert_date ("2023-11-16 18:17:03.9799600", INT64_C (1700158623979960000));
  assert_date ("2024-02-29T23:59:59.9999999Z", INT64_C (1709251199999999900));
  assert_date ("2024-03-01 00:00:00+00:00", INT64_C (1709251200000000000));
  assert_date ("2024-03-01 02:30:00.5+0230", INT64_C (1709251200500000000));
  assert_date ("2024-02-29 19:00:00-05:00", INT64_C (1709251200000000000));
  assert_date ("1969-12-31 23:59:59", -BN_NS_PER_S);
  assert_date ("2100-03-01 00:00:00", INT64_C (4107542400000000000));
}
END_TEST

START_TEST (what_is_no_date_is_refused)
{
  static const char *const bad[]
      = { "", "2023-11-16", "2023-11-16 18:17", "2023-02-29 00:00:00", "2023-13-01 00:00:00", "2023-11-16 24:00:00",
          "2023-11-16 18:17:03.", "2023-11-16 18:17:03+1", "2023-11-16 18:17:03 x", "23-11-16 18:17:03",
          "2023/11/16 18:17:03", "0001-01-01 00:00:00" };
  BnTime ns;

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    ck_assert_msg (!bn_scan_date (bad[i], &ns), "%s", bad[i]);
}
END_TEST

/* Many rows of few times through a sorter of so much memory: in order, ties as they came. */
static void
assert_sorts (guint n_rows, gsize memory_bytes)
{
  BnRowSorter *sorter = bn_row_sorter_new (2, memory_bytes);
  BnImportRow row;
  BnRng rng;
  GError *error = NULL;
  BnTime last_ns = -1;
  guint64 last_number = 0;

  bn_rng_init (&rng, 1, "rows");
  for (guint i = 0; i < n_rows; i++)
    {
      char *number = g_strdup_printf ("%u", i), *fields[] = { number, (char *) "" };
      row = (BnImportRow) { (BnTime) bn_rng_below (&rng, 50), i, i + 2, fields };
      ck_assert (bn_row_sorter_add (sorter, &row, &error));
      g_free (number);
    }
  ck_assert (bn_row_sorter_finish (sorter, &error));
  for (guint i = 0; i < n_rows; i++)
    {
      ck_assert_int_eq (bn_row_sorter_next (sorter, &row, &error), BN_ROW);
      guint64 number = g_ascii_strtoull (row.fields[0], NULL, 10);
      ck_assert (row.time_ns > last_ns || (row.time_ns == last_ns && number > last_number));
      ck_assert_int_eq (row.duration_ns, (BnDuration) number);
      ck_assert_uint_eq (row.line, number + 2);
      ck_assert_str_eq (row.fields[1], "");
      last_ns = row.time_ns;
      last_number = number;
    }
  ck_assert_int_eq (bn_row_sorter_next (sorter, &row, &error), BN_ROW_END);
  ck_assert_int_eq (bn_row_sorter_next (sorter, &row, &error), BN_ROW_END);
  bn_row_sorter_free (sorter);
}

START_TEST (rows_are_sorted_in_memory_and_in_runs)
{
  assert_sorts (0, 1 << 20);
  assert_sorts (1, 1 << 20);
  assert_sorts (5000, 1 << 20);
  assert_sorts (5000, 1 << 12);
  assert_sorts (100, 1); /* each row a run */
}
END_TEST

START_TEST (rows_longer_than_a_buffer_are_sorted)
{
  BnRowSorter *sorter = bn_row_sorter_new (1, 1 << 16);
  char *text = g_strnfill (1 << 19, 'x'), *fields[] = { text };
  BnImportRow row;

  for (int i = 3; i > 0; i--)
    {
      row = (BnImportRow) { i, -1, 1, fields };
      text[0] = (char) ('0' + i);
      ck_assert (bn_row_sorter_add (sorter, &row, NULL));
    }
  ck_assert (bn_row_sorter_finish (sorter, NULL));
  for (int i = 1; i <= 3; i++)
    {
      ck_assert_int_eq (bn_row_sorter_next (sorter, &row, NULL), BN_ROW);
      text[0] = (char) ('0' + i);
      ck_assert_str_eq (row.fields[0], text);
    }
  bn_row_sorter_free (sorter);
  g_free (text);
}
END_TEST

/* Records with quotes, across the borders of blocks, and one that is longer than a buffer. */
START_TEST (records_are_the_same_across_blocks)
{
  g_autofree char *directory = g_dir_make_tmp ("bn-trace-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "t.csv", NULL), *longest = g_strnfill (300000, 'y');
  GString *text = g_string_new ("t,x\n");
  BnImportOptions options = BN_IMPORT_ALL;
  BnImportRow row;

  for (int i = 0; i < 30000; i++)
    g_string_append_printf (text, "%d,\"a\n\"\"%d\"\r\n", i, i);
  g_string_append_printf (text, "30000,%s\n", longest);
  ck_assert (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  options.map = "time=t:s";
  options.digest = TRUE;
  BnTraceImport *import = bn_trace_import_open (path, &options, NULL);
  for (int i = 0; i < 30000; i++)
    {
      g_autofree char *expected = g_strdup_printf ("a\n\"%d", i);
      ck_assert_int_eq (bn_trace_import_next (import, &row, NULL), BN_ROW);
      ck_assert_int_eq (row.time_ns, i * BN_NS_PER_S);
      ck_assert_str_eq (row.fields[1], expected);
      ck_assert_uint_eq (row.line, 2 + 2 * (guint) i);
    }
  ck_assert_int_eq (bn_trace_import_next (import, &row, NULL), BN_ROW);
  ck_assert_str_eq (row.fields[1], longest);
  ck_assert_int_eq (bn_trace_import_next (import, &row, NULL), BN_ROW_END);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, (gssize) text->len);
  ck_assert_str_eq (bn_trace_import_digest (import), digest);
  bn_trace_import_close (import);
  g_string_free (text, TRUE);
  g_unlink (path);
  g_rmdir (directory);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("trace_import");
  TCase *t = tcase_create ("trace_import");
  tcase_add_test (t, times_are_exact);
  tcase_add_test (t, what_is_no_time_is_refused);
  tcase_add_test (t, dates_are_exact);
  tcase_add_test (t, what_is_no_date_is_refused);
  tcase_add_test (t, rows_are_sorted_in_memory_and_in_runs);
  tcase_add_test (t, rows_longer_than_a_buffer_are_sorted);
  tcase_add_test (t, records_are_the_same_across_blocks);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
