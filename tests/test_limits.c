/* test_limits.c: the CPU backend within limits of the system. Without sanitizers, which need all addresses.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backend_bench.h"
#include "nn.h"
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
  return BN_NS_PER_MS;
}

int
bench_rounds (void)
{
  return 1;
}

/* Of this process, as the limit counts it. */
static int64_t
address_space_in_use (void)
{
  g_autofree char *text = NULL;

  ck_assert (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  return g_ascii_strtoll (text, NULL, 10) * sysconf (_SC_PAGESIZE);
}

static void
limit_address_space (int64_t bytes)
{
  struct rlimit limit;

  ck_assert_int_eq (getrlimit (RLIMIT_AS, &limit), 0);
  limit.rlim_cur = (rlim_t) bytes;
  ck_assert_int_eq (setrlimit (RLIMIT_AS, &limit), 0);
}

/* Products on all executors at once. */
static void
execute_everywhere (Bench *bench)
{
  for (uint32_t worker = 0; worker < 2; worker++)
    bench_ok (bench, bench_load (bench, worker, BENCH_MLP));
  for (uint32_t i = 0; i < 40; i++)
    bench_run (bench, i % 2, bench_job (bench, BENCH_MLP, (int32_t) i % 2), 0);
  for (guint i = 0; i < bench->ops->len; i++)
    bench_ok (bench, bench->ops->pdata[i]);
}

/* More and more is granted until it opens. */
START_TEST (with_too_little_address_space_it_does_not_open_and_with_enough_it_works)
{
  Bench *bench = bench_new ((BenchCluster) { 2, 1, MB, false });
  int64_t in_use = address_space_in_use ();
  guint n_refusals = 0;
  bool opened = false;

  for (int64_t more = 64 * MB; !opened; more += 32 * MB)
    {
      GError *error = NULL;
      limit_address_space (in_use + more);
      opened = bench_try_open (bench, &error);
      ck_assert_int_eq (opened, error == NULL);
      if (error && strstr (error->message, "more of address space than is in use, and the system grants less"))
        n_refusals++;
      g_clear_error (&error);
    }
  execute_everywhere (bench);
  if (bn_nn_blas_name ())
    ck_assert_uint_gt (n_refusals, 0);
  bench_close (bench);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("limits");
  TCase *tc = tcase_create ("limits");

  tcase_set_timeout (tc, 120);
  tcase_add_test (tc, with_too_little_address_space_it_does_not_open_and_with_enough_it_works);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
