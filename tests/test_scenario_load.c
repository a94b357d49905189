/* test_scenario_load.c: a load asked for instead of a rate, a share of the jobs
 * instead of a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <glib/gstdio.h>

#include "scenario.h"
#include "suite.h"

#define CATALOGUE \
  "[model m]\nsize = 1GB\n[model big]\nsize = 3GB\n" \
  "[workflow w]\n[task w/0]\nmodel = m\ninput = 1kB\noutput = 1kB\nruntime = 100ms\n" \
  "[workflow v]\n[task v/0]\nmodel = big\ninput = 1kB\noutput = 1kB\nruntime = 300ms\n"
/* lines 1 to 7 */
#define MINIMAL "[servers]\ncount = 2\nmemory = 4GB\n[workload]\ncatalogue = c.ini\njobs = 10\n"
#define TRACED "[servers]\n[workload]\ncatalogue = c.ini\narrivals = trace\ntrace = t.csv\n"

static char *directory;
static char *path;

static void
write_file (const char *name, const char *text)
{
  g_autofree char *file = g_build_filename (directory, name, NULL);

  ck_assert (g_file_set_contents (file, text, -1, NULL));
}

static void
set_up (void)
{
  directory = g_dir_make_tmp ("bn-load-XXXXXX", NULL);
  path = g_build_filename (directory, "s.ini", NULL);
  write_file ("c.ini", CATALOGUE);
}

static void
tear_down (void)
{
  static const char *const names[] = { "s.ini", "c.ini", "t.csv", "p.ini" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (directory, names[i], NULL);
      g_unlink (file);
    }
  g_rmdir (directory);
  g_free (directory);
  g_free (path);
}

static BnScenario *
read_scenario (const char *text, const char *const *overrides)
{
  GError *error = NULL;

  write_file ("s.ini", text);
  BnScenario *s = bn_scenario_read (path, overrides, &error);
  ck_assert_msg (s != NULL, "%s", error == NULL ? "" : error->message);
  return s;
}

/* `message` without the folder before it. */
static void
assert_refused (const char *text, const char *message)
{
  GError *error = NULL;

  write_file ("s.ini", text);
  ck_assert_ptr_null (bn_scenario_read (path, NULL, &error));
  ck_assert_str_eq (error->message + strlen (directory) + 1, message);
  g_error_free (error);
}

START_TEST (jobs_that_are_no_work_are_no_load)
{
  write_file ("p.ini", "[profile]\nbackend = cpu\nscale = 1x\nload-latency = 0\nload-rate = 5GB/s\n"
                       "evict-latency = 0\nevict-rate = 0\nnetwork-latency = 0\nnetwork-rate = 0\nlaunch = 0\n"
                       "wake-up = 0\ntimer = 0\ndecision = 0\nprocessors = 2\nloop = 0\nsteal = 0\nrun-beside-load = 1\n"
                       "run-beside-evict = 1\nload-beside-run = 1\nevict-beside-run = 1\ncontention = 1\n"
                       "[task w/0]\nruntime = 0\ncv = 0\ncold = 1ms\n"
                       "[task v/0]\nruntime = 0\ncv = 0\ncold = 1ms\n");
  BnScenario *s = read_scenario (MINIMAL "profile = p.ini\n", NULL);

  ck_assert_double_eq (s->offered_load, 0);
  assert_refused (MINIMAL "load = 0.5\nprofile = p.ini\n",
                  "s.ini:7: workload.load: there is no rate that makes this load of these jobs; set rate instead");
  bn_scenario_free (s);
}
END_TEST

START_TEST (load_asked_for_is_the_load_offered)
{
  BnScenario *usual = read_scenario (MINIMAL, NULL);
  BnScenario *s = read_scenario (MINIMAL, (const char *const[]) { "workload.load=0.7", NULL });
  ck_assert_double_eq_tol (s->offered_load, 0.7, 1e-15);
  ck_assert_double_eq_tol (s->arrivals.rate_per_s, usual->arrivals.rate_per_s * 0.7 / usual->offered_load, 1e-12);
  ck_assert_ptr_nonnull (strstr (s->text, "workload.load = 0.7\n"));
  ck_assert_ptr_null (strstr (s->text, "workload.rate ="));
  bn_scenario_free (usual);
  bn_scenario_free (s);
}
END_TEST

START_TEST (command_line_outdoes_the_file_between_load_and_rate)
{
  BnScenario *s = read_scenario ("[servers]\n[workload]\ncatalogue = c.ini\njobs = 1\nload = 0.5\n",
                                 (const char *const[]) { "workload.rate=3/s", NULL });
  ck_assert_double_eq (s->arrivals.rate_per_s, 3);
  bn_scenario_free (s);
  assert_refused ("[servers]\n[workload]\ncatalogue = c.ini\njobs = 1\nload = 0.5\nrate = 2/s\n",
                  "s.ini:5: workload.load: workload.rate is given, too; remove one of the two");
}
END_TEST

/* Three jobs in 200 ms are 10 a second as they are. */
START_TEST (load_of_a_trace_scales_its_times)
{
  write_file ("t.csv", "arrival_ms\n0\n100\n200\n");
  BnScenario *usual = read_scenario (TRACED, NULL);
  BnScenario *s = read_scenario (TRACED, (const char *const[]) { "workload.load=0.25", NULL });
  ck_assert_double_eq_tol (s->arrivals.time_scale, usual->offered_load / 0.25, 1e-12);
  ck_assert_double_eq_tol (s->offered_load, 0.25, 1e-6);
  bn_scenario_free (usual);
  bn_scenario_free (s);
  assert_refused (TRACED "until = 1s\nload = 0.5\n",
                  "s.ini:7: workload.load: of a trace is that of its first rows; remove until and set jobs, or set "
                  "time-scale");
}
END_TEST

START_TEST (share_of_a_warm_up_is_the_creation_of_the_first_job_that_counts)
{
  GError *error = NULL;
  BnDuration warmup_ns;
  BnScenario *s = read_scenario (MINIMAL "arrivals = uniform\nrate = 4/s\n",
                                 (const char *const[]) { "scenario.warmup-share=0.25", NULL });
  /* of 10 jobs the first 2.5, so job 3, counted from 0, is the first: at 4 gaps of 250 ms */
  ck_assert (bn_scenario_warmup (s, 1, &warmup_ns, &error));
  ck_assert_int_eq (warmup_ns, 1000 * BN_NS_PER_MS);
  bn_scenario_free (s);
  s = read_scenario (MINIMAL, (const char *const[]) { "scenario.warmup-share=0.25", "workload.until=8s", NULL });
  ck_assert (bn_scenario_warmup (s, 1, &warmup_ns, &error));
  ck_assert_int_eq (warmup_ns, 2 * BN_NS_PER_S);
  bn_scenario_free (s);
  assert_refused (MINIMAL "[scenario]\nwarmup = 1s\nwarmup-share = 0.1\n",
                  "s.ini:9: scenario.warmup-share: scenario.warmup is given, too; remove one of the two");
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("scenario_load");
  TCase *tc = tcase_create ("load");

  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, jobs_that_are_no_work_are_no_load);
  tcase_add_test (tc, load_asked_for_is_the_load_offered);
  tcase_add_test (tc, command_line_outdoes_the_file_between_load_and_rate);
  tcase_add_test (tc, load_of_a_trace_scales_its_times);
  tcase_add_test (tc, share_of_a_warm_up_is_the_creation_of_the_first_job_that_counts);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
