/* test_cuda_faults.c: the CUDA backend when copies, kernels and devices fail: every operation completes, with
 * what happened, and nothing else is lost.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "backend_bench.h"
#include "cuda_backend.h"
#include "fake_driver.h"
#include "suite.h"

#define MB INT64_C (1000000)

/* CUresult. */
enum
{
  INVALID_VALUE = 1,
  ECC_UNCORRECTABLE = 214,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_OUT_OF_RESOURCES = 701,
  LAUNCH_FAILED = 719
};

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

static FakeCudaSettings
faults_with (int error)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;

  settings.n_devices = 2;
  settings.error = error;
  return settings;
}

static void
ends (Bench *bench, BenchOp *op, BnOpStatus status, const char *because)
{
  ck_assert_int_eq (bench_wait (bench, op), status);
  ck_assert_msg (strstr (op->op.reason, because), "'%s' does not say '%s'", op->op.reason, because);
}

static void
run_matches (Bench *bench, uint32_t worker, BnJob *job, uint32_t task)
{
  BenchOp *run = bench_run (bench, worker, job, task);

  bench_ok (bench, run);
  bench_matches_reference (bench, run);
}

START_TEST (a_load_that_fails_leaves_room_to_try_again)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, bench_model_bytes (BENCH_MLP), false });
  FakeCudaSettings settings = faults_with (INVALID_VALUE);
  BnJob *job = bench_job (bench, BENCH_MLP, 0);

  settings.fail_copy = 1;
  driver.change (&settings);
  ends (bench, bench_load (bench, 0, BENCH_MLP), BN_OP_FAILED,
        "loading a model on GPU 0 (Fake 0): CUDA_ERROR_INVALID_VALUE: invalid argument");
  ends (bench, bench_run (bench, 0, job, 0), BN_OP_FAILED, "finds model mlp not loaded");
  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  run_matches (bench, 0, job, 0);
  bench_close (bench);
}
END_TEST

START_TEST (an_eviction_that_fails_leaves_the_model_where_it_is)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  FakeCudaSettings settings = faults_with (INVALID_VALUE);

  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  settings.fail_copy = 1;
  driver.change (&settings);
  ends (bench, bench_evict (bench, 0, BENCH_MLP), BN_OP_FAILED, "writing a model back");
  run_matches (bench, 0, bench_job (bench, BENCH_MLP, 0), 0);
  bench_ok (bench, bench_evict (bench, 0, BENCH_MLP));
  ends (bench, bench_evict (bench, 0, BENCH_MLP), BN_OP_FAILED, "model mlp is not on worker 0");
  bench_close (bench);
}
END_TEST

START_TEST (memory_for_data_that_runs_out_fails_one_operation)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  FakeCudaSettings settings = faults_with (LAUNCH_FAILED);
  BenchOp *transfer = NULL;
  BnJob *job = NULL;

  settings.fail_alloc = 1;
  driver.change (&settings);
  /* each takes 128 KiB of the first 64 MiB */
  for (int i = 0; i < 1000; i++)
    {
      job = bench_job (bench, BENCH_BARE, 0);
      transfer = bench_transfer (bench, job, 0, BN_NONE, BN_NONE, 0);
      if (bench_wait (bench, transfer) != BN_OP_OK)
        break;
    }
  ends (bench, transfer, BN_OP_OUT_OF_MEMORY,
        "memory for what a client sends on GPU 0 (Fake 0): CUDA_ERROR_OUT_OF_MEMORY");
  bench_ok (bench, bench_transfer (bench, job, 0, BN_NONE, BN_NONE, 0));
  run_matches (bench, 0, job, 0);
  bench_close (bench);
}
END_TEST

START_TEST (a_job_that_is_over_gives_its_memory_back)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  FakeCudaSettings settings = faults_with (LAUNCH_FAILED);

  settings.fail_alloc = 1;
  driver.change (&settings);
  for (int i = 0; i < 1000; i++)
    {
      BnJob *job = bench_job (bench, BENCH_BARE, 0);
      bench_ok (bench, bench_transfer (bench, job, 0, BN_NONE, BN_NONE, 0));
      bn_cuda_module_backend.job_over (bench->state, job);
    }
  bench_close (bench);
}
END_TEST

START_TEST (a_launch_that_is_refused_fails_its_task_only)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  FakeCudaSettings settings = faults_with (LAUNCH_OUT_OF_RESOURCES);
  BnJob *job = bench_job (bench, BENCH_TRANSFORMER, 0);

  bench_ok (bench, bench_load (bench, 0, BENCH_TRANSFORMER));
  for (settings.fail_launch = 1; settings.fail_launch < 20; settings.fail_launch += 6)
    {
      driver.change (&settings);
      ends (bench, bench_run (bench, 0, job, 0), BN_OP_FAILED,
            "launching a kernel on GPU 0 (Fake 0): CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES");
      run_matches (bench, 0, job, 0);
    }
  bench_close (bench);
}
END_TEST

/* What a lost device does to all that comes after, while the other one goes on. Worker 0 and 2 are on
 * GPU 0, worker 1 on GPU 1, and model and output of a chain's first task on both 0 and 1. */
static Bench *
open_for_loss (BnJob **job)
{
  Bench *bench = bench_open ((BenchCluster) { 3, 1, MB, false });

  *job = bench_job (bench, BENCH_CHAIN, 0);
  for (uint32_t worker = 0; worker < 2; worker++)
    {
      bench_ok (bench, bench_load (bench, worker, BENCH_MLP));
      bench_ok (bench, bench_load (bench, worker, BENCH_CONV));
    }
  bench_ok (bench, bench_run (bench, 0, *job, 0));
  return bench;
}

static void
gpu_0_is_lost (Bench *bench, BnJob *job)
{
  static const char because[] = "GPU 0 (Fake 0) was lost: ";
  BnJob *other = bench_job (bench, BENCH_CHAIN, 1);

  ends (bench, bench_run (bench, 0, job, 1), BN_OP_DEVICE_LOST, because);
  ends (bench, bench_load (bench, 2, BENCH_MLP), BN_OP_DEVICE_LOST, because);
  ends (bench, bench_evict (bench, 0, BENCH_MLP), BN_OP_DEVICE_LOST, because);
  ends (bench, bench_transfer (bench, other, 0, BN_NONE, BN_NONE, 2), BN_OP_DEVICE_LOST, because);
  ends (bench, bench_transfer (bench, job, 1, 0, 0, 1), BN_OP_FAILED, because);
  run_matches (bench, 1, other, 0);
  run_matches (bench, 1, other, 1);
}

START_TEST (a_launch_that_breaks_the_context_loses_the_device)
{
  FakeCudaSettings settings = faults_with (LAUNCH_FAILED);
  BnJob *job;
  Bench *bench = open_for_loss (&job);

  settings.fail_launch = 3;
  driver.change (&settings);
  ends (bench, bench_run (bench, 0, job, 1), BN_OP_DEVICE_LOST, "CUDA_ERROR_LAUNCH_FAILED");
  gpu_0_is_lost (bench, job);
  bench_close (bench);
}
END_TEST

START_TEST (a_kernel_that_faults_loses_the_device)
{
  FakeCudaSettings settings = faults_with (ILLEGAL_ADDRESS);
  BnJob *job;
  Bench *bench = open_for_loss (&job);

  settings.fail_kernel = 3;
  driver.change (&settings);
  ends (bench, bench_run (bench, 0, job, 1), BN_OP_DEVICE_LOST, "CUDA_ERROR_ILLEGAL_ADDRESS");
  gpu_0_is_lost (bench, job);
  bench_close (bench);
}
END_TEST

START_TEST (all_that_is_open_on_a_device_ends_with_it)
{
  BnJob *job, *other;
  Bench *bench = open_for_loss (&job);

  other = bench_job (bench, BENCH_CHAIN, 1);
  driver.hold (true);
  BenchOp *lost[] = { bench_run (bench, 0, job, 1), bench_load (bench, 2, BENCH_MLP),
                      bench_evict (bench, 0, BENCH_MLP), bench_transfer (bench, job, 1, 0, 0, 2),
                      bench_run (bench, 0, job, 1) };
  BenchOp *kept = bench_run (bench, 1, other, 0);
  g_usleep (10000); /* most are under way then; how many does not matter */
  driver.lose (0, ECC_UNCORRECTABLE);
  for (size_t i = 0; i < G_N_ELEMENTS (lost); i++)
    ends (bench, lost[i], BN_OP_DEVICE_LOST, "CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable ECC error encountered");
  driver.hold (false);
  bench_ok (bench, kept);
  bench_matches_reference (bench, kept);
  gpu_0_is_lost (bench, job);
  bench_close (bench);
}
END_TEST

START_TEST (a_copy_whose_source_is_lost_fails_where_it_goes)
{
  BnJob *job;
  Bench *bench = open_for_loss (&job);

  driver.lose (0, ECC_UNCORRECTABLE);
  ends (bench, bench_transfer (bench, job, 1, 0, 0, 1), BN_OP_FAILED, "CUDA_ERROR_ECC_UNCORRECTABLE");
  gpu_0_is_lost (bench, job);
  bench_close (bench);
}
END_TEST

/* What a stream that cannot be waited for still uses, nobody may use again. */
START_TEST (a_stream_that_cannot_be_waited_for_loses_the_device)
{
  FakeCudaSettings settings = faults_with (INVALID_VALUE);
  BnJob *job;
  Bench *bench = open_for_loss (&job);

  settings.fail_record = 1;
  driver.change (&settings);
  ends (bench, bench_run (bench, 0, job, 1), BN_OP_DEVICE_LOST, "executing a task on GPU 0 (Fake 0): CUDA error 999");
  gpu_0_is_lost (bench, job);
  bench_close (bench);
}
END_TEST

START_TEST (an_error_that_has_no_name_is_told_by_its_number)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  FakeCudaSettings settings = faults_with (1234);

  settings.fail_copy = 1;
  driver.change (&settings);
  ends (bench, bench_load (bench, 0, BENCH_MLP), BN_OP_FAILED, "CUDA error 1234");
  bench_close (bench);
}
END_TEST

START_TEST (what_waits_is_cancelled_and_what_is_under_way_ends)
{
  Bench *bench = bench_open ((BenchCluster) { 1, 1, MB, false });
  BenchOp *runs[3], *loads[3];

  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  driver.hold (true);
  for (uint32_t i = 0; i < 3; i++)
    {
      runs[i] = bench_run (bench, 0, bench_job (bench, BENCH_MLP, 0), 0);
      loads[i] = bench_load (bench, 0, BENCH_BURN + 2 * i);
    }
  for (int i = 1; i < 3; i++)
    {
      bn_cuda_module_backend.cancel (bench->state, &runs[i]->op);
      bn_cuda_module_backend.cancel (bench->state, &loads[i]->op);
      ck_assert_int_eq (bench_wait (bench, runs[i]), BN_OP_CANCELLED);
      ck_assert_int_eq (bench_wait (bench, loads[i]), BN_OP_CANCELLED);
    }
  driver.hold (false);
  bench_ok (bench, runs[0]);
  bench_ok (bench, loads[0]);
  bench_matches_reference (bench, runs[0]);
  bench_close (bench);
}
END_TEST

START_TEST (threads_that_cannot_be_made_are_told)
{
  /* a worker has one for loads, one for transfers, and one a slot */
  bench_opens_with_enough_threads (2 * (2 + 2));
}
END_TEST

/* Its state and the bench stay reachable: threads that are left alone use them. */
static Bench *abandoned;

START_TEST (a_driver_that_hangs_is_abandoned_without_waiting)
{
  abandoned = bench_open ((BenchCluster) { 2, 2, MB, false });
  bench_ok (abandoned, bench_load (abandoned, 0, BENCH_MLP));
  driver.hold (true);
  bench_run (abandoned, 0, bench_job (abandoned, BENCH_MLP, 0), 0);
  bench_load (abandoned, 1, BENCH_LSTM);
  bn_cuda_module_backend.close (abandoned->state, true);
}
END_TEST

/* Streams that run at different paces, with everything going on at once on every worker. */
START_TEST (slow_and_reordered_completions_mix_nothing_up)
{
  FakeCudaSettings settings = faults_with (LAUNCH_FAILED);
  Bench *bench = bench_open ((BenchCluster) { 3, 2, 2 * MB, false });
  GPtrArray *runs = g_ptr_array_new ();

  settings.delay_us = 300;
  driver.change (&settings);
  for (uint32_t worker = 0; worker < 3; worker++)
    for (uint32_t model = BENCH_BURN; model <= BENCH_TRANSFORMER; model++)
      bench_load (bench, worker, model);
  bench_wait_all (bench);
  for (int i = 0; i < 30; i++)
    {
      uint32_t worker = (uint32_t) i % 3;
      BnJob *job = bench_job (bench, (uint32_t) i % BENCH_N_MODELS <= BENCH_TRANSFORMER
                                       ? (uint32_t) i % BENCH_N_MODELS : BENCH_CHAIN, (int32_t) worker);
      g_ptr_array_add (runs, bench_run (bench, worker, job, 0));
      bench_transfer (bench, bench_job (bench, BENCH_BARE, 0), 0, BN_NONE, BN_NONE, worker);
      if (i % 5 == 0)
        bench_load (bench, worker, BENCH_SPARE_A + (uint32_t) i / 5 % 2);
    }
  for (guint i = 0; i < runs->len; i++)
    {
      bench_ok (bench, runs->pdata[i]);
      bench_matches_reference (bench, runs->pdata[i]);
    }
  g_ptr_array_unref (runs);
  bench_close (bench);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("cuda faults");
  TCase *tc = tcase_create ("faults"), *hang = tcase_create ("hang");

  tcase_set_timeout (tc, 120);
  tcase_add_checked_fixture (tc, use_two_gpus, is_clean);
  tcase_add_test (tc, a_load_that_fails_leaves_room_to_try_again);
  tcase_add_test (tc, an_eviction_that_fails_leaves_the_model_where_it_is);
  tcase_add_test (tc, memory_for_data_that_runs_out_fails_one_operation);
  tcase_add_test (tc, a_job_that_is_over_gives_its_memory_back);
  tcase_add_test (tc, a_launch_that_is_refused_fails_its_task_only);
  tcase_add_test (tc, a_launch_that_breaks_the_context_loses_the_device);
  tcase_add_test (tc, a_kernel_that_faults_loses_the_device);
  tcase_add_test (tc, all_that_is_open_on_a_device_ends_with_it);
  tcase_add_test (tc, a_copy_whose_source_is_lost_fails_where_it_goes);
  tcase_add_test (tc, a_stream_that_cannot_be_waited_for_loses_the_device);
  tcase_add_test (tc, an_error_that_has_no_name_is_told_by_its_number);
  tcase_add_test (tc, what_waits_is_cancelled_and_what_is_under_way_ends);
  tcase_add_test (tc, threads_that_cannot_be_made_are_told);
  tcase_add_test (tc, slow_and_reordered_completions_mix_nothing_up);
  suite_add_tcase (suite, tc);

  tcase_add_checked_fixture (hang, use_two_gpus, NULL);
  tcase_add_test (hang, a_driver_that_hangs_is_abandoned_without_waiting);
  suite_add_tcase (suite, hang);
  return run_suite (suite);
}
