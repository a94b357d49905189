/* reservations.h: work that is placed on a worker and not yet in its row.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A row counts a task only once it is queued, so decisions made close together
 * herd onto the same workers. With reservations an observer adds what it has itself
 * placed or moved onto w (`own`), or, in addition, what w's row says that others
 * have (`published`): a message tells w, whose row tells everybody. Source: ours;
 * measured in doc/decisions.md.
 *
 * For w it ends when the task is queued, moved or given up; for all others when
 * w's row has told that, so that what is reserved there and what is queued there
 * change in the same row and no task counts twice. FT is about one slot, so on a
 * worker of k slots a task counts for a kth of its runtime.
 */
#ifndef BN_RESERVATIONS_H
#define BN_RESERVATIONS_H

#include "spread.h"
#include "view.h"

typedef enum
{
  BN_RESERVE_OFF,
  BN_RESERVE_OWN,
  BN_RESERVE_PUBLISHED
} BnReserveMode;

typedef struct BnReservations BnReservations;

BnReservations *bn_reservations_new (uint32_t n_workers, BnSpread spread, BnReserveMode mode);
void bn_reservations_free (BnReservations *r);

/* Observer `owner` (BN_NONE: central) places `task` on worker w; it takes amount_ns
 * of a slot there. In `published` mode w knows from told_ns on.
 * Returns: (transfer none): the reservation, to be settled exactly once. */
BnReservation *bn_reservations_add (BnReservations *r, int32_t owner, uint32_t w, const BnQueuedTask *task,
                                    BnDuration amount_ns, BnTime told_ns, BnTime now);

/* The task was queued at w, moved elsewhere or given up at `now`. */
void bn_reservations_settle (BnReservations *r, BnReservation *reservation, BnTime now);

/* Fills the columns of `view`, whose observer and left_out are set, as of `now`;
 * what is filled in is valid until bn_reservations_close.
 * O(reservations that the observer owns or is the worker of + news). */
void bn_reservations_open (BnReservations *r, BnView *view, BnTime now);
void bn_reservations_close (BnReservations *r);

/* How many of them w's row tells of now. */
uint32_t bn_reservations_in_row (const BnReservations *r, uint32_t w);

#endif
