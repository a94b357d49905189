/* queue_rows.h: what rows tell of queues, true and as others see it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Part of the published table (published.h), which says when a row is published.
 * Every change is O(1), but for the removal of a task: O(queue), and none for one
 * that leaves in the instant in which it came.
 */
#ifndef BN_QUEUE_ROWS_H
#define BN_QUEUE_ROWS_H

#include "spread.h"
#include "view.h"

typedef struct BnQueueRows BnQueueRows;

/* `detail` is not BN_ROW_SUM. */
BnQueueRows *bn_queue_rows_new (uint32_t n_workers, BnSpread spread, BnRowDetail detail);
void bn_queue_rows_free (BnQueueRows *q);

/* A task enters or leaves the queue of w at `now`; its class of key is `class`. In
 * `interval` mode whoever calls has published what was due before. */
void bn_queue_rows_add (BnQueueRows *q, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class);
void bn_queue_rows_remove (BnQueueRows *q, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class);

/* `delay` mode: makes visible what is old enough at `now`. */
void bn_queue_rows_catch_up (BnQueueRows *q, BnTime now);

/* `interval` mode: the row of w goes out as it is. */
void bn_queue_rows_publish (BnQueueRows *q, uint32_t w);

/* The rows as others see them: [n_workers]. */
const BnQueueRow *bn_queue_rows_published (const BnQueueRows *q);

/* Swaps the row of w between what others see and the truth. */
void bn_queue_rows_swap (BnQueueRows *q, uint32_t w);

#endif
