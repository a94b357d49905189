/* test_explain.c: a job's critical path and its parts.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <glib/gstdio.h>

#include "bn.h"
#include "example_results.h"
#include "explain.h"
#include "suite.h"

#define MS BN_NS_PER_MS

static char *path;
static BnReader *reader;

static void
setup (void)
{
  char *dir = g_dir_make_tmp ("binnacle-test-XXXXXX", NULL);

  path = g_build_filename (dir, "example.db", NULL);
  example_results_write (path);
  reader = bn_reader_open (path, NULL);
  ck_assert_ptr_nonnull (reader);
  g_free (dir);
}

static void
teardown (void)
{
  char *dir = g_path_get_dirname (path);

  bn_reader_close (reader);
  g_unlink (path);
  g_rmdir (dir);
  g_free (dir);
  g_free (path);
}

static BnExplanation *
explain (gint64 job)
{
  GError *error = NULL;
  BnExplanation *e = bn_explain_read (reader, 1, job, &error);

  ck_assert_msg (e != NULL, "%s", error ? error->message : "");
  return e;
}

static const BnExplainStep *
step (const BnExplanation *e, guint i)
{
  ck_assert_uint_lt (i, e->steps->len);
  return &g_array_index (e->steps, BnExplainStep, i);
}

static void
assert_step (const BnExplainStep *s, const char *label, gint64 transfer, gint64 decide, gint64 queue, gint64 evict,
             gint64 load, gint64 run)
{
  ck_assert_str_eq (s->label, label);
  ck_assert_int_eq (s->part_ns[BN_PART_TRANSFER], transfer * MS);
  ck_assert_int_eq (s->part_ns[BN_PART_DECIDE], decide * MS);
  ck_assert_int_eq (s->part_ns[BN_PART_QUEUE], queue * MS);
  ck_assert_int_eq (s->part_ns[BN_PART_EVICT], evict * MS);
  ck_assert_int_eq (s->part_ns[BN_PART_LOAD], load * MS);
  ck_assert_int_eq (s->part_ns[BN_PART_RUN], run * MS);
}

static gint64
sum_of_parts (const BnExplanation *e)
{
  gint64 sum = 0;

  for (guint i = 0; i < e->steps->len; i++)
    for (int p = 0; p < BN_N_PARTS; p++)
      sum += step (e, i)->part_ns[p];
  return sum;
}

START_TEST (follows_the_input_that_came_last)
{
  BnExplanation *e = explain (0);

  ck_assert_uint_eq (e->steps->len, 3);
  assert_step (step (e, 0), "a", 20, 0, 30, 5, 20, 100);
  assert_step (step (e, 1), "c", 25, 0, 10, 0, 30, 50);
  assert_step (step (e, 2), "d", 30, 0, 0, 0, 0, 10);
  ck_assert_int_eq (step (e, 1)->worker, 2);
  ck_assert_str_eq (step (e, 1)->access, "miss");
  ck_assert_str_eq (step (e, 2)->model, "none");
  bn_explanation_free (e);
}
END_TEST

/* Job 0's d as a scheduler without a plan has it: placed when c, the last, ended at 1290
 * on d's own worker; b had ended at 1200 on another, and its output waited there until
 * then. Its way takes the longer, but c is what d waited for. */
START_TEST (follows_the_last_predecessor_where_outputs_wait_for_it)
{
  static const char change[]
    = "UPDATE tasks SET worker = 0 WHERE job_id = 0 AND task = 2;"
      "UPDATE tasks SET worker = 1, end_ns = 1200e6 WHERE job_id = 0 AND task = 1;"
      "UPDATE tasks SET enqueue_ns = 1320e6 WHERE job_id = 0 AND task = 3;"
      "UPDATE transfers SET to_worker = 0 WHERE job_id = 0 AND task = 2 AND voided = 0;"
      "UPDATE transfers SET pred = 1, from_worker = 1, start_ns = 1290e6, end_ns = 1320e6 WHERE job_id = 0 AND task = 3";
  sqlite3 *db;

  ck_assert_int_eq (sqlite3_open (path, &db), SQLITE_OK);
  ck_assert_int_eq (sqlite3_exec (db, change, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close (db);
  BnExplanation *e = explain (0);
  ck_assert_uint_eq (e->steps->len, 3);
  ck_assert_str_eq (step (e, 1)->label, "c");
  ck_assert_str_eq (step (e, 2)->label, "d");
  ck_assert_int_eq (step (e, 2)->from_ns, 1290 * MS);
  assert_step (step (e, 2), "d", 30, 0, 0, 0, 0, 10);
  ck_assert_int_eq (sum_of_parts (e), e->end_ns - e->create_ns);
  bn_explanation_free (e);
}
END_TEST

START_TEST (parts_add_up_to_the_latency)
{
  static const gint64 jobs[] = { 0, 2, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      BnExplanation *e = explain (jobs[i]);

      ck_assert_int_gt (e->end_ns, e->create_ns);
      ck_assert_int_eq (sum_of_parts (e), e->end_ns - e->create_ns);
      bn_explanation_free (e);
    }
}
END_TEST

START_TEST (steps_join_without_gap)
{
  BnExplanation *e = explain (0);

  ck_assert_int_eq (step (e, 0)->from_ns, e->create_ns);
  for (guint i = 1; i < e->steps->len; i++)
    ck_assert_int_eq (step (e, i)->from_ns, step (e, i - 1)->end_ns);
  ck_assert_int_eq (step (e, e->steps->len - 1)->end_ns, e->end_ns);
  bn_explanation_free (e);
}
END_TEST

START_TEST (shows_the_time_that_a_decision_took)
{
  BnExplanation *e = explain (2);

  ck_assert_uint_eq (e->steps->len, 2);
  assert_step (step (e, 1), "y", 10, 50, 0, 0, 0, 40);
  bn_explanation_free (e);
}
END_TEST

START_TEST (counts_waiting_to_be_pulled_as_queue)
{
  BnExplanation *e = explain (3);

  assert_step (step (e, 1), "y", 10, 0, 80, 0, 0, 40);
  bn_explanation_free (e);
}
END_TEST

START_TEST (tells_what_deciders_saw_and_what_was_true)
{
  BnExplanation *e = explain (0);
  const BnExplainDecision *d;

  ck_assert_uint_eq (e->decisions->len, 5);
  d = &g_array_index (e->decisions, BnExplainDecision, 4);
  ck_assert_str_eq (d->label, "c");
  ck_assert_str_eq (d->kind, "place");
  ck_assert_int_eq (d->observer, 0);
  ck_assert_int_eq (d->from_worker, 1);
  ck_assert_int_eq (d->worker, 2);
  ck_assert_int_eq (d->seen_wait_ns, 3 * MS);
  ck_assert_int_eq (d->true_wait_ns, 8 * MS);
  ck_assert_int_eq (d->row_age_ns, 10 * MS);
  ck_assert_int_eq (d->seen_cached, 0);
  d = &g_array_index (e->decisions, BnExplainDecision, 3);
  ck_assert_int_eq (d->seen_cached, BN_NONE);
  bn_explanation_free (e);
}
END_TEST

START_TEST (says_why_a_job_was_not_done)
{
  BnExplanation *e = explain (1);

  ck_assert_str_eq (e->state, "refused");
  ck_assert_str_eq (e->reason, "no GPU fits");
  ck_assert_uint_eq (e->steps->len, 0);
  bn_explanation_free (e);
}
END_TEST

START_TEST (names_what_held_the_worker_in_the_meantime)
{
  /* Job 2's y moves to worker 2, where it holds the slot from 1185 ms to 1208 ms:
     job 0's c waits there from 1200 ms to 1210 ms. */
  sqlite3 *db;
  BnExplanation *e;
  const BnExplainAhead *ahead;
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream (&text, &length);

  ck_assert_int_eq (sqlite3_open (path, &db), SQLITE_OK);
  ck_assert_int_eq (sqlite3_exec (db, "UPDATE tasks SET worker = 2, start_ns = 1185e6, exec_ns = 1190e6,"
                                      " end_ns = 1208e6 WHERE job_id = 2 AND task = 1", NULL, NULL, NULL),
                    SQLITE_OK);
  sqlite3_close (db);
  e = explain (0);
  ck_assert_uint_eq (step (e, 0)->ahead->len, 0);
  ck_assert_uint_eq (step (e, 1)->ahead->len, 1);
  ahead = &g_array_index (step (e, 1)->ahead, BnExplainAhead, 0);
  ck_assert_int_eq (ahead->job, 2);
  ck_assert_str_eq (ahead->label, "y");
  ck_assert_str_eq (ahead->model, "none");
  ck_assert_int_eq (ahead->held_ns, 8 * MS);
  ck_assert (bn_explain_print (e, file, NULL));
  fclose (file);
  ck_assert_ptr_nonnull (strstr (text, "\nIn the queue"));
  ck_assert_ptr_nonnull (strstr (text, "8.000\n"));
  bn_explanation_free (e);
  free (text);
}
END_TEST

START_TEST (tells_waiting_for_a_load_beside_tasks_from_waiting_for_the_slot)
{
  /* job 0's c as an overlap would have it: queued at 1200, its model there from 1240 on,
     loaded since 1210 */
  sqlite3 *db;
  BnExplanation *e;

  ck_assert_int_eq (sqlite3_open (path, &db), SQLITE_OK);
  ck_assert_int_eq (sqlite3_exec (db, "UPDATE tasks SET start_ns = 1240e6, fetch_ns = 0"
                                      " WHERE job_id = 0 AND task = 2",
                                  NULL, NULL, NULL),
                    SQLITE_OK);
  e = explain (0);
  assert_step (step (e, 1), "c", 25, 0, 40, 0, 0, 50);
  bn_explanation_free (e);
  ck_assert_int_eq (sqlite3_exec (db, "INSERT INTO parameters VALUES (1, 'variant', 'overlap', 'bypass')", NULL, NULL,
                                  NULL),
                    SQLITE_OK);
  sqlite3_close (db);
  e = explain (0);
  assert_step (step (e, 1), "c", 25, 0, 10, 0, 30, 50);
  ck_assert_int_eq (sum_of_parts (e), e->end_ns - e->create_ns);
  bn_explanation_free (e);
}
END_TEST

START_TEST (finds_the_slowest_jobs_that_were_done)
{
  /* 330 ms, 230 ms and 200 ms; job 1 was refused */
  static const gint64 expected[] = { 0, 3, 2 };
  GArray *jobs = bn_explain_slowest (reader, 1, 10, NULL);

  ck_assert_uint_eq (jobs->len, 3);
  for (guint i = 0; i < 3; i++)
    ck_assert_int_eq (g_array_index (jobs, gint64, i), expected[i]);
  g_array_free (jobs, TRUE);
  jobs = bn_explain_slowest (reader, 1, 2, NULL);
  ck_assert_uint_eq (jobs->len, 2);
  g_array_free (jobs, TRUE);
  ck_assert_ptr_null (bn_explain_slowest (reader, 2, 1, NULL));
}
END_TEST

START_TEST (names_the_jobs_there_are)
{
  GError *error = NULL;
  char *expected = g_strconcat (path, ": run 1 has no job 4; its 4 jobs are numbered from 0", NULL);

  ck_assert_ptr_null (bn_explain_read (reader, 1, 4, &error));
  ck_assert_str_eq (error->message, expected);
  g_error_free (error);
  g_free (expected);
}
END_TEST

START_TEST (prints_path_and_decisions)
{
  BnExplanation *e = explain (0);
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream (&text, &length);

  ck_assert (bn_explain_print (e, file, NULL));
  fclose (file);
  ck_assert_msg (strstr (text, "Job 0 (diamond), run 1: compass[adjust=off], seed 7\n"
                               "created at 1000.000 ms at worker 1, done at 1330.000 ms\n"
                               "latency 330.000 ms, slowdown 1.500 over its lower bound of 220.000 ms,"
                               " within its deadline\n")
                   == text,
                 "%s", text);
  ck_assert_ptr_nonnull (strstr (text, "330.000\n"));
  ck_assert_ptr_nonnull (strstr (text, "\nDecisions"));
  bn_explanation_free (e);
  free (text);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("explain");
  TCase *tc = tcase_create ("by hand");

  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, follows_the_input_that_came_last);
  tcase_add_test (tc, follows_the_last_predecessor_where_outputs_wait_for_it);
  tcase_add_test (tc, parts_add_up_to_the_latency);
  tcase_add_test (tc, steps_join_without_gap);
  tcase_add_test (tc, shows_the_time_that_a_decision_took);
  tcase_add_test (tc, counts_waiting_to_be_pulled_as_queue);
  tcase_add_test (tc, tells_what_deciders_saw_and_what_was_true);
  tcase_add_test (tc, says_why_a_job_was_not_done);
  tcase_add_test (tc, names_what_held_the_worker_in_the_meantime);
  tcase_add_test (tc, tells_waiting_for_a_load_beside_tasks_from_waiting_for_the_slot);
  tcase_add_test (tc, finds_the_slowest_jobs_that_were_done);
  tcase_add_test (tc, names_the_jobs_there_are);
  tcase_add_test (tc, prints_path_and_decisions);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
