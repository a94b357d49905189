/* scenario_help.c: the table of a scenario's keys as text.
 *
 * Copyright 2026 The Binnacle authors. SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "scenario.h"
#include "scenario_keys.h"

/* in the order of bn_scenario_sections */
static const char *const section_help[] = {
  "what to run and to record",
  "who is compared",
  "[servers NAME]: one section for each group of equal servers, or one [servers]",
  "from server to server",
  "what arrives when",
  "who does the work, and how",
  "defaults of what any compared scheduler takes in its brackets",
};

/* Quantities by their kind: their bounds only catch slips, and messages name them. */
static char *
what_it_takes (const BnScenarioKey *key)
{
  switch (key->kind)
    {
    case BN_KEY_DURATION:
      return g_strdup ("duration");
    case BN_KEY_SIZE:
      return g_strdup ("size");
    case BN_KEY_RATE:
      return g_strdup ("rate");
    case BN_KEY_FREQUENCY:
      return g_strdup ("frequency");
    case BN_KEY_REAL:
      return g_strdup ("number");
    case BN_KEY_MULTIPLE:
      return g_strdup ("multiple");
    default:
      return bn_scenario_key_range (key);
    }
}

static void
append_key (GString *text, uint32_t number, const BnRunOptions *options)
{
  BnScenarioKey key = bn_scenario_key (number);
  char *usual = key.kind == BN_KEY_OPTION ? bn_variant_get_option (options, number - BN_KEY_FIRST_OPTION)
                                          : g_strdup (*key.usual == '\0' ? "-" : key.usual);
  char *takes = what_it_takes (&key);
  g_string_append_printf (text, "  %-16s %-23s %s (%s)\n", key.name, usual, key.help, takes);
  g_free (usual);
  g_free (takes);
}

char *
bn_scenario_keys_help (void)
{
  BnRunOptions options = bn_variant_default_options ();
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "  %-16s %-23s %s\n", "KEY", "DEFAULT", "MEANING (WHAT IT TAKES)");
  for (guint i = 0; bn_scenario_sections[i] != NULL; i++)
    {
      g_string_append_printf (text, "\n[%s]  %s\n", bn_scenario_sections[i], section_help[i]);
      for (uint32_t key = 0; key < bn_scenario_n_keys (); key++)
        if (strcmp (bn_scenario_key (key).section, bn_scenario_sections[i]) == 0)
          append_key (text, key, &options);
    }
  return g_string_free (text, FALSE);
}
