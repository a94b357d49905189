/* placer_internal.h: the placer's own state, shared by its two files.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * placer.c         the life of a placer, plans, what callers ask
 * placer_search.c  the search for the worker of least cost
 */
#ifndef BN_PLACER_INTERNAL_H
#define BN_PLACER_INTERNAL_H

#include "placer.h"

/* Something planned onto a touched worker. */
typedef struct Planned
{
  BnTime start_ns, finish_ns;
  int32_t model;
  int32_t next;          /* the one after it in time, index into planned, or BN_NONE */
} Planned;

/* A worker that differs from what the table says, because of this plan. */
typedef struct Touched
{
  uint32_t worker;
  BnTime planned_ns;     /* end of the last one planned          */
  int64_t cached_bytes;
  int32_t first;         /* earliest planned, or BN_NONE         */
} Touched;

/* The workers of one GPU type: a range, since groups are numbered in order. */
typedef struct Range
{
  uint32_t first, end;
  int64_t memory_bytes;
} Range;

/* A worker that may be the one. */
typedef struct Candidate
{
  uint32_t worker;
  BnTime value_ns, start_ns, finish_ns;
} Candidate;

struct BnPlacer
{
  const BnCost *cost;
  BnFreeAt free_at;
  bool overlap;
  bool plain_rules;       /* Compass's own                                */
  bool plain;             /* and no reservations: the short scan will do  */
  BnRng rng;
  BnDuration *full_load_ns;    /* [types * models]: TD of a miss where the cache is full */
  BnDuration *miss_penalty_ns; /* [types * models]                                       */
  const BnPlatform *platform;
  BnPlacerRules rules;
  const BnView *view;
  BnTime now;
  uint32_t n_ranges;
  Range *ranges;          /* [n_types]   */
  uint32_t *server_first; /* [n_servers + 1]: first worker of each server */
  uint64_t plan;          /* number of the current plan                   */
  uint64_t *stamp;        /* [n_workers]: plan that touched it            */
  uint32_t *touched_at;   /* [n_workers]: where, if stamp == plan         */
  uint64_t query;         /* number of the current search                 */
  uint64_t *evaluated;    /* [n_workers]: search that evaluated it        */
  Touched *touched;
  uint32_t n_touched, capacity_touched;
  Planned *planned;
  uint32_t n_planned, capacity_planned;
  BnPlacerInput *inputs;  /* [most predecessors of a task] for choose_onward */
  Candidate *candidates;  /* [n_workers]: those within the band of the least so far */
  uint32_t n_candidates;
  BnTime limit_ns;        /* nothing above it can be chosen               */
  int32_t stay;           /* a worker whose value is wanted, too          */
  BnTime stay_value_ns;
};

/* One task under evaluation. */
typedef struct Query
{
  const BnWorkflow *wf;
  uint32_t task;
  BnNewcomer newcomer;
  int32_t model;               /* BN_NONE also where caches are ignored */
  int64_t model_bytes;
  const uint64_t *holders;
  const BnPlacerInput *inputs;
  uint32_t n_inputs;
  int32_t ingress;             /* entry tasks */
  bool is_entry;
  bool sum;                    /* the adjustment's sum instead of max + R */
} Query;

/* The worker of least cost; its worker is BN_NONE where none can hold the model. */
BnPlacerChoice bn_placer_search (BnPlacer *p, Query *q);

bool bn_placer_planned_holds (const BnPlacer *p, const Touched *touched, int32_t model);

#endif
