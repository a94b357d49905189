/* scenario_rivals.c: keys that say the same in two ways.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * Each pair is a key that is off at 0 and one that it replaces.
 */
#include "scenario_parts.h"

static const struct
{
  uint32_t key, replaced;
} rivals[] = {
  { BN_KEY_WORKLOAD_LOAD, BN_KEY_WORKLOAD_RATE },
  { BN_KEY_WORKLOAD_LOAD, BN_KEY_WORKLOAD_TIME_SCALE },
  { BN_KEY_SCENARIO_WARMUP_SHARE, BN_KEY_SCENARIO_WARMUP },
};

/* 0 is no value of a rate or a scale, and as a warm-up it is none. */
static gboolean
is_wanted (const BnSettings *s, uint32_t key)
{
  BnScenarioKey k = bn_scenario_key (key);
  return k.kind == BN_KEY_DURATION ? bn_settings_integer (s, key, 0) != 0 : bn_settings_real (s, key, 0) > 0;
}

static gboolean
settle (BnSettings *s, uint32_t key, uint32_t replaced, GError **error)
{
  BnGiven by = bn_settings_given (s, key), other = bn_settings_given (s, replaced);
  if (!is_wanted (s, key))
    return TRUE;
  if (by == other && is_wanted (s, replaced))
    return bn_settings_fail (s, key, 0, error, "%s.%s is given, too; remove one of the two",
                             bn_scenario_key (replaced).section, bn_scenario_key (replaced).name);
  if (other > by && is_wanted (s, replaced))
    {
      bn_settings_reset (s, key);
      return TRUE;
    }
  bn_settings_reset (s, replaced);
  bn_settings_hide (s, replaced);
  return TRUE;
}

gboolean
bn_scenario_settle_rivals (BnSettings *s, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (rivals); i++)
    if (!settle (s, rivals[i].key, rivals[i].replaced, error))
      return FALSE;
  return TRUE;
}
