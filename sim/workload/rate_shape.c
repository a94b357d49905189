/* rate_shape.c: a rate of arrivals that changes over time.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "rate_shape.h"

#include <math.h>

#include "fmath.h"

#define TWO_PI 0x1.921fb54442d18p+2

/* Of a search for a time within a period: more halvings than a double has bits. */
#define MAX_STEPS 80

static double
seconds (BnTime ns)
{
  return (double) ns / BN_NS_PER_S;
}

/* ---- diurnal, in periods: x is time, and passed time is x - its value at 0 within each ---- */

static double
diurnal_passed (const BnRateShape *s, double x)
{
  return x + s->amplitude / TWO_PI * (bn_cos_turns (s->phase) - bn_cos_turns (x + s->phase));
}

/* 0 <= passed <= 1. Where the rate is 0 Newton's step is without bound: then the bracket is halved. */
static double
diurnal_time (const BnRateShape *s, double passed)
{
  double low = 0, high = 1, x = passed;

  for (int n = 0; n < MAX_STEPS; n++)
    {
      double over = diurnal_passed (s, x) - passed;
      double rate = 1 + s->amplitude * bn_sin_turns (x + s->phase);
      if (over > 0)
        high = x;
      else
        low = x;
      double next = x - over / rate;
      if (!(next > low && next < high))
        next = low + (high - low) / 2;
      if (next == x || over == 0)
        break;
      x = next;
    }
  return x;
}

/* ---- spikes: after `at` time is cut into cycles that begin with one ---- */

static double
spike_passed (const BnRateShape *s, double t_s)
{
  double at_s = seconds (s->at_ns), length_s = seconds (s->length_ns), in_spikes_s = 0, since_s = t_s - at_s;

  if (since_s <= 0)
    return t_s;
  if (s->every_ns > 0)
    {
      double every_s = seconds (s->every_ns), n_cycles = floor (since_s / every_s);
      in_spikes_s = n_cycles * length_s;
      since_s -= n_cycles * every_s;
    }
  in_spikes_s += fmin (since_s, length_s);
  return t_s + (s->factor - 1) * in_spikes_s;
}

static double
spike_time (const BnRateShape *s, double passed_s)
{
  double at_s = seconds (s->at_ns), length_s = seconds (s->length_ns), since_s = passed_s - at_s;

  if (since_s <= 0)
    return passed_s;
  if (s->every_ns > 0)
    {
      double every_s = seconds (s->every_ns), passed_each_s = every_s + (s->factor - 1) * length_s;
      double n_cycles = floor (since_s / passed_each_s);
      since_s -= n_cycles * passed_each_s;
      at_s += n_cycles * every_s;
    }
  double passed_in_spike_s = s->factor * length_s;
  return at_s + (since_s < passed_in_spike_s ? since_s / s->factor : length_s + (since_s - passed_in_spike_s));
}

/* ---- all ---- */

double
bn_rate_shape_mean (const BnRateShape *shape)
{
  if (shape->kind != BN_RATE_SPIKE || shape->every_ns == 0)
    return 1;
  return 1 + (shape->factor - 1) * seconds (shape->length_ns) / seconds (shape->every_ns);
}

double
bn_rate_shape_passed (const BnRateShape *shape, double t_s)
{
  double period_s = seconds (shape->period_ns);

  switch (shape->kind)
    {
    case BN_RATE_DIURNAL:
      return period_s * diurnal_passed (shape, t_s / period_s);
    case BN_RATE_SPIKE:
      return spike_passed (shape, t_s);
    case BN_RATE_FLAT:
      break;
    }
  return t_s;
}

double
bn_rate_shape_time (const BnRateShape *shape, double passed_s)
{
  double period_s = seconds (shape->period_ns), n_periods;

  switch (shape->kind)
    {
    case BN_RATE_DIURNAL:
      n_periods = floor (passed_s / period_s);
      return period_s * n_periods + period_s * diurnal_time (shape, passed_s / period_s - n_periods);
    case BN_RATE_SPIKE:
      return spike_time (shape, passed_s);
    case BN_RATE_FLAT:
      break;
    }
  return passed_s;
}
