/* mpi_ranks_private.h: what ranks say to each other, and what the module does for them.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A message is one byte that says what it is, and bytes whose meaning depends on it. Two
 * ranks hear each other's messages in the order in which they were sent.
 */
#ifndef BN_MPI_RANKS_PRIVATE_H
#define BN_MPI_RANKS_PRIVATE_H

#include "mpi_ranks.h"

/* Raised with every change of BnRanksModule. */
#define BN_RANKS_ABI 1
#define BN_RANKS_SYMBOL "bn_ranks_module"

/* A shared object binnacle-mpi.so exports one, as bn_ranks_module. Functions are called by
 * one thread. */
typedef struct BnRanksModule
{
  guint32 abi;         /* BN_RANKS_ABI of its build; stays first whatever changes */
  /* Joins. FALSE with *reason set (transfer full). */
  gboolean (*join) (guint *number, guint *count, char **reason);
  /* Waits until the other end has begun to take a large message. */
  void (*send) (guint to, const guint8 *bytes, gsize n);
  /* The next message, where one has come: its sender in *from. Does not wait.
   * Returns: (transfer full) or NULL. */
  GByteArray *(*receive) (guint *from);
  /* Ends well, when every rank does so; `by_force` ends the other ranks. */
  void (*leave) (gboolean by_force);
} BnRanksModule;

typedef enum
{
  BN_SAY_RUN = 'r',      /* 0 to k: a unit, bn_unit_to_bytes        */
  BN_SAY_SIGNAL = 's',   /* 0 to k: a byte, the signal's number     */
  BN_SAY_END = 'e',      /* 0 to k: there is nothing more           */
  BN_SAY_RESULTS = 'd',  /* k to 0: a part of the results file      */
  BN_SAY_REMARK = 'm',   /* k to 0: a line                          */
  BN_SAY_STATE = 't'     /* k to 0: a byte, the BnUnitState; the last of a unit */
} BnSay;

struct BnRanks
{
  const BnRanksModule *module;
  guint number, count;
};

void bn_ranks_say (BnRanks *ranks, guint to, BnSay what, const void *bytes, gsize n);

/* The module takes its leave, and `ranks` is freed. */
void bn_ranks_end (BnRanks *ranks, gboolean by_force);

#endif
