/* lanes.h: deals slices of time that overlap to lanes in which they do not.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each slice, in order of start, takes the lowest lane that is free. That needs
 * no more lanes than the most slices at one instant.
 */
#ifndef BN_LANES_H
#define BN_LANES_H

#include <glib.h>

typedef struct BnLanes BnLanes;

BnLanes *bn_lanes_new (void);
void bn_lanes_free (BnLanes *lanes);

/* Forgets every slice. */
void bn_lanes_clear (BnLanes *lanes);

/* The lane of a slice, from 0. Starts must not fall from call to call. O(lanes). */
guint bn_lanes_take (BnLanes *lanes, gint64 start_ns, gint64 end_ns);

/* How many lanes have been needed since the last clear. */
guint bn_lanes_count (const BnLanes *lanes);

#endif
