/* cost.h: how long everything takes. Every formula of the project.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Pure functions of a platform and a catalogue, in integer nanoseconds: each
 * part is computed exactly as a fraction and rounded once, half up. Schedulers
 * and the model backend call the same functions. Formulas and constants are from
 * the published Compass system and its simulator as recorded in
 * doc/cost-model.md; hand-worked values are in tests/test_cost.c.
 *
 * BnCost holds what would otherwise be recomputed at every decision. Per-task
 * tables are indexed by workflow->first_task + task number.
 *
 * <stdint.h> only.
 */
#ifndef BN_COST_H
#define BN_COST_H

#include "bn.h"
#include "platform.h"
#include "workflow.h"

/* Host to device, and device to host: latency + bytes / rate; 0 bytes cost 0. */
BnDuration bn_cost_pcie (const BnGpuType *gpu, int64_t bytes);

/* Worker to worker over the network; see BnNetwork. */
BnDuration bn_cost_network (const BnNetwork *network, int64_t bytes);

typedef struct BnCost
{
  const BnPlatform *platform;
  const BnCatalogue *catalogue;
  uint32_t n_types, n_tasks, n_models;

  /* [type * n_tasks + first_task + t] */
  BnDuration *runtime_ns;     /* R(t, w) for w of that type                      */
  BnDuration *output_pcie_ns; /* the output over that type's PCIe                */
  /* [first_task + t] */
  BnDuration *output_net_ns;  /* the output over the network                     */
  BnDuration *input_net_ns;   /* the client's input over the network             */
  BnDuration *rank_ns;        /* rank(t): R + max over successors (g2g + rank),
                                 R and g2g being means over the workers          */
  BnDuration *mean_runtime_ns; /* R(t, w) averaged over the workers              */
  int32_t *task_model;        /* or BN_NONE                                      */
  uint32_t *task_workflow;
  double *bound_inverse;      /* 1 / lower_bound_ns of its workflow, of 1 ns at least */
  double *order_weight;       /* (rank / 600 ms) * (that lower bound / 600 ms), for
                                 the queue order `key`                           */
  uint32_t *rank_order;       /* per workflow from first_task: task numbers by
                                 falling rank, the lower number first in ties    */
  /* [type * n_models + m] */
  BnDuration *load_ns;        /* TD of a miss: m over that type's PCIe           */
  BnDuration *evict_ns;       /* writing m back                                  */
  uint8_t *fits;              /* m is no larger than that type's memory          */
  /* [workflow] */
  BnDuration *lower_bound_ns; /* critical path, each task at the best type that can
                                 hold its model                                  */
  BnDuration *deadline_ns;    /* after a job's creation, or BN_TIME_NEVER        */
  BnDuration *job_input_net_ns; /* c2c of the inputs of all entry tasks together: a
                                 client's message to the first worker            */
} BnCost;

/* R(t, w): the profile divided by the relative speed, or what the model states
 * for this GPU type. */
static inline BnDuration
bn_cost_runtime (const BnCost *c, const BnWorkflow *wf, uint32_t task, uint32_t worker)
{
  return c->runtime_ns[(uint64_t) c->platform->workers[worker].type * c->n_tasks + wf->first_task + task];
}

static inline BnDuration
bn_cost_load (const BnCost *c, uint32_t model, uint32_t worker)
{
  return c->load_ns[(uint64_t) c->platform->workers[worker].type * c->n_models + model];
}

static inline bool
bn_cost_fits (const BnCost *c, uint32_t model, uint32_t worker)
{
  return c->fits[(uint64_t) c->platform->workers[worker].type * c->n_models + model];
}

/* g2g of the output of `task` from one worker to another: device to host, over
 * the network unless both are in one server, host to device; 0 on the same
 * worker. */
static inline BnDuration
bn_cost_g2g (const BnCost *c, const BnWorkflow *wf, uint32_t task, uint32_t from, uint32_t to)
{
  if (from == to)
    return 0;
  const BnWorkerInfo *a = &c->platform->workers[from], *b = &c->platform->workers[to];
  uint64_t t = wf->first_task + task;
  return c->output_pcie_ns[(uint64_t) a->type * c->n_tasks + t] + (a->server == b->server ? 0 : c->output_net_ns[t])
         + c->output_pcie_ns[(uint64_t) b->type * c->n_tasks + t];
}

/* c2c of what the client sends to entry task `task`. */
static inline BnDuration
bn_cost_input (const BnCost *c, const BnWorkflow *wf, uint32_t task)
{
  return c->input_net_ns[wf->first_task + task];
}

/* The runtime that really happens: R(t, w) times the random factor, rounded half
 * up. */
static inline BnDuration
bn_cost_true_runtime (BnDuration runtime_ns, double factor)
{
  return factor == 1.0 ? runtime_ns : bn_round_half_up ((double) runtime_ns * factor);
}

/* Builds the tables: O((types + 1) * (tasks + edges + models)), and O(tasks^2) for
 * workflows in which a task and its predecessor have equal rank. The platform and
 * the catalogue are borrowed and must outlive it. Never NULL. */
BnCost *bn_cost_new (const BnPlatform *platform, const BnCatalogue *catalogue);
void bn_cost_free (BnCost *cost);

#endif
