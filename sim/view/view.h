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

#include "bn.h"

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

  /* work that is known to be on its way to a worker and not yet in its row (see
     reservations.h); NULL where reservations are off */
  const BnDuration *reserved_ns;   /* [n_workers] */

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

/* The worker whose row change number `v` was, or BN_NONE where that is too long
 * ago to be known (then read every row). 1 <= v <= view->version. */
static inline int32_t
bn_view_change (const BnView *view, uint64_t v)
{
  return v + view->change_mask < view->version ? BN_NONE : (int32_t) view->changes[v & view->change_mask];
}

#endif
