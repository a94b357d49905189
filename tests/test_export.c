/* test_export.c: what is written for other programs, byte for byte.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <glib/gstdio.h>

#include "bn.h"
#include "example_results.h"
#include "export.h"
#include "lanes.h"
#include "suite.h"
#include "textout.h"

/* What `write` says about run 1 of the example. */
static char *
written (gboolean (*write) (BnReader *, gint64, FILE *, GError **))
{
  char *dir = g_dir_make_tmp ("binnacle-test-XXXXXX", NULL), *path = g_build_filename (dir, "example.db", NULL);
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream (&text, &length);
  BnReader *reader;

  example_results_write (path);
  reader = bn_reader_open (path, NULL);
  ck_assert_ptr_nonnull (reader);
  ck_assert (write (reader, 1, file, NULL));
  fclose (file);
  bn_reader_close (reader);
  g_unlink (path);
  g_rmdir (dir);
  g_free (path);
  g_free (dir);
  return text;
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;

  for (const char *at = text; (at = strstr (at, what)) != NULL; at += strlen (what))
    n++;
  return n;
}

START_TEST (tasks_have_the_columns_of_task_logs)
{
  char *text = written (bn_export_tasks);

  ck_assert_str_eq (text, "job_id,workflow,task_id,task_model,worker,planned_worker,job_create_ns,enqueue_ns,start_ns,"
                          "fetch_ns,evict_ns,exec_ns,end_ns\n"
                          "0,diamond,a,A,0,0,1000000000,1020000000,1050000000,20000000,5000000,1075000000,1175000000\n"
                          "0,diamond,b,A,0,0,1000000000,1175000000,1175000000,0,0,1175000000,1300000000\n"
                          "0,diamond,c,\"B,\"\"x\"\"\",2,1,1000000000,1200000000,1210000000,30000000,0,1240000000,"
                          "1290000000\n"
                          "0,diamond,d,none,0,0,1000000000,1320000000,1320000000,0,0,1320000000,1330000000\n"
                          "2,pair,x,none,0,0,2000000000,2000000000,2000000000,0,0,2000000000,2100000000\n"
                          "2,pair,y,none,1,1,2000000000,2160000000,2160000000,0,0,2160000000,2200000000\n"
                          "3,pair,x,none,0,0,3000000000,3000000000,3000000000,0,0,3000000000,3100000000\n"
                          "3,pair,y,none,1,1,3000000000,3190000000,3190000000,0,0,3190000000,3230000000\n");
  free (text);
}
END_TEST

START_TEST (jobs_are_there_whatever_became_of_them)
{
  char *text = written (bn_export_jobs);

  ck_assert_str_eq (text, "job_id,workflow,ingress,create_ns,arrive_ns,end_ns,latency_ns,lower_bound_ns,deadline_ns,"
                          "state,reason,tasks_done\n"
                          "0,diamond,1,1000000000,1010000000,1330000000,330000000,220000000,1500000000,done,,4\n"
                          "1,pair,0,1500000000,1500000000,1500000000,0,140000000,,refused,no GPU fits,0\n"
                          "2,pair,0,2000000000,2000000000,2200000000,200000000,140000000,,done,,2\n"
                          "3,pair,0,3000000000,3000000000,3230000000,230000000,140000000,,done,,2\n");
  free (text);
}
END_TEST

START_TEST (timeline_has_every_slice_once)
{
  char *text = written (bn_export_perfetto);

  ck_assert_uint_eq (count (text, "\"cat\":\"execute\""), 8);
  ck_assert_uint_eq (count (text, "\"cat\":\"load\""), 2);
  ck_assert_uint_eq (count (text, "\"cat\":\"evict\""), 1);
  ck_assert_uint_eq (count (text, "\"cat\":\"transfer\""), 6);
  ck_assert_uint_eq (count (text, "\"process_name\""), 3);
  ck_assert_ptr_nonnull (strstr (text, "{\"ph\":\"X\",\"name\":\"load B,\\\"x\\\"\",\"cat\":\"load\",\"pid\":3,"
                                       "\"tid\":10000,\"ts\":1210000.000,\"dur\":30000.000,\"args\":{\"model\":"
                                       "\"B,\\\"x\\\"\",\"job\":0,\"workflow\":\"diamond\",\"task\":\"c\"}}"));
  free (text);
}
END_TEST

/* JSON as RFC 8259 has it, without numbers' finer rules: TRUE and *at behind it. */
static gboolean json_value (const char **at);

static gboolean
json_string (const char **at)
{
  if (*(*at)++ != '"')
    return FALSE;
  for (; **at != '"'; (*at)++)
    if ((unsigned char) **at < 0x20 || (**at == '\\' && *++(*at) == '\0'))
      return FALSE;
  (*at)++;
  return TRUE;
}

static void
json_blank (const char **at)
{
  *at += strspn (*at, " \t\r\n");
}

static gboolean
json_list (const char **at, char close, gboolean named)
{
  (*at)++;
  json_blank (at);
  if (**at == close)
    return (*at)++, TRUE;
  for (;;)
    {
      json_blank (at);
      if (named && (!json_string (at) || *(*at)++ != ':'))
        return FALSE;
      if (!json_value (at))
        return FALSE;
      json_blank (at);
      if (**at == close)
        return (*at)++, TRUE;
      if (*(*at)++ != ',')
        return FALSE;
    }
}

static gboolean
json_value (const char **at)
{
  char *end;

  json_blank (at);
  if (**at == '{')
    return json_list (at, '}', TRUE);
  if (**at == '[')
    return json_list (at, ']', FALSE);
  if (**at == '"')
    return json_string (at);
  if (g_str_has_prefix (*at, "null"))
    return *at += 4, TRUE;
  g_ascii_strtod (*at, &end);
  return end != *at ? (*at = end, TRUE) : FALSE;
}

START_TEST (timeline_is_json)
{
  char *text = written (bn_export_perfetto);
  const char *at = text;

  ck_assert (json_value (&at));
  ck_assert_str_eq (at, "\n");
  free (text);
}
END_TEST

static char *
say (void (*write) (FILE *, int64_t), int64_t ns)
{
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream (&text, &length);

  write (file, ns);
  fclose (file);
  return text;
}

START_TEST (times_are_written_exactly)
{
  static const struct
  {
    void (*write) (FILE *, int64_t);
    int64_t ns;
    const char *text;
  } cases[] = {
    { bn_write_us, 1, "0.001" },
    { bn_write_us, -1500, "-1.500" },
    { bn_write_us, INT64_MAX, "9223372036854775.807" },
    { bn_write_us, INT64_MIN, "-9223372036854775.808" },
    { bn_write_s, 1000000001, "1.000000001" },
    { bn_write_ms, 1499, "0.001" },
    { bn_write_ms, 1500, "0.002" },
    { bn_write_ms, 1365000000, "1365.000" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *text = say (cases[i].write, cases[i].ns);

      ck_assert_str_eq (text, cases[i].text);
      free (text);
    }
}
END_TEST

START_TEST (slices_that_overlap_take_lanes_of_their_own)
{
  BnLanes *lanes = bn_lanes_new ();

  ck_assert_uint_eq (bn_lanes_take (lanes, 0, 10), 0);
  ck_assert_uint_eq (bn_lanes_take (lanes, 5, 20), 1);
  ck_assert_uint_eq (bn_lanes_take (lanes, 10, 12), 0);
  ck_assert_uint_eq (bn_lanes_take (lanes, 11, 30), 2);
  ck_assert_uint_eq (bn_lanes_take (lanes, 20, 21), 0);
  ck_assert_uint_eq (bn_lanes_count (lanes), 3);
  bn_lanes_clear (lanes);
  ck_assert_uint_eq (bn_lanes_take (lanes, 0, 1), 0);
  ck_assert_uint_eq (bn_lanes_count (lanes), 1);
  bn_lanes_free (lanes);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("export");
  TCase *tc = tcase_create ("export");

  tcase_add_test (tc, tasks_have_the_columns_of_task_logs);
  tcase_add_test (tc, jobs_are_there_whatever_became_of_them);
  tcase_add_test (tc, timeline_has_every_slice_once);
  tcase_add_test (tc, timeline_is_json);
  tcase_add_test (tc, times_are_written_exactly);
  tcase_add_test (tc, slices_that_overlap_take_lanes_of_their_own);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
