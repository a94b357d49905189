/* comparison_notes.c: what the numbers of a comparison are good for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "comparison_notes.h"

#include <math.h>

#include "run_length.h"
#include "sql.h"
#include "stability.h"
#include "within_run.h"

/* A beginning is worth a word if it is this share of the run: a shorter one hardly moves a
 * mean, and MSER-5 finds some by chance in any run. */
#define LEAST_BEGINNING 0.02

/* Of every run that counts below, what decides what is said. */
typedef struct Facts
{
  guint n_runs, n_short;
  double short_jobs, short_load, short_needed;  /* of the run that is shortest for its load */
  guint n_fixed;             /* runs of a trace as it is        */
  double block_least, block_most;               /* of resampled traces; 0: none */
} Facts;

/* A run takes the place of the one that was shortest so far. */
static void
judge_length (Facts *facts, double load, double n_slots, double n_jobs, double relaxations)
{
  if (!(load > 0 && load < 1) || n_slots < 1)
    return;
  double needed = bn_run_length_needed (load, n_slots, relaxations);
  if (n_jobs >= needed)
    return;
  if (facts->n_short++ > 0 && n_jobs / needed >= facts->short_jobs / facts->short_needed)
    return;
  facts->short_jobs = n_jobs;
  facts->short_load = load;
  facts->short_needed = needed;
}

static const char facts_sql[]
  = "SELECT r.offered_load, r.n_slots, m.value, r.arrivals, r.trace_block FROM runs r JOIN metrics m"
    " ON m.run_id = r.run_id AND m.name = 'jobs' AND m.scope = '' WHERE r.state = 'complete' ORDER BY r.run_id";

static gboolean
read_facts (sqlite3 *db, double relaxations, Facts *facts, GError **error)
{
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, facts_sql, -1, &stmt, NULL);

  *facts = (Facts){ 0 };
  while (stmt != NULL && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      gboolean traced = g_strcmp0 ((const char *) sqlite3_column_text (stmt, 3), "trace") == 0;
      double block = sqlite3_column_double (stmt, 4);

      facts->n_runs++;
      judge_length (facts, sqlite3_column_double (stmt, 0), sqlite3_column_double (stmt, 1),
                    sqlite3_column_double (stmt, 2), relaxations);
      facts->n_fixed += traced && block <= 0;
      if (block <= 0)
        continue;
      facts->block_least = facts->block_most > 0 ? MIN (facts->block_least, block) : block;
      facts->block_most = MAX (facts->block_most, block);
    }
  sqlite3_finalize (stmt);
  return rc == SQLITE_DONE || bn_sql_fail (db, error);
}

static void
note_seeds (GString *text, const BnCompared *compared, guint n_seeds)
{
  gboolean within = FALSE;

  if (n_seeds > 1)
    return;
  for (guint r = 0; r < compared->runs->len; r++)
    within |= isfinite (bn_compared_run (compared, r)->values[BN_COMPARED_BATCH_95]);
  g_string_append (text, "One seed: no interval over seeds; --seed 1..10 gives one.");
  g_string_append (text, within ? " ± batch is by batch means within the run.\n" : "\n");
}

static void
note_trace (GString *text, const Facts *facts)
{
  if (facts->n_fixed > 0)
    g_string_append (text, "For this trace only: seeds do not change its arrivals, so no interval is about other days;"
                           " workload.trace-resample = blocks makes some.\n");
  if (facts->block_most > 0 && facts->block_least == facts->block_most)
    g_string_append_printf (text, "Arrivals: the trace, resampled for each seed in blocks of %.0f on average.\n",
                            facts->block_most);
  else if (facts->block_most > 0)
    g_string_append_printf (text, "Arrivals: traces, resampled for each seed in blocks of %.0f to %.0f on average.\n",
                            facts->block_least, facts->block_most);
}

/* A round number that is not below x: one of two digits. */
static double
rounded_up (double x)
{
  double unit = 1;

  while (x / unit >= 100)
    unit *= 10;
  return ceil (x / unit) * unit;
}

static void
note_length (GString *text, const Facts *facts, guint n_seeds)
{
  if (facts->n_short == 0)
    return;
  g_string_append_printf (text, "Short: %.0f jobs at load %.2f; %s needs %.0f or more (doc/statistics.md).",
                          facts->short_jobs, facts->short_load,
                          n_seeds > 1 ? "a steady state over seeds" : "an interval within a run",
                          rounded_up (facts->short_needed));
  if (facts->n_short < facts->n_runs)
    g_string_append_printf (text, " So are %u of %u runs.", facts->n_short, facts->n_runs);
  g_string_append_c (text, '\n');
}

/* The label of a row is what most of its runs are called. */
static void
note_labels (GString *text, const BnCompared *compared)
{
  guint n_rows = 0, n_unstable = 0;

  for (guint r = 0, end; r < compared->runs->len; r = end)
    {
      end = bn_compared_end_of_variant (compared, r);
      g_autofree char *label = bn_compared_label (compared, r, end);
      n_rows++;
      n_unstable += !g_str_has_prefix (label, bn_label_name (BN_LABEL_STABLE))
                    && !g_str_has_prefix (label, bn_label_name (BN_LABEL_UNKNOWN));
    }
  if (n_unstable > 0)
    g_string_append_printf (text, "Not in equilibrium: %u of %u rows; their means are of how long the runs were.\n",
                            n_unstable, n_rows);
}

/* Of the first seed of each variant. */
static gboolean
note_warmup (GString *text, const BnCompared *compared, sqlite3 *db, GError **error)
{
  const BnComparedRun *latest = NULL;
  double latest_s = 0, warmup_s = 0;

  for (guint r = 0; r < compared->runs->len; r = bn_compared_end_of_variant (compared, r))
    {
      const BnComparedRun *run = bn_compared_run (compared, r);
      double end_s, share;
      if (!bn_within_run_warmup (db, run->run_id, &end_s, &share, error))
        return FALSE;
      if (!(share >= LEAST_BEGINNING && end_s > MAX (latest_s, run->warmup_s)))
        continue;
      latest = run;
      latest_s = end_s;
      warmup_s = run->warmup_s;
    }
  if (latest != NULL)
    g_string_append_printf (text, "Warm-up: with %s, seed %s, the backlog is level from %.3g s on (MSER-5);"
                                  " the warm-up is %.3g s.\n", latest->variant, latest->seed, latest_s, warmup_s);
  return TRUE;
}

gboolean
bn_comparison_notes (const BnCompared *compared, sqlite3 *db, GString *text, GError **error)
{
  guint n_seeds = bn_compared_most_seeds (compared);
  Facts facts;

  if (!read_facts (db, n_seeds > 1 ? BN_RELAXATIONS_OVER_SEEDS : BN_RELAXATIONS_IN_A_RUN, &facts, error))
    return FALSE;
  note_seeds (text, compared, n_seeds);
  note_trace (text, &facts);
  note_length (text, &facts, n_seeds);
  note_labels (text, compared);
  return compared->cells->values->len > 1 || note_warmup (text, compared, db, error);
}
