/* plan_store.c: writes what a plan was asked and found into a results file.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "cli.h"
#include "plan_parts.h"
#include "sql.h"
#include "tally.h"

/* The tables in the order in which they are filled. */
enum
{
  PROMISES,
  PLANS,
  POINTS,
  ESTIMATES,
  RUNS,
  N_TABLES
};

static const char *const tables[N_TABLES]
  = { "plan_promises", "plans", "plan_points", "plan_estimates", "plan_runs" };

/* The first failure is kept in `rc`; nothing is written after it. */
typedef struct Writing
{
  const BnPlan *plan;
  gboolean answered; /* else only what was asked is written */
  sqlite3_stmt *puts[N_TABLES];
  int rc;
  GError *error;     /* of what is worked out on the way */
} Writing;

static void
put (Writing *w, guint table)
{
  if (w->rc == SQLITE_OK)
    w->rc = bn_sql_put (w->puts[table]);
}

/* NULL for what is not there; an infinite one stays. */
static void
bind_real (sqlite3_stmt *stmt, int column, double value)
{
  if (isnan (value))
    sqlite3_bind_null (stmt, column);
  else
    sqlite3_bind_double (stmt, column, value);
}

static void
put_promises (Writing *w)
{
  const GArray *slos = w->plan->request->slos;

  for (guint i = 0; i < slos->len; i++)
    {
      const BnSlo *slo = &g_array_index (slos, BnSlo, i);
      sqlite3_stmt *stmt = w->puts[PROMISES];

      bn_sql_int (stmt, 1, i + 1);
      bn_sql_text (stmt, 2, slo->text);
      bn_sql_text (stmt, 3, slo->name);
      bn_sql_text (stmt, 4, bn_metric_infos[slo->metric].name);
      bn_sql_text (stmt, 5, bn_metric_infos[slo->metric].unit);
      bind_real (stmt, 6, slo->limit.limit);
      bn_sql_int (stmt, 7, slo->limit.at_least);
      put (w, PROMISES);
    }
}

static void
put_point (Writing *w, guint plan, guint number, const BnPlanTarget *target, const BnPlanPoint *point)
{
  const BnPlanAxis *axis = target->cell->axis;
  g_autofree char *text = bn_plan_axis_text (axis, point->numbers);
  const BnPlanJudgement *judgement = &point->judgement;
  sqlite3_stmt *stmt = w->puts[POINTS];
  gboolean undecided = judgement->outcome.verdict == BN_VERDICT_UNDECIDED;

  bn_sql_int (stmt, 1, plan);
  bn_sql_int (stmt, 2, number);
  bind_real (stmt, 3, bn_plan_axis_value (axis, point->numbers));
  bn_sql_text (stmt, 4, text);
  bn_sql_int (stmt, 5, point->n_judged);
  bn_sql_text (stmt, 6, bn_verdict_name (judgement->outcome.verdict));
  bn_sql_int (stmt, 7, judgement->n_unstable);
  bn_sql_int (stmt, 8, judgement->n_lost);
  bind_real (stmt, 9, undecided ? judgement->seeds_needed : NAN);
  put (w, POINTS);
  for (guint l = 0; l < w->plan->request->slos->len; l++)
    {
      stmt = w->puts[ESTIMATES];
      bn_sql_int (stmt, 1, plan);
      bn_sql_int (stmt, 2, number);
      bn_sql_int (stmt, 3, l + 1);
      bind_real (stmt, 4, point->estimates[l].mean);
      bind_real (stmt, 5, point->estimates[l].low);
      bind_real (stmt, 6, point->estimates[l].high);
      put (w, ESTIMATES);
    }
  for (guint i = 0; i < point->n_judged; i++)
    {
      stmt = w->puts[RUNS];
      bn_sql_int (stmt, 1, plan);
      bn_sql_int (stmt, 2, number);
      bn_sql_int (stmt, 3, g_array_index (point->runs, BnPlanRun, i).run_id);
      put (w, RUNS);
    }
}

/* A value, its text and what it costs, into the columns that begin with `first` and with
 * `cost`. Texts are added to `texts`. */
static void
bind_value (Writing *w, const BnPlanTarget *target, const gint64 *numbers, int first, int cost, GPtrArray *texts)
{
  const BnPlanCell *cell = target->cell;
  sqlite3_stmt *stmt = w->puts[PLANS];
  double price = 0;

  for (int column = first; column < first + 2; column++)
    sqlite3_bind_null (stmt, column);
  sqlite3_bind_null (stmt, cost);
  if (numbers == NULL || w->error != NULL)
    return;
  char *text = bn_plan_axis_text (cell->axis, numbers);
  g_ptr_array_add (texts, text);
  bind_real (stmt, first, bn_plan_axis_value (cell->axis, numbers));
  bn_sql_text (stmt, first + 1, text);
  if (bn_plan_axis_cost (cell->axis, cell->unit, numbers, &price, &w->error))
    bn_sql_positive (stmt, cost, price);
}

/* The number of the point of the answer, of those that are judged; 0: there is none. */
static guint
put_points (Writing *w, guint plan, const BnPlanTarget *target, const BnPlanPoint *answer)
{
  guint n = 0, found = 0;

  for (guint i = 0; i < target->points->len; i++)
    {
      const BnPlanPoint *point = g_ptr_array_index (target->points, i);
      if (point->n_judged == 0)
        continue;
      put_point (w, plan, ++n, target, point);
      if (point == answer)
        found = n;
    }
  return found;
}

static void
put_plan (Writing *w, guint number, const BnPlanTarget *target)
{
  static const char *const kinds[] = { "count", "rate", "mix" };
  const BnPlanCell *cell = target->cell;
  gboolean rate = cell->axis->kind == BN_PLAN_RATE;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *key = g_strjoinv (" ", cell->axis->keys);
  sqlite3_stmt *stmt = w->puts[PLANS];
  gint64 broken[BN_PLAN_MAX_KINDS] = { 0 };
  BnPlanFinding finding;

  bn_plan_find (target, &finding);
  /* more load is less of its number */
  if (rate && finding.low != NULL)
    broken[0] = finding.low[0] - 1;
  g_autofree char *note = bn_plan_note (w->plan, target, &finding);
  guint point = put_points (w, number, target, finding.point);
  bn_sql_int (stmt, 1, number);
  bn_sql_text (stmt, 2, target->variant);
  bn_sql_text (stmt, 3, cell->settings);
  bn_sql_positive (stmt, 4, rate ? 0 : cell->rate_per_s);
  bn_sql_text (stmt, 5, kinds[cell->axis->kind]);
  bn_sql_text (stmt, 6, key);
  bind_real (stmt, 7, cell->axis->work);
  bind_value (w, target, finding.answer, 8, 14, texts);
  bind_value (w, target, rate ? finding.high : finding.low, 10, 15, texts);
  bind_value (w, target, !rate ? finding.high : finding.low != NULL ? broken : NULL, 12, 16, texts);
  bn_sql_index (stmt, 17, point > 0 ? (int64_t) point : -1);
  bind_real (stmt, 18, finding.seeds_needed > 0 ? finding.seeds_needed : NAN);
  bn_sql_text (stmt, 19, note);
  put (w, PLANS);
}

static void
write_all (Writing *w, sqlite3 *db)
{
  for (guint i = 0; i < N_TABLES && w->rc == SQLITE_OK; i++)
    {
      g_autofree char *sql = g_strdup_printf ("DELETE FROM %s", tables[i]);
      w->rc = sqlite3_exec (db, sql, NULL, NULL, NULL);
      if (w->rc == SQLITE_OK)
        w->rc = bn_sql_prepare_insert (db, tables[i], &w->puts[i]);
    }
  if (w->rc == SQLITE_OK)
    put_promises (w);
  for (guint i = 0; i < w->plan->targets->len && w->answered; i++)
    put_plan (w, i + 1, g_ptr_array_index (w->plan->targets, i));
  for (guint i = 0; i < N_TABLES; i++)
    sqlite3_finalize (w->puts[i]);
}

static gboolean
store (const BnPlan *plan, gboolean answered, sqlite3 *db, GError **error)
{
  Writing w = { .plan = plan, .answered = answered, .rc = sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL) };

  if (w.rc != SQLITE_OK)
    return bn_sql_fail (db, error);
  write_all (&w, db);
  if (w.rc == SQLITE_OK && w.error == NULL)
    w.rc = sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
  if (w.rc == SQLITE_OK && w.error == NULL)
    return TRUE;
  if (w.error == NULL)
    bn_sql_fail (db, &w.error);
  g_propagate_error (error, w.error);
  sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

gboolean
bn_plan_begin (const BnPlan *plan, sqlite3 *db, GError **error)
{
  static const char sql[] = "SELECT EXISTS (SELECT 1 FROM runs) AND NOT EXISTS (SELECT 1 FROM plan_promises)";
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL);

  if (rc == SQLITE_OK)
    rc = sqlite3_step (stmt);
  gboolean foreign = rc == SQLITE_ROW && sqlite3_column_int (stmt, 0) != 0;
  sqlite3_finalize (stmt);
  if (rc != SQLITE_ROW)
    return bn_sql_fail (db, error);
  if (!foreign)
    return store (plan, FALSE, db, error);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT, "%s: holds runs that no plan has made; name another file with"
               " -o, or give --replace to begin anew", sqlite3_db_filename (db, "main"));
  return FALSE;
}

gboolean
bn_plan_store (const BnPlan *plan, sqlite3 *db, GError **error)
{
  return store (plan, TRUE, db, error);
}
