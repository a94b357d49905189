/* explain.c: why one job took as long as it did.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

#include <string.h>

#include "bn.h"
#include "cli.h"

const char *const bn_part_names[BN_N_PARTS] = { "transfer", "decide", "queue", "evict", "load", "run" };

static const char job_sql[]
  = "SELECT r.shown, r.seed, w.name, j.state, j.reason, j.ingress, j.create_ns, j.end_ns, j.lower_bound_ns,"
    " j.deadline_ns FROM jobs j JOIN v_runs r USING (run_id) JOIN workflows w USING (run_id, workflow)"
    " WHERE run_id = ?1 AND job_id = ?2";

static const char last_task_sql[]
  = "SELECT task FROM tasks WHERE run_id = ?1 AND job_id = ?2 AND state = 'done' ORDER BY end_ns DESC, task LIMIT 1";

static const char task_sql[]
  = "SELECT s.label, IFNULL (m.name, 'none'), t.access, t.worker, t.enqueue_ns, t.start_ns, t.evict_ns, t.exec_ns,"
    " t.end_ns, j.create_ns, IFNULL (j.arrive_ns, j.create_ns)"
    " FROM tasks t JOIN jobs j USING (run_id, job_id)"
    " JOIN workflow_tasks s ON s.run_id = t.run_id AND s.workflow = j.workflow AND s.task = t.task"
    " LEFT JOIN models m ON m.run_id = t.run_id AND m.model = s.model"
    " WHERE t.run_id = ?1 AND t.job_id = ?2 AND t.task = ?3 ORDER BY t.attempt DESC LIMIT 1";

/* The input that bound it: who made it (-1: the client), when that had ended, when it
 * left for this task's worker (the first that had to, where it had not), and when it
 * would have come at the earliest. Not when it came: of a task that is placed when it is ready all inputs wait
 * for its last predecessor. */
static const char binding_sql[]
  = "WITH sent AS (SELECT x.pred, max (x.end_ns) AS end_ns, x.start_ns FROM transfers x"
    "   JOIN tasks t USING (run_id, job_id, task)"
    "   WHERE x.run_id = ?1 AND x.job_id = ?2 AND x.task = ?3 AND x.voided = 0 AND x.to_worker = t.worker"
    "   GROUP BY x.pred)"
    " SELECT e.pred, p.end_ns, IFNULL (sent.start_ns, (SELECT min (start_ns) FROM sent WHERE pred >= 0)),"
    "  p.end_ns + IFNULL (sent.end_ns - sent.start_ns, 0)"
    " FROM jobs j CROSS JOIN workflow_edges e ON e.run_id = ?1 AND e.workflow = j.workflow AND e.task = ?3"
    " CROSS JOIN tasks p ON p.run_id = ?1 AND p.job_id = ?2 AND p.task = e.pred AND p.state = 'done'"
    " LEFT JOIN sent ON sent.pred = e.pred"
    " WHERE j.run_id = ?1 AND j.job_id = ?2"
    " UNION ALL "
    "SELECT -1, NULL, start_ns, end_ns FROM sent WHERE pred = -1"
    " ORDER BY 4 DESC, 1 LIMIT 1";

static const char decisions_sql[]
  = "SELECT s.label, d.kind, IFNULL (m.name, 'none'), d.observer, d.from_worker, d.worker, d.asked_ns, d.seen_ns,"
    " d.effect_ns, d.seen_wait_ns, d.true_wait_ns, d.row_age_ns, d.seen_cached, d.true_cached"
    " FROM decisions d JOIN jobs j USING (run_id, job_id)"
    " JOIN workflow_tasks s ON s.run_id = d.run_id AND s.workflow = j.workflow AND s.task = d.task"
    " LEFT JOIN models m ON m.run_id = d.run_id AND m.model = s.model"
    " WHERE d.run_id = ?1 AND d.job_id = ?2 ORDER BY d.decision, d.task";

/* The decision in force when the task entered its queue. */
static const char last_decision_sql[]
  = "SELECT asked_ns, effect_ns FROM decisions WHERE run_id = ?1 AND job_id = ?2 AND task = ?3"
    " ORDER BY decision DESC LIMIT 1";

static char *
text_at (sqlite3_stmt *stmt, int column)
{
  return g_strdup ((const char *) sqlite3_column_text (stmt, column));
}

static gint64
int_at (sqlite3_stmt *stmt, int column)
{
  return sqlite3_column_type (stmt, column) == SQLITE_NULL ? BN_NONE : sqlite3_column_int64 (stmt, column);
}

/* A query about one task of the job. */
static sqlite3_stmt *
task_query (BnReader *reader, const char *sql, const BnExplanation *e, gint64 task, GError **error)
{
  sqlite3_stmt *stmt = bn_reader_query (reader, sql, e->run, e->job, error);

  if (stmt != NULL)
    sqlite3_bind_int64 (stmt, 3, task);
  return stmt;
}

/* FALSE without an error: there is no row. The statement is finalised then. */
static gboolean
first_row (BnReader *reader, sqlite3_stmt **stmt, GError **error)
{
  if (*stmt == NULL)
    return FALSE;
  if (bn_reader_step (reader, *stmt, error))
    return TRUE;
  sqlite3_finalize (*stmt);
  *stmt = NULL;
  return FALSE;
}

static gint64
overlap (gint64 a_from, gint64 a_to, gint64 b_from, gint64 b_to)
{
  gint64 from = MAX (a_from, b_from), to = MIN (a_to, b_to);

  return to > from ? to - from : 0;
}

/* From the end of what came before to the time at which the binding input left:
 * a decision was being taken, and otherwise the task was held back. */
static gboolean
split_hold (BnReader *reader, const BnExplanation *e, BnExplainStep *step, gint64 from, gint64 to, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt;
  gint64 decide = 0;

  if (to <= from)
    return TRUE;
  stmt = task_query (reader, last_decision_sql, e, step->task, &failure);
  if (first_row (reader, &stmt, &failure))
    {
      decide = overlap (from, to, sqlite3_column_int64 (stmt, 0), sqlite3_column_int64 (stmt, 1));
      sqlite3_finalize (stmt);
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  step->part_ns[BN_PART_DECIDE] += decide;
  step->part_ns[BN_PART_QUEUE] += to - from - decide;
  return TRUE;
}

/* Everything up to the queue: sets from_ns and *pred (BN_NONE: this is an entry). */
static gboolean
split_inputs (BnReader *reader, const BnExplanation *e, BnExplainStep *step, gint64 create_ns, gint64 arrive_ns,
              gint64 enqueue_ns, gint64 *pred, GError **error)
{
  GError *failure = NULL;
  gint64 ready_ns = arrive_ns, sent_ns = BN_NONE;
  sqlite3_stmt *stmt = task_query (reader, binding_sql, e, step->task, &failure);

  *pred = BN_NONE;
  step->from_ns = create_ns;
  if (first_row (reader, &stmt, &failure))
    {
      *pred = sqlite3_column_int64 (stmt, 0);
      sent_ns = int_at (stmt, 2);
      if (*pred != BN_NONE)
        ready_ns = step->from_ns = sqlite3_column_int64 (stmt, 1);
      sqlite3_finalize (stmt);
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  ready_ns = CLAMP (ready_ns, step->from_ns, MAX (enqueue_ns, step->from_ns));
  sent_ns = sent_ns == BN_NONE ? enqueue_ns : CLAMP (sent_ns, ready_ns, MAX (enqueue_ns, ready_ns));
  step->part_ns[BN_PART_TRANSFER] = ready_ns - step->from_ns + enqueue_ns - sent_ns;
  return split_hold (reader, e, step, ready_ns, sent_ns, error);
}

/* Reads the step that ends with `task`, and which task the step before ends with. */
static gboolean
read_step (BnReader *reader, const BnExplanation *e, gint64 task, BnExplainStep *step, gint64 *pred, GError **error)
{
  gint64 enqueue_ns, start_ns, evict_ns, exec_ns, create_ns, arrive_ns;
  sqlite3_stmt *stmt = task_query (reader, task_sql, e, task, error);

  if (!first_row (reader, &stmt, error))
    return FALSE;
  *step = (BnExplainStep) {
    .task = task,
    .label = text_at (stmt, 0),
    .model = text_at (stmt, 1),
    .access = text_at (stmt, 2),
    .worker = int_at (stmt, 3),
    .end_ns = sqlite3_column_int64 (stmt, 8),
  };
  enqueue_ns = sqlite3_column_int64 (stmt, 4);
  start_ns = sqlite3_column_int64 (stmt, 5);
  evict_ns = sqlite3_column_int64 (stmt, 6);
  exec_ns = sqlite3_column_int64 (stmt, 7);
  create_ns = sqlite3_column_int64 (stmt, 9);
  arrive_ns = sqlite3_column_int64 (stmt, 10);
  sqlite3_finalize (stmt);

  step->enqueue_ns = enqueue_ns;
  step->start_ns = start_ns;
  step->part_ns[BN_PART_QUEUE] = start_ns - enqueue_ns;
  step->part_ns[BN_PART_EVICT] = evict_ns;
  step->part_ns[BN_PART_LOAD] = exec_ns - start_ns - evict_ns;
  step->part_ns[BN_PART_RUN] = step->end_ns - exec_ns;
  return bn_explain_read_ahead (reader, e->run, step, error) && bn_explain_read_load (reader, e->run, step, error)
         && split_inputs (reader, e, step, create_ns, arrive_ns, enqueue_ns, pred, error);
}

static void
step_clear (BnExplainStep *step)
{
  for (guint i = 0; step->ahead != NULL && i < step->ahead->len; i++)
    {
      g_free (g_array_index (step->ahead, BnExplainAhead, i).label);
      g_free (g_array_index (step->ahead, BnExplainAhead, i).model);
    }
  g_clear_pointer (&step->ahead, g_array_unref);
  g_free (step->label);
  g_free (step->model);
  g_free (step->access);
}

/* No path is longer than the workflow has tasks; a damaged file might have one. */
static gboolean
read_path (BnReader *reader, BnExplanation *e, GError **error)
{
  GError *failure = NULL;
  gint64 task, n_tasks;

  if (!bn_reader_int (reader, last_task_sql, e->run, e->job, BN_NONE, &task, error)
      || !bn_reader_int (reader, "SELECT count(*) FROM tasks WHERE run_id = ? AND job_id = ?", e->run, e->job, 0,
                         &n_tasks, error))
    return FALSE;
  while (task != BN_NONE && failure == NULL)
    {
      BnExplainStep step = { 0 };
      gint64 pred = BN_NONE;

      if ((gint64) e->steps->len == n_tasks || !read_step (reader, e, task, &step, &pred, &failure))
        {
          if (failure == NULL)
            g_set_error (&failure, BN_CLI_ERROR, BN_CLI_ERROR_INPUT,
                         "%s: the tasks of job %" G_GINT64_FORMAT " do not fit together; run binnacle check on it",
                         bn_reader_path (reader), e->job);
          step_clear (&step);
          break;
        }
      g_array_prepend_val (e->steps, step);
      task = pred;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
read_decisions (BnReader *reader, BnExplanation *e, GError **error)
{
  GError *failure = NULL;
  sqlite3_stmt *stmt = bn_reader_query (reader, decisions_sql, e->run, e->job, error);

  if (stmt == NULL)
    return FALSE;
  while (bn_reader_step (reader, stmt, &failure))
    {
      BnExplainDecision d = {
        .label = text_at (stmt, 0),
        .kind = text_at (stmt, 1),
        .model = text_at (stmt, 2),
        .observer = int_at (stmt, 3),
        .from_worker = int_at (stmt, 4),
        .worker = int_at (stmt, 5),
        .asked_ns = int_at (stmt, 6),
        .seen_ns = int_at (stmt, 7),
        .effect_ns = int_at (stmt, 8),
        .seen_wait_ns = int_at (stmt, 9),
        .true_wait_ns = int_at (stmt, 10),
        .row_age_ns = int_at (stmt, 11),
        .seen_cached = int_at (stmt, 12),
        .true_cached = int_at (stmt, 13),
      };

      g_array_append_val (e->decisions, d);
    }
  sqlite3_finalize (stmt);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
read_job (BnReader *reader, BnExplanation *e, GError **error)
{
  GError *failure = NULL;
  gint64 n;
  sqlite3_stmt *stmt = bn_reader_query (reader, job_sql, e->run, e->job, &failure);

  if (!first_row (reader, &stmt, &failure))
    {
      if (failure == NULL
          && bn_reader_int (reader, "SELECT count(*) FROM jobs WHERE run_id = ?", e->run, 0, 0, &n, &failure))
        g_set_error (&failure, BN_CLI_ERROR, BN_CLI_ERROR_USAGE,
                     "%s: run %" G_GINT64_FORMAT " has no job %" G_GINT64_FORMAT "; its %" G_GINT64_FORMAT
                     " jobs are numbered from 0",
                     bn_reader_path (reader), e->run, e->job, n);
      g_propagate_error (error, failure);
      return FALSE;
    }
  e->variant = text_at (stmt, 0);
  e->seed = text_at (stmt, 1);
  e->workflow = text_at (stmt, 2);
  e->state = text_at (stmt, 3);
  e->reason = text_at (stmt, 4);
  e->ingress = int_at (stmt, 5);
  e->create_ns = int_at (stmt, 6);
  e->end_ns = int_at (stmt, 7);
  e->lower_bound_ns = int_at (stmt, 8);
  e->deadline_ns = int_at (stmt, 9);
  sqlite3_finalize (stmt);
  return TRUE;
}

BnExplanation *
bn_explain_read (BnReader *reader, gint64 run, gint64 job, GError **error)
{
  BnExplanation *e = g_new0 (BnExplanation, 1);

  e->run = run;
  e->job = job;
  e->steps = g_array_new (FALSE, FALSE, sizeof (BnExplainStep));
  e->decisions = g_array_new (FALSE, FALSE, sizeof (BnExplainDecision));
  if (read_job (reader, e, error) && read_decisions (reader, e, error)
      && (strcmp (e->state, "done") != 0 || read_path (reader, e, error)))
    return e;
  bn_explanation_free (e);
  return NULL;
}

void
bn_explanation_free (BnExplanation *e)
{
  if (e == NULL)
    return;
  for (guint i = 0; i < e->steps->len; i++)
    step_clear (&g_array_index (e->steps, BnExplainStep, i));
  for (guint i = 0; i < e->decisions->len; i++)
    {
      BnExplainDecision *d = &g_array_index (e->decisions, BnExplainDecision, i);

      g_free (d->label);
      g_free (d->kind);
      g_free (d->model);
    }
  g_array_free (e->steps, TRUE);
  g_array_free (e->decisions, TRUE);
  g_free (e->variant);
  g_free (e->seed);
  g_free (e->workflow);
  g_free (e->state);
  g_free (e->reason);
  g_free (e);
}
