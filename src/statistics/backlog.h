/* backlog.h: how many jobs are in the system, over time, in bounded memory.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Time is cut into bins of one width from 0 on; each holds the integral of the
 * number of jobs over its span, exactly, and how many came. When time leaves the last bin, the
 * width doubles and neighbours are added together. So there are always between
 * BN_BACKLOG_BINS / 2 and BN_BACKLOG_BINS bins in use, once the run is longer
 * than BN_BACKLOG_BINS microseconds. Any time may come, BN_TIME_NEVER included.
 */
#ifndef BN_BACKLOG_H
#define BN_BACKLOG_H

#include "bn.h"

#define BN_BACKLOG_BINS 1024

/* The integral of a number of jobs over time [job ns]. */
__extension__ typedef __int128 BnJobTime;

typedef struct BnBacklog
{
  BnDuration width_ns;
  BnTime bin_end_ns;        /* of the bin under way                     */
  BnTime last_ns;           /* up to here everything is in a bin        */
  uint32_t bin;             /* under way                                */
  int64_t n_live;
  int64_t peak;
  BnJobTime area;           /* of the bin under way, up to last_ns      */
  BnJobTime bins[BN_BACKLOG_BINS];
  int64_t arrivals[BN_BACKLOG_BINS];  /* jobs that came, bin by bin      */
} BnBacklog;

void bn_backlog_init (BnBacklog *backlog);

/* One job more (+1) or less (-1) from `now` on; now never falls. */
void bn_backlog_change (BnBacklog *backlog, BnTime now, int change);

/* Carries the integral on to `now`: call once at the end of the run. */
void bn_backlog_finish (BnBacklog *backlog, BnTime now);

/* After finish: bins that lie wholly within [0, now], and the mean of one. */
uint32_t bn_backlog_n_bins (const BnBacklog *backlog);
double bn_backlog_mean (const BnBacklog *backlog, uint32_t bin);

/* Jobs that came in the bins that lie within [from, to]. */
int64_t bn_backlog_arrivals_between (const BnBacklog *backlog, BnTime from_ns, BnTime to_ns);

/* Mean number of jobs over the bins that lie within [from, to]; -1 without any. */
double bn_backlog_mean_between (const BnBacklog *backlog, BnTime from_ns, BnTime to_ns);

#endif
