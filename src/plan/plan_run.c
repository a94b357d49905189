/* plan_run.c: the rounds of a plan: what is asked for is run, and its searches are told.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "cli.h"
#include "plan_parts.h"
#include "sql.h"
#include "tally.h"

/* What one search asks for in this round. */
typedef struct Asked
{
  BnPlanTarget *target;
  BnPlanPoint *point;
  guint n_seeds;
} Asked;

static BnPlanPoint *
point_of (BnPlanTarget *target, const gint64 *numbers, guint n_slos)
{
  BnPlanPoint *point = bn_plan_point (target, numbers);

  if (point != NULL)
    return point;
  point = g_new0 (BnPlanPoint, 1);
  memcpy (point->numbers, numbers, sizeof point->numbers);
  point->runs = g_array_new (FALSE, TRUE, sizeof (BnPlanRun));
  point->values = g_array_new (FALSE, TRUE, sizeof (double));
  point->estimates = g_new0 (BnPlanEstimate, n_slos);
  g_ptr_array_add (target->points, point);
  return point;
}

/* What every search that is not over asks for. Returns: (transfer full) (element-type Asked). */
static GArray *
ask_all (BnPlan *plan, guint *n_over)
{
  GArray *asked = g_array_new (FALSE, FALSE, sizeof (Asked));

  *n_over = 0;
  for (guint i = 0; i < plan->targets->len; i++)
    {
      BnPlanTarget *target = g_ptr_array_index (plan->targets, i);
      gint64 numbers[BN_PLAN_MAX_KINDS] = { 0 };
      guint n_seeds;
      gboolean more = !target->failed
                      && (target->mix != NULL      ? bn_plan_mix_next (target->mix, numbers, &n_seeds)
                          : target->search != NULL ? bn_plan_search_next (target->search, numbers, &n_seeds)
                                                   : FALSE);
      *n_over += !more;
      if (!more)
        continue;
      Asked a = { target, point_of (target, numbers, plan->request->slos->len), n_seeds };
      g_array_append_val (asked, a);
    }
  return asked;
}

/* The units of the seeds that are new, whose runs are numbered from *n_runs + 1 on. Returns:
 * (transfer full): of BnUnit. */
static GPtrArray *
units_of (GArray *asked, guint *n_runs)
{
  GPtrArray *units = bn_units_new ();

  for (guint i = 0; i < asked->len; i++)
    {
      const Asked *a = &g_array_index (asked, Asked, i);
      const BnPlanCell *cell = a->target->cell;

      while (a->point->runs->len < a->n_seeds)
        {
          BnPlanRun run = { .run_id = ++*n_runs };
          g_array_append_val (a->point->runs, run);
          g_ptr_array_add (units, bn_plan_axis_unit (cell->axis, cell->unit, a->point->numbers, a->target->source,
                                                     a->point->runs->len, run.run_id));
        }
    }
  return units;
}

/* ---- what came of it ---- */

/* Statements that read one run. */
typedef struct Reading
{
  sqlite3 *db;
  sqlite3_stmt *run, *metric;
} Reading;

static gboolean
reading_open (Reading *r, sqlite3 *db, GError **error)
{
  *r = (Reading) { .db = db };
  if (sqlite3_prepare_v2 (db, "SELECT state, label FROM runs WHERE run_id = ?1", -1, &r->run, NULL) == SQLITE_OK
      && sqlite3_prepare_v2 (db, "SELECT value FROM metrics WHERE run_id = ?1 AND name = ?2 AND scope = ''", -1,
                             &r->metric, NULL) == SQLITE_OK)
    return TRUE;
  return bn_sql_fail (db, error);
}

static void
reading_close (Reading *r)
{
  sqlite3_finalize (r->run);
  sqlite3_finalize (r->metric);
}

/* NAN where it is undefined. */
static gboolean
read_metric (Reading *r, gint64 run_id, const char *name, double *ret, GError **error)
{
  sqlite3_bind_int64 (r->metric, 1, run_id);
  bn_sql_text (r->metric, 2, name);
  int rc = sqlite3_step (r->metric);
  gboolean defined = rc == SQLITE_ROW && sqlite3_column_type (r->metric, 0) != SQLITE_NULL;
  *ret = defined ? sqlite3_column_double (r->metric, 0) : NAN;
  sqlite3_reset (r->metric);
  return rc == SQLITE_ROW || rc == SQLITE_DONE || bn_sql_fail (r->db, error);
}

/* Sets *there: the run is in the file. */
static gboolean
read_state (Reading *r, BnPlanRun *run, gboolean *there, GError **error)
{
  double created, done;

  sqlite3_bind_int64 (r->run, 1, run->run_id);
  int rc = sqlite3_step (r->run);
  *there = rc == SQLITE_ROW;
  if (*there)
    {
      const char *state = (const char *) sqlite3_column_text (r->run, 0);
      const char *label = (const char *) sqlite3_column_text (r->run, 1);
      run->lost = g_strcmp0 (state, "complete") != 0;
      run->unstable = bn_label_is_unstable (label);
    }
  sqlite3_reset (r->run);
  if (rc != SQLITE_ROW && rc != SQLITE_DONE)
    return bn_sql_fail (r->db, error);
  if (!*there)
    return TRUE;
  if (!read_metric (r, run->run_id, "jobs", &created, error)
      || !read_metric (r, run->run_id, "jobs_done", &done, error))
    return FALSE;
  run->lost = run->lost || !(done >= created) || created == 0;
  return TRUE;
}

static gboolean
read_values (Reading *r, const BnPlan *plan, const BnPlanTarget *target, BnPlanPoint *point, guint seed, GError **error)
{
  const BnPlanRun *run = &g_array_index (point->runs, BnPlanRun, seed);

  for (guint l = 0; l < plan->request->slos->len; l++)
    {
      const BnSlo *slo = &g_array_index (plan->request->slos, BnSlo, l);
      double value;

      if (!read_metric (r, run->run_id, bn_metric_infos[slo->metric].name, &value, error))
        return FALSE;
      value = bn_slo_value (slo, value);
      if (!isfinite (value) && !run->lost)
        {
          g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                       "%s: %s has no value in run %" G_GINT64_FORMAT " (%s, seed %u); promise something that every run"
                       " measures", target->cell->unit->path, slo->name, run->run_id, target->variant, seed + 1);
          return FALSE;
        }
      /* of a run that lost jobs nothing counts but that */
      value = isfinite (value) ? value : 0;
      g_array_append_val (point->values, value);
    }
  return TRUE;
}

/* Judges the point by all its runs, and tells the search. */
static void
judge (const BnPlan *plan, const Asked *asked)
{
  guint n_slos = plan->request->slos->len, k = asked->n_seeds;
  BnPlanPoint *point = asked->point;
  g_autofree BnPlanLimit *limits = g_new (BnPlanLimit, n_slos);
  g_autofree BnReplication *runs = g_new (BnReplication, k);

  for (guint l = 0; l < n_slos; l++)
    limits[l] = g_array_index (plan->request->slos, BnSlo, l).limit;
  for (guint i = 0; i < k; i++)
    {
      const BnPlanRun *run = &g_array_index (point->runs, BnPlanRun, i);
      runs[i] = (BnReplication) { &g_array_index (point->values, double, i * n_slos), run->unstable, run->lost };
    }
  point->judgement = bn_plan_judge (limits, n_slos, runs, k, plan->stages.n, point->estimates);
  point->n_judged = k;
  if (asked->target->mix != NULL)
    bn_plan_mix_tell (asked->target->mix, point->numbers, k, point->judgement.outcome);
  else
    bn_plan_search_tell (asked->target->search, point->numbers[0], k, point->judgement.outcome);
}

static gboolean
take_in (const BnPlan *plan, const Asked *asked, Reading *r, GError **error)
{
  guint n_slos = plan->request->slos->len;

  for (guint i = asked->point->values->len / n_slos; i < asked->n_seeds; i++)
    {
      gboolean there;
      if (!read_state (r, &g_array_index (asked->point->runs, BnPlanRun, i), &there, error))
        return FALSE;
      asked->target->failed = asked->target->failed || !there;
      if (!there)
        return TRUE;
      if (!read_values (r, plan, asked->target, asked->point, i, error))
        return FALSE;
    }
  judge (plan, asked);
  return TRUE;
}

static gboolean
take_in_all (const BnPlan *plan, GArray *asked, sqlite3 *db, GError **error)
{
  Reading r;
  gboolean ok = reading_open (&r, db, error);

  for (guint i = 0; i < asked->len && ok; i++)
    ok = take_in (plan, &g_array_index (asked, Asked, i), &r, error);
  reading_close (&r);
  return ok;
}

/* ---- rounds ---- */

/* Sets *more where there was something to do. */
static gboolean
run_round (BnPlan *plan, BnPool *pool, void (*show) (const BnPlanProgress *progress), BnPlanProgress *progress,
           gboolean *more, GError **error)
{
  g_autoptr (GArray) asked = ask_all (plan, &progress->n_over);
  BnPoolOutcome outcome = { 0 };

  *more = asked->len > 0;
  if (!*more)
    return TRUE;
  if (show != NULL)
    show (progress);
  g_autoptr (GPtrArray) units = units_of (asked, &progress->n_runs);
  gboolean ok = bn_pool_run (pool, (BnUnit *const *) units->pdata, units->len, &outcome, error);
  progress->n_kept += outcome.n_kept;
  progress->interrupted = outcome.interrupted;
  return ok && (outcome.interrupted
                || take_in_all (plan, asked, bn_results_database (bn_pool_results (pool)), error));
}

gboolean
bn_plan_run (BnPlan *plan, BnPool *pool, void (*show) (const BnPlanProgress *progress), BnPlanProgress *progress,
             GError **error)
{
  gboolean more = TRUE;

  *progress = (BnPlanProgress) { .n_searches = plan->targets->len };
  while (more && !progress->interrupted)
    if (!run_round (plan, pool, show, progress, &more, error))
      return FALSE;
  for (guint i = 0; i < plan->targets->len; i++)
    {
      BnPlanFinding finding;
      bn_plan_find (g_ptr_array_index (plan->targets, i), &finding);
      progress->n_unanswered += finding.answer == NULL;
    }
  return TRUE;
}
