/* eviction.c: fifo, lru, queue look-ahead and the value of copies.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "eviction.h"

static int32_t
oldest_load (const BnEvictionCall *call)
{
  for (uint32_t i = 0; i < call->cache->n_entries; i++)
    if (bn_eviction_candidate (call, i))
      return (int32_t) i;
  return BN_NONE;
}

static int32_t
least_recently_used (const BnEvictionCall *call)
{
  const BnCacheEntry *entries = call->cache->entries;
  int32_t best = BN_NONE;

  for (uint32_t i = 0; i < call->cache->n_entries; i++)
    if (bn_eviction_candidate (call, i) && (best == BN_NONE || entries[i].last_used_ns < entries[best].last_used_ns))
      best = (int32_t) i;
  return best;
}

/* Place of the first queued task that needs the model. O(queue). */
static uint32_t
next_use (const BnWorkerQueue *queue, uint32_t model)
{
  uint32_t place = 0;

  for (const BnQueueNode *node = queue->first; node; node = node->next, place++)
    if (node->task && bn_task_spec (node->task)->model == (int32_t) model)
      return place;
  return UINT32_MAX;
}

static int32_t
look_ahead (const BnEvictionCall *call)
{
  const BnCacheEntry *entries = call->cache->entries;
  int32_t best = BN_NONE;
  uint32_t farthest = 0;

  for (uint32_t i = 0; i < call->cache->n_entries; i++)
    if (bn_eviction_candidate (call, i) && call->needed[entries[i].model] == 0)
      return (int32_t) i;
  for (uint32_t i = 0; i < call->cache->n_entries; i++)
    if (bn_eviction_candidate (call, i))
      {
        uint32_t use = next_use (call->queue, entries[i].model);
        if (best == BN_NONE || use > farthest)
          {
            best = (int32_t) i;
            farthest = use;
          }
      }
  return best;
}

/* Whether the model is used later than another that is needed as well. */
static bool
used_later (const BnEvictionCall *call, uint32_t model, uint32_t other)
{
  const BnNextUse *uses = call->hints.next_uses;

  if (!uses)
    return next_use (call->queue, model) > next_use (call->queue, other);
  return uses[model].key > uses[other].key
         || (uses[model].key == uses[other].key && uses[model].place > uses[other].place);
}

static int32_t
least_value (const BnEvictionCall *call)
{
  const BnCacheEntry *entries = call->cache->entries;
  const double *values = call->hints.values;
  int32_t best = BN_NONE;
  bool best_is_needed = true;

  for (uint32_t i = 0; i < call->cache->n_entries; i++)
    {
      if (!bn_eviction_candidate (call, i))
        continue;
      bool is_needed = call->needed[entries[i].model] > 0, better;
      if (best == BN_NONE || is_needed != best_is_needed)
        better = !is_needed || best == BN_NONE;
      else if (is_needed)
        better = used_later (call, entries[i].model, entries[best].model);
      else
        better = values && values[entries[i].model] < values[entries[best].model];
      if (better)
        {
          best = (int32_t) i;
          best_is_needed = is_needed;
        }
    }
  return best;
}

/* The table, a line each; also the choices of an option, hence a list to be told
 * to a macro. */
#define EVICTIONS(ENTRY) \
  ENTRY ("lookahead", "models no queued task needs, oldest load first; then the farthest next use", look_ahead, \
         false) \
  ENTRY ("fifo", "oldest load first", oldest_load, false) \
  ENTRY ("lru", "least recently used first", least_recently_used, false) \
  ENTRY ("value", "models no queued task needs, least uses * load / holders first; then the farthest next use", \
         least_value, true)

#define AS_ENTRY(name, summary, victim, reads_hints) { name, summary, victim, reads_hints },
#define AS_NAME(name, summary, victim, reads_hints) name,

const BnEviction bn_evictions[] = { EVICTIONS (AS_ENTRY) };
const char *const bn_eviction_names[] = { EVICTIONS (AS_NAME) NULL };

const uint32_t bn_n_evictions = sizeof bn_evictions / sizeof bn_evictions[0];
