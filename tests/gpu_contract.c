/* gpu_contract.c: what every real backend must do, and the kernels against the CPU, on the driver of
 * this machine. tests/gpu/run runs it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The backend is the program's, so its module is loaded; kernels are compared beneath it. With
 * BN_GPU_SMALL=1, sizes are what the fake driver can bear.
 */
#include "backend_bench.h"
#include "kernel_comparison.h"
#include "suite.h"

static bool
is_small (void)
{
  return g_strcmp0 (g_getenv ("BN_GPU_SMALL"), "1") == 0;
}

const BnBackend *
bench_backend (void)
{
  return &bn_cuda_backend;
}

BnDuration
bench_long_ns (void)
{
  return is_small () ? 2 * BN_NS_PER_MS : BN_NS_PER_S;
}

int
bench_rounds (void)
{
  return is_small () ? 6 : 200;
}

int
main (void)
{
  Suite *suite = suite_create ("cuda on this machine");

  suite_add_tcase (suite, backend_script ());
  suite_add_tcase (suite, kernel_comparison (is_small () ? 100000 : 60000000, NULL, NULL));
  return run_suite (suite);
}
