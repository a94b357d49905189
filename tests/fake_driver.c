/* fake_driver.c: opening the fake CUDA driver.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "fake_driver.h"

#include <check.h>
#include <gmodule.h>
#include <string.h>

char *
fake_driver_path (void)
{
  const char *build = g_getenv ("BN_BUILDDIR");

  return g_build_filename (build ? build : ".", "tests", "libfakecuda.so", NULL);
}

static gpointer
control (GModule *library, const char *name)
{
  gpointer symbol = NULL;

  ck_assert_msg (g_module_symbol (library, name, &symbol), "%s", g_module_error ());
  return symbol;
}

FakeDriver
fake_driver_use (const FakeCudaSettings *settings)
{
  g_autofree char *path = fake_driver_path ();
  GModule *library = g_module_open (path, G_MODULE_BIND_LOCAL);
  FakeDriver driver;
  gpointer symbol;

  ck_assert_msg (library != NULL, "%s", g_module_error ());
  g_module_make_resident (library);
  memcpy (&driver.set, (symbol = control (library, "fake_cuda_set"), &symbol), sizeof symbol);
  memcpy (&driver.change, (symbol = control (library, "fake_cuda_change"), &symbol), sizeof symbol);
  memcpy (&driver.get_counts, (symbol = control (library, "fake_cuda_get_counts"), &symbol), sizeof symbol);
  memcpy (&driver.hold, (symbol = control (library, "fake_cuda_hold"), &symbol), sizeof symbol);
  memcpy (&driver.lose, (symbol = control (library, "fake_cuda_lose"), &symbol), sizeof symbol);
  g_setenv ("BINNACLE_CUDA_DRIVER", path, TRUE);
  g_setenv ("BINNACLE_CUBLAS", "no", TRUE);
  driver.set (settings);
  return driver;
}

void
fake_driver_is_clean (const FakeDriver *driver)
{
  FakeCudaCounts counts;

  driver->get_counts (&counts);
  ck_assert_msg (counts.n_misuses == 0, "%d misuses of the driver, first: %s", counts.n_misuses, counts.first_misuse);
  ck_assert_int_eq (counts.n_allocations, 0);
  ck_assert_int_eq (counts.allocated_bytes, 0);
  ck_assert_int_eq (counts.n_streams, 0);
  ck_assert_int_eq (counts.n_events, 0);
  ck_assert_int_eq (counts.n_contexts, 0);
  ck_assert_int_eq (counts.n_modules, 0);
  ck_assert_int_eq (counts.n_pinned, 0);
  ck_assert_int_eq (counts.n_blas_handles, 0);
}
