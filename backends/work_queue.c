/* work_queue.c: work that one thread gives to others, in order.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "work_queue.h"

#include <glib.h>
#include <pthread.h>

struct BnWorkQueue
{
  pthread_mutex_t mutex;
  pthread_cond_t filled;
  GQueue items;
  bool closed;
};

BnWorkQueue *
bn_work_queue_new (void)
{
  BnWorkQueue *queue = g_new0 (BnWorkQueue, 1);

  pthread_mutex_init (&queue->mutex, NULL);
  pthread_cond_init (&queue->filled, NULL);
  g_queue_init (&queue->items);
  return queue;
}

void
bn_work_queue_free (BnWorkQueue *queue)
{
  g_queue_clear (&queue->items);
  pthread_cond_destroy (&queue->filled);
  pthread_mutex_destroy (&queue->mutex);
  g_free (queue);
}

void
bn_work_queue_push (BnWorkQueue *queue, void *item)
{
  pthread_mutex_lock (&queue->mutex);
  g_queue_push_tail (&queue->items, item);
  pthread_cond_signal (&queue->filled);
  pthread_mutex_unlock (&queue->mutex);
}

void *
bn_work_queue_pop (BnWorkQueue *queue)
{
  pthread_mutex_lock (&queue->mutex);
  while (g_queue_is_empty (&queue->items) && !queue->closed)
    pthread_cond_wait (&queue->filled, &queue->mutex);
  void *item = g_queue_pop_head (&queue->items);
  pthread_mutex_unlock (&queue->mutex);
  return item;
}

bool
bn_work_queue_remove (BnWorkQueue *queue, void *item)
{
  pthread_mutex_lock (&queue->mutex);
  bool found = g_queue_remove (&queue->items, item);
  pthread_mutex_unlock (&queue->mutex);
  return found;
}

void
bn_work_queue_close (BnWorkQueue *queue, bool discard)
{
  pthread_mutex_lock (&queue->mutex);
  queue->closed = true;
  if (discard)
    g_queue_clear (&queue->items);
  pthread_cond_broadcast (&queue->filled);
  pthread_mutex_unlock (&queue->mutex);
}
