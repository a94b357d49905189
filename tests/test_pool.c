/* test_pool.c: units in one results file: what is kept, under which number, and what is run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <glib/gstdio.h>

#include "pool.h"
#include "suite.h"

static char *directory, *scenario_path, *catalogue_path, *results_path;

static void
set_up (void)
{
  g_autofree char *shipped = g_build_filename (g_getenv ("BN_SRCDIR"), "traces", "catalogue", "paper.ini", NULL);
  g_autofree char *catalogue = NULL;

  directory = g_dir_make_tmp ("bn-pool-XXXXXX", NULL);
  scenario_path = g_build_filename (directory, "s.ini", NULL);
  catalogue_path = g_build_filename (directory, "c.ini", NULL);
  results_path = g_build_filename (directory, "r.db", NULL);
  ck_assert (g_file_get_contents (shipped, &catalogue, NULL, NULL));
  ck_assert (g_file_set_contents (catalogue_path, catalogue, -1, NULL));
  ck_assert (g_file_set_contents (scenario_path, "[servers]\ncount = 2\n[workload]\ncatalogue = c.ini\njobs = 5\n"
                                                 "[schedulers]\ncompare = jit, compass\n", -1, NULL));
}

static void
tear_down (void)
{
  g_unlink (scenario_path);
  g_unlink (catalogue_path);
  g_unlink (results_path);
  ck_assert_int_eq (g_rmdir (directory), 0);
  g_free (scenario_path);
  g_free (catalogue_path);
  g_free (results_path);
  g_free (directory);
}

static BnUnit *
new_unit (guint64 seed, gint64 first_run_id)
{
  g_autofree char *name = g_strdup_printf ("seed %" G_GUINT64_FORMAT, seed);

  return bn_unit_new (name, scenario_path, NULL, NULL, 0, seed, first_run_id, 1);
}

static BnPool *
open_pool (void)
{
  const BnPoolOptions options = { .n_processes = 2 };
  GError *error = NULL;
  BnPool *pool = bn_pool_new (results_path, &options, &error);

  ck_assert_msg (pool != NULL, "%s", error != NULL ? error->message : "");
  return pool;
}

static void
close_pool (BnPool *pool)
{
  GError *error = NULL;

  ck_assert_msg (bn_pool_close (pool, &error), "%s", error != NULL ? error->message : "");
}

/* Runs one unit, and frees it. */
static BnPoolOutcome
run (BnPool *pool, BnUnit *unit)
{
  BnPoolOutcome outcome;
  GError *error = NULL;

  ck_assert_msg (bn_pool_run (pool, &unit, 1, &outcome, &error), "%s", error != NULL ? error->message : "");
  bn_unit_free (unit);
  return outcome;
}

static int
take_text (void *data, int n, char **values, char **names)
{
  GString *text = data;

  (void) names;
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ":" : text->len > 0 ? " " : "", values[i]);
  return 0;
}

/* Columns between colons, rows between blanks. */
static void
assert_query (BnPool *pool, const char *sql, const char *expected)
{
  GString *text = g_string_new (NULL);

  ck_assert_int_eq (sqlite3_exec (bn_results_database (bn_pool_results (pool)), sql, take_text, text, NULL), SQLITE_OK);
  ck_assert_str_eq (text->str, expected);
  g_string_free (text, TRUE);
}

static void
change (BnPool *pool, const char *sql)
{
  ck_assert_int_eq (sqlite3_exec (bn_results_database (bn_pool_results (pool)), sql, NULL, NULL, NULL), SQLITE_OK);
}

#define RUNS "SELECT run_id, variant, seed FROM runs ORDER BY run_id"

START_TEST (what_is_there_is_kept_over_calls_and_over_commands)
{
  BnPool *pool = open_pool ();
  BnPoolOutcome outcome = run (pool, new_unit (7, 1));

  ck_assert_uint_eq (outcome.n_done, 1);
  ck_assert_uint_eq (outcome.n_kept, 0);
  outcome = run (pool, new_unit (8, 3));
  ck_assert_uint_eq (outcome.n_done, 1);
  outcome = run (pool, new_unit (7, 1));
  ck_assert_uint_eq (outcome.n_done, 0);
  ck_assert_uint_eq (outcome.n_kept, 1);
  ck_assert_uint_eq (outcome.n_kept_runs, 2);
  close_pool (pool);
  pool = open_pool ();
  outcome = run (pool, new_unit (8, 3));
  ck_assert_uint_eq (outcome.n_kept, 1);
  assert_query (pool, RUNS, "1:jit:7 2:compass:7 3:jit:8 4:compass:8");
  close_pool (pool);
}
END_TEST

START_TEST (runs_get_the_numbers_that_they_should_have_with_all_their_rows)
{
  BnPool *pool = open_pool ();
  BnPoolOutcome outcome;
  GError *error = NULL;

  run (pool, new_unit (7, 1));
  run (pool, new_unit (8, 3));
  /* each where the other was */
  BnUnit *units[] = { new_unit (8, 1), new_unit (7, 3) };
  ck_assert (bn_pool_run (pool, units, 2, &outcome, &error));
  ck_assert_uint_eq (outcome.n_kept, 2);
  assert_query (pool, RUNS, "1:jit:8 2:compass:8 3:jit:7 4:compass:7");
  assert_query (pool, "SELECT run_id, COUNT (*) FROM parameters WHERE name = 'scenario.seeds' AND value ="
                      " (SELECT seed FROM runs r WHERE r.run_id = parameters.run_id) GROUP BY 1", "1:1 2:1 3:1 4:1");
  bn_unit_free (units[0]);
  bn_unit_free (units[1]);
  close_pool (pool);
}
END_TEST

START_TEST (run_that_is_in_the_way_goes_beyond_all_others)
{
  BnPool *pool = open_pool ();

  run (pool, new_unit (7, 1));
  BnPoolOutcome outcome = run (pool, new_unit (8, 2));
  ck_assert_uint_eq (outcome.n_done, 1);
  assert_query (pool, RUNS, "1:jit:7 2:jit:8 3:compass:8 4:compass:7");
  close_pool (pool);
}
END_TEST

START_TEST (only_runs_that_are_whole_count_and_of_two_the_better_one_stays)
{
  BnPool *pool = open_pool ();

  run (pool, new_unit (7, 1));
  change (pool, "UPDATE runs SET state = 'interrupted' WHERE run_id = 2");
  BnPoolOutcome outcome = run (pool, new_unit (7, 1));
  ck_assert_uint_eq (outcome.n_done, 1);
  ck_assert_uint_eq (outcome.n_kept_runs, 1);
  assert_query (pool, "SELECT run_id, state FROM runs", "1:complete 2:complete");
  /* a second one of the same key, as files that were put together have */
  change (pool, "CREATE TEMP TABLE twin AS SELECT * FROM runs WHERE run_id = 2;"
                "UPDATE twin SET run_id = 9; INSERT INTO runs SELECT * FROM twin;"
                "UPDATE runs SET state = 'running' WHERE run_id = 2");
  outcome = run (pool, new_unit (7, 1));
  ck_assert_uint_eq (outcome.n_kept, 1);
  assert_query (pool, "SELECT run_id, state FROM runs", "1:complete 2:complete");
  close_pool (pool);
}
END_TEST

START_TEST (unit_whose_scenario_has_changed_meanwhile_fails)
{
  BnPool *pool = open_pool ();
  BnUnit *unit = new_unit (7, 1);
  g_autofree char *catalogue = NULL, *other = NULL;
  GError *error = NULL;

  ck_assert (bn_pool_plan (pool, &unit, 1, 1, &error));
  ck_assert (g_file_get_contents (catalogue_path, &catalogue, NULL, NULL));
  other = g_strconcat (catalogue, "# another\n", NULL);
  ck_assert (g_file_set_contents (catalogue_path, other, -1, NULL));
  BnPoolOutcome outcome = run (pool, unit);
  ck_assert_uint_eq (outcome.n_failed, 1);
  assert_query (pool, RUNS, "");
  close_pool (pool);
  ck_assert (!g_file_test (results_path, G_FILE_TEST_EXISTS));
}
END_TEST

START_TEST (plan_names_all_runs_and_refuses_others)
{
  BnPool *pool = open_pool ();
  BnUnit *units[] = { new_unit (7, 1), new_unit (8, 3), new_unit (9, 5) };
  GError *error = NULL;

  ck_assert (bn_pool_plan (pool, units, 3, 2, &error));
  assert_query (pool, "SELECT unit, run_id, name, shard FROM planned",
                "0:1:seed 7:1 0:2:seed 7:1 1:3:seed 8:2 1:4:seed 8:2 2:5:seed 9:1 2:6:seed 9:1");
  run (pool, units[2]);
  ck_assert (!bn_pool_plan (pool, units, 2, 1, &error));
  g_autofree char *message
    = g_strdup_printf ("%s: holds 2 runs that this command does not make, such as run 5 (jit; seed 9); name another file "
                       "with -o, or give --replace to begin anew", results_path);
  ck_assert_str_eq (error->message, message);
  g_error_free (error);
  assert_query (pool, "SELECT COUNT (*) FROM planned", "6");
  bn_unit_free (units[0]);
  bn_unit_free (units[1]);
  close_pool (pool);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("pool");
  TCase *tests = tcase_create ("pool");

  tcase_add_checked_fixture (tests, set_up, tear_down);
  tcase_add_test (tests, what_is_there_is_kept_over_calls_and_over_commands);
  tcase_add_test (tests, runs_get_the_numbers_that_they_should_have_with_all_their_rows);
  tcase_add_test (tests, run_that_is_in_the_way_goes_beyond_all_others);
  tcase_add_test (tests, only_runs_that_are_whole_count_and_of_two_the_better_one_stays);
  tcase_add_test (tests, unit_whose_scenario_has_changed_meanwhile_fails);
  tcase_add_test (tests, plan_names_all_runs_and_refuses_others);
  suite_add_tcase (suite, tests);
  return run_suite (suite);
}
