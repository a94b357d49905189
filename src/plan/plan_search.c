/* plan_search.c: the least number that keeps a promise: what to try next.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_search.h"

typedef struct Point
{
  gint64 n;
  guint n_seeds;
  BnPlanOutcome outcome;
} Point;

struct BnPlanSearch
{
  BnPlanSearchConfig config;
  GArray *points;   /* of Point, n upwards */
};

typedef gboolean (*Predicate) (const Point *point);

static gboolean
looks_kept (const Point *point)
{
  return point->outcome.looks_kept;
}

static gboolean
is_kept (const Point *point)
{
  return point->outcome.verdict == BN_VERDICT_KEPT;
}

BnPlanSearch *
bn_plan_search_new (const BnPlanSearchConfig *config)
{
  BnPlanSearch *search = g_new (BnPlanSearch, 1);

  g_assert (config->floor >= 0 && config->max > config->floor && config->first_gap >= 1 && config->stages.n > 0);
  search->config = *config;
  search->points = g_array_new (FALSE, FALSE, sizeof (Point));
  return search;
}

void
bn_plan_search_free (BnPlanSearch *search)
{
  if (search == NULL)
    return;
  g_array_unref (search->points);
  g_free (search);
}

static const Point *
point_at (const BnPlanSearch *s, guint i)
{
  return &g_array_index (s->points, Point, i);
}

/* The index of the first point at `n` or above. */
static guint
find (const BnPlanSearch *s, gint64 n)
{
  guint i = 0;

  while (i < s->points->len && point_at (s, i)->n < n)
    i++;
  return i;
}

/* The index of the first point from which all meet `holds`; the number of points: none. */
static guint
all_from (const BnPlanSearch *s, Predicate holds)
{
  guint i = s->points->len;

  while (i > 0 && holds (point_at (s, i - 1)))
    i--;
  return i;
}

/* The index of the first point that is not broken as all before it are. */
static guint
broken_until (const BnPlanSearch *s)
{
  guint i = 0;

  while (i < s->points->len && point_at (s, i)->outcome.verdict == BN_VERDICT_BROKEN)
    i++;
  return i;
}

/* The number of the point before index `i`, or the floor. */
static gint64
below (const BnPlanSearch *s, guint i)
{
  return i > 0 ? point_at (s, i - 1)->n : s->config.floor;
}

/* Asks for a number that has not been tried. */
static gboolean
try_new (const BnPlanSearch *s, gint64 n, gint64 *ret, guint *n_seeds)
{
  guint i = find (s, n);

  if (n <= s->config.floor || n > s->config.max || (i < s->points->len && point_at (s, i)->n == n))
    return FALSE;
  *ret = n;
  *n_seeds = s->config.stages.seeds[0];
  return TRUE;
}

/* Asks for more seeds of one that has been tried, where that could decide it. */
static gboolean
try_more (const BnPlanSearch *s, const Point *point, gint64 *ret, guint *n_seeds)
{
  if (point->outcome.verdict != BN_VERDICT_UNDECIDED)
    return FALSE;
  *ret = point->n;
  *n_seeds = bn_plan_next_stage (&s->config.stages, point->n_seeds);
  return *n_seeds > 0;
}

/* Above all that was tried: twice as far from the floor. */
static gboolean
go_up (const BnPlanSearch *s, gint64 *ret, guint *n_seeds)
{
  gint64 floor = s->config.floor, gap = s->config.first_gap;

  if (s->points->len > 0)
    gap = MAX (gap, below (s, s->points->len) - floor) * 2;
  return try_new (s, gap < s->config.max - floor ? floor + gap : s->config.max, ret, n_seeds);
}

/* Between the point before index `i` and the one there. */
static gboolean
halve (const BnPlanSearch *s, guint i, gint64 *ret, guint *n_seeds)
{
  gint64 low = below (s, i), high = point_at (s, i)->n;

  return high - low > 1 && try_new (s, low + (high - low) / 2, ret, n_seeds);
}

/* The border of what looks kept, whose two sides are decided where seeds allow. */
static gboolean
next_for_answer (const BnPlanSearch *s, gint64 *ret, guint *n_seeds)
{
  guint n_points = s->points->len, i = all_from (s, looks_kept);

  if (i == n_points)
    return go_up (s, ret, n_seeds) || try_more (s, point_at (s, n_points - 1), ret, n_seeds);
  return halve (s, i, ret, n_seeds) || try_new (s, point_at (s, i)->n + 1, ret, n_seeds)
         || try_new (s, below (s, i) - 1, ret, n_seeds) || try_more (s, point_at (s, i), ret, n_seeds)
         || (i > 0 && try_more (s, point_at (s, i - 1), ret, n_seeds));
}

/* The border of what is kept, above the answer. */
static gboolean
next_for_high (const BnPlanSearch *s, gint64 *ret, guint *n_seeds)
{
  guint n_points = s->points->len, i = all_from (s, is_kept);

  if (all_from (s, looks_kept) == n_points)
    return FALSE;
  if (i == n_points)
    return go_up (s, ret, n_seeds) || try_more (s, point_at (s, n_points - 1), ret, n_seeds);
  return (i > 0 && try_more (s, point_at (s, i - 1), ret, n_seeds)) || halve (s, i, ret, n_seeds);
}

/* The border of what is broken, below the answer. */
static gboolean
next_for_low (const BnPlanSearch *s, gint64 *ret, guint *n_seeds)
{
  guint i = broken_until (s);

  return i < s->points->len && (try_more (s, point_at (s, i), ret, n_seeds) || halve (s, i, ret, n_seeds));
}

gboolean
bn_plan_search_next (const BnPlanSearch *search, gint64 *n, guint *n_seeds)
{
  return next_for_answer (search, n, n_seeds) || next_for_high (search, n, n_seeds)
         || next_for_low (search, n, n_seeds);
}

void
bn_plan_search_tell (BnPlanSearch *search, gint64 n, guint n_seeds, BnPlanOutcome outcome)
{
  Point point = { n, n_seeds, outcome };
  guint i = find (search, n);

  g_assert (n > search->config.floor && n <= search->config.max);
  if (i < search->points->len && point_at (search, i)->n == n)
    g_array_index (search->points, Point, i) = point;
  else
    g_array_insert_val (search->points, i, point);
}

/* The greatest kept number below the greatest broken one, where there is such. */
static void
find_contradiction (const BnPlanSearch *s, BnPlanAnswer *answer)
{
  for (guint i = s->points->len; i-- > 0;)
    {
      const Point *point = point_at (s, i);

      if (answer->broken_at == 0 && point->outcome.verdict == BN_VERDICT_BROKEN)
        answer->broken_at = point->n;
      else if (answer->broken_at > 0 && is_kept (point))
        {
          answer->kept_at = point->n;
          return;
        }
    }
  answer->broken_at = 0;
}

BnPlanAnswer
bn_plan_search_answer (const BnPlanSearch *search)
{
  guint n_points = search->points->len, i = all_from (search, looks_kept), kept = all_from (search, is_kept);
  BnPlanAnswer answer = { .n = i < n_points ? point_at (search, i)->n : 0,
                          .low = below (search, broken_until (search)) + 1,
                          .high = kept < n_points ? point_at (search, kept)->n : 0 };

  find_contradiction (search, &answer);
  return answer;
}
