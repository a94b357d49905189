/* calibrate_tasks.c: every task of the catalogue, alone, just loaded, and beside others.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * As in a run, memories are full, a load takes the place of what was used longest ago, and
 * between two executions of a task there are others: measured over and over, a task would
 * find its weights in the processor's cache. So tasks go in groups whose models fit
 * together, and turns are taken within a group. Each worker executes a job of every workflow
 * for itself, so that tasks find their inputs; several workers at once do the same task,
 * so that each is busy as long as the others.
 */
#include "calibrate_parts.h"

/* Turns of a group, alone and beside others. */
#define TURNS 2

typedef struct GroupTask
{
  uint32_t workflow, task;
} GroupTask;

typedef struct Round
{
  BnSamples *samples;
  BnTestbed *testbed;
  const BnCatalogue *catalogue;
  guint n_workers;       /* of samples->workers; below `w` is a place in it */
  BnJob **jobs;          /* [workflow * n_workers + w]      */
  int64_t memory_bytes;  /* of the smallest of them         */
  GArray *resident;      /* of int32_t: models on each of them, least recently loaded first */
} Round;

static void
add (GArray *samples, const BnOp *op)
{
  double took_ns = (double) bn_testbed_took (op);

  g_array_append_val (samples, took_ns);
}

static int32_t
model_of (const Round *r, GroupTask t)
{
  return r->catalogue->workflows[t.workflow].tasks[t.task].model;
}

static BnOp
run_of (const Round *r, GroupTask t, guint w)
{
  return bn_testbed_run (r->jobs[t.workflow * r->n_workers + w], t.task, r->samples->workers[w]);
}

/* It comes to, or leaves, this worker; measured on the first one. */
static gboolean
move_model (const Round *r, guint w, int32_t model, gboolean comes, GError **error)
{
  uint32_t worker = r->samples->workers[w];
  BnOp op = comes ? bn_testbed_load (r->testbed, worker, model) : bn_testbed_evict (r->testbed, worker, model);

  if (!bn_testbed_do (r->testbed, &op, 1, error))
    return FALSE;
  if (w == 0)
    bn_samples_add_copy (r->samples, comes ? "load" : "evict", &op);
  return TRUE;
}

static gboolean
is_resident (const Round *r, int32_t model)
{
  for (guint i = 0; i < r->resident->len; i++)
    if (g_array_index (r->resident, int32_t, i) == model)
      return TRUE;
  return FALSE;
}

static gboolean
is_of_group (const Round *r, const GroupTask *group, guint n, int32_t model)
{
  for (guint i = 0; i < n; i++)
    if (model_of (r, group[i]) == model)
      return TRUE;
  return FALSE;
}

static int64_t
resident_bytes (const Round *r)
{
  int64_t bytes = 0;

  for (guint i = 0; i < r->resident->len; i++)
    bytes += r->catalogue->models[g_array_index (r->resident, int32_t, i)].size_bytes;
  return bytes;
}

/* Takes out of every worker what must go for the model, none of the group's. */
static gboolean
make_room (const Round *r, const GroupTask *group, guint n, int32_t model, GError **error)
{
  for (guint i = 0; resident_bytes (r) + r->catalogue->models[model].size_bytes > r->memory_bytes;)
    {
      int32_t other = g_array_index (r->resident, int32_t, i);
      if (is_of_group (r, group, n, other))
        {
          i++;
          continue;
        }
      for (guint w = 0; w < r->n_workers; w++)
        if (!move_model (r, w, other, FALSE, error))
          return FALSE;
      g_array_remove_index (r->resident, i);
    }
  return TRUE;
}

/* On each worker, one after the other, `loads` straight after its model has come there; measured on the first one. */
static gboolean
run_in_turn (const Round *r, GroupTask t, gboolean loads, GArray *ret, GError **error)
{
  for (guint w = 0; w < r->n_workers; w++)
    {
      BnOp op = run_of (r, t, w);
      if ((loads && !move_model (r, w, model_of (r, t), TRUE, error)) || !bn_testbed_do (r->testbed, &op, 1, error))
        return FALSE;
      if (w == 0)
        add (ret, &op);
    }
  return TRUE;
}

static gboolean
run_beside (const Round *r, GroupTask t, guint n, GArray *ret, GError **error)
{
  g_autofree BnOp *ops = g_new0 (BnOp, n);

  for (guint w = 0; w < n; w++)
    ops[w] = run_of (r, t, w);
  if (!bn_testbed_do (r->testbed, ops, n, error))
    return FALSE;
  for (guint w = 0; w < n; w++)
    add (ret, &ops[w]);
  return TRUE;
}

static uint32_t
index_of (const Round *r, GroupTask t)
{
  return r->catalogue->workflows[t.workflow].first_task + t.task;
}

/* The first time each; just loaded or not. */
static gboolean
begin_group (const Round *r, const GroupTask *group, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      int32_t model = model_of (r, group[i]);
      gboolean loads = model != BN_NONE && !is_resident (r, model);
      GArray *ret = (loads ? r->samples->cold : r->samples->warm)[index_of (r, group[i])];
      if ((loads && !make_room (r, group, n, model, error)) || !run_in_turn (r, group[i], loads, ret, error))
        return FALSE;
      if (loads)
        g_array_append_val (r->resident, model);
    }
  return TRUE;
}

/* An execution on the first worker while a model comes to the second one or leaves it. */
static gboolean
run_with_copy (const Round *r, GroupTask t, BnOp copy, gboolean load, GError **error)
{
  BnOp ops[] = { run_of (r, t, 0), copy };

  if (!bn_testbed_do (r->testbed, ops, G_N_ELEMENTS (ops), error))
    return FALSE;
  BnBesideCopy beside = { index_of (r, t), load, ops[1].bytes, (double) bn_testbed_took (&ops[0]),
                          (double) bn_testbed_took (&ops[1]) };
  g_array_append_val (r->samples->beside, beside);
  return TRUE;
}

/* The largest model of the group leaves the second worker and comes back, again and again, beside one task
 * after the other: twice round, so that each task has met both, and others ran before it. */
static gboolean
run_beside_copies (const Round *r, const GroupTask *group, guint n, GError **error)
{
  const BnModel *models = r->catalogue->models;
  uint32_t second = r->samples->workers[1];
  int32_t largest = BN_NONE;
  gboolean ok = TRUE;

  for (guint i = 0; i < n; i++)
    {
      int32_t model = model_of (r, group[i]);
      if (model != BN_NONE && (largest == BN_NONE || models[model].size_bytes > models[largest].size_bytes))
        largest = model;
    }
  for (guint i = 0; i < 2 * n && ok && largest != BN_NONE; i++)
    {
      gboolean load = i % 2 == 1;
      BnOp copy = load ? bn_testbed_load (r->testbed, second, largest) : bn_testbed_evict (r->testbed, second, largest);
      /* an even number of tasks would else meet the same kind again */
      ok = run_with_copy (r, group[(i + (n % 2 == 0) * (i / n)) % n], copy, load, error);
    }
  return ok;
}

static gboolean
measure_group (const Round *r, const GroupTask *group, guint n, GError **error)
{
  gboolean ok = begin_group (r, group, n, error);

  for (guint turn = 0; turn < TURNS && ok; turn++)
    {
      for (guint i = 0; i < n && ok; i++)
        ok = run_in_turn (r, group[i], FALSE, r->samples->warm[index_of (r, group[i])], error);
      for (guint k = 0; k < r->samples->n_busy; k++)
        for (guint i = 0; i < n && ok; i++)
          ok = run_beside (r, group[i], k + 2, r->samples->busy[k][index_of (r, group[i])], error);
      ok = ok && (r->n_workers < 2 || run_beside_copies (r, group, n, error));
    }
  return ok;
}

/* All tasks, those of each workflow in topological order, workflows in turn. (element-type GroupTask) */
static GArray *
all_tasks (const BnCatalogue *catalogue)
{
  GArray *tasks = g_array_new (FALSE, FALSE, sizeof (GroupTask));

  for (uint32_t place = 0; tasks->len < catalogue->n_tasks; place++)
    for (uint32_t w = 0; w < catalogue->n_workflows; w++)
      if (place < catalogue->workflows[w].n_tasks)
        {
          GroupTask t = { w, catalogue->workflows[w].topological[place] };
          g_array_append_val (tasks, t);
        }
  return tasks;
}

/* How many of tasks[0 .. n-1], from the first on, have models that fit together; at least one. */
static guint
length_of_group (const Round *r, const GroupTask *tasks, guint n)
{
  int64_t bytes = 0;
  guint length = 0;

  for (; length < n; length++)
    {
      int32_t model = model_of (r, tasks[length]);
      if (model == BN_NONE || is_of_group (r, tasks, length, model))
        continue;
      bytes += r->catalogue->models[model].size_bytes;
      if (bytes > r->memory_bytes)
        break;
    }
  return MAX (length, 1);
}

static int64_t
smallest_memory (const BnSamples *samples)
{
  int64_t bytes = INT64_MAX;

  for (guint w = 0; w < samples->n_workers; w++)
    bytes = MIN (bytes, bn_platform_gpu (samples->scenario->platform, samples->workers[w])->memory_bytes);
  return bytes;
}

gboolean
bn_measure_tasks (BnSamples *samples, BnTestbed *testbed, guint repeats, GError **error)
{
  const BnScenario *s = samples->scenario;
  Round r = { samples, testbed, s->catalogue, samples->n_busy + 1, NULL, smallest_memory (samples),
              g_array_new (FALSE, FALSE, sizeof (int32_t)) };
  GArray *tasks = all_tasks (s->catalogue);
  const GroupTask *first = (const GroupTask *) (const void *) tasks->data;
  gboolean ok = TRUE;

  r.jobs = g_new (BnJob *, s->catalogue->n_workflows * r.n_workers);
  for (guint round = 0; round < repeats && ok; round++)
    {
      for (uint32_t i = 0; i < s->catalogue->n_workflows * r.n_workers; i++)
        r.jobs[i] = bn_testbed_job (testbed, i / r.n_workers, samples->workers[i % r.n_workers]);
      for (guint at = 0, n; at < tasks->len && ok; at += n)
        {
          n = length_of_group (&r, first + at, tasks->len - at);
          ok = measure_group (&r, first + at, n, error);
        }
      if (ok)
        bn_testbed_jobs_over (testbed);
    }
  g_free (r.jobs);
  g_array_unref (tasks);
  g_array_unref (r.resident);
  return ok;
}
