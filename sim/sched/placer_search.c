/* placer_search.c: the search for the worker of least cost, most of them not looked at.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "panic.h"
#include "placer_internal.h"

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

bool
bn_placer_planned_holds (const BnPlacer *p, const Touched *touched, int32_t model)
{
  for (int32_t i = touched->first; i != BN_NONE; i = p->planned[i].next)
    if (p->planned[i].model == model)
      return true;
  return false;
}

/* Start of a task that takes `duration` and may not begin before `at`: in the
 * first gap that is wide enough from `free_ns` on, else after everything. */
static BnTime
start_in_gap (const BnPlacer *p, const Touched *touched, BnTime free_ns, BnTime at, BnDuration duration)
{
  BnTime start = bn_time_max (free_ns, at);

  for (int32_t i = touched->first; i != BN_NONE; i = p->planned[i].next)
    {
      if (bn_time_add (start, duration) <= p->planned[i].start_ns)
        break;
      start = bn_time_max (start, p->planned[i].finish_ns);
    }
  return start;
}

/* Keeps w if it may be the one; what is kept is what no later one beats by more
 * than the band, once all have been seen. */
static void
offer (BnPlacer *p, uint32_t w, BnTime value_ns, BnTime start_ns, BnTime finish_ns)
{
  if (p->plain)
    {
      Candidate *best = p->candidates;
      if (p->n_candidates == 0 || value_ns < best->value_ns || (value_ns == best->value_ns && w < best->worker))
        *best = (Candidate){ w, value_ns, start_ns, finish_ns };
      p->n_candidates = 1;
      p->limit_ns = best->value_ns;
      return;
    }
  if (value_ns > p->limit_ns)
    return;
  p->candidates[p->n_candidates++] = (Candidate){ w, value_ns, start_ns, finish_ns };
  p->limit_ns = bn_time_min (p->limit_ns, bn_time_add (value_ns, p->rules.band_ns));
}

/* Looks at one worker with all that is known of it, once in a search. */
static void
evaluate (BnPlacer *p, const Query *q, uint32_t w)
{
  if (p->evaluated[w] == p->query)
    return;
  p->evaluated[w] = p->query;
  const Touched *touched = p->stamp[w] == p->plan ? &p->touched[p->touched_at[w]] : NULL;
  BnTime at = arrival_at (p, q, w);
  BnDuration runtime = bn_cost_runtime (p->cost, q->wf, q->task, w), td = 0, penalty = 0;
  int32_t model = q->wf->tasks[q->task].model;

  if (model != BN_NONE && !bn_cost_fits (p->cost, (uint32_t) model, w))
    return;
  if (q->model != BN_NONE && !bn_view_holds (p->view, w, (uint32_t) q->model)
      && !(touched && bn_placer_planned_holds (p, touched, q->model)))
    {
      uint32_t g = p->platform->workers[w].type;
      uint64_t gm = (uint64_t) g * p->cost->n_models + (uint32_t) q->model;
      int64_t cached = touched ? touched->cached_bytes : p->view->cached_bytes[w];
      td = cached + q->model_bytes > p->ranges[g].memory_bytes ? p->full_load_ns[gm] : p->cost->load_ns[gm];
      penalty = p->miss_penalty_ns[gm];
    }
  BnTime row_free = bn_free_at (&p->free_at, p->view, w, p->now, at, &q->newcomer);
  BnTime free_ns = touched ? bn_time_max (row_free, touched->planned_ns) : row_free;
  BnTime value, start, finish;
  if (q->sum)
    {
      start = free_ns;
      finish = value = free_ns + (at - p->now) + td;
    }
  else
    {
      start = touched && p->rules.insertion ? start_in_gap (p, touched, row_free, at, td + runtime)
                                            : bn_time_max (free_ns, at);
      finish = value = (p->overlap ? bn_time_max (start, p->now + td) : start + td) + runtime;
    }
  value += penalty;
  if ((int32_t) w == p->stay)
    p->stay_value_ns = value;
  offer (p, w, value, start, finish);
}

/* With Compass's own rules: looks at the workers of one type that are far from every
 * input, as the table has them; those that were planned onto are skipped. */
static void
scan_plain (BnPlacer *p, const Query *q, uint32_t g)
{
  const Range *r = &p->ranges[g];
  const BnCost *c = p->cost;
  BnTime at = arrival_far (p, q, g);
  BnDuration runtime = q->sum ? 0 : c->runtime_ns[(uint64_t) g * c->n_tasks + q->wf->first_task + q->task];
  BnDuration way = q->sum ? at - p->now : 0, load = 0, full_load = 0;
  BnTime least = at + runtime; /* no worker of this type can do better */

  if (q->model != BN_NONE)
    {
      load = c->load_ns[(uint64_t) g * c->n_models + (uint32_t) q->model];
      full_load = p->full_load_ns[(uint64_t) g * c->n_models + (uint32_t) q->model];
    }
  if (p->n_candidates > 0 && p->candidates[0].value_ns < least)
    return;
  /* the hot loop: everything it needs is in locals, since a store through `p` could
     change what is behind a pointer */
  const BnView *view = p->view;
  const BnDuration *queued = view->queued_ns;
  const BnTime *busy = view->busy_until_ns;
  const uint64_t *holders = q->model == BN_NONE ? NULL : q->holders;
  BnTime now = p->now, floor = q->sum ? now : at;
  Candidate found = p->candidates[0];
  BnTime limit = p->n_candidates == 0 ? BN_TIME_NEVER : found.value_ns;
  for (uint32_t w = r->first; w < r->end; w++)
    {
      BnTime start = bn_time_max (bn_time_max (busy[w], now) + queued[w], floor);
      BnTime value = start + way + runtime;
      if (value > limit)
        continue;
      if (holders && !(holders[w / 64] >> (w % 64) & 1))
        {
          value += view->cached_bytes[w] + q->model_bytes > r->memory_bytes ? full_load : load;
          if (value > limit)
            continue;
        }
      if ((value == limit && limit != BN_TIME_NEVER && w > found.worker) || p->stamp[w] == p->plan)
        continue;
      found = (Candidate){ w, value, start, value };
      limit = value;
      if (value == least)
        break;
    }
  if (limit != BN_TIME_NEVER)
    {
      p->candidates[0] = found;
      p->n_candidates = 1;
    }
}

/* Workers [w, w + n) of 64 at most whose slot is free by `limit_ns`, a bit each. Without
 * branches: which workers are busy cannot be foretold (0.8 of the time of late-min with
 * 1,000 workers). */
static inline uint64_t
free_by (const BnTime *slot_free_ns, uint32_t w, uint32_t n, BnTime limit_ns)
{
  uint64_t bits = 0;

  for (uint32_t i = 0; i < n; i++)
    bits |= (uint64_t) (slot_free_ns[w + i] <= limit_ns) << i;
  return bits;
}

/* With any rules: the same, for all that are within the band of the least. Most are
 * passed over by what they run now and what they hold. */
static void
scan_band (BnPlacer *p, const Query *q, uint32_t g)
{
  const Range *r = &p->ranges[g];
  const BnCost *c = p->cost;
  BnTime at = arrival_far (p, q, g);
  BnDuration runtime = q->sum ? 0 : c->runtime_ns[(uint64_t) g * c->n_tasks + q->wf->first_task + q->task];
  BnDuration way = q->sum ? at - p->now : 0, load = 0, full_load = 0, penalty = 0;

  if (q->model != BN_NONE)
    {
      uint64_t gm = (uint64_t) g * c->n_models + (uint32_t) q->model;
      load = c->load_ns[gm];
      full_load = p->full_load_ns[gm];
      penalty = p->miss_penalty_ns[gm];
    }
  const BnView *view = p->view;
  const BnDuration *backlog = view->backlog_ns;
  const uint64_t *holders = q->model == BN_NONE ? NULL : q->holders;
  BnReservation *const *reserved = view->reserved;
  BnTime now = p->now, floor = q->sum ? now : at;
  bool overlap = p->overlap && !q->sum;
  /* whoever is due before this is free, or overruns */
  BnTime overdue_ns = p->rules.overrun > 0 ? now - view->load_age_ns : 0;
  BnDuration rest = way + runtime, least_load = load < full_load ? load : full_load;
  BnTime least_miss = (overlap ? bn_time_max (floor, now + least_load) : floor + least_load) + rest + penalty;
  for (uint32_t first = r->first, end; first < r->end && floor + rest <= p->limit_ns; first = end)
    {
      end = (first / 64 + 1) * 64;
      end = end < r->end ? end : r->end;
      uint64_t bits = free_by (view->slot_free_ns, first, end - first, p->limit_ns - rest);
      if (holders && least_miss > p->limit_ns)
        bits &= holders[first / 64] >> (first % 64);
      for (; bits; bits &= bits - 1)
        {
          uint32_t w = first + (uint32_t) __builtin_ctzll (bits);
          BnDuration td = 0, extra = 0;
          if (holders && !(holders[w / 64] >> (w % 64) & 1))
            {
              td = view->cached_bytes[w] + q->model_bytes > r->memory_bytes ? full_load : load;
              extra = penalty;
            }
          BnTime start = bn_time_max (bn_time_max (view->slot_free_ns[w], now), floor);
          BnTime finish = (overlap ? bn_time_max (start, now + td) : start + td) + rest;
          if (finish + extra > p->limit_ns || p->evaluated[w] == p->query || p->stamp[w] == p->plan)
            continue;
          if (backlog[w] > 0 || (reserved && reserved[w])
              || (view->slot_free_ns[w] > 0 && view->slot_free_ns[w] < overdue_ns))
            {
              start = bn_time_max (bn_free_at (&p->free_at, view, w, now, at, &q->newcomer), floor);
              finish = (overlap ? bn_time_max (start, now + td) : start + td) + rest;
            }
          offer (p, w, finish + extra, start, finish);
        }
    }
}

/* Of the candidates within the band of the least: the lowest number of the least, or
 * any of them. */
static BnPlacerChoice
pick (BnPlacer *p)
{
  const Candidate *chosen = NULL;
  uint32_t n = 0;

  for (uint32_t i = 0; i < p->n_candidates; i++)
    if (p->candidates[i].value_ns <= p->limit_ns)
      p->candidates[n++] = p->candidates[i];
  if (n == 0)
    return (BnPlacerChoice){ BN_NONE, 0, 0, 0 };
  if (p->rules.random_ties)
    chosen = &p->candidates[n > 1 ? bn_rng_below (&p->rng, n) : 0];
  else
    for (uint32_t i = 0; i < n; i++)
      if (!chosen || p->candidates[i].value_ns < chosen->value_ns
          || (p->candidates[i].value_ns == chosen->value_ns && p->candidates[i].worker < chosen->worker))
        chosen = &p->candidates[i];
  return (BnPlacerChoice){ (int32_t) chosen->worker, chosen->start_ns, chosen->finish_ns, chosen->value_ns };
}

BnPlacerChoice
bn_placer_search (BnPlacer *p, Query *q)
{
  int32_t model = q->wf->tasks[q->task].model;

  p->query++;
  p->n_candidates = 0;
  p->limit_ns = BN_TIME_NEVER;
  q->model = p->rules.cache_aware ? model : BN_NONE;
  if (q->model != BN_NONE)
    {
      q->model_bytes = p->cost->catalogue->models[q->model].size_bytes;
      q->holders = p->view->holders + (uint64_t) q->model * p->view->holder_words;
    }
  for (uint32_t i = 0; i < p->n_touched; i++)
    evaluate (p, q, p->touched[i].worker);
  if (q->is_entry && q->ingress != BN_NONE)
    evaluate (p, q, (uint32_t) q->ingress);
  for (uint32_t i = 0; i < q->n_inputs; i++)
    {
      uint32_t server = p->platform->workers[q->inputs[i].worker].server;
      for (uint32_t w = p->server_first[server]; w < p->server_first[server + 1]; w++)
        evaluate (p, q, w);
    }
  for (uint32_t g = 0; g < p->n_ranges; g++)
    {
      if (model != BN_NONE && !p->cost->fits[(uint64_t) g * p->cost->n_models + (uint32_t) model])
        continue;
      if (p->plain)
        scan_plain (p, q, g);
      else
        scan_band (p, q, g);
    }
  return pick (p);
}
