/* work_queue.h: work that one thread gives to others, in order.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Thread-safe; whoever waits sleeps. POSIX locks and not GLib's, here and wherever
 * threads of backends meet: those are what ThreadSanitizer sees.
 */
#ifndef BN_WORK_QUEUE_H
#define BN_WORK_QUEUE_H

#include <stdbool.h>

typedef struct BnWorkQueue BnWorkQueue;

BnWorkQueue *bn_work_queue_new (void);
/* Nobody waits in it any more. What is left in it is not freed. */
void bn_work_queue_free (BnWorkQueue *queue);

/* `item` is not NULL. */
void bn_work_queue_push (BnWorkQueue *queue, void *item);

/* Waits for an item. Returns: the oldest one, or NULL when the queue has been closed and is empty. */
void *bn_work_queue_pop (BnWorkQueue *queue);

/* Takes an item out that nobody has popped. Returns: whether it was there. O(items). */
bool bn_work_queue_remove (BnWorkQueue *queue, void *item);

/* Nothing more will be pushed; `discard`: and what is in it is forgotten. */
void bn_work_queue_close (BnWorkQueue *queue, bool discard);

#endif
