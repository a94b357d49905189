/* bound_block.h: jobs whose latencies are bounded together.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only. Blocks keep memory independent of the length of a run: that
 * jobs of one block wait for those of another is given away, which is valid.
 *
 * Times are doubles in ns since `origin_ns`, so that differences of those of one
 * block are exact to BN_BLOCK_SPAN_NS x 2^-52.
 */
#ifndef BN_BOUND_BLOCK_H
#define BN_BOUND_BLOCK_H

#include "machine_types.h"

/* A block is full with so many ways to run its tasks, or as long as this. */
#define BN_BLOCK_WAYS 70000u
#define BN_BLOCK_SPAN_NS (INT64_C (1) << 50)

typedef struct BnBoundJob
{
  double create;           /* since origin                                            */
  double least;            /* no schedule ends it earlier, alone on an idle cluster   */
  BnDuration latency_ns;   /* the same since its creation, exact                      */
  BnDuration lower_bound_ns; /* what its slowdown is measured by                      */
  uint32_t first_task;     /* of its workflow->n_tasks tasks                          */
  uint32_t n_tasks;
} BnBoundJob;

typedef struct BnBoundTask
{
  double release;          /* no schedule starts it earlier                           */
  double tail;             /* from its end to the end of its job, at least            */
  double runtime;          /* true, on its best type                                  */
  double work;             /* least of speed x runtime over its ways                  */
  uint32_t job;            /* within the block                                        */
  uint32_t spec;           /* workflow->first_task + task                             */
  uint32_t first_way, n_ways;
} BnBoundTask;

typedef struct BnBoundWay
{
  double runtime;          /* true */
  double speed;
} BnBoundWay;

typedef struct BnBoundBlock
{
  BnTime origin_ns;        /* creation of the first job */
  double span;             /* last creation or release  */
  uint32_t n_jobs, n_tasks, n_ways;
  BnBoundJob *jobs;
  BnBoundTask *tasks;      /* in order of job and task number */
  BnBoundWay *ways;
  uint32_t capacity_jobs, capacity_tasks, capacity_ways;
  BnDuration *scratch;     /* start, runtime, tail of each task of a job */
  uint32_t capacity_scratch;
} BnBoundBlock;

/* Zero-initialised is empty. Makes it empty again; keeps its memory. */
void bn_bound_block_reset (BnBoundBlock *block);
void bn_bound_block_clear (BnBoundBlock *block);

/* Whether a job created then belongs into the next block. */
bool bn_bound_block_is_full (const BnBoundBlock *block, BnTime create_ns);

/* `factors` [workflow->n_tasks]: true runtime / profile. The workflow is runnable. */
void bn_bound_block_add (BnBoundBlock *block, const BnCost *cost, const BnMachineTypes *types, const BnWorkflow *wf,
                         BnTime create_ns, const double *factors);

#endif
