/* dag_size.c: how many tasks, levels and tasks in a level a DAG of a shape may have.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Everything follows from one range: how many tasks a DAG of a width and a depth may have. Both of its ends rise with
 * the width.
 */
#include "dag_size.h"

#include <math.h>

#define USUAL_DEPTH 5
#define USUAL_WIDTH 4

/* Numbers of tasks; none where least > most. */
typedef struct Range
{
  uint64_t least, most;
} Range;

static const Range nothing = { 1, 0 };

static gboolean
holds (Range range, uint64_t n)
{
  return n >= range.least && n <= range.most;
}

/* Levels from the last to the first, each the least that has room for the children; and from the first to the last,
 * each the most. */
static Range
tree_tasks (uint64_t width, uint64_t depth, uint64_t arity)
{
  Range range = { 0, 0 };
  uint64_t left = depth, level = width;

  for (; left > 0 && level > 1; left--, level = (level - 1) / arity + 1)
    range.least += level;
  if (level > 1 || (left == 0 && width > 1))
    return nothing;
  range.least += left;
  for (left = depth, level = 1; left > 0 && level < width; left--, level *= arity)
    range.most += level;
  range.most += left * width;
  return range;
}

static Range
fork_tasks (uint64_t width, uint64_t depth)
{
  uint64_t n_stages = depth / 2;

  if (depth % 2 == 0 || (n_stages == 0 && width > 1))
    return nothing;
  return n_stages == 0 ? (Range) { 1, 1 } : (Range) { 2 * n_stages + width, n_stages + 1 + n_stages * width };
}

static Range
tasks_of (const BnDag *dag, uint64_t width, uint64_t depth)
{
  switch (dag->shape)
    {
    case BN_DAG_LAYERED:
      return (Range) { width + depth - 1, width * depth };
    case BN_DAG_FORK_JOIN:
      return fork_tasks (width, depth);
    case BN_DAG_TREE:
      return tree_tasks (width, depth, dag->arity);
    case BN_DAG_CHAIN:
      return width == 1 ? (Range) { depth, depth } : nothing;
    }
  g_assert_not_reached ();
}

/* 0: no DAG has this depth. */
static uint32_t
greatest_width (const BnDag *dag, uint32_t depth)
{
  uint32_t low = 0, high = BN_DAG_MAX_WIDTH;

  while (low < high)
    {
      uint32_t middle = high - (high - low) / 2;
      Range range = tasks_of (dag, middle, depth);
      if (range.least <= range.most)
        low = middle;
      else
        high = middle - 1;
    }
  return low;
}

/* The least width from `low` to `high` whose range of tasks reaches `tasks`, by its least or its most; high + 1 where
 * there is none. */
static uint32_t
first_width (const BnDag *size, uint32_t low, uint32_t high, gboolean by_least)
{
  high++;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      Range range = tasks_of (size, middle, size->depth);
      if (by_least ? range.least > size->tasks : range.most >= size->tasks)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

gboolean
bn_dag_widths (const BnDag *size, uint32_t *low, uint32_t *high)
{
  uint32_t greatest = MIN (*high, greatest_width (size, size->depth)), least = *low;

  if (greatest < least)
    return FALSE;
  *low = first_width (size, least, greatest, FALSE);
  *high = first_width (size, least, greatest, TRUE) - 1;
  return *low <= *high && *low <= greatest;
}

/* Whether there is a DAG of this depth with what is asked for. */
static gboolean
is_possible (const BnDag *asked, uint32_t depth)
{
  BnDag size = *asked;
  uint32_t low = 1, high = BN_DAG_MAX_WIDTH;

  size.depth = depth;
  if (asked->width == 0)
    return asked->tasks == 0 ? greatest_width (asked, depth) > 0 : bn_dag_widths (&size, &low, &high);
  Range range = tasks_of (asked, asked->width, depth);
  return asked->tasks == 0 ? range.least <= range.most : holds (range, asked->tasks);
}

/* The possible depth nearest to the one that is usual, 0 where there is none. */
static uint32_t
nearest_depth (const BnDag *asked)
{
  uint32_t most = asked->tasks > 0 ? asked->tasks : BN_FLOW_MAX_TASKS;
  uint32_t target = asked->tasks == 0              ? USUAL_DEPTH
                    : asked->shape == BN_DAG_CHAIN ? asked->tasks
                                                   : (uint32_t) bn_round_half_up (sqrt (asked->tasks));

  if (asked->shape == BN_DAG_CHAIN && asked->width > 1)
    return 0;
  for (uint32_t d = 0; d < most; d++)
    {
      if (asked->tasks > 0 && target > d && is_possible (asked, target - d))
        return target - d;
      if (target + d <= most && is_possible (asked, target + d))
        return target + d;
    }
  return 0;
}

/* ---- what does not fit ---- */

/* "a tree of arity 2, depth 3 and width 4", as far as that is asked for. Returns: (transfer full). */
static char *
describe (const BnDag *dag)
{
  static const char *const names[] = { "a layered DAG", "a fork-join", "a chain", "a tree" };
  const struct
  {
    const char *name;
    uint32_t value;
  } numbers[] = { { "arity", dag->shape == BN_DAG_TREE ? dag->arity : 0 }, { "depth", dag->depth },
                  { "width", dag->width } };
  GString *text = g_string_new (names[dag->shape]);
  const char *before = " of ";

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].value > 0)
      {
        g_string_append_printf (text, "%s%s %u", before, numbers[i].name, numbers[i].value);
        before = ", ";
      }
  return g_string_free (text, FALSE);
}

static gboolean
fail_width (const BnDag *asked, uint32_t most, GError **error)
{
  BnDag other = *asked;

  other.width = 0;
  g_autofree char *what = describe (&other);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 }, "width %u does not fit: %s is 1 to %u wide",
                        asked->width, what, most);
}

static gboolean
fail_tasks (const BnDag *asked, Range range, GError **error)
{
  g_autofree char *what = describe (asked);

  range.most = MIN (range.most, BN_FLOW_MAX_TASKS);
  if (range.least > BN_FLOW_MAX_TASKS)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "%s has more than %u tasks, which are the most", what, BN_FLOW_MAX_TASKS);
  if (range.least == range.most)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "%u tasks do not fit: %s has %" G_GUINT64_FORMAT, asked->tasks, what, (guint64) range.least);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                        "%u tasks do not fit: %s has %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, asked->tasks, what,
                        (guint64) range.least, (guint64) range.most);
}

/* No depth makes so many tasks of this width: the nearest numbers that some depth does. */
static gboolean
fail_any_depth (const BnDag *asked, GError **error)
{
  BnDag below = *asked, above = *asked;
  Range first = nothing;
  g_autofree char *what = describe (asked);

  for (uint64_t depth = 1; first.least > first.most; depth++)
    first = tasks_of (asked, MAX (asked->width, 1), depth);
  if (asked->tasks < first.least)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "%u tasks do not fit: %s has %" G_GUINT64_FORMAT " or more", asked->tasks, what,
                          (guint64) first.least);
  do
    below.tasks--;
  while (nearest_depth (&below) == 0);
  do
    above.tasks++;
  while (nearest_depth (&above) == 0);
  return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                        "%u tasks do not fit: %s has %u or %u, not between", asked->tasks, what, below.tasks,
                        above.tasks);
}

/* ---- what is not asked for ---- */

/* Needs the depth. */
static gboolean
settle_width (BnDag *size, BnRng *rng, GError **error)
{
  uint32_t low = 1, greatest = greatest_width (size, size->depth), high = greatest;

  if (greatest == 0)
    return bn_input_fail (error, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                          "depth %u does not fit: that of a fork-join is odd, as %u", size->depth, size->depth + 1);
  if (size->width > greatest)
    return fail_width (size, greatest, error);
  if (size->width > 0)
    return TRUE;
  if (size->tasks == 0)
    {
      size->width = MIN (USUAL_WIDTH, greatest);
      return TRUE;
    }
  if (!bn_dag_widths (size, &low, &high))
    return fail_tasks (size, (Range) { tasks_of (size, 1, size->depth).least,
                                       tasks_of (size, greatest, size->depth).most }, error);
  size->width = low + (uint32_t) bn_rng_below (rng, MIN (high, 2 * low) - low + 1);
  return TRUE;
}

gboolean
bn_dag_settle (BnDag *size, BnRng *rng, GError **error)
{
  if (size->depth == 0)
    {
      if (size->shape == BN_DAG_CHAIN && size->width > 1)
        return fail_width (size, 1, error);
      uint32_t depth = nearest_depth (size);
      if (depth == 0)
        return fail_any_depth (size, error);
      size->depth = depth;
    }
  if (!settle_width (size, rng, error))
    return FALSE;
  Range range = tasks_of (size, size->width, size->depth);
  if (size->tasks > 0 ? !holds (range, size->tasks) : range.least > BN_FLOW_MAX_TASKS)
    return fail_tasks (size, range, error);
  if (size->tasks == 0)
    size->tasks = (uint32_t) (range.least
                              + bn_rng_below (rng, MIN (range.most, BN_FLOW_MAX_TASKS) - range.least + 1));
  return TRUE;
}
