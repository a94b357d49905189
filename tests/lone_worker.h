/* lone_worker.h: one worker and tasks for it, without a run.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Cache contents are written as text: a letter is a model of 10 bytes, oldest
 * load first, "A" resident, "A*" pinned, "a" loading. A queue is a word of
 * letters, one a task that needs this model; "-" is a task that needs none and
 * "?" a reservation.
 */
#ifndef BN_TEST_LONE_WORKER_H
#define BN_TEST_LONE_WORKER_H

#include <glib.h>

#include "catalogue.h"
#include "platform_build.h"
#include "worker.h"

#define MS BN_NS_PER_MS
#define N_MODELS 8
#define MODEL_BYTES 10
#define N_TASKS 64
#define N_QUEUED 16

/* Task number t of the one job needs model t % 9, or none where that is 8, and
 * runs for t ms. A model loads in 10 ms. */
typedef struct LoneWorker
{
  BnCatalogue *catalogue;
  BnPlatform *platform;
  BnCost *cost;
  BnJob *job;
  BnWorker worker;
  BnQueueNode reservations[N_QUEUED];
  uint32_t n_reservations;
  int request;            /* what reservations point at */
} LoneWorker;

LoneWorker *lone_worker_new (uint32_t n_slots, int64_t memory_bytes);
void lone_worker_free (LoneWorker *lone);

/* Puts a task of the job into the queue, and returns it. */
BnTask *lone_worker_enqueue (LoneWorker *lone, BnTask *task, bool at_head);

/* Puts a reservation at the end of the queue. */
BnQueueNode *lone_worker_reserve (LoneWorker *lone);

/* Adds what the word says. */
void lone_worker_set_queue (LoneWorker *lone, const char *word);
void lone_worker_set_cache (LoneWorker *lone, const char *word);

#endif
