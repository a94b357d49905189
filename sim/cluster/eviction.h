/* eviction.h: which model leaves when a load needs room.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The cache asks for one victim at a time until the load fits. Candidates are
 * resident, not pinned by a running task and not being loaded.
 */
#ifndef BN_EVICTION_H
#define BN_EVICTION_H

#include "bn.h"

typedef struct BnCacheEntry BnCacheEntry;
typedef struct BnWorkerQueue BnWorkerQueue;

typedef struct BnEvictionCall
{
  const BnCacheEntry *entries;  /* [n_entries], oldest load first             */
  uint32_t n_entries;
  const uint32_t *needed;       /* [model]: tasks queued here that need it    */
  const BnWorkerQueue *queue;   /* in order of entry                          */
} BnEvictionCall;

typedef struct BnEviction
{
  const char *name;
  const char *summary;
  /* Returns: an index into entries that is evictable, or BN_NONE: refuse, wait. */
  int32_t (*victim) (const BnEvictionCall *call);
} BnEviction;

/* fifo       oldest load first
 * lru        least recently used first (used = a task that needed it started)
 * lookahead  models that no queued task needs, oldest load first; then the one
 *            whose next use is farthest back in the queue */
extern const BnEviction bn_evictions[];
extern const uint32_t bn_n_evictions;

#endif
