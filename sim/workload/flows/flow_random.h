/* flow_random.h: workflows that nobody has run: random DAGs of a size that is asked for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Shapes, all of levels: a task is in the level after the last of its predecessors, so that depth is their number and
 * width the size of the largest, as bn_flow_figures counts them.
 *
 *   layered    levels of random sizes; each task has a predecessor in the level before it and a successor in the one
 *              after it, both drawn; then every pair of tasks of neighbouring levels is joined with probability
 *              `density`, and DAGs that are still in pieces are joined by an edge for each (the layer-by-layer method
 *              of T. Tobita and H. Kasahara, "A standard task graph set for fair evaluation of multiprocessor
 *              scheduling algorithms", J. Scheduling 5(5), 2002, with the guarantees as ours)
 *   fork-join  one task, some beside each other, one task, some, ..., one: all of a level need all of the one before
 *   chain      one after the other
 *   tree       from one root, every task in a deeper level has one parent; parents have 1 to `arity` children, so
 *              that all leaves are in the last level. `in`: the other way, from the leaves to the root
 *
 * Numbers that are not asked for: depth is the possible one nearest to the square root of the tasks, 5 or the least
 * above it that is possible without them; width is drawn between the least that is possible and twice that, 4 at most
 * without tasks; tasks are drawn among all possible numbers.
 */
#ifndef BN_FLOW_RANDOM_H
#define BN_FLOW_RANDOM_H

#include "flow.h"
#include "rng.h"

typedef enum
{
  BN_DAG_LAYERED,
  BN_DAG_FORK_JOIN,
  BN_DAG_CHAIN,
  BN_DAG_TREE
} BnDagShape;

/* The word for each, NULL-terminated. */
extern const char *const bn_dag_shapes[];

/* All that a task waits for must be on one line of a catalogue. */
#define BN_DAG_MAX_WIDTH 100000u

/* Edges that are drawn, on average, beyond those that must be. */
#define BN_DAG_MAX_EDGES 4000000u

typedef struct BnDag
{
  BnDagShape shape;
  uint32_t tasks, width, depth;  /* 0: not asked for                 */
  uint32_t arity;                /* TREE: 2 or more                  */
  bool in;                       /* TREE                             */
  double density;                /* LAYERED: 0 to 1                  */
} BnDag;

/* A finished one. Tasks go by levels; their ids are 1, 2, ..., and their names, too; they have no runtime (-1) and no
 * files. NULL with `error` set, without a place, where the numbers do not fit together: which are possible is said.
 * O((tasks + edges) log edges). Returns: (transfer full). */
BnFlow *bn_flow_random (const BnDag *dag, const char *name, BnRng *rng, GError **error);

#endif
