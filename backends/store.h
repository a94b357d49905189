/* store.h: the data of jobs: outputs of tasks and what clients sent, as copies on workers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A datum is a task's output or what the client sent for an entry task; a copy of it is a
 * buffer on one worker. What a buffer is, is the backend's: host or device memory. Buffers
 * are counted: one that a thread reads stays until it has been let go, though a newer copy
 * has taken its place or its job is over.
 *
 * Thread-safe.
 */
#ifndef BN_STORE_H
#define BN_STORE_H

#include "bn.h"

typedef struct BnDatum
{
  int64_t job_id;
  uint32_t task;
  bool from_client;  /* not its output, but its input */
} BnDatum;

typedef struct BnStoredBuffer
{
  void *data;
  int64_t bytes;     /* as stated: of an output, of an input */
  int n_users;       /* the store's */
} BnStoredBuffer;

typedef struct BnStore BnStore;

/* `release` frees a buffer's data, on any thread. */
BnStore *bn_store_new (void (*release) (void *data, void *context), void *context);
/* Frees what jobs have left in it; nobody uses any buffer of it. */
void bn_store_free (BnStore *store);

/* Stores a copy, in place of an older one. `data` is the store's from now on. Returns: it, to be
 * let go by bn_store_let_go. */
BnStoredBuffer *bn_store_put (BnStore *store, BnDatum datum, uint32_t worker, void *data, int64_t bytes);

/* The copy on a worker, to be let go, or NULL. */
BnStoredBuffer *bn_store_get (BnStore *store, BnDatum datum, uint32_t worker);
void bn_store_let_go (BnStore *store, BnStoredBuffer *buffer);

/* Every copy of this job's data goes. O(copies). */
void bn_store_job_over (BnStore *store, int64_t job_id);

/* Copies that are in it. */
uint32_t bn_store_n_copies (BnStore *store);

#endif
