/* machine_types.c: what a cluster can do for each task of a catalogue, at best.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "machine_types.h"

#include <glib.h>

static bool
can_run (const BnCost *c, const BnTaskSpec *task, uint32_t type)
{
  return task->model == BN_NONE || c->fits[(gsize) type * c->n_models + (uint32_t) task->model];
}

static BnDuration
runtime_on (const BnCost *c, const BnWorkflow *wf, uint32_t t, uint32_t type)
{
  return c->runtime_ns[(gsize) type * c->n_tasks + wf->first_task + t];
}

static bool
is_runnable (const BnCost *c, const BnWorkflow *wf)
{
  for (uint32_t t = 0; t < wf->n_tasks; t++)
    {
      bool somewhere = false;
      for (uint32_t g = 0; g < c->n_types; g++)
        somewhere = somewhere || can_run (c, &wf->tasks[t], g);
      if (!somewhere)
        return false;
    }
  return true;
}

static BnDuration
least_runtime (const BnCost *c, const BnWorkflow *wf, uint32_t t)
{
  BnDuration least = BN_TIME_NEVER;

  for (uint32_t g = 0; g < c->n_types; g++)
    if (can_run (c, &wf->tasks[t], g))
      least = bn_time_min (least, runtime_on (c, wf, t, g));
  return least;
}

/* v(g) = the mix's tasks that g can run, on the best type for each / on g. Of GPUs
 * that differ in speed alone it is the relative speed. 0: it can run nothing. */
static double
speed_of (const BnCost *c, const BnMachineTypes *types, const double *weights, uint32_t g)
{
  double best = 0, here = 0;
  bool any = false;

  for (uint32_t f = 0; f < c->catalogue->n_workflows; f++)
    {
      const BnWorkflow *wf = &c->catalogue->workflows[f];
      for (uint32_t t = 0; t < wf->n_tasks && types->runnable[f]; t++)
        if (can_run (c, &wf->tasks[t], g))
          {
            any = true;
            best += weights[f] * (double) least_runtime (c, wf, t);
            here += weights[f] * (double) runtime_on (c, wf, t, g);
          }
    }
  if (!any)
    return 0;
  return best > 0 && here > 0 ? best / here : 1;
}

/* Appends the ways of one task from types->ways[n] on. Returns: the new n. */
static uint32_t
add_ways (const BnCost *c, const double *speeds, BnMachineTypes *types, const BnWorkflow *wf, uint32_t t, uint32_t n)
{
  uint32_t first = n;

  for (uint32_t g = 0; g < c->n_types; g++)
    {
      BnWay way = { runtime_on (c, wf, t, g), speeds[g] };
      bool wanted = can_run (c, &wf->tasks[t], g);
      for (uint32_t i = first; i < n && wanted; i++)
        wanted = types->ways[i].runtime_ns > way.runtime_ns || types->ways[i].speed > way.speed;
      if (!wanted)
        continue;
      uint32_t kept = first;
      for (uint32_t i = first; i < n; i++)
        if (types->ways[i].runtime_ns < way.runtime_ns || types->ways[i].speed < way.speed)
          types->ways[kept++] = types->ways[i];
      types->ways[kept] = way;
      n = kept + 1;
    }
  return n;
}

BnMachineTypes *
bn_machine_types_new (const BnCost *cost, const double *weights, const uint8_t *preloaded)
{
  const BnCatalogue *catalogue = cost->catalogue;
  BnMachineTypes *types = g_new0 (BnMachineTypes, 1);
  double *speeds = g_new (double, cost->n_types);
  uint32_t n = 0;

  types->runnable = g_new (uint8_t, catalogue->n_workflows);
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    types->runnable[f] = is_runnable (cost, &catalogue->workflows[f]);
  for (uint32_t g = 0; g < cost->n_types; g++)
    {
      const BnGpuType *gpu = &cost->platform->types[g];
      speeds[g] = speed_of (cost, types, weights, g);
      types->capacity += speeds[g] * (double) gpu->slots * (double) gpu->n_workers;
    }

  types->first = g_new (uint32_t, (gsize) catalogue->n_tasks + 1);
  types->ways = g_new (BnWay, (gsize) catalogue->n_tasks * cost->n_types + 1);
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    for (uint32_t t = 0; t < catalogue->workflows[f].n_tasks; t++)
      {
        types->first[catalogue->workflows[f].first_task + t] = n;
        n = add_ways (cost, speeds, types, &catalogue->workflows[f], t, n);
      }
  types->first[catalogue->n_tasks] = n;

  types->cold_ns = g_new0 (BnTime, (gsize) catalogue->n_models + 1);
  for (uint32_t m = 0; m < catalogue->n_models; m++)
    if (preloaded == NULL || !preloaded[m])
      {
        BnTime least = BN_TIME_NEVER;
        for (uint32_t g = 0; g < cost->n_types; g++)
          if (cost->fits[(gsize) g * cost->n_models + m])
            least = bn_time_min (least, cost->load_ns[(gsize) g * cost->n_models + m]);
        types->cold_ns[m] = least;
      }
  g_free (speeds);
  return types;
}

void
bn_machine_types_free (BnMachineTypes *types)
{
  if (!types)
    return;
  g_free (types->first);
  g_free (types->ways);
  g_free (types->cold_ns);
  g_free (types->runnable);
  g_free (types);
}
