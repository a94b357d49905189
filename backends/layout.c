/* layout.c: where models lie in the memories of a modelled machine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "layout.h"

#include <glib.h>

#include "arena.h"

/* As the CPU backend's; what alignment adds is little. */
#define ALIGNMENT 64

struct BnLayout
{
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  BnArena **arenas;       /* [n_workers] */
  BnArenaMove *moves;     /* [n_models]  */
};

BnLayout *
bn_layout_new (const BnPlatform *platform, const BnCatalogue *catalogue)
{
  BnLayout *layout = g_new0 (BnLayout, 1);

  layout->platform = platform;
  layout->catalogue = catalogue;
  layout->moves = g_new (BnArenaMove, catalogue->n_models + 1);
  layout->arenas = g_new (BnArena *, platform->n_workers);
  for (uint32_t w = 0; w < platform->n_workers; w++)
    layout->arenas[w] = bn_arena_new (bn_platform_gpu (platform, w)->memory_bytes, ALIGNMENT, catalogue->n_models);
  return layout;
}

void
bn_layout_free (BnLayout *layout)
{
  if (!layout)
    return;
  for (uint32_t w = 0; w < layout->platform->n_workers; w++)
    bn_arena_free (layout->arenas[w]);
  g_free (layout->arenas);
  g_free (layout->moves);
  g_free (layout);
}

int64_t
bn_layout_put (BnLayout *layout, uint32_t worker, uint32_t model)
{
  BnArena *arena = layout->arenas[worker];
  int64_t bytes = layout->catalogue->models[model].size_bytes, offset, moved = 0;

  bn_layout_take_out (layout, worker, model);
  if (bn_arena_put (arena, model, bytes, &offset) != BN_ARENA_FRAGMENTED)
    return 0;
  uint32_t n = bn_arena_plan (arena, bytes, NULL, NULL, layout->moves);
  for (uint32_t i = 0; i < n; i++)
    {
      bn_arena_move (arena, &layout->moves[i]);
      moved += layout->moves[i].bytes;
    }
  bn_arena_put (arena, model, bytes, &offset);
  return moved;
}

void
bn_layout_take_out (BnLayout *layout, uint32_t worker, uint32_t model)
{
  if (bn_arena_offset (layout->arenas[worker], model) >= 0)
    bn_arena_take_out (layout->arenas[worker], model);
}
