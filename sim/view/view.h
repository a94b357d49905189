/* view.h: the cluster as one observer sees it, for schedulers to read.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The published table has one row for each worker. What others see of a row is
 * old by the dissemination setting, what a worker sees of its own row is fresh.
 * The rows are held once; while a hook runs, the observer's own row is laid over
 * them, so that a scheduler just reads the arrays. Times in a row are absolute:
 * a row that does not change needs no refresh.
 *
 * Arrays are in columns, so that a scan over all workers reads memory in order.
 * <stdint.h> only.
 */
#ifndef BN_VIEW_H
#define BN_VIEW_H

#include "queued_task.h"

/* What a row tells of its queue beyond the sum. */
typedef enum
{
  BN_ROW_SUM,      /* nothing                                      */
  BN_ROW_CLASSES,  /* runtime queued, by class of key              */
  BN_ROW_TASKS     /* every queued task                            */
} BnRowDetail;

typedef struct BnQueueRow
{
  BnQueuedTask *tasks;    /* [n_tasks] in no order that means anything; BN_ROW_TASKS */
  uint32_t n_tasks, capacity_tasks;
  BnDuration class_ns[BN_QUEUE_CLASSES];  /* BN_ROW_CLASSES */
} BnQueueRow;

/* A task that is placed on a worker and not yet in its queue: see reservations.h. */
typedef struct BnReservation
{
  BnQueuedTask task;        /* enqueue_ns: when it is expected to queue       */
  BnDuration amount_ns;     /* what it adds to FT                             */
  int32_t owner;            /* who placed it, or BN_NONE: central             */
  uint32_t worker;
  BnTime told_ns;           /* the worker knows of it                         */
  BnTime visible_ns;        /* and its row tells others                       */
  BnTime ends_ns;           /* it has queued, moved or gone, at the worker    */
  struct BnReservation *next_here, *prev_here;    /* of the worker, by rising task.enqueue_ns */
  struct BnReservation *next_owned, *prev_owned;  /* of the owner, latest first               */
} BnReservation;

typedef struct BnView
{
  uint32_t struct_size;
  uint32_t n_workers;
  uint32_t n_models;
  uint32_t holder_words;      /* 64-bit words in one model's holder bitmap        */
  int32_t observer;           /* whose view this is, or BN_NONE: central          */
  uint64_t version;           /* of the published rows: rises with every change   */

  /* load columns. One slot: the sum of the profiled runtimes queued, and when the
     running task is expected to end. Several slots: queued_ns is 0 and
     busy_until_ns is when the first slot is free with the queue list-scheduled. */
  const BnDuration *queued_ns;     /* [n_workers] */
  const BnTime *busy_until_ns;     /* [n_workers] */

  /* what the order-aware estimate needs; with one slot each the first two are the
     columns above */
  const BnDuration *backlog_ns;    /* [n_workers]: sum of the runtimes queued      */
  const BnTime *slot_free_ns;      /* [n_workers]: when the first slot ends what it runs;
                                      0: a slot is free; in the past: that task overruns  */
  BnDuration load_age_ns;          /* of rows other than the observer's, at most          */
  const BnQueueRow *queues;        /* [n_workers], or NULL where rows tell sums only */

  /* work that is known to be on its way to a worker and not yet in its row (see
     reservations.h); NULL where reservations are off */
  const BnDuration *reserved_ns;   /* [n_workers]: summed up */
  BnReservation *const *reserved;  /* [n_workers]: one by one; read those that bn_view_knows */
  const BnReservation *left_out;   /* that of the task which is being decided about */

  /* cache columns */
  const uint64_t *holders;         /* bit w of words [m * holder_words …]: w holds m */
  const int64_t *cached_bytes;     /* [n_workers]: sizes of what it holds             */

  /* changed rows, newest last: change number v stands at [v & change_mask] for
     version - change_mask - 1 < v <= version. Own rows laid over do not count. */
  const uint32_t *changes;
  uint64_t change_mask;
} BnView;

/* When worker w has finished what its row shows, as seen at `now`. */
static inline BnTime
bn_view_row_free_at (const BnView *view, uint32_t w, BnTime now)
{
  BnTime busy = view->busy_until_ns[w] > now ? view->busy_until_ns[w] : now;
  return busy + view->queued_ns[w];
}

/* EAT: the time at which worker w has finished what is in its queue, from its
 * row as seen at `now`: now + FT(w) of the cost model. */
static inline BnTime
bn_view_free_at (const BnView *view, uint32_t w, BnTime now)
{
  return bn_view_row_free_at (view, w, now) + (view->reserved_ns ? view->reserved_ns[w] : 0);
}

static inline bool
bn_view_holds (const BnView *view, uint32_t w, uint32_t model)
{
  return view->holders[(uint64_t) model * view->holder_words + w / 64] >> (w % 64) & 1;
}

/* Whether the observer of the view knows of a reservation at `now`. Its own it knows
 * from the start; those of its own queue from the message on; the rest by the row. */
static inline bool
bn_view_knows (const BnView *view, const BnReservation *r, BnTime now)
{
  if (r == view->left_out)
    return false;
  if ((int32_t) r->worker == view->observer)
    return now < r->ends_ns && (r->owner == view->observer || r->told_ns <= now);
  return r->owner == view->observer || r->visible_ns <= now;
}

/* By how much the task that is due next at w was known to overrun, when its row was as
 * old as it may be; 0 without one. */
static inline BnDuration
bn_view_overrun (const BnView *view, uint32_t w, BnTime now)
{
  BnTime seen_ns = (int32_t) w == view->observer ? now : now - view->load_age_ns;

  return view->slot_free_ns[w] > 0 && view->slot_free_ns[w] < seen_ns ? seen_ns - view->slot_free_ns[w] : 0;
}

/* The worker whose row change number `v` was, or BN_NONE where that is too long
 * ago to be known (then read every row). 1 <= v <= view->version. */
static inline int32_t
bn_view_change (const BnView *view, uint64_t v)
{
  return v + view->change_mask < view->version ? BN_NONE : (int32_t) view->changes[v & view->change_mask];
}

#endif
