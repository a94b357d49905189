/* placer.c: the life of a placer, plans, and what callers ask of it.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "panic.h"
#include "placer_internal.h"

const char *const bn_placer_ties[] = { "lowest", "random", NULL };
const char *const bn_placer_ft[] = { "queue", "order", "classes", NULL };

void
bn_placer_read_rules (BnPlacerRules *rules, const BnParamValue *values)
{
  rules->random_ties = values[BN_PLACER_TIES].integer == 1;
  rules->band_ns = rules->random_ties ? values[BN_PLACER_TIE_BAND].integer : 0;
  rules->ft = (BnFtMode) values[BN_PLACER_FT].integer;
  rules->behind = values[BN_PLACER_BEHIND].real;
  rules->overrun = values[BN_PLACER_OVERRUN].real;
  rules->full_load = values[BN_PLACER_FULL_LOAD].real;
  rules->miss_penalty = values[BN_PLACER_MISS_PENALTY].real;
}

/* What a miss costs a placer with these rules, by type and model. */
static void
fill_loads (BnPlacer *p)
{
  uint64_t n = (uint64_t) p->cost->n_types * p->cost->n_models;

  p->full_load_ns = calloc (n + 1, sizeof *p->full_load_ns);
  p->miss_penalty_ns = calloc (n + 1, sizeof *p->miss_penalty_ns);
  BN_ASSERT (p->full_load_ns && p->miss_penalty_ns);
  for (uint64_t i = 0; i < n; i++)
    {
      p->full_load_ns[i] = bn_round_half_up (p->rules.full_load * (double) p->cost->load_ns[i]);
      p->miss_penalty_ns[i] = bn_round_half_up (p->rules.miss_penalty * (double) p->cost->load_ns[i]);
    }
}

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
  p->free_at = (BnFreeAt){ setup->cost, setup->order, setup->order_settings, setup->classes, rules->ft,
                           rules->behind, rules->overrun };
  p->overlap = setup->overlap;
  p->plain_rules = rules->ft == BN_FT_QUEUE && !rules->random_ties && rules->miss_penalty == 0 && rules->overrun == 0
                   && !setup->overlap;
  p->rng = setup->rng;
  p->stay = BN_NONE;
  p->n_ranges = platform->n_types;
  p->ranges = calloc (platform->n_types, sizeof *p->ranges);
  p->server_first = calloc ((size_t) platform->n_servers + 1, sizeof *p->server_first);
  p->stamp = calloc (platform->n_workers, sizeof *p->stamp);
  p->touched_at = calloc (platform->n_workers, sizeof *p->touched_at);
  p->evaluated = calloc (platform->n_workers, sizeof *p->evaluated);
  p->candidates = calloc (platform->n_workers, sizeof *p->candidates);
  BN_ASSERT (p->ranges && p->server_first && p->stamp && p->touched_at && p->evaluated && p->candidates);
  p->inputs = calloc (setup->catalogue->n_tasks + 1, sizeof *p->inputs);
  BN_ASSERT (p->inputs);
  fill_loads (p);
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
  free (p->candidates);
  free (p->inputs);
  free (p->full_load_ns);
  free (p->miss_penalty_ns);
  free (p->touched);
  free (p->planned);
  free (p);
}

void
bn_placer_begin (BnPlacer *p, const BnView *view, BnTime now)
{
  p->view = view;
  p->now = now;
  p->plain = p->plain_rules && !view->reserved;
  p->plan++;
  p->n_touched = 0;
  p->n_planned = 0;
}

static Query
query_of (const BnPlacer *p, const BnJob *job, uint32_t task)
{
  return (Query){ .wf = job->workflow, .task = task, .newcomer = bn_newcomer (&p->free_at, job, task, p->now) };
}

BnPlacerChoice
bn_placer_choose (BnPlacer *p, const BnJob *job, uint32_t task, const BnPlacerInput *inputs, uint32_t n_inputs)
{
  Query q = query_of (p, job, task);

  q.inputs = inputs;
  q.n_inputs = n_inputs;
  return bn_placer_search (p, &q);
}

BnPlacerChoice
bn_placer_choose_entry (BnPlacer *p, const BnJob *job, uint32_t task, int32_t ingress)
{
  Query q = query_of (p, job, task);

  q.ingress = ingress;
  q.is_entry = true;
  return bn_placer_search (p, &q);
}

int32_t
bn_placer_choose_onward (BnPlacer *p, const BnJob *job, uint32_t task, uint32_t at, BnDuration margin_ns)
{
  const BnTaskSpec *spec = &job->workflow->tasks[task];
  BnPlacerChoice choice;

  p->stay = (int32_t) at;
  if (spec->n_preds == 0)
    choice = bn_placer_choose_entry (p, job, task, (int32_t) at);
  else
    {
      for (uint32_t i = 0; i < spec->n_preds; i++)
        p->inputs[i] = (BnPlacerInput){ spec->preds[i], at, p->now };
      choice = bn_placer_choose (p, job, task, p->inputs, spec->n_preds);
    }
  p->stay = BN_NONE;
  return choice.worker != BN_NONE && choice.worker != (int32_t) at
             && bn_time_add (choice.value_ns, margin_ns) < p->stay_value_ns
           ? choice.worker
           : BN_NONE;
}

int32_t
bn_placer_choose_sum (BnPlacer *p, const BnJob *job, uint32_t task, const BnPlacerInput *input)
{
  Query q = query_of (p, job, task);

  q.inputs = input;
  q.n_inputs = 1;
  q.sum = true;
  return bn_placer_search (p, &q).worker;
}

BnDuration
bn_placer_wait (BnPlacer *p, const BnJob *job, uint32_t task, uint32_t w)
{
  BnNewcomer newcomer = bn_newcomer (&p->free_at, job, task, p->now);

  return bn_free_at (&p->free_at, p->view, w, p->now, p->now, &newcomer) - p->now;
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
  p->touched[p->n_touched] = (Touched){ w, 0, p->view->cached_bytes[w], BN_NONE };
  return &p->touched[p->n_touched++];
}

void
bn_placer_commit (BnPlacer *p, const BnWorkflow *wf, uint32_t task, const BnPlacerChoice *choice)
{
  uint32_t w = (uint32_t) choice->worker;
  int32_t model = wf->tasks[task].model;
  Touched *touched = touch (p, w);

  touched->planned_ns = bn_time_max (touched->planned_ns, choice->finish_ns);
  if (model != BN_NONE && !bn_view_holds (p->view, w, (uint32_t) model)
      && !bn_placer_planned_holds (p, touched, model))
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
