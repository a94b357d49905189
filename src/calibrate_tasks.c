/* calibrate_tasks.c: every task of the catalogue, alone, just loaded, and beside others.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A workflow is executed on each worker for itself, so that its tasks find their inputs.
 * All workers do the same task at the same time, so that each is busy as long as the others.
 */
#include "calibrate_parts.h"

/* Runs alone, of one task in one round. */
#define WARM_RUNS 2

typedef struct Round
{
  BnSamples *samples;
  BnTestbed *testbed;
  BnJob **jobs;         /* [n_workers] of one workflow */
  guint n_workers;
} Round;

static void
add (GArray *samples, const BnOp *op)
{
  double took_ns = (double) bn_testbed_took (op);

  g_array_append_val (samples, took_ns);
}

/* Its model comes to, or leaves, every worker; measured on worker 0. */
static gboolean
move_model (const Round *r, int32_t model, gboolean comes, GError **error)
{
  for (guint w = 0; w < r->n_workers && model != BN_NONE; w++)
    {
      BnOp op = comes ? bn_testbed_load (r->testbed, w, model) : bn_testbed_evict (r->testbed, w, model);
      if (!bn_testbed_do (r->testbed, &op, 1, error))
        return FALSE;
      if (w == 0)
        bn_samples_add_copy (r->samples, comes ? "load" : "evict", &op);
    }
  return TRUE;
}

/* The first run on each worker, one after the other; measured on worker 0. */
static gboolean
run_cold (const Round *r, uint32_t task, GArray *cold, GError **error)
{
  for (guint w = 0; w < r->n_workers; w++)
    {
      BnOp op = bn_testbed_run (r->jobs[w], task, w);
      if (!bn_testbed_do (r->testbed, &op, 1, error))
        return FALSE;
      if (w == 0)
        add (cold, &op);
    }
  return TRUE;
}

static gboolean
run_beside (const Round *r, uint32_t task, guint n, GArray *busy, GError **error)
{
  g_autofree BnOp *ops = g_new0 (BnOp, n);

  for (guint w = 0; w < n; w++)
    ops[w] = bn_testbed_run (r->jobs[w], task, w);
  if (!bn_testbed_do (r->testbed, ops, n, error))
    return FALSE;
  for (guint w = 0; w < n; w++)
    add (busy, &ops[w]);
  return TRUE;
}

static gboolean
measure_task (const Round *r, uint32_t task, GError **error)
{
  const BnWorkflow *workflow = r->jobs[0]->workflow;
  uint32_t i = workflow->first_task + task;
  int32_t model = workflow->tasks[task].model;

  if (!move_model (r, model, TRUE, error) || !run_cold (r, task, r->samples->cold[i], error))
    return FALSE;
  for (guint k = 0; k < WARM_RUNS; k++)
    {
      BnOp op = bn_testbed_run (r->jobs[0], task, 0);
      if (!bn_testbed_do (r->testbed, &op, 1, error))
        return FALSE;
      add (r->samples->warm[i], &op);
    }
  for (guint k = 0; k < r->samples->n_busy; k++)
    if (!run_beside (r, task, k + 2, r->samples->busy[k][i], error))
      return FALSE;
  return move_model (r, model, FALSE, error);
}

gboolean
bn_measure_tasks (BnSamples *samples, BnTestbed *testbed, GError **error)
{
  const BnCatalogue *catalogue = samples->scenario->catalogue;
  Round r = { samples, testbed, NULL, samples->n_busy + 1 };
  gboolean ok = TRUE;

  r.jobs = g_new (BnJob *, r.n_workers);
  for (uint32_t w = 0; w < catalogue->n_workflows && ok; w++)
    {
      const BnWorkflow *workflow = &catalogue->workflows[w];
      for (guint k = 0; k < r.n_workers; k++)
        r.jobs[k] = bn_testbed_job (testbed, w, k);
      for (uint32_t t = 0; t < workflow->n_tasks && ok; t++)
        ok = measure_task (&r, workflow->topological[t], error);
    }
  g_free (r.jobs);
  return ok;
}
