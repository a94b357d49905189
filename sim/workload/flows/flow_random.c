/* flow_random.c: workflows that nobody has run: random DAGs of a size that is asked for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "flow_random.h"

#include <math.h>
#include <string.h>

#include "dag_size.h"
#include "fmath.h"
#include "units.h"

const char *const bn_dag_shapes[] = { "layered", "fork-join", "chain", "tree", NULL };

/* ---- sizes of levels ---- */

/* So many into `n` boxes that hold 1 to `most` each: the first goes into each, the rest one by one into a random one
 * with room. */
static void
deal (BnRng *rng, uint32_t n, uint32_t most, uint32_t total, uint32_t *boxes)
{
  g_autofree uint32_t *open = g_new (uint32_t, n);
  uint32_t n_open = most > 1 ? n : 0;

  for (uint32_t i = 0; i < n; i++)
    {
      boxes[i] = 1;
      open[i] = i;
    }
  for (uint32_t left = total - n; left > 0; left--)
    {
      uint32_t pick = (uint32_t) bn_rng_below (rng, n_open);
      if (++boxes[open[pick]] == most)
        open[pick] = open[--n_open];
    }
}

/* `n` levels with so many tasks together, the largest of `width`. */
static void
deal_levels (BnRng *rng, uint32_t n, uint32_t width, uint32_t total, uint32_t *levels)
{
  uint32_t widest = (uint32_t) bn_rng_below (rng, n);

  if (n > 1)
    deal (rng, n - 1, width, total - width, levels);
  memmove (levels + widest + 1, levels + widest, (n - 1 - widest) * sizeof *levels);
  levels[widest] = width;
}

/* Those with one task stand between the others. */
static void
fork_levels (BnRng *rng, const BnDag *size, uint32_t *levels)
{
  uint32_t n_stages = size->depth / 2;
  g_autofree uint32_t *forks = g_new (uint32_t, n_stages + 1);

  if (n_stages > 0)
    deal_levels (rng, n_stages, size->width, size->tasks - n_stages - 1, forks);
  for (uint32_t l = 0; l < size->depth; l++)
    levels[l] = l % 2 == 0 ? 1 : forks[l / 2];
}

/* From the leaves on: what is left must be a tree, too. */
static void
tree_levels (BnRng *rng, const BnDag *size, uint32_t *levels)
{
  BnDag part = *size;

  levels[size->depth - 1] = size->width;
  for (uint32_t l = size->depth - 1; l-- > 0;)
    {
      uint32_t next = levels[l + 1], low = (next - 1) / size->arity + 1, high = next;
      part.tasks -= next;
      part.depth = l + 1;
      bn_dag_widths (&part, &low, &high);
      levels[l] = low + (uint32_t) bn_rng_below (rng, high - low + 1);
    }
}

static uint32_t *
draw_levels (BnRng *rng, const BnDag *size)
{
  uint32_t *levels = g_new (uint32_t, size->depth);

  if (size->shape == BN_DAG_TREE)
    tree_levels (rng, size, levels);
  else if (size->shape == BN_DAG_FORK_JOIN)
    fork_levels (rng, size, levels);
  else
    deal_levels (rng, size->depth, size->width, size->tasks, levels);
  for (uint32_t l = 0; size->in && l < size->depth / 2; l++)
    {
      uint32_t kept = levels[l];
      levels[l] = levels[size->depth - 1 - l];
      levels[size->depth - 1 - l] = kept;
    }
  return levels;
}

/* ---- edges from one level to the next ---- */

/* Two neighbouring levels: positions of their first tasks, and how many there are. */
typedef struct Pair
{
  uint32_t first, n_first, second, n_second;
} Pair;

static void
join_all (BnFlow *flow, const Pair *p)
{
  for (uint32_t i = 0; i < p->n_first; i++)
    for (uint32_t j = 0; j < p->n_second; j++)
      bn_flow_edge (flow, p->first + i, p->second + j);
}

/* Each of the smaller level has as many of the larger one as `deal` gives it, side by side. */
static void
join_families (BnFlow *flow, BnRng *rng, const BnDag *dag, const Pair *p)
{
  uint32_t n_parents = MIN (p->n_first, p->n_second), child = 0;
  g_autofree uint32_t *n_children = g_new (uint32_t, n_parents);

  deal (rng, n_parents, dag->arity, MAX (p->n_first, p->n_second), n_children);
  for (uint32_t i = 0; i < n_parents; i++)
    for (uint32_t k = 0; k < n_children[i]; k++, child++)
      bn_flow_edge (flow, p->first + (dag->in ? child : i), p->second + (dag->in ? i : child));
}

/* Each pair with probability `density`: from one that is taken to the next by a geometric leap, so that it costs what
 * it draws (V. Batagelj and U. Brandes, "Efficient generation of large random networks", Phys. Rev. E 71, 2005). */
static void
join_some (BnFlow *flow, BnRng *rng, double density, const Pair *p)
{
  double n = (double) p->n_first * p->n_second, rate = -bn_log (1 - density);

  if (density >= 1)
    join_all (flow, p);
  if (density <= 0 || density >= 1)
    return;
  for (double at = floor (bn_rng_exponential (rng) / rate); at < n; at += 1 + floor (bn_rng_exponential (rng) / rate))
    bn_flow_edge (flow, p->first + (uint32_t) (at / p->n_second), p->second + (uint32_t) ((uint64_t) at % p->n_second));
}

/* A predecessor to each of the second level, then a successor to each of the first that has none. */
static void
join_least (BnFlow *flow, BnRng *rng, const Pair *p)
{
  g_autofree bool *has_succ = g_new0 (bool, p->n_first);

  for (uint32_t j = 0; j < p->n_second; j++)
    {
      uint32_t pred = (uint32_t) bn_rng_below (rng, p->n_first);
      has_succ[pred] = true;
      bn_flow_edge (flow, p->first + pred, p->second + j);
    }
  for (uint32_t i = 0; i < p->n_first; i++)
    if (!has_succ[i])
      bn_flow_edge (flow, p->first + i, p->second + (uint32_t) bn_rng_below (rng, p->n_second));
}

/* ---- one piece ---- */

static uint32_t
piece_of (uint32_t *above, uint32_t task)
{
  while (above[task] != task)
    task = above[task] = above[above[task]];
  return task;
}

/* Every piece has a task in the first level. Where two that stand side by side there are in different pieces, the
 * second one is joined to a successor of the first. */
static void
join_pieces (BnFlow *flow, uint32_t n_first)
{
  guint n = flow->tasks->len, n_edges = flow->stated->len;
  g_autofree uint32_t *above = g_new (uint32_t, n), *succ = g_new0 (uint32_t, n);

  for (uint32_t t = 0; t < n; t++)
    above[t] = t;
  for (guint e = 0; e < n_edges; e++)
    {
      guint parent, child;
      bn_flow_stated_edge (flow, e, &parent, &child);
      succ[parent] = child;
      above[piece_of (above, parent)] = piece_of (above, child);
    }
  for (uint32_t t = 1; t < n_first; t++)
    if (piece_of (above, t) != piece_of (above, t - 1))
      {
        bn_flow_edge (flow, t, succ[t - 1]);
        above[piece_of (above, t)] = piece_of (above, t - 1);
      }
}

/* ---- the whole ---- */

static void
join_levels (BnFlow *flow, BnRng *rng, const BnDag *dag, const Pair *p)
{
  switch (dag->shape)
    {
    case BN_DAG_LAYERED:
      join_least (flow, rng, p);
      join_some (flow, rng, dag->density, p);
      break;
    case BN_DAG_TREE:
      join_families (flow, rng, dag, p);
      break;
    case BN_DAG_FORK_JOIN:
    case BN_DAG_CHAIN:
      join_all (flow, p);
      break;
    }
}

static gboolean
check_edges (const BnDag *size, const uint32_t *levels, GError **error)
{
  double n_pairs = 0;

  for (uint32_t l = 1; l < size->depth; l++)
    n_pairs += (double) levels[l - 1] * levels[l];
  if (size->shape != BN_DAG_LAYERED || n_pairs * size->density <= BN_DAG_MAX_EDGES)
    return TRUE;
  g_autofree char *share = bn_format_real (floor (BN_DAG_MAX_EDGES / n_pairs * 1e6) / 1e6);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                        "%.0f edges would be drawn, %u are the most; lower their share to %s", n_pairs * size->density,
                        BN_DAG_MAX_EDGES, share);
}

BnFlow *
bn_flow_random (const BnDag *dag, const char *name, BnRng *rng, GError **error)
{
  BnDag size = *dag;

  if (!bn_dag_settle (&size, rng, error))
    return NULL;
  g_autofree uint32_t *levels = draw_levels (rng, &size);
  if (!check_edges (&size, levels, error))
    return NULL;
  BnFlow *flow = bn_flow_new (name);
  for (uint32_t t = 0; t < size.tasks; t++)
    {
      g_autofree char *id = g_strdup_printf ("%u", t + 1);
      bn_flow_add_task (flow, id, id, -1, (BnPlace) { 0 }, NULL);
    }
  Pair p = { .second = 0, .n_second = levels[0] };
  for (uint32_t l = 1; l < size.depth; l++)
    {
      p = (Pair) { p.second, p.n_second, p.second + p.n_second, levels[l] };
      join_levels (flow, rng, &size, &p);
    }
  if (size.shape == BN_DAG_LAYERED && size.depth > 1)
    join_pieces (flow, levels[0]);
  gboolean is_dag = bn_flow_finish (flow, name, NULL);
  g_assert (is_dag);
  return flow;
}
