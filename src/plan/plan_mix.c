/* plan_mix.c: the cheapest mix of several kinds that keeps a promise: what to try next.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "plan_mix.h"

#include <string.h>

/* The first limit of cost, relative to that of the work alone, and how it grows. */
#define FIRST_LIMIT 1.25
#define LIMIT_GROWTH 1.5

typedef struct Mix
{
  gint64 counts[BN_PLAN_MAX_KINDS];
  double cost;
  gint64 n;               /* servers              */
  guint n_seeds;          /* 0: not tried         */
  BnPlanOutcome outcome;
} Mix;

struct BnPlanMix
{
  BnPlanMixConfig config;
  GArray *tried;          /* of Mix                       */
  double limit;           /* cost of what is looked at    */
  gboolean too_many;
};

/* What is looked for. */
typedef gboolean (*Predicate) (const Mix *mix);

static gboolean
is_kept (const Mix *mix)
{
  return mix->outcome.verdict == BN_VERDICT_KEPT;
}

static gboolean
is_open (const Mix *mix)
{
  return mix->outcome.verdict != BN_VERDICT_BROKEN;
}

double
bn_plan_mix_cost (const BnPlanMixConfig *config, const gint64 *counts)
{
  double cost = 0;

  for (guint k = 0; k < config->n_kinds; k++)
    cost += config->prices[k] * (double) counts[k];
  return cost;
}

/* What the work alone costs on the kind that does it cheapest. */
static double
least_cost (const BnPlanMixConfig *config)
{
  double least = G_MAXDOUBLE;

  for (guint k = 0; k < config->n_kinds; k++)
    if (config->max[k] > 0)
      least = MIN (least, config->prices[k] / config->shares[k]);
  return least;
}

BnPlanMix *
bn_plan_mix_new (const BnPlanMixConfig *config)
{
  BnPlanMix *m = g_new0 (BnPlanMix, 1);
  double dearest = 0;

  g_assert (config->n_kinds >= 1 && config->n_kinds <= BN_PLAN_MAX_KINDS && config->stages.n > 0);
  for (guint k = 0; k < config->n_kinds; k++)
    {
      g_assert (config->prices[k] > 0 && config->shares[k] > 0 && config->max[k] >= 0);
      dearest = MAX (dearest, config->max[k] > 0 ? config->prices[k] : 0);
    }
  m->config = *config;
  m->tried = g_array_new (FALSE, FALSE, sizeof (Mix));
  /* at least one more than the work takes */
  m->limit = MAX (least_cost (config) * FIRST_LIMIT, least_cost (config) + dearest);
  return m;
}

void
bn_plan_mix_free (BnPlanMix *mix)
{
  if (mix == NULL)
    return;
  g_array_unref (mix->tried);
  g_free (mix);
}

/* ---- mixes ---- */

/* Whether `a` has no more of any kind than `b`. */
static gboolean
is_within (const BnPlanMix *m, const gint64 *a, const gint64 *b)
{
  for (guint k = 0; k < m->config.n_kinds; k++)
    if (a[k] > b[k])
      return FALSE;
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Mix *x = a, *y = b;

  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  if (x->n != y->n)
    return x->n < y->n ? -1 : 1;
  for (guint k = 0; k < BN_PLAN_MAX_KINDS; k++)
    if (x->counts[k] != y->counts[k])
      return x->counts[k] < y->counts[k] ? -1 : 1;
  return 0;
}

static Mix
make_mix (const BnPlanMix *m, const gint64 *counts)
{
  Mix mix = { .cost = bn_plan_mix_cost (&m->config, counts) };

  for (guint k = 0; k < m->config.n_kinds; k++)
    {
      mix.counts[k] = counts[k];
      mix.n += counts[k];
    }
  return mix;
}

static Mix *
find_tried (const BnPlanMix *m, const gint64 *counts)
{
  for (guint i = 0; i < m->tried->len; i++)
    {
      Mix *mix = &g_array_index (m->tried, Mix, i);
      if (memcmp (mix->counts, counts, m->config.n_kinds * sizeof *counts) == 0)
        return mix;
    }
  return NULL;
}

/* The cheapest that was tried and meets `holds`, or NULL. */
static const Mix *
cheapest (const BnPlanMix *m, Predicate holds)
{
  const Mix *best = NULL;

  for (guint i = 0; i < m->tried->len; i++)
    {
      const Mix *mix = &g_array_index (m->tried, Mix, i);
      if (holds (mix) && (best == NULL || compare (mix, best) < 0))
        best = mix;
    }
  return best;
}

/* Whether something that does not meet `holds` has as many of each kind. */
static gboolean
is_ruled_out (const BnPlanMix *m, const gint64 *counts, Predicate holds)
{
  for (guint i = 0; i < m->tried->len; i++)
    {
      const Mix *mix = &g_array_index (m->tried, Mix, i);
      if (!holds (mix) && is_within (m, counts, mix->counts))
        return TRUE;
    }
  return FALSE;
}

static gboolean
can_do_the_work (const BnPlanMix *m, const gint64 *counts)
{
  double shares = 0;

  for (guint k = 0; k < m->config.n_kinds; k++)
    shares += m->config.shares[k] * (double) counts[k];
  return shares > 1;
}

/* Goes to the next mix within the limit, the last kind fastest; FALSE after the last. */
static gboolean
advance (const BnPlanMix *m, gint64 *counts)
{
  for (guint k = m->config.n_kinds; k-- > 0;)
    {
      counts[k]++;
      if (counts[k] <= m->config.max[k] && bn_plan_mix_cost (&m->config, counts) <= m->limit)
        return TRUE;
      counts[k] = 0;
    }
  return FALSE;
}

/* Mixes within the limit that may meet `holds` and are better than `best` (or NULL), which
 * is not among them. Returns: (transfer full) (element-type Mix), unordered. */
static GArray *
candidates (BnPlanMix *m, Predicate holds, const Mix *best)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Mix));
  gint64 counts[BN_PLAN_MAX_KINDS] = { 0 };

  for (guint seen = 0; advance (m, counts); seen++)
    {
      Mix mix = make_mix (m, counts);

      if (seen == BN_PLAN_MAX_MIXES)
        {
          m->too_many = TRUE;
          g_array_set_size (list, 0);
          break;
        }
      if ((best == NULL || compare (&mix, best) < 0) && can_do_the_work (m, counts)
          && !is_ruled_out (m, counts, holds))
        g_array_append_val (list, mix);
    }
  return list;
}

/* ---- what to try next ---- */

static gboolean
ask (const BnPlanMix *m, const gint64 *asked, guint asked_seeds, gint64 *counts, guint *n_seeds)
{
  memcpy (counts, asked, m->config.n_kinds * sizeof *counts);
  *n_seeds = asked_seeds;
  return TRUE;
}

/* More seeds for one that is undecided. */
static gboolean
next_seeds (const BnPlanMix *m, gint64 *counts, guint *n_seeds)
{
  for (guint i = 0; i < m->tried->len; i++)
    {
      const Mix *mix = &g_array_index (m->tried, Mix, i);
      guint more = bn_plan_next_stage (&m->config.stages, mix->n_seeds);

      if (mix->outcome.verdict == BN_VERDICT_UNDECIDED && more > 0)
        return ask (m, mix->counts, more, counts, n_seeds);
    }
  return FALSE;
}

static gboolean
is_all_within_limit (const BnPlanMix *m)
{
  return bn_plan_mix_cost (&m->config, m->config.max) <= m->limit;
}

/* The middle by cost of what may still be the cheapest that meets `holds`. */
static gboolean
next_candidate (BnPlanMix *m, Predicate holds, gint64 *counts, guint *n_seeds)
{
  const Mix *best = cheapest (m, holds);

  for (;;)
    {
      GArray *list = candidates (m, holds, best);
      gboolean any = list->len > 0;

      if (any)
        {
          g_array_sort (list, compare);
          ask (m, g_array_index (list, Mix, list->len / 2).counts, m->config.stages.seeds[0], counts, n_seeds);
        }
      g_array_unref (list);
      if (any || m->too_many || best != NULL || is_all_within_limit (m))
        return any;
      m->limit *= LIMIT_GROWTH;
    }
}

/* One more of each kind than the answer has. */
static gboolean
next_neighbour (const BnPlanMix *m, gint64 *counts, guint *n_seeds)
{
  const Mix *best = cheapest (m, is_kept);

  for (guint k = 0; best != NULL && k < m->config.n_kinds; k++)
    {
      Mix more = *best;

      more.counts[k]++;
      if (more.counts[k] <= m->config.max[k] && find_tried (m, more.counts) == NULL)
        return ask (m, more.counts, m->config.stages.seeds[0], counts, n_seeds);
    }
  return FALSE;
}

gboolean
bn_plan_mix_next (BnPlanMix *mix, gint64 *counts, guint *n_seeds)
{
  return !mix->too_many
         && (next_seeds (mix, counts, n_seeds) || next_candidate (mix, is_kept, counts, n_seeds)
             || next_candidate (mix, is_open, counts, n_seeds) || next_neighbour (mix, counts, n_seeds));
}

void
bn_plan_mix_tell (BnPlanMix *mix, const gint64 *counts, guint n_seeds, BnPlanOutcome outcome)
{
  Mix *tried = find_tried (mix, counts);

  if (tried == NULL)
    {
      Mix new = make_mix (mix, counts);
      g_array_append_val (mix->tried, new);
      tried = &g_array_index (mix->tried, Mix, mix->tried->len - 1);
    }
  tried->n_seeds = n_seeds;
  tried->outcome = outcome;
}

static void
find_contradiction (const BnPlanMix *m, BnPlanMixAnswer *answer)
{
  for (guint i = 0; i < m->tried->len && answer->monotone; i++)
    for (guint j = 0; j < m->tried->len && answer->monotone; j++)
      {
        const Mix *a = &g_array_index (m->tried, Mix, i), *b = &g_array_index (m->tried, Mix, j);

        if (!is_kept (a) || is_open (b) || !is_within (m, a->counts, b->counts))
          continue;
        answer->monotone = FALSE;
        memcpy (answer->kept_at, a->counts, sizeof a->counts);
        memcpy (answer->broken_at, b->counts, sizeof b->counts);
      }
}

BnPlanMixAnswer
bn_plan_mix_answer (const BnPlanMix *mix)
{
  const Mix *kept = cheapest (mix, is_kept), *open = cheapest (mix, is_open);
  BnPlanMixAnswer answer = { .found = kept != NULL, .has_open = open != NULL, .monotone = TRUE,
                             .too_many = mix->too_many };

  if (kept != NULL)
    memcpy (answer.kept, kept->counts, sizeof kept->counts);
  if (open != NULL)
    memcpy (answer.open, open->counts, sizeof open->counts);
  find_contradiction (mix, &answer);
  return answer;
}
