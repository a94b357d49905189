/* mm1.h: the queue whose answer is known: M/M/1 from an empty system.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_MM1_H
#define BN_MM1_H

#include <stdint.h>

/* Times in system of customers 0 .. n-1, in mean services, at `load` < 1: by D. V.
 * Lindley's recursion (Proc. Cambridge Phil. Soc. 48(2), 1952). */
void mm1_times (double load, uint64_t seed, double *times, uint64_t n);

/* Their mean in the steady state: 1 / (1 - load). */
double mm1_mean (double load);

/* The same from a run of the engine: one worker, one-task workflows, no transfers. With
 * `from_its_jobs` (or NULL) set to what Lindley's recursion makes of the same arrivals and
 * runtimes, in nanoseconds, like the times then. */
void mm1_run (double load, uint64_t seed, double *times, double *from_its_jobs, uint64_t n);

#endif
