/* eviction.h: which model leaves when a load needs room.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The worker asks for one victim at a time until the load fits. A candidate is
 * resident and not pinned by a task that holds a slot. What the tasks of the queue
 * need is known, what will arrive is not. Where loads go beside tasks, models may be
 * spared, so that a load does not rob what goes before it.
 */
#ifndef BN_EVICTION_H
#define BN_EVICTION_H

#include "cache.h"
#include "queue.h"

/* What a load must leave alone. */
typedef enum
{
  BN_SPARE_NOT,
  BN_SPARE_IF_POSSIBLE,  /* leaves only once nothing else may */
  BN_SPARE_ALWAYS
} BnSpare;

/* When a model is next used: least key first, equal keys by place. */
typedef struct BnNextUse
{
  double key;            /* of the queued task that goes first of those that need it */
  uint32_t place;        /* of that task in order of entry                            */
} BnNextUse;

/* What the run knows besides; each may be NULL. */
typedef struct BnEvictionHints
{
  const uint8_t *spared;       /* [model]: BnSpare; NULL: nothing is spared             */
  const double *values;        /* [model]: what its copy is worth; NULL: all the same    */
  const BnNextUse *next_uses;  /* [model that is needed]; NULL: order of entry           */
} BnEvictionHints;

typedef struct BnEvictionCall
{
  const BnCache *cache;
  const uint32_t *needed;       /* [model]: tasks queued here that need it      */
  const BnWorkerQueue *queue;   /* in order of entry                            */
  const uint8_t *chosen;        /* [entry]: 1 for victims of this load already  */
  BnEvictionHints hints;
  BnSpare spare_from;           /* models spared as much as this are no candidates */
} BnEvictionCall;

typedef struct BnEviction
{
  const char *name;
  const char *summary;
  /* Returns: an index into cache->entries for which bn_eviction_candidate holds,
     or BN_NONE: nothing may leave, the load must wait. */
  int32_t (*victim) (const BnEvictionCall *call);
  bool reads_hints;             /* hints.values and hints.next_uses             */
} BnEviction;

static inline bool
bn_eviction_candidate (const BnEvictionCall *call, uint32_t i)
{
  const BnCacheEntry *e = &call->cache->entries[i];
  return e->state == BN_ENTRY_RESIDENT && e->n_pins == 0 && !call->chosen[i]
         && (!call->hints.spared || call->hints.spared[e->model] < call->spare_from);
}

/* fifo       oldest load first
 * lru        least recently used first (used: a task that needs it started)
 * lookahead  models that no queued task needs, oldest load first; then the one
 *            whose next use is farthest back in the queue, by order of entry
 *            whatever order the worker runs it in
 * value      models that no queued task needs, least value first, where a copy is
 *            worth uses per job of the mix * load / workers that hold one; then the
 *            one whose next use in the queue's own order is farthest. Ties: oldest
 *            load first. Source: ours. */
extern const BnEviction bn_evictions[];
extern const uint32_t bn_n_evictions;
/* Their names in the same order, NULL-terminated. */
extern const char *const bn_eviction_names[];

#endif
