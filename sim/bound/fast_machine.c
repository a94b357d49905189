/* fast_machine.c: the cluster as one machine that is as fast as all of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "fast_machine.h"

#include <float.h>

struct BnFastMachine
{
  const BnBoundBlock *block;
  double capacity;
  uint32_t n_specs;
  uint32_t *by_release;  /* [tasks] */
  double *cost;          /* [tasks]: of a unit of time by which its work is done later, on average */
  double *left;          /* [tasks]: of its work */
  double *urgency;       /* [tasks]: cost / work */
  uint32_t *heap;        /* released tasks, most urgent first */
  uint32_t n_heap;
  double end;            /* when its work is done, since the block's origin */
  double *emphasis;      /* [specs]: shares are in proportion to emphasis x runtime */
};

static gint
compare_release (gconstpointer a, gconstpointer b, gpointer data)
{
  const BnBoundTask *tasks = data;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  if (tasks[x].release != tasks[y].release)
    return tasks[x].release < tasks[y].release ? -1 : 1;
  return x < y ? -1 : x > y;
}

BnFastMachine *
bn_fast_machine_new (const BnBoundBlock *block, const BnMachineTypes *types)
{
  BnFastMachine *m = g_new0 (BnFastMachine, 1);

  m->block = block;
  m->capacity = types->capacity;
  for (uint32_t t = 0; t < block->n_tasks; t++)
    m->n_specs = MAX (m->n_specs, block->tasks[t].spec + 1);
  m->by_release = g_new (uint32_t, block->n_tasks);
  m->cost = g_new (double, block->n_tasks);
  m->left = g_new (double, block->n_tasks);
  m->urgency = g_new (double, block->n_tasks);
  m->heap = g_new (uint32_t, block->n_tasks);
  m->emphasis = g_new (double, m->n_specs);
  for (uint32_t t = 0; t < block->n_tasks; t++)
    m->by_release[t] = t;
  g_qsort_with_data (m->by_release, (gint) block->n_tasks, sizeof *m->by_release, compare_release, block->tasks);
  return m;
}

void
bn_fast_machine_free (BnFastMachine *machine)
{
  if (!machine)
    return;
  g_free (machine->by_release);
  g_free (machine->cost);
  g_free (machine->left);
  g_free (machine->urgency);
  g_free (machine->heap);
  g_free (machine->emphasis);
  g_free (machine);
}

/* ---- the heap ---- */

static bool
goes_first (const BnFastMachine *m, uint32_t a, uint32_t b)
{
  return m->urgency[a] != m->urgency[b] ? m->urgency[a] > m->urgency[b] : a < b;
}

static void
push (BnFastMachine *m, uint32_t task)
{
  uint32_t i = m->n_heap++;

  while (i > 0 && goes_first (m, task, m->heap[(i - 1) / 2]))
    {
      m->heap[i] = m->heap[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  m->heap[i] = task;
}

static void
pop (BnFastMachine *m)
{
  uint32_t task = m->heap[--m->n_heap], i = 0;

  for (uint32_t child = 1; child < m->n_heap; child = 2 * i + 1)
    {
      if (child + 1 < m->n_heap && goes_first (m, m->heap[child + 1], m->heap[child]))
        child++;
      if (!goes_first (m, m->heap[child], task))
        break;
      m->heap[i] = m->heap[child];
      i = child;
    }
  m->heap[i] = task;
}

/* ---- the machine ---- */

/* Costs from shares. Returns: what needs no machine, the sum over tasks of
 * cost x (runtime / 2 + tail). */
static double
share_costs (BnFastMachine *m, const double *weights)
{
  const BnBoundBlock *block = m->block;
  double sum = 0;

  for (uint32_t j = 0; j < block->n_jobs; j++)
    {
      const BnBoundJob *job = &block->jobs[j];
      double whole = 0;
      for (uint32_t t = job->first_task; t < job->first_task + job->n_tasks; t++)
        whole += m->emphasis[block->tasks[t].spec] * block->tasks[t].runtime;
      for (uint32_t t = job->first_task; t < job->first_task + job->n_tasks; t++)
        {
          const BnBoundTask *task = &block->tasks[t];
          double share = whole > 0 ? m->emphasis[task->spec] * task->runtime / whole : 1.0 / job->n_tasks;
          m->cost[t] = weights[j] * share;
          sum += m->cost[t] * (task->runtime / 2 + task->tail);
        }
    }
  return sum;
}

/* The sum over tasks of cost x (mean time of its work - creation of its job). */
static double
run (BnFastMachine *m, GArray *stretches)
{
  const BnBoundBlock *block = m->block;
  double now = 0, sum = 0;
  uint32_t next = 0;

  for (uint32_t t = 0; t < block->n_tasks; t++)
    {
      m->left[t] = block->tasks[t].work;
      m->urgency[t] = m->left[t] > 0 ? m->cost[t] / m->left[t] : 0;
    }
  m->n_heap = 0;
  while (next < block->n_tasks || m->n_heap > 0)
    {
      double release = next < block->n_tasks ? block->tasks[m->by_release[next]].release : DBL_MAX;
      if (m->n_heap == 0 || release <= now)
        {
          uint32_t t = m->by_release[next++];
          now = MAX (now, release);
          if (m->left[t] > 0)
            push (m, t);
          else
            sum += m->cost[t] * (release - block->jobs[block->tasks[t].job].create);
          continue;
        }
      uint32_t t = m->heap[0];
      double done = m->left[t], until = now + done / m->capacity;
      if (until > release)
        {
          until = release;
          done = MIN (done, (until - now) * m->capacity);
        }
      sum += m->urgency[t] * done * ((now + until) / 2 - block->jobs[block->tasks[t].job].create);
      if (stretches)
        {
          BnStretch stretch = { now, until, m->urgency[t], t };
          g_array_append_val (stretches, stretch);
        }
      m->left[t] -= done;
      if (m->left[t] <= 0 || until < release)
        pop (m);
      now = until;
    }
  m->end = now;
  return sum;
}

static double
bound_by_shares (BnFastMachine *m, const double *weights, GArray *stretches)
{
  double sum = share_costs (m, weights), of_weights = 0;

  sum += run (m, stretches);
  /* each of the machine's steps rounds a time once, and later ones begin from it */
  for (uint32_t j = 0; j < m->block->n_jobs; j++)
    of_weights += weights[j];
  return sum - 4.0 * DBL_EPSILON * (m->block->n_tasks + 1.0) * (sum + of_weights * m->end);
}

double
bn_fast_machine_bound (BnFastMachine *m, const double *weights, uint32_t steps, BnRng *rng, GArray *stretches)
{
  static const double levels[] = { 0, 0.25, 0.5, 1, 2, 4 };

  for (uint32_t s = 0; s < m->n_specs; s++)
    m->emphasis[s] = 1;
  double best = bound_by_shares (m, weights, steps == 0 ? stretches : NULL);
  for (uint32_t i = 0; i < steps; i++)
    {
      uint32_t spec = m->block->tasks[bn_rng_below (rng, m->block->n_tasks)].spec;
      double before = m->emphasis[spec];
      m->emphasis[spec] = levels[bn_rng_below (rng, G_N_ELEMENTS (levels))];
      double value = m->emphasis[spec] == before ? best : bound_by_shares (m, weights, NULL);
      if (value > best)
        best = value;
      else
        m->emphasis[spec] = before;
    }
  if (stretches && steps > 0)
    bound_by_shares (m, weights, stretches);
  return best;
}
