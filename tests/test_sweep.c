/* test_sweep.c: axes, cells, units, and a unit whose process is killed.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <string.h>

#include <glib/gstdio.h>

#include "suite.h"
#include "sweep.h"
#include "sweep_axis.h"
#include "unit_process.h"

static char *directory, *path;

static void
set_up (void)
{
  g_autofree char *catalogue = g_build_filename (g_getenv ("BN_SRCDIR"), "traces", "catalogue", "paper.ini", NULL);
  g_autofree char *text
    = g_strdup_printf ("[servers]\ncount = 2\n[workload]\ncatalogue = %s\njobs = 20\n[schedulers]\n"
                       "compare = jit, compass\n[sweep]\nservers.count, workload.jobs = 2:20 4:40\n"
                       "workload.load = 0.4 0.6 0.8\n", catalogue);

  directory = g_dir_make_tmp ("bn-sweep-XXXXXX", NULL);
  path = g_build_filename (directory, "s.ini", NULL);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
}

static void
tear_down (void)
{
  g_unlink (path);
  g_rmdir (directory);
  g_free (path);
  g_free (directory);
}

/* ---- axes ---- */

/* `expected` has the values between bars. */
static void
assert_values (const char *keys, const char *text, const char *expected)
{
  GError *error = NULL;
  BnSweepAxis *axis = bn_sweep_axis_new (keys, text, (BnPlace) { "f", 1 }, FALSE, &error);

  ck_assert_msg (axis != NULL, "%s: %s", text, error != NULL ? error->message : "");
  g_autofree char *values = g_strjoinv ("|", axis->values);
  ck_assert_str_eq (values, expected);
  ck_assert_uint_eq (axis->n_values * axis->n_keys, g_strv_length (axis->values));
  bn_sweep_axis_free (axis);
}

static void
assert_refused (const char *keys, const char *text, const char *expected)
{
  GError *error = NULL;

  ck_assert_ptr_null (bn_sweep_axis_new (keys, text, (BnPlace) { "f", 7 }, FALSE, &error));
  ck_assert_str_eq (error->message, expected);
  g_error_free (error);
}

START_TEST (values_stand_between_blanks_or_commas)
{
  assert_values ("k", "5", "5");
  assert_values ("k", " 5  20,100 , 7\t8", "5|20|100|7|8");
}
END_TEST

START_TEST (quotes_and_brackets_keep_a_value_together)
{
  assert_values ("k", "\"a b, c\" d", "a b, c|d");
  assert_values ("k", "compass[queue=srpt,adjust=off] jit", "compass[queue=srpt,adjust=off]|jit");
  assert_values ("k", "\"\" x", "|x");
  assert_values ("k", "\"1..3\"", "1..3");
}
END_TEST

START_TEST (range_without_a_count_goes_by_ones)
{
  assert_values ("k", "1..4", "1|2|3|4");
  assert_values ("k", "7..7", "7");
  assert_values ("k", "0.5..2.5", "0.5|1.5|2.5");
  /* what it would not reach its author meant */
  assert_refused ("k", "0.5..0.9",
                  "f:7: '0.5..0.9' goes in steps of 1 and misses its end; write how many values, as 0.5..0.9:5");
}
END_TEST

START_TEST (range_with_a_count_is_evenly_spaced_and_keeps_its_unit)
{
  assert_values ("k", "1..10:4", "1|4|7|10");
  assert_values ("k", "0.5..0.8:4", "0.5|0.6|0.7|0.8");
  assert_values ("k", "10ms..100ms:2 1s", "10ms|100ms|1s");
  assert_values ("k", "1/s..2/s:3", "1/s|1.5/s|2/s");
  assert_values ("k", "3..3:1", "3");
}
END_TEST

START_TEST (what_is_no_range_of_numbers_is_a_value)
{
  assert_values ("k", "../a.csv ../b.csv", "../a.csv|../b.csv");
  assert_values ("k", "delay:10ms 1ms..2s", "delay:10ms|1ms..2s");
}
END_TEST

START_TEST (keys_that_change_together_take_sets_of_values)
{
  assert_values ("a.x, b.y", "5:10 20:40", "5|10|20|40");
  assert_values ("a.x b.y c.z", "1:\"delay:2ms\":3", "1|delay:2ms|3");
}
END_TEST

START_TEST (axes_that_mean_nothing_are_refused)
{
  assert_refused ("k", "", "f:7: k: has no value; write 5 10 20 or 1..10:4");
  assert_refused ("", "1", "f:7: names no key; write workload.load = 0.5 0.7, say");
  assert_refused ("k, k", "1:1", "f:7: names 'k' twice; name it once");
  assert_refused ("k, l", "1:2:3",
                  "f:7: '1:2:3' is not 2 values for the keys that change together; write them as 5:10000");
  const char *ranges[] = { "5..1", "1..5:0", "1..5:-1", "1..5:x", "5..1:3", "1..1:2", "1..1e9", "1..2:100000" };
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autofree char *message
        = g_strdup_printf ("f:7: '%s' is an empty range or a very long one; write FIRST..LAST or FIRST..LAST:COUNT, "
                           "upwards", ranges[i]);
      assert_refused ("k", ranges[i], message);
    }
}
END_TEST

/* ---- cells ---- */

START_TEST (cells_are_the_cross_product_the_last_axis_changing_fastest)
{
  static const char *const names[] = {
    "servers.count=2, workload.jobs=20, workload.load=0.4", "servers.count=2, workload.jobs=20, workload.load=0.6",
    "servers.count=2, workload.jobs=20, workload.load=0.8", "servers.count=4, workload.jobs=40, workload.load=0.4",
    "servers.count=4, workload.jobs=40, workload.load=0.6", "servers.count=4, workload.jobs=40, workload.load=0.8",
  };
  GError *error = NULL;
  BnSweep *sweep = bn_sweep_read (path, NULL, NULL, &error);

  ck_assert_ptr_nonnull (sweep);
  ck_assert_uint_eq (bn_sweep_n_cells (sweep), G_N_ELEMENTS (names));
  ck_assert_uint_eq (bn_sweep_n_runs (sweep), 2);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = bn_sweep_cell_name (sweep, i);
      ck_assert_str_eq (name, names[i]);
    }
  BnScenario *scenario = bn_sweep_scenario (sweep, 4, &error);
  ck_assert_uint_eq (scenario->platform->n_workers, 4);
  ck_assert_int_eq (scenario->arrivals.max_jobs, 40);
  ck_assert_double_eq_tol (scenario->offered_load, 0.6, 1e-12);
  bn_scenario_free (scenario);
  bn_sweep_free (sweep);
}
END_TEST

START_TEST (units_are_cells_by_seeds_and_runs_are_numbered_by_cell_scheduler_and_seed)
{
  GError *error = NULL;
  BnSweep *sweep = bn_sweep_read (path, NULL, (const char *const[]) { "scenario.seeds=7 8 9", NULL }, &error);
  g_autoptr (GPtrArray) units = bn_sweep_units (sweep);
  const BnUnit *unit = g_ptr_array_index (units, 4);

  ck_assert_uint_eq (units->len, 18);
  ck_assert_str_eq (unit->name, "servers.count=2, workload.jobs=20, workload.load=0.6, seed 8");
  ck_assert_uint_eq (unit->seed, 8);
  /* behind the 6 runs of the first cell; jit has seeds 7 to 9 before compass has any */
  ck_assert_int_eq (bn_unit_run_id (unit, 0), 8);
  ck_assert_int_eq (bn_unit_run_id (unit, 1), 11);
  BnScenario *scenario = bn_unit_scenario (unit, &error);
  ck_assert_uint_eq (scenario->n_seeds, 1);
  ck_assert_uint_eq (scenario->seeds[0], 8);
  ck_assert_uint_eq (scenario->platform->n_workers, 2);
  bn_scenario_free (scenario);
  bn_sweep_free (sweep);
}
END_TEST

START_TEST (axis_of_schedulers_is_what_every_cell_compares)
{
  static const char *const vary[] = { "scheduler=hash, \"a: jit\", compass[adjust=off]", NULL };
  GError *error = NULL;
  BnSweep *sweep = bn_sweep_read (path, vary, NULL, &error);

  ck_assert_ptr_nonnull (sweep);
  ck_assert_uint_eq (bn_sweep_n_cells (sweep), 6);
  ck_assert_uint_eq (bn_sweep_n_runs (sweep), 3);
  g_autofree char *name = bn_sweep_cell_name (sweep, 5);
  ck_assert_str_eq (name, "servers.count=4, workload.jobs=40, workload.load=0.8");
  BnScenario *scenario = bn_sweep_scenario (sweep, 5, &error);
  ck_assert_uint_eq (scenario->n_variants, 3);
  ck_assert_str_eq (scenario->variants[1]->name, "a");
  ck_assert_str_eq (scenario->variants[2]->name, "compass[adjust=off]");
  bn_scenario_free (scenario);
  bn_sweep_free (sweep);
}
END_TEST

START_TEST (unit_is_the_same_behind_a_wire)
{
  GError *error = NULL;
  BnSweep *sweep = bn_sweep_read (path, NULL, (const char *const[]) { "workload.mix=translation", NULL }, &error);
  g_autoptr (GPtrArray) units = bn_sweep_units (sweep);
  const BnUnit *unit = g_ptr_array_index (units, 5);
  g_autoptr (GBytes) bytes = bn_unit_to_bytes (unit, "01");
  g_autofree char *todo = NULL;
  BnUnit *other = bn_unit_from_bytes (bytes, &todo);

  ck_assert_ptr_nonnull (other);
  ck_assert_str_eq (todo, "01");
  ck_assert_str_eq (other->name, unit->name);
  ck_assert (bn_unit_same_world (unit, other));
  ck_assert_uint_eq (other->seed, unit->seed);
  ck_assert_int_eq (bn_unit_run_id (other, 1), bn_unit_run_id (unit, 1));
  ck_assert_str_eq (other->settings[2].place.file, unit->settings[2].place.file);
  ck_assert_uint_eq (other->settings[2].place.line, unit->settings[2].place.line);
  ck_assert (!bn_unit_same_world (g_ptr_array_index (units, 0), other));
  bn_unit_free (other);
  bn_sweep_free (sweep);

  g_autoptr (GBytes) garbled = g_bytes_new_static ("xyz", 3);
  g_autofree char *nothing = NULL;
  ck_assert_ptr_null (bn_unit_from_bytes (garbled, &nothing));
}
END_TEST

/* Waits for the end of a unit, at most a minute. */
static BnUnitState
wait_for (BnUnitProcess *process)
{
  BnUnitState state = bn_unit_process_poll (process);

  for (guint i = 0; i < 6000 && state == BN_UNIT_RUNNING; i++)
    {
      g_usleep (10000);
      state = bn_unit_process_poll (process);
    }
  return state;
}

static BnUnitProcess *
start (const BnUnit *unit, char **results)
{
  GError *error = NULL;

  *results = g_build_filename (directory, "unit.db", NULL);
  BnUnitProcess *process = bn_unit_process_start (unit, "11", *results, &error);
  ck_assert_ptr_nonnull (process);
  return process;
}

START_TEST (unit_writes_a_results_file_that_is_gone_when_it_is_freed)
{
  GError *error = NULL;
  g_autofree char *results = NULL;
  BnSweep *sweep = bn_sweep_read (path, NULL, NULL, &error);
  g_autoptr (GPtrArray) units = bn_sweep_units (sweep);
  BnUnitProcess *process = start (g_ptr_array_index (units, 0), &results);

  ck_assert_int_eq (wait_for (process), BN_UNIT_DONE);
  ck_assert (g_file_test (results, G_FILE_TEST_EXISTS));
  g_auto (GStrv) remarks = bn_unit_process_remarks (process);
  ck_assert_ptr_null (remarks[0]);
  bn_unit_process_free (process);
  ck_assert (!g_file_test (results, G_FILE_TEST_EXISTS));
  bn_sweep_free (sweep);
}
END_TEST

/* One that lasts, and is ended by a signal. */
static BnUnitState
end_by (int number, char ***remarks)
{
  static const char *const vary[] = { "servers.count,workload.jobs=4:100000000", NULL };
  GError *error = NULL;
  g_autofree char *results = NULL;
  BnSweep *sweep = bn_sweep_read (path, vary, NULL, &error);
  g_autoptr (GPtrArray) units = bn_sweep_units (sweep);
  BnUnitProcess *process = start (g_ptr_array_index (units, 0), &results);

  /* it has begun to write: it heeds signals */
  for (guint i = 0; i < 6000 && !g_file_test (results, G_FILE_TEST_EXISTS); i++)
    g_usleep (10000);
  ck_assert_int_eq (bn_unit_process_poll (process), BN_UNIT_RUNNING);
  bn_unit_process_signal (process, number);
  BnUnitState state = wait_for (process);
  *remarks = bn_unit_process_remarks (process);
  bn_unit_process_free (process);
  ck_assert (!g_file_test (results, G_FILE_TEST_EXISTS));
  bn_sweep_free (sweep);
  return state;
}

START_TEST (unit_that_is_killed_fails_and_says_by_which_signal)
{
  g_auto (GStrv) remarks = NULL;

  ck_assert_int_eq (end_by (SIGKILL, &remarks), BN_UNIT_FAILED);
  ck_assert_uint_eq (g_strv_length (remarks), 1);
  ck_assert_str_eq (remarks[0], "ended by signal 9 (Killed)");
}
END_TEST

START_TEST (unit_that_is_interrupted_says_so)
{
  sigset_t signals;
  g_auto (GStrv) remarks = NULL;

  /* as its parent has them blocked */
  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigprocmask (SIG_BLOCK, &signals, NULL);
  ck_assert_int_eq (end_by (SIGINT, &remarks), BN_UNIT_INTERRUPTED);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("sweep");
  TCase *axes = tcase_create ("axes"), *cells = tcase_create ("cells");

  tcase_add_test (axes, values_stand_between_blanks_or_commas);
  tcase_add_test (axes, quotes_and_brackets_keep_a_value_together);
  tcase_add_test (axes, range_without_a_count_goes_by_ones);
  tcase_add_test (axes, range_with_a_count_is_evenly_spaced_and_keeps_its_unit);
  tcase_add_test (axes, what_is_no_range_of_numbers_is_a_value);
  tcase_add_test (axes, keys_that_change_together_take_sets_of_values);
  tcase_add_test (axes, axes_that_mean_nothing_are_refused);
  suite_add_tcase (suite, axes);
  tcase_add_checked_fixture (cells, set_up, tear_down);
  tcase_add_test (cells, cells_are_the_cross_product_the_last_axis_changing_fastest);
  tcase_add_test (cells, units_are_cells_by_seeds_and_runs_are_numbered_by_cell_scheduler_and_seed);
  tcase_add_test (cells, axis_of_schedulers_is_what_every_cell_compares);
  tcase_add_test (cells, unit_is_the_same_behind_a_wire);
  tcase_add_test (cells, unit_writes_a_results_file_that_is_gone_when_it_is_freed);
  tcase_add_test (cells, unit_that_is_killed_fails_and_says_by_which_signal);
  tcase_add_test (cells, unit_that_is_interrupted_says_so);
  suite_add_tcase (suite, cells);
  return run_suite (suite);
}
