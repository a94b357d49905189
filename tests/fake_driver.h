/* fake_driver.h: how tests get at the fake CUDA driver that the backend opens.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_TEST_FAKE_DRIVER_H
#define BN_TEST_FAKE_DRIVER_H

#include "fake_cuda.h"

typedef struct FakeDriver
{
  void (*set) (const FakeCudaSettings *settings);
  void (*change) (const FakeCudaSettings *settings);
  void (*get_counts) (FakeCudaCounts *ret);
  void (*hold) (bool held);
  void (*lose) (int device, int error);
} FakeDriver;

/* Makes libfakecuda.so what the backend finds, without cuBLAS, and gives the way to its controls.
 * Fails the test where it cannot be opened. */
FakeDriver fake_driver_use (const FakeCudaSettings *settings);

/* The file. Returns: (transfer full). */
char *fake_driver_path (void);

/* Fails the test if anything is left that was made through the driver, or it was misused. */
void fake_driver_is_clean (const FakeDriver *driver);

#endif
