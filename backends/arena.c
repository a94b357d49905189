/* arena.c: which model lies where in a device's memory of exactly its capacity.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "arena.h"

#include <glib.h>
#include <string.h>

#include "panic.h"

typedef struct Block
{
  uint32_t block;
  int64_t offset, bytes;
  int64_t end;           /* aligned */
} Block;

struct BnArena
{
  int64_t capacity_bytes, physical_bytes, alignment;
  int64_t used_bytes;    /* as asked for */
  uint32_t max_blocks, n_blocks;
  Block blocks[];        /* [max_blocks], by rising offset */
};

static int64_t
align (int64_t bytes, int64_t alignment)
{
  return (bytes + alignment - 1) / alignment * alignment;
}

int64_t
bn_arena_physical_bytes (int64_t capacity_bytes, int64_t alignment, uint32_t max_blocks)
{
  return align (capacity_bytes, alignment) + alignment * max_blocks;
}

BnArena *
bn_arena_new (int64_t capacity_bytes, int64_t alignment, uint32_t max_blocks)
{
  BnArena *arena = g_malloc0 (sizeof *arena + max_blocks * sizeof arena->blocks[0]);

  arena->capacity_bytes = capacity_bytes;
  arena->physical_bytes = bn_arena_physical_bytes (capacity_bytes, alignment, max_blocks);
  arena->alignment = alignment;
  arena->max_blocks = max_blocks;
  return arena;
}

void
bn_arena_free (BnArena *arena)
{
  g_free (arena);
}

int64_t
bn_arena_free_bytes (const BnArena *arena)
{
  return arena->capacity_bytes - arena->used_bytes;
}

/* Its index, or n_blocks. */
static uint32_t
find (const BnArena *arena, uint32_t block)
{
  uint32_t i = 0;

  while (i < arena->n_blocks && arena->blocks[i].block != block)
    i++;
  return i;
}

int64_t
bn_arena_offset (const BnArena *arena, uint32_t block)
{
  uint32_t i = find (arena, block);

  return i < arena->n_blocks ? arena->blocks[i].offset : -1;
}

/* Gap g lies before block g, the last one behind all blocks. */
static int64_t
gap_start (const BnArena *arena, uint32_t gap)
{
  return gap == 0 ? 0 : arena->blocks[gap - 1].end;
}

static int64_t
gap_bytes (const BnArena *arena, uint32_t gap)
{
  int64_t end = gap == arena->n_blocks ? arena->physical_bytes : arena->blocks[gap].offset;

  return end - gap_start (arena, gap);
}

BnArenaResult
bn_arena_put (BnArena *arena, uint32_t block, int64_t bytes, int64_t *offset)
{
  int64_t room = align (bytes, arena->alignment), best_bytes = INT64_MAX;
  uint32_t best = 0;

  BN_ASSERT (bytes > 0 && block < arena->max_blocks && find (arena, block) == arena->n_blocks);
  if (bytes > bn_arena_free_bytes (arena))
    return BN_ARENA_FULL;
  for (uint32_t gap = 0; gap <= arena->n_blocks; gap++)
    if (gap_bytes (arena, gap) >= room && gap_bytes (arena, gap) < best_bytes)
      {
        best = gap;
        best_bytes = gap_bytes (arena, gap);
      }
  if (best_bytes == INT64_MAX)
    return BN_ARENA_FRAGMENTED;
  *offset = gap_start (arena, best);
  memmove (&arena->blocks[best + 1], &arena->blocks[best], (arena->n_blocks - best) * sizeof arena->blocks[0]);
  arena->blocks[best] = (Block) { block, *offset, bytes, *offset + room };
  arena->n_blocks++;
  arena->used_bytes += bytes;
  return BN_ARENA_OK;
}

void
bn_arena_take_out (BnArena *arena, uint32_t block)
{
  uint32_t i = find (arena, block);

  BN_ASSERT (i < arena->n_blocks);
  arena->used_bytes -= arena->blocks[i].bytes;
  arena->n_blocks--;
  memmove (&arena->blocks[i], &arena->blocks[i + 1], (arena->n_blocks - i) * sizeof arena->blocks[0]);
}

/* Which gaps become one: first .. last, the blocks between them sliding down. A window over the
 * gaps: as its end goes up, its start follows as far as the window stays large enough, and
 * beyond every block that cannot move. Returns: whether there are such gaps. */
static bool
cheapest_gaps (const BnArena *arena, int64_t room, bool (*movable) (uint32_t block, void *context), void *context,
               uint32_t *first, uint32_t *last)
{
  int64_t gaps = 0, moved = 0, least_moved = INT64_MAX;
  uint32_t start = 0;

  for (uint32_t end = 0; end <= arena->n_blocks; end++)
    {
      if (end > 0 && movable && !movable (arena->blocks[end - 1].block, context))
        {
          start = end;
          gaps = moved = 0;
        }
      else if (end > 0)
        moved += arena->blocks[end - 1].bytes;
      gaps += gap_bytes (arena, end);
      while (start < end && gaps - gap_bytes (arena, start) >= room)
        {
          gaps -= gap_bytes (arena, start);
          moved -= arena->blocks[start].bytes;
          start++;
        }
      if (gaps >= room && moved < least_moved)
        {
          least_moved = moved;
          *first = start;
          *last = end;
        }
    }
  return least_moved != INT64_MAX;
}

uint32_t
bn_arena_plan (const BnArena *arena, int64_t bytes, bool (*movable) (uint32_t block, void *context), void *context,
               BnArenaMove *moves)
{
  uint32_t first, last, n = 0;

  if (!cheapest_gaps (arena, align (bytes, arena->alignment), movable, context, &first, &last))
    return 0;
  int64_t to = gap_start (arena, first);
  for (uint32_t i = first; i < last; i++)
    {
      const Block *b = &arena->blocks[i];
      if (b->offset != to)
        moves[n++] = (BnArenaMove) { b->block, b->offset, to, b->bytes };
      to += b->end - b->offset;
    }
  return n;
}

/* The order of blocks stays: a move never crosses another block. */
void
bn_arena_move (BnArena *arena, const BnArenaMove *move)
{
  uint32_t i = find (arena, move->block);

  BN_ASSERT (i < arena->n_blocks && arena->blocks[i].offset == move->from && move->to < move->from
             && move->to >= gap_start (arena, i));
  arena->blocks[i].end -= move->from - move->to;
  arena->blocks[i].offset = move->to;
}
