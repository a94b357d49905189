/* decision_costs.c: what a scheduler's decisions cost where that is measured, or was.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "decision_costs.h"

#include <inttypes.h>
#include <time.h>

#include "cli.h"
#include "reader.h"
#include "sql.h"

struct BnDecisionCosts
{
  BnStopwatch stopwatch;
  BnTime began_ns;       /* measured */
  BnReader *reader;      /* recorded */
  sqlite3_stmt *rows;
  gint64 run;
  gint64 n_asked;
};

/* ---- measured ---- */

static BnTime
clock_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * BN_NS_PER_S + now.tv_nsec;
}

static void
start_clock (void *context)
{
  BnDecisionCosts *costs = context;

  costs->began_ns = clock_now ();
}

static BnDuration
stop_clock (void *context, const BnJob *job, GError **error)
{
  const BnDecisionCosts *costs = context;

  (void) job;
  (void) error; /* a clock never fails */
  return clock_now () - costs->began_ns;
}

BnDecisionCosts *
bn_decision_costs_measured (void)
{
  BnDecisionCosts *costs = g_new0 (BnDecisionCosts, 1);

  costs->stopwatch = (BnStopwatch) { costs, start_clock, stop_clock };
  return costs;
}

/* ---- recorded ---- */

static void
start_nothing (void *context)
{
  (void) context;
}

static gboolean
differs (const BnDecisionCosts *costs, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* FALSE: "FILE: run N: what; …" */
static gboolean
differs (const BnDecisionCosts *costs, GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
               "%s: run %" G_GINT64_FORMAT ": %s; the scheduler or the program is not what it was: measure costs anew",
               bn_reader_path (costs->reader), costs->run, what);
  return FALSE;
}

static BnDuration
take_recorded (void *context, const BnJob *job, GError **error)
{
  BnDecisionCosts *costs = context;
  gint64 number = costs->n_asked++;
  GError *failure = NULL;

  if (!bn_reader_step (costs->reader, costs->rows, &failure))
    {
      if (failure != NULL)
        g_propagate_error (error, failure);
      else
        differs (costs, error, "costs of %" G_GINT64_FORMAT " questions were measured, and here is one more, about job %"
                 PRId64, number, job->id);
      return -1;
    }
  gint64 about = sqlite3_column_int64 (costs->rows, 1), cost_ns = sqlite3_column_int64 (costs->rows, 2);
  if (sqlite3_column_int64 (costs->rows, 0) == number && about == job->id && cost_ns >= 0)
    return cost_ns;
  differs (costs, error, "question %" G_GINT64_FORMAT " is about job %" PRId64 " here, and was about job %" G_GINT64_FORMAT
           " when its cost was measured", number, job->id, about);
  return -1;
}

/* The same run, whatever it was called and whatever version of the program made it. */
static const char same_run_sql[]
  = "SELECT run_id FROM runs WHERE replay_of IS NULL AND state IN ('complete', 'stuck') AND scheduler = ?1"
    " AND settings = ?2 AND seed = ?3 AND scenario_sha256 = ?4 AND trace_sha256 = ?5 ORDER BY run_id LIMIT 1";

/* 0 where there is none. FALSE with `error` set where the file is damaged. */
static gboolean
find_run (BnReader *reader, const BnRunInfo *info, gint64 *ret, GError **error)
{
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) info->seed);
  const char *texts[] = { info->scheduler, info->settings, seed, info->scenario_sha256, info->trace_sha256 };
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, same_run_sql, 0, 0, error);

  if (stmt == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    bn_sql_text (stmt, (int) i + 1, texts[i]);
  *ret = bn_reader_step (reader, stmt, &failure) ? sqlite3_column_int64 (stmt, 0) : 0;
  sqlite3_finalize (stmt);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

static sqlite3_stmt *
find_rows (BnReader *reader, gint64 run, const BnRunInfo *info, gint64 *ret_run, GError **error)
{
  GError *failure = NULL;

  *ret_run = run;
  if (bn_sql_has_table (bn_reader_db (reader), "decision_costs")
      && (run != 0 || find_run (reader, info, ret_run, &failure)) && *ret_run != 0)
    return bn_reader_query (reader, "SELECT question, job_id, cost_ns FROM decision_costs WHERE run_id = ?1"
                                    " ORDER BY question", *ret_run, 0, error);
  if (failure != NULL)
    g_propagate_error (error, failure);
  else
    g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                 "%s: holds no run of %s with seed %" G_GUINT64_FORMAT " on this scenario that has come to its end with the"
                 " costs of its decisions measured; give the file of such a run", bn_reader_path (reader), info->variant, (guint64) info->seed);
  return NULL;
}

BnDecisionCosts *
bn_decision_costs_recorded (const char *path, gint64 run, const BnRunInfo *info, GError **error)
{
  BnReader *reader = bn_reader_open (path, error);
  gint64 found = 0;
  sqlite3_stmt *rows = reader != NULL ? find_rows (reader, run, info, &found, error) : NULL;

  if (rows == NULL)
    {
      bn_reader_close (reader);
      return NULL;
    }
  BnDecisionCosts *costs = g_new0 (BnDecisionCosts, 1);
  *costs = (BnDecisionCosts) { .stopwatch = { costs, start_nothing, take_recorded },
                               .reader = reader,
                               .rows = rows,
                               .run = found };
  return costs;
}

void
bn_decision_costs_free (BnDecisionCosts *costs)
{
  if (costs == NULL)
    return;
  sqlite3_finalize (costs->rows);
  bn_reader_close (costs->reader);
  g_free (costs);
}

const BnStopwatch *
bn_decision_costs_stopwatch (BnDecisionCosts *costs)
{
  return &costs->stopwatch;
}

gboolean
bn_decision_costs_over (BnDecisionCosts *costs, GError **error)
{
  GError *failure = NULL;

  if (costs->rows == NULL)
    return TRUE;
  if (bn_reader_step (costs->reader, costs->rows, &failure))
    return differs (costs, error, "the run is over after %" G_GINT64_FORMAT " questions, and costs of more were measured",
                    costs->n_asked);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}
