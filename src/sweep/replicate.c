/* replicate.c: an experiment with as many seeds as a precision asks for.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "replicate.h"

#include <string.h>

#include "sql.h"
#include "stability.h"

/* ---- what is known ---- */

/* Runs of one scheduler, while they are read. */
typedef struct Scheduler
{
  char *variant;
  GArray *values;            /* of double */
  BnPrecisionSample sample;  /* its values are set when all have been read */
} Scheduler;

static void
free_scheduler (void *data)
{
  Scheduler *s = data;

  g_free (s->variant);
  g_array_unref (s->values);
  g_free (s);
}

static const char samples_sql[]
  = "SELECT r.shown, r.state = 'complete', r.label, m.value FROM v_runs r LEFT JOIN metrics m"
    " ON m.run_id = r.run_id AND m.name = ?3 AND m.scope = '' WHERE r.run_id >= ?1 AND r.run_id < ?2"
    " AND (r.run_id - ?1) % ?4 < ?5"
    " AND r.state <> 'running' ORDER BY r.run_id";

static void
add_run (GPtrArray *schedulers, sqlite3_stmt *stmt)
{
  const char *variant = (const char *) sqlite3_column_text (stmt, 0);
  const char *label = (const char *) sqlite3_column_text (stmt, 2);
  Scheduler *s = schedulers->len > 0 ? g_ptr_array_index (schedulers, schedulers->len - 1) : NULL;

  if (s == NULL || strcmp (s->variant, variant) != 0)
    {
      s = g_new0 (Scheduler, 1);
      s->variant = g_strdup (variant);
      s->values = g_array_new (FALSE, FALSE, sizeof (double));
      g_ptr_array_add (schedulers, s);
    }
  gboolean complete = sqlite3_column_int (stmt, 1) != 0;
  s->sample.n_runs++;
  if (!complete || bn_label_is_unstable (label))
    s->sample.n_unstable++;
  if (complete && sqlite3_column_type (stmt, 3) != SQLITE_NULL)
    {
      double value = sqlite3_column_double (stmt, 3);
      g_array_append_val (s->values, value);
    }
}

/* One Scheduler for each; NULL with `error` set. Returns: (transfer full). */
static GPtrArray *
read_schedulers (sqlite3 *db, const char *metric, const BnReplications *of, GError **error)
{
  GPtrArray *schedulers = g_ptr_array_new_with_free_func (free_scheduler);
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, samples_sql, -1, &stmt, NULL);

  if (rc == SQLITE_OK)
    {
      sqlite3_bind_int64 (stmt, 1, of->first_run);
      sqlite3_bind_int64 (stmt, 2, of->first_run + (gint64) of->room * of->n_schedulers);
      bn_sql_text (stmt, 3, metric);
      sqlite3_bind_int64 (stmt, 4, of->room);
      sqlite3_bind_int64 (stmt, 5, of->n_seeds);
    }
  while (stmt != NULL && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    add_run (schedulers, stmt);
  if (rc != SQLITE_DONE)
    bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  if (rc == SQLITE_DONE)
    return schedulers;
  g_ptr_array_unref (schedulers);
  return NULL;
}

GArray *
bn_replicate_judge (sqlite3 *db, const BnPrecisionGoal *goal, const BnReplications *of, GPtrArray *texts,
                    GError **error)
{
  GPtrArray *schedulers = read_schedulers (db, goal->metric, of, error);

  if (schedulers == NULL)
    return NULL;
  GArray *answers = g_array_new (FALSE, FALSE, sizeof (BnPrecisionAnswer));
  for (guint i = 0; i < schedulers->len; i++)
    {
      Scheduler *s = g_ptr_array_index (schedulers, i);
      s->sample.values = (const double *) (void *) s->values->data;
      s->sample.n_values = s->values->len;
      BnPrecisionAnswer answer = bn_precision_judge (goal, &s->sample);
      g_array_append_val (answers, answer);
      if (texts != NULL)
        g_ptr_array_add (texts, bn_precision_text (goal, s->variant, &s->sample, &answer));
    }
  g_ptr_array_unref (schedulers);
  return answers;
}

/* ---- rounds ---- */

/* The experiment with seeds [from, to) of all: what comes of it is added to `outcome`. */
static gboolean
run_round (const BnScenario *scenario, uint64_t *seeds, guint from, guint to, BnResults *results,
           const BnExperimentOptions *options, gint64 step, BnExperimentOutcome *outcome, GError **error)
{
  BnScenario round = *scenario;
  BnExperimentOptions of_round = *options;
  BnExperimentOutcome more = { 0 };

  round.seeds = seeds + from;
  round.n_seeds = to - from;
  of_round.runs_before += from;
  of_round.variant_step = step;
  gboolean ok = bn_experiment_run (&round, results, &of_round, &more, error);
  outcome->n_runs += more.n_runs;
  outcome->n_unfinished += more.n_unfinished;
  outcome->n_violations += more.n_violations;
  outcome->interrupted = more.interrupted;
  g_ptr_array_extend_and_steal (outcome->remarks, g_steal_pointer (&more.remarks));
  return ok;
}

static gboolean
all_reached (const GArray *answers)
{
  gboolean reached = TRUE;

  for (guint i = 0; i < answers->len; i++)
    reached &= g_array_index (answers, BnPrecisionAnswer, i).state == BN_PRECISION_REACHED;
  return reached;
}

gboolean
bn_replicate (const BnScenario *scenario, BnResults *results, const BnPrecisionGoal *goal,
              const BnExperimentOptions *options, BnExperimentOutcome *outcome, gboolean *reached, GError **error)
{
  guint room = MAX (goal->max_seeds, scenario->n_seeds), n = 0;
  guint next = MIN (MAX (scenario->n_seeds, BN_PRECISION_LEAST_SEEDS), room);
  g_autofree guint64 *seeds = bn_precision_seeds (scenario->seeds, scenario->n_seeds, room);
  BnReplications of = { options->runs_before + 1, scenario->n_variants, room, 0 };
  gboolean ok = TRUE;

  *outcome = (BnExperimentOutcome){ .remarks = g_ptr_array_new_with_free_func (g_free) };
  *reached = FALSE;
  while (ok && next > n && !outcome->interrupted)
    {
      ok = run_round (scenario, seeds, n, next, results, options, room, outcome, error);
      n = of.n_seeds = next;
      g_autoptr (GArray) answers
        = ok ? bn_replicate_judge (bn_results_database (results), goal, &of, NULL, error) : NULL;
      ok = answers != NULL;
      if (ok)
        {
          next = bn_precision_next ((const BnPrecisionAnswer *) (void *) answers->data, answers->len);
          *reached = all_reached (answers);
        }
    }
  g_autoptr (GArray) last = ok && !outcome->interrupted
                              ? bn_replicate_judge (bn_results_database (results), goal, &of, outcome->remarks, error)
                              : NULL;
  return ok && (last != NULL || outcome->interrupted);
}
