/* test_profile.c: a profile reads back as it was written, and mistakes in one are named
 * with their line.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <check.h>
#include <string.h>

#include "catalogue.h"
#include "profile.h"
#include "suite.h"

#define MACHINE \
  "[profile]\nbackend = cpu\nscale = 0.001x\nload-latency = 20us\nload-rate = 5GB/s\nevict-latency = 3us\n" \
  "evict-rate = 0\nnetwork-latency = 9us\nnetwork-rate = 4GB/s\nlaunch = 8us\n" \
  "wake-up = 30us\ntimer = 50us\ndecision = 2us\nprocessors = 4\nloop = 70us\nsteal = 0.01\nrun-beside-load = 0.9\nrun-beside-evict = 0.8\n" \
  "load-beside-run = 0.7\n" \
  "evict-beside-run = 0.6\n"
#define TASK "[task w/0]\nruntime = 90ms\ncv = 0.02\ncold = 95ms\n"

static void
assert_refused (const char *text, const char *message)
{
  GError *error = NULL;

  ck_assert_ptr_null (bn_profile_parse (text, "p.ini", &error));
  ck_assert_str_eq (error->message, message);
  g_error_free (error);
}

START_TEST (a_profile_reads_back_as_it_was_written)
{
  GError *error = NULL;
  BnProfile *first = bn_profile_parse (MACHINE "contention = 1, 0.93 0.5\n" TASK, "p.ini", &error);
  ck_assert_msg (first != NULL, "%s", error ? error->message : "");
  g_autofree char *text = bn_profile_format (first, "of a machine\non a day");
  BnProfile *second = bn_profile_parse (text, "p.ini", &error);
  ck_assert_msg (second != NULL, "%s", error ? error->message : "");
  g_autofree char *again = bn_profile_format (second, "of a machine\non a day");

  ck_assert_str_eq (text, again);
  ck_assert (g_str_has_prefix (text, "# of a machine\n# on a day\n[profile]\nbackend = cpu\n"));
  ck_assert_int_eq (second->scale_ppm, 1000);
  ck_assert_uint_eq (second->machine.n_speeds, 3);
  ck_assert_double_eq (second->machine.speeds[1], 0.93);
  ck_assert_int_eq (second->machine.n_processors, 4);
  ck_assert_int_eq (second->machine.loop_ns, 70000);
  ck_assert_double_eq (second->machine.run_beside_load, 0.9);
  ck_assert_double_eq (second->machine.run_beside_evict, 0.8);
  ck_assert_double_eq (second->machine.load_beside_run, 0.7);
  ck_assert_double_eq (second->machine.evict_beside_run, 0.6);
  ck_assert_int_eq (bn_measured_copy (&second->machine.load, 5000000), 1020000);
  ck_assert_int_eq (bn_measured_copy (&second->machine.evict, 5000000), 3000);
  const BnProfileTask *task = g_ptr_array_index (second->tasks, 0);
  ck_assert_str_eq (task->name, "w/0");
  ck_assert_int_eq (task->cold_ns, 95 * BN_NS_PER_MS);
  bn_profile_free (first);
  bn_profile_free (second);
}
END_TEST

START_TEST (mistakes_are_named_with_their_line)
{
  assert_refused (TASK, "p.ini: is no profile: it has no section [profile]; make one with binnacle calibrate");
  assert_refused ("[profil]\n", "p.ini:1: 'profil' is not a section of a profile; there are profile and task"
                                " WORKFLOW/LABEL");
  assert_refused (MACHINE TASK, "p.ini:1: [profile] lacks the key 'contention'; make the profile with binnacle"
                                " calibrate");
  assert_refused (MACHINE "contention = 0.9\n", "p.ini:21: contention: begins with 1, the speed of one busy worker;"
                                                " write 1, 0.9, say");
  assert_refused (MACHINE "contention = 1, 2\n", "p.ini:21: contention: 2 is out of range; it may be 0.001 to 1");
  assert_refused (MACHINE "contention = 1, 0.8, 0.9\n", "p.ini:21: contention: 0.9 is above the number before it, and"
                                                        " more busy workers are never faster; write 1, 0.9, 0.8, say");
  assert_refused (MACHINE "contention = 1\nrate = 3\n",
                  "p.ini:22: 'rate' is not a key of [profile]; it knows backend, scale, load-latency, load-rate,"
                  " evict-latency, evict-rate, network-latency, network-rate, launch, wake-up, timer, decision, processors, loop, steal,"
                  " run-beside-load, run-beside-evict, load-beside-run, evict-beside-run, contention");
  assert_refused (MACHINE "contention = 1\n[task w/0]\nruntime = 90\ncv = 0\ncold = 1ms\n",
                  "p.ini:23: runtime: '90' has no unit: a duration needs one of the units ns us ms s min h, for"
                  " example 10ms");
}
END_TEST

START_TEST (a_profile_is_of_one_backend_and_the_model_takes_any)
{
  BnProfile *profile = bn_profile_parse (MACHINE "contention = 1\n" TASK, "p.ini", NULL);
  GError *error = NULL;

  ck_assert (bn_profile_serves (profile, "cpu", &error));
  ck_assert (bn_profile_serves (profile, "model", &error));
  ck_assert (!bn_profile_serves (profile, "cuda", &error));
  ck_assert_str_eq (error->message, "p.ini: was measured of backend cpu and the run is on backend cuda; calibrate that"
                                    " one");
  g_error_free (error);
  bn_profile_free (profile);
}
END_TEST

START_TEST (a_profile_without_a_rate_of_loads_has_their_latency_and_says_so)
{
  g_auto (GStrv) halves = g_strsplit (MACHINE "contention = 1\n" TASK, "load-rate = 5GB/s", 2);
  g_autofree char *text = g_strjoin ("load-rate = 0", halves[0], halves[1], NULL);
  BnProfile *with = bn_profile_parse (MACHINE "contention = 1\n" TASK, "p.ini", NULL);
  BnProfile *without = bn_profile_parse (text, "p.ini", NULL);

  ck_assert_int_eq (bn_measured_copy (&without->machine.load, 5000000000), 20000);
  g_autofree char *said = bn_profile_remark (without);
  ck_assert_str_eq (said, "p.ini: load-rate is 0, as loads of all sizes measured took the same: a load of any size"
                          " takes the latency");
  ck_assert_ptr_null (bn_profile_remark (with));
  bn_profile_free (with);
  bn_profile_free (without);
}
END_TEST

START_TEST (no_copy_takes_more_than_a_day)
{
  static const char text[] = "[model m]\nsize = 5GB\n[workflow w]\n[task w/0]\nmodel = m\ninput = 1GB\noutput = 1kB\n"
                             "runtime = 1s\n";
  BnCatalogue *catalogue = bn_catalogue_parse (text, strlen (text), "c.ini", INT64_MAX, NULL);
  BnProfile *profile = bn_profile_parse (MACHINE "contention = 1\n" TASK, "p.ini", NULL);
  BnMeasuredCopy *copies[] = { &profile->machine.load, &profile->machine.evict, &profile->machine.transfer };
  const char *messages[] = {
    "p.ini: load-latency and load-rate say that 5GB takes more than a day; check the two",
    "p.ini: evict-latency and evict-rate say that 5GB takes more than a day; check the two",
    "p.ini: network-latency and network-rate say that 1GB takes more than a day; check the two",
  };

  ck_assert (bn_profile_check_copies (profile, catalogue, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      BnMeasuredCopy before = *copies[i];
      GError *error = NULL;
      copies[i]->bytes_per_s = 10000;
      ck_assert (!bn_profile_check_copies (profile, catalogue, &error));
      ck_assert_str_eq (error->message, messages[i]);
      g_error_free (error);
      *copies[i] = before;
    }
  bn_catalogue_free (catalogue);
  bn_profile_free (profile);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("profile");
  TCase *t = tcase_create ("profile");

  tcase_add_test (t, a_profile_reads_back_as_it_was_written);
  tcase_add_test (t, mistakes_are_named_with_their_line);
  tcase_add_test (t, a_profile_is_of_one_backend_and_the_model_takes_any);
  tcase_add_test (t, no_copy_takes_more_than_a_day);
  tcase_add_test (t, a_profile_without_a_rate_of_loads_has_their_latency_and_says_so);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
