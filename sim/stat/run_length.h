/* run_length.h: how long a run must be for its load.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A queue of one server forgets how it began within about load / (1 - sqrt load)^2
 * arrivals, the relaxation time of M/M/1 (P. M. Morse, "Stochastic properties of waiting
 * lines", Operations Research 3(3), 1955; J. W. Cohen, "The Single Server Queue", 2nd ed.,
 * 1982); c servers need the same number, as they are c times as fast, and at
 * least a service each, load x c arrivals. How many relaxation times intervals need is
 * measured: tests/coverage_table.c, doc/statistics.md.
 *
 * Limits: it is of Poisson arrivals and exponential services. Bursts, long jobs and
 * schedulers that waste capacity need more; so what it returns is the least to ask for.
 */
#ifndef BN_RUN_LENGTH_H
#define BN_RUN_LENGTH_H

/* Relaxation times after which an interval over 10 seeds covers 93 % or more in the table,
 * and one by batch means of one run. */
#define BN_RELAXATIONS_OVER_SEEDS 60.0
#define BN_RELAXATIONS_IN_A_RUN 750.0

/* Jobs that `relaxations` take at `load` > 0 on `n_servers` >= 1; infinity for a load of 1
 * and more. */
double bn_run_length_needed (double load, double n_servers, double relaxations);

#endif
