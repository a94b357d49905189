/* test_cuda_module.c: the backend cuda as the program lists it, with its module and without.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "backend_bench.h"
#include "fake_driver.h"
#include "module.h"
#include "suite.h"

#define MB INT64_C (1000000)

const BnBackend *
bench_backend (void)
{
  return &bn_cuda_backend;
}

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

/* (transfer full) */
static char *
built_file (const char *name)
{
  const char *build = g_getenv ("BN_BUILDDIR");

  return g_build_filename (build ? build : ".", "tests", name, NULL);
}

/* Makes these bytes, or where `bytes` is NULL nothing, what is found as module cuda. Returns: why it is not one. */
static char *
reason_of_bytes (const char *bytes, gsize n)
{
  g_autofree char *dir = g_dir_make_tmp ("bn-module-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "binnacle-cuda.so", NULL);
  char *reason = NULL;

  if (bytes)
    ck_assert (g_file_set_contents (path, bytes, (gssize) n, NULL));
  g_setenv ("BINNACLE_MODULE_DIR", dir, TRUE);
  ck_assert_ptr_null (bn_module_backend ("cuda", &reason));
  g_unlink (path);
  g_rmdir (dir);
  return reason;
}

/* Of a file of this build's tests, or of none. */
static char *
reason_of_module (const char *file)
{
  if (!file)
    return reason_of_bytes (NULL, 0);
  g_autofree char *path = built_file (file), *bytes = NULL;
  gsize n;
  ck_assert (g_file_get_contents (path, &bytes, &n, NULL));
  return reason_of_bytes (bytes, n);
}

START_TEST (a_module_that_is_not_there_is_named)
{
  g_autofree char *reason = reason_of_module (NULL);

  ck_assert (g_str_has_prefix (reason, "module not found at /"));
  ck_assert_ptr_nonnull (strstr (reason, "/binnacle-cuda.so; BINNACLE_MODULE_DIR can name its folder"));
}
END_TEST

START_TEST (a_module_of_another_build_is_refused_with_both_numbers)
{
  g_autofree char *reason = reason_of_module ("othermodule.so");
  g_autofree char *numbers = g_strdup_printf ("has interface %d, this program has %d; install both from one build",
                                              BN_MODULE_ABI + 1, BN_MODULE_ABI);

  ck_assert_msg (strstr (reason, numbers) != NULL, "%s", reason);
}
END_TEST

START_TEST (a_library_that_is_no_module_is_refused)
{
  g_autofree char *reason = reason_of_module ("libfakecuda.so");

  ck_assert_msg (strstr (reason, "is no module of this program: it lacks bn_backend_module") != NULL, "%s", reason);
}
END_TEST

START_TEST (a_module_without_a_backend_is_refused)
{
  g_autofree char *reason = reason_of_module ("emptymodule.so");

  ck_assert_msg (g_str_has_suffix (reason, " names no backend; install it anew"), "%s", reason);
}
END_TEST

START_TEST (a_module_whose_backend_is_of_another_size_is_refused)
{
  g_autofree char *reason = reason_of_module ("smallermodule.so");

  ck_assert_msg (strstr (reason, "install both from one build") != NULL, "%s", reason);
}
END_TEST

START_TEST (a_module_that_is_cut_off_is_refused_wherever_it_ends)
{
  g_autofree char *path = built_file ("othermodule.so"), *bytes = NULL;
  gsize n;

  ck_assert (g_file_get_contents (path, &bytes, &n, NULL));
  for (gsize end = 0; end < n; end += MIN (n / 50 + 1, MAX (n - 1 - end, 1)))
    {
      g_autofree char *reason = reason_of_bytes (bytes, end);
      const char *expected = end < 16 ? " is no shared object of this kind of machine" : " is cut off; install it anew";
      ck_assert_msg (g_str_has_suffix (reason, expected), "%zu of %zu bytes: %s", end, n, reason);
    }
}
END_TEST

START_TEST (a_text_is_no_module)
{
  const char text[] = "a text that is long enough to be the head of something else than a text";
  g_autofree char *reason = reason_of_bytes (text, sizeof text);

  ck_assert_msg (g_str_has_suffix (reason, " is no shared object of this kind of machine"), "%s", reason);
}
END_TEST

START_TEST (it_is_listed_whatever_was_built)
{
  bool is_listed = false;

  for (uint32_t i = 0; bn_backends[i]; i++)
    is_listed = is_listed || strcmp (bn_backends[i]->name, "cuda") == 0;
  ck_assert (is_listed);
}
END_TEST

#ifdef BN_WITH_CUDA

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

START_TEST (it_says_what_the_module_says)
{
  GError *error = NULL;

  ck_assert_ptr_eq (bn_backend_find ("cuda", &error), &bn_cuda_backend);
  g_setenv ("BINNACLE_CUDA_DRIVER", "/nowhere/libcuda.so.1", TRUE);
  ck_assert_ptr_null (bn_backend_find ("cuda", &error));
  ck_assert_ptr_nonnull (strstr (error->message, "backend cuda cannot be used here: no driver: /nowhere/libcuda.so.1"));
  g_error_free (error);
}
END_TEST

START_TEST (it_promises_what_the_module_keeps)
{
  char *reason = NULL;
  const BnBackend *real = bn_module_backend ("cuda", &reason);

  ck_assert_msg (real != NULL, "%s", reason);
  ck_assert_str_eq (bn_cuda_backend.name, real->name);
  ck_assert_str_eq (bn_cuda_backend.summary, real->summary);
  ck_assert_uint_eq (bn_cuda_backend.capabilities, real->capabilities);
}
END_TEST

/* Every call once. */
START_TEST (all_that_is_asked_of_it_reaches_the_module)
{
  Bench *bench = bench_open ((BenchCluster) { 2, 1, MB, false });
  BnJob *job = bench_job (bench, BENCH_CHAIN, 0);
  g_autofree char *text = bn_cuda_backend.describe (bench->state);
  BenchOp *run;

  ck_assert_ptr_nonnull (strstr (text, "Fake 0"));
  ck_assert_uint_eq (bn_cuda_backend.devices (NULL, 0), 1);
  bench_ok (bench, bench_load (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_load (bench, 1, BENCH_CONV));
  bench_ok (bench, bench_run (bench, 0, job, 0));
  bench_ok (bench, bench_evict (bench, 0, BENCH_MLP));
  bench_ok (bench, bench_transfer (bench, job, 1, 0, 0, 1));
  bench_ok (bench, run = bench_run (bench, 1, job, 1));
  bench_matches_reference (bench, run);
  bn_cuda_backend.drop (bench->state, 1, BENCH_CONV);
  ck_assert_int_eq (bench_wait (bench, bench_run (bench, 1, job, 1)), BN_OP_FAILED);
  bn_cuda_backend.job_over (bench->state, job);
  driver.hold (true);
  bench_load (bench, 0, BENCH_MLP);
  BenchOp *load = bench_load (bench, 0, BENCH_LSTM);
  bn_cuda_backend.cancel (bench->state, &load->op);
  ck_assert_int_eq (bench_wait (bench, load), BN_OP_CANCELLED);
  driver.hold (false);
  bench_close (bench);
}
END_TEST

static void
add_built (Suite *suite)
{
  TCase *tc = tcase_create ("built");

  tcase_set_timeout (tc, 60);
  tcase_add_checked_fixture (tc, use_fake_driver, is_clean);
  tcase_add_test (tc, it_says_what_the_module_says);
  tcase_add_test (tc, it_promises_what_the_module_keeps);
  tcase_add_test (tc, all_that_is_asked_of_it_reaches_the_module);
  suite_add_tcase (suite, tc);
}

#else

START_TEST (it_says_that_it_was_not_built)
{
  GError *error = NULL;

  ck_assert_ptr_null (bn_backend_find ("cuda", &error));
  ck_assert_ptr_nonnull (strstr (error->message, "not built: there was no nvcc when this program was configured"));
  g_error_free (error);
}
END_TEST

static void
add_built (Suite *suite)
{
  TCase *tc = tcase_create ("not built");

  tcase_add_test (tc, it_says_that_it_was_not_built);
  suite_add_tcase (suite, tc);
}

#endif

int
main (void)
{
  Suite *suite = suite_create ("cuda module");
  TCase *tc = tcase_create ("module");

  tcase_add_test (tc, a_module_that_is_not_there_is_named);
  tcase_add_test (tc, a_module_of_another_build_is_refused_with_both_numbers);
  tcase_add_test (tc, a_library_that_is_no_module_is_refused);
  tcase_add_test (tc, a_module_without_a_backend_is_refused);
  tcase_add_test (tc, a_module_whose_backend_is_of_another_size_is_refused);
  tcase_add_test (tc, a_module_that_is_cut_off_is_refused_wherever_it_ends);
  tcase_add_test (tc, a_text_is_no_module);
  tcase_add_test (tc, it_is_listed_whatever_was_built);
  suite_add_tcase (suite, tc);
  add_built (suite);
  return run_suite (suite);
}
