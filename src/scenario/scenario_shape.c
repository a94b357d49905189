/* scenario_shape.c: how arrivals hang together and how their rate changes, from settings.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include "correlated_gaps.h"
#include "scenario_parts.h"
#include "units.h"

/* What is said in messages can be written into the scenario: cut towards 0. */
static char *
attainable (double value)
{
  return bn_format_real ((double) (gint64) (value * 10000) / 10000);
}

static gboolean
check_correlation (const BnSettings *s, const BnArrivalsConfig *a, GError **error)
{
  BnGapCorrelation *correlation = bn_gap_correlation_new (a->cv);
  double low, high;

  bn_gap_correlation_range (correlation, a->autocorr_decay, &low, &high);
  bn_gap_correlation_free (correlation);
  if (a->autocorrelation >= low && a->autocorrelation <= high)
    return TRUE;
  g_autofree char *least = attainable (low), *greatest = attainable (high);
  return bn_settings_fail (s, BN_KEY_WORKLOAD_AUTOCORRELATION, 0, error,
                           "gaps of this cv and autocorr-decay can have %s to %s; choose one of these, or a decay"
                           " nearer 1", least, greatest);
}

static gboolean
check_shape (const BnSettings *s, const BnArrivalsConfig *a, GError **error)
{
  const BnRateShape *shape = &a->shape;

  if (shape->kind != BN_RATE_FLAT && a->kind == BN_ARRIVALS_TRACE)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_RATE_SHAPE, 0, error,
                             "is for generated arrivals; a trace has a shape of its own: remove one of the two");
  if (shape->kind == BN_RATE_SPIKE && shape->every_ns > 0 && shape->every_ns <= shape->length_ns)
    return bn_settings_fail (s, BN_KEY_WORKLOAD_SPIKE_EVERY, 0, error,
                             "a spike would begin before the last one is over; make it longer than spike-length");
  return TRUE;
}

gboolean
bn_scenario_shape (const BnSettings *s, BnScenario *scenario, GError **error)
{
  BnArrivalsConfig *a = &scenario->arrivals;

  a->autocorrelation = bn_settings_real (s, BN_KEY_WORKLOAD_AUTOCORRELATION, 0);
  a->autocorr_decay = bn_settings_real (s, BN_KEY_WORKLOAD_AUTOCORR_DECAY, 0);
  a->shape = (BnRateShape) {
    .kind = (BnRateShapeKind) bn_settings_integer (s, BN_KEY_WORKLOAD_RATE_SHAPE, 0),
    .amplitude = bn_settings_real (s, BN_KEY_WORKLOAD_SHAPE_AMPLITUDE, 0),
    .period_ns = bn_settings_integer (s, BN_KEY_WORKLOAD_SHAPE_PERIOD, 0),
    .phase = bn_settings_real (s, BN_KEY_WORKLOAD_SHAPE_PHASE, 0),
    .at_ns = bn_settings_integer (s, BN_KEY_WORKLOAD_SPIKE_AT, 0),
    .length_ns = bn_settings_integer (s, BN_KEY_WORKLOAD_SPIKE_LENGTH, 0),
    .every_ns = bn_settings_integer (s, BN_KEY_WORKLOAD_SPIKE_EVERY, 0),
    .factor = bn_settings_real (s, BN_KEY_WORKLOAD_SPIKE_FACTOR, 0),
  };
  return check_shape (s, a, error) && (a->kind != BN_ARRIVALS_CORRELATED || check_correlation (s, a, error));
}
