/* residency.c: places of models, and moving them together.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "residency.h"

#include <glib.h>
#include <pthread.h>

#include "arena.h"

typedef struct Place
{
  bool is_loaded;
  uint32_t n_pins;
} Place;

struct BnCudaResidency
{
  int64_t capacity_bytes;
  uint32_t n_models;
  pthread_mutex_t lock;     /* of all that follows                                     */
  pthread_cond_t changed;   /* a pin is gone, or is_moving is                          */
  bool is_moving;           /* models are moved, or are about to: none may be pinned   */
  BnArena *arena;
  Place *places;            /* [n_models]; those with an offset in the arena have one  */
  BnArenaMove *moves;       /* [n_models]: the loading thread's                        */
};

BnCudaResidency *
bn_cuda_residency_new (int64_t capacity_bytes, uint32_t n_models)
{
  BnCudaResidency *residency = g_new0 (BnCudaResidency, 1);

  residency->capacity_bytes = capacity_bytes;
  residency->n_models = n_models;
  pthread_mutex_init (&residency->lock, NULL);
  pthread_cond_init (&residency->changed, NULL);
  residency->arena = bn_arena_new (capacity_bytes, BN_CUDA_ALIGNMENT, n_models);
  residency->places = g_new0 (Place, n_models);
  residency->moves = g_new (BnArenaMove, n_models);
  return residency;
}

void
bn_cuda_residency_free (BnCudaResidency *residency)
{
  bn_arena_free (residency->arena);
  pthread_cond_destroy (&residency->changed);
  pthread_mutex_destroy (&residency->lock);
  g_free (residency->places);
  g_free (residency->moves);
  g_free (residency);
}

int64_t
bn_cuda_residency_bytes (const BnCudaResidency *residency)
{
  return bn_arena_physical_bytes (residency->capacity_bytes, BN_CUDA_ALIGNMENT, residency->n_models);
}

static bool
is_movable (uint32_t model, void *context)
{
  const BnCudaResidency *residency = context;

  return residency->places[model].n_pins == 0;
}

/* With the lock, which is let go while bytes are copied; no model is pinned meanwhile, and a model
 * that is dropped meanwhile leaves its place as if it had been moved. Returns: whether all went well. */
static bool
move_together (BnCudaResidency *residency, uint32_t n_moves, BnCudaMove move, void *user)
{
  bool is_well = true;

  for (uint32_t i = 0; i < n_moves && is_well; i++)
    {
      const BnArenaMove *step = &residency->moves[i];
      if (bn_arena_offset (residency->arena, step->block) != step->from)
        continue;
      pthread_mutex_unlock (&residency->lock);
      is_well = move (user, step->from, step->to, step->bytes);
      pthread_mutex_lock (&residency->lock);
      if (bn_arena_offset (residency->arena, step->block) != step->from)
        continue;
      if (is_well)
        bn_arena_move (residency->arena, step);
      else
        {
          /* half moved: whoever needs it loads it again */
          bn_arena_take_out (residency->arena, step->block);
          residency->places[step->block].is_loaded = false;
        }
    }
  return is_well;
}

/* With the lock: there are enough bytes, but no hole. Moves what can be moved, or waits for what cannot. */
static bool
make_hole (BnCudaResidency *residency, int64_t bytes, BnCudaMove move, void *user)
{
  bool is_well = true;

  residency->is_moving = true;
  uint32_t n_moves = bn_arena_plan (residency->arena, bytes, is_movable, residency, residency->moves);
  if (n_moves > 0)
    is_well = move_together (residency, n_moves, move, user);
  else
    pthread_cond_wait (&residency->changed, &residency->lock);
  return is_well;
}

BnCudaReserve
bn_cuda_residency_reserve (BnCudaResidency *residency, uint32_t model, int64_t bytes, BnCudaMove move, void *user,
                           int64_t *offset)
{
  BnCudaReserve ret = BN_CUDA_RESERVED;

  pthread_mutex_lock (&residency->lock);
  *offset = bn_arena_offset (residency->arena, model);
  while (*offset < 0 && ret == BN_CUDA_RESERVED)
    switch (bn_arena_put (residency->arena, model, bytes, offset))
      {
      case BN_ARENA_OK:
        break;
      case BN_ARENA_FULL:
        ret = BN_CUDA_NO_ROOM;
        break;
      case BN_ARENA_FRAGMENTED:
        if (!make_hole (residency, bytes, move, user))
          ret = BN_CUDA_MOVE_FAILED;
        break;
      }
  residency->is_moving = false;
  pthread_cond_broadcast (&residency->changed);
  pthread_mutex_unlock (&residency->lock);
  return ret;
}

void
bn_cuda_residency_loaded (BnCudaResidency *residency, uint32_t model)
{
  pthread_mutex_lock (&residency->lock);
  residency->places[model].is_loaded = true;
  pthread_mutex_unlock (&residency->lock);
}

void
bn_cuda_residency_drop (BnCudaResidency *residency, uint32_t model)
{
  pthread_mutex_lock (&residency->lock);
  if (bn_arena_offset (residency->arena, model) >= 0)
    bn_arena_take_out (residency->arena, model);
  residency->places[model].is_loaded = false;
  pthread_cond_broadcast (&residency->changed);
  pthread_mutex_unlock (&residency->lock);
}

bool
bn_cuda_residency_pin (BnCudaResidency *residency, uint32_t model, int64_t *offset)
{
  pthread_mutex_lock (&residency->lock);
  while (residency->is_moving)
    pthread_cond_wait (&residency->changed, &residency->lock);
  bool is_loaded = residency->places[model].is_loaded;
  if (is_loaded)
    {
      residency->places[model].n_pins++;
      *offset = bn_arena_offset (residency->arena, model);
    }
  pthread_mutex_unlock (&residency->lock);
  return is_loaded;
}

void
bn_cuda_residency_unpin (BnCudaResidency *residency, uint32_t model)
{
  pthread_mutex_lock (&residency->lock);
  residency->places[model].n_pins--;
  pthread_cond_broadcast (&residency->changed);
  pthread_mutex_unlock (&residency->lock);
}

int64_t
bn_cuda_residency_used (BnCudaResidency *residency, uint32_t *n_models)
{
  pthread_mutex_lock (&residency->lock);
  int64_t bytes = residency->capacity_bytes - bn_arena_free_bytes (residency->arena);
  *n_models = 0;
  for (uint32_t m = 0; m < residency->n_models; m++)
    if (bn_arena_offset (residency->arena, m) >= 0)
      ++*n_models;
  pthread_mutex_unlock (&residency->lock);
  return bytes;
}
