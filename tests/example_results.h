/* example_results.h: a small results file written by hand, for what reads one.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * All times below are ms. Run 1 (record = tasks) has four jobs:
 *
 *   0 diamond  a on worker 0, then b (worker 0) and c (worker 2), then d (worker 0)
 *              d waits for c's output, so a, c, d is the critical path
 *   1 pair     refused
 *   2 pair     y is placed when x has ended, by a decision that takes 50 ms
 *   3 pair     y is left open until a worker asks for it, 80 ms later
 *
 * Run 2 (record = summary) has metrics and a backlog only.
 */
#ifndef BN_EXAMPLE_RESULTS_H
#define BN_EXAMPLE_RESULTS_H

/* Writes it to `path`, which must not exist. Asserts success. */
void example_results_write (const char *path);

#endif
