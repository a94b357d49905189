/* published.h: the published table, from the side that writes it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The run reports each change of a worker's row as it happens; the table makes
 * it visible to others when the dissemination setting says so. Published rows
 * are held once, whatever the number of observers. Opening the view for an
 * observer lays its own fresh row over them, closing takes it off again: O(words
 * of one cache row), plus the changes that became visible since the last time.
 *
 * In `delay` mode a change waits in a queue for its time. In `interval` mode
 * worker w publishes its row as it is at w/W + k of the interval; nothing is
 * scheduled for that: what a tick has shown is worked out when somebody looks. A
 * change at the very instant of a tick is part of it unless somebody has looked
 * at that instant already; then it goes out with the next tick.
 *
 * Load and cache columns have separate settings.
 */
#ifndef BN_PUBLISHED_H
#define BN_PUBLISHED_H

#include "queue_rows.h"
#include "reservations.h"
#include "spread.h"
#include "view.h"

typedef struct BnPublished BnPublished;

/* The load columns of one row: see BnView. */
typedef struct BnLoadRow
{
  BnDuration queued_ns, backlog_ns;
  BnTime busy_until_ns, slot_free_ns;
} BnLoadRow;

typedef struct BnPublishedConfig
{
  uint32_t n_workers, n_models;
  const int64_t *model_bytes;   /* [n_models], copied */
  BnSpread load_spread, cache_spread;
  BnReserveMode reserve;
  bool track_loads;             /* false: load columns stay empty and cost nothing  */
  BnRowDetail detail;           /* of queues; BN_ROW_SUM without track_loads        */
  bool several_slots;           /* some worker has: backlog_ns, slot_free_ns differ */
  bool track_caches;            /* the same for cache columns                       */
} BnPublishedConfig;

BnPublished *bn_published_new (const BnPublishedConfig *config);
void bn_published_free (BnPublished *table);

/* The row of worker w, from `now` on. Calls come in order of time. */
void bn_published_set_load (BnPublished *table, uint32_t w, BnTime now, const BnLoadRow *row);
void bn_published_enqueued (BnPublished *table, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class);
void bn_published_dequeued (BnPublished *table, uint32_t w, BnTime now, const BnQueuedTask *task, uint32_t class);
void bn_published_set_cached (BnPublished *table, uint32_t w, uint32_t model, bool cached, BnTime now);

/* Worker w holds `model` from before the start, and everybody knows. */
void bn_published_preload (BnPublished *table, uint32_t w, uint32_t model);

/* The view of `observer` (BN_NONE: central, no row is fresh) at `now`, without the
 * reservation `leave_out` (or NULL). Valid until bn_published_close, which must
 * come before any other call. Returns: (transfer none). */
const BnView *bn_published_open (BnPublished *table, int32_t observer, BnTime now, const BnReservation *leave_out);
void bn_published_close (BnPublished *table);

/* How old the load row of w is for `observer` at `now`. */
BnDuration bn_published_load_age (const BnPublished *table, int32_t observer, uint32_t w, BnTime now);

/* The truth, for records of how far off a view was. */
BnTime bn_published_true_free_at (const BnPublished *table, uint32_t w, BnTime now);
bool bn_published_true_holds (const BnPublished *table, uint32_t w, uint32_t model);

/* How many workers hold `model` as `observer` sees it at `now`, its own row fresh. No
 * view may be open. O(words of workers). */
uint32_t bn_published_holders (BnPublished *table, int32_t observer, uint32_t model, BnTime now);

/* Reservations (see reservations.h); NULL where they are off. */
BnReservations *bn_published_reservations (BnPublished *table);

/* The worker whose row shows `observer` the most runtime queued at `now`, the lowest
 * number in ties, or BN_NONE if no row shows any. O(1) while rows stay as they are,
 * else O(workers). */
int32_t bn_published_longest_queue (BnPublished *table, int32_t observer, BnTime now);

/* Row changes published so far, and what they weigh: a row goes out whole, as
 *
 *   worker, time, lengths of lists                16 bytes
 *   queued_ns, busy_until_ns (and, with several
 *   slots, backlog_ns, slot_free_ns)              16 (32)      if loads are read
 *   a bit a model                                 M / 8        if caches are read
 *   BN_ROW_TASKS, a queued task: job's creation,
 *   its low 32 bits, workflow and task            16 each
 *   BN_ROW_CLASSES: runtime by class              64
 *   `published`, a reserved task: the same and
 *   when it is expected                           24 each
 *
 * (the runtime follows from the task and the worker's GPU). */
int64_t bn_published_updates (const BnPublished *table);
int64_t bn_published_bytes (const BnPublished *table);

#endif
