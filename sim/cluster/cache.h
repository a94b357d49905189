/* cache.h: which models are in one worker's GPU memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Owns residency, bytes and pins; knows nothing of time, queues or backends. An
 * entry is loading, then resident; its bytes count from the moment the load is
 * decided, so that the bytes in use never exceed the capacity, not even during a
 * load. A victim leaves its entry at once; if writing it back takes time, its
 * bytes are in use until then, as part of the load's or as leaving bytes.
 * A pinned entry (its task holds a slot) is not evictable, nor is a loading one.
 *
 * Entries stand in the order in which their loads began. Lookup O(1); removal
 * O(entries).
 */
#ifndef BN_CACHE_H
#define BN_CACHE_H

#include "bn.h"

struct BnTask;

typedef enum
{
  BN_ENTRY_LOADING,
  BN_ENTRY_RESIDENT
} BnEntryState;

typedef struct BnCacheEntry
{
  uint32_t model;
  uint32_t n_pins;
  BnEntryState state;
  int64_t bytes;
  BnTime last_used_ns;      /* a task that needs it last started */
  BnTime expected_end_ns;   /* of its load                       */
  struct BnTask *loaded_for; /* whose miss its load is, until that task executes; NULL: nobody's
                                (a prefetch), or that task has gone */
} BnCacheEntry;

typedef struct BnCache
{
  BnCacheEntry *entries;    /* [n_entries], oldest load first */
  uint32_t n_entries, capacity_entries;
  int64_t capacity_bytes;
  int64_t used_bytes;       /* of entries                                      */
  int64_t leaving_bytes;    /* of victims that are still being written back,
                               beyond what the loads they make room for count  */
  int32_t *position;        /* [n_models]: index into entries, or BN_NONE */
} BnCache;

void bn_cache_init (BnCache *cache, uint32_t n_models, int64_t capacity_bytes);
void bn_cache_clear (BnCache *cache);

/* The entry of `model`, or NULL. Valid until the next change of the cache. */
static inline BnCacheEntry *
bn_cache_find (const BnCache *cache, uint32_t model)
{
  return cache->position[model] == BN_NONE ? NULL : &cache->entries[cache->position[model]];
}

static inline bool
bn_cache_resident (const BnCache *cache, uint32_t model)
{
  const BnCacheEntry *e = bn_cache_find (cache, model);
  return e && e->state == BN_ENTRY_RESIDENT;
}

static inline int64_t
bn_cache_free_bytes (const BnCache *cache)
{
  return cache->capacity_bytes - cache->used_bytes - cache->leaving_bytes;
}

/* Adds a loading entry; the model must be absent and fit (asserted). */
BnCacheEntry *bn_cache_add (BnCache *cache, uint32_t model, int64_t bytes);

/* Takes out a resident, unpinned entry (asserted). */
void bn_cache_remove (BnCache *cache, uint32_t model);

/* Asserts that bytes add up, the capacity holds and positions agree. O(models). */
void bn_cache_verify (const BnCache *cache, uint32_t n_models);

#endif
