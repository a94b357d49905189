/* workflow.h: models, and workflows as DAGs of tasks.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Immutable once read. Every task has a number within its workflow, 0 .. n-1:
 * by rising label where all labels of the workflow are integers, else in file
 * order. "The lower task number" in any tie means this number. Labels may be
 * any text; they are what results print as task_id.
 *
 * <stdint.h> only; reading one from a file is in catalogue.h.
 */
#ifndef BN_WORKFLOW_H
#define BN_WORKFLOW_H

#include "bn.h"

/* A runtime stated for one GPU type by name, which replaces the profile divided
 * by that type's speed. */
typedef struct BnStatedRuntime
{
  const char *gpu_type;
  BnDuration runtime_ns;
} BnStatedRuntime;

/* What a model computes where tasks are really executed; see backends/nn/nn.h. */
typedef enum
{
  BN_LAYERS_BURN,         /* products of its weights: models known only by size and time */
  BN_LAYERS_MLP,
  BN_LAYERS_CONV,
  BN_LAYERS_LSTM,
  BN_LAYERS_TRANSFORMER
} BnLayers;

typedef struct BnModel
{
  const char *name;
  int64_t size_bytes;
  BnLayers layers;
  uint64_t seed;                  /* of its weights: stated, or a hash of its name */
  uint32_t n_stated;
  const BnStatedRuntime *stated;  /* [n_stated] */
} BnModel;

typedef struct BnTaskSpec
{
  const char *label;
  int32_t model;             /* index into the catalogue's models, or BN_NONE */
  int64_t input_bytes;       /* for an entry task: what the client sends      */
  int64_t output_bytes;      /* one object, sent whole to each successor      */
  BnDuration runtime_ns;     /* the profile, at relative speed 1              */
  BnDuration work_ns;        /* the profile as the catalogue states it, before any
                                overlay: how much a real backend computes     */
  uint32_t n_preds;
  uint32_t n_succs;
  const uint32_t *preds;     /* rising task numbers */
  const uint32_t *succs;     /* rising task numbers */
} BnTaskSpec;

/* A task's number has 20 bits wherever it is packed with a job's. */
#define BN_WORKFLOW_MAX_TASKS (1u << 20)

/* How a deadline was stated. */
typedef enum
{
  BN_DEADLINE_NONE,
  BN_DEADLINE_TIME,     /* deadline_ns after creation                     */
  BN_DEADLINE_MULTIPLE  /* deadline_ppm millionths of the lower bound     */
} BnDeadlineKind;

typedef struct BnWorkflow
{
  const char *name;
  uint32_t index;             /* in the catalogue                             */
  uint32_t first_task;        /* number of tasks in the workflows before it:
                                 first_task + t indexes per-task tables       */
  uint32_t n_tasks;           /* 1 to BN_WORKFLOW_MAX_TASKS                   */
  uint32_t n_entries;         /* >= 1: tasks without predecessors             */
  const BnTaskSpec *tasks;    /* [n_tasks]                                    */
  const uint32_t *entries;    /* [n_entries], rising                          */
  const uint32_t *topological; /* [n_tasks]: a topological order              */
  BnDuration lower_bound_ns;  /* runtimes along the critical path at speed 1,
                                 no transfer, no load                         */
  BnDeadlineKind deadline_kind;
  BnDuration deadline_ns;
  int64_t deadline_ppm;
} BnWorkflow;

typedef struct BnCatalogue
{
  uint32_t n_models;
  uint32_t n_workflows;
  uint32_t n_tasks;             /* over all workflows */
  const BnModel *models;        /* [n_models]         */
  const BnWorkflow *workflows;  /* [n_workflows]      */
} BnCatalogue;

#endif
