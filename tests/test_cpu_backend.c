/* test_cpu_backend.c: the CPU backend: the script of every real backend, and its own ends.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <string.h>

#include "backend_bench.h"
#include "platform_build.h"
#include "suite.h"

#define MB INT64_C (1000000)

const BnBackend *
bench_backend (void)
{
  return &bn_cpu_backend;
}

BnDuration
bench_long_ns (void)
{
  return 100 * BN_NS_PER_MS;
}

int
bench_rounds (void)
{
  return 60;
}

START_TEST (what_waits_in_a_queue_is_cancelled)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });

  bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
  BenchOp *first = bench_run (bench, 0, bench_job (bench, BENCH_LONG, 0), 0);
  BenchOp *second = bench_run (bench, 0, bench_job (bench, BENCH_BURN, 0), 0);
  bn_cpu_backend.cancel (bench->state, &second->op);
  ck_assert_int_eq (bench_wait (bench, second), BN_OP_CANCELLED);
  bench_ok (bench, first);
  bench_close (bench);
}
END_TEST

START_TEST (more_memory_than_there_is_is_refused_with_figures)
{
  BnServerGroup group = { 2, 1,
                          { .name = "gpu", .group = "gpu", .memory_bytes = INT64_C (1000000000000000),
                            .speed_ppm = BN_PPM_ONE, .pcie_bytes_per_s = MB, .slots = 1 } };
  BnNetwork network = bn_network_default ();
  BnCatalogue *catalogue = bench_catalogue ();
  BnPlatform *platform = bn_platform_new (&group, 1, &network);
  BnCost *cost = bn_cost_new (platform, catalogue);
  BnBackendSettings settings = BN_BACKEND_SETTINGS_INIT;
  BnBackendSetup setup = { sizeof setup, platform, catalogue, cost, false, NULL, &settings };
  GError *error = NULL;

  ck_assert_ptr_null (bn_cpu_backend.open (&setup, &error));
  ck_assert_ptr_nonnull (error);
  ck_assert_ptr_nonnull (strstr (error->message, "2000"));
  ck_assert_ptr_nonnull (strstr (error->message, "--scale"));
  g_error_free (error);
  bn_cost_free (cost);
  bn_platform_free (platform);
  bn_catalogue_free (catalogue);
}
END_TEST

START_TEST (weights_that_find_no_memory_beside_others_are_refused_with_figures)
{
  BnCatalogue *catalogue = bench_catalogue ();
  GError *error = NULL;

  ((BnModel *) &catalogue->models[BENCH_MLP])->size_bytes = INT64_C (90000000000000);
  ck_assert_ptr_null (bn_reference_new (catalogue, 1, BN_NN_BLAS, &error));
  ck_assert_msg (strstr (error->message, "--verify computes all anew: the weights of all models need 90.0000013")
                 && strstr (error->message, "--scale"), "%s", error->message);
  g_error_free (error);
  bn_catalogue_free (catalogue);
}
END_TEST

START_TEST (threads_that_cannot_be_made_are_told)
{
  /* one for transfers; a worker has one for loads, and one a slot */
  bench_opens_with_enough_threads (1 + 2 * (1 + 2));
}
END_TEST

/* Ends by a signal, as threads that are left alone may still use what exit would take from them. */
START_TEST (an_abandoned_backend_answers_no_more)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  BenchOp *runs[50];
  int n_completed = 0, n_later = 0;

  bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
  for (int i = 0; i < 50; i++)
    runs[i] = bench_run (bench, 0, bench_job (bench, BENCH_LONG, 0), 0);
  bn_cpu_backend.close (bench->state, true);
  for (int i = 0; i < 50; i++)
    n_completed += runs[i]->completed;
  g_usleep (300000);
  for (int i = 0; i < 50; i++)
    n_later += runs[i]->completed;
  ck_assert_int_eq (n_later, n_completed);
  ck_assert_int_lt (n_completed, 50);
  raise (SIGKILL);
}
END_TEST

START_TEST (there_is_a_device_a_processor)
{
  BnBackendDevice devices[2] = { 0 };
  uint32_t n = bn_cpu_backend.devices (devices, 2);

  ck_assert_uint_eq (n, g_get_num_processors ());
  ck_assert (strstr (devices[0].name, "processor 1"));
  ck_assert_int_gt (devices[0].usable_bytes, 0);
  ck_assert_uint_eq (bn_cpu_backend.devices (NULL, 0), n);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cpu backend");
  TCase *tc = tcase_create ("cpu");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, what_waits_in_a_queue_is_cancelled);
  tcase_add_test (tc, more_memory_than_there_is_is_refused_with_figures);
  tcase_add_test (tc, weights_that_find_no_memory_beside_others_are_refused_with_figures);
  tcase_add_test (tc, threads_that_cannot_be_made_are_told);
  tcase_add_test_raise_signal (tc, an_abandoned_backend_answers_no_more, SIGKILL);
  tcase_add_test (tc, there_is_a_device_a_processor);
  suite_add_tcase (suite, backend_script ());
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
