/* explain_text.c: an explanation as text.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "bn.h"
#include "explain.h"
#include "report.h"
#include "textout.h"

static const BnColumn step_columns[] = {
  { "task", "task", "", 0 },          { "worker", "worker", "", 0 },    { "model", "model", "", 0 },
  { "access", "found it", "", 0 },    { "transfer", "transfer", "ms", 3 }, { "decide", "decide", "ms", 3 },
  { "queue", "queue", "ms", 3 },      { "evict", "evict", "ms", 3 },    { "load", "load", "ms", 3 },
  { "run", "run", "ms", 3 },          { "sum", "sum", "ms", 3 },
};

static const BnColumn ahead_columns[] = {
  { "task", "task", "", 0 }, { "worker", "worker", "", 0 },     { "job", "behind job", "", 0 },
  { "ran", "task", "", 0 },  { "model", "with model", "", 0 }, { "held", "for", "ms", 3 },
};

/* So many tasks ahead of one are named, the rest are summed up. */
#define MAX_AHEAD 12

static const BnColumn decision_columns[] = {
  { "asked", "at", "ms", 3 },           { "task", "task", "", 0 },
  { "kind", "decision", "", 0 },        { "by", "by", "", 0 },
  { "from", "from", "", 0 },            { "worker", "to", "", 0 },
  { "model", "model", "", 0 },          { "seen_wait", "wait seen", "ms", 3 },
  { "true_wait", "wait true", "ms", 3 }, { "row_age", "row age", "ms", 3 },
  { "seen_cached", "cached seen", "", 0 }, { "true_cached", "cached true", "", 0 },
  { "took", "took", "ms", 3 },
};

static void
cell_ms (BnTable *table, gint64 ns)
{
  bn_table_real (table, (double) ns / 1e6);
}

static void
cell_ms_or_none (BnTable *table, gint64 ns)
{
  if (ns == BN_NONE)
    bn_table_missing (table);
  else
    cell_ms (table, ns);
}

static void
cell_worker (BnTable *table, gint64 worker)
{
  if (worker == BN_NONE)
    bn_table_missing (table);
  else
    bn_table_integer (table, worker);
}

static void
cell_yes_no (BnTable *table, gint64 value)
{
  if (value == BN_NONE)
    bn_table_missing (table);
  else
    bn_table_text (table, value ? "yes" : "no");
}

static void
write_heading (const BnExplanation *e, FILE *file)
{
  gint64 latency_ns = e->end_ns - e->create_ns;

  fprintf (file, "Job %" G_GINT64_FORMAT " (%s), run %" G_GINT64_FORMAT ": %s, seed %s\n", e->job, e->workflow,
           e->run, e->variant, e->seed);
  fputs ("created at ", file);
  bn_write_ms (file, e->create_ns);
  fputs (" ms", file);
  if (e->ingress != BN_NONE)
    fprintf (file, " at worker %" G_GINT64_FORMAT, e->ingress);
  fprintf (file, ", %s", e->state);
  if (e->reason != NULL)
    fprintf (file, " (%s)", e->reason);
  if (e->end_ns == BN_NONE)
    {
      fputs ("\n", file);
      return;
    }
  fputs (" at ", file);
  bn_write_ms (file, e->end_ns);
  fputs (" ms\nlatency ", file);
  bn_write_ms (file, latency_ns);
  fputs (" ms", file);
  if (e->lower_bound_ns > 0)
    {
      fputs (", slowdown ", file);
      bn_write_ms (file, bn_muldiv_round (MAX (latency_ns, 0), 1000000, e->lower_bound_ns));
      fputs (" over its lower bound of ", file);
      bn_write_ms (file, e->lower_bound_ns);
      fputs (" ms", file);
    }
  if (e->deadline_ns != BN_NONE)
    fputs (e->end_ns <= e->deadline_ns ? ", within its deadline" : ", past its deadline", file);
  putc ('\n', file);
}

static void
add_totals (BnTable *table, const gint64 *total_ns)
{
  gint64 sum = 0;

  bn_table_text (table, "all");
  for (int i = 0; i < 3; i++)
    bn_table_missing (table);
  for (int p = 0; p < BN_N_PARTS; p++)
    {
      cell_ms (table, total_ns[p]);
      sum += total_ns[p];
    }
  cell_ms (table, sum);
}

static gboolean
print_path (const BnExplanation *e, FILE *file, GError **error)
{
  BnTable *table = bn_table_new (step_columns, G_N_ELEMENTS (step_columns));
  gint64 total_ns[BN_N_PARTS] = { 0 };
  gboolean done;

  for (guint i = 0; i < e->steps->len; i++)
    {
      const BnExplainStep *s = &g_array_index (e->steps, BnExplainStep, i);

      bn_table_text (table, s->label);
      cell_worker (table, s->worker);
      bn_table_text (table, s->model);
      bn_table_text (table, s->access);
      for (int p = 0; p < BN_N_PARTS; p++)
        {
          cell_ms (table, s->part_ns[p]);
          total_ns[p] += s->part_ns[p];
        }
      cell_ms (table, s->end_ns - s->from_ns);
    }
  add_totals (table, total_ns);
  fputs ("\nCritical path\n", file);
  done = bn_table_print (table, BN_FORMAT_TEXT, file, error);
  bn_table_free (table);
  return done;
}

static void
add_ahead (BnTable *table, const BnExplainStep *s)
{
  guint n = s->ahead->len, named = n > MAX_AHEAD ? MAX_AHEAD - 1 : n;
  gint64 rest_ns = 0;

  for (guint i = 0; i < n; i++)
    {
      const BnExplainAhead *ahead = &g_array_index (s->ahead, BnExplainAhead, i);

      if (i >= named)
        {
          rest_ns += ahead->held_ns;
          continue;
        }
      bn_table_text (table, s->label);
      cell_worker (table, s->worker);
      bn_table_integer (table, ahead->job);
      bn_table_text (table, ahead->label);
      bn_table_text (table, ahead->model);
      cell_ms (table, ahead->held_ns);
    }
  if (named == n)
    return;
  g_autofree char *rest = g_strdup_printf ("and %u more", n - named);
  bn_table_text (table, s->label);
  cell_worker (table, s->worker);
  bn_table_missing (table);
  bn_table_text (table, rest);
  bn_table_missing (table);
  cell_ms (table, rest_ns);
}

static gboolean
print_ahead (const BnExplanation *e, FILE *file, GError **error)
{
  BnTable *table = bn_table_new (ahead_columns, G_N_ELEMENTS (ahead_columns));
  gboolean done = TRUE;

  for (guint i = 0; i < e->steps->len; i++)
    add_ahead (table, &g_array_index (e->steps, BnExplainStep, i));
  if (bn_table_n_rows (table) > 0)
    {
      fputs ("\nIn the queue: tasks that held the worker meanwhile, their evictions and loads included\n", file);
      done = bn_table_print (table, BN_FORMAT_TEXT, file, error);
    }
  bn_table_free (table);
  return done;
}

static gboolean
print_decisions (const BnExplanation *e, FILE *file, GError **error)
{
  BnTable *table = bn_table_new (decision_columns, G_N_ELEMENTS (decision_columns));
  gboolean done;
  char *by;

  for (guint i = 0; i < e->decisions->len; i++)
    {
      const BnExplainDecision *d = &g_array_index (e->decisions, BnExplainDecision, i);

      by = d->observer == BN_NONE ? g_strdup ("central") : g_strdup_printf ("worker %" G_GINT64_FORMAT, d->observer);
      cell_ms (table, d->asked_ns);
      bn_table_text (table, d->label);
      bn_table_text (table, d->kind);
      bn_table_text (table, by);
      cell_worker (table, d->from_worker);
      cell_worker (table, d->worker);
      bn_table_text (table, d->model);
      cell_ms_or_none (table, d->seen_wait_ns);
      cell_ms_or_none (table, d->true_wait_ns);
      cell_ms_or_none (table, d->row_age_ns);
      cell_yes_no (table, d->seen_cached);
      cell_yes_no (table, d->true_cached);
      cell_ms (table, d->effect_ns - d->asked_ns);
      g_free (by);
    }
  fputs ("\nDecisions: what the decider saw of the worker it chose, and what was true\n", file);
  done = bn_table_print (table, BN_FORMAT_TEXT, file, error);
  bn_table_free (table);
  return done;
}

gboolean
bn_explain_print (const BnExplanation *e, FILE *file, GError **error)
{
  write_heading (e, file);
  if (e->steps->len > 0 && !(print_path (e, file, error) && print_ahead (e, file, error)))
    return FALSE;
  return e->decisions->len == 0 || print_decisions (e, file, error);
}
