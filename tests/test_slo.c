/* test_slo.c: promises as people write them, and those that nothing can keep.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <glib/gstdio.h>

#include "slo.h"
#include "suite.h"
#include "tally.h"

static const BnPlace place = { "f", 3 };

static BnSlo
parse (const char *text)
{
  GError *error = NULL;
  BnSlo slo;

  ck_assert_msg (bn_slo_parse (text, place, &slo, &error), "%s: %s", text, error != NULL ? error->message : "");
  return slo;
}

static void
assert_read (const char *text, const char *metric, gboolean at_least, gboolean strict, double limit, const char *shown)
{
  BnSlo slo = parse (text);

  ck_assert_str_eq (bn_metric_infos[slo.metric].name, metric);
  ck_assert_int_eq (slo.limit.at_least, at_least);
  ck_assert_int_eq (slo.limit.strict, strict);
  ck_assert_double_eq_tol (slo.limit.limit, limit, 1e-12);
  ck_assert_str_eq (slo.text, shown);
  bn_slo_clear (&slo);
}

static void
assert_refused (const char *text, const char *expected)
{
  GError *error = NULL;
  BnSlo slo;

  ck_assert_msg (!bn_slo_parse (text, place, &slo, &error), "%s", text);
  ck_assert_str_eq (error->message, expected);
  g_error_free (error);
}

START_TEST (promises_are_read_with_their_units)
{
  assert_read ("p99(latency) <= 1.5s", "latency_p99", FALSE, FALSE, 1500, "p99(latency) <= 1.5s");
  assert_read (" p95 ( slowdown )<3 ", "slowdown_p95", FALSE, TRUE, 3, "p95 ( slowdown ) < 3");
  assert_read ("mean(latency)<=300ms", "latency_mean", FALSE, FALSE, 300, "mean(latency) <= 300ms");
  assert_read ("hit_rate >= 95%", "hit_rate", TRUE, FALSE, 0.95, "hit_rate >= 95%");
  assert_read ("hit_rate > 0.9", "hit_rate", TRUE, TRUE, 0.9, "hit_rate > 0.9");
  assert_read ("deadline_miss <= 1%", "deadline_met", FALSE, FALSE, 0.01, "deadline_miss <= 1%");
  assert_read ("latency_max <= 1min", "latency_max", FALSE, FALSE, 60000, "latency_max <= 1min");
  assert_read ("makespan <= 2h", "makespan", FALSE, FALSE, 7200, "makespan <= 2h");
  assert_read ("throughput >= 3/s", "throughput", TRUE, FALSE, 3, "throughput >= 3/s");
  assert_read ("throughput >= 3jobs/s", "throughput", TRUE, FALSE, 3, "throughput >= 3jobs/s");
  assert_read ("load_bytes <= 2GB", "load_bytes", FALSE, FALSE, 2e9, "load_bytes <= 2GB");
  assert_read ("backlog_slope <= -0.1", "backlog_slope", FALSE, FALSE, -0.1, "backlog_slope <= -0.1");
}
END_TEST

START_TEST (share_of_misses_is_the_rest_of_deadlines_met)
{
  BnSlo slo = parse ("deadline_miss <= 1%");

  ck_assert_double_eq_tol (bn_slo_value (&slo, 0.98), 0.02, 1e-12);
  bn_slo_clear (&slo);
}
END_TEST

START_TEST (what_is_no_promise_is_refused)
{
  assert_refused ("p99(latency)",
                  "f:3: 'p99(latency)' is not a promise; write p99(latency) <= 1.5s, or hit_rate >= 95%");
  assert_refused ("hit_rat >= 1", "f:3: 'hit_rat' is not a metric (did you mean 'hit_rate'?); write p50, p95, p99, max"
                                  " or mean of (latency) or (slowdown), deadline_miss or a name of binnacle list"
                                  " metrics");
  assert_refused ("p99(latancy) <= 1s", "f:3: 'latancy' is neither latency nor slowdown (did you mean 'latency'?);"
                                        " write p99(latency), or the name of another metric without brackets");
  assert_refused ("p98(latency) <= 1s",
                  "f:3: 'p98' is not one of mean, p50, p95, p99 and max; write p99(latency)");
  assert_refused ("p99(latency <= 1s", "f:3: 'p99(latency' lacks its closing bracket; write p99(latency)");
  assert_refused ("p99(latency) <= 1.5", "f:3: p99(latency) <= 1.5: '1.5' has no unit: a duration needs one of the"
                                         " units ns us ms s min h, for example 10ms");
  assert_refused ("p95(slowdown) <= -1", "f:3: p95(slowdown) <= -1: nothing negative can be promised of it");
  assert_refused ("hit_rate >= 120%", "f:3: hit_rate >= 120%: it is a share, never above 1; write 0.95 or 95%");
  assert_refused ("deadline_miss < 0", "f:3: deadline_miss < 0: it is never below 0");
  assert_refused ("decision_p99 <= 5", "f:3: decision_p99 is measured where tasks are really executed, and a plan"
                                       " simulates; promise something else");
}
END_TEST

/* ---- what nothing can keep ---- */

#define CATALOGUE \
  "[workflow short]\n[task short/a]\ninput = 1kB\noutput = 1kB\nruntime = 100ms\n" \
  "[workflow long]\n[task long/a]\ninput = 1kB\noutput = 1kB\nruntime = 400ms\n"

/* `more` is the end of the section [workload]; "" where the promise is possible. */
static void
assert_possible (const char *text, const char *more, const char *deadline, const char *expected)
{
  g_autofree char *dir = g_dir_make_tmp ("bn-slo-XXXXXX", NULL);
  g_autofree char *scenario_path = g_build_filename (dir, "s.ini", NULL);
  g_autofree char *catalogue_path = g_build_filename (dir, "c.ini", NULL);
  g_autofree char *scenario_text = g_strconcat ("[servers]\ncount = 2\nspeed = 2x\n[workload]\ncatalogue = c.ini\n"
                                                "rate = 1/s\njobs = 10\n", more, NULL);
  g_autofree char *catalogue_text = g_strconcat (CATALOGUE, "[workflow due]\n", deadline,
                                                 "[task due/a]\ninput = 1kB\noutput = 1kB\nruntime = 1s\n", NULL);
  GError *error = NULL;
  BnSlo slo = parse (text);

  g_file_set_contents (scenario_path, scenario_text, -1, NULL);
  g_file_set_contents (catalogue_path, catalogue_text, -1, NULL);
  BnScenario *scenario = bn_scenario_read (scenario_path, NULL, &error);
  ck_assert_msg (scenario != NULL, "%s", error != NULL ? error->message : "");
  gboolean possible = bn_slo_check_possible (&slo, scenario, place, &error);
  ck_assert_str_eq (error != NULL ? error->message : "", expected);
  ck_assert_int_eq (possible, *expected == '\0');
  g_clear_error (&error);
  bn_scenario_free (scenario);
  bn_slo_clear (&slo);
  g_unlink (scenario_path);
  g_unlink (catalogue_path);
  g_rmdir (dir);
}

/* On GPUs of speed 2 jobs take 50 ms and 200 ms, in the mix 125 ms. */
START_TEST (promises_below_what_a_lone_job_takes_are_refused)
{
  const char *mix = "mix = short:1 long:1\n", *noisy = "mix = short:1 long:1\nnoise = exponential\n";

  assert_possible ("p50(latency) <= 50ms", mix, "", "");
  assert_possible ("p50(latency) <= 49ms", mix, "",
                   "f:3: p50(latency) <= 49ms: no number of servers can keep this: it is at least 50 ms, even if every job is"
                   " alone on idle servers (doc/bounds.md)");
  assert_possible ("mean(latency) <= 125ms", mix, "", "");
  assert_possible ("mean(latency) <= 124ms", mix, "",
                   "f:3: mean(latency) <= 124ms: no number of servers can keep this: it is at least 125 ms, even if every job is"
                   " alone on idle servers (doc/bounds.md)");
  assert_possible ("p95(slowdown) <= 0.9", mix, "",
                   "f:3: p95(slowdown) <= 0.9: no number of servers can keep this: it is at least 1, even if every job is alone"
                   " on idle servers (doc/bounds.md)");
  /* noise leaves means alone; a quantile may be anywhere */
  assert_possible ("mean(latency) <= 124ms", noisy, "",
                   "f:3: mean(latency) <= 124ms: no number of servers can keep this: it is at least 125 ms, even if every job is"
                   " alone on idle servers (doc/bounds.md)");
  assert_possible ("p50(latency) <= 49ms", noisy, "", "");
  assert_possible ("p50(latency) >= 49ms", mix, "", "");
}
END_TEST

START_TEST (promises_about_deadlines_need_one)
{
  assert_possible ("deadline_miss <= 1%", "", "deadline = 2s\n", "");
  assert_possible ("deadline_miss <= 1%", "mix = short:1\n", "deadline = 2s\n",
                   "f:3: deadline_miss <= 1%: no workflow has a deadline; give them one in the catalogue");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("slo");
  TCase *tc = tcase_create ("promises");

  tcase_add_test (tc, promises_are_read_with_their_units);
  tcase_add_test (tc, share_of_misses_is_the_rest_of_deadlines_met);
  tcase_add_test (tc, what_is_no_promise_is_refused);
  tcase_add_test (tc, promises_below_what_a_lone_job_takes_are_refused);
  tcase_add_test (tc, promises_about_deadlines_need_one);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
