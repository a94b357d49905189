/* sweep_precision.c: a sweep with as many seeds in each cell as a precision asks for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "sweep_precision.h"

#include "replicate.h"

typedef struct Rounds
{
  BnPool *pool;
  const BnSweep *sweep;
  const GPtrArray *units;
  const BnPrecisionGoal *goal;
  guint *have, *next;        /* [n_cells]: seeds, and those after the next round */
} Rounds;

static void
count (BnPoolOutcome *all, const BnPoolOutcome *round)
{
  all->n_kept += round->n_kept;
  all->n_kept_runs += round->n_kept_runs;
  all->n_done += round->n_done;
  all->n_failed += round->n_failed;
  all->n_found += round->n_found;
  all->interrupted |= round->interrupted;
}

/* What the runs of a cell say: NULL with `error` set. (transfer full) (element-type BnPrecisionAnswer) */
static GArray *
judge (const Rounds *r, guint cell, GPtrArray *texts, GError **error)
{
  guint n_runs = bn_sweep_n_runs (r->sweep), n_seeds = bn_sweep_n_seeds (r->sweep);
  BnReplications of = { (gint64) cell * n_runs + 1, n_runs / n_seeds, n_seeds, r->have[cell] };

  return bn_replicate_judge (bn_results_database (bn_pool_results (r->pool)), r->goal, &of, texts, error);
}

/* Runs what the cells need next; *any: they needed something. */
static gboolean
run_round (Rounds *r, BnPoolOutcome *outcome, gboolean *any, GError **error)
{
  g_autoptr (GPtrArray) round = g_ptr_array_new ();
  guint n_seeds = bn_sweep_n_seeds (r->sweep);
  BnPoolOutcome more = { 0 };

  for (guint cell = 0; cell < bn_sweep_n_cells (r->sweep); cell++)
    for (; r->have[cell] < r->next[cell]; r->have[cell]++)
      g_ptr_array_add (round, g_ptr_array_index (r->units, cell * n_seeds + r->have[cell]));
  *any = round->len > 0;
  gboolean ok = !*any || bn_pool_run (r->pool, (BnUnit **) round->pdata, round->len, &more, error);
  count (outcome, &more);
  return ok;
}

static gboolean
ask_cells (Rounds *r, GError **error)
{
  for (guint cell = 0; cell < bn_sweep_n_cells (r->sweep); cell++)
    {
      g_autoptr (GArray) answers = judge (r, cell, NULL, error);
      if (answers == NULL)
        return FALSE;
      r->next[cell] = bn_precision_next ((const BnPrecisionAnswer *) (void *) answers->data, answers->len);
    }
  return TRUE;
}

/* What came of it, a line for each scheduler with its cell before it. */
static gboolean
sum_up (const Rounds *r, gboolean *reached, GPtrArray *texts, GError **error)
{
  *reached = TRUE;
  for (guint cell = 0; cell < bn_sweep_n_cells (r->sweep); cell++)
    {
      g_autoptr (GPtrArray) of_cell = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *name = bn_sweep_cell_name (r->sweep, cell);
      g_autoptr (GArray) answers = judge (r, cell, of_cell, error);
      if (answers == NULL)
        return FALSE;
      *reached &= answers->len > 0;
      for (guint i = 0; i < answers->len; i++)
        {
          *reached &= g_array_index (answers, BnPrecisionAnswer, i).state == BN_PRECISION_REACHED;
          g_ptr_array_add (texts, g_strdup_printf ("%s%s%s", name, *name != '\0' ? ": " : "",
                                                   (const char *) g_ptr_array_index (of_cell, i)));
        }
    }
  return TRUE;
}

gboolean
bn_sweep_replicate (BnPool *pool, const BnSweep *sweep, const GPtrArray *units, guint n_least,
                    const BnPrecisionGoal *goal, BnPoolOutcome *outcome, gboolean *reached, GPtrArray *texts,
                    GError **error)
{
  guint n_cells = bn_sweep_n_cells (sweep);
  g_autofree guint *have = g_new0 (guint, n_cells), *next = g_new0 (guint, n_cells);
  Rounds r = { pool, sweep, units, goal, have, next };
  gboolean ok = TRUE, any = TRUE;

  *outcome = (BnPoolOutcome) { 0 };
  for (guint cell = 0; cell < n_cells; cell++)
    next[cell] = MIN (MAX (n_least, BN_PRECISION_LEAST_SEEDS), bn_sweep_n_seeds (sweep));
  while (ok && any && !outcome->interrupted)
    ok = run_round (&r, outcome, &any, error) && (!any || outcome->interrupted || ask_cells (&r, error));
  *reached = FALSE;
  return ok && (outcome->interrupted || sum_up (&r, reached, texts, error));
}
