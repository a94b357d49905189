/* store.c: the data of jobs: outputs of tasks and what clients sent, as copies on workers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "store.h"

#include <glib.h>
#include <pthread.h>

typedef struct Copy
{
  BnDatum datum;
  uint32_t worker;
  BnStoredBuffer *buffer;
  struct Copy *next_of_job;
} Copy;

struct BnStore
{
  void (*release) (void *data, void *context);
  void *context;
  pthread_mutex_t mutex;
  GHashTable *copies;       /* set of Copy, by datum and worker                    */
  GHashTable *first_of_job; /* job id -> Copy: the head of its list; key in the head */
};

static guint
copy_hash (gconstpointer p)
{
  const Copy *copy = p;
  uint64_t h = (uint64_t) copy->datum.job_id * 0x9e3779b97f4a7c15u;

  h ^= ((uint64_t) copy->worker << 32) + 2 * (uint64_t) copy->datum.task + copy->datum.from_client;
  h *= 0xbf58476d1ce4e5b9u;
  return (guint) (h >> 32);
}

static gboolean
copy_equal (gconstpointer a, gconstpointer b)
{
  const Copy *x = a, *y = b;

  return x->datum.job_id == y->datum.job_id && x->datum.task == y->datum.task
         && x->datum.from_client == y->datum.from_client && x->worker == y->worker;
}

BnStore *
bn_store_new (void (*release) (void *data, void *context), void *context)
{
  BnStore *store = g_new0 (BnStore, 1);

  store->release = release;
  store->context = context;
  pthread_mutex_init (&store->mutex, NULL);
  store->copies = g_hash_table_new (copy_hash, copy_equal);
  store->first_of_job = g_hash_table_new (g_int64_hash, g_int64_equal);
  return store;
}

/* Returns: the buffer where nobody else uses it, for the caller to free. With the lock held. */
static BnStoredBuffer *
drop_use (BnStoredBuffer *buffer)
{
  return --buffer->n_users == 0 ? buffer : NULL;
}

static void
free_buffer (BnStore *store, BnStoredBuffer *buffer)
{
  if (!buffer)
    return;
  store->release (buffer->data, store->context);
  g_free (buffer);
}

/* Every copy of the list goes. */
static void
free_copies (BnStore *store, Copy *first)
{
  for (Copy *copy = first, *next; copy; copy = next)
    {
      next = copy->next_of_job;
      pthread_mutex_lock (&store->mutex);
      BnStoredBuffer *unused = drop_use (copy->buffer);
      pthread_mutex_unlock (&store->mutex);
      free_buffer (store, unused);
      g_free (copy);
    }
}

void
bn_store_free (BnStore *store)
{
  GHashTableIter iter;
  gpointer first;

  g_hash_table_iter_init (&iter, store->first_of_job);
  while (g_hash_table_iter_next (&iter, NULL, &first))
    free_copies (store, first);
  g_hash_table_unref (store->first_of_job);
  g_hash_table_unref (store->copies);
  pthread_mutex_destroy (&store->mutex);
  g_free (store);
}

/* The head of a job's list stays where it is, as its key is in it: others come behind it. */
static void
add_copy (BnStore *store, Copy *copy)
{
  Copy *first = g_hash_table_lookup (store->first_of_job, &copy->datum.job_id);

  g_hash_table_add (store->copies, copy);
  if (!first)
    {
      g_hash_table_insert (store->first_of_job, &copy->datum.job_id, copy);
      return;
    }
  copy->next_of_job = first->next_of_job;
  first->next_of_job = copy;
}

BnStoredBuffer *
bn_store_put (BnStore *store, BnDatum datum, uint32_t worker, void *data, int64_t bytes)
{
  Copy key = { .datum = datum, .worker = worker };
  BnStoredBuffer *buffer = g_new (BnStoredBuffer, 1), *unused = NULL;

  *buffer = (BnStoredBuffer) { data, bytes, 2 };
  pthread_mutex_lock (&store->mutex);
  Copy *copy = g_hash_table_lookup (store->copies, &key);
  if (copy)
    unused = drop_use (copy->buffer);
  else
    {
      copy = g_new (Copy, 1);
      *copy = key;
      add_copy (store, copy);
    }
  copy->buffer = buffer;
  pthread_mutex_unlock (&store->mutex);
  free_buffer (store, unused);
  return buffer;
}

BnStoredBuffer *
bn_store_get (BnStore *store, BnDatum datum, uint32_t worker)
{
  Copy key = { .datum = datum, .worker = worker };
  BnStoredBuffer *buffer = NULL;

  pthread_mutex_lock (&store->mutex);
  Copy *copy = g_hash_table_lookup (store->copies, &key);
  if (copy)
    {
      buffer = copy->buffer;
      buffer->n_users++;
    }
  pthread_mutex_unlock (&store->mutex);
  return buffer;
}

void
bn_store_let_go (BnStore *store, BnStoredBuffer *buffer)
{
  pthread_mutex_lock (&store->mutex);
  BnStoredBuffer *unused = drop_use (buffer);
  pthread_mutex_unlock (&store->mutex);
  free_buffer (store, unused);
}

void
bn_store_job_over (BnStore *store, int64_t job_id)
{
  pthread_mutex_lock (&store->mutex);
  Copy *first = g_hash_table_lookup (store->first_of_job, &job_id);
  g_hash_table_remove (store->first_of_job, &job_id);
  for (Copy *copy = first; copy; copy = copy->next_of_job)
    g_hash_table_remove (store->copies, copy);
  pthread_mutex_unlock (&store->mutex);
  free_copies (store, first);
}

uint32_t
bn_store_n_copies (BnStore *store)
{
  pthread_mutex_lock (&store->mutex);
  uint32_t n = g_hash_table_size (store->copies);
  pthread_mutex_unlock (&store->mutex);
  return n;
}
