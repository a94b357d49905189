/* testbed.c: a real backend without a run: single operations, and how long they take.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "testbed.h"

#include <gio/gio.h>
#include <stddef.h>
#include <string.h>

#include "cli.h"
#include "wall.h"

struct BnTestbed
{
  BnSink sink;
  const BnBackend *backend;
  BnBackendSettings settings;
  const BnCatalogue *catalogue;
  BnInterrupt *interrupt; /* or NULL */
  BnCost *cost;
  BnWall *wall;
  BnDuration watchdog_ns;
  void *state;
  GPtrArray *jobs;       /* of BnJob */
  int64_t n_jobs;        /* also those that are over */
  BnOp *open;            /* what was started and has not ended, or NULL */
  gboolean unresponsive;
};

static BnTestbed *
testbed_of (BnSink *sink)
{
  return (BnTestbed *) ((char *) sink - offsetof (BnTestbed, sink));
}

static BnTime
sink_clock (BnSink *sink)
{
  return bn_wall_now (testbed_of (sink)->wall);
}

static void
sink_complete_from_thread (BnSink *sink, BnOp *op, BnOpStatus status, BnTime not_before_ns)
{
  op->status = status;
  op->not_before_ns = not_before_ns;
  bn_wall_push (testbed_of (sink)->wall, op);
}

static void
sink_complete (BnSink *sink, BnOp *op, BnOpStatus status)
{
  sink_complete_from_thread (sink, op, status, 0);
}

BnTestbed *
bn_testbed_open (const BnScenario *scenario, const BnCatalogue *catalogue, BnInterrupt *interrupt, GError **error)
{
  BnTestbed *t = g_new0 (BnTestbed, 1);

  t->backend = scenario->backend;
  t->settings = scenario->backend_settings;
  t->settings.measured = NULL;
  t->settings.paced = t->settings.verify = false;
  t->catalogue = catalogue;
  t->interrupt = interrupt;
  t->watchdog_ns = scenario->watchdog_ns;
  t->sink = (BnSink) { .struct_size = sizeof (BnSink), .now = sink_clock, .complete = sink_complete,
                       .complete_from_thread = sink_complete_from_thread, .clock = sink_clock };
  t->cost = bn_cost_new (scenario->platform, catalogue);
  t->jobs = g_ptr_array_new_with_free_func (g_free);
  t->wall = bn_wall_new (error);
  if (t->wall != NULL)
    {
      bn_wall_start (t->wall);
      BnBackendSetup setup = { sizeof setup, scenario->platform, catalogue, t->cost, false, &t->sink, &t->settings };
      t->state = t->backend->open (&setup, error);
    }
  if (t->state != NULL)
    return t;
  bn_testbed_close (t);
  return NULL;
}

void
bn_testbed_close (BnTestbed *testbed)
{
  if (testbed == NULL)
    return;
  if (testbed->unresponsive)
    {
      /* threads that do not answer may yet do: they complete through the sink, which wakes the wall, and read
         jobs, costs and operations, so all of it is leaked; such a process is about to end */
      testbed->backend->close (testbed->state, true);
      return;
    }
  if (testbed->state != NULL)
    {
      bn_testbed_jobs_over (testbed);
      testbed->backend->close (testbed->state, false);
    }
  bn_wall_free (testbed->wall);
  bn_cost_free (testbed->cost);
  g_ptr_array_unref (testbed->jobs);
  g_free (testbed);
}

BnJob *
bn_testbed_job (BnTestbed *testbed, uint32_t workflow, uint32_t ingress)
{
  const BnWorkflow *wf = &testbed->catalogue->workflows[workflow];
  BnJob *job = g_malloc0 (sizeof (BnJob) + wf->n_tasks * sizeof (BnTask));

  job->id = testbed->n_jobs++;
  job->workflow = wf;
  job->ingress = (int32_t) ingress;
  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      job->tasks[t].job = job;
      job->tasks[t].factor = 1;
    }
  g_ptr_array_add (testbed->jobs, job);
  return job;
}

void
bn_testbed_jobs_over (BnTestbed *testbed)
{
  for (guint i = 0; i < testbed->jobs->len && testbed->backend->job_over; i++)
    testbed->backend->job_over (testbed->state, testbed->jobs->pdata[i]);
  g_ptr_array_set_size (testbed->jobs, 0);
}

static BnOp
copy_of_model (const BnTestbed *testbed, BnOpKind kind, uint32_t worker, int32_t model)
{
  return (BnOp) { .kind = kind, .worker = worker, .from_worker = BN_NONE, .model = model, .pred = BN_NONE,
                  .bytes = testbed->catalogue->models[model].size_bytes };
}

BnOp
bn_testbed_load (const BnTestbed *testbed, uint32_t worker, int32_t model)
{
  return copy_of_model (testbed, BN_OP_LOAD, worker, model);
}

BnOp
bn_testbed_evict (const BnTestbed *testbed, uint32_t worker, int32_t model)
{
  return copy_of_model (testbed, BN_OP_EVICT, worker, model);
}

BnOp
bn_testbed_run (BnJob *job, uint32_t task, uint32_t worker)
{
  return (BnOp) { .kind = BN_OP_RUN, .worker = worker, .from_worker = BN_NONE, .pred = BN_NONE,
                  .model = job->workflow->tasks[task].model, .task = &job->tasks[task], .n_tasks = 1 };
}

BnOp
bn_testbed_transfer (BnJob *job, uint32_t task, int32_t pred, int32_t from_worker, uint32_t worker)
{
  const BnTaskSpec *tasks = job->workflow->tasks;

  return (BnOp) { .kind = BN_OP_TRANSFER, .worker = worker, .from_worker = from_worker, .model = BN_NONE,
                  .pred = pred, .task = &job->tasks[task],
                  .bytes = pred == BN_NONE ? tasks[task].input_bytes : tasks[pred].output_bytes };
}

static void
start (BnTestbed *t, BnOp *op)
{
  op->start_ns = bn_wall_now (t->wall);
  switch (op->kind)
    {
    case BN_OP_LOAD:
      t->backend->start_load (t->state, op);
      break;
    case BN_OP_EVICT:
      t->backend->start_evict (t->state, op);
      break;
    case BN_OP_TRANSFER:
      t->backend->start_transfer (t->state, op);
      break;
    case BN_OP_RUN:
      t->backend->start_run (t->state, op);
      break;
    }
}

static gboolean
fail_unresponsive (BnTestbed *t, GError **error)
{
  t->unresponsive = TRUE;
  g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL,
               "backend %s has not answered for too long; if that is no fault, raise backend.watchdog",
               t->backend->name);
  return FALSE;
}

/* Those that did not end well; the first one is the error. */
static gboolean
check (const BnTestbed *t, BnOp *ops, guint n, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++)
    {
      if (ops[i].status != BN_OP_OK && ok)
        {
          g_set_error (error, BN_CLI_ERROR, BN_CLI_ERROR_TOOL, "backend %s, worker %u: %s", t->backend->name,
                       ops[i].worker, ops[i].reason ? ops[i].reason : "an operation was cancelled");
          ok = FALSE;
        }
      g_clear_pointer (&ops[i].reason, g_free);
    }
  return ok;
}

static gboolean
wait_for (BnTestbed *t, guint n_open, GError **error)
{
  BnTime last_ns = bn_wall_now (t->wall);
  while (n_open > 0)
    {
      BnOp *heard = bn_wall_take (t->wall);
      if (heard != NULL)
        last_ns = bn_wall_now (t->wall);
      for (; heard != NULL; heard = heard->next)
        n_open--;
      if (n_open > 0 && bn_wall_now (t->wall) - last_ns >= t->watchdog_ns)
        return fail_unresponsive (t, error);
      if (n_open > 0)
        bn_wall_wait (t->wall, bn_time_add (last_ns, t->watchdog_ns));
    }
  return TRUE;
}

gboolean
bn_testbed_do (BnTestbed *testbed, BnOp *ops, guint n, GError **error)
{
  if (testbed->interrupt != NULL && bn_interrupt_came (testbed->interrupt))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted");
      return FALSE;
    }
  /* the caller's may lie on its stack, and one that is never answered stays the backend's */
  testbed->open = g_memdup2 (ops, n * sizeof *ops);
  for (guint i = 0; i < n; i++)
    start (testbed, &testbed->open[i]);
  if (!wait_for (testbed, n, error))
    return FALSE;
  memcpy (ops, testbed->open, n * sizeof *ops);
  g_clear_pointer (&testbed->open, g_free);
  return check (testbed, ops, n, error);
}
