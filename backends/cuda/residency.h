/* residency.h: the models in one worker's share of a GPU.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * One allocation of the worker's capacity (and a little more, see bn_arena_physical_bytes), in
 * which models have places. Which models are there is the run's decision; this knows where,
 * and moves them together when what is free is enough but not in one piece.
 *
 * Threads: reserve, and what it moves, is for the worker's one loading thread. Executors pin
 * the model they use; a pinned model is not moved, and none can be pinned while a move is
 * under way. drop may come from any thread.
 */
#ifndef BN_CUDA_RESIDENCY_H
#define BN_CUDA_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BnCudaResidency BnCudaResidency;

/* Alignment of a model's place, which is the driver's own. */
#define BN_CUDA_ALIGNMENT 256

/* `capacity_bytes` for any of n_models models. */
BnCudaResidency *bn_cuda_residency_new (int64_t capacity_bytes, uint32_t n_models);
void bn_cuda_residency_free (BnCudaResidency *residency);

/* Bytes that the allocation must have. */
int64_t bn_cuda_residency_bytes (const BnCudaResidency *residency);

/* Copies `bytes` within the allocation, to < from, and waits for it. Returns: whether it went well. */
typedef bool (*BnCudaMove) (void *user, int64_t from, int64_t to, int64_t bytes);

typedef enum
{
  BN_CUDA_RESERVED,
  BN_CUDA_NO_ROOM,      /* the model does not fit beside those that are there */
  BN_CUDA_MOVE_FAILED   /* `move` said so                                     */
} BnCudaReserve;

/* Gives the model a place, at *offset; it is not to be used yet. Where other models must be
 * moved for it, waits until none of them is pinned, and moves them. If the model has a place
 * already, that one. */
BnCudaReserve bn_cuda_residency_reserve (BnCudaResidency *residency, uint32_t model, int64_t bytes, BnCudaMove move,
                                         void *user, int64_t *offset);

/* What was reserved holds the model now. */
void bn_cuda_residency_loaded (BnCudaResidency *residency, uint32_t model);

/* The model has no place any more; nobody has pinned it. */
void bn_cuda_residency_drop (BnCudaResidency *residency, uint32_t model);

/* Returns: whether it is loaded; then it stays at *offset until unpinned. */
bool bn_cuda_residency_pin (BnCudaResidency *residency, uint32_t model, int64_t *offset);
void bn_cuda_residency_unpin (BnCudaResidency *residency, uint32_t model);

/* Bytes of all models that have a place, and how many those are: for messages. */
int64_t bn_cuda_residency_used (BnCudaResidency *residency, uint32_t *n_models);

#endif
