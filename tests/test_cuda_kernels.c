/* test_cuda_kernels.c: what the kernels compute, against the CPU. On the fake driver, which executes
 * the text of kernels.cu; tests/gpu/run does the same on a GPU.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "fake_driver.h"
#include "kernel_comparison.h"
#include "suite.h"

static FakeDriver driver;

static void
use_fake_driver (void)
{
  FakeCudaSettings settings = FAKE_CUDA_SETTINGS_INIT;

  driver = fake_driver_use (&settings);
}

static void
is_clean (void)
{
  fake_driver_is_clean (&driver);
}

int
main (void)
{
  Suite *suite = suite_create ("cuda kernels");

  suite_add_tcase (suite, kernel_comparison (1000000, use_fake_driver, is_clean));
  return run_suite (suite);
}
