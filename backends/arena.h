/* arena.h: which model lies where in a device's memory of exactly its capacity.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Offsets only: the memory itself is the backend's. A block is a number below
 * max_blocks, a model's, and lies in one piece. What counts against the capacity is what
 * blocks ask for. What alignment adds does not: the memory behind the arena is
 * larger than the capacity by one alignment a block (bn_arena_physical_bytes), so that
 * whatever fits by its bytes fits aligned, too, after compaction at the latest.
 *
 * Holes are chosen by best fit, the lowest of equals. Where there are enough bytes but no hole
 * that is large enough, the plan of a compaction is the one that moves the fewest bytes:
 * neighbouring blocks slide down until the gaps between them are one.
 *
 * Not thread-safe. Everything is O(blocks that are in it).
 */
#ifndef BN_ARENA_H
#define BN_ARENA_H

#include "bn.h"

typedef enum
{
  BN_ARENA_OK,
  BN_ARENA_FULL,       /* the bytes of all blocks would exceed the capacity */
  BN_ARENA_FRAGMENTED  /* there are enough bytes, but no hole                */
} BnArenaResult;

/* A step of a compaction: to < from, and [to, to + bytes) may overlap with [from, from + bytes). */
typedef struct BnArenaMove
{
  uint32_t block;
  int64_t from, to, bytes;
} BnArenaMove;

typedef struct BnArena BnArena;

/* `alignment` is a power of two. */
BnArena *bn_arena_new (int64_t capacity_bytes, int64_t alignment, uint32_t max_blocks);
void bn_arena_free (BnArena *arena);

/* How much memory there must be behind an arena. Every block ends within it. */
int64_t bn_arena_physical_bytes (int64_t capacity_bytes, int64_t alignment, uint32_t max_blocks);

int64_t bn_arena_free_bytes (const BnArena *arena);

/* Puts a block that is not in the arena into it; bytes >= 1. With OK *offset is where, a multiple of
 * the alignment; else nothing has changed. */
BnArenaResult bn_arena_put (BnArena *arena, uint32_t block, int64_t bytes, int64_t *offset);
void bn_arena_take_out (BnArena *arena, uint32_t block);

/* Where a block is, or -1. */
int64_t bn_arena_offset (const BnArena *arena, uint32_t block);

/* Moves after which there is a hole for `bytes`, for a block that bn_arena_put called
 * FRAGMENTED; to be made in this order, each with bn_arena_move when its bytes have
 * been copied. `moves` has room for max_blocks. `movable` is asked once a block; NULL: all are.
 * Returns: how many; 0 where what is immovable is in the way of every such hole. */
uint32_t bn_arena_plan (const BnArena *arena, int64_t bytes, bool (*movable) (uint32_t block, void *context),
                        void *context, BnArenaMove *moves);
void bn_arena_move (BnArena *arena, const BnArenaMove *move);

#endif
