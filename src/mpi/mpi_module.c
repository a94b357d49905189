/* mpi_module.c: messages between ranks by MPI: the module binnacle-mpi.so.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Written to the MPI 3.1 standard. Everything is said under one tag, so that the standard's
 * order of messages between two processes (section 3.5) is the order in which they are heard.
 */
#include <gmodule.h>
#include <mpi.h>

#include "mpi_ranks_private.h"

#define TAG 1

static gboolean
join (guint *number, guint *count, char **reason)
{
  int rank, size;

  if (MPI_Init (NULL, NULL) != MPI_SUCCESS)
    {
      *reason = g_strdup ("MPI_Init failed");
      return FALSE;
    }
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  *number = (guint) rank;
  *count = (guint) size;
  return TRUE;
}

static void
say (guint to, const guint8 *bytes, gsize n)
{
  MPI_Send (bytes, (int) n, MPI_BYTE, (int) to, TAG, MPI_COMM_WORLD);
}

static GByteArray *
hear (guint *from)
{
  MPI_Status status;
  int there, n;

  MPI_Iprobe (MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
  if (!there)
    return NULL;
  MPI_Get_count (&status, MPI_BYTE, &n);
  GByteArray *message = g_byte_array_sized_new ((guint) n);
  g_byte_array_set_size (message, (guint) n);
  MPI_Recv (message->data, n, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *from = (guint) status.MPI_SOURCE;
  return message;
}

static void
leave (gboolean by_force)
{
  if (by_force)
    MPI_Abort (MPI_COMM_WORLD, 1);
  else
    MPI_Finalize ();
}

G_MODULE_EXPORT const BnRanksModule bn_ranks_module = { BN_RANKS_ABI, join, say, hear, leave };
