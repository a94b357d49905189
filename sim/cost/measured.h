/* measured.h: what calibration found of a machine, for a model of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * The published formulas (cost.h) are what schedulers know; these take their place
 * where the model backend says how long an operation takes. A copy of s bytes takes
 * latency + s / rate. When k of the machine's workers execute at once, each goes
 * at the k-th of `speeds`, 1 being alone, and slower still beside copies, and copies beside executions: memory,
 * caches and the processor's clock are shared. The first run of a model after its load takes a time of its
 * own: its weights are where the copy left them. The run's own thread works a little for every operation,
 * and where no processor is free for it, those that work wait for it. The run hears of the end of an operation a little after it.
 *
 * <stdint.h> only.
 */
#ifndef BN_MEASURED_H
#define BN_MEASURED_H

#include "bn.h"

typedef struct BnMeasuredCopy
{
  BnDuration latency_ns;
  int64_t bytes_per_s;      /* 0: the latency alone */
} BnMeasuredCopy;

/* The most workers whose speeds are told apart. */
#define BN_MEASURED_MAX_SPEEDS 64

typedef struct BnMeasured
{
  BnMeasuredCopy load, evict, transfer;
  bool paced;               /* copies take at least what the formulas say                 */
  BnDuration wake_ns;       /* from the end of an operation until the run hears of it      */
  int64_t n_processors;     /* of the machine, for the next                                */
  BnDuration loop_ns;       /* of a processor, that the run itself takes for each execution and copy */
  uint32_t n_speeds;        /* >= 1                                                        */
  double speeds[BN_MEASURED_MAX_SPEEDS]; /* in (0, 1], with 1, 2, … workers busy; more than n_speeds: the last */
  double run_beside_load, run_beside_evict; /* in (0, 1]: speed of an execution for each load, eviction that
                               is under way, over its speed without                       */
  double load_beside_run, evict_beside_run; /* in (0, 1]: the same of a copy for each execution */
  uint32_t n_tasks;
  const BnDuration *runtime_ns; /* [n_tasks] of the catalogue, by first_task + task: alone, its model in
                               use before; NULL: what schedulers know is right            */
  const BnDuration *cold_ns; /* [n_tasks] of the catalogue: what the first run after a load
                               takes more, or less (below 0)                                                  */
} BnMeasured;

static inline BnDuration
bn_measured_copy (const BnMeasuredCopy *copy, int64_t bytes)
{
  if (copy->bytes_per_s == 0)
    return copy->latency_ns;
  return bn_time_add (copy->latency_ns, bn_muldiv_round (bytes, BN_NS_PER_S, copy->bytes_per_s));
}

#endif
