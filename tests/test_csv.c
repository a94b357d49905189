/* test_csv.c: CSV files in all their spellings, and what is refused.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "csv.h"
#include "suite.h"

static char *path;

static void
set_up (void)
{
  char *directory = g_dir_make_tmp ("bn-csv-XXXXXX", NULL);
  path = g_build_filename (directory, "t.csv", NULL);
  g_free (directory);
}

static void
tear_down (void)
{
  char *directory = g_path_get_dirname (path);
  g_unlink (path);
  g_rmdir (directory);
  g_free (directory);
  g_free (path);
}

static void
write_file (const char *bytes, gssize length)
{
  ck_assert (g_file_set_contents (path, bytes, length, NULL));
}

/* All records as fields joined by '|', records by ';'. */
static void
assert_reads (const char *bytes, const char *expected)
{
  GError *error = NULL;
  write_file (bytes, -1);
  BnCsv *csv = bn_csv_open (path, FALSE, &error);
  ck_assert_msg (csv != NULL, "%s", error == NULL ? "" : error->message);
  int a = bn_csv_find_column (csv, "a", NULL), b = bn_csv_find_column (csv, "b", NULL);
  ck_assert_int_eq (a, 0);
  ck_assert_int_eq (b, 1);
  GString *all = g_string_new (NULL);
  BnCsvStatus status;
  while ((status = bn_csv_next (csv, &error)) == BN_CSV_RECORD)
    g_string_append_printf (all, "%u:%s|%s;", bn_csv_place (csv).line, bn_csv_field (csv, a), bn_csv_field (csv, b));
  ck_assert_msg (status == BN_CSV_END, "%s", error == NULL ? "" : error->message);
  ck_assert_int_eq (bn_csv_next (csv, &error), BN_CSV_END);
  ck_assert_str_eq (all->str, expected);
  g_string_free (all, TRUE);
  bn_csv_close (csv);
}

/* The message after "PATH:". */
static void
assert_refuses (const char *bytes, gssize length, const char *expected)
{
  GError *error = NULL;
  write_file (bytes, length);
  BnCsv *csv = bn_csv_open (path, TRUE, &error);
  BnCsvStatus status = BN_CSV_RECORD;
  while (csv != NULL && status == BN_CSV_RECORD)
    status = bn_csv_next (csv, &error);
  ck_assert (csv == NULL || status == BN_CSV_ERROR);
  ck_assert (g_str_has_prefix (error->message, path));
  ck_assert_str_eq (error->message + strlen (path) + 1, expected);
  g_error_free (error);
  bn_csv_close (csv);
}

START_TEST (every_spelling_of_a_record_is_read)
{
  assert_reads ("a,b\n1,2\n3,4\n", "2:1|2;3:3|4;");
  assert_reads ("a,b\r\n1,2\r\n3,4", "2:1|2;3:3|4;");
  assert_reads ("\xef\xbb\xbf" "a,b\n1,2", "2:1|2;");
  assert_reads ("\"a\",\"b\"\n\"x,y\",\"say \"\"so\"\"\"\r\n", "2:x,y|say \"so\";");
  assert_reads ("a,b\n\"two\nlines\",2\n5,6\n", "2:two\nlines|2;4:5|6;");
  assert_reads ("a,b\n\n1,2\n\r\n\n3,4\n\n", "3:1|2;6:3|4;");
  assert_reads ("a,b\n,\n", "2:|;");
  assert_reads (" a , b \n1 , 2\n", "2:1 | 2;");
  assert_reads ("a,b\n1,x\ry\n", "2:1|x\ry;");
  assert_reads ("a,b", "");
}
END_TEST

START_TEST (malformed_files_are_refused_at_the_line)
{
  assert_refuses ("", 0, " is empty; its first line must name the columns");
  assert_refuses ("a,b\n1,2\n1\n", -1, "3: the row has 1 fields where the header has 2");
  assert_refuses ("a,b\n1,2,3\n", -1, "2: the row has 3 fields where the header has 2");
  assert_refuses ("a,b\n\"1,2\n3,4\n", -1, "2: a quoted field is never closed; add the missing \"");
  assert_refuses ("a,b\n\"1\"x,2\n", -1, "2: text follows a quoted field; put a comma between them");
  assert_refuses ("a,b\n1\"x\",2\n", -1,
                  "2: a quote stands inside a field; quote the whole field and double the quote");
  assert_refuses ("a,b\n1,\0\n", 7, "2: the line holds a NUL byte; is this a CSV file?");
  char *line = g_malloc0 (2 * BN_CSV_MAX_RECORD);
  memset (line, 'x', 2 * BN_CSV_MAX_RECORD - 1);
  assert_refuses (line, -1, "1: the line is longer than 1 MiB; is this a CSV file?");
  memcpy (line, "a,b\n\"", 5);
  assert_refuses (line, -1, "2: the line is longer than 1 MiB; is this a CSV file?");
  g_free (line);
}
END_TEST

START_TEST (records_are_the_same_across_block_borders)
{
  GString *text = g_string_new ("a,b\n"), *expected = g_string_new (NULL);
  for (int i = 0; i < 30000; i++)
    {
      g_string_append_printf (text, "%d,\"%d\"\r\n", i, i * 7);
      g_string_append_printf (expected, "%d:%d|%d;", i + 2, i, i * 7);
    }
  assert_reads (text->str, expected->str);
  g_string_free (text, TRUE);
  g_string_free (expected, TRUE);
}
END_TEST

START_TEST (the_digest_is_of_all_bytes)
{
  GString *text = g_string_new ("a,b\r\n");
  for (int i = 0; i < 20000; i++)
    g_string_append (text, "\"1\",2\r\n");
  write_file (text->str, -1);
  BnCsv *csv = bn_csv_open (path, TRUE, NULL);
  while (bn_csv_next (csv, NULL) == BN_CSV_RECORD)
    continue;
  char *expected = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
  ck_assert_str_eq (bn_csv_digest (csv), expected);
  g_free (expected);
  bn_csv_close (csv);
  g_string_free (text, TRUE);
}
END_TEST

START_TEST (a_missing_column_names_the_nearest)
{
  GError *error = NULL;
  write_file ("n,arrival_ms\n0,1\n", -1);
  BnCsv *csv = bn_csv_open (path, FALSE, &error);
  ck_assert_int_eq (bn_csv_find_column (csv, "arival_ms", &error), -1);
  ck_assert_str_eq (error->message + strlen (path),
                    ":1: there is no column 'arival_ms' (did you mean 'arrival_ms'?); the header is 'n, arrival_ms'");
  g_error_free (error);
  bn_csv_close (csv);
}
END_TEST

START_TEST (only_regular_files_are_opened)
{
  GError *error = NULL;
  ck_assert_ptr_null (bn_csv_open ("/", FALSE, &error));
  ck_assert_str_eq (error->message, "/: is not a regular file; name a CSV file");
  g_clear_error (&error);
  ck_assert_ptr_null (bn_csv_open ("no/such.csv", FALSE, &error));
  ck_assert_str_eq (error->message, "no/such.csv: cannot be opened: No such file or directory; check the path");
  g_clear_error (&error);
  /* nobody writes to it: opening it must not wait */
  ck_assert_int_eq (mkfifo (path, 0600), 0);
  ck_assert_ptr_null (bn_csv_open (path, FALSE, &error));
  g_clear_error (&error);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("csv");
  TCase *t = tcase_create ("csv");
  tcase_add_checked_fixture (t, set_up, tear_down);
  tcase_add_test (t, every_spelling_of_a_record_is_read);
  tcase_add_test (t, malformed_files_are_refused_at_the_line);
  tcase_add_test (t, records_are_the_same_across_block_borders);
  tcase_add_test (t, the_digest_is_of_all_bytes);
  tcase_add_test (t, a_missing_column_names_the_nearest);
  tcase_add_test (t, only_regular_files_are_opened);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
