/* cache.c: residency, bytes and pins.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cache.h"

#include <glib.h>
#include <string.h>

#include "panic.h"

void
bn_cache_init (BnCache *cache, uint32_t n_models, int64_t capacity_bytes)
{
  *cache = (BnCache){ .capacity_bytes = capacity_bytes };
  cache->position = g_new (int32_t, n_models);
  for (uint32_t m = 0; m < n_models; m++)
    cache->position[m] = BN_NONE;
}

void
bn_cache_clear (BnCache *cache)
{
  g_free (cache->entries);
  g_free (cache->position);
  *cache = (BnCache){ 0 };
}

BnCacheEntry *
bn_cache_add (BnCache *cache, uint32_t model, int64_t bytes)
{
  BN_ASSERT (cache->position[model] == BN_NONE);
  BN_ASSERT (bytes <= cache->capacity_bytes - cache->used_bytes);
  if (cache->n_entries == cache->capacity_entries)
    {
      cache->capacity_entries = cache->capacity_entries ? cache->capacity_entries * 2 : 8;
      cache->entries = g_renew (BnCacheEntry, cache->entries, cache->capacity_entries);
    }
  cache->position[model] = (int32_t) cache->n_entries;
  cache->used_bytes += bytes;
  BnCacheEntry *entry = &cache->entries[cache->n_entries++];
  *entry = (BnCacheEntry){ .model = model, .state = BN_ENTRY_LOADING, .bytes = bytes };
  return entry;
}

static void
take_out (BnCache *cache, uint32_t model)
{
  uint32_t i = (uint32_t) cache->position[model];

  cache->used_bytes -= cache->entries[i].bytes;
  cache->position[model] = BN_NONE;
  cache->n_entries--;
  memmove (cache->entries + i, cache->entries + i + 1, (cache->n_entries - i) * sizeof *cache->entries);
  for (; i < cache->n_entries; i++)
    cache->position[cache->entries[i].model] = (int32_t) i;
}

void
bn_cache_remove (BnCache *cache, uint32_t model)
{
  const BnCacheEntry *entry = bn_cache_find (cache, model);

  BN_ASSERT (entry && entry->state == BN_ENTRY_RESIDENT && entry->n_pins == 0);
  take_out (cache, model);
}

void
bn_cache_verify (const BnCache *cache, uint32_t n_models)
{
  int64_t bytes = 0;
  uint32_t present = 0;

  for (uint32_t i = 0; i < cache->n_entries; i++)
    {
      BN_ASSERT (cache->position[cache->entries[i].model] == (int32_t) i);
      bytes += cache->entries[i].bytes;
    }
  for (uint32_t m = 0; m < n_models; m++)
    present += cache->position[m] != BN_NONE;
  BN_ASSERT (present == cache->n_entries);
  BN_ASSERT (bytes == cache->used_bytes);
  BN_ASSERT (cache->leaving_bytes >= 0 && bytes + cache->leaving_bytes <= cache->capacity_bytes);
}
