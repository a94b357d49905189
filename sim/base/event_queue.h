/* event_queue.h: what happens next.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Events come out by (time, rank, place in line). The rank is a named class of
 * event; the place in line is the number under which an event was created, or
 * one that was taken earlier for it. So the order of simultaneous events never
 * depends on the shape of the heap.
 *
 * A queue is an object: any number can be in use at once. It is an array heap of
 * four children a node with 16-byte entries, one cache line for the children of a
 * node; events for the present instant bypass it through a ring: two in three
 * events of a run, which takes 10 to 16 % longer without it (doc/performance.md).
 * Cancelled entries stay in the heap until they surface or outnumber the living.
 *
 * Costs for n pending events: schedule, pop O(log n), O(1) for the present
 * instant; cancel O(1), amortised; reschedule O(log n).
 *
 * Limits, asserted: 2^24 - 1 events pending at once, 2^37 - 1 created in a
 * queue's life, 8 ranks, times >= 0.
 */
#ifndef BN_EVENT_QUEUE_H
#define BN_EVENT_QUEUE_H

#include "bn.h"

typedef struct BnEventQueue BnEventQueue;

/* Ranks in the order in which simultaneous events happen. */
typedef enum
{
  BN_RANK_CREATION,  /* jobs, in file order: so that arrivals can be streamed      */
  BN_RANK_MEMORY,    /* loads and evictions end: a model counts as resident for all
                        that happens at that instant                               */
  BN_RANK_NORMAL     /* everything else, in order of creation                      */
} BnRank;

/* Names a pending event; 0 names none. A handle of an event that has happened or
 * was cancelled is harmless: no later event has the same. */
typedef uint64_t BnEventHandle;

typedef struct BnEvent
{
  BnTime time_ns;
  void *object;     /* the caller's */
  uint32_t arg;     /* the caller's */
  uint32_t kind;    /* the caller's */
} BnEvent;

BnEventQueue *bn_event_queue_new (void);
void bn_event_queue_free (BnEventQueue *queue);

/* Takes the next place in line without an event, for one that is known to come
 * but not yet when. Each place may be used once. */
uint64_t bn_event_queue_take_place (BnEventQueue *queue);

/* event->time_ns must not be before the time of the last event popped. */
BnEventHandle bn_event_queue_schedule (BnEventQueue *queue, const BnEvent *event, BnRank rank);
BnEventHandle bn_event_queue_schedule_at_place (BnEventQueue *queue, const BnEvent *event, BnRank rank,
                                               uint64_t place);

/* FALSE where the handle names no pending event. */
bool bn_event_queue_cancel (BnEventQueue *queue, BnEventHandle handle);

/* Moves a pending event to `time_ns` and to the end of the line there.
 * Returns: its new handle, or 0 where the old one names no pending event. */
BnEventHandle bn_event_queue_reschedule (BnEventQueue *queue, BnEventHandle handle, BnTime time_ns);

/* Takes out the first event; false where there is none. */
bool bn_event_queue_pop (BnEventQueue *queue, BnEvent *ret);

/* Time of the first event, or BN_TIME_NEVER. */
BnTime bn_event_queue_next_time (BnEventQueue *queue);

/* Time of the last event popped; 0 before. */
BnTime bn_event_queue_now (const BnEventQueue *queue);

/* Pending events, without cancelled ones. */
uint32_t bn_event_queue_length (const BnEventQueue *queue);

/* Asserts the heap property and that every pending event is there once. O(n). */
void bn_event_queue_verify (const BnEventQueue *queue);

#endif
