/* scenario_idle.c: keys that are given and stand for nothing, as another key has another value.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 *
 * A key of a file is no slip where the command line has changed what it is of: a scenario of
 * bursts that is run with Poisson arrivals. It counts where it was given as late as that, or later.
 */
#include <string.h>

#include "scenario_keys.h"
#include "scenario_parts.h"

#define OF(choice) (1u << (choice))

static const struct
{
  uint32_t key;
  uint32_t of;      /* the key of a choice on which it depends */
  uint32_t choices; /* bits: those that read it                */
} dependent[] = {
  { BN_KEY_WORKLOAD_TRACE, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_TRACE) },
  { BN_KEY_WORKLOAD_WORKFLOW_COLUMN, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_TRACE) },
  { BN_KEY_WORKLOAD_WORKFLOW_MAP, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_TRACE) },
  { BN_KEY_WORKLOAD_RUNTIME_FACTOR, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_TRACE) },
  { BN_KEY_WORKLOAD_TRACE_RESAMPLE, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_TRACE) },
  { BN_KEY_WORKLOAD_CV, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_GAMMA) | OF (BN_ARRIVALS_CORRELATED) },
  { BN_KEY_WORKLOAD_AUTOCORRELATION, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_CORRELATED) },
  { BN_KEY_WORKLOAD_AUTOCORR_DECAY, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_CORRELATED) },
  { BN_KEY_WORKLOAD_ON, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_ONOFF) },
  { BN_KEY_WORKLOAD_OFF, BN_KEY_WORKLOAD_ARRIVALS, OF (BN_ARRIVALS_ONOFF) },
  { BN_KEY_WORKLOAD_SHAPE_AMPLITUDE, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_DIURNAL) },
  { BN_KEY_WORKLOAD_SHAPE_PERIOD, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_DIURNAL) },
  { BN_KEY_WORKLOAD_SHAPE_PHASE, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_DIURNAL) },
  { BN_KEY_WORKLOAD_SPIKE_AT, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_SPIKE) },
  { BN_KEY_WORKLOAD_SPIKE_LENGTH, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_SPIKE) },
  { BN_KEY_WORKLOAD_SPIKE_EVERY, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_SPIKE) },
  { BN_KEY_WORKLOAD_SPIKE_FACTOR, BN_KEY_WORKLOAD_RATE_SHAPE, OF (BN_RATE_SPIKE) },
  { BN_KEY_WORKLOAD_NOISE_CV, BN_KEY_WORKLOAD_NOISE, OF (BN_NOISE_LOGNORMAL) | OF (BN_NOISE_GAMMA) },
};

/* The names of the choices, as "gamma or correlated". */
static char *
names_of (uint32_t of, uint32_t choices)
{
  const char *const *choice = bn_scenario_key (of).choices;
  GString *names = g_string_new (NULL);

  for (uint32_t c = 0; choice[c] != NULL; c++)
    if (choices & OF (c))
      g_string_append_printf (names, "%s%s", names->len > 0 ? " or " : "", choice[c]);
  return g_string_free (names, FALSE);
}

void
bn_scenario_remark_on_idle (const BnSettings *s, GPtrArray *remarks)
{
  for (guint i = 0; i < G_N_ELEMENTS (dependent); i++)
    {
      BnScenarioKey key = bn_scenario_key (dependent[i].key), of = bn_scenario_key (dependent[i].of);
      BnGiven given = bn_settings_given (s, dependent[i].key);
      if (dependent[i].choices & OF (bn_settings_integer (s, dependent[i].of, 0)) || given == BN_GIVEN_BY_NOBODY
          || given < bn_settings_given (s, dependent[i].of)
          || strcmp (bn_settings_text (s, dependent[i].key, 0), key.usual) == 0)
        continue;
      g_autofree char *names = names_of (dependent[i].of, dependent[i].choices);
      g_ptr_array_add (remarks, g_strdup_printf ("%s.%s has no effect, as %s = %s; it is for %s = %s", key.section,
                                                 key.name, of.name, bn_settings_text (s, dependent[i].of, 0),
                                                 of.name, names));
    }
}
