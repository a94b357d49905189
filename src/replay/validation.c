/* validation.c: how far simulations are from the real runs that they repeat.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "validation.h"

#include <math.h>
#include <string.h>

#include "interval.h"
#include "sql.h"

/* What a simulation should come to; of other numbers nothing is asked. */
static const struct
{
  const char *metric;
  double tolerance;       /* %, or points */
} targets[] = { { "latency_mean", 5 }, { "latency_p95", 10 }, { "hit_rate", 1 } };

#define MEAN_LATENCY 0

static void
free_validated (gpointer data)
{
  BnValidated *v = data;

  g_free (v->variant);
  g_array_unref (v->repeats);
  g_array_unref (v->steals);
  g_free (v);
}

static BnValidated *
validated_of (GPtrArray *all, const char *variant)
{
  for (guint i = 0; i < all->len; i++)
    if (strcmp (((BnValidated *) all->pdata[i])->variant, variant) == 0)
      return all->pdata[i];
  BnValidated *v = g_new0 (BnValidated, 1);
  v->variant = g_strdup (variant);
  v->repeats = g_array_new (FALSE, FALSE, sizeof (BnDeviation));
  v->steals = g_array_new (FALSE, FALSE, sizeof (double));
  g_ptr_array_add (all, v);
  return v;
}

static const char pairs_sql[]
  = "SELECT o.run_id, s.run_id, o.variant, (SELECT value FROM metrics m WHERE m.run_id = o.run_id AND m.name = 'steal')"
    " FROM runs s JOIN runs o ON o.run_id = s.replay_of WHERE o.state = 'complete' AND s.state = 'complete'"
    " ORDER BY o.run_id, s.run_id";

GPtrArray *
bn_validation_read (sqlite3 *db, GError **error)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (free_validated);
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2 (db, pairs_sql, -1, &stmt, NULL);
  gboolean ok = rc == SQLITE_OK || bn_sql_fail (db, error);

  while (ok && (rc = sqlite3_step (stmt)) == SQLITE_ROW)
    {
      BnValidated *v = validated_of (all, (const char *) sqlite3_column_text (stmt, 2));
      double steal = sqlite3_column_type (stmt, 3) != SQLITE_NULL ? sqlite3_column_double (stmt, 3) : NAN;
      BnDeviation deviation;
      ok = bn_deviation_read (db, sqlite3_column_int64 (stmt, 0), sqlite3_column_int64 (stmt, 1), &deviation, error);
      g_array_append_val (v->repeats, deviation);
      g_array_append_val (v->steals, steal);
    }
  if (ok && rc != SQLITE_DONE)
    ok = bn_sql_fail (db, error);
  sqlite3_finalize (stmt);
  if (ok)
    return all;
  g_ptr_array_unref (all);
  return NULL;
}

static const BnDeviation *
repeat (const BnValidated *v, guint r)
{
  return &g_array_index (v->repeats, BnDeviation, r);
}

static void
set_target (BnValidatedValue *value, guint i, guint n_repeats)
{
  for (guint t = 0; t < G_N_ELEMENTS (targets); t++)
    if (strcmp (targets[t].metric, bn_deviations[i].metric) == 0)
      {
        value->has_target = value->n_undefined < n_repeats;
        value->met = fabs (value->error) <= targets[t].tolerance
                     || (isfinite (value->half_width)
                         && fabs (value->simulated - value->observed) <= value->half_width);
      }
}

BnValidatedValue
bn_validation_value (const BnValidated *validated, guint i)
{
  BnValidatedValue value = { 0 };
  guint n = validated->repeats->len;
  g_autofree double *observed = g_new (double, n);

  g_assert (n > 0);
  for (guint r = 0; r < n; r++)
    {
      observed[r] = repeat (validated, r)->observed[i];
      value.simulated += repeat (validated, r)->simulated[i] / n;
      value.n_undefined += isnan (repeat (validated, r)->observed[i]) || isnan (repeat (validated, r)->simulated[i]);
    }
  BnInterval interval = bn_interval_of_mean (observed, n, BN_CONFIDENCE);
  value.observed = interval.mean;
  value.half_width = interval.half_width;
  BnDeviation means;
  means.observed[i] = value.observed;
  means.simulated[i] = value.simulated;
  value.error = bn_deviation_error (&means, i);
  set_target (&value, i, n);
  return value;
}

void
bn_validation_ranking (const GPtrArray *validated, guint *n_pairs, guint *n_alike)
{
  *n_pairs = *n_alike = 0;
  for (guint i = 0; i < validated->len; i++)
    for (guint j = 0; j < i; j++)
      {
        BnValidatedValue a = bn_validation_value (validated->pdata[i], MEAN_LATENCY);
        BnValidatedValue b = bn_validation_value (validated->pdata[j], MEAN_LATENCY);
        if (!(fabs (a.observed - b.observed) > a.half_width + b.half_width))
          continue;
        (*n_pairs)++;
        *n_alike += (a.observed < b.observed) == (a.simulated < b.simulated);
      }
}

gboolean
bn_validation_holds (const GPtrArray *validated)
{
  guint n_pairs, n_alike;

  bn_validation_ranking (validated, &n_pairs, &n_alike);
  for (guint k = 0; k < validated->len; k++)
    for (guint i = 0; i < BN_N_DEVIATIONS; i++)
      {
        BnValidatedValue value = bn_validation_value (validated->pdata[k], i);
        if (value.has_target && !value.met)
          return FALSE;
      }
  return n_alike == n_pairs;
}

static const BnColumn columns[] = {
  { "variant", "scheduler", "", 0 },
  { "what", "what", "", 0 },
  { "unit", "unit", "", 0 },
  { "repeats", "repeats", "", 0 },
  { "observed", "real", "", 2 },
  { "half_width", "± 95 %", "", 2 },
  { "simulated", "simulated", "", 2 },
  { "error", "error", "", 2 },
  { "error_unit", "in", "", 0 },
  { "target", "target", "", 0 },
};

static void
add_value (BnTable *table, const BnValidated *v, guint i)
{
  BnValidatedValue value = bn_validation_value (v, i);

  bn_table_text (table, v->variant);
  bn_table_text (table, bn_deviations[i].title);
  bn_table_text (table, bn_deviations[i].unit);
  bn_table_integer (table, v->repeats->len);
  bn_table_real (table, value.observed);
  bn_table_real (table, value.half_width);
  bn_table_real (table, value.simulated);
  bn_table_real (table, value.error);
  bn_table_text (table, bn_deviations[i].relative ? "%" : "points");
  if (value.has_target)
    bn_table_text (table, value.met ? "met" : value.n_undefined > 0 ? "undefined" : "missed");
  else
    bn_table_missing (table);
}

/* Decision divergence, and what disturbed the real side. */
static void
add_other (BnTable *table, const BnValidated *v, const char *what, double real, double simulated)
{
  bn_table_text (table, v->variant);
  bn_table_text (table, what);
  bn_table_text (table, "%");
  bn_table_integer (table, v->repeats->len);
  bn_table_real (table, real);
  bn_table_missing (table);
  bn_table_real (table, simulated);
  for (int i = 0; i < 3; i++)
    bn_table_missing (table);
}

BnTable *
bn_validation_table (const GPtrArray *validated)
{
  BnTable *table = bn_table_new (columns, G_N_ELEMENTS (columns));

  for (guint k = 0; k < validated->len; k++)
    {
      const BnValidated *v = validated->pdata[k];
      double alike = 0, steal = NAN;
      for (guint i = 0; i < BN_N_DEVIATIONS; i++)
        add_value (table, v, i);
      for (guint r = 0; r < v->repeats->len; r++)
        {
          alike += repeat (v, r)->placed_alike / v->repeats->len;
          steal = fmax (steal, g_array_index (v->steals, double, r));
        }
      add_other (table, v, "placed alike", NAN, 100 * alike);
      add_other (table, v, "most steal time", 100 * steal, NAN);
    }
  return table;
}
