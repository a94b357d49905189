/* arrivals.c: when which workflow arrives where, one at a time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "arrivals.h"

#include <string.h>

#include "correlated_gaps.h"
#include "input_error.h"
#include "rng.h"
#include "trace_resample.h"
#include "trace_source.h"

struct BnArrivals
{
  BnArrivalsConfig config;
  BnRng times, workflows, ingresses;
  double *cumulative;     /* [n_workflows]: weights summed up */
  uint32_t n_workflows;
  int64_t n_jobs;         /* given out so far */
  gboolean ended;
  GError *failure;        /* of the trace, kept for the next call */

  /* seconds of operational time, which passes as the rate's shape has it; doubles carry a
     nanosecond for the first 100 days and a microsecond for centuries */
  double now_s;
  double mean_gap_s;      /* of all but ONOFF, and of that while on */
  double on_s, off_s;
  double on_until_s;
  double end_s;           /* of ONOFF: nobody asks for what comes later */
  BnCorrelatedGaps *gaps; /* of CORRELATED, or NULL */
  BnTime last_ns;         /* the last arrival of a rate with a shape */

  BnTraceSource *trace;       /* as it is, or NULL  */
  BnTraceResample *resample;  /* instead, or NULL   */
};

static void
set_up_weights (BnArrivals *a)
{
  double sum = 0;
  a->cumulative = g_new (double, a->n_workflows);
  for (uint32_t i = 0; i < a->n_workflows; i++)
    {
      double weight = a->config.weights[i];
      g_assert (weight >= 0);
      sum += weight;
      a->cumulative[i] = sum;
    }
  g_assert (sum > 0);
  a->config.weights = NULL;
}

/* The state at time 0 is drawn from the long-run shares, and what is left of an
 * exponential stay is exponential: the process is stationary from the start. */
static void
set_up_onoff (BnArrivals *a)
{
  a->on_s = (double) a->config.on_ns / BN_NS_PER_S;
  a->off_s = (double) a->config.off_ns / BN_NS_PER_S;
  g_assert (a->on_s > 0 && a->off_s > 0);
  double share = a->on_s / (a->on_s + a->off_s);
  a->mean_gap_s *= share;
  if (bn_rng_uniform (&a->times) >= share)
    a->now_s = a->off_s * bn_rng_exponential (&a->times);
  a->on_until_s = a->now_s + a->on_s * bn_rng_exponential (&a->times);
  a->end_s = bn_rate_shape_passed (&a->config.shape, (double) a->config.until_ns / BN_NS_PER_S);
}

BnArrivals *
bn_arrivals_new (const BnArrivalsConfig *config, const BnCatalogue *catalogue, GError **error)
{
  g_assert (config->n_workers >= 1 && catalogue->n_workflows >= 1);
  BnTraceSource *trace = NULL;
  BnTraceResample *resample = NULL;
  if (config->kind == BN_ARRIVALS_TRACE)
    {
      if (config->trace_block > 0)
        resample = bn_trace_resample_open (config, catalogue, error);
      else
        trace = bn_trace_source_open (config, catalogue, FALSE, error);
      if (trace == NULL && resample == NULL)
        return NULL;
    }
  BnArrivals *a = g_new0 (BnArrivals, 1);
  a->config = *config;
  a->trace = trace;
  a->resample = resample;
  a->n_workflows = catalogue->n_workflows;
  bn_rng_init (&a->times, config->seed, "arrivals");
  bn_rng_init (&a->workflows, config->seed, "workflows");
  bn_rng_init (&a->ingresses, config->seed, "ingress");
  if (config->kind == BN_ARRIVALS_LIST)
    return a;
  set_up_weights (a);
  if (config->kind != BN_ARRIVALS_TRACE)
    {
      g_assert (config->rate_per_s > 0);
      a->mean_gap_s = 1 / config->rate_per_s;
    }
  if (config->kind == BN_ARRIVALS_GAMMA)
    g_assert (config->cv > 0);
  if (config->kind == BN_ARRIVALS_CORRELATED)
    a->gaps = bn_correlated_gaps_new (config->cv, config->autocorrelation, config->autocorr_decay, &a->times);
  if (config->kind == BN_ARRIVALS_ONOFF)
    set_up_onoff (a);
  return a;
}

void
bn_arrivals_free (BnArrivals *arrivals)
{
  if (arrivals == NULL)
    return;
  bn_trace_source_close (arrivals->trace);
  bn_trace_resample_close (arrivals->resample);
  bn_correlated_gaps_free (arrivals->gaps);
  g_clear_error (&arrivals->failure);
  g_free (arrivals->cumulative);
  g_free (arrivals);
}

/* The next arrival of a Poisson process that runs only while on. A gap that
 * reaches beyond the stay is void: what follows the next off stay is drawn anew,
 * which an exponential gap does not notice. */
static double
next_onoff (BnArrivals *a)
{
  for (;;)
    {
      double t = a->now_s + a->mean_gap_s * bn_rng_exponential (&a->times);
      if (t < a->on_until_s || a->now_s > a->end_s)
        return t;
      a->now_s = a->on_until_s + a->off_s * bn_rng_exponential (&a->times);
      a->on_until_s = a->now_s + a->on_s * bn_rng_exponential (&a->times);
    }
}

static BnTime
next_time (BnArrivals *a)
{
  switch (a->config.kind)
    {
    case BN_ARRIVALS_POISSON:
      a->now_s += a->mean_gap_s * bn_rng_exponential (&a->times);
      break;
    case BN_ARRIVALS_UNIFORM:
      a->now_s = (double) (a->n_jobs + 1) / a->config.rate_per_s;
      break;
    case BN_ARRIVALS_GAMMA:
      a->now_s += a->mean_gap_s * bn_rng_gamma (&a->times, a->config.cv);
      break;
    case BN_ARRIVALS_CORRELATED:
      a->now_s += a->mean_gap_s * bn_correlated_gaps_next (a->gaps, &a->times);
      break;
    case BN_ARRIVALS_ONOFF:
      a->now_s = next_onoff (a);
      break;
    case BN_ARRIVALS_TRACE:
    case BN_ARRIVALS_LIST:
      g_assert_not_reached ();
    }
  /* the last digits of times that were searched for need not rise */
  a->last_ns = MAX (a->last_ns, bn_round_half_up (bn_rate_shape_time (&a->config.shape, a->now_s) * BN_NS_PER_S));
  return a->last_ns;
}

/* Ends the stream; an empty one is a mistake. */
static BnArrivalsStatus
end_stream (BnArrivals *a, GError **error)
{
  if (a->n_jobs > 0)
    {
      a->ended = TRUE;
      return BN_ARRIVALS_END;
    }
  bn_input_fail (&a->failure, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                 "no job comes before the time where jobs end; set a later until or a higher rate");
  g_propagate_error (error, g_error_copy (a->failure));
  return BN_ARRIVALS_ERROR;
}

static BnArrivalsStatus
next_listed (BnArrivals *a, BnJobSpec *spec)
{
  if (a->n_jobs >= a->config.n_listed)
    return BN_ARRIVALS_END;
  *spec = a->config.jobs[a->n_jobs++];
  return BN_ARRIVALS_JOB;
}

BnArrivalsStatus
bn_arrivals_next (BnArrivals *arrivals, BnJobSpec *spec, GError **error)
{
  BnArrivals *a = arrivals;
  BnTraceRow row = { .workflow = BN_NONE, .ingress = BN_NONE };
  if (a->config.kind == BN_ARRIVALS_LIST)
    return next_listed (a, spec);
  if (a->failure != NULL)
    {
      g_propagate_error (error, g_error_copy (a->failure));
      return BN_ARRIVALS_ERROR;
    }
  if (a->ended || a->n_jobs >= a->config.max_jobs)
    return BN_ARRIVALS_END;
  if (a->resample != NULL)
    {
      if (!bn_trace_resample_next (a->resample, &a->times, &row))
        return end_stream (a, error);
    }
  else if (a->trace == NULL)
    row.time_ns = next_time (a);
  else
    {
      BnArrivalsStatus status = bn_trace_source_next (a->trace, &row, &a->failure);
      if (status == BN_ARRIVALS_ERROR)
        return bn_arrivals_next (a, spec, error);
      if (status == BN_ARRIVALS_END)
        return end_stream (a, error);
    }
  if (row.time_ns >= a->config.until_ns)
    return end_stream (a, error);
  if (row.time_ns > BN_ARRIVALS_LAST_NS)
    {
      bn_input_fail (&a->failure, BN_INPUT_ERROR_CONTENT, (BnPlace) { 0 },
                     "job %" G_GINT64_FORMAT " would come after 146 years; set fewer jobs, an until or a higher rate",
                     a->n_jobs);
      return bn_arrivals_next (a, spec, error);
    }
  a->n_jobs++;
  spec->create_ns = row.time_ns;
  spec->factor = row.factor;
  spec->workflow = row.workflow != BN_NONE ? (uint32_t) row.workflow
                                          : bn_rng_weighted (&a->workflows, a->cumulative, a->n_workflows);
  spec->ingress = row.ingress != BN_NONE ? row.ingress
                                         : (int32_t) bn_rng_below (&a->ingresses, a->config.n_workers);
  return BN_ARRIVALS_JOB;
}
