/* mpi_command.h: a verb whose units other ranks may run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_MPI_COMMAND_H
#define BN_MPI_COMMAND_H

#include "mpi_ranks.h"

/* Blocks the signals that a pool takes: from before there is a results file until it is
 * whole, none leaves half of one. To be called before a pool is opened. */
void bn_ranks_block_signals (void);

/* Runs `verb` where this is the only rank, with NULL, or rank 0, with the others, who run its
 * units meanwhile; it sets *interrupted, FALSE at first, where a signal ended it. Returns:
 * the exit status. Where the ranks cannot be joined, rank 0 says why. */
int bn_ranks_command (int argc, char **argv,
                      int (*verb) (int argc, char **argv, BnRanks *ranks, gboolean *interrupted));

#endif
