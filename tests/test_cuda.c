/* test_cuda.c: the CUDA backend on the fake driver: the script of every real backend, and what it finds
 * when it opens.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backend_bench.h"
#include "cuda_backend.h"
#include "fake_driver.h"
#include "platform_build.h"
#include "suite.h"

#define MB INT64_C (1000000)

static FakeDriver driver;

const BnBackend *
bench_backend (void)
{
  return &bn_cuda_module_backend;
}

/* The fake driver is some hundred times slower than a CPU. */
BnDuration
bench_long_ns (void)
{
  return 2 * BN_NS_PER_MS;
}

int
bench_rounds (void)
{
  return 12;
}

/* Two GPUs, so that some transfers stay on one and others do not. */
static void
use_two_gpus (void)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;

  settings.n_devices = 2;
  driver = fake_driver_use (&settings);
}

static void
is_clean (void)
{
  fake_driver_is_clean (&driver);
}

/* ---- why it cannot be used ---- */

static void
is_unavailable (const char *because)
{
  g_autofree char *reason = bn_cuda_module_backend.unavailable ();
  BnBackendDevice device;

  ck_assert_msg (reason && strstr (reason, because), "'%s' does not say '%s'", reason ? reason : "available", because);
  ck_assert_uint_eq (bn_cuda_module_backend.devices (&device, 1), 0);
}

START_TEST (it_says_that_there_is_no_driver)
{
  g_setenv ("BINNACLE_CUDA_DRIVER", "/nowhere/libcuda.so.1", TRUE);
  is_unavailable ("no driver: /nowhere/libcuda.so.1 cannot be opened (");
}
END_TEST

START_TEST (it_says_what_a_driver_lacks)
{
  g_setenv ("BINNACLE_CUDA_DRIVER", "libm.so.6", TRUE);
  is_unavailable ("libm.so.6 lacks cuInit");
}
END_TEST

START_TEST (it_says_that_there_is_no_device)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;

  settings.n_devices = 0;
  driver = fake_driver_use (&settings);
  is_unavailable ("no device");
}
END_TEST

START_TEST (it_says_that_the_driver_is_too_old)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;

  settings.version = 12020;
  driver = fake_driver_use (&settings);
  is_unavailable ("driver too old: it supports CUDA 12.2, this build needs 13.0");
}
END_TEST

START_TEST (usable_memory_is_asked_of_the_device)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;
  BnBackendDevice devices[3] = { 0 };

  settings.n_devices = 2;
  settings.memory_bytes = INT64_C (1) << 30;
  driver = fake_driver_use (&settings);
  ck_assert_ptr_null (bn_cuda_module_backend.unavailable ());
  ck_assert_uint_eq (bn_cuda_module_backend.devices (devices, 1), 2);
  ck_assert_str_eq (devices[0].name, "Fake 0");
  ck_assert_str_eq (devices[1].name, "");
  ck_assert_uint_eq (bn_cuda_module_backend.devices (devices, 3), 2);
  ck_assert_str_eq (devices[1].name, "Fake 1");
  ck_assert_int_eq (devices[1].usable_bytes, settings.memory_bytes - (INT64_C (592) << 20));
  is_clean ();
}
END_TEST

/* ---- opening ---- */

static void *
try_open (int64_t memory_bytes, GError **error)
{
  BnServerGroup group = { 3, 1,
                          { .name = "gpu", .group = "gpu", .memory_bytes = memory_bytes, .speed_ppm = BN_PPM_ONE,
                            .pcie_bytes_per_s = MB, .slots = 2 } };
  BnNetwork network = bn_network_default ();
  BnCatalogue *catalogue = bench_catalogue ();
  BnPlatform *platform = bn_platform_new (&group, 1, &network);
  BnCost *cost = bn_cost_new (platform, catalogue);
  BnBackendSettings settings = BN_BACKEND_SETTINGS_INIT;
  BnBackendSetup setup = { sizeof setup, platform, catalogue, cost, false, NULL, &settings };

  void *state = bn_cuda_module_backend.open (&setup, error);
  if (state)
    bn_cuda_module_backend.close (state, false);
  bn_cost_free (cost);
  bn_platform_free (platform);
  bn_catalogue_free (catalogue);
  return state;
}

START_TEST (more_memory_than_there_is_is_refused_with_figures)
{
  GError *error = NULL;

  ck_assert_ptr_null (try_open (1000 * MB, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "GPU 0 (Fake 0): its 2 workers ask for 2.000"));
  ck_assert_ptr_nonnull (strstr (error->message, "1.610612736GB can be used"));
  ck_assert_ptr_nonnull (strstr (error->message, "--scale"));
  g_error_free (error);
}
END_TEST

START_TEST (no_allocation_that_fails_leaves_anything_behind)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;
  int n_refused = 0;
  void *state = NULL;

  settings.n_devices = 2;
  for (settings.fail_alloc = 1; !state; settings.fail_alloc++)
    {
      GError *error = NULL;
      driver.change (&settings);
      state = try_open (MB, &error);
      if (state)
        break;
      n_refused++;
      ck_assert_msg (strstr (error->message, "CUDA_ERROR_OUT_OF_MEMORY: out of memory"), "%s", error->message);
      g_error_free (error);
      is_clean ();
    }
  /* an allocation for models a worker, and one for data a GPU */
  ck_assert_int_eq (n_refused, 3 + 2);
}
END_TEST

START_TEST (a_library_that_is_named_and_is_no_cublas_is_an_error_that_says_what_it_lacks)
{
  GError *error = NULL;

  g_setenv ("BINNACLE_CUBLAS", "libm.so.6", TRUE);
  ck_assert_ptr_null (try_open (MB, &error));
  ck_assert_msg (strstr (error->message, "BINNACLE_CUBLAS names libm.so.6") && strstr (error->message, "cublasCreate_v2"),
                 "%s", error->message);
  g_error_free (error);
}
END_TEST

START_TEST (a_cublas_that_is_named_and_not_there_is_an_error)
{
  GError *error = NULL;

  g_setenv ("BINNACLE_CUBLAS", "/nowhere/libcublas.so", TRUE);
  ck_assert_ptr_null (try_open (MB, &error));
  ck_assert_ptr_nonnull (strstr (error->message, "BINNACLE_CUBLAS names /nowhere/libcublas.so"));
  g_error_free (error);
}
END_TEST

/* ---- what it does without ---- */

/* A diamond over three workers. */
static void
execute_diamond (Bench *bench)
{
  BnJob *job = bench_job (bench, BENCH_DIAMOND, 0);
  BenchOp *last;

  bench_ok (bench, bench_load (bench, 0, BENCH_BURN));
  bench_ok (bench, bench_load (bench, 1, BENCH_MLP));
  bench_ok (bench, bench_load (bench, 2, BENCH_LSTM));
  bench_ok (bench, bench_load (bench, 1, BENCH_TRANSFORMER));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  bench_ok (bench, bench_transfer (bench, job, 1, 0, 0, 1));
  bench_ok (bench, bench_transfer (bench, job, 2, 0, 0, 2));
  bench_ok (bench, bench_run (bench, 1, job, 1));
  bench_ok (bench, bench_run (bench, 2, job, 2));
  bench_ok (bench, bench_transfer (bench, job, 3, 2, 2, 1));
  bench_ok (bench, last = bench_run (bench, 1, job, 3));
  bench_matches_reference (bench, last);
}

START_TEST (pinning_that_is_refused_is_said_and_done_without)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;

  settings.refuses_to_pin = true;
  driver = fake_driver_use (&settings);
  Bench *bench = bench_open ((BenchCluster) { 3, 1, MB, false });
  g_autofree char *text = bn_cuda_module_backend.describe (bench->state);
  ck_assert_str_eq (text, "Fake 0; CUDA 13.0; matrices multiplied by own kernels; weights of 7 of 7 models could not "
                          "be pinned, so they load more slowly");
  execute_diamond (bench);
  bench_close (bench);
}
END_TEST

START_TEST (gpus_without_a_direct_way_exchange_data_all_the_same)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;
  FakeCudaCounts counts;

  settings.n_devices = 2;
  settings.has_no_peers = true;
  driver = fake_driver_use (&settings);
  Bench *bench = bench_open ((BenchCluster) { 3, 1, MB, false });
  execute_diamond (bench);
  driver.get_counts (&counts);
  ck_assert_int_eq (counts.n_copies_between, 2);
  ck_assert_int_eq (counts.n_copies_within, 1);
  bench_close (bench);
}
END_TEST

START_TEST (cublas_multiplies_where_it_is_there)
{
  g_autofree char *path = fake_driver_path ();
  FakeCudaCounts counts;

  g_setenv ("BINNACLE_CUBLAS", path, TRUE);
  Bench *bench = bench_open ((BenchCluster) { 3, 2, MB, false });
  g_autofree char *text = bn_cuda_module_backend.describe (bench->state);
  ck_assert_ptr_nonnull (strstr (text, path));
  execute_diamond (bench);
  driver.get_counts (&counts);
  ck_assert_int_gt (counts.n_products, 0);
  bench_close (bench);
}
END_TEST

START_TEST (a_product_that_cublas_refuses_fails_its_task)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;
  g_autofree char *path = fake_driver_path ();

  g_setenv ("BINNACLE_CUBLAS", path, TRUE);
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  BnJob *job = bench_job (bench, BENCH_MLP, 0);
  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  settings.fail_blas = 2;
  driver.change (&settings);
  BenchOp *run = bench_run (bench, 0, job, 0);
  ck_assert_int_eq (bench_wait (bench, run), BN_OP_FAILED);
  ck_assert_ptr_nonnull (strstr (run->op.reason, "cuBLAS on GPU 0 (Fake 0): its status 13"));
  run = bench_run (bench, 0, job, 0);
  bench_ok (bench, run);
  bench_matches_reference (bench, run);
  bench_close (bench);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cuda backend");
  TCase *script = backend_script (), *unavailable = tcase_create ("unavailable"), *open = tcase_create ("open");

  tcase_add_checked_fixture (script, use_two_gpus, is_clean);
  suite_add_tcase (suite, script);

  tcase_add_test (unavailable, it_says_that_there_is_no_driver);
  tcase_add_test (unavailable, it_says_what_a_driver_lacks);
  tcase_add_test (unavailable, it_says_that_there_is_no_device);
  tcase_add_test (unavailable, it_says_that_the_driver_is_too_old);
  tcase_add_test (unavailable, usable_memory_is_asked_of_the_device);
  suite_add_tcase (suite, unavailable);

  tcase_set_timeout (open, 120);
  tcase_add_checked_fixture (open, use_two_gpus, is_clean);
  tcase_add_test (open, more_memory_than_there_is_is_refused_with_figures);
  tcase_add_test (open, no_allocation_that_fails_leaves_anything_behind);
  tcase_add_test (open, a_library_that_is_named_and_is_no_cublas_is_an_error_that_says_what_it_lacks);
  tcase_add_test (open, a_cublas_that_is_named_and_not_there_is_an_error);
  tcase_add_test (open, pinning_that_is_refused_is_said_and_done_without);
  tcase_add_test (open, gpus_without_a_direct_way_exchange_data_all_the_same);
  tcase_add_test (open, cublas_multiplies_where_it_is_there);
  tcase_add_test (open, a_product_that_cublas_refuses_fails_its_task);
  suite_add_tcase (suite, open);
  return run_suite (suite);
}
