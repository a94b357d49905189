/* placer.c: least estimated finish over all workers, most of them not looked at.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "placer.h"

#include <stdlib.h>
#include <string.h>

#include "panic.h"

/* Something planned onto a touched worker. */
typedef struct Planned
{
  BnTime start_ns, finish_ns;
  int32_t model;
  int32_t next;          /* the one after it in time, index into planned, or BN_NONE */
} Planned;

/* A worker that differs from what the table says, because of this plan. */
typedef struct Touched
{
  uint32_t worker;
  BnTime base_ns;        /* EAT from the table                   */
  BnTime free_ns;        /* EAT with what was planned            */
  int64_t cached_bytes;
  int32_t first;         /* earliest planned, or BN_NONE         */
} Touched;

/* The workers of one GPU type: a range, since groups are numbered in order. */
typedef struct Range
{
  uint32_t first, end;
  int64_t memory_bytes;
} Range;

struct BnPlacer
{
  const BnCost *cost;
  const BnPlatform *platform;
  BnPlacerRules rules;
  const BnView *view;
  BnTime now;
  uint32_t n_ranges;
  Range *ranges;          /* [n_types]   */
  uint32_t *server_first; /* [n_servers + 1]: first worker of each server */
  uint64_t plan;          /* number of the current plan                   */
  uint64_t *stamp;        /* [n_workers]: plan that touched it            */
  uint32_t *touched_at;   /* [n_workers]: where, if stamp == plan         */
  uint64_t query;         /* number of the current search                 */
  uint64_t *evaluated;    /* [n_workers]: search that evaluated it        */
  Touched *touched;
  uint32_t n_touched, capacity_touched;
  Planned *planned;
  uint32_t n_planned, capacity_planned;
};

/* One task under evaluation. */
typedef struct Query
{
  const BnWorkflow *wf;
  uint32_t task;
  int32_t model;               /* BN_NONE also where caches are ignored */
  int64_t model_bytes;
  const uint64_t *holders;
  const BnPlacerInput *inputs;
  uint32_t n_inputs;
  int32_t ingress;             /* entry tasks */
  bool is_entry;
  bool sum;                    /* the adjustment's sum instead of max + R */
} Query;

typedef struct Best
{
  int32_t worker;
  BnTime value_ns, start_ns;
} Best;

BnPlacer *
bn_placer_new (const BnSchedSetup *setup, const BnPlacerRules *rules)
{
  const BnPlatform *platform = setup->platform;
  BnPlacer *p = calloc (1, sizeof *p);
  uint32_t w = 0;

  BN_ASSERT (p);
  p->cost = setup->cost;
  p->platform = platform;
  p->rules = *rules;
  p->n_ranges = platform->n_types;
  p->ranges = calloc (platform->n_types, sizeof *p->ranges);
  p->server_first = calloc ((size_t) platform->n_servers + 1, sizeof *p->server_first);
  p->stamp = calloc (platform->n_workers, sizeof *p->stamp);
  p->touched_at = calloc (platform->n_workers, sizeof *p->touched_at);
  p->evaluated = calloc (platform->n_workers, sizeof *p->evaluated);
  BN_ASSERT (p->ranges && p->server_first && p->stamp && p->touched_at && p->evaluated);
  for (uint32_t g = 0; g < platform->n_types; g++)
    {
      p->ranges[g] = (Range){ w, w + platform->types[g].n_workers, platform->types[g].memory_bytes };
      w = p->ranges[g].end;
    }
  for (w = platform->n_workers; w-- > 0;)
    p->server_first[platform->workers[w].server] = w;
  p->server_first[platform->n_servers] = platform->n_workers;
  return p;
}

void
bn_placer_free (BnPlacer *p)
{
  if (!p)
    return;
  free (p->ranges);
  free (p->server_first);
  free (p->stamp);
  free (p->touched_at);
  free (p->evaluated);
  free (p->touched);
  free (p->planned);
  free (p);
}

void
bn_placer_begin (BnPlacer *p, const BnView *view, BnTime now)
{
  p->view = view;
  p->now = now;
  p->plan++;
  p->n_touched = 0;
  p->n_planned = 0;
}

/* TD of a miss where `cached` bytes are held already. */
static inline BnDuration
miss_ns (BnDuration load_ns, int64_t cached_bytes, int64_t model_bytes, int64_t memory_bytes)
{
  return cached_bytes + model_bytes > memory_bytes ? 2 * load_ns : load_ns;
}

/* When the inputs are at w; for the sum form, how long they travel. */
static BnTime
arrival_at (const BnPlacer *p, const Query *q, uint32_t w)
{
  BnTime at = p->now;

  if (q->is_entry)
    return (int32_t) w == q->ingress ? p->now : bn_time_add (p->now, bn_cost_input (p->cost, q->wf, q->task));
  for (uint32_t i = 0; i < q->n_inputs; i++)
    at = bn_time_max (at, bn_time_add (q->inputs[i].ready_ns,
                                       bn_cost_g2g (p->cost, q->wf, q->inputs[i].task, q->inputs[i].worker, w)));
  return at;
}

/* The same for any worker of type g in a server without an input. */
static BnTime
arrival_far (const BnPlacer *p, const Query *q, uint32_t g)
{
  const BnCost *c = p->cost;
  BnTime at = p->now;

  if (q->is_entry)
    return bn_time_add (p->now, bn_cost_input (c, q->wf, q->task));
  for (uint32_t i = 0; i < q->n_inputs; i++)
    {
      uint64_t t = q->wf->first_task + q->inputs[i].task;
      uint32_t from = p->platform->workers[q->inputs[i].worker].type;
      at = bn_time_max (at, q->inputs[i].ready_ns + c->output_pcie_ns[(uint64_t) from * c->n_tasks + t]
                              + c->output_net_ns[t] + c->output_pcie_ns[(uint64_t) g * c->n_tasks + t]);
    }
  return at;
}

static bool
planned_holds (const BnPlacer *p, const Touched *touched, int32_t model)
{
  for (int32_t i = touched->first; i != BN_NONE; i = p->planned[i].next)
    if (p->planned[i].model == model)
      return true;
  return false;
}

/* Start of a task that takes `duration` and may not begin before `at`: in the
 * first gap that is wide enough, else after everything. */
static BnTime
start_in_gap (const BnPlacer *p, const Touched *touched, BnTime at, BnDuration duration)
{
  BnTime start = bn_time_max (touched->base_ns, at);

  for (int32_t i = touched->first; i != BN_NONE; i = p->planned[i].next)
    {
      if (bn_time_add (start, duration) <= p->planned[i].start_ns)
        break;
      start = bn_time_max (start, p->planned[i].finish_ns);
    }
  return start;
}

static inline void
consider (Best *best, uint32_t w, BnTime value_ns, BnTime start_ns)
{
  if (best->worker == BN_NONE || value_ns < best->value_ns
      || (value_ns == best->value_ns && (int32_t) w < best->worker))
    *best = (Best){ (int32_t) w, value_ns, start_ns };
}

/* Looks at one worker with all that is known of it, once in a search. */
static void
evaluate (BnPlacer *p, const Query *q, uint32_t w, Best *best)
{
  if (p->evaluated[w] == p->query)
    return;
  p->evaluated[w] = p->query;
  uint32_t g = p->platform->workers[w].type;
  const Touched *touched = p->stamp[w] == p->plan ? &p->touched[p->touched_at[w]] : NULL;
  BnTime at = arrival_at (p, q, w);
  BnTime eat = touched ? touched->free_ns : bn_view_free_at (p->view, w, p->now);
  BnDuration runtime = bn_cost_runtime (p->cost, q->wf, q->task, w), td = 0;

  if (q->model != BN_NONE)
    {
      if (!bn_cost_fits (p->cost, (uint32_t) q->model, w))
        return;
      if (!bn_view_holds (p->view, w, (uint32_t) q->model) && !(touched && planned_holds (p, touched, q->model)))
        td = miss_ns (bn_cost_load (p->cost, (uint32_t) q->model, w),
                      touched ? touched->cached_bytes : p->view->cached_bytes[w], q->model_bytes,
                      p->ranges[g].memory_bytes);
    }
  if (q->sum)
    {
      consider (best, w, eat + (at - p->now) + td, eat);
      return;
    }
  BnTime start = touched && p->rules.insertion ? start_in_gap (p, touched, at, td + runtime) : bn_time_max (eat, at);
  consider (best, w, start + td + runtime, start);
}

/* Looks at the workers of one type that are far from every input, as the table
 * has them; those that were planned onto are skipped. */
static void
scan (const BnPlacer *p, const Query *q, uint32_t g, Best *best)
{
  const Range *r = &p->ranges[g];
  const BnCost *c = p->cost;
  BnTime at = arrival_far (p, q, g);
  BnDuration runtime = q->sum ? 0 : c->runtime_ns[(uint64_t) g * c->n_tasks + q->wf->first_task + q->task];
  BnDuration way = q->sum ? at - p->now : 0, load = 0;
  BnTime least = at + runtime; /* no worker of this type can do better */

  if (q->model != BN_NONE)
    {
      if (!c->fits[(uint64_t) g * c->n_models + (uint32_t) q->model])
        return;
      load = c->load_ns[(uint64_t) g * c->n_models + (uint32_t) q->model];
    }
  if (best->worker != BN_NONE && best->value_ns < least)
    return;
  /* the hot loop: everything it needs is in locals, since a store through `best`
     could change what is behind a pointer */
  const BnView *view = p->view;
  const BnDuration *queued = view->queued_ns, *reserved = view->reserved_ns;
  const BnTime *busy = view->busy_until_ns;
  const uint64_t *holders = q->model == BN_NONE ? NULL : q->holders;
  BnTime now = p->now, floor = q->sum ? now : at;
  Best found = *best;
  BnTime limit = found.worker == BN_NONE ? BN_TIME_NEVER : found.value_ns;
  for (uint32_t w = r->first; w < r->end; w++)
    {
      BnTime start = bn_time_max (bn_time_max (busy[w], now) + queued[w] + (reserved ? reserved[w] : 0), floor);
      BnTime value = start + way + runtime;
      if (value > limit)
        continue;
      if (holders && !(holders[w / 64] >> (w % 64) & 1))
        {
          value += miss_ns (load, view->cached_bytes[w], q->model_bytes, r->memory_bytes);
          if (value > limit)
            continue;
        }
      if ((value == limit && (int32_t) w > found.worker) || p->stamp[w] == p->plan)
        continue;
      found = (Best){ (int32_t) w, value, start };
      limit = value;
      if (value == least)
        break;
    }
  *best = found;
}

static Best
search (BnPlacer *p, Query *q)
{
  Best best = { BN_NONE, 0, 0 };

  p->query++;
  q->model = p->rules.cache_aware ? q->wf->tasks[q->task].model : BN_NONE;
  if (q->model != BN_NONE)
    {
      q->model_bytes = p->cost->catalogue->models[q->model].size_bytes;
      q->holders = p->view->holders + (uint64_t) q->model * p->view->holder_words;
    }
  for (uint32_t i = 0; i < p->n_touched; i++)
    evaluate (p, q, p->touched[i].worker, &best);
  if (q->is_entry && q->ingress != BN_NONE)
    evaluate (p, q, (uint32_t) q->ingress, &best);
  for (uint32_t i = 0; i < q->n_inputs; i++)
    {
      uint32_t server = p->platform->workers[q->inputs[i].worker].server;
      for (uint32_t w = p->server_first[server]; w < p->server_first[server + 1]; w++)
        evaluate (p, q, w, &best);
    }
  for (uint32_t g = 0; g < p->n_ranges; g++)
    scan (p, q, g, &best);
  return best;
}

/* Whoever ignores caches still may not choose a GPU that is too small. */
static BnPlacerChoice
as_choice (BnPlacer *p, const Query *q, Best best)
{
  int32_t model = q->wf->tasks[q->task].model;

  if (best.worker != BN_NONE && model != BN_NONE && !bn_cost_fits (p->cost, (uint32_t) model, (uint32_t) best.worker))
    {
      Best fitting = { BN_NONE, 0, 0 };
      p->query++;
      for (uint32_t w = 0; w < p->platform->n_workers; w++)
        if (bn_cost_fits (p->cost, (uint32_t) model, w))
          evaluate (p, q, w, &fitting);
      best = fitting;
    }
  return (BnPlacerChoice){ best.worker, best.start_ns, best.value_ns };
}

BnPlacerChoice
bn_placer_choose (BnPlacer *p, const BnWorkflow *wf, uint32_t task, const BnPlacerInput *inputs, uint32_t n_inputs)
{
  Query q = { .wf = wf, .task = task, .inputs = inputs, .n_inputs = n_inputs };
  Best best = search (p, &q);

  return as_choice (p, &q, best);
}

BnPlacerChoice
bn_placer_choose_entry (BnPlacer *p, const BnWorkflow *wf, uint32_t task, int32_t ingress)
{
  Query q = { .wf = wf, .task = task, .ingress = ingress, .is_entry = true };
  Best best = search (p, &q);

  return as_choice (p, &q, best);
}

int32_t
bn_placer_choose_sum (BnPlacer *p, const BnWorkflow *wf, uint32_t task, const BnPlacerInput *input)
{
  Query q = { .wf = wf, .task = task, .inputs = input, .n_inputs = 1, .sum = true };
  Best best = search (p, &q);

  return as_choice (p, &q, best).worker;
}

static Touched *
touch (BnPlacer *p, uint32_t w)
{
  if (p->stamp[w] == p->plan)
    return &p->touched[p->touched_at[w]];
  if (p->n_touched == p->capacity_touched)
    {
      p->capacity_touched = p->capacity_touched ? 2 * p->capacity_touched : 16;
      p->touched = realloc (p->touched, p->capacity_touched * sizeof *p->touched);
      BN_ASSERT (p->touched);
    }
  p->stamp[w] = p->plan;
  p->touched_at[w] = p->n_touched;
  BnTime eat = bn_view_free_at (p->view, w, p->now);
  p->touched[p->n_touched] = (Touched){ w, eat, eat, p->view->cached_bytes[w], BN_NONE };
  return &p->touched[p->n_touched++];
}

void
bn_placer_commit (BnPlacer *p, const BnWorkflow *wf, uint32_t task, const BnPlacerChoice *choice)
{
  uint32_t w = (uint32_t) choice->worker;
  int32_t model = wf->tasks[task].model;
  Touched *touched = touch (p, w);

  touched->free_ns = bn_time_max (touched->free_ns, choice->finish_ns);
  if (model != BN_NONE && !bn_view_holds (p->view, w, (uint32_t) model) && !planned_holds (p, touched, model))
    {
      int64_t memory = bn_platform_gpu (p->platform, w)->memory_bytes;
      int64_t bytes = touched->cached_bytes + p->cost->catalogue->models[model].size_bytes;
      touched->cached_bytes = bytes < memory ? bytes : memory;
    }
  if (p->n_planned == p->capacity_planned)
    {
      p->capacity_planned = p->capacity_planned ? 2 * p->capacity_planned : 16;
      p->planned = realloc (p->planned, p->capacity_planned * sizeof *p->planned);
      BN_ASSERT (p->planned);
    }
  int32_t *link = &touched->first;
  while (*link != BN_NONE && p->planned[*link].start_ns <= choice->start_ns)
    link = &p->planned[*link].next;
  p->planned[p->n_planned] = (Planned){ choice->start_ns, choice->finish_ns, model, *link };
  *link = (int32_t) p->n_planned++;
}

uint32_t
bn_fitting_count (const BnCost *cost, int32_t model)
{
  uint32_t n = 0;

  if (model == BN_NONE)
    return cost->platform->n_workers;
  for (uint32_t g = 0; g < cost->n_types; g++)
    if (cost->fits[(uint64_t) g * cost->n_models + (uint32_t) model])
      n += cost->platform->types[g].n_workers;
  return n;
}

uint32_t
bn_fitting_worker (const BnCost *cost, int32_t model, uint32_t k)
{
  uint32_t first = 0;

  if (model == BN_NONE)
    return k;
  for (uint32_t g = 0;; g++)
    {
      BN_ASSERT (g < cost->n_types);
      uint32_t n = cost->platform->types[g].n_workers;
      if (cost->fits[(uint64_t) g * cost->n_models + (uint32_t) model])
        {
          if (k < n)
            return first + k;
          k -= n;
        }
      first += n;
    }
}
