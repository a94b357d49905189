/* event_queue.c: a four-way array heap with a ring for the present instant.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * An entry is a time and a key; the key holds rank, place in line and the number
 * of the slot that has the rest. An entry is alive while its slot still has that
 * key: cancelling just clears the slot, and the key doubles as handle. Numbers
 * are in doc/performance.md.
 */
#include "event_queue.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "panic.h"

#define SLOT_BITS 24
#define PLACE_BITS 37
#define SLOT_MASK ((UINT64_C (1) << SLOT_BITS) - 1)
#define MAX_PLACE ((UINT64_C (1) << PLACE_BITS) - 1)
#define NO_SLOT ((uint32_t) SLOT_MASK)

/* The children of entry i are 4i+1 … 4i+4; the array starts this many entries
 * into an aligned block, so that they share a cache line. */
#define HEAP_OFFSET 3

typedef struct Entry
{
  BnTime time_ns;
  uint64_t key;
} Entry;

typedef struct Slot
{
  uint64_t key;   /* 0: free */
  void *object;
  uint32_t arg;   /* of a free slot: the next free one */
  uint32_t kind;
} Slot;

struct BnEventQueue
{
  Entry *heap;          /* block + HEAP_OFFSET */
  uint32_t n_heap;      /* cancelled ones included */
  uint32_t heap_capacity;

  Entry *ring;          /* entries of the present instant, in order */
  uint32_t ring_head, ring_length, ring_capacity;  /* capacity: a power of two */

  Slot *slots;
  uint32_t n_slots, slot_capacity, free_slot;

  uint32_t n_alive;
  uint64_t next_place;
  BnTime now_ns;
};

static inline bool
before (const Entry *a, const Entry *b)
{
  __extension__ typedef unsigned __int128 u128;
  /* one wide comparison: no branch on equal times */
  return ((u128) (uint64_t) a->time_ns << 64 | a->key) < ((u128) (uint64_t) b->time_ns << 64 | b->key);
}

static Entry *
heap_block_new (uint32_t capacity)
{
  gsize bytes = ((gsize) capacity + HEAP_OFFSET) * sizeof (Entry);
  Entry *block = aligned_alloc (64, (bytes + 63) & ~(gsize) 63);

  if (!block)
    g_error ("out of memory for %u events", capacity);
  return block + HEAP_OFFSET;
}

static void
heap_block_free (Entry *heap)
{
  free (heap - HEAP_OFFSET);
}

BnEventQueue *
bn_event_queue_new (void)
{
  BnEventQueue *queue = g_new0 (BnEventQueue, 1);

  queue->heap_capacity = 64;
  queue->heap = heap_block_new (queue->heap_capacity);
  queue->ring_capacity = 64;
  queue->ring = g_new (Entry, queue->ring_capacity);
  queue->slot_capacity = 64;
  queue->slots = g_new (Slot, queue->slot_capacity);
  queue->free_slot = NO_SLOT;
  queue->next_place = 1;
  return queue;
}

void
bn_event_queue_free (BnEventQueue *queue)
{
  if (!queue)
    return;
  heap_block_free (queue->heap);
  g_free (queue->ring);
  g_free (queue->slots);
  g_free (queue);
}

static inline bool
is_alive (const BnEventQueue *queue, uint64_t key)
{
  return queue->slots[key & SLOT_MASK].key == key;
}

static void
sift_up (Entry *heap, uint32_t i, Entry entry)
{
  while (i > 0)
    {
      uint32_t parent = (i - 1) / 4;
      if (!before (&entry, &heap[parent]))
        break;
      heap[i] = heap[parent];
      i = parent;
    }
  heap[i] = entry;
}

static void
sift_down (Entry *heap, uint32_t n, uint32_t i, Entry entry)
{
  for (;;)
    {
      uint32_t first = 4 * i + 1, best;

      if (first + 4 <= n)
        {
          uint32_t a = before (&heap[first + 1], &heap[first]) ? first + 1 : first;
          uint32_t b = before (&heap[first + 3], &heap[first + 2]) ? first + 3 : first + 2;
          best = before (&heap[b], &heap[a]) ? b : a;
        }
      else if (first < n)
        {
          best = first;
          for (uint32_t c = first + 1; c < n; c++)
            if (before (&heap[c], &heap[best]))
              best = c;
        }
      else
        break;
      if (!before (&heap[best], &entry))
        break;
      heap[i] = heap[best];
      i = best;
    }
  heap[i] = entry;
}

static void
heap_push (BnEventQueue *queue, Entry entry)
{
  if (queue->n_heap == queue->heap_capacity)
    {
      Entry *heap = heap_block_new (queue->heap_capacity * 2);
      memcpy (heap, queue->heap, queue->n_heap * sizeof (Entry));
      heap_block_free (queue->heap);
      queue->heap = heap;
      queue->heap_capacity *= 2;
    }
  sift_up (queue->heap, queue->n_heap++, entry);
}

static void
heap_drop_first (BnEventQueue *queue)
{
  uint32_t n = --queue->n_heap;

  if (n > 0)
    sift_down (queue->heap, n, 0, queue->heap[n]);
}

static void
ring_push (BnEventQueue *queue, Entry entry)
{
  if (queue->ring_length == queue->ring_capacity)
    {
      Entry *ring = g_new (Entry, (gsize) queue->ring_capacity * 2);
      for (uint32_t i = 0; i < queue->ring_length; i++)
        ring[i] = queue->ring[(queue->ring_head + i) & (queue->ring_capacity - 1)];
      g_free (queue->ring);
      queue->ring = ring;
      queue->ring_head = 0;
      queue->ring_capacity *= 2;
    }
  queue->ring[(queue->ring_head + queue->ring_length++) & (queue->ring_capacity - 1)] = entry;
}

static inline void
ring_drop_first (BnEventQueue *queue)
{
  queue->ring_head = (queue->ring_head + 1) & (queue->ring_capacity - 1);
  queue->ring_length--;
}

/* Throws cancelled entries out of the heap. Called when they are the majority,
 * so its cost is paid by the cancels. */
static void
heap_compact (BnEventQueue *queue)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < queue->n_heap; i++)
    if (is_alive (queue, queue->heap[i].key))
      queue->heap[n++] = queue->heap[i];
  queue->n_heap = n;
  if (n > 1)
    for (uint32_t i = (n - 2) / 4 + 1; i-- > 0;)
      sift_down (queue->heap, n, i, queue->heap[i]);
}

static uint32_t
slot_take (BnEventQueue *queue)
{
  uint32_t slot = queue->free_slot;

  if (slot != NO_SLOT)
    {
      queue->free_slot = queue->slots[slot].arg;
      return slot;
    }
  if (queue->n_slots == queue->slot_capacity)
    {
      queue->slot_capacity *= 2;
      queue->slots = g_renew (Slot, queue->slots, queue->slot_capacity);
    }
  BN_ASSERT (queue->n_slots < NO_SLOT);
  return queue->n_slots++;
}

static void
slot_release (BnEventQueue *queue, uint32_t slot)
{
  queue->slots[slot].key = 0;
  queue->slots[slot].arg = queue->free_slot;
  queue->free_slot = slot;
  queue->n_alive--;
}

uint64_t
bn_event_queue_take_place (BnEventQueue *queue)
{
  BN_ASSERT (queue->next_place < MAX_PLACE);
  return queue->next_place++;
}

static BnEventHandle
insert (BnEventQueue *queue, const BnEvent *event, BnRank rank, uint64_t place, bool newest)
{
  uint32_t slot = slot_take (queue);
  uint64_t key = (uint64_t) rank << (SLOT_BITS + PLACE_BITS) | place << SLOT_BITS | slot;
  Entry entry = { event->time_ns, key };

  BN_ASSERT (event->time_ns >= queue->now_ns);
  queue->slots[slot] = (Slot){ key, event->object, event->arg, event->kind };
  queue->n_alive++;
  /* The ring stays sorted: same instant, same rank, rising place. */
  if (newest && event->time_ns == queue->now_ns && rank == BN_RANK_NORMAL)
    ring_push (queue, entry);
  else
    heap_push (queue, entry);
  return key;
}

BnEventHandle
bn_event_queue_schedule (BnEventQueue *queue, const BnEvent *event, BnRank rank)
{
  return insert (queue, event, rank, bn_event_queue_take_place (queue), true);
}

BnEventHandle
bn_event_queue_schedule_at_place (BnEventQueue *queue, const BnEvent *event, BnRank rank, uint64_t place)
{
  BN_ASSERT (place > 0 && place < queue->next_place);
  return insert (queue, event, rank, place, false);
}

bool
bn_event_queue_cancel (BnEventQueue *queue, BnEventHandle handle)
{
  uint32_t slot = (uint32_t) (handle & SLOT_MASK);

  if (handle == 0 || slot >= queue->n_slots || queue->slots[slot].key != handle)
    return false;
  slot_release (queue, slot);
  if (queue->n_heap > 64 && queue->n_heap - MIN (queue->n_heap, queue->n_alive) > queue->n_heap / 2)
    heap_compact (queue);
  return true;
}

BnEventHandle
bn_event_queue_reschedule (BnEventQueue *queue, BnEventHandle handle, BnTime time_ns)
{
  uint32_t slot = (uint32_t) (handle & SLOT_MASK);

  if (handle == 0 || slot >= queue->n_slots || queue->slots[slot].key != handle)
    return 0;
  BnEvent event = { time_ns, queue->slots[slot].object, queue->slots[slot].arg, queue->slots[slot].kind };
  BnRank rank = (BnRank) (handle >> (SLOT_BITS + PLACE_BITS));
  bn_event_queue_cancel (queue, handle);
  return bn_event_queue_schedule (queue, &event, rank);
}

/* Drops dead entries from both fronts. Returns: the first living entry, or NULL;
 * *ret_in_ring says where it stands. */
static inline const Entry *
first_entry (BnEventQueue *queue, bool *ret_in_ring)
{
  while (queue->n_heap > 0 && !is_alive (queue, queue->heap[0].key))
    heap_drop_first (queue);
  while (queue->ring_length > 0 && !is_alive (queue, queue->ring[queue->ring_head].key))
    ring_drop_first (queue);
  *ret_in_ring = queue->ring_length > 0
                 && (queue->n_heap == 0 || before (&queue->ring[queue->ring_head], &queue->heap[0]));
  if (*ret_in_ring)
    return &queue->ring[queue->ring_head];
  return queue->n_heap > 0 ? &queue->heap[0] : NULL;
}

bool
bn_event_queue_pop (BnEventQueue *queue, BnEvent *ret)
{
  bool in_ring;
  const Entry *entry = first_entry (queue, &in_ring);

  if (!entry)
    return false;
  uint32_t slot_number = (uint32_t) (entry->key & SLOT_MASK);
  const Slot *slot = &queue->slots[slot_number];
  *ret = (BnEvent){ entry->time_ns, slot->object, slot->arg, slot->kind };
  queue->now_ns = entry->time_ns;
  slot_release (queue, slot_number);
  if (in_ring)
    ring_drop_first (queue);
  else
    heap_drop_first (queue);
  return true;
}

BnTime
bn_event_queue_next_time (BnEventQueue *queue)
{
  bool in_ring;
  const Entry *entry = first_entry (queue, &in_ring);

  return entry ? entry->time_ns : BN_TIME_NEVER;
}

BnTime
bn_event_queue_now (const BnEventQueue *queue)
{
  return queue->now_ns;
}

uint32_t
bn_event_queue_length (const BnEventQueue *queue)
{
  return queue->n_alive;
}

void
bn_event_queue_verify (const BnEventQueue *queue)
{
  uint32_t alive = 0;

  for (uint32_t i = 0; i < queue->n_heap; i++)
    {
      BN_ASSERT (i == 0 || before (&queue->heap[(i - 1) / 4], &queue->heap[i]));
      alive += is_alive (queue, queue->heap[i].key);
    }
  for (uint32_t i = 0; i < queue->ring_length; i++)
    {
      const Entry *e = &queue->ring[(queue->ring_head + i) & (queue->ring_capacity - 1)];
      const Entry *p = &queue->ring[(queue->ring_head + i - 1) & (queue->ring_capacity - 1)];
      BN_ASSERT (i == 0 || before (p, e));
      alive += is_alive (queue, e->key);
    }
  BN_ASSERT (alive == queue->n_alive);
}
