/* mpi_ranks.h: processes of one command on several machines, as mpirun starts them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 is the command; the others run units for it (mpi_serve.c). What passes between
 * them is the module binnacle-mpi.so's, which is loaded only where there are several ranks,
 * so that nobody else needs MPI.
 */
#ifndef BN_MPI_RANKS_H
#define BN_MPI_RANKS_H

#include <glib.h>

typedef struct BnRanks BnRanks;

/* How many ranks this command was started with, and which this is, by what the starter
 * has left in the environment. No MPI is needed to tell. */
guint bn_ranks_count (void);
guint bn_ranks_number (void);

/* Joins the other ranks. NULL with `error` set where the module is missing or of another
 * build. Returns: (transfer full). */
BnRanks *bn_ranks_join (GError **error);

/* Of every rank but 0: runs the units that rank 0 sends, until it says that there are no
 * more. Returns: the exit status. Frees `ranks`. */
int bn_ranks_serve (BnRanks *ranks);

/* Of rank 0: tells the others to end, and waits for them; `by_force` ends them at once, and
 * this process with them. Frees `ranks`; NULL is fine. */
void bn_ranks_leave (BnRanks *ranks, gboolean by_force);

#endif
