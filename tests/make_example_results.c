/* make_example_results.c: the results file written by hand, for shell tests.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "example_results.h"

int
main (int argc, char **argv)
{
  if (argc != 2)
    return 2;
  example_results_write (argv[1]);
  return 0;
}
