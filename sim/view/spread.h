/* spread.h: when a change of a row reaches the other workers.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef BN_SPREAD_H
#define BN_SPREAD_H

#include "bn.h"

/* How a column of the published table reaches the other workers. */
typedef enum
{
  BN_SPREAD_DELAY,    /* others see the row as it was `period_ns` ago             */
  BN_SPREAD_INTERVAL  /* worker w publishes every `period_ns`, first at w/W of it */
} BnSpreadMode;

typedef struct BnSpread
{
  BnSpreadMode mode;
  BnDuration period_ns;  /* 0: always fresh */
} BnSpread;

/* The last time not after t at which worker w of n publishes, or -1. */
static inline BnTime
bn_spread_last_tick (const BnSpread *s, uint32_t w, uint32_t n, BnTime t)
{
  BnTime phase = bn_muldiv_round (s->period_ns, w, n);
  return t < phase ? -1 : t - (t - phase) % s->period_ns;
}

/* When others see what happened at w at time t. */
static inline BnTime
bn_spread_visible_at (const BnSpread *s, uint32_t w, uint32_t n, BnTime t)
{
  if (s->period_ns == 0)
    return t;
  if (s->mode == BN_SPREAD_DELAY)
    return bn_time_add (t, s->period_ns);
  BnTime tick = bn_spread_last_tick (s, w, n, t);
  return tick == t ? t : tick < 0 ? bn_muldiv_round (s->period_ns, w, n) : bn_time_add (tick, s->period_ns);
}

#endif
