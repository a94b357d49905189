/* test_rules.c: each rule finds its own kind of damage, and no other rule does.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <check.h>

#include "played_results.h"
#include "rules.h"
#include "suite.h"

static BnResults *
good (BnRecord record)
{
  BnResults *results = bn_results_create (":memory:", FALSE, NULL);
  BnRunInfo one = played_info (1, record), two = played_info (2, record);

  play_into (results, &one);
  play_into (results, &two);
  return results;
}

static GPtrArray *
check (BnResults *results)
{
  GError *error = NULL;
  GPtrArray *found = bn_check_database (bn_results_database (results), &error);

  ck_assert_msg (found != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_uint_eq (found->len, bn_n_invariants);
  return found;
}

/* "8: run 1: latency of all; 9: …" */
static char *
failures (const GPtrArray *found)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < found->len; i++)
    {
      const BnCheckResult *result = g_ptr_array_index (found, i);
      for (guint f = 0; f < result->faults->len; f++)
        g_string_append_printf (text, "%u: %s; ", result->invariant->number,
                                (const char *) g_ptr_array_index (result->faults, f));
    }
  return g_string_free (text, FALSE);
}

START_TEST (a_good_file_passes_what_its_record_level_allows)
{
  static const guint passed[] = { 17, 23, 43 };

  for (int record = BN_RECORD_SUMMARY; record <= BN_RECORD_TASKS; record++)
    {
      BnResults *results = good ((BnRecord) record);
      GPtrArray *found = check (results);
      char *text = failures (found);

      ck_assert_msg (bn_check_count (found, BN_CHECK_FAILED) == 0, "%s", text);
      ck_assert_uint_eq (bn_check_count (found, BN_CHECK_PASSED), passed[record]);
      g_free (text);
      g_ptr_array_unref (found);
      ck_assert (bn_results_close (results, NULL));
    }
  ck_assert_uint_eq (passed[BN_RECORD_TASKS], bn_n_invariants);
}
END_TEST

START_TEST (rule_numbers_rise_and_rules_are_one_line)
{
  for (guint i = 0; i < bn_n_invariants; i++)
    {
      ck_assert (i == 0 || bn_invariant_list[i].number > bn_invariant_list[i - 1].number);
      ck_assert_ptr_null (strchr (bn_invariant_list[i].rule, '\n'));
    }
}
END_TEST

/* Run 1 was on a real backend, whose worker 1 failed at a load once. */
#define REAL_RUN \
  "UPDATE runs SET backend = 'cpu', n_failures = 1 WHERE run_id = 1;" \
  "INSERT INTO metrics VALUES (1, 'loop_cpu_p50', '', 5, 'us');" \
  "INSERT INTO failures VALUES (1, 0, 27000000, 27000000, 'load', 'failed', 1, 1, 0, 1, 1, 'copy failed', 'resent');"

/* Makes run 1 one whose questions, numbered as its decisions are, cost what a clock said. */
#define MEASURED_RUN \
  "INSERT OR REPLACE INTO parameters VALUES (1, 'variant', 'decision-cost', 'measured');" \
  "INSERT INTO decision_costs SELECT 1, decision, job_id, effect_ns - seen_ns FROM decisions WHERE run_id = 1;" \
  "UPDATE runs SET n_decisions = (SELECT count (*) FROM decision_costs) WHERE run_id = 1;" \
  "UPDATE decisions SET decide_ns = effect_ns - seen_ns WHERE run_id = 1;"

/* One row of run 1 each; times in ns. The record level is the least that shows it. */
static const struct
{
  guint number;
  BnRecord record;
  const char *sql;
} damages[] = {
  { 1, BN_RECORD_JOBS, "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace (sql,"
                       " 'deadline_ns INTEGER,', 'deadline_ns INTEGER NOT NULL,') WHERE name = 'jobs';"
                       "PRAGMA writable_schema = RESET" },
  { 2, BN_RECORD_SUMMARY, "UPDATE runs SET n_jobs = 5 WHERE run_id = 1" },
  { 3, BN_RECORD_SUMMARY, "UPDATE runs SET n_refused = 0, n_unfinished = 1 WHERE run_id = 1" },
  { 4, BN_RECORD_SUMMARY, "UPDATE runs SET violations = 1 WHERE run_id = 1" },
  { 5, BN_RECORD_SUMMARY, "UPDATE workers SET idle_ns = idle_ns + 1 WHERE run_id = 1 AND worker = 1" },
  { 6, BN_RECORD_SUMMARY, "UPDATE workers SET energy_j = energy_j + 1e-3 WHERE run_id = 1 AND worker = 1" },
  { 7, BN_RECORD_SUMMARY, "UPDATE metrics SET value = 0 WHERE run_id = 1 AND name = 'hits'" },
  { 8, BN_RECORD_SUMMARY, "UPDATE metrics SET value = 1000 WHERE run_id = 1 AND name = 'latency_p50'"
                          " AND scope = ''" },
  { 9, BN_RECORD_SUMMARY, "UPDATE metrics SET value = 1.5 WHERE run_id = 1 AND name = 'hit_rate'" },
  { 10, BN_RECORD_SUMMARY, "UPDATE histograms SET n = 2 WHERE run_id = 1 AND workflow = 1"
                           " AND metric = 'latency_ns'" },
  { 11, BN_RECORD_SUMMARY, "UPDATE backlog SET mean_jobs = -1 WHERE run_id = 1 AND bin = 3" },
  { 21, BN_RECORD_JOBS, "UPDATE jobs SET job_id = 7 WHERE run_id = 1 AND job_id = 3" },
  { 22, BN_RECORD_JOBS, "UPDATE jobs SET state = 'dropped' WHERE run_id = 1 AND job_id = 3" },
  { 23, BN_RECORD_JOBS, "UPDATE jobs SET arrive_ns = 9999999 WHERE run_id = 1 AND job_id = 0" },
  { 24, BN_RECORD_JOBS, "UPDATE jobs SET tasks_done = 1 WHERE run_id = 1 AND job_id = 0" },
  { 31, BN_RECORD_TASKS, "DELETE FROM tasks WHERE run_id = 1 AND job_id = 3 AND task = 1" },
  { 32, BN_RECORD_TASKS, "UPDATE runs SET n_tasks_done = 6 WHERE run_id = 1" },
  { 33, BN_RECORD_TASKS, "UPDATE tasks SET placed_ns = 99000000 WHERE run_id = 1 AND job_id = 0 AND task = 0" },
  { 34, BN_RECORD_TASKS, "UPDATE tasks SET enqueue_ns = 34000000 WHERE run_id = 1 AND job_id = 1 AND task = 1" },
  { 35, BN_RECORD_TASKS, "DELETE FROM transfers WHERE run_id = 1 AND job_id = 0" },
  { 36, BN_RECORD_TASKS, "UPDATE transfers SET start_ns = 24999999 WHERE run_id = 1 AND job_id = 0" },
  { 37, BN_RECORD_TASKS, "UPDATE jobs SET end_ns = 63000000 WHERE run_id = 1 AND job_id = 1" },
  { 38, BN_RECORD_TASKS, "UPDATE tasks SET start_ns = 52000000, fetch_ns = 1000000 WHERE run_id = 1 AND job_id = 2" },
  { 39, BN_RECORD_TASKS, "UPDATE tasks SET planned_worker = 2 WHERE run_id = 1 AND job_id = 0 AND task = 0" },
  { 40, BN_RECORD_TASKS, "UPDATE gpu_types SET memory_bytes = 5999999999 WHERE run_id = 1" },
  { 41, BN_RECORD_TASKS, "UPDATE cache_events SET resident_bytes = 8000000001 WHERE run_id = 1 AND worker = 1" },
  { 42, BN_RECORD_TASKS, "UPDATE cache_events SET bytes = 3999999999 WHERE run_id = 1 AND kind = 'evict'" },
  { 43, BN_RECORD_TASKS, "UPDATE cache_events SET end_ns = 33000001 WHERE run_id = 1 AND worker = 1" },
  { 44, BN_RECORD_TASKS, "UPDATE tasks SET fetch_bytes = 1 WHERE run_id = 1 AND job_id = 1 AND task = 0" },
  { 45, BN_RECORD_TASKS, "UPDATE cache_events SET job_id = 2 WHERE run_id = 1 AND worker = 1" },
  { 46, BN_RECORD_TASKS, "UPDATE decisions SET seen_ns = effect_ns + 1 WHERE run_id = 1 AND job_id = 2" },
  { 47, BN_RECORD_TASKS, "UPDATE workers SET tasks = tasks + 1 WHERE run_id = 1 AND worker = 0" },
  { 48, BN_RECORD_JOBS, "UPDATE metrics SET value = value + 1e-9 WHERE run_id = 1 AND name = 'latency_max'"
                        " AND scope = ''" },
  { 49, BN_RECORD_SUMMARY, "UPDATE runs SET bound_jobs = (SELECT value FROM metrics m WHERE m.run_id = 1"
                           " AND name = 'jobs_done' AND scope = ''), bound_latency_ns = 1000000000"
                           " WHERE run_id = 1" },
  { 50, BN_RECORD_SUMMARY, "UPDATE runs SET n_failures = 1 WHERE run_id = 1" },
  { 51, BN_RECORD_JOBS, "UPDATE jobs SET state = 'failed' WHERE run_id = 1 AND job_id = 3;"
                        "UPDATE runs SET n_failed = 1, n_refused = 0 WHERE run_id = 1;"
                        "UPDATE metrics SET value = name = 'jobs_failed' WHERE run_id = 1 AND name IN ('jobs_failed',"
                        " 'jobs_refused') AND scope IN ('', 'pair')" },
  { 52, BN_RECORD_TASKS, "UPDATE tasks SET attempt = 1 WHERE run_id = 1 AND job_id = 0 AND task = 0" },
  { 53, BN_RECORD_SUMMARY, REAL_RUN "UPDATE failures SET worker = 2" },
  { 54, BN_RECORD_TASKS, "UPDATE tasks SET digest_a = 0.5, digest_b = 1.5 WHERE run_id = 1 AND job_id = 0"
                         " AND task = 0" },
  { 55, BN_RECORD_SUMMARY, "UPDATE runs SET n_verified = 4 WHERE run_id = 1" },
  { 56, BN_RECORD_SUMMARY, "UPDATE runs SET backend = 'cpu' WHERE run_id = 1" },
  { 57, BN_RECORD_SUMMARY, "INSERT INTO decision_costs VALUES (1, 0, 0, 100)" },
  { 58, BN_RECORD_TASKS, MEASURED_RUN "UPDATE decisions SET effect_ns = effect_ns + 1 WHERE run_id = 1 AND job_id = 1" },
};

START_TEST (damage_to_one_row_is_found_by_exactly_one_rule)
{
  for (gsize i = 0; i < G_N_ELEMENTS (damages); i++)
    {
      BnResults *results = good (damages[i].record);
      sqlite3 *db = bn_results_database (results);
      GPtrArray *found;
      char *text;

      ck_assert_msg (sqlite3_exec (db, damages[i].sql, NULL, NULL, NULL) == SQLITE_OK, "%s: %s", damages[i].sql,
                     sqlite3_errmsg (db));
      found = check (results);
      text = failures (found);
      ck_assert_msg (bn_check_count (found, BN_CHECK_FAILED) == 1, "damage %u: %s", damages[i].number, text);
      for (guint k = 0; k < found->len; k++)
        {
          const BnCheckResult *result = g_ptr_array_index (found, k);
          if (result->outcome != BN_CHECK_FAILED)
            continue;
          ck_assert_msg (result->invariant->number == damages[i].number, "damage %u: %s", damages[i].number, text);
          ck_assert_int_ge (result->n_faults, 1);
          ck_assert_uint_ge (result->faults->len, 1);
        }
      g_free (text);
      g_ptr_array_unref (found);
      ck_assert (bn_results_close (results, NULL));
    }
}
END_TEST

START_TEST (every_rule_has_its_damage)
{
  ck_assert_uint_eq (G_N_ELEMENTS (damages), bn_n_invariants);
  for (guint i = 0; i < bn_n_invariants; i++)
    ck_assert_uint_eq (damages[i].number, bn_invariant_list[i].number);
}
END_TEST

START_TEST (a_real_run_with_a_failure_and_digests_passes)
{
  BnResults *results = good (BN_RECORD_TASKS);

  ck_assert_int_eq (sqlite3_exec (bn_results_database (results),
                                  REAL_RUN "UPDATE runs SET n_verified = n_tasks_done WHERE run_id = 1;"
                                  "UPDATE tasks SET attempt = 1 WHERE run_id = 1 AND job_id = 0 AND task = 1;"
                                  "UPDATE tasks SET digest_a = 0.5, digest_b = 1.5 WHERE run_id = 1 AND state = 'done'",
                                  NULL, NULL, NULL), SQLITE_OK);
  GPtrArray *found = check (results);
  g_autofree char *text = failures (found);
  ck_assert_msg (bn_check_count (found, BN_CHECK_FAILED) == 0, "%s", text);
  g_ptr_array_unref (found);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

static BnCheckOutcome
outcome_of (const GPtrArray *found, guint number)
{
  for (guint i = 0; i < found->len; i++)
    if (((const BnCheckResult *) found->pdata[i])->invariant->number == number)
      return ((const BnCheckResult *) found->pdata[i])->outcome;
  ck_abort_msg ("no rule %u", number);
}

START_TEST (in_an_overlap_a_load_may_be_nobodys_miss_but_every_miss_has_its_load)
{
  static const char *const overlaps[] = { "off", "order", "bypass" };
  static const char no_miss[] = "UPDATE tasks SET access = 'hit', fetch_bytes = 0 WHERE run_id = 1 AND job_id = 0"
                                " AND task = 1";
  static const char no_load[] = "UPDATE cache_events SET job_id = NULL, task = NULL WHERE run_id = 1 AND worker = 1";

  for (guint i = 0; i < 2 * G_N_ELEMENTS (overlaps); i++)
    {
      BnResults *results = good (BN_RECORD_TASKS);
      g_autofree char *set = g_strdup_printf ("INSERT INTO parameters VALUES (1, 'variant', 'overlap', '%s'); %s",
                                              overlaps[i / 2], i % 2 ? no_load : no_miss);
      ck_assert_int_eq (sqlite3_exec (bn_results_database (results), set, NULL, NULL, NULL), SQLITE_OK);
      GPtrArray *found = check (results);
      ck_assert_int_eq (outcome_of (found, 44), BN_CHECK_PASSED);
      ck_assert_int_eq (outcome_of (found, 45), i / 2 == 0 || i % 2 ? BN_CHECK_FAILED : BN_CHECK_PASSED);
      g_ptr_array_unref (found);
      ck_assert (bn_results_close (results, NULL));
    }
}
END_TEST

START_TEST (faults_are_counted_in_full_and_shown_in_part)
{
  BnResults *results = good (BN_RECORD_SUMMARY);
  GPtrArray *found;

  sqlite3_exec (bn_results_database (results), "UPDATE backlog SET mean_jobs = -1 WHERE run_id = 2", NULL, NULL,
                NULL);
  found = check (results);
  for (guint i = 0; i < found->len; i++)
    {
      const BnCheckResult *result = g_ptr_array_index (found, i);
      if (result->invariant->number != 11)
        continue;
      ck_assert_int_gt (result->n_faults, 500);
      ck_assert_uint_eq (result->faults->len, BN_CHECK_MAX_FAULTS);
      ck_assert_str_eq (g_ptr_array_index (result->faults, 0), "run 2: window 0");
    }
  g_ptr_array_unref (found);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

START_TEST (a_recount_is_not_attempted_on_rows_that_are_wrong_themselves)
{
  BnResults *results = good (BN_RECORD_TASKS);
  GPtrArray *found;

  sqlite3_exec (bn_results_database (results), "UPDATE jobs SET end_ns = 63000000 WHERE run_id = 1 AND job_id = 1",
                NULL, NULL, NULL);
  found = check (results);
  ck_assert_uint_eq (bn_check_count (found, BN_CHECK_NOT_CHECKABLE), 2);
  g_ptr_array_unref (found);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

/* Whether rule 38 holds once the last task of worker 0 takes no time at all, `later_ns`
 * after the first one began. */
static gboolean
slots_hold_with_a_task_of_no_time (int later_ns)
{
  BnResults *results = good (BN_RECORD_TASKS);
  GPtrArray *found;
  gboolean holds = FALSE;
  char *sql = g_strdup_printf (
    "WITH mine AS (SELECT job_id, task, start_ns FROM tasks WHERE run_id = 1 AND worker = 0 AND state = 'done'),"
    " first AS (SELECT start_ns + %d AS at_ns FROM mine ORDER BY start_ns LIMIT 1),"
    " last AS (SELECT job_id, task FROM mine ORDER BY start_ns DESC LIMIT 1)"
    "UPDATE tasks SET start_ns = at_ns, exec_ns = at_ns, end_ns = at_ns, fetch_ns = 0, evict_ns = 0 FROM first, last"
    " WHERE tasks.run_id = 1 AND tasks.job_id = last.job_id AND tasks.task = last.task", later_ns);

  ck_assert_int_eq (sqlite3_exec (bn_results_database (results), sql, NULL, NULL, NULL), SQLITE_OK);
  ck_assert_int_eq (sqlite3_changes (bn_results_database (results)), 1);
  found = check (results);
  for (guint i = 0; i < found->len; i++)
    {
      const BnCheckResult *result = g_ptr_array_index (found, i);
      if (result->invariant->number == 38)
        holds = result->outcome == BN_CHECK_PASSED;
    }
  g_ptr_array_unref (found);
  g_free (sql);
  ck_assert (bn_results_close (results, NULL));
  return holds;
}

START_TEST (a_task_of_no_time_may_come_before_another_of_its_instant_and_not_within)
{
  ck_assert (slots_hold_with_a_task_of_no_time (0));
  ck_assert (!slots_hold_with_a_task_of_no_time (1));
}
END_TEST

START_TEST (a_run_that_was_cut_off_is_checked_as_far_as_it_goes)
{
  BnResults *results = bn_results_create (":memory:", FALSE, NULL);
  BnRunInfo info = played_info (1, BN_RECORD_TASKS);
  GPtrArray *found;
  char *text;

  play_into (results, &info);
  sqlite3_exec (bn_results_database (results),
                "UPDATE runs SET state = 'running', n_jobs = NULL, n_done = NULL, end_ns = NULL; DELETE FROM metrics;"
                "DELETE FROM jobs WHERE job_id = 1; DELETE FROM tasks WHERE job_id = 1", NULL, NULL, NULL);
  found = check (results);
  text = failures (found);
  ck_assert_msg (bn_check_count (found, BN_CHECK_FAILED) == 0, "%s", text);
  g_free (text);
  g_ptr_array_unref (found);
  ck_assert (bn_results_close (results, NULL));
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("rules");
  TCase *tc = tcase_create ("rules");

  tcase_add_test (tc, a_good_file_passes_what_its_record_level_allows);
  tcase_add_test (tc, rule_numbers_rise_and_rules_are_one_line);
  tcase_add_test (tc, damage_to_one_row_is_found_by_exactly_one_rule);
  tcase_add_test (tc, every_rule_has_its_damage);
  tcase_add_test (tc, a_real_run_with_a_failure_and_digests_passes);
  tcase_add_test (tc, in_an_overlap_a_load_may_be_nobodys_miss_but_every_miss_has_its_load);
  tcase_add_test (tc, faults_are_counted_in_full_and_shown_in_part);
  tcase_add_test (tc, a_recount_is_not_attempted_on_rows_that_are_wrong_themselves);
  tcase_add_test (tc, a_task_of_no_time_may_come_before_another_of_its_instant_and_not_within);
  tcase_add_test (tc, a_run_that_was_cut_off_is_checked_as_far_as_it_goes);
  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 60);
  return run_suite (suite);
}
