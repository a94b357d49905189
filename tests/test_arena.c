/* test_arena.c: which model lies where in a device's memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <glib.h>

#include "arena.h"
#include "rng.h"
#include "suite.h"

enum
{
  N_BLOCKS = 12,
  ALIGNMENT = 64
};

START_TEST (the_best_hole_is_taken_the_lowest_of_equals)
{
  BnArena *arena = bn_arena_new (64 * 10, ALIGNMENT, N_BLOCKS);
  int64_t offset;

  /* 0: 3 units, 1: 1, 2: 2, 3: 1, 4: 2, 5: 1 */
  static const int64_t units[] = { 3, 1, 2, 1, 2, 1 };
  for (uint32_t b = 0; b < 6; b++)
    ck_assert_int_eq (bn_arena_put (arena, b, 64 * units[b], &offset), BN_ARENA_OK);
  ck_assert_int_eq (offset, 64 * 9);
  bn_arena_take_out (arena, 0);
  bn_arena_take_out (arena, 2);
  bn_arena_take_out (arena, 4);
  ck_assert_int_eq (bn_arena_put (arena, 6, 64 * 2, &offset), BN_ARENA_OK);
  ck_assert_int_eq (offset, 64 * 4);
  ck_assert_int_eq (bn_arena_put (arena, 7, 64 * 2, &offset), BN_ARENA_OK);
  ck_assert_int_eq (offset, 64 * 7);
  ck_assert_int_eq (bn_arena_put (arena, 8, 64 * 3, &offset), BN_ARENA_OK);
  ck_assert_int_eq (offset, 0);
  ck_assert_int_eq (bn_arena_free_bytes (arena), 0);
  bn_arena_free (arena);
}
END_TEST

START_TEST (alignment_takes_nothing_from_the_capacity)
{
  BnArena *arena = bn_arena_new (10 * 65, ALIGNMENT, 10);
  int64_t offset;

  for (uint32_t b = 0; b < 10; b++)
    {
      ck_assert_int_eq (bn_arena_put (arena, b, 65, &offset), BN_ARENA_OK);
      ck_assert_int_eq (offset % ALIGNMENT, 0);
      ck_assert_int_le (offset + 65, bn_arena_physical_bytes (10 * 65, ALIGNMENT, 10));
    }
  bn_arena_take_out (arena, 3);
  ck_assert_int_eq (bn_arena_put (arena, 3, 66, &offset), BN_ARENA_FULL);
  ck_assert_int_eq (bn_arena_put (arena, 3, 65, &offset), BN_ARENA_OK);
  bn_arena_free (arena);
}
END_TEST

/* Blocks of 4, 1 and 1 units with holes of 1 before each, and 6 units behind them that alignment may
 * need. A hole of 8 takes the two small ones; the large one stays. */
START_TEST (compaction_moves_as_little_as_it_can)
{
  static const int64_t units[] = { 1, 4, 1, 1, 1, 1 };
  BnArena *arena = bn_arena_new (64 * 9, ALIGNMENT, 6);
  BnArenaMove moves[6];
  int64_t offset;

  for (uint32_t b = 0; b < 6; b++)
    ck_assert_int_eq (bn_arena_put (arena, b, 64 * units[b], &offset), BN_ARENA_OK);
  bn_arena_take_out (arena, 0);
  bn_arena_take_out (arena, 2);
  bn_arena_take_out (arena, 4);
  ck_assert_int_eq (bn_arena_physical_bytes (64 * 9, ALIGNMENT, 6), 64 * 15);
  ck_assert_int_eq (bn_arena_plan (arena, 64 * 8, NULL, NULL, moves), 2);
  ck_assert_uint_eq (moves[0].block, 3);
  ck_assert_int_eq (moves[0].from, 64 * 6);
  ck_assert_int_eq (moves[0].to, 64 * 5);
  ck_assert_uint_eq (moves[1].block, 5);
  ck_assert_int_eq (moves[1].from, 64 * 8);
  ck_assert_int_eq (moves[1].to, 64 * 6);
  bn_arena_free (arena);
}
END_TEST

static bool
is_not_block (uint32_t block, void *context)
{
  return block != *(uint32_t *) context;
}

START_TEST (what_cannot_move_is_in_the_way)
{
  BnArena *arena = bn_arena_new (64 * 3, ALIGNMENT, 3);
  BnArenaMove moves[3];
  int64_t offset;
  uint32_t immovable = 1;

  /* a unit free, block 1, 4 units free */
  for (uint32_t b = 0; b < 2; b++)
    ck_assert_int_eq (bn_arena_put (arena, b, 64, &offset), BN_ARENA_OK);
  bn_arena_take_out (arena, 0);
  ck_assert_uint_eq (bn_arena_plan (arena, 64 * 5, is_not_block, &immovable, moves), 0);
  immovable = 0;
  ck_assert_uint_eq (bn_arena_plan (arena, 64 * 5, is_not_block, &immovable, moves), 1);
  ck_assert_int_eq (moves[0].to, 0);
  bn_arena_free (arena);
}
END_TEST

/* ---- against a naive model ---- */

/* Every byte of the physical memory says whose it is. */
typedef struct Naive
{
  int64_t capacity, physical;
  int64_t bytes[N_BLOCKS];   /* -1: not in it */
  int64_t offset[N_BLOCKS];
  uint8_t owner[20000];      /* block + 1, or 0 */
} Naive;

static int64_t
naive_used (const Naive *naive)
{
  int64_t used = 0;

  for (int b = 0; b < N_BLOCKS; b++)
    used += naive->bytes[b] > 0 ? naive->bytes[b] : 0;
  return used;
}

static void
naive_mark (Naive *naive, uint32_t block, uint8_t owner)
{
  int64_t n_taken = 0;

  for (int64_t i = 0; i < naive->bytes[block]; i++)
    {
      uint8_t *byte = &naive->owner[naive->offset[block] + i];
      n_taken += owner != 0 && *byte != 0;
      *byte = owner;
    }
  ck_assert_int_eq (n_taken, 0);
}

static void
naive_put (Naive *naive, uint32_t block, int64_t bytes, int64_t offset)
{
  ck_assert_int_eq (offset % ALIGNMENT, 0);
  ck_assert_int_ge (offset, 0);
  ck_assert_int_le (offset + bytes, naive->physical);
  naive->bytes[block] = bytes;
  naive->offset[block] = offset;
  naive_mark (naive, block, (uint8_t) (block + 1));
}

static void
check_same (const BnArena *arena, const Naive *naive)
{
  ck_assert_int_eq (bn_arena_free_bytes (arena), naive->capacity - naive_used (naive));
  for (uint32_t b = 0; b < N_BLOCKS; b++)
    if (bn_arena_offset (arena, b) != (naive->bytes[b] < 0 ? -1 : naive->offset[b]))
      ck_abort_msg ("block %u is elsewhere", b);
}

/* The longest hole that an aligned block could take. */
static int64_t
naive_largest_hole (const Naive *naive)
{
  int64_t largest = 0;

  for (int64_t start = 0; start < naive->physical; start += ALIGNMENT)
    {
      int64_t end = start;
      while (end < naive->physical && naive->owner[end] == 0)
        end++;
      largest = MAX (largest, end - start);
    }
  return largest;
}

static bool
is_in_mask (uint32_t block, void *context)
{
  return *(uint32_t *) context >> block & 1;
}

/* A put that found no hole: the plan makes one of the right size without touching what
 * cannot move, or there is none to be had. Returns: whether it did. */
static bool
compact (BnArena *arena, Naive *naive, int64_t bytes, uint32_t movable)
{
  BnArenaMove moves[N_BLOCKS];
  uint32_t n = bn_arena_plan (arena, bytes, is_in_mask, &movable, moves);

  for (uint32_t i = 0; i < n; i++)
    {
      const BnArenaMove *m = &moves[i];
      ck_assert (movable >> m->block & 1);
      ck_assert_int_eq (m->from, naive->offset[m->block]);
      ck_assert_int_eq (m->bytes, naive->bytes[m->block]);
      ck_assert_int_lt (m->to, m->from);
      naive_mark (naive, m->block, 0);
      naive_put (naive, m->block, m->bytes, m->to);
      bn_arena_move (arena, m);
      check_same (arena, naive);
    }
  return n > 0;
}

START_TEST (random_operations_agree_with_a_naive_arena)
{
  BnRng rng;
  int n_compactions = 0, n_blocked = 0, n_full = 0;

  bn_rng_init (&rng, (uint64_t) _i, "arena");
  Naive *naive = g_new0 (Naive, 1);
  naive->capacity = 4000 + (int64_t) bn_rng_below (&rng, 8000);
  naive->physical = bn_arena_physical_bytes (naive->capacity, ALIGNMENT, N_BLOCKS);
  ck_assert_int_le (naive->physical, (int64_t) sizeof naive->owner);
  BnArena *arena = bn_arena_new (naive->capacity, ALIGNMENT, N_BLOCKS);
  for (int b = 0; b < N_BLOCKS; b++)
    naive->bytes[b] = -1;
  for (int step = 0; step < 3000; step++)
    {
      uint32_t block = (uint32_t) bn_rng_below (&rng, N_BLOCKS);
      int64_t bytes = 1 + (int64_t) bn_rng_below (&rng, (uint64_t) naive->capacity / 3), offset;

      if (naive->bytes[block] >= 0)
        {
          bn_arena_take_out (arena, block);
          naive_mark (naive, block, 0);
          naive->bytes[block] = -1;
          check_same (arena, naive);
          continue;
        }
      bool fits = bytes <= naive->capacity - naive_used (naive);
      BnArenaResult result = bn_arena_put (arena, block, bytes, &offset);
      ck_assert_int_eq (result == BN_ARENA_FULL, !fits);
      n_full += result == BN_ARENA_FULL;
      if (result == BN_ARENA_FRAGMENTED)
        {
          ck_assert_int_lt (naive_largest_hole (naive), bytes);
          uint32_t movable = bn_rng_below (&rng, 2) ? UINT32_MAX : (uint32_t) bn_rng_next (&rng);
          bool made = compact (arena, naive, bytes, movable);
          ck_assert (made || movable != UINT32_MAX);
          n_compactions += made;
          n_blocked += !made;
          result = bn_arena_put (arena, block, bytes, &offset);
          ck_assert_int_eq (result, made ? BN_ARENA_OK : BN_ARENA_FRAGMENTED);
        }
      if (result == BN_ARENA_OK)
        naive_put (naive, block, bytes, offset);
      check_same (arena, naive);
    }
  ck_assert_int_gt (n_compactions, 20);
  ck_assert_int_gt (n_blocked, 5);
  ck_assert_int_gt (n_full, 100);
  bn_arena_free (arena);
  g_free (naive);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("arena");
  TCase *tc = tcase_create ("arena");

  tcase_set_timeout (tc, 60);
  tcase_add_test (tc, the_best_hole_is_taken_the_lowest_of_equals);
  tcase_add_test (tc, alignment_takes_nothing_from_the_capacity);
  tcase_add_test (tc, compaction_moves_as_little_as_it_can);
  tcase_add_test (tc, what_cannot_move_is_in_the_way);
  tcase_add_loop_test (tc, random_operations_agree_with_a_naive_arena, 0, 10);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
