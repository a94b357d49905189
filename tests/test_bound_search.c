/* test_bound_search.c: lower bounds against every schedule there is.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Random instances of up to five tasks in two or three jobs on up to three slots of one
 * or two kinds, without loads and transfers. Every assignment of tasks to slots in every
 * order is tried: each starts as soon as its predecessors, its release and its slot
 * allow, so that one of them is optimal. No bound may be above the optimum, and often
 * enough it must be close to it. (Slowdowns are measured in rounded millionths.)
 */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>

#include "bound.h"
#include "rng.h"
#include "suite.h"
#include "world.h"

#define N_INSTANCES 2000
#define MAX_TASKS 5
#define MAX_SLOTS 3
#define MS BN_NS_PER_MS

typedef struct Task
{
  BnTime release_ns;
  uint32_t job, workflow, number;
} Task;

typedef struct Instance
{
  World *world;
  BnCost *cost;
  Task tasks[MAX_TASKS];
  uint32_t n_tasks, n_jobs, n_slots;
  uint32_t slot_worker[MAX_SLOTS];
  BnTime create_ns[MAX_TASKS];
} Instance;

typedef struct Search
{
  const Instance *instance;
  BnTime free_ns[MAX_SLOTS], end_ns[MAX_TASKS];
  bool done[MAX_TASKS];
  double least_latency, least_slowdown;  /* sums over jobs */
} Search;

static void
add_workflow (BnCatalogueBuilder *b, BnRng *rng, uint32_t number, uint32_t n_tasks)
{
  static const uint32_t zero[] = { 0 };
  g_autofree char *name = g_strdup_printf ("w%u", number);

  bn_catalogue_builder_add_workflow (b, name);
  for (uint32_t t = 0; t < n_tasks; t++)
    {
      BnDuration runtime_ns = (BnDuration) (1 + bn_rng_below (rng, 10)) * MS;
      uint32_t n_preds = t > 0 && bn_rng_below (rng, 3) > 0 ? 1 : 0;
      bn_catalogue_builder_add_task (b, BN_NONE, 1000, 0, runtime_ns, zero, n_preds);
    }
}

static void
make (Instance *in, uint64_t number)
{
  BnCatalogueBuilder *b = bn_catalogue_builder_new ();
  BnServerGroup groups[2] = { world_group (1, 1000), world_group (1, 1000) };
  g_autoptr (GString) lines = g_string_new (NULL);
  uint32_t n_tasks[3], n_groups;
  BnTime create_ns = 0;
  BnRng rng;

  bn_rng_init (&rng, number, "instance");
  *in = (Instance){ .n_jobs = 2 + (uint32_t) bn_rng_below (&rng, 2) };
  for (uint32_t j = 0; j < in->n_jobs; j++)
    {
      n_tasks[j] = 1 + (uint32_t) bn_rng_below (&rng, in->n_jobs == 2 ? 2 : 1);
      n_tasks[j] += j == 0 && bn_rng_below (&rng, 2) ? 1 : 0;
      add_workflow (b, &rng, j, n_tasks[j]);
      g_string_append_printf (lines, "%" PRId64 ",w%u,0\n", create_ns, j);
      in->create_ns[j] = create_ns;
      create_ns += (BnTime) bn_rng_below (&rng, 6) * MS / 2;
    }
  n_groups = 1 + (uint32_t) bn_rng_below (&rng, 2);
  groups[0].gpu.slots = 1 + (uint32_t) bn_rng_below (&rng, 2);
  groups[1].gpu.speed_ppm = 500000 + (int64_t) bn_rng_below (&rng, 4) * 500000;
  in->world = world_new (bn_catalogue_builder_finish (b, NULL), groups, n_groups);
  world_jobs (in->world, lines->str);
  in->cost = bn_cost_new (in->world->platform, in->world->catalogue);
  for (uint32_t j = 0; j < in->n_jobs; j++)
    for (uint32_t t = 0; t < n_tasks[j]; t++)
      in->tasks[in->n_tasks++] = (Task){ in->create_ns[j] + in->cost->job_input_net_ns[j], j, j, t };
  for (uint32_t w = 0; w < n_groups; w++)
    for (uint32_t s = 0; s < groups[w].gpu.slots; s++)
      in->slot_worker[in->n_slots++] = w;
}

static void
clear (Instance *in)
{
  bn_cost_free (in->cost);
  world_free (in->world);
}

static void
judge (Search *s)
{
  const Instance *in = s->instance;
  BnTime end_ns[MAX_TASKS] = { 0 };
  double latency = 0, slowdown = 0;

  for (uint32_t t = 0; t < in->n_tasks; t++)
    end_ns[in->tasks[t].job] = bn_time_max (end_ns[in->tasks[t].job], s->end_ns[t]);
  for (uint32_t j = 0; j < in->n_jobs; j++)
    {
      latency += (double) (end_ns[j] - in->create_ns[j]);
      slowdown += (double) (end_ns[j] - in->create_ns[j]) / (double) in->cost->lower_bound_ns[j];
    }
  s->least_latency = MIN (s->least_latency, latency);
  s->least_slowdown = MIN (s->least_slowdown, slowdown);
}

/* Puts each task that may come next behind each slot in turn. */
static void
search (Search *s, uint32_t n_done)
{
  const Instance *in = s->instance;

  if (n_done == in->n_tasks)
    judge (s);
  for (uint32_t t = 0; t < in->n_tasks; t++)
    {
      const Task *task = &in->tasks[t];
      const BnWorkflow *wf = &in->world->catalogue->workflows[task->workflow];
      BnTime ready_ns = task->release_ns;
      bool ready = !s->done[t];

      for (uint32_t i = 0; i < wf->tasks[task->number].n_preds && ready; i++)
        {
          uint32_t pred = t - task->number + wf->tasks[task->number].preds[i];
          ready = s->done[pred];
          ready_ns = bn_time_max (ready_ns, s->end_ns[pred]);
        }
      for (uint32_t k = 0; k < in->n_slots && ready; k++)
        {
          BnTime before = s->free_ns[k];
          s->end_ns[t] = bn_time_max (ready_ns, before)
                         + bn_cost_runtime (in->cost, wf, task->number, in->slot_worker[k]);
          s->free_ns[k] = s->end_ns[t];
          s->done[t] = true;
          search (s, n_done + 1);
          s->done[t] = false;
          s->free_ns[k] = before;
        }
    }
}

START_TEST (no_schedule_at_all_is_below_the_bound)
{
  uint32_t n_queued = 0, n_close = 0, n_kinds[BN_N_BOUNDS] = { 0 };

  for (uint64_t i = 1; i <= N_INSTANCES; i++)
    {
      Instance in;
      BnBound bound;

      make (&in, i);
      Search s = { .instance = &in, .least_latency = 1e18, .least_slowdown = 1e18 };
      search (&s, 0);
      BnBoundConfig config = { .cost = in.cost, .arrivals = &in.world->arrivals, .seed = i,
                               .steps = (uint32_t) (i % 4) * 10 };
      ck_assert (bn_bound_compute (&config, &bound, NULL));
      double latency = s.least_latency / in.n_jobs, slowdown = s.least_slowdown / in.n_jobs;
      ck_assert_msg (bound.latency_ns.best <= latency, "instance %lu: %.0f ns is possible, the bound is %.0f ns", i,
                     latency, bound.latency_ns.best);
      ck_assert_msg (bound.slowdown.best <= slowdown + 0.5e-6, "instance %lu: %.9f is possible, the bound is %.9f", i,
                     slowdown, bound.slowdown.best);
      ck_assert_int_eq (bound.latency_ns.n_jobs, in.n_jobs);
      if (latency > bound.latency_ns.mean[BN_BOUND_PER_JOB] + 1)
        {
          n_queued++;
          n_close += bound.latency_ns.best > 0.95 * latency;
          n_kinds[bound.latency_ns.kind]++;
        }
      clear (&in);
    }
  printf ("%d instances, %u with jobs that must wait: bound within 5 %% of %u; per job %u, relaxation %u,"
          " prices %u\n", N_INSTANCES, n_queued, n_close, n_kinds[0], n_kinds[1], n_kinds[2]);
  ck_assert_uint_gt (n_queued, N_INSTANCES / 4);
  ck_assert_uint_gt (n_close, n_queued / 4);
}
END_TEST

int
main (void)
{
  Suite *suite = suite_create ("bound search");
  TCase *tc = tcase_create ("bound search");

  tcase_set_timeout (tc, 300);
  tcase_add_test (tc, no_schedule_at_all_is_below_the_bound);
  suite_add_tcase (suite, tc);
  return run_suite (suite);
}
