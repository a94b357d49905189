/* bound.h: how good any schedule of a workload on a cluster can be.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Lower bounds on the mean latency and the mean slowdown of the jobs that a run
 * averages (created at or after its warm-up), valid for every scheduler, queue order,
 * eviction policy and option: statement, proofs and assumptions are in doc/bounds.md.
 * The jobs and their true runtimes are those that every run of the same seed meets.
 *
 *   per job     each job alone on an idle cluster, without loads and transfers
 *   relaxation  the cluster as one machine as fast as all of it, preemptive
 *   prices      whole tasks that pay for the cluster's time
 *
 * The greatest of them counts. They hold for runs in which every job of a workflow
 * whose models fit somewhere ends done; of others the mean is over fewer jobs, maybe
 * those that were quick. Deterministic.
 *
 * This room knows nothing of schedulers, queues and caches.
 */
#ifndef BN_BOUND_H
#define BN_BOUND_H

#include <gio/gio.h>

#include "arrivals.h"
#include "cost.h"
#include "noise.h"

typedef enum
{
  BN_BOUND_PER_JOB,
  BN_BOUND_RELAXATION,
  BN_BOUND_PRICES,
  BN_N_BOUNDS
} BnBoundKind;

typedef struct BnBoundConfig
{
  const BnCost *cost;                /* with its platform and catalogue; borrowed, like everything below */
  const BnArrivalsConfig *arrivals;  /* its seed and n_workers are replaced */
  BnNoise noise;
  const uint8_t *preloaded;          /* [models], set where resident somewhere from the start; NULL: none */
  uint64_t seed;
  BnTime warmup_ns;
  uint32_t steps;                    /* tries to better the relaxation, and then the prices */
  bool (*stopped) (void *data);      /* asked now and then whether to give up; NULL: never */
  void *stopped_data;
} BnBoundConfig;

/* Steps of `binnacle bound`, and those of a comparison, whose bounds must not take
 * longer than its runs. */
#define BN_BOUND_STEPS 40
#define BN_BOUND_FEW_STEPS 0

/* A bound on one mean. */
typedef struct BnBoundValue
{
  int64_t n_jobs;              /* that the mean is over; 0: there is none        */
  double mean[BN_N_BOUNDS];    /* what each kind proves                          */
  double best;                 /* the greatest, block by block (doc/bounds.md)   */
  BnBoundKind kind;            /* that gives most of it                          */
} BnBoundValue;

typedef struct BnBound
{
  int64_t n_jobs;              /* created                                        */
  int64_t n_runnable;          /* of those, whose models fit somewhere           */
  BnBoundValue latency_ns;     /* rounded down to ns                             */
  BnBoundValue slowdown;       /* rounded down to millionths; of jobs whose lower bound is not 0 */
  double slots_needed;         /* jobs a second x mean GPU time of a job on the best type for each task;
                                  0 with less than two jobs or none in time      */
} BnBound;

/* "per-job", … */
const char *bn_bound_kind_name (BnBoundKind kind);

/* O(jobs x steps) or so; memory does not grow with the number of jobs. FALSE with
 * `error` set where the arrivals cannot be read, or it was stopped (G_IO_ERROR_CANCELLED). */
gboolean bn_bound_compute (const BnBoundConfig *config, BnBound *ret, GError **error);

#endif
