/* played_run.h: a run worked out by hand, told to probes without an engine.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Two workers with one slot, 8 GB, 10 W idle and 70 W active. Models A (4 GB, loads
 * in 4 ms, leaves in 1 ms) and B (6 GB, 6 ms). Workflow `pair`: task a (model A,
 * 10 ms), then b (model B, 20 ms). Workflow `solo`: task s (no model, 5 ms).
 * Times in ms; jobs 0 and 2 have a deadline of 100 and 50.
 *
 *   job  workflow  created  arrives  ended   what
 *   0    pair      10       11 @ 0   53      a on 0, b on 1
 *   1    pair      20       21 @ 1   62      a on 0, b planned on 1 and moved to 0
 *   2    solo      30       30 @ 1   58      s on 1, behind b of job 0
 *   3    pair      40       41 @ 0   41      refused
 *
 *   task  worker  enqueued  started  evict  load  executes  ended  access
 *   0 a   0       11        11       -      4     15        25     miss
 *   0 b   1       27        27       -      6     33        53     miss
 *   1 a   0       22        25       -      -     25        35     hit
 *   1 b   0       35        35       1      6     42        62     miss
 *   2 s   1       30        53       -      -     53        58     none
 *
 * Transfers: the client's input of 1 a to worker 0, 21 to 22, 50 bytes; the output
 * of 0 a to worker 1, 25 to 27, 100 bytes.
 */
#ifndef BN_PLAYED_RUN_H
#define BN_PLAYED_RUN_H

#include "probe.h"

extern const BnPlatform played_platform;
extern const BnCatalogue played_catalogue;

#define PLAYED_JOBS 4
#define PLAYED_END_MS 62

/* Tells the run to the probes, in order. */
void play_run (const BnProbe *probes, uint32_t n_probes);

/* The same, with a chance to spoil what is told: called once all jobs and cache
 * events are made, before the first is told. */
typedef struct PlayedRun PlayedRun;
struct PlayedRun
{
  BnJob *jobs[PLAYED_JOBS];
  BnCacheEvent cache_events[4];
  BnRunTotals totals;
};
void play_spoilt_run (const BnProbe *probes, uint32_t n_probes, void (*spoil) (PlayedRun *run));

#endif
