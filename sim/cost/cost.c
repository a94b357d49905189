/* cost.c: the formulas, and the tables that keep them out of the hot path.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "cost.h"

#include <glib.h>
#include <string.h>

#include "panic.h"

/* latency + s / rate. Limits: 0 bytes cost nothing (there is no copy); for large
 * s the latency vanishes. With latency 0 it is the published h2d(s) = d2h(s). */
BnDuration
bn_cost_pcie (const BnGpuType *gpu, int64_t bytes)
{
  if (bytes == 0)
    return 0;
  return bn_time_add (gpu->pcie_latency_ns, bn_muldiv_round (bytes, BN_NS_PER_S, gpu->pcie_bytes_per_s));
}

/* c2c(s): latency alone below small_limit; s / (base + slope x kB) on the ramp;
 * s / rate beyond. The ramp's denominator is kept in units of 1/1000 byte/s, so
 * that fractions of a kB stay exact; sizes on the ramp are small, nothing can
 * overflow below a ramp limit of 1 MB (asserted). */
BnDuration
bn_cost_network (const BnNetwork *n, int64_t bytes)
{
  if (bytes < n->small_limit_bytes)
    return n->latency_ns;
  if (bytes < n->ramp_limit_bytes)
    {
      BN_ASSERT (bytes < 1000000);
      __extension__ unsigned __int128 milli_rate = (unsigned __int128) (uint64_t) n->ramp_base_bytes_per_s * 1000
                                                   + (unsigned __int128) (uint64_t) n->ramp_per_kb_bytes_per_s
                                                       * (uint64_t) bytes;
      unsigned __int128 scaled = (unsigned __int128) (uint64_t) bytes * 1000 * (uint64_t) BN_NS_PER_S;
      return n->latency_ns + (BnDuration) ((scaled + milli_rate / 2) / milli_rate);
    }
  return bn_time_add (n->latency_ns, bn_muldiv_round (bytes, BN_NS_PER_S, n->bytes_per_s));
}

static BnDuration
runtime_on (const BnCatalogue *catalogue, const BnTaskSpec *task, const BnGpuType *gpu)
{
  if (task->model != BN_NONE)
    {
      const BnModel *model = &catalogue->models[task->model];
      for (uint32_t i = 0; i < model->n_stated; i++)
        if (strcmp (model->stated[i].gpu_type, gpu->name) == 0)
          return model->stated[i].runtime_ns;
    }
  return bn_muldiv_round (task->runtime_ns, BN_PPM_ONE, gpu->speed_ppm);
}

/* The mean over all workers of a per-type value, half up. */
static BnDuration
mean_over_workers (const BnPlatform *p, const BnDuration *value, uint64_t stride)
{
  __extension__ unsigned __int128 sum = 0;

  for (uint32_t g = 0; g < p->n_types; g++)
    sum += (unsigned __int128) (uint64_t) value[g * stride] * p->types[g].n_workers;
  return (BnDuration) ((sum + p->n_workers / 2) / p->n_workers);
}

static void
fill_task_tables (BnCost *c)
{
  const BnPlatform *p = c->platform;

  for (uint32_t f = 0; f < c->catalogue->n_workflows; f++)
    {
      const BnWorkflow *wf = &c->catalogue->workflows[f];
      int64_t entry_bytes = 0;
      for (uint32_t t = 0; t < wf->n_tasks; t++)
        {
          const BnTaskSpec *task = &wf->tasks[t];
          uint64_t i = wf->first_task + t;
          for (uint32_t g = 0; g < c->n_types; g++)
            {
              c->runtime_ns[g * (uint64_t) c->n_tasks + i] = runtime_on (c->catalogue, task, &p->types[g]);
              c->output_pcie_ns[g * (uint64_t) c->n_tasks + i] = bn_cost_pcie (&p->types[g], task->output_bytes);
            }
          c->output_net_ns[i] = bn_cost_network (&p->network, task->output_bytes);
          c->input_net_ns[i] = bn_cost_network (&p->network, task->input_bytes);
          c->mean_runtime_ns[i] = mean_over_workers (p, c->runtime_ns + i, c->n_tasks);
          if (task->n_preds == 0)
            entry_bytes = bn_time_add (entry_bytes, task->input_bytes);
        }
      c->job_input_net_ns[f] = bn_cost_network (&p->network, entry_bytes);
    }
}

/* rank(t) = R(t) + max over successors s of (g2g(output(t)) + rank(s)); the
 * transfer is always counted, loads never. Lower bound: the same without
 * transfers, each task on the type that is fastest for it among those that can
 * hold its model. */
static void
fill_ranks (BnCost *c, const BnWorkflow *wf)
{
  const BnPlatform *p = c->platform;
  BnDuration *below = g_new (BnDuration, wf->n_tasks); /* lower bound from t on */
  BnDuration bound = 0;

  for (uint32_t k = wf->n_tasks; k-- > 0;)
    {
      uint32_t t = wf->topological[k];
      uint64_t i = wf->first_task + t;
      const BnTaskSpec *task = &wf->tasks[t];
      BnDuration pcie = mean_over_workers (p, c->output_pcie_ns + i, c->n_tasks);
      BnDuration g2g = bn_time_add (bn_time_add (pcie, pcie), c->output_net_ns[i]), rank = 0, rest = 0;
      BnDuration fastest = BN_TIME_NEVER;

      for (uint32_t s = 0; s < task->n_succs; s++)
        {
          rank = bn_time_max (rank, bn_time_add (g2g, c->rank_ns[wf->first_task + task->succs[s]]));
          rest = bn_time_max (rest, below[task->succs[s]]);
        }
      /* a type that cannot hold the model runs nothing; where none can, the job is
         refused and its bound is of no use */
      for (uint32_t g = 0; g < c->n_types; g++)
        if (task->model == BN_NONE || c->fits[g * (uint64_t) c->n_models + (uint32_t) task->model])
          fastest = bn_time_min (fastest, c->runtime_ns[g * (uint64_t) c->n_tasks + i]);
      if (fastest == BN_TIME_NEVER)
        fastest = c->mean_runtime_ns[i];
      c->rank_ns[i] = bn_time_add (c->mean_runtime_ns[i], rank);
      below[t] = bn_time_add (fastest, rest);
      bound = bn_time_max (bound, below[t]);
    }
  c->lower_bound_ns[wf->index] = bound;
  g_free (below);
}

static gint
compare_rank (gconstpointer a, gconstpointer b, gpointer data)
{
  const BnDuration *rank = data;
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  if (rank[x] != rank[y])
    return rank[x] > rank[y] ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Tasks by falling rank, the lower number first in ties. Where ranks tie along
 * an edge (nothing to run, nothing to send) the predecessor must still come
 * first: then the first task in that order whose predecessors are all out is
 * taken, again and again. */
static void
fill_rank_order (BnCost *c, const BnWorkflow *wf)
{
  uint32_t *order = c->rank_order + wf->first_task;
  uint32_t *position = g_new (uint32_t, wf->n_tasks);
  bool sound = true;

  for (uint32_t t = 0; t < wf->n_tasks; t++)
    order[t] = t;
  g_qsort_with_data (order, (gint) wf->n_tasks, sizeof *order, compare_rank, c->rank_ns + wf->first_task);
  for (uint32_t k = 0; k < wf->n_tasks; k++)
    position[order[k]] = k;
  for (uint32_t t = 0; t < wf->n_tasks && sound; t++)
    for (uint32_t i = 0; i < wf->tasks[t].n_preds && sound; i++)
      sound = position[wf->tasks[t].preds[i]] < position[t];
  for (uint32_t k = 0; k < wf->n_tasks && !sound; k++)
    {
      uint32_t next = k;
      for (bool ready = false; !ready; next++)
        {
          const BnTaskSpec *task = &wf->tasks[order[next]];
          ready = true;
          for (uint32_t i = 0; i < task->n_preds; i++)
            ready = ready && position[task->preds[i]] < k;
        }
      uint32_t taken = order[--next];
      memmove (order + k + 1, order + k, (next - k) * sizeof *order);
      order[k] = taken;
      for (uint32_t i = k; i <= next; i++)
        position[order[i]] = i;
    }
  g_free (position);
}

/* 600 ms is about the mean lower bound of the published workflows: with it a weight
 * of some tens trades work left for slowdown there. Source: ours. */
#define ORDER_UNIT_NS (600.0 * BN_NS_PER_MS)

static void
fill_order_tables (BnCost *c, const BnWorkflow *wf)
{
  BnDuration bound = c->lower_bound_ns[wf->index];

  for (uint32_t t = wf->first_task; t < wf->first_task + wf->n_tasks; t++)
    {
      c->task_model[t] = wf->tasks[t - wf->first_task].model;
      c->task_workflow[t] = wf->index;
      c->bound_inverse[t] = 1.0 / (double) (bound > 0 ? bound : 1);
      c->order_weight[t] = (double) c->rank_ns[t] / ORDER_UNIT_NS * ((double) bound / ORDER_UNIT_NS);
    }
}

static BnDuration
deadline_of (const BnCost *c, const BnWorkflow *wf)
{
  switch (wf->deadline_kind)
    {
    case BN_DEADLINE_TIME:
      return wf->deadline_ns;
    case BN_DEADLINE_MULTIPLE:
      return bn_muldiv_round (c->lower_bound_ns[wf->index], wf->deadline_ppm, BN_PPM_ONE);
    case BN_DEADLINE_NONE:
      break;
    }
  return BN_TIME_NEVER;
}

BnCost *
bn_cost_new (const BnPlatform *platform, const BnCatalogue *catalogue)
{
  BnCost *c = g_new0 (BnCost, 1);
  gsize types = platform->n_types, tasks = catalogue->n_tasks, models = catalogue->n_models;

  c->platform = platform;
  c->catalogue = catalogue;
  c->n_types = platform->n_types;
  c->n_tasks = catalogue->n_tasks;
  c->n_models = catalogue->n_models;
  c->runtime_ns = g_new0 (BnDuration, types * tasks);
  c->output_pcie_ns = g_new0 (BnDuration, types * tasks);
  c->output_net_ns = g_new0 (BnDuration, tasks);
  c->input_net_ns = g_new0 (BnDuration, tasks);
  c->rank_ns = g_new0 (BnDuration, tasks);
  c->mean_runtime_ns = g_new0 (BnDuration, tasks);
  c->task_model = g_new0 (int32_t, tasks);
  c->task_workflow = g_new0 (uint32_t, tasks);
  c->bound_inverse = g_new0 (double, tasks);
  c->order_weight = g_new0 (double, tasks);
  c->rank_order = g_new0 (uint32_t, tasks);
  c->load_ns = g_new0 (BnDuration, types * models);
  c->evict_ns = g_new0 (BnDuration, types * models);
  c->fits = g_new0 (uint8_t, types * models);
  c->lower_bound_ns = g_new0 (BnDuration, catalogue->n_workflows);
  c->deadline_ns = g_new0 (BnDuration, catalogue->n_workflows);
  c->job_input_net_ns = g_new0 (BnDuration, catalogue->n_workflows);

  fill_task_tables (c);
  for (uint32_t g = 0; g < c->n_types; g++)
    for (uint32_t m = 0; m < c->n_models; m++)
      {
        int64_t bytes = catalogue->models[m].size_bytes;
        c->load_ns[g * models + m] = bn_cost_pcie (&platform->types[g], bytes);
        c->evict_ns[g * models + m] = c->load_ns[g * models + m];
        c->fits[g * models + m] = bytes <= platform->types[g].memory_bytes;
      }
  for (uint32_t f = 0; f < catalogue->n_workflows; f++)
    {
      fill_ranks (c, &catalogue->workflows[f]);
      fill_rank_order (c, &catalogue->workflows[f]);
      fill_order_tables (c, &catalogue->workflows[f]);
      c->deadline_ns[f] = deadline_of (c, &catalogue->workflows[f]);
    }
  return c;
}

void
bn_cost_free (BnCost *cost)
{
  if (!cost)
    return;
  g_free (cost->runtime_ns);
  g_free (cost->output_pcie_ns);
  g_free (cost->output_net_ns);
  g_free (cost->input_net_ns);
  g_free (cost->rank_ns);
  g_free (cost->mean_runtime_ns);
  g_free (cost->task_model);
  g_free (cost->task_workflow);
  g_free (cost->bound_inverse);
  g_free (cost->order_weight);
  g_free (cost->rank_order);
  g_free (cost->load_ns);
  g_free (cost->evict_ns);
  g_free (cost->fits);
  g_free (cost->lower_bound_ns);
  g_free (cost->deadline_ns);
  g_free (cost->job_input_net_ns);
  g_free (cost);
}
