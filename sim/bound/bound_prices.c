/* bound_prices.c: a bound by prices of the cluster's time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * What a job pays for a task that starts at x is piecewise linear in x, and so is the
 * job's total in its end E, when each task starts at the cheapest instant that E
 * leaves it. The total can only be least at E's earliest, or where some task, started
 * as late as E allows, starts or ends on the edge of a bin, or where E first allows a
 * way of running one. These are walked through in order, until E alone costs more
 * than the best found.
 */
#include "bound_prices.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "fast_machine.h"

/* Jobs with more ways to run their tasks than this are bounded by themselves: the
 * walk costs their square. */
#define MAX_WAYS 32

/* Bins for each task, at most, and while a typical job lasts, when prices are to be
 * good and when they are to be quick. */
#define BINS_PER_TASK 4
#define BINS_PER_JOB 4
#define FEW_BINS_PER_JOB 2

/* Prices change by this part of the bound over the square of what is asked for too
 * much or too little; by less after each change that was none for the better, and not
 * at all any more when that is little. */
#define FIRST_CHANGE 0.05
#define LAST_CHANGE 0.004
#define DAMPING 0.75

typedef struct Prices
{
  const BnBoundBlock *block;
  double capacity;
  const double *weights;   /* [jobs]     */
  uint32_t n_bins;
  double width, bins_per_time;
  double *price;           /* [bins]: of work done then, in a unit of time */
  double *paid;            /* [bins + 1]: integral up to the bin */
  double *asked;           /* [bins]: work that jobs ask for, their cheapest way */
} Prices;

/* One way of one task while a job's end is walked. */
typedef struct Walker
{
  double runtime, speed;
  double opens;            /* the earliest end of the job that allows it            */
  double late;             /* how long before the job's end it then starts          */
  double release;
  uint32_t task;           /* within the job                                        */
  bool open;
} Walker;

typedef struct Walk
{
  Walker ways[MAX_WAYS];
  uint32_t n_ways;
  double edges[2 * MAX_WAYS];  /* within a bin: ends of the job that are candidates  */
  uint32_t n_edges;
  double least[MAX_WAYS];      /* [tasks]: least paid so far, DBL_MAX before         */
  double at[MAX_WAYS];         /* [tasks]: when it then starts                       */
  uint32_t way[MAX_WAYS];      /* [tasks]: and how it is run                         */
  double best_at[MAX_WAYS];    /* the same of the best end                           */
  uint32_t best_way[MAX_WAYS];
  double special[MAX_WAYS + 1];
  uint32_t n_special;
} Walk;

static double
paid_until (const Prices *p, double x)
{
  double bins = x * p->bins_per_time;

  if (bins >= p->n_bins)
    return p->paid[p->n_bins];
  if (bins <= 0)
    return 0;
  uint32_t i = (uint32_t) bins;
  return p->paid[i] + p->price[i] * MAX (x - i * p->width, 0);
}

static void
sum_up (Prices *p)
{
  double sum = 0;

  for (uint32_t i = 0; i < p->n_bins; i++)
    {
      p->paid[i] = sum;
      sum += p->price[i] * p->width;
    }
  p->paid[p->n_bins] = sum;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static uint32_t
sort_and_drop_equals (double *values, uint32_t n)
{
  uint32_t kept = 0;

  qsort (values, n, sizeof *values, compare);
  for (uint32_t i = 0; i < n; i++)
    if (kept == 0 || values[i] > values[kept - 1])
      values[kept++] = values[i];
  return kept;
}

static double
within_bin (const Prices *p, double x)
{
  double bins = x / p->width;

  return x - (double) (int64_t) bins * p->width;
}

static void
prepare_walk (const Prices *p, const BnBoundJob *job, Walk *walk)
{
  walk->n_ways = walk->n_edges = walk->n_special = 0;
  walk->special[walk->n_special++] = job->least;
  for (uint32_t k = 0; k < job->n_tasks; k++)
    {
      const BnBoundTask *task = &p->block->tasks[job->first_task + k];
      walk->least[k] = DBL_MAX;
      walk->edges[walk->n_edges++] = within_bin (p, task->tail);
      for (uint32_t i = task->first_way; i < task->first_way + task->n_ways; i++)
        {
          const BnBoundWay *way = &p->block->ways[i];
          double opens = task->release + way->runtime + task->tail;
          walk->ways[walk->n_ways++] = (Walker){ way->runtime, way->speed, opens, way->runtime + task->tail,
                                                 task->release, k, false };
          walk->edges[walk->n_edges++] = within_bin (p, way->runtime + task->tail);
          if (opens > job->least)
            walk->special[walk->n_special++] = opens;
        }
    }
  walk->n_edges = sort_and_drop_equals (walk->edges, walk->n_edges);
  walk->n_special = sort_and_drop_equals (walk->special, walk->n_special);
}

static inline void
consider (const Prices *p, Walk *walk, uint32_t w, double start)
{
  const Walker *way = &walk->ways[w];
  double pays = way->speed * (paid_until (p, start + way->runtime) - paid_until (p, start));

  if (pays < walk->least[way->task])
    {
      walk->least[way->task] = pays;
      walk->at[way->task] = start;
      walk->way[way->task] = w;
    }
}

/* The job may end at `end`: every task starts as late as that, or earlier. */
static void
extend (const Prices *p, Walk *walk, double end)
{
  for (uint32_t w = 0; w < walk->n_ways; w++)
    {
      Walker *way = &walk->ways[w];
      if (end < way->opens)
        continue;
      if (!way->open)
        {
          way->open = true;
          consider (p, walk, w, way->release);
        }
      consider (p, walk, w, end - way->late);
    }
}

/* Work asked for by a task that runs from `start`. */
static void
ask (Prices *p, double start, double runtime, double speed)
{
  double until = start + runtime;

  for (uint32_t i = (uint32_t) (start / p->width); i < p->n_bins && i * p->width < until; i++)
    {
      double from = MAX (start, i * p->width), to = MIN (until, (i + 1) * p->width);
      p->asked[i] += speed * MAX (to - from, 0);
    }
}

/* The least of weight x latency + what the job pays. */
static double
least_of_job (Prices *p, const BnBoundJob *job, double weight, Walk *walk)
{
  double best = DBL_MAX;
  uint32_t special = 0, edge = 0;

  prepare_walk (p, job, walk);
  double first = walk->ways[0].opens;
  for (uint32_t w = 1; w < walk->n_ways; w++)
    first = MIN (first, walk->ways[w].opens);
  double bin = (double) (int64_t) (first / p->width) * p->width;
  while (true)
    {
      double end = bin + walk->edges[edge];
      if (special < walk->n_special && walk->special[special] <= end)
        end = walk->special[special++];
      else if (++edge == walk->n_edges)
        {
          edge = 0;
          bin += p->width;
        }
      if (end < first)
        continue;
      double latency = weight * (end - job->create);
      if (latency >= best)
        break;
      extend (p, walk, end);
      if (end < job->least)
        continue;
      double total = latency;
      for (uint32_t k = 0; k < job->n_tasks; k++)
        total += walk->least[k];
      if (total < best)
        {
          best = total;
          memcpy (walk->best_at, walk->at, job->n_tasks * sizeof *walk->at);
          memcpy (walk->best_way, walk->way, job->n_tasks * sizeof *walk->way);
        }
    }
  for (uint32_t k = 0; k < job->n_tasks; k++)
    {
      const Walker *way = &walk->ways[walk->best_way[k]];
      ask (p, walk->best_at[k], way->runtime, way->speed);
    }
  return best;
}

/* What these prices prove; fills `asked`. */
static double
evaluate (Prices *p, Walk *walk)
{
  double jobs = 0, weights = 0, speeds = 0, dearest = 0, end = p->n_bins * p->width;

  sum_up (p);
  memset (p->asked, 0, p->n_bins * sizeof *p->asked);
  for (uint32_t j = 0; j < p->block->n_jobs; j++)
    {
      const BnBoundJob *job = &p->block->jobs[j];
      uint32_t last = job->first_task + job->n_tasks - 1;
      uint32_t n_ways = p->block->tasks[last].first_way + p->block->tasks[last].n_ways
                        - p->block->tasks[job->first_task].first_way;
      if (p->weights[j] <= 0)
        continue;
      weights += p->weights[j];
      speeds += n_ways;
      jobs += n_ways > MAX_WAYS ? p->weights[j] * (job->least - job->create)
                                : least_of_job (p, job, p->weights[j], walk);
    }
  for (uint32_t i = 0; i < p->n_bins; i++)
    dearest = MAX (dearest, p->price[i]);
  double all = p->capacity * p->paid[p->n_bins];
  /* rounding: of the two sums, and of each time by which something is weighed */
  return jobs - all - 1e-9 * (jobs + all)
         - 16 * DBL_EPSILON * MAX (end, p->block->span) * (weights + speeds * dearest);
}

/* Adds what a price that falls from `top` at `from`, by `slope` a unit of time, is on
 * average to the bins it touches. */
static void
add_falling_price (Prices *p, const BnStretch *stretch, double top)
{
  for (uint32_t i = (uint32_t) (stretch->from / p->width); i < p->n_bins && i * p->width < stretch->until; i++)
    {
      double from = MAX (stretch->from, i * p->width), to = MIN (stretch->until, (i + 1) * p->width);
      double middle = top - stretch->urgency * ((from + to) / 2 - stretch->from);
      if (to > from && middle > 0)
        p->price[i] += middle * (to - from) / p->width;
    }
}

/* The fast machine's own prices: where it does task t, urgency(t) x time + price is the
 * same, which is the least anywhere after t's release; after its work is done, 0. */
static void
take_prices (Prices *p, const GArray *stretches)
{
  double *level = g_new (double, p->block->n_tasks);
  double after = 0, after_from = DBL_MAX;

  for (uint32_t t = 0; t < p->block->n_tasks; t++)
    level[t] = -1;
  memset (p->price, 0, p->n_bins * sizeof *p->price);
  for (guint s = stretches->len; s-- > 0;)
    {
      const BnStretch *stretch = &g_array_index (stretches, BnStretch, s);
      if (level[stretch->task] < 0)
        level[stretch->task] = stretch->urgency * stretch->until + (stretch->until < after_from ? 0 : after);
      after = MAX (level[stretch->task] - stretch->urgency * stretch->from, 0);
      after_from = stretch->from;
      add_falling_price (p, stretch, after);
    }
  g_free (level);
}

/* Raises prices where more was asked for than there is, lowers them where less. FALSE
 * where that changes nothing. */
static gboolean
change_prices (Prices *p, double change)
{
  double squares = 0;

  for (uint32_t i = 0; i < p->n_bins; i++)
    {
      double excess = p->asked[i] / p->width - p->capacity;
      if (excess > 0 || p->price[i] > 0)
        squares += excess * excess * p->width;
    }
  if (!(squares > 0))
    return FALSE;
  for (uint32_t i = 0; i < p->n_bins; i++)
    p->price[i] = MAX (0, p->price[i] + change / squares * (p->asked[i] / p->width - p->capacity));
  return TRUE;
}

double
bn_bound_by_prices (const BnBoundBlock *block, const BnMachineTypes *types, const double *weights,
                    const GArray *stretches, double typical, uint32_t steps)
{
  Prices p = { .block = block, .capacity = types->capacity, .weights = weights };
  Walk walk;
  double end = block->span, alone = 0;

  for (uint32_t j = 0; j < block->n_jobs; j++)
    alone += weights[j] * (block->jobs[j].least - block->jobs[j].create);
  if (stretches->len > 0)
    end = MAX (end, g_array_index (stretches, BnStretch, stretches->len - 1).until);
  p.width = MAX (typical / (steps > 0 ? BINS_PER_JOB : FEW_BINS_PER_JOB),
                 MAX (end / (BINS_PER_TASK * (double) block->n_tasks), 1));
  p.bins_per_time = 1 / p.width;
  p.n_bins = (uint32_t) (end / p.width) + 1;
  p.price = g_new (double, p.n_bins);
  p.paid = g_new (double, p.n_bins + 1);
  p.asked = g_new (double, p.n_bins);

  take_prices (&p, stretches);
  double value = evaluate (&p, &walk), best = value;
  if (value < alone && steps > 0)
    {
      memset (p.price, 0, p.n_bins * sizeof *p.price);
      value = evaluate (&p, &walk);
      best = MAX (best, value);
    }
  double part = FIRST_CHANGE;
  for (uint32_t s = 0; s < steps && part > LAST_CHANGE && change_prices (&p, part * MAX (value, alone)); s++)
    {
      value = evaluate (&p, &walk);
      if (value > best)
        best = value;
      else
        part *= DAMPING;
    }
  g_free (p.price);
  g_free (p.paid);
  g_free (p.asked);
  return best;
}
