/* mpi_command.c: a verb whose units other ranks may run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "mpi_command.h"

#include <signal.h>

#include "cli.h"
#include "interrupt.h"

void
bn_ranks_block_signals (void)
{
  sigset_t signals;

  bn_interrupt_signals (&signals);
  sigprocmask (SIG_BLOCK, &signals, NULL);
}

int
bn_ranks_command (int argc, char **argv,
                  int (*verb) (int argc, char **argv, BnRanks *ranks, gboolean *interrupted))
{
  GError *error = NULL;
  BnRanks *ranks = NULL;
  gboolean interrupted = FALSE;

  if (bn_ranks_count () > 1)
    {
      bn_ranks_block_signals ();
      ranks = bn_ranks_join (&error);
    }
  if (error != NULL)
    {
      /* it is said once */
      if (bn_ranks_number () == 0)
        return bn_cli_fail (error);
      g_error_free (error);
      return BN_EXIT_BAD_INPUT;
    }
  if (ranks != NULL && bn_ranks_number () > 0)
    return bn_ranks_serve (ranks);
  int status = verb (argc, argv, ranks, &interrupted);
  /* mpirun ends the others at the same time */
  bn_ranks_leave (ranks, interrupted);
  return status;
}
