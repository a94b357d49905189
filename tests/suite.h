/* suite.h: the end of every test program.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_SUITE_H
#define BN_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs the suite, as loudly as CK_VERBOSITY says, and frees it. Returns: what main
 * returns. */
static inline int
run_suite (Suite *suite)
{
  SRunner *runner = srunner_create (suite);

  srunner_run_all (runner, CK_ENV);
  int n_failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
