/* catalogue_graph.h: one workflow's tasks become a numbered DAG.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * For this room only.
 */
#ifndef BN_CATALOGUE_GRAPH_H
#define BN_CATALOGUE_GRAPH_H

#include "input_error.h"
#include "workflow.h"

/* A task as it was added. Its predecessors are positions, from
 * preds[first_pred]; spec.preds and spec.succs are unused. */
typedef struct BnGraphTask
{
  BnTaskSpec spec;
  uint32_t first_pred;
  BnPlace place;
} BnGraphTask;

/* Numbers the tasks, links predecessors and successors, finds the entries, a
 * topological order and the lower bound, and writes them to `workflow` (whose
 * n_tasks is set) and `specs` [n_tasks]. Index arrays are cut from *numbers,
 * which moves on by at most 2 * (edges + tasks). FALSE with `error` set for no
 * tasks or too many, a predecessor that is no task or is named twice, and a cycle, whose
 * tasks are named. O((tasks + edges) log tasks). */
gboolean bn_graph_build (BnWorkflow *workflow, BnPlace place, const BnGraphTask *tasks, const uint32_t *preds,
                         BnTaskSpec *specs, uint32_t **numbers, GError **error);

#endif
