/* driver.c: opening the driver's library, and what its answers mean.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "driver.h"

#include <string.h>

/* Fills the table. Returns: the first symbol that is missing, or NULL. */
static const char *
find_calls (BnCudaDriver *driver)
{
  gpointer found = NULL;

#define FIND(name, symbol, parameters)                                                                              \
  if (!g_module_symbol (driver->library, #symbol, &found) || !found)                                                \
    return #symbol;                                                                                                 \
  memcpy (&driver->name, &found, sizeof found);
  BN_CUDA_DRIVER_CALLS (FIND)
#undef FIND
  return NULL;
}

/* Returns: NULL, or why this driver will not do (transfer full). */
static char *
start_driver (BnCudaDriver *driver, int needs_version)
{
  int n_devices = 0;
  BnCuResult result = driver->driver_get_version (&driver->version);

  /* the version before cuInit: an old driver may refuse to start at all */
  if (result == BN_CU_OK && driver->version < needs_version)
    return g_strdup_printf ("driver too old: it supports CUDA %d.%d, this build needs %d.%d; install a newer driver",
                            driver->version / 1000, driver->version % 1000 / 10, needs_version / 1000,
                            needs_version % 1000 / 10);
  if (result == BN_CU_OK)
    result = driver->init (0);
  if (result == BN_CU_OK)
    result = driver->device_get_count (&n_devices);
  if (result == BN_CU_NO_DEVICE || (result == BN_CU_OK && n_devices < 1))
    return g_strdup ("no device: the driver is there, but finds no GPU (CUDA_VISIBLE_DEVICES may hide them)");
  if (result != BN_CU_OK)
    {
      g_autofree char *why = bn_cuda_driver_explain (driver, result);
      return g_strdup_printf ("the driver does not start: %s", why);
    }
  return NULL;
}

BnCudaDriver *
bn_cuda_driver_open (const char *path, int needs_version, char **reason)
{
  const char *named = path ? path : g_getenv (BN_CUDA_DRIVER_VARIABLE);
  const char *file = named && *named ? named : BN_CUDA_DRIVER_LIBRARY;
  BnCudaDriver *driver = g_new0 (BnCudaDriver, 1);

  /* G_MODULE_BIND_LOCAL alone: all symbols are bound now */
  driver->library = g_module_open (file, G_MODULE_BIND_LOCAL);
  if (!driver->library)
    {
      *reason = g_strdup_printf ("no driver: %s cannot be opened (%s)", file, g_module_error ());
      g_free (driver);
      return NULL;
    }
  g_module_make_resident (driver->library);
  const char *missing = find_calls (driver);
  *reason = missing ? g_strdup_printf ("the driver %s lacks %s; install a newer driver", file, missing)
                    : start_driver (driver, needs_version);
  if (!*reason)
    return driver;
  bn_cuda_driver_close (driver);
  return NULL;
}

void
bn_cuda_driver_close (BnCudaDriver *driver)
{
  if (!driver)
    return;
  g_module_close (driver->library);
  g_free (driver);
}

char *
bn_cuda_driver_explain (const BnCudaDriver *driver, BnCuResult result)
{
  const char *name = NULL, *text = NULL;

  if (driver->get_error_name (result, &name) != BN_CU_OK || !name)
    return g_strdup_printf ("CUDA error %d", result);
  if (driver->get_error_string (result, &text) != BN_CU_OK || !text)
    return g_strdup (name);
  return g_strdup_printf ("%s: %s", name, text);
}

bool
bn_cuda_result_is_fatal (BnCuResult result)
{
  switch (result)
    {
    case BN_CU_DEINITIALIZED:
    case BN_CU_DEVICE_UNAVAILABLE:
    case BN_CU_NO_DEVICE:
    case BN_CU_INVALID_DEVICE:
    case BN_CU_INVALID_CONTEXT:
    case BN_CU_ECC_UNCORRECTABLE:
    case BN_CU_NVLINK_UNCORRECTABLE:
    case BN_CU_CONTAINED:
    case BN_CU_ILLEGAL_ADDRESS:
    case BN_CU_LAUNCH_TIMEOUT:
    case BN_CU_CONTEXT_IS_DESTROYED:
    case BN_CU_ASSERT:
    case BN_CU_HARDWARE_STACK_ERROR:
    case BN_CU_ILLEGAL_INSTRUCTION:
    case BN_CU_MISALIGNED_ADDRESS:
    case BN_CU_INVALID_ADDRESS_SPACE:
    case BN_CU_INVALID_PC:
    case BN_CU_LAUNCH_FAILED:
    case BN_CU_EXTERNAL_DEVICE:
    case BN_CU_UNKNOWN:
      return true;
    default:
      return false;
    }
}
