/* test_flow_random.c: random DAGs have the size and the shape that is asked for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "flow_random.h"
#include "quantity.h"
#include "suite.h"
#include "units.h"

static BnFlow *
make (const BnDag *dag, uint64_t seed)
{
  GError *error = NULL;
  BnRng rng;

  bn_rng_init (&rng, seed, "test");
  BnFlow *flow = bn_flow_random (dag, "f", &rng, &error);
  ck_assert_msg (flow != NULL, "%s, tasks %u width %u depth %u: %s", bn_dag_shapes[dag->shape], dag->tasks, dag->width,
                 dag->depth, error == NULL ? "" : error->message);
  return flow;
}

static const BnFlowTask *
task_at (const BnFlow *flow, guint i)
{
  return g_ptr_array_index (flow->tasks, i);
}

/* The level of each task: how many tasks the longest chain to it has. Edges go from lower to higher positions. */
static guint *
levels_of (const BnFlow *flow)
{
  guint *level = g_new0 (guint, flow->tasks->len);

  for (guint t = 0; t < flow->tasks->len; t++)
    {
      const GArray *preds = task_at (flow, t)->preds;
      for (guint p = 0; p < preds->len; p++)
        {
          guint pred = g_array_index (preds, guint, p);
          ck_assert_uint_lt (pred, t);
          level[t] = MAX (level[t], level[pred]);
        }
      level[t]++;
    }
  return level;
}

/* Tasks that can be reached from the first one along edges of either direction. */
static guint
n_connected (const BnFlow *flow)
{
  g_autofree gboolean *seen = g_new0 (gboolean, flow->tasks->len);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  guint first = 0;

  seen[0] = TRUE;
  g_array_append_val (found, first);
  for (guint i = 0; i < found->len; i++)
    {
      const BnFlowTask *task = task_at (flow, g_array_index (found, guint, i));
      const GArray *sides[] = { task->preds, task->succs };
      for (guint s = 0; s < 2; s++)
        for (guint k = 0; k < sides[s]->len; k++)
          {
            guint next = g_array_index (sides[s], guint, k);
            if (!seen[next])
              g_array_append_val (found, next);
            seen[next] = TRUE;
          }
    }
  return found->len;
}

/* What every DAG of a shape has, whatever its size. */
static void
assert_shape (const BnFlow *flow, const BnDag *dag, const BnFlowFigures *f)
{
  g_autofree guint *level = levels_of (flow);
  g_autofree guint *size = g_new0 (guint, f->depth + 2);

  for (guint t = 0; t < flow->tasks->len; t++)
    size[level[t]]++;
  if (f->depth > 1)
    ck_assert_uint_eq (n_connected (flow), flow->tasks->len);
  for (guint t = 0; t < flow->tasks->len; t++)
    {
      const BnFlowTask *task = task_at (flow, t);
      guint n_preds = task->preds->len, n_succs = task->succs->len, l = level[t];
      ck_assert (n_preds > 0 || l == 1);
      ck_assert (n_succs > 0 || l == f->depth);
      if (dag->shape == BN_DAG_FORK_JOIN || dag->shape == BN_DAG_CHAIN)
        {
          ck_assert_uint_eq (n_preds, size[l - 1]);
          ck_assert_uint_eq (n_succs, size[l + 1]);
          ck_assert (l % 2 == 0 || size[l] == 1);
        }
      if (dag->shape == BN_DAG_TREE)
        {
          guint n_parents = dag->in ? n_succs : n_preds, n_children = dag->in ? n_preds : n_succs;
          ck_assert_uint_le (n_parents, 1);
          ck_assert_uint_le (n_children, dag->arity);
        }
    }
  if (dag->shape == BN_DAG_TREE)
    ck_assert_uint_eq (dag->in ? f->n_leaves : f->n_roots, 1);
}

static void
assert_made (const BnDag *dag, uint64_t seed)
{
  BnFlow *flow = make (dag, seed);
  BnFlowFigures f = bn_flow_figures (flow, 0);

  ck_assert (dag->tasks == 0 || flow->tasks->len == dag->tasks);
  ck_assert (dag->width == 0 || f.width == dag->width);
  ck_assert (dag->depth == 0 || f.depth == dag->depth);
  assert_shape (flow, dag, &f);
  bn_flow_free (flow);
}

static BnDag
random_dag (BnRng *rng, BnDagShape shape)
{
  return (BnDag) { .shape = shape, .arity = 2 + (uint32_t) bn_rng_below (rng, 3), .in = bn_rng_below (rng, 2) == 1,
                   .density = bn_rng_uniform (rng) };
}

/* What was made once of free numbers may be asked for, every part of it. */
START_TEST (a_dag_has_exactly_the_size_that_is_asked_for)
{
  BnRng rng;
  bn_rng_init (&rng, (uint64_t) _i, "sizes");
  for (int i = 0; i < 300; i++)
    {
      BnDag dag = random_dag (&rng, (BnDagShape) _i);
      /* a fork-join of 2 is the one that there is not */
      dag.tasks = 3 + (uint32_t) bn_rng_below (&rng, 60);
      BnFlow *flow = make (&dag, (uint64_t) i);
      BnFlowFigures f = bn_flow_figures (flow, 0);
      ck_assert_uint_eq (flow->tasks->len, dag.tasks);
      bn_flow_free (flow);
      for (int parts = 0; parts < 8; parts++)
        {
          BnDag same = dag;
          same.tasks = parts & 1 ? dag.tasks : 0;
          same.width = parts & 2 ? f.width : 0;
          same.depth = parts & 4 ? f.depth : 0;
          assert_made (&same, (uint64_t) i + 1000);
        }
    }
}
END_TEST

/* All sizes up to 9 tasks: either made, or refused in words, and refused only where no DAG of the shape exists. That is
 * found here from the definition, by trying every list of levels. */
static gboolean
levels_fit (const BnDag *dag, const uint32_t *levels)
{
  for (uint32_t l = 0; l < dag->depth; l++)
    {
      uint32_t n = levels[l], next = l + 1 < dag->depth ? levels[l + 1] : n;
      if ((dag->shape == BN_DAG_CHAIN || (dag->shape == BN_DAG_FORK_JOIN && l % 2 == 0)) && n != 1)
        return FALSE;
      if (dag->shape == BN_DAG_TREE && (next < n || next > dag->arity * n || (l == 0 && n != 1)))
        return FALSE;
    }
  return dag->shape != BN_DAG_FORK_JOIN || dag->depth % 2 == 1;
}

static gboolean
exists (const BnDag *dag, uint32_t *levels, uint32_t level, uint32_t left, uint32_t widest)
{
  if (level == dag->depth)
    return left == 0 && widest == dag->width && levels_fit (dag, levels);
  for (levels[level] = 1; levels[level] <= left; levels[level]++)
    {
      uint32_t n = levels[level];
      if (exists (dag, levels, level + 1, left - n, MAX (widest, n)))
        return TRUE;
      levels[level] = n;
    }
  return FALSE;
}

START_TEST (a_size_is_refused_only_where_no_dag_has_it)
{
  int n_made = 0, n_refused = 0;
  BnDag dag = { .shape = (BnDagShape) _i, .arity = 2 };
  for (dag.tasks = 1; dag.tasks <= 9; dag.tasks++)
    for (dag.width = 1; dag.width <= 9; dag.width++)
      for (dag.depth = 1; dag.depth <= 9; dag.depth++)
        {
          uint32_t levels[10];
          g_autoptr (GError) error = NULL;
          BnRng rng;
          bn_rng_init (&rng, 1, "test");
          BnFlow *flow = bn_flow_random (&dag, "f", &rng, &error);
          ck_assert_msg ((flow != NULL) == exists (&dag, levels, 0, dag.tasks, 0), "%s, tasks %u width %u depth %u",
                         bn_dag_shapes[_i], dag.tasks, dag.width, dag.depth);
          ck_assert ((error == NULL) == (flow != NULL));
          bn_flow_free (flow);
          if (flow != NULL)
            assert_made (&dag, 2);
          n_made += flow != NULL;
          n_refused += flow == NULL;
        }
  ck_assert_int_gt (n_made, 8);
  ck_assert_int_gt (n_refused, 300);
}
END_TEST

START_TEST (what_does_not_fit_is_refused_with_what_would)
{
  static const struct
  {
    BnDag dag;
    const char *message;
  } cases[] = {
    { { BN_DAG_LAYERED, 60, 5, 10, 2, false, 0 },
      "60 tasks do not fit: a layered DAG of depth 10, width 5 has 14 to 50" },
    { { BN_DAG_LAYERED, 3, 0, 5, 2, false, 0 }, "3 tasks do not fit: a layered DAG of depth 5 has 5 to 500000" },
    { { BN_DAG_LAYERED, 3, 5, 0, 2, false, 0 }, "3 tasks do not fit: a layered DAG of width 5 has 5 or more" },
    { { BN_DAG_LAYERED, 0, 100000, 1000000, 2, false, 0 },
      "a layered DAG of depth 1000000, width 100000 has more than 1048576 tasks, which are the most" },
    { { BN_DAG_CHAIN, 5, 0, 3, 2, false, 0 }, "5 tasks do not fit: a chain of depth 3 has 3" },
    { { BN_DAG_CHAIN, 5, 2, 0, 2, false, 0 }, "width 2 does not fit: a chain is 1 to 1 wide" },
    { { BN_DAG_FORK_JOIN, 0, 0, 4, 2, false, 0 }, "depth 4 does not fit: that of a fork-join is odd, as 5" },
    { { BN_DAG_FORK_JOIN, 2, 0, 0, 2, false, 0 }, "2 tasks do not fit: a fork-join has 1 or 3, not between" },
    { { BN_DAG_FORK_JOIN, 5, 2, 0, 2, false, 0 },
      "5 tasks do not fit: a fork-join of width 2 has 4 or 6, not between" },
    { { BN_DAG_TREE, 0, 9, 3, 2, false, 0 }, "width 9 does not fit: a tree of arity 2, depth 3 is 1 to 4 wide" },
    { { BN_DAG_TREE, 40, 0, 3, 3, false, 0 }, "40 tasks do not fit: a tree of arity 3, depth 3 has 3 to 13" },
    { { BN_DAG_TREE, 150000, 100000, 0, 2, true, 0 },
      "150000 tasks do not fit: a tree of arity 2, width 100000 has 200006 or more" },
    { { BN_DAG_LAYERED, 20000, 10000, 2, 2, false, 0.5 },
      "50000000 edges would be drawn, 4000000 are the most; lower their share to 0.04" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      BnRng rng;
      bn_rng_init (&rng, 1, "test");
      ck_assert_ptr_null (bn_flow_random (&cases[i].dag, "f", &rng, &error));
      ck_assert_str_eq (error->message, cases[i].message);
    }
}
END_TEST

/* Five standard errors of the share of pairs of neighbouring levels beyond those that must be. */
START_TEST (edges_are_as_dense_as_asked_for)
{
  const double shares[] = { 0, 0.1, 0.5, 1 };
  guint least = 0;
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      BnDag dag = { BN_DAG_LAYERED, 200, 100, 2, 2, false, shares[i] };
      BnFlow *flow = make (&dag, 7);
      if (i == 0)
        least = flow->n_edges;
      double free_pairs = 10000.0 - least, sd = 100 * 0.5;
      ck_assert_double_lt (ABS (flow->n_edges - (least + shares[i] * free_pairs)), i == 0 || i == 3 ? 0.5 : 5 * sd);
      bn_flow_free (flow);
    }
  ck_assert_uint_ge (least, 100);
  ck_assert_uint_lt (least, 200);
}
END_TEST

START_TEST (the_largest_are_made)
{
  const BnDag largest[] = {
    { BN_DAG_LAYERED, BN_FLOW_MAX_TASKS, 0, 0, 2, false, 0 },
    { BN_DAG_LAYERED, BN_DAG_MAX_WIDTH, BN_DAG_MAX_WIDTH, 1, 2, false, 0.3 },
    { BN_DAG_CHAIN, 100000, 0, 0, 2, false, 0 },
    { BN_DAG_FORK_JOIN, BN_DAG_MAX_WIDTH + 2, BN_DAG_MAX_WIDTH, 3, 2, false, 0 },
    { BN_DAG_TREE, 262143, 65536, 0, 3, true, 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (largest); i++)
    {
      BnFlow *flow = make (&largest[i], 1);
      ck_assert_uint_eq (flow->tasks->len, largest[i].tasks);
      bn_flow_free (flow);
    }
}
END_TEST

static BnQuantity
quantity (const char *text)
{
  BnQuantity ret;
  GError *error = NULL;
  ck_assert_msg (bn_quantity_parse (text, bn_parse_duration, &ret, &error), "%s", text);
  return ret;
}

/* Of a log-uniform quantity half lies below the geometric mean; a log-normal one has its mean within five standard
 * errors. */
START_TEST (quantities_follow_their_laws)
{
  const int n = 100000;
  BnQuantity one = quantity ("7ms"), range = quantity ("1ms..100ms"), wide = quantity ("10ms:cv=0.5");
  BnRng rng, untouched;
  bn_rng_init (&rng, 1, "quantity");
  untouched = rng;
  ck_assert_int_eq (bn_quantity_draw (&one, &rng), 7 * BN_NS_PER_MS);
  ck_assert_int_eq (memcmp (&rng, &untouched, sizeof rng), 0);
  int n_below = 0;
  double sum = 0;
  for (int i = 0; i < n; i++)
    {
      int64_t drawn = bn_quantity_draw (&range, &rng);
      ck_assert (drawn >= BN_NS_PER_MS && drawn <= 100 * BN_NS_PER_MS);
      n_below += drawn < 10 * BN_NS_PER_MS;
      sum += (double) bn_quantity_draw (&wide, &rng) / BN_NS_PER_MS;
    }
  ck_assert_double_lt (ABS (n_below - n * 0.5), 5 * 158.2);
  ck_assert_double_lt (ABS (sum / n - 10), 5 * 5 / 316.3);
}
END_TEST

START_TEST (bad_quantities_are_refused)
{
  static const char *const bad[] = { "", "x", "1ms..", "..2ms", "2ms..1ms", "0..1ms", "1ms..2", "1ms:cv=", "1ms:cv=-1",
                                     "1ms:cv=11", "1ms:cv=x", "1ms..2ms:cv=1", "3" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      BnQuantity ret;
      g_autoptr (GError) error = NULL;
      ck_assert_msg (!bn_quantity_parse (bad[i], bn_parse_duration, &ret, &error), "%s", bad[i]);
      ck_assert_ptr_nonnull (error);
    }
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("flow_random");
  TCase *t = tcase_create ("flow_random");

  tcase_add_loop_test (t, a_dag_has_exactly_the_size_that_is_asked_for, 0, 4);
  tcase_add_loop_test (t, a_size_is_refused_only_where_no_dag_has_it, 0, 4);
  tcase_add_test (t, what_does_not_fit_is_refused_with_what_would);
  tcase_add_test (t, edges_are_as_dense_as_asked_for);
  tcase_add_test (t, the_largest_are_made);
  tcase_add_test (t, quantities_follow_their_laws);
  tcase_add_test (t, bad_quantities_are_refused);
  tcase_set_timeout (t, 60);
  suite_add_tcase (suite, t);
  return run_suite (suite);
}
