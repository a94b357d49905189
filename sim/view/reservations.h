/* reservations.h: work that is planned onto a worker and not yet in its row.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A row counts a task only once it is queued, so decisions made close together
 * herd onto the same workers. With reservations an observer adds what it has
 * itself planned or moved onto w until it has seen it queued in w's row (`own`),
 * or, in addition, what the others' rows say that they have so reserved
 * (`published`). Source: ours; measured in doc/decisions.md.
 *
 * A reservation begins with a decision. For its owner it ends when w's row, as
 * the owner sees it, shows the task queued, or when the task was moved or given
 * up (as if w's row had told). In `published` mode both its beginning and its
 * end reach others through the owner's row; the central scheduler's list goes out
 * with worker 0's. FT is about one slot, so on a worker of k slots a task counts
 * for a kth of its runtime.
 */
#ifndef BN_RESERVATIONS_H
#define BN_RESERVATIONS_H

#include "spread.h"

typedef enum
{
  BN_RESERVE_OFF,
  BN_RESERVE_OWN,
  BN_RESERVE_PUBLISHED
} BnReserveMode;

typedef struct BnReservations BnReservations;
typedef struct BnReservation BnReservation;

BnReservations *bn_reservations_new (uint32_t n_workers, BnSpread spread, BnReserveMode mode);
void bn_reservations_free (BnReservations *r);

/* Observer `owner` (BN_NONE: central) reserves `amount_ns` of worker w's time.
 * Returns: (transfer none): the reservation, to be settled exactly once. */
BnReservation *bn_reservations_add (BnReservations *r, int32_t owner, uint32_t w, BnDuration amount_ns, BnTime now);

/* The task was queued at w, moved elsewhere or given up at `now`. */
void bn_reservations_settle (BnReservations *r, BnReservation *reservation, BnTime now);

/* What `observer` adds to each worker's FT at `now`: [n_workers], valid until
 * bn_reservations_close. `leave_out` (or NULL) is the reservation of the task that
 * is being decided about: it must not stand in its own way.
 * O(reservations of this observer + news). */
const BnDuration *bn_reservations_open (BnReservations *r, int32_t observer, BnTime now,
                                        const BnReservation *leave_out);
void bn_reservations_close (BnReservations *r);

#endif
