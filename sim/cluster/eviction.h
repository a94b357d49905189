/* eviction.h: which model leaves when a load needs room.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The worker asks for one victim at a time until the load fits. A candidate is
 * resident and not pinned by a task that holds a slot. What the tasks of the queue
 * need is known, what will arrive is not.
 */
#ifndef BN_EVICTION_H
#define BN_EVICTION_H

#include "cache.h"
#include "queue.h"

typedef struct BnEvictionCall
{
  const BnCache *cache;
  const uint32_t *needed;       /* [model]: tasks queued here that need it      */
  const BnWorkerQueue *queue;   /* in order of entry                            */
  const uint8_t *chosen;        /* [entry]: 1 for victims of this load already  */
} BnEvictionCall;

typedef struct BnEviction
{
  const char *name;
  const char *summary;
  /* Returns: an index into cache->entries for which bn_eviction_candidate holds,
     or BN_NONE: nothing may leave, the load must wait. */
  int32_t (*victim) (const BnEvictionCall *call);
} BnEviction;

static inline bool
bn_eviction_candidate (const BnEvictionCall *call, uint32_t i)
{
  const BnCacheEntry *e = &call->cache->entries[i];
  return e->state == BN_ENTRY_RESIDENT && e->n_pins == 0 && !call->chosen[i];
}

/* fifo       oldest load first
 * lru        least recently used first (used: a task that needs it started)
 * lookahead  models that no queued task needs, oldest load first; then the one
 *            whose next use is farthest back in the queue, by order of entry
 *            whatever order the worker runs it in */
extern const BnEviction bn_evictions[];
extern const uint32_t bn_n_evictions;
/* Their names in the same order, NULL-terminated. */
extern const char *const bn_eviction_names[];

#endif
